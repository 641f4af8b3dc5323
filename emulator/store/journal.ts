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

/** One transaction as a line: the sequence after it, what was taken away, then what was put. */
export interface JournalLine {
  readonly n: number;
  /** Version 0.1.0 wrote it where everything was replaced: what follows belongs to a state that only a state file holds. */
  readonly replaced?: true;
  readonly del?: { readonly [N in CollectionName]?: readonly string[] };
  readonly put?: { readonly [N in CollectionName]?: readonly StoredRecord[] };
  /** Lines of older versions have no checksum. */
  readonly crc?: string;
}

const members: readonly string[] = ['n', 'replaced', 'del', 'put', 'crc'] satisfies (keyof JournalLine)[];

/** The journal files of a data folder, `journal-<number>.ndjson`, and the one being written. */
export interface Journal {
  /** Writes one line; it has reached the operating system when this returns. */
  append(line: string): void;
  /** Later lines go to a file that has none yet, whose number comes back. So no number is left out. */
  rotate(): number;
  /** The number that `rotate` would answer with. */
  readonly next: number;
  /** Removes the files before a number. */
  dropBefore(number: number): Promise<void>;
  /** Lines so far, those that were replayed among them. */
  readonly lines: number;
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
 * Opens the journal for writing, in a new file after `last`; the file is made with the first line.
 * @param replayed lines of earlier files that are not in the state file
 */
export function openJournal(
  folder: string,
  last: number,
  { fsync, lines: replayed }: { fsync: boolean; lines: number },
): Journal {
  let number = last + 1;
  let file: number | null = null;
  let size = 0;
  let lines = replayed;

  const end = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    size = 0;
  };

  return {
    append(line) {
      if (file === null) {
        file = openSync(join(folder, toName(number)), 'a', 0o600);
        if (fsync) syncFolder(folder);
      }
      const bytes = Buffer.from(line, 'utf8');
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
        if (fsync) fsyncSync(file);
      } catch (error) {
        // Half a line must not stay before the next one; where it cannot be cut off, the next goes to another file.
        try {
          ftruncateSync(file, size);
        } catch {
          end();
          number += 1;
        }
        throw error;
      }
      size += bytes.length;
      lines += 1;
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
    close: end,
  };
}

/** Makes a new name in a folder survive the loss of power. */
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
 * Reads the journals from a number on. A torn last line is cut off. From garbage on, or from a replacement that no
 * state file holds, everything is kept aside; what stands before it is used, and stays in its journal.
 * @param stamp for the names of files kept aside
 * @param names those of the store's collections
 * @param isGapless whether a number that is left out is a file that was lost; older versions left numbers out
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
): { readonly lines: number; readonly notices: readonly string[] } {
  const notices: string[] = [];
  let lines = 0;
  const numbers = journalNumbers(folder).filter((number) => number >= first);
  for (const [at, number] of numbers.entries()) {
    const name = toName(number);
    const expected = at === 0 ? first : (numbers[at - 1] ?? 0) + 1;
    if (isGapless && number > expected)
      notices.push(
        `${toName(expected)} is missing, though ${name}, which follows it, is there. What was changed in between is lost; put the file back and start again if you have it.`,
      );
    const read = readJournal(join(folder, name), names, apply);
    lines += read.lines;
    if (read.end === 'whole') continue;
    if (read.end === 'torn') {
      notices.push(`The last line of ${name} was torn (${read.rest} bytes, never acknowledged); it was cut off.`);
      truncateSync(join(folder, name), read.size);
      continue;
    }
    const aside = `${read.end === 'garbage' ? 'corrupt' : 'unfinished'}-${stamp}`;
    // The last one first: a kill in between must not leave later lines that seem to follow.
    for (const later of numbers.slice(at + 1).reverse())
      renameSync(join(folder, toName(later)), join(folder, `journal-${later}.${aside}`));
    copyFileSync(join(folder, name), join(folder, `journal-${number}.${aside}`));
    truncateSync(join(folder, name), read.size);
    notices.push(
      read.end === 'garbage'
        ? `Line ${read.lines + 1} of ${name} cannot be read. Everything before it was used; that file and the later ones are kept as journal-*.${aside}.`
        : `Everything was being replaced (by a reset or a snapshot) and that was not finished, so the state before it was opened. What was changed after it is kept as journal-*.${aside}.`,
    );
    break;
  }
  return { lines, notices };
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

/** Null where a text is no line of a journal. */
function toLine(text: string, names: readonly string[]): JournalLine | null {
  let line: Partial<JournalLine> | null;
  try {
    line = JSON.parse(text) as Partial<JournalLine> | null;
  } catch {
    return null;
  }
  if (!Number.isSafeInteger(line?.n) || sealOf(text, line) === 'differs') return null;
  // A flipped bit may make another name of the checksum's.
  if (!Object.keys(line ?? {}).every((member) => members.includes(member))) return null;
  const isWhole = holds(line?.put, names, isRecord) && holds(line?.del, names, (id) => typeof id === 'string');
  return isWhole ? (line as JournalLine) : null;
}

/** Whether a part of a line, where there is one, names collections and lists what it should. */
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
