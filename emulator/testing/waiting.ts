import type { Clock } from '../time/clock.ts';
import { UserError } from '../errors.ts';

/** Promises that wait for something that a stream of news brings. */
export interface Waiting {
  /**
   * Resolves with what `check` finds, now or after some news; undefined is nothing yet. What `check` throws rejects.
   * @param explain what is said after "within N ms" when the time is over
   */
  until<T>(wait: {
    readonly what: string;
    readonly timeoutMs: number;
    readonly check: () => T | undefined;
    readonly explain: () => string;
  }): Promise<T>;
  /** Looks again: something happened. */
  news(): void;
  /** Rejects all waiting calls. */
  close(): void;
}

interface Waiter {
  check(): void;
  giveUp(): void;
}

/** How long the waits last that name no timeout: shorter than what test runners allow a test. */
export const defaultTimeoutMs = 3_000;

/** Creates a place to wait at. Nothing is polled: `news` makes all waiting calls check. */
export function createWaiting(clock: Pick<Clock, 'afterWall'>): Waiting {
  const waiters = new Set<Waiter>();
  let closed = false;
  return {
    until({ what, timeoutMs, check, explain }) {
      let settled: () => void = () => {};
      const promise = new Promise<NonNullable<ReturnType<typeof check>>>((resolve, reject) => {
        if (closed) throw new UserError(`The sandbox is closed, so there is no waiting for ${what}.`);
        const attempt = (): boolean => {
          try {
            const found = check();
            if (found === undefined) return false;
            resolve(found as NonNullable<typeof found>);
          } catch (error) {
            reject(error);
          }
          return true;
        };
        if (attempt()) return;
        const waiter: Waiter = {
          check() {
            if (attempt()) settled();
          },
          giveUp() {
            settled();
            // A test that already failed no longer listens; calls that still wait are rejected.
            promise.catch(() => {});
            reject(new UserError(`The sandbox was closed while waiting for ${what}.`));
          },
        };
        const cancelTimeout = clock.afterWall(timeoutMs, () => {
          settled();
          reject(new UserError(`There was no ${what} within ${timeoutMs} ms. ${explain()}`));
        });
        settled = () => {
          cancelTimeout();
          waiters.delete(waiter);
        };
        waiters.add(waiter);
      });
      return promise;
    },
    news() {
      for (const waiter of waiters) waiter.check();
    },
    close() {
      closed = true;
      for (const waiter of waiters) waiter.giveUp();
    },
  };
}
