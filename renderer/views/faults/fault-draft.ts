import type { Body, FaultView } from '../../../emulator/control/calls.ts';
import {
  countBounds,
  effectNames,
  effects,
  sayEffects,
  toItem,
  toSentence,
  type EffectName,
} from '../../../emulator/http/faults/effects.ts';
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
  const chosen: { readonly [Name in EffectName]: FaultBody[Name] | null } = {
    status: answer === 'status' ? toWholeNumber(status) : null,
    retryAfter: answer === 'status' && retryAfter !== '' ? toWholeNumber(retryAfter) : null,
    delay: delays ? delay.trim() : null,
    cut: cuts && answer !== 'reset' ? (cutAfter === '' ? true : toWholeNumber(cutAfter)) : null,
    reset: answer === 'reset' || null,
    after: after || null,
  };
  return {
    operation,
    ...withoutNull(chosen),
    ...(when === 'first' ? { times: toWholeNumber(count) } : {}),
    ...(when === 'every' ? { every: toWholeNumber(count) } : {}),
  };
}

/** The fields that create an existing fault again, with its remaining number of times. */
export function toSameFault(fault: FaultView, times = fault.remaining): FaultBody {
  const ofEffects = Object.fromEntries(effectNames.map((name) => [name, fault[name] === false ? null : fault[name]]));
  return { operation: fault.operation, ...withoutNull({ ...ofEffects, times, every: fault.every }) };
}

const withoutNull = (fields: { readonly [field: string]: unknown }): { readonly [field: string]: unknown } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The effects of a fault, with their names in a header or on the command line. */
function itemsOf(body: FaultBody): readonly (readonly [name: string, value: string | null])[] {
  return Object.entries(body).flatMap(([field, value]) =>
    field === 'operation' ? [] : [[toItem(field), value === true ? null : String(value)] as const],
  );
}

/** The words of a command: `fault "GET /me" --status 429 --retry-after 2`. */
export function toCommand(body: FaultBody): string {
  const flags = itemsOf(body).map(([name, value]) => (value === null ? `--${name}` : `--${name} ${quoted(value)}`));
  return ['fault', `"${body.operation}"`, ...flags].join(' ');
}

/** `x-sandbox-fault: status=429, retry-after=2`: applies only to the request that carries it. */
export function toHeader(body: FaultBody): string {
  const items = itemsOf(body).filter(([name]) => !(name in countBounds));
  return `x-sandbox-fault: ${items.map(([name, value]) => (value === null ? name : `${name}=${value}`)).join(', ')}`;
}

const quoted = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Describes a draft in a sentence. */
export function sayDraft(draft: FaultDraft): string {
  return toSentence({ ...toFaultBody(draft), delay: draft.delays ? draft.delay : null });
}

type Bounds = readonly [least: number, most: number];
const isWhole = (text: string): boolean => /^\d+$/.test(text.trim());
function fits(text: string, [least, most]: Bounds): boolean {
  return isWhole(text) && Number(text) >= least && Number(text) <= most;
}
const sayBounds = ([least, most]: Bounds): string => `from ${toCount(least)} to ${toCount(most)}`;
/** A bare number is milliseconds. ISO 8601 is left to the server. */
const isDelay = (text: string): boolean =>
  isWhole(text) || /^(?:P.+|(?:\d+(?:\.\d+)?\s*(?:ms|[wdhms])\s*)+)$/i.test(text);

/** Why a draft cannot be set: something is missing, wrong, or without effect. Null if it can. */
export function problemOf(draft: FaultDraft): string | null {
  const { answer, status, retryAfter, delays, delay, cuts, cutAfter, when, count } = draft;
  if (answer === 'own' && !delays && !cuts) return `Choose what it does: ${sayEffects()}.`;
  if (when !== 'next' && !fits(count, countBounds[when === 'first' ? 'times' : 'every']))
    return `Say how many: a whole number ${sayBounds(countBounds.times)}.`;
  if (answer === 'status' && !fits(status, effects.status.bounds))
    return `The status is a number ${sayBounds(effects.status.bounds)}.`;
  if (answer === 'status' && retryAfter !== '' && !fits(retryAfter, effects.retryAfter.bounds))
    return `Retry-After is a whole number of seconds ${sayBounds(effects.retryAfter.bounds)}; leave it empty for none.`;
  if (delays && !isDelay(delay.trim())) return 'The delay is a time such as 3s or 250ms.';
  if (cuts && answer !== 'reset' && cutAfter !== '' && !fits(cutAfter, effects.cut.bounds))
    return `The cut is after a whole number of bytes ${sayBounds(effects.cut.bounds)}; leave it empty for half of them.`;
  return null;
}
