import {
  closeSync,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { CollectionName, StoredRecord } from '../records.ts';
import { sealOf } from './checksum.ts';

/** One transaction as a line: the sequence after it, the deleted records, then the stored ones. */
export interface JournalLine {
  readonly n: number;
  /**
   * Version 0.1.0 wrote it when everything was replaced: the lines after it belong to a state that is only in a state
   * file.
   */
  readonly replaced?: true;
  readonly del?: { readonly [N in CollectionName]?: readonly string[] };
  readonly put?: { readonly [N in CollectionName]?: readonly StoredRecord[] };
  /** Lines of older versions have no checksum. */
  readonly crc?: string;
}

const members: readonly string[] = ['n', 'replaced', 'del', 'put', 'crc'] satisfies (keyof JournalLine)[];

/** The journal files of a data folder, `journal-<number>.ndjson`, and the one being written. */
export interface Journal {
  /** Writes lines, all or none; they have reached the operating system when this returns. */
  append(text: string, count: number): void;
  /** Later lines go to an empty file, whose number is returned. So no number is skipped. */
  rotate(): number;
  /** The number that `rotate` would return. */
  readonly next: number;
  /** Removes the files before a number. */
  dropBefore(number: number): Promise<void>;
  /** Lines so far, including replayed ones, and their bytes. */
  readonly lines: number;
  readonly bytes: number;
  close(): void;
}

const namePattern = /^journal-(\d+)\.ndjson$/;
const toName = (number: number): string => `journal-${number}.ndjson`;

/** The numbers of the journal files in a folder, in order. */
export function journalNumbers(folder: string): readonly number[] {
  return readdirSync(folder)
    .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

/**
 * Opens the journal for writing, in a new file after `last`; the first line creates the file.
 * @param replayed lines of earlier files that are not in the state file, and their bytes
 */
export function openJournal(
  folder: string,
  last: number,
  { fsync, ...replayed }: { fsync: boolean; lines: number; bytes: number },
): Journal {
  let number = last + 1;
  let file: number | null = null;
  let size = 0;
  let { lines, bytes: written } = replayed;

  const end = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    size = 0;
  };

  return {
    append(text, count) {
      if (file === null) {
        file = openSync(join(folder, toName(number)), 'a', 0o600);
        if (fsync) syncFolder(folder);
      }
      const bytes = Buffer.from(text, 'utf8');
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
        if (fsync) fsyncSync(file);
      } catch (error) {
        // Half a line must not stay before the next one; if it cannot be cut off, the next line goes to another file.
        try {
          ftruncateSync(file, size);
        } catch {
          end();
          number += 1;
        }
        throw error;
      }
      size += bytes.length;
      written += bytes.length;
      lines += count;
    },
    rotate() {
      if (file !== null) number += 1;
      end();
      return number;
    },
    get next() {
      return file === null ? number : number + 1;
    },
    async dropBefore(first) {
      for (const old of journalNumbers(folder)) if (old < first) await unlink(join(folder, toName(old)));
    },
    get lines() {
      return lines;
    },
    get bytes() {
      return written;
    },
    close: end,
  };
}

/** Makes a new file name survive a power loss. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Reads the journals from a number on. A torn last line is cut off. If a line cannot be read, or replaced everything by
 * a state that no state file has, it and everything after it is moved to other names; the lines before it are used, and
 * stay in their journal.
 * @param stamp for the names of files that are moved away
 * @param names those of the store's collections
 * @param isGapless whether a missing number means a lost file; older versions skipped numbers
 */
export function replayJournals(
  folder: string,
  first: number,
  {
    stamp,
    names,
    isGapless,
  }: { readonly stamp: string; readonly names: readonly string[]; readonly isGapless: boolean },
  apply: (line: JournalLine) => void,
): { readonly lines: number; readonly bytes: number; readonly notices: readonly string[] } {
  const notices: string[] = [];
  let [lines, bytes] = [0, 0];
  const numbers = journalNumbers(folder).filter((number) => number >= first);
  for (const [at, number] of numbers.entries()) {
    const name = toName(number);
    const expected = at === 0 ? first : (numbers[at - 1] ?? 0) + 1;
    if (isGapless && number > expected)
      notices.push(
        `${toName(expected)} is missing, although ${name}, which follows it, exists. The changes in between are lost. If you have the file, put it back and start again.`,
      );
    const read = readJournal(join(folder, name), names, apply);
    lines += read.lines;
    bytes += read.size;
    if (read.end === 'whole') continue;
    if (read.end === 'torn') {
      notices.push(`The last line of ${name} was incomplete (${read.rest} bytes, never acknowledged); it was removed.`);
      truncateSync(join(folder, name), read.size);
      continue;
    }
    const aside = `${read.end === 'garbage' ? 'corrupt' : 'unfinished'}-${stamp}`;
    // The last one first: a kill in between must not leave later lines that seem to continue the state.
    for (const later of numbers.slice(at + 1).reverse())
      renameSync(join(folder, toName(later)), join(folder, `journal-${later}.${aside}`));
    copyFileSync(join(folder, name), join(folder, `journal-${number}.${aside}`));
    truncateSync(join(folder, name), read.size);
    notices.push(
      read.end === 'garbage'
        ? `Line ${read.lines + 1} of ${name} cannot be read. The lines before it were used; that file and the later ones are kept as journal-*.${aside}.`
        : `A reset or a snapshot was replacing everything and did not finish, so the previous state was opened. Later changes are kept as journal-*.${aside}.`,
    );
    break;
  }
  return { lines, bytes, notices };
}

interface Read {
  readonly lines: number;
  /** Bytes up to the end of the last line that was used, and after it. */
  readonly size: number;
  readonly rest: number;
  readonly end: 'whole' | 'torn' | 'garbage' | 'replaced';
}

function readJournal(path: string, names: readonly string[], apply: (line: JournalLine) => void): Read {
  const bytes = readFileSync(path);
  let lines = 0;
  let size = 0;
  const stop = (end: Read['end']): Read => ({ lines, size, rest: bytes.length - size, end });
  while (size < bytes.length) {
    const end = bytes.indexOf(0x0a, size);
    if (end === -1) return stop('torn');
    const line = toLine(bytes.toString('utf8', size, end), names);
    if (!line) return stop('garbage');
    if (line.replaced) return stop('replaced');
    apply(line);
    lines += 1;
    size = end + 1;
  }
  return stop('whole');
}

/** Null if a text is not a line of a journal. */
function toLine(text: string, names: readonly string[]): JournalLine | null {
  let line: Partial<JournalLine> | null;
  try {
    line = JSON.parse(text) as Partial<JournalLine> | null;
  } catch {
    return null;
  }
  if (!Number.isSafeInteger(line?.n) || sealOf(text, line) === 'differs') return null;
  // A flipped bit may have changed the name of the checksum.
  if (!Object.keys(line ?? {}).every((member) => members.includes(member))) return null;
  const isWhole = holds(line?.put, names, isRecord) && holds(line?.del, names, (id) => typeof id === 'string');
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
