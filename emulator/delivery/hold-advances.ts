import type { Clock } from '../time/clock.ts';
import { patienceTick, type Patience } from './patience.ts';
import type { Queue } from './queue.ts';

export interface AdvanceDeps {
  readonly clock: Pick<Clock, 'waitFor' | 'afterWall'>;
  readonly queue: Pick<Queue, 'canTake' | 'lanes'>;
  readonly patience: Patience;
  /** Called when a jump of the clock begins. */
  readonly onJump: () => void;
  /** Plans a check of the queue. */
  readonly plan: () => void;
  /** Whether there are answers that are not recorded yet. */
  readonly isAnswered: () => boolean;
  /** Whether nothing is sent, at least for now. */
  readonly isStopped: () => boolean;
}

/**
 * Holds an advance of the clock at its present moment while deliveries belong to it. An attempt belongs to the moment
 * at which it was sent. So an advance lets every attempt begin that may, and waits for the answers of fast receivers.
 */
export function holdAdvances({ clock, queue, patience, onJump, plan, isAnswered, isStopped }: AdvanceDeps): {
  /** Lets an advance go on if nothing holds it now. */
  leaveIfOver(): void;
} {
  let leave: (() => void) | null = null;
  let isTicking = false;

  clock.waitFor({
    begin() {
      patience.begin();
      onJump();
    },
    wait() {
      if (mayLeave()) return null;
      if (queue.canTake()) plan();
      tickSoon();
      return new Promise((resolve) => (leave = resolve));
    },
  });

  function mayLeave(): boolean {
    if (isStopped()) return true;
    if (isAnswered() || queue.canTake()) return false;
    for (const lane of queue.lanes()) if (!patience.isOver(lane)) return false;
    return true;
  }

  function leaveIfOver(): void {
    if (!leave || !mayLeave()) return;
    leave();
    leave = null;
  }

  function tickSoon(): void {
    if (isTicking || isStopped()) return;
    isTicking = true;
    step(1);
  }

  function step(count: number): void {
    clock.afterWall(patienceTick.stepMs, () => {
      if (leave && count < patienceTick.steps) return step(count + 1);
      isTicking = false;
      if (!leave) return;
      patience.tick(queue.lanes());
      leaveIfOver();
      tickSoon();
    });
  }

  return { leaveIfOver };
}
