import {
  closeSync,
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
import { collectionNames, type CollectionName, type StoredRecord } from '../records.ts';

/** One transaction as a line: the sequence after it, what was taken away, then what was put. */
export interface JournalLine {
  readonly n: number;
  readonly del?: { readonly [N in CollectionName]?: readonly string[] };
  readonly put?: { readonly [N in CollectionName]?: readonly StoredRecord[] };
}

/** The journal files of a data folder, `journal-<number>.ndjson`, and the one being written. */
export interface Journal {
  /** Writes one line; it has reached the operating system when this returns. */
  append(line: string): void;
  /** Later lines go to a new file, whose number comes back. */
  rotate(): number;
  /** Removes the files before a number. */
  dropBefore(number: number): Promise<void>;
  /** Lines that the state file does not hold. */
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
      file ??= openSync(join(folder, toName(number)), 'a', 0o600);
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
      end();
      number += 1;
      lines = 0;
      return number;
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

/**
 * Reads the journals from a number on. A torn last line is cut off; a file with garbage before its end is kept aside,
 * together with all later ones, and what stands before the garbage is used.
 * @param stamp for the names of files kept aside
 */
export function replayJournals(
  folder: string,
  first: number,
  stamp: string,
  apply: (line: JournalLine) => void,
): { readonly lines: number; readonly notices: readonly string[] } {
  const notices: string[] = [];
  let lines = 0;
  const numbers = journalNumbers(folder).filter((number) => number >= first);
  for (const [at, number] of numbers.entries()) {
    const path = join(folder, toName(number));
    const read = readJournal(path, apply);
    lines += read.lines;
    if (read.torn > 0)
      notices.push(
        `The last line of ${toName(number)} was torn (${read.torn} bytes, never acknowledged); it was cut off.`,
      );
    if (read.garbageAt === null) continue;
    for (const later of numbers.slice(at))
      renameSync(join(folder, toName(later)), join(folder, `journal-${later}.corrupt-${stamp}`));
    notices.push(
      `Line ${read.garbageAt} of ${toName(number)} cannot be read. Everything before it was used; that file and the later ones are kept as journal-*.corrupt-${stamp}.`,
    );
    break;
  }
  return { lines, notices };
}

function readJournal(
  path: string,
  apply: (line: JournalLine) => void,
): { lines: number; torn: number; garbageAt: number | null } {
  const bytes = readFileSync(path);
  let lines = 0;
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1) {
      truncateSync(path, start);
      return { lines, torn: bytes.length - start, garbageAt: null };
    }
    const line = toLine(bytes.toString('utf8', start, end));
    if (!line) return { lines, torn: 0, garbageAt: lines + 1 };
    apply(line);
    lines += 1;
    start = end + 1;
  }
  return { lines, torn: 0, garbageAt: null };
}

function toLine(text: string): JournalLine | null {
  try {
    const line = JSON.parse(text) as JournalLine;
    const names = [...Object.keys(line.put ?? {}), ...Object.keys(line.del ?? {})];
    return Number.isSafeInteger(line.n) && names.every((name) => (collectionNames as readonly string[]).includes(name))
      ? line
      : null;
  } catch {
    return null;
  }
}
