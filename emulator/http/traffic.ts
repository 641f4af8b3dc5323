import type { Clock } from '../time/clock.ts';

/** Whether API requests come in at present, so that work in the background steps back. */
export interface Traffic {
  note(): void;
  isBusy(): boolean;
}

/** So long after a request, in ms, another one is expected. */
const busyMs = 50;

/** Creates the watch; nothing came yet. */
export function createTraffic(clock: Pick<Clock, 'monotonic'>): Traffic {
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    note() {
      lastAt = clock.monotonic();
    },
    isBusy: () => clock.monotonic() - lastAt < busyMs,
  };
}
