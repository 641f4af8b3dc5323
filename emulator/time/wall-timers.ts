import { clearTimeout, setTimeout } from '../globals.ts';

/** The longest that Node takes, 24 days; it would end a longer one at once. */
const longestMs = 2 ** 31 - 1;

/** Real timeouts that can all be cancelled together; `ended` is called for each one cancelled that way. */
export function createWallTimers(report: (error: unknown, label: string) => void) {
  const running = new Map<NodeJS.Timeout, (() => void) | null>();
  let closed = false;
  return {
    start(ms: number, fn: () => void, ended: (() => void) | null) {
      if (closed) {
        ended?.();
        return { cancel: () => {}, keepAlive: () => {} };
      }
      const timeout = setTimeout(
        () => {
          running.delete(timeout);
          try {
            fn();
          } catch (error) {
            report(error, `a timeout of ${ms} ms`);
          }
        },
        Math.min(ms, longestMs),
      ).unref();
      running.set(timeout, ended);
      const cancel = (): void => {
        clearTimeout(timeout);
        running.delete(timeout);
      };
      return { cancel, keepAlive: () => void timeout.ref() };
    },
    close() {
      closed = true;
      for (const [timeout, ended] of running) {
        clearTimeout(timeout);
        ended?.();
      }
      running.clear();
    },
  };
}
