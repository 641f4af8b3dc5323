import {
  closeSync,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { follows, toLine, type JournalLine } from './journal-line.ts';
import { folderLost } from './lock.ts';
import { renameAtOnce, syncFolderAtOnce } from '../system.ts';

/** The journal files of a data folder, `journal-<number>.ndjson`, and the one being written. */
export interface Journal {
  /**
   * Writes lines, all or none; they have reached the operating system when this returns.
   * @throws StoreError `folder-lost` if no start would find the lines, or if they would go to the folder of another
   *   emulator
   */
  append(text: string, count: number): void;
  /** Sends later lines to an empty file, and returns its number. No number is skipped. */
  rotate(): number;
  /** Like `rotate`, with a number that no state names yet: a state that replaces everything starts a new history. */
  begin(): number;
  /** The number that `begin` would return. */
  readonly next: number;
  /** The place of the next line: the number of its file, and the bytes before it. */
  readonly end: { readonly journal: number; readonly offset: number };
  /** Removes the files before a number. */
  dropBefore(number: number): Promise<void>;
  /** Lines so far, including replayed ones, and their bytes. */
  readonly lines: number;
  readonly bytes: number;
  /** The number of the last line; 0 if none was written since the last `rotate` or `begin`. */
  readonly lastLine: number;
  close(): void;
}

const namePattern = /^journal-(\d+)\.ndjson$/;
const toName = (number: number): string => `journal-${number}.ndjson`;

/** The path of a journal. */
export const journalPath = (folder: string, number: number): string => join(folder, toName(number));

/** The numbers of the journal files in a folder, in order. */
export function journalNumbers(folder: string): readonly number[] {
  return readdirSync(folder)
    .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

/**
 * The size of the shared buffer. A larger append, such as a hundred thousand codes, gets its own, which is not kept.
 */
const sharedBytes = 256 * 1024;

/**
 * Opens the journal for writing, in a new file after `last`; the first line creates the file.
 * @param checkLock throws if the folder is no longer this emulator's
 * @param replayed lines of earlier files that are not in the state file, their bytes, and the number of the last one
 */
export function openJournal(
  folder: string,
  last: number,
  {
    fsync,
    checkLock,
    ...replayed
  }: { fsync: boolean; checkLock: () => void; lines: number; bytes: number; lastLine: number },
): Journal {
  let number = last + 1;
  let file: number | null = null;
  let place: Stats | null = null;
  let size = 0;
  let { lines, bytes: written, lastLine } = replayed;
  /** The buffer for each append that fits. A new one for each would stay until the garbage collector runs. */
  let shared = Buffer.alloc(0);

  const end = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    size = 0;
  };

  /**
   * The file at the path of the journal. For an open file, some versions of Node on Windows give another `dev` than for
   * a path.
   */
  const find = (): Stats | null => statSync(journalPath(folder, number), { throwIfNoEntry: false }) ?? null;
  /** Whether the path still leads to the open file: the folder may have been removed, renamed or replaced. */
  const isInPlace = (): boolean => {
    const found = find();
    return found !== null && found.ino === place?.ino && found.dev === place.dev;
  };

  return {
    append(text, count) {
      if (file === null) {
        checkLock();
        file = openSync(journalPath(folder, number), 'a', 0o600);
        place = find();
        if (fsync) syncFolderAtOnce(folder);
      } else if (!isInPlace()) throw folderLost(folder);
      if (shared.length === 0) shared = Buffer.allocUnsafeSlow(sharedBytes);
      // A character takes three bytes at most.
      const bytes = text.length * 3 > sharedBytes ? Buffer.from(text) : shared;
      const length = bytes === shared ? shared.write(text) : bytes.length;
      try {
        for (let done = 0; done < length;) done += writeSync(file, bytes, done, length - done);
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
      size += length;
      written += length;
      lines += count;
      lastLine += count;
    },
    rotate() {
      // A file without a line is left if the disk refuses its first line. It is used for the next line, so that only
      // damage leaves an empty file.
      if (size > 0) number += 1;
      end();
      lastLine = 0;
      return number;
    },
    begin() {
      end();
      lastLine = 0;
      number += 1;
      return number;
    },
    get next() {
      return number + 1;
    },
    get end() {
      return { journal: number, offset: size };
    },
    async dropBefore(first) {
      for (const old of journalNumbers(folder)) if (old < first) await unlink(journalPath(folder, old));
    },
    get lines() {
      return lines;
    },
    get bytes() {
      return written;
    },
    get lastLine() {
      return lastLine;
    },
    close: end,
  };
}

/**
 * Reads the journals from a number on. A torn last line is cut off, and an empty last file is removed. If a line cannot
 * be read, if lines before it are missing in its file, or if it replaced everything by a state that no state file has,
 * that line and everything after it are moved to files with other names. The lines before it are used, and stay in their
 * journal. Lines that are missing between two files, as a whole file is, are only reported.
 * @param stamp for the names of files that are moved away
 * @param names the names of the store's collections
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
): { readonly lines: number; readonly bytes: number; readonly lastLine: number; readonly notices: readonly string[] } {
  const notices: string[] = [];
  let [lines, bytes] = [0, 0];
  let lastLine: number | null = 0;
  const numbers = journalNumbers(folder).filter((number) => number >= first);
  for (const [at, number] of numbers.entries()) {
    const name = toName(number);
    const expected = at === 0 ? first : (numbers[at - 1] ?? 0) + 1;
    if (number > expected) lastLine = null;
    if (isGapless && number > expected) notices.push(lost(toName(expected), 'missing', name));
    const read = readJournal(join(folder, name), names, lastLine, apply);
    if (read.isAfterGap) notices.push(lostBefore(name));
    lines += read.lines;
    bytes += read.size;
    lastLine = read.lastLine;
    const later = numbers.slice(at + 1);
    const [next] = later.map(toName);
    if (read.end === 'whole') {
      if (read.size > 0) continue;
      if (next === undefined) unlinkSync(join(folder, name));
      else {
        notices.push(lost(name, 'empty', next));
        lastLine = null;
      }
      continue;
    }
    if (read.end === 'torn') {
      const incomplete = `The last line of ${name} was incomplete (${read.rest} bytes`;
      notices.push(
        next === undefined
          ? `${incomplete}, never acknowledged); it was removed.`
          : `${incomplete}), although ${next}, which follows it, exists; it was removed. If the file was cut off, the changes after that line are lost.`,
      );
      if (next === undefined) cutLast(join(folder, name), read.size);
      else {
        truncateSync(join(folder, name), read.size);
        lastLine = null;
      }
      continue;
    }
    const aside = `${read.end === 'replaced' ? 'unfinished' : 'corrupt'}-${stamp}`;
    // The last one first: a kill in between must not leave later lines that seem to continue the state.
    for (const one of later.toReversed())
      renameAtOnce(join(folder, toName(one)), join(folder, `journal-${one}.${aside}`));
    copyFileSync(join(folder, name), join(folder, `journal-${number}.${aside}`));
    cutLast(join(folder, name), read.size);
    const damage =
      read.end === 'gap'
        ? `Before line ${read.lines + 1} of ${name}, lines are missing or in another order.`
        : `Line ${read.lines + 1} of ${name} cannot be read.`;
    notices.push(
      read.end !== 'replaced'
        ? `${damage} The lines before it were used; that file and the later ones are kept as journal-*.${aside}.`
        : `A reset or a snapshot was replacing everything and did not finish, so the previous state was opened. Later changes are kept as journal-*.${aside}.`,
    );
    break;
  }
  return { lines, bytes, lastLine: lastLine ?? 0, notices };
}

function lost(name: string, is: 'missing' | 'empty', next: string): string {
  return `${name} is ${is}, although ${next}, which follows it, exists. The changes in between are lost. If you have the file, put it back and start again.`;
}

function lostBefore(name: string): string {
  return `The first lines of ${name}, or the last ones of the file before it, are missing. The changes in them are lost. If you have the files, put them back and start again.`;
}

/**
 * Cuts the last file off after `size` bytes. If nothing is left, it is removed: an empty file before others means
 * damage.
 */
function cutLast(path: string, size: number): void {
  if (size === 0) unlinkSync(path);
  else truncateSync(path, size);
}

interface Read {
  readonly lines: number;
  /** Bytes up to the end of the last line that was used; `rest`: the bytes after it. */
  readonly size: number;
  readonly rest: number;
  /** The number of the last line; null if it is not known. */
  readonly lastLine: number | null;
  /** Whether the lines before the first one are missing. */
  readonly isAfterGap: boolean;
  readonly end: 'whole' | 'torn' | 'garbage' | 'gap' | 'replaced';
}

/** @param before the number of the last line before the file; null if it is not known */
function readJournal(
  path: string,
  names: readonly string[],
  before: number | null,
  apply: (line: JournalLine) => void,
): Read {
  const bytes = readFileSync(path);
  let lines = 0;
  let size = 0;
  let lastLine = before;
  let isAfterGap = false;
  const stop = (end: Read['end']): Read => ({ lines, size, rest: bytes.length - size, lastLine, isAfterGap, end });
  while (size < bytes.length) {
    const end = bytes.indexOf(0x0a, size);
    if (end === -1) return stop('torn');
    const line = toLine(bytes.toString('utf8', size, end), names);
    if (!line) return stop('garbage');
    if (line.replaced) return stop('replaced');
    // A save begins to count again from 1.
    if (lines === 0) isAfterGap = line.line !== 1 && !follows(line, before);
    else if (!follows(line, lastLine)) return stop('gap');
    apply(line);
    lines += 1;
    lastLine = line.line ?? null;
    size = end + 1;
  }
  return stop('whole');
}
