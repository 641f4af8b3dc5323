import { toIso, type Clock } from '../time/clock.ts';
import { inHeader, rule, type Place } from '../rules.ts';
import { requestLimits, sayRequestLimits } from '../time/pace.ts';
import type { TooEarly, RateLimitMode } from './shapes.ts';

/** The requests of one operation in the current second, by token. */
export interface Window {
  /** Requests per second. */
  readonly limit: number;
  /** Counts a request. Returns how many are left; below 0 there were too many. */
  take(token: string, now: number): number;
}

export interface RateLimits {
  mode(): RateLimitMode;
  /** Sets the mode, and restarts all windows. */
  setMode(mode: RateLimitMode): void;
  /** The window of an operation. */
  windowOf(operation: string): Window;
  /** Counts a refusal. Returns the seconds for `Retry-After`. */
  refused(now: number): number;
  /** Notes that the reply to this request asked the client to wait. */
  askToWait(wait: {
    readonly operation: string;
    readonly token: string;
    readonly requestId: string;
    readonly seconds: number;
  }): void;
  /** The early return, if this request is too early after such a reply; else null. */
  judge(request: { readonly operation: string; readonly token: string; readonly requestId: string }): TooEarly | null;
  /** True if a client was asked to wait. */
  readonly watching: boolean;
  readonly counts: { readonly refused: number; readonly early: number };
  /** The newest early returns, newest last. */
  earlyReturns(): readonly TooEarly[];
  /** Sets everything to the state after the start. */
  clear(): void;
  /** Returns a function that restores the mode, the counts and the early returns as they are now. */
  keep(): () => void;
}

interface Wait {
  readonly requestId: string;
  readonly wallUntil: number;
  readonly virtualUntil: number;
}

/** The platform counts per second (docs/platform.md, Rate limits): fixed windows on the virtual clock. */
const windowMs = 1_000;
/** The maximum number of remembered tokens, waits and early returns, to limit memory. */
const most = 10_000;
const keptReturns = 100;

/**
 * Counts requests per token and operation (docs/platform.md, Rate limits), and notes clients that return before
 * `Retry-After` has passed. Windows are virtual seconds, so while the clock is frozen a window does not end; a wait is
 * over when it has passed on either clock, because tests move the virtual one and clients sleep on the real one.
 */
export function createRateLimits({
  clock,
  mode: initial,
}: {
  clock: Pick<Clock, 'now' | 'wall' | 'state'>;
  mode: RateLimitMode;
}): RateLimits {
  let mode = initial;
  let era = 0;
  let refused = 0;
  let early = 0;
  let returns: readonly TooEarly[] = [];
  const waits = new Map<string, Wait>();

  return {
    mode: () => mode,
    setMode(next) {
      mode = next;
      era += 1;
    },
    windowOf(operation) {
      const limit = limitOf(operation);
      const taken = new Map<string, number>();
      let second = Number.NaN;
      let windowEra = era;
      return {
        limit,
        take(token, now) {
          const present = Math.floor(now / windowMs);
          if (present !== second || windowEra !== era || taken.size > most) {
            taken.clear();
            second = present;
            windowEra = era;
          }
          const count = (taken.get(token) ?? 0) + 1;
          taken.set(token, count);
          return limit - count;
        },
      };
    },
    refused(now) {
      refused += 1;
      // Before 1970 the remainder is negative.
      const left = windowMs - (((now % windowMs) + windowMs) % windowMs);
      return Math.ceil(left / clock.state().rate / 1_000);
    },
    askToWait({ operation, token, requestId, seconds }) {
      const key = keyOf(operation, token);
      waits.delete(key);
      waits.set(key, {
        requestId,
        wallUntil: clock.wall() + seconds * 1_000,
        virtualUntil: clock.now() + seconds * 1_000,
      });
      const oldest = waits.size > most ? waits.keys().next().value : undefined;
      if (oldest !== undefined) waits.delete(oldest);
    },
    judge({ operation, token, requestId }) {
      const key = keyOf(operation, token);
      const wait = waits.get(key);
      if (!wait) return null;
      const ms = Math.round(Math.min(wait.wallUntil - clock.wall(), wait.virtualUntil - clock.now()));
      if (ms <= 0) {
        waits.delete(key);
        return null;
      }
      const found: TooEarly = { requestId, operation, askedBy: wait.requestId, ms, at: toIso(clock.now()) };
      early += 1;
      returns = [...returns.slice(1 - keptReturns), found];
      return found;
    },
    get watching() {
      return waits.size > 0;
    },
    get counts() {
      return { refused, early };
    },
    earlyReturns: () => returns,
    keep() {
      const kept = { mode, refused, early, returns };
      return () => {
        era += 1;
        ({ mode, refused, early, returns } = kept);
        waits.clear();
      };
    },
    clear() {
      mode = initial;
      era += 1;
      refused = 0;
      early = 0;
      returns = [];
      waits.clear();
    },
  };
}

function limitOf(operation: string): number {
  const { operations, others } = requestLimits;
  return (operations as { readonly [name: string]: number })[operation] ?? others;
}

function keyOf(operation: string, token: string): string {
  return `${operation}\n${token}`;
}

/** The note about an early return, for the recorded request. */
export function sayEarly({ ms, askedBy }: TooEarly): string {
  return `Sent ${(ms / 1_000).toFixed(1)} s before the Retry-After of ${askedBy} had passed.`;
}

/** The place of a refusal: requests are counted by their token. */
export const limitPlace: Place = inHeader('authorization');

export const limitRules = {
  rate: rule<{ operation: string; limit: number; retryAfter: number; frozen: boolean }>({
    id: 'limits.rate',
    status: 429,
    section: '7',
    provenance: 'observed',
    says: `Too many requests. The platform counts per token, operation and second: ${sayRequestLimits()}.`,
    message: ({ operation, limit, retryAfter, frozen }) =>
      `The user has sent too many requests in a given amount of time: ${operation} allows ${limit} per second for one token. Wait ${retryAfter} s (Retry-After).${frozen ? ' The clock is frozen, so this second does not end: let it run, or advance it.' : ''}`,
    fix: ({ retryAfter, frozen }) => ({
      say: frozen
        ? 'Let the clock run, or advance it by a second, and send the same request again.'
        : `Send the same request again after ${retryAfter} s, and fewer of them per second.`,
      edits: [],
    }),
    facts: ({ operation, limit, retryAfter, frozen }) => ({ operation, limit, retryAfter, frozen }),
  }),
} as const;
