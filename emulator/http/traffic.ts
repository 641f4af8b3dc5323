import type { Clock } from '../time/clock.ts';

/** Whether API requests are currently arriving, so that background work can wait. */
export interface Traffic {
  note(): void;
  isBusy(): boolean;
}

/** How long after a request, in ms, another one is expected. */
const busyMs = 50;

/** Creates the watch, without any request so far. */
export function createTraffic(clock: Pick<Clock, 'monotonic'>): Traffic {
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    note() {
      lastAt = clock.monotonic();
    },
    isBusy: () => clock.monotonic() - lastAt < busyMs,
  };
}
