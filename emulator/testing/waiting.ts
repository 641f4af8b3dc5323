import type { Clock } from '../time/clock.ts';
import { UserError } from '../errors.ts';
import type { WaitOptions } from './api.ts';
import { checkFields, milliseconds, type Fields } from './checks.ts';

interface Wait<T> {
  readonly what: string;
  readonly timeoutMs: number;
  /** What is found; undefined is nothing yet. A promise is awaited. What it throws rejects. */
  readonly check: () => T | undefined;
  /** What is said after "within N ms" when the time is over. */
  readonly explain: () => string;
}

/** Promises that wait for something that a stream of news brings. */
export interface Waiting {
  /**
   * Resolves with what `check` finds, now or after some news. Return its promise as it is: `close` rejects it, and that is
   * not an unhandled rejection if no one listens; with a promise that is made of it, it would be one.
   * @param plan what it throws rejects
   */
  until<T>(plan: () => Wait<T>): Promise<Awaited<T>>;
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
const defaultTimeoutMs = 3_000;

/** @throws UserError for options that a wait does not take */
export function toTimeout(options: WaitOptions = {}, more: Fields = {}): number {
  checkFields('the options of a wait', options, { timeoutMs: milliseconds, ...more });
  return options.timeoutMs ?? defaultTimeoutMs;
}

/**
 * Creates a place to wait at. Nothing is polled: `news` makes all waiting calls check.
 * @param owner what is closed, in messages
 */
export function createWaiting(clock: Pick<Clock, 'afterWall'>, owner: 'sandbox' | 'receiver'): Waiting {
  const waiters = new Set<Waiter>();
  let closed = false;
  const waiting: Waiting = {
    until<T>(plan: () => Wait<T>): Promise<Awaited<T>> {
      const promise = new Promise<Awaited<T>>((resolve, reject) => {
        const { what, timeoutMs, check, explain } = plan();
        if (closed) throw new UserError(`The ${owner} is closed, so there is no waiting for ${what}.`);
        /** A test that is over no longer listens. */
        const quiet = (): void => {
          if (closed) promise.catch(() => {});
        };
        const attempt = (): boolean => {
          try {
            const found = check();
            if (found === undefined) return false;
            const settled = Promise.resolve(found);
            settled.catch(quiet);
            resolve(settled);
          } catch (error) {
            reject(error);
          }
          return true;
        };
        if (attempt()) return;
        // In a timer or in `close` the stack would no longer name the line that waits.
        const toFailure = keepStack(waiting.until);
        const waiter: Waiter = {
          check() {
            if (attempt()) end();
          },
          giveUp() {
            end();
            reject(toFailure(`The ${owner} was closed while waiting for ${what}.`));
            quiet();
          },
        };
        const giveUpLate = (): void => {
          end();
          reject(toFailure(`There was no ${what} within ${timeoutMs} ms. ${explain()}`));
        };
        // Nothing else does: the servers of a sandbox do not.
        const cancelTimeout = clock.afterWall(timeoutMs, giveUpLate, { keepsAlive: true });
        const end = (): void => {
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
  return waiting;
}

/** Makes errors later that have the stack of now, without the frames down to `below`. */
function keepStack(below: (...input: never) => unknown): (message: string) => UserError {
  const here: { readonly stack: unknown } = { stack: '' };
  Error.captureStackTrace(here, below);
  return (message) => {
    const error = new UserError(message);
    // A program may have replaced how stacks are written, by what makes no text of them.
    if (typeof here.stack === 'string') error.stack = here.stack.replace(/^.*/, () => `${error.name}: ${message}`);
    return error;
  };
}
