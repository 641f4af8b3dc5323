import { toOrdinal } from '../../../emulator/contract/digits.ts';
import type { Body, FaultView } from '../../../emulator/control/calls.ts';
import { faultBounds } from '../../../emulator/http/faults/bounds.ts';
import { toCount } from '../../format.ts';
import { toWholeNumber } from '../../parts/whole-number.ts';

/**
 * The fault in the form, with texts as they were typed. Pure functions convert it, so what is shown is what is sent.
 */
export interface FaultDraft {
  readonly operation: string;
  readonly when: 'next' | 'first' | 'every';
  /** For `first`: the number of requests; for `every`: it applies to one request in this many. */
  readonly count: string;
  readonly answer: 'own' | 'status' | 'reset';
  readonly status: string;
  /** Seconds; '' for none. */
  readonly retryAfter: string;
  readonly delays: boolean;
  /** `3s`, `250ms`. */
  readonly delay: string;
  readonly cuts: boolean;
  /** Bytes; '' for half-way. */
  readonly cutAfter: string;
  readonly after: boolean;
}

export const emptyDraft: FaultDraft = {
  operation: '*',
  when: 'next',
  count: '3',
  answer: 'status',
  status: '429',
  retryAfter: '2',
  delays: false,
  delay: '3s',
  cuts: false,
  cutAfter: '',
  after: false,
};

const plain = { answer: 'own', delays: false, cuts: false, after: false, retryAfter: '' } as const;

/** The faults that developers need most. Each keeps the operation and the count. */
export const presets: readonly { readonly title: string; readonly draft: Partial<FaultDraft> }[] = [
  { title: '429, wait 2 s', draft: { ...plain, answer: 'status', status: '429', retryAfter: '2' } },
  { title: '500', draft: { ...plain, answer: 'status', status: '500' } },
  { title: 'Slow, 3 s', draft: { ...plain, delays: true, delay: '3s' } },
  { title: 'Cut half-way', draft: { ...plain, cuts: true, cutAfter: '' } },
  { title: 'Reset', draft: { ...plain, answer: 'reset' } },
  { title: 'Lose the answer', draft: { ...plain, answer: 'reset', after: true } },
];

/** The body of `POST /control/faults`. */
export type FaultBody = Body<'POST /control/faults'>;

/** Converts a draft to a call. Text that is not a number is sent as typed, so that the server's refusal explains it. */
export function toFaultBody(draft: FaultDraft): FaultBody {
  const { operation, when, count, answer, status, retryAfter, delays, delay, cuts, cutAfter, after } = draft;
  return {
    operation,
    ...(answer === 'status' ? { status: toWholeNumber(status) } : {}),
    ...(answer === 'status' && retryAfter !== '' ? { retryAfter: toWholeNumber(retryAfter) } : {}),
    ...(answer === 'reset' ? { reset: true } : {}),
    ...(delays ? { delay: delay.trim() } : {}),
    ...(cuts && answer !== 'reset' ? { cut: cutAfter === '' ? true : toWholeNumber(cutAfter) } : {}),
    ...(after ? { after: true } : {}),
    ...(when === 'first' ? { times: toWholeNumber(count) } : {}),
    ...(when === 'every' ? { every: toWholeNumber(count) } : {}),
  };
}

/** The fields that create an existing fault again, with its remaining number of times. */
export function toSameFault(fault: FaultView, times = fault.remaining): FaultBody {
  const { operation, status, retryAfter, delay, cut, reset, after, every } = fault;
  const fields = { status, retryAfter, delay, cut, times, every, reset: reset || null, after: after || null };
  return { operation, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) };
}

/** The effects of a fault, with their names in a header or on the command line. */
function itemsOf(body: FaultBody): readonly (readonly [name: string, value: string | null])[] {
  return Object.entries(body).flatMap(([field, value]) => {
    if (field === 'operation') return [];
    const name = field === 'retryAfter' ? 'retry-after' : field;
    return [[name, value === true ? null : String(value)] as const];
  });
}

/** The words of a command: `fault "GET /me" --status 429 --retry-after 2`. */
export function toCommand(body: FaultBody): string {
  const flags = itemsOf(body).map(([name, value]) => (value === null ? `--${name}` : `--${name} ${quoted(value)}`));
  return ['fault', `"${body.operation}"`, ...flags].join(' ');
}

/** `x-sandbox-fault: status=429, retry-after=2`: applies only to the request that carries it. */
export function toHeader(body: FaultBody): string {
  const items = itemsOf(body).filter(([name]) => name !== 'times' && name !== 'every');
  return `x-sandbox-fault: ${items.map(([name, value]) => (value === null ? name : `${name}=${value}`)).join(', ')}`;
}

const quoted = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Describes a draft in a sentence. */
export function sayDraft(draft: FaultDraft): string {
  const { operation, when, count, answer, status, retryAfter, delays, delay, cuts, cutAfter, after } = draft;
  const what = operation === '*' ? 'request of any operation' : operation;
  const whom =
    when === 'next'
      ? `The next ${what}`
      : when === 'first'
        ? `Each of the next ${count} ${operation === '*' ? 'requests of any operation' : operation}`
        : `Every ${toOrdinal(count)} ${what}`;
  const done = [
    ...(after ? ['is handled and its changes stay, then'] : []),
    ...(delays ? [`waits ${delay}${answer === 'own' && !cuts ? ' and is answered as usual' : ' and'}`] : []),
    ...(answer === 'status'
      ? [`is answered with ${status}${retryAfter === '' ? '' : ` and Retry-After ${retryAfter} s`}`]
      : []),
    ...(answer === 'reset' ? ['gets its connection reset'] : []),
    ...(cuts && answer !== 'reset'
      ? [
          `${answer === 'status' ? ', ' : 'is answered as usual, '}cut ${cutAfter === '' ? 'half-way' : `after ${cutAfter} bytes`}`,
        ]
      : []),
  ];
  return `${whom} ${done.join(' ')}.`.replaceAll(' , ', ', ');
}

const isWhole = (text: string): boolean => /^\d+$/.test(text.trim());
function fits(text: string, field: keyof typeof faultBounds): boolean {
  const [least, most] = faultBounds[field];
  return isWhole(text) && Number(text) >= least && Number(text) <= most;
}
const sayBounds = (field: keyof typeof faultBounds): string => {
  const [least, most] = faultBounds[field];
  return `from ${toCount(least)} to ${toCount(most)}`;
};
/** A bare number is milliseconds. ISO 8601 is left to the server. */
const isDelay = (text: string): boolean =>
  isWhole(text) || /^(?:P.+|(?:\d+(?:\.\d+)?\s*(?:ms|[wdhms])\s*)+)$/i.test(text);

/** Why a draft cannot be set: something is missing, wrong, or without effect. Null if it can. */
export function problemOf(draft: FaultDraft): string | null {
  const { answer, status, retryAfter, delays, delay, cuts, cutAfter, when, count } = draft;
  if (answer === 'own' && !delays && !cuts) return 'Choose what it does: a status, a delay, a cut or a reset.';
  if (when !== 'next' && !fits(count, when === 'first' ? 'times' : 'every'))
    return `Say how many: a whole number ${sayBounds('times')}.`;
  if (answer === 'status' && !fits(status, 'status')) return `The status is a number ${sayBounds('status')}.`;
  if (answer === 'status' && retryAfter !== '' && !fits(retryAfter, 'retryAfter'))
    return `Retry-After is a whole number of seconds ${sayBounds('retryAfter')}; leave it empty for none.`;
  if (delays && !isDelay(delay.trim())) return 'The delay is a time such as 3s or 250ms.';
  if (cuts && answer !== 'reset' && cutAfter !== '' && !fits(cutAfter, 'cut'))
    return `The cut is after a whole number of bytes ${sayBounds('cut')}; leave it empty for half of them.`;
  return null;
}
