/**
 * Two clocks: the time at the start of a line is real, in the zone of this machine. A time in a sentence is the
 * emulator's, and says UTC. A line has one of the two.
 */
import type { DeliveryAttemptView, DeliveryLineView, RequestSummary } from '../control/calls.ts';
import { formatDuration } from '../time/duration.ts';
import { paintLine, toDay, type Part, type Screen } from './terminal.ts';

/** The facts for the line of a request. */
export type RequestFacts = Pick<
  RequestSummary,
  | 'id'
  | 'wallAt'
  | 'method'
  | 'url'
  | 'graphql'
  | 'about'
  | 'did'
  | 'calledFrom'
  | 'status'
  | 'durationMs'
  | 'rule'
  | 'failure'
  | 'fault'
>;

/**
 * `12:01:33 400 POST /subscriptions  subscriptions.phone-e164 → http://127.0.0.1:4748/#/requests/req_1`
 * @param inspectorUrl null if the inspector has ended
 */
export function toRequestLine(facts: RequestFacts, inspectorUrl: string | null, screen: Screen): string {
  const { id, wallAt, method, url, graphql, about, did, calledFrom, status, durationMs, rule, failure, fault } = facts;
  const head: readonly Part[] = [
    [`${toWallTime(wallAt, screen)} `, 'dim'],
    [status === null ? '---' : String(status), toFormat(status)],
    [` ${method} ${url.replace(/^\/v1(?=\/)/, '')}`],
  ];
  const failed = failure === null ? undefined : firstLine(failure);
  const why = rule ?? (fault ? `fault: ${fault.says}` : failed);
  const story = [graphql, about, did].filter((part) => part !== null).join(' ');
  const isFine = why === undefined && status !== null && status < 400;
  const tail: readonly Part[] = isFine
    ? [[`${Math.round(durationMs ?? 0)} ms`, 'dim']]
    : [
        [why === undefined ? '' : `${why} `, 'yellow'],
        [toCaller(calledFrom)],
        [inspectorUrl === null ? '' : `→ ${toRequestLink(inspectorUrl, id)}`, 'dim'],
      ];
  return paintLine(head, story === '' ? tail : [[`${story}  `], ...tail], screen);
}

/** `at shop.ts:42:9 in “subscribes a customer” `. */
function toCaller(from: RequestFacts['calledFrom']): string {
  const parts = [from?.place ? `at ${from.place}` : '', from?.test ? `in “${from.test}”` : ''].filter(Boolean);
  return parts.length === 0 ? '' : `${parts.join(' ')} `;
}

/** The first line of a text. Internal failures include their stack, which has several lines. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** The address at which the inspector shows a request. */
function toRequestLink(inspectorUrl: string, id: string): string {
  return `${inspectorUrl}/#/requests/${id}`;
}

function toFormat(status: number | null): 'green' | 'blue' | 'yellow' | 'red' {
  if (status === null || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : status >= 300 ? 'blue' : 'green';
}

/** The facts for the line of a delivery. Lists have the status of an attempt, single deliveries its whole answer. */
export interface DeliveryFacts extends Pick<
  DeliveryLineView,
  'type' | 'url' | 'state' | 'createdAt' | 'nextAttemptAt' | 'attemptCount'
> {
  readonly attempts: readonly AttemptFacts[];
}

type AttemptFacts =
  | Pick<DeliveryLineView['attempts'][number], 'at' | 'wallAt' | 'durationMs' | 'error' | 'status'>
  | Pick<DeliveryAttemptView, 'at' | 'wallAt' | 'durationMs' | 'error' | 'response'>;

type State = DeliveryLineView['state'];

/** Whether an attempt is queued or being made; not while it waits for a retry. */
export const isUnderWay = ({ state }: { readonly state: State }): boolean =>
  state === 'queued' || state === 'delivering';

const stateFormat: { readonly [S in State]: 'green' | 'yellow' | 'red' | 'dim' } = {
  queued: 'dim',
  delivering: 'dim',
  delivered: 'green',
  retrying: 'yellow',
  failed: 'red',
  paused: 'yellow',
};

/**
 * `12:01:33 → sms.subscribed delivered 200 http://localhost:3000/hooks  12 ms`: a delivery after its newest attempt, or
 * after an earlier one.
 */
export function toDeliveryLine(delivery: DeliveryFacts, screen: Screen, at = delivery.attempts.length - 1): string {
  const { type, url, nextAttemptAt, attempts } = delivery;
  const state = stateAfter(delivery, at);
  // An attempt that is queued or under way has no answer yet, and the one before it says nothing about it.
  const attempt = isUnderWay({ state }) ? undefined : attempts[at];
  const status = (attempt && 'status' in attempt ? attempt.status : attempt?.response?.status) ?? undefined;
  const next = state === 'retrying' && nextAttemptAt && attempt ? sayNext(attempt.at, nextAttemptAt) : null;
  const said = attempt?.error ?? (attempt ? `${Math.round(attempt.durationMs)} ms` : null);
  const tail = [said, next].filter((part) => part !== null).join('  ');
  return paintLine(
    [
      [attempt ? `${toWallTime(attempt.wallAt, screen)} ` : '', 'dim'],
      [`→ ${type} `],
      [state, stateFormat[state]],
      [`${status === undefined ? '' : ` ${status}`} ${url}`],
    ],
    tail === '' ? [] : [[tail, attempt?.error ? 'yellow' : 'dim']],
    screen,
  );
}

/** The state of a delivery right after an attempt. If a newer attempt exists, the delivery has moved on since. */
function stateAfter({ state, attempts }: DeliveryFacts, at: number): State {
  if (at === attempts.length - 1) return state;
  return attempts[at]?.error === null ? 'delivered' : 'retrying';
}

/** What was reported about a delivery so far. */
interface Told extends Pick<DeliveryFacts, 'state' | 'createdAt'> {
  readonly count: number;
  /** The time of the newest reported attempt; empty if none was reported. */
  readonly wallAt: string;
}

/**
 * Reports deliveries as they move: one line for each attempt that is over, and one for a delivery that was paused or
 * given up without an attempt. However often and late it is called, nothing is reported twice. The delivery is null if
 * it no longer exists.
 */
export function createDeliveryTeller(
  screen: Screen,
): (id: string, delivery: DeliveryFacts | null) => readonly string[] {
  const told = new Map<string, Told>();
  return (id, delivery) => {
    const before = told.get(id);
    if (!delivery) {
      told.delete(id);
      return [];
    }
    const { state, createdAt, attempts, attemptCount } = delivery;
    const from = placeAfter(before, delivery);
    const wallAt = (from < attempts.length && attempts.at(-1)?.wallAt) || (before?.wallAt ?? '');
    told.set(id, { state, createdAt, count: attemptCount, wallAt });
    if (from < attempts.length) {
      // A running attempt is the last one, so finished attempts are earlier.
      const shown = isUnderWay(delivery)
        ? { ...delivery, nextAttemptAt: null, attempts: [...attempts, noAttempt] }
        : delivery;
      return attempts.slice(from).map((_, index) => toDeliveryLine(shown, screen, from + index));
    }
    const isResting = state === 'paused' || state === 'failed';
    const isKnown = before?.state === state && before.createdAt === createdAt;
    return isResting && !isKnown ? [toDeliveryLine({ ...delivery, attempts: [] }, screen)] : [];
  };
}

/** The index of the first attempt that is not reported yet. */
function placeAfter(before: Told | undefined, { attempts, attemptCount }: DeliveryFacts): number {
  if (!before) return 0;
  // Only the newest attempts are stored.
  const newest = attempts.length - 1 - (attemptCount - before.count);
  if (attempts[newest]?.wallAt === before.wallAt) return newest + 1;
  // After a reset the id belongs to another delivery, and a rewind takes attempts back; only real time always goes on.
  const place = attempts.findIndex(({ wallAt }) => wallAt > before.wallAt);
  return place === -1 ? attempts.length : place;
}

const noAttempt: AttemptFacts = { at: '', wallAt: '', durationMs: 0, error: null, status: null };

/** How long after an attempt the next one is due, by the emulator's clock. */
function sayNext(at: string, next: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(next) - Date.parse(at)) / 1_000));
  return `next attempt ${seconds === 0 ? 'at once' : `${formatDuration(seconds * 1_000)} later`}`;
}

/** The time of day in the zone of this machine; the day precedes it if that is not today. */
export function toWallTime(iso: string, { today }: Pick<Screen, 'today'>): string {
  const time = new Date(iso);
  const day = toDay(time);
  return `${today === undefined || today === day ? '' : `${day} `}${time.toTimeString().slice(0, 8)}`;
}

/** `2026-01-31 12:00:00 UTC`. */
export function toSeconds(iso: string): string {
  return `${iso.replace(/\.\d+Z$/, '').replace('T', ' ')} UTC`;
}
