import timers from 'node:timers';

/**
 * Timers, times and `fetch` of the process, as they were when this file was loaded. A test that replaces them later, as
 * `vi.useFakeTimers` and `vi.stubGlobal` do, must not stop the sandbox that runs in the same process.
 */
export const { setTimeout, clearTimeout, setImmediate, clearImmediate } = timers;

export const { fetch } = globalThis;

/** Epoch ms of the machine's clock. */
export const wallNow = Date.now;

/** Milliseconds since some moment; unlike `wallNow` it never goes back. */
export const monotonic = performance.now.bind(performance);

/** Ends with the next turn of the event loop, so that others get theirs. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
