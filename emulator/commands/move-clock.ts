import { randomUUID } from 'node:crypto';
import type { Answer, Body } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import { ControlRefusal } from '../control/client/control-refusal.ts';

/** A requested move of the clock. */
export interface MoveOfClock {
  readonly answer: Promise<Answer<'POST /control/clock'>>;
  /** Ends this move, but no other. */
  stop(): Promise<void>;
}

/** Moves the clock. The move gets a name, by which only this move can be stopped. */
export function moveClock(
  client: Pick<ControlClient, 'answer' | 'call'>,
  body: Body<'POST /control/clock'>,
): MoveOfClock {
  const name = randomUUID();
  let isOver = false;
  const answer = client.answer('POST /control/clock', { body: { ...body, name } }).finally(() => (isOver = true));
  const stop = async (): Promise<void> => {
    // The stop uses another connection, so it may overtake the move, which the server then does not know yet.
    if (!isOver && (await isUnknownTo(client, name))) return stop();
  };
  return { answer, stop };
}

async function isUnknownTo(client: Pick<ControlClient, 'call'>, name: string): Promise<boolean> {
  try {
    await client.call('POST /control/clock', { body: { stop: true, name } });
    return false;
  } catch (error) {
    // If the server is gone, the answer of the move says so.
    return error instanceof ControlRefusal && error.rule === 'clock.still';
  }
}
