import { copyFileSync, linkSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../errors.ts';
import { damaged } from './rules.ts';
import { parseInSlices } from '../time/parse-slices.ts';
import { inSlices } from '../time/slices.ts';
import { toDocument } from './document.ts';
import type { RecordLists } from './document.ts';
import { journalNumbers, journalPath, type Journal } from './journal.ts';
import { follows, timeIn, toLine } from './journal-line.ts';
import { orNull } from './or-null.ts';
import type { Archive, Lines } from './past.ts';
import { renameAtOnce } from '../system.ts';
import { previousName, stateName, type StateFile } from './state-file.ts';

/**
 * The journals of a data folder, the state file, its previous copy, and `checkpoint-<number>.json`: earlier state
 * files, each the state before the journal of that number, kept for looking back only.
 */
export interface DiskArchive extends Archive {
  /**
   * Keeps the state file or its previous copy, which is about to be replaced, if looking back needs it: if no earlier
   * state of its span is kept, or if the journals got many bytes since the earlier state.
   * @param from the first journal of its span
   * @throws the error of the disk; then everything is as before
   */
  keep(which: 'current' | 'previous', from: number): void;
  /**
   * Removes the files before the first state that looking back needs. Then it removes the oldest files that are kept
   * for looking back only, until the rest is small enough. The previous copy keeps its journals.
   * @param first the journal of that first state
   */
  trim(first: number): Promise<void>;
}

const namePattern = /^checkpoint-(\d+)\.json$/;

/** Opens the archive of a folder. Nothing is read. @param most bytes that are kept for looking back only */
export function openDiskArchive(
  folder: string,
  {
    journal,
    file,
    names,
    most,
  }: {
    readonly journal: Journal;
    readonly file: StateFile;
    readonly names: readonly string[];
    readonly most: number;
  },
): DiskArchive {
  const pathOf = (number: number): string => join(folder, `checkpoint-${number}.json`);
  const kept = (): readonly number[] =>
    readdirSync(folder)
      .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((one, other) => one - other);
  /** The bytes of finished journals and of kept states, which do not change: there may be thousands of them. */
  const sizes = new Map<string, number>();
  const knownSize = (path: string): number => {
    const size = sizes.get(path) ?? sizeOf(path);
    sizes.set(path, size);
    return size;
  };
  /** @param journals the numbers of the journals in the folder */
  const journalBytes = (journals: readonly number[], from: number, until: number): number =>
    journals
      .filter((number) => number >= from && number < until)
      .reduce((sum, number) => sum + Math.max(fileBytes, knownSize(journalPath(folder, number))), 0);

  /** The file with the state before a journal. */
  const fileOf = (base: number): string => {
    if (base === file.currentJournal) return join(folder, stateName);
    return base === file.previousJournal ? join(folder, previousName) : pathOf(base);
  };

  return {
    bases() {
      const own = [file.currentJournal, file.previousJournal].filter((number) => number !== null);
      // Base 0 is the empty state, as long as the first journal is there.
      const isWhole = own.length === 0 || journalNumbers(folder)[0] === 1;
      return [...new Set([...(isWhole ? [0] : []), ...kept(), ...own])].sort((one, other) => one - other);
    },
    timeOf: (base) => (base === 0 ? Promise.resolve(null) : readTime(fileOf(base))),
    load: async (base) => (base === 0 ? {} : readRecords(fileOf(base), names)),
    async journal(number, offset) {
      const bytes = await orNull(readAfter(journalPath(folder, number), offset));
      return bytes && toLines({ bytes, offset }, `journal-${number}.ndjson`, names);
    },
    get end() {
      return journal.end;
    },
    keep(which, from) {
      const number = which === 'current' ? file.currentJournal : file.previousJournal;
      if (number === null || number < from) return;
      const path = join(folder, which === 'current' ? stateName : previousName);
      const earlier = [...(from === 0 ? [0] : []), ...kept()].findLast((one) => one >= from && one < number);
      const enough = Math.max(most / 8, sizeOf(path));
      if (earlier !== undefined && journalBytes(journalNumbers(folder), earlier, number) < enough) return;
      sizes.delete(pathOf(number));
      linkOrCopy(path, pathOf(number));
    },
    async trim(first) {
      const needed = file.previousJournal ?? 0;
      let from = Math.min(first, needed);
      const [found, journals] = [kept(), journalNumbers(folder)];
      let numbers = found.filter((number) => number >= first);
      const bytes = (): number =>
        numbers.reduce((sum, number) => sum + knownSize(pathOf(number)), journalBytes(journals, from, needed));
      while (from < needed && bytes() > most) {
        numbers = numbers.filter((number) => number > from);
        from = Math.min(numbers[0] ?? needed, needed);
      }
      // Not synchronously: the file system takes many milliseconds to remove a large file.
      const stays = new Set(numbers);
      for (const number of found) if (!stays.has(number)) await rm(pathOf(number), { force: true });
      await journal.dropBefore(from);
    },
  };
}

/** A journal counts as this many bytes at least, so that there are never thousands of them. */
const fileBytes = 64 * 1024;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Gives a file another name, or copies it if the disk has no links. */
function linkOrCopy(from: string, to: string): void {
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    const aside = `${to}.tmp`;
    try {
      copyFileSync(from, aside);
      renameAtOnce(aside, to);
    } catch (refused) {
      rmSync(aside, { force: true });
      throw refused;
    }
  }
}

/** The time in the first line of a state file; null if it has none. */
async function readTime(path: string): Promise<number | null> {
  const handle = await orNull(open(path, 'r'));
  if (!handle) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0);
    const found = /^\{[^{}[\]]*"at":(-?\d+)[,}]/.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
    return found === undefined ? null : Number(found);
  } finally {
    await handle.close();
  }
}

/** @throws Refusal if the file cannot be read */
async function readRecords(path: string, names: readonly string[]): Promise<RecordLists> {
  try {
    return (await inSlices(toDocument(await parseInSlices(await readFile(path)), names))).collections;
  } catch (error) {
    throw damaged(path, `which cannot be read: ${reasonOf(error)}`);
  }
}

/** The bytes of a file after an offset. */
async function readAfter(path: string, offset: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, (await handle.stat()).size - offset));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, offset + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function toLines(
  { bytes, offset }: { readonly bytes: Buffer; readonly offset: number },
  name: string,
  names: readonly string[],
): Lines {
  /** The starts and ends of whole lines. Text after the last line break was never acknowledged. */
  function* ends(): Iterable<{ readonly start: number; readonly end: number }> {
    for (let start = 0; ;) {
      const at = bytes.indexOf(0x0a, start);
      if (at === -1) return;
      yield { start, end: at + 1 };
      start = at + 1;
    }
  }
  return {
    *times() {
      for (const { start, end } of ends()) yield { t: timeIn(bytes, start), end: offset + end };
    },
    *all() {
      let lastLine: number | null = null;
      for (const { start, end } of ends()) {
        const line = toLine(bytes.toString('utf8', start, end - 1), names);
        if (!line) throw damaged(name, 'of which a line cannot be read');
        if (!follows(line, lastLine)) throw damaged(name, 'of which a line is missing');
        lastLine = line.line ?? null;
        yield { line, end: offset + end };
      }
    },
  };
}
