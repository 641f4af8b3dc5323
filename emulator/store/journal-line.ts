/** A line of a journal as text. Pure. */
import type { CollectionName, StoredRecord } from '../records.ts';
import type { MadeChange } from './change.ts';
import { sealed, sealOf } from './checksum.ts';
import { keptIn, withKept, withoutKept, type Kept } from './kept-items.ts';

/** One transaction: the sequence after it, the deleted records, then the stored ones. */
export interface JournalLine {
  readonly n: number;
  /** When it was written, epoch ms on the virtual clock. Lines of older versions have no time. */
  readonly t?: number;
  /**
   * Its number among the lines since the last state file, from 1. It shows that no line before it is lost. Lines of
   * older versions have none.
   */
  readonly line?: number;
  /**
   * Early versions wrote it when everything was replaced: the lines after it belong to a state that is only in a state
   * file.
   */
  readonly replaced?: true;
  readonly del?: { readonly [N in CollectionName]?: readonly string[] };
  readonly put?: { readonly [N in CollectionName]?: readonly StoredRecord[] };
  /** For each stored record, in the same order: the items of its lists that the line leaves out; null for none. */
  readonly kept?: { readonly [N in CollectionName]?: readonly (Kept | null)[] };
  /** Lines of older versions have no checksum. */
  readonly crc?: string;
}

const members: ReadonlySet<string> = new Set<keyof JournalLine>([
  'n',
  't',
  'line',
  'replaced',
  'del',
  'put',
  'kept',
  'crc',
]);

/** A line that is to be written. */
export interface NewLine extends Pick<JournalLine, 'n' | 'del'> {
  readonly put: { readonly [N in CollectionName]?: readonly MadeChange[] };
}

/** The text of a line. Its time is near the start, where it is found without parsing the line. */
export function toText({ n, del, put }: NewLine, t: number, number: number): string {
  const lists: string[] = [];
  const keptLists: string[] = [];
  for (const [name, changes] of Object.entries(put)) {
    const gone = del?.[name as CollectionName];
    const kept = changes.map((change) => (gone?.includes(change.id) ? null : keptIn(change)));
    lists.push(`"${name}":[${changes.map((change, at) => toJson(change, kept[at] ?? null)).join(',')}]`);
    if (kept.some((one) => one !== null)) keptLists.push(`"${name}":${JSON.stringify(kept)}`);
  }
  const deleted = del ? `,"del":${JSON.stringify(del)}` : '';
  const ofLists = keptLists.length > 0 ? `,"kept":{${keptLists.join(',')}}` : '';
  return `${sealed(`{"n":${n},"t":${t},"line":${number}${deleted},"put":{${lists.join(',')}}${ofLists}}`)}\n`;
}

function toJson(change: MadeChange, kept: Kept | null): string {
  return kept && change.after ? JSON.stringify(withoutKept(change.after, kept)) : change.json;
}

/** The records that a line stores, complete. @param presentOf returns a record as it is before the line */
export function storedIn(
  { put, kept }: Pick<JournalLine, 'put' | 'kept'>,
  name: CollectionName,
  presentOf: (id: string) => StoredRecord | undefined,
): readonly StoredRecord[] {
  const records = put?.[name] ?? [];
  const ofLists = kept?.[name];
  if (!ofLists) return records;
  return records.map((record, at) => (ofLists[at] ? withKept(record, ofLists[at], presentOf(record.id)) : record));
}

/** Whether a line may follow another one. @param last the number of that one; null if it is not known */
export function follows({ line }: JournalLine, last: number | null): boolean {
  return line === undefined || last === null || line === last + 1;
}

/** Converts a new line to the form in which it is read again. */
export function toWritten({ n, del, put }: NewLine): JournalLine {
  const records = Object.entries(put).map(([name, changes]) => [name, changes.map(({ after }) => after)]);
  return { n, ...(del && { del }), put: Object.fromEntries(records) as JournalLine['put'] & {} };
}

/** The time of the line that starts at a byte; null if it has none. */
export function timeIn(bytes: Buffer, start: number): number | null {
  const found = /^\{"n":\d+,"t":(-?\d+),/.exec(bytes.toString('latin1', start, start + 48))?.[1];
  return found === undefined ? null : Number(found);
}

/** Parses a line of a journal; null if the text is not a valid one. */
export function toLine(text: string, names: readonly string[]): JournalLine | null {
  let line: Partial<JournalLine> | null;
  try {
    line = JSON.parse(text) as Partial<JournalLine> | null;
  } catch {
    return null;
  }
  if (!Number.isSafeInteger(line?.n) || sealOf(text, line) === 'differs') return null;
  // A flipped bit may have changed the name of the checksum.
  for (const member in line) if (!members.has(member)) return null;
  const isWhole =
    holds(line?.put, names, isRecord) &&
    holds(line?.del, names, (id) => typeof id === 'string') &&
    holds(line?.kept, names, isKept);
  return isWhole ? (line as JournalLine) : null;
}

/** Whether a part of a line is absent, or an object of known collections with lists of the right kind. */
function holds(part: unknown, names: readonly string[], isItem: (item: unknown) => boolean): boolean {
  if (part === undefined) return true;
  if (typeof part !== 'object' || part === null) return false;
  for (const [name, items] of Object.entries(part))
    if (!names.includes(name) || !Array.isArray(items) || !items.every(isItem)) return false;
  return true;
}

function isRecord(item: unknown): boolean {
  return typeof item === 'object' && item !== null && typeof (item as { id?: unknown }).id === 'string';
}

function isKept(item: unknown): boolean {
  return item === null || (typeof item === 'object' && Object.values(item as object).every(Number.isSafeInteger));
}
