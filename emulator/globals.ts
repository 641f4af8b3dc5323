import timers from 'node:timers';
import { runInThisContext } from 'node:vm';

/**
 * Timers and times of the process, as they were when this file was loaded. A test that replaces them later, as
 * `vi.useFakeTimers` does, must not stop the sandbox that runs in the same process.
 */
export const { setTimeout, clearTimeout, setImmediate, clearImmediate } = timers;

/**
 * Node's own globals. Jest gives a test different ones, in which dates may be fake from the start; jsdom lacks some of
 * them.
 */
const { Date, performance, structuredClone } = runInThisContext('globalThis') as typeof globalThis;
export { structuredClone };

/** Epoch ms of the machine's clock. */
export const wallNow = Date.now;

/** Milliseconds since some moment; unlike `wallNow` it never goes back. */
export const monotonic = performance.now.bind(performance);

/** Resolves in the next turn of the event loop, so that other work can run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
