import { cutText } from '../../emulator/contract/cut-text.ts';
import type { ChangeView, RequestView } from '../../emulator/control/calls.ts';
import { toCount } from '../format.ts';
import { groupBy } from '../group.ts';
import type { Spot } from './json-lines.ts';

/** Returns the words for this many records of a kind: `sign-up unit`, `people`. */
export type Words = (kind: string, count?: number) => string;

export type Did = 'created' | 'changed' | 'removed';

export function didOf({ before, after }: ChangeView): Did {
  if (before === null) return 'created';
  return after === null ? 'removed' : 'changed';
}

/** Describes a request that was not refused in two parts: the outcome, then its effects. */
export function toOutcome(view: RequestView, words: Words): { readonly outcome: string; readonly did: string } {
  if (view.failure !== null && view.status === null) return { outcome: 'No answer', did: view.failure };
  if (view.failure !== null) return { outcome: `Answered ${view.status}`, did: view.failure };
  if (view.fault !== null) return { outcome: 'A fault was applied', did: `${view.fault.says}.` };
  const outcome = (view.status ?? 0) < 400 ? 'Accepted' : `Answered ${view.status}`;
  if (view.changes.length === 0)
    return { outcome, did: view.method === 'GET' ? 'it only read data.' : 'nothing changed.' };
  const groups = groupBy(view.changes, (change) => `${didOf(change)} ${change.kind}`);
  const parts = [...groups].map(([what, changes]) => {
    const [did = '', kind = ''] = what.split(' ');
    return { did, text: amount(changes.length, words(kind, changes.length)) };
  });
  const verbs = groupBy(parts, ({ did }) => did);
  const did = [...verbs].map(([verb, ones]) => `${verb} ${list(ones.map(({ text }) => text))}`);
  return { outcome, did: `it ${list(did)}.` };
}

/** The position of the refused word inside a longer refused text, such as a GraphQL query; null for other values. */
export function toSpot(refusal: RequestView['refusal']): Spot | null {
  const { line, column } = refusal?.facts ?? {};
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : null;
}

/** The messages and deliveries that a request created, as a suffix: `; 1 message and 2 deliveries were created`. */
export function toBesides(changes: readonly ChangeView[], words: Words): string {
  const made = (kind: string): number => changes.filter((one) => one.kind === kind && one.before === null).length;
  const counts = ['messages', 'deliveries']
    .map((kind) => ({ kind, count: made(kind) }))
    .filter(({ count }) => count > 0);
  const parts = counts.map(({ kind, count }) => `${toCount(count)} ${words(kind, count)}`);
  const isOne = counts.length === 1 && counts[0]?.count === 1;
  return parts.length === 0 ? '' : `; ${parts.join(' and ')} ${isOne ? 'was' : 'were'} created`;
}

function amount(count: number, noun: string): string {
  if (count > 1) return `${count} ${noun}`;
  return `${/^(?:[aeio]|u[^s])/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** One field that a change touched. */
export interface Delta {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Fields that are left out, because ids, times and histories do not help a person. */
const quiet = new Set([
  'id',
  'companyId',
  'createdAt',
  'updatedAt',
  'enteredAt',
  'history',
  'attempts',
  'userId',
  'externalId',
]);

/** Fields that are already in the title of a new record without a name. */
const titled = new Set(['channel', 'type', 'direction']);

/** Returns the fields that differ, in short form. */
export function toDeltas({ before, after }: ChangeView, most = 4): readonly Delta[] {
  const old = (before ?? {}) as { readonly [field: string]: unknown };
  const next = (after ?? {}) as { readonly [field: string]: unknown };
  const fields = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  return fields
    .filter(
      (field) =>
        !quiet.has(field) &&
        !(before === null && typeof next['name'] !== 'string' && titled.has(field)) &&
        JSON.stringify(old[field]) !== JSON.stringify(next[field]),
    )
    .filter((field) => before !== null || !isEmpty(next[field]))
    .slice(0, most)
    .map((field) => {
      const [was, is] = fromDifference(inFull(old[field]), inFull(next[field]));
      return {
        field,
        before: before === null ? null : cutText(was, longest),
        after: after === null ? null : cutText(is, longest),
      };
    });
}

/** The longest value shown, in characters. */
const longest = 90;

/**
 * Cuts two long values to begin shortly before their first difference: otherwise both might be cut to the same text.
 */
function fromDifference(before: string, after: string): readonly [string, string] {
  const [was, is] = [Array.from(before), Array.from(after)];
  const differs = was.findIndex((one, at) => one !== is[at]);
  const same = differs === -1 ? was.length : differs;
  if (same < longest - 20 || Math.max(was.length, is.length) <= longest) return [before, after];
  const from = (all: readonly string[]): string => `…${all.slice(same - 20).join('')}`;
  return [from(was), from(is)];
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function inFull(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value) && value.every((one) => typeof one !== 'object' || isValued(one))
        ? value.map((one: unknown) => (isValued(one) ? one.value : one)).join(', ')
        : JSON.stringify(value);
  return text === '' ? 'empty' : text;
}

/** Whether it is an address or an identifier, which is shown as its value. */
const isValued = (one: unknown): one is { readonly value: string } =>
  typeof one === 'object' && one !== null && typeof (one as { readonly value?: unknown }).value === 'string';

/** Returns the title of a changed record, from the properties by which a person knows it. */
export function toTitle({ before, after, id }: ChangeView): string {
  const record = (after ?? before) as { readonly [field: string]: unknown } | null;
  const addresses = record?.['addresses'] as readonly { readonly value: string }[] | undefined;
  const type = [record?.['channel'], record?.['type']].filter((part) => typeof part === 'string').join(' ');
  return (
    addresses?.[0]?.value ??
    (record?.['name'] as string | null | undefined) ??
    (type === '' ? null : type) ??
    (record?.['url'] as string | undefined) ??
    id
  );
}
