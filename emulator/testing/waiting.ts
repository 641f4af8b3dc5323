import type { Clock } from '../time/clock.ts';
import { UserError } from '../errors.ts';
import type { WaitOptions } from './api.ts';
import { checkFields, milliseconds, type Fields } from './checks.ts';

interface Wait<T> {
  readonly what: string;
  readonly timeoutMs: number;
  /** Returns what was found; undefined means nothing yet. A promise is awaited, and an exception rejects. */
  readonly check: () => T | undefined;
  /** Returns the text after "within N ms" in the error of a timeout. */
  readonly explain: () => string;
}

/** Promises that wait for something that news may bring. */
export interface Waiting {
  /**
   * Resolves with what `check` finds, now or after some news. Callers return this promise itself: `close` rejects it,
   * which is not an unhandled rejection even if no one listens. A promise derived from it would cause one.
   * @param plan an exception of it rejects
   */
  until<T>(plan: () => Wait<T>): Promise<Awaited<T>>;
  /** Checks again, because something happened. */
  news(): void;
  /**
   * Rejects all waiting calls.
   * @returns a function that returns the errors of those whose promise no code has awaited by then
   */
  close(): () => readonly UserError[];
}

interface Waiter {
  check(): void;
  giveUp(): UserError;
  isAwaited(): boolean;
}

/** A promise that knows whether someone awaits it. `await` calls `then` only of a promise with another constructor. */
class Watched<T> extends Promise<T> {
  isAwaited = false;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise has `then` anyway; this notes who calls it
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true;
    return super.then(onFulfilled, onRejected);
  }
}

/** The timeout of waits that name none: shorter than the time that test runners allow a test. */
const defaultTimeoutMs = 3_000;

/** @throws UserError for options that a wait does not take */
export function toTimeout(options: WaitOptions = {}, more: Fields = {}): number {
  checkFields('a wait', options, { timeoutMs: milliseconds, ...more });
  return options.timeoutMs ?? defaultTimeoutMs;
}

/**
 * Creates a place to wait at. Nothing is polled: `news` makes all waiting calls check.
 * @param owner the thing that is closed, in messages
 */
export function createWaiting(clock: Pick<Clock, 'afterWall'>, owner: 'sandbox' | 'receiver'): Waiting {
  const waiters = new Set<Waiter>();
  let closed = false;
  const waiting: Waiting = {
    until<T>(plan: () => Wait<T>): Promise<Awaited<T>> {
      const promise = new Watched<Awaited<T>>((resolve, reject) => {
        const { what, timeoutMs, check, explain } = plan();
        if (closed) throw new UserError(`The ${owner} is closed, so there is no waiting for ${what}.`);
        /** A test that is over no longer handles the rejection. */
        const quiet = (): void => {
          if (closed) void Promise.prototype.then.call(promise, undefined, () => {});
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
            const failure = toFailure(`The ${owner} was closed while waiting for ${what}.`);
            reject(failure);
            quiet();
            return failure;
          },
          isAwaited: () => promise.isAwaited,
        };
        const giveUpLate = (): void => {
          end();
          reject(toFailure(`There was no ${what} within ${timeoutMs} ms. ${explain()}`));
        };
        // This timer keeps the process alive, because the servers of a sandbox do not.
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
      const open = [...waiters].map((waiter) => ({ waiter, failure: waiter.giveUp() }));
      return () => open.filter(({ waiter }) => !waiter.isAwaited()).map(({ failure }) => failure);
    },
  };
  return waiting;
}

/** Returns a function that makes errors with the present stack, without the frames down to `below`. */
export function keepStack(below: (...input: never) => unknown): (message: string) => UserError {
  const here: { readonly stack: unknown } = { stack: '' };
  Error.captureStackTrace(here, below);
  return (message) => {
    const error = new UserError(message);
    // A program may have replaced the formatting of stacks with one that does not return text.
    if (typeof here.stack === 'string') error.stack = here.stack.replace(/^.*/, () => `${error.name}: ${message}`);
    return error;
  };
}
