import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf } from '../../errors.ts';
import type { Clock } from '../../time/clock.ts';
import { nextTurn } from '../../globals.ts';
import { createUnpack, type RecordedExchange } from './recorded-exchange.ts';
import { fixOfDisk, isClosed, StoreError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { makeFolder } from '../../system.ts';
import { findEntry } from './entry.ts';
import type { RecordLimits } from '../shapes.ts';

/** The recorded requests of a data folder: append-only files, `requests/<number>.log`. */
export interface RecordFiles {
  /** The highest sequence in the files; 0 if there are none. */
  readonly lastSequence: number;
  /**
   * Reads the requests that earlier processes recorded, within the limits, oldest first, without those recorded
   * meanwhile. Yields to the event loop between files.
   */
  load(): Promise<readonly RecordedExchange[]>;
  /** Writes a request to disk in the background: at most `flushMs` later, in batches. */
  append(exchange: RecordedExchange): void;
  /** Replaces everything that was recorded until now by `exchanges`. A kill on the way loses none of these. */
  replace(exchanges: readonly RecordedExchange[]): void;
  /** Resolves when the last replacement is on the disk, or was refused. */
  written(): Promise<void>;
  /** Writes everything that is still waiting. */
  close(): Promise<void>;
}

/** The milliseconds of the record that a kill may lose; it never loses a change of the state. */
const flushMs = 250;
/** Requests that are read in one turn of the event loop. */
const turn = 50;
/** The size at which a new file starts, so that old requests can be removed by removing files. */
const fileBytes = 4 * 1024 * 1024;
const dayMs = 86_400_000;

interface Segment {
  readonly path: string;
  /**
   * The number in its name, by which files are sorted: larger than the numbers of the files before it and all sequences
   * in them. It need not be the first sequence in the file: a request that took long is written after later ones.
   */
  readonly number: number;
  entries: number;
  bytes: number;
  /** Real time of its newest entry, epoch milliseconds. */
  newest: number;
}

const namePattern = /^(\d+)\.log$/;

/**
 * Opens the files of the record, and makes their folder (0700; the files are 0600, as requests carry credentials).
 * @param dataDir null if everything is in memory; there are no files then
 * @param onProblem called with a sentence if a file cannot be read, and once if the disk refuses; requests are then
 *   kept in memory only
 */
export function openRecordFiles({
  dataDir,
  checkFolder,
  clock,
  limits,
  onProblem,
}: Pick<Store, 'dataDir' | 'checkFolder'> & {
  readonly clock: Pick<Clock, 'wall' | 'afterWall'>;
  readonly limits: RecordLimits;
  readonly onProblem: (text: string) => void;
}): RecordFiles | null {
  if (dataDir === null) return null;
  const folder = join(dataDir, 'requests');
  makeFolder(folder);
  const earlier = listSegments(folder);
  const lastSequence = lastSequenceOf(earlier.at(-1));
  let segments: readonly Segment[] = earlier;
  /** The highest number of a file, and of a request in one. */
  let highest = lastSequence;
  /** Whether the earlier files were read. Until then no file is removed. */
  let isLoaded = false;
  /** A process never appends to a file of an earlier process, which may end in half an entry. */
  let current: Segment | null = null;
  let pending: RecordedExchange[] = [];
  let cancelFlush: (() => void) | null = null;
  let work: Promise<void> = Promise.resolve();
  let isFailing = false;

  const enqueue = (step: () => Promise<void>): void => {
    const owned = work.then(checkFolder).then(step);
    work = owned.then(
      () => void (isFailing = false),
      (error: unknown) => {
        // Nothing to report: the server has ended.
        if (!isFailing && !isClosed(error)) {
          const reason = reasonOf(error);
          onProblem(
            error instanceof StoreError
              ? reason
              : `The recorded requests could not be written to ${folder} (${reason}). They are kept in memory only. ${fixOfDisk(error)}.`,
          );
        }
        isFailing = true;
        // The file may now end in half an entry, so the next entries go to a new one. A file that has nothing else is
        // begun again, so that a full disk gets no more files.
        if (current !== null && current.bytes > 0) current = null;
      },
    );
  };

  const flush = (): void => {
    cancelFlush = null;
    const batch = pending;
    pending = [];
    enqueue(async () => {
      for (const run of toRuns(batch)) await write(run);
      for (const exchange of batch) exchange.letGo();
      await trim();
    });
  };

  const write = async ({ bytes, start, end, last, entries, newest }: Run): Promise<void> => {
    if (current === null || current.bytes >= fileBytes) {
      const number = highest + 1;
      current = { path: join(folder, `${number}.log`), number, entries: 0, bytes: 0, newest: 0 };
      segments = [...segments, current];
      highest = number;
    }
    const segment = current;
    highest = Math.max(highest, last);
    const flag = segment.bytes === 0 ? 'w' : 'a';
    await writeFile(segment.path, bytes.subarray(start, end), { mode: 0o600, flag });
    segment.entries += entries;
    segment.bytes += end - start;
    segment.newest = newest;
  };

  /** Removes the oldest files while the later ones reach the limits, and files that are too old. */
  const trim = async (): Promise<void> => {
    if (!isLoaded) return;
    const oldest = clock.wall() - limits.days * dayMs;
    for (;;) {
      const [candidate, ...later] = segments;
      if (!candidate || candidate === current) return;
      const isSpare = sum(later, 'entries') >= limits.exchanges || sum(later, 'bytes') >= limits.bytes;
      const isOld = candidate.newest !== 0 && candidate.newest < oldest;
      if (!isSpare && !isOld) return;
      await rm(candidate.path, { force: true });
      segments = segments.filter((segment) => segment !== candidate);
    }
  };

  return {
    lastSequence,
    async load() {
      // In a later turn, so that it does not delay the start of the servers.
      await nextTurn();
      const oldest = clock.wall() - limits.days * dayMs;
      const found: RecordedExchange[][] = [];
      let entries = 0;
      let bytes = 0;
      // Newest first: requests beyond the limits are not read.
      for (const segment of earlier.toReversed()) {
        if (entries >= limits.exchanges || bytes >= limits.bytes) break;
        const read = await readSegment(segment).catch((error: NodeJS.ErrnoException) => {
          // A missing file was removed together with its requests.
          if (error.code !== 'ENOENT')
            onProblem(
              `The requests recorded in ${segment.path} could not be read (${error.message}). Check the file, or remove it.`,
            );
          return [];
        });
        segment.entries = read.length;
        segment.newest = read.at(-1)?.wallAt ?? 0;
        entries += read.length;
        bytes += segment.bytes;
        found.push(read.filter(({ wallAt }) => wallAt >= oldest));
      }
      isLoaded = true;
      enqueue(trim);
      return found.toReversed().flat().slice(-limits.exchanges);
    },
    append(exchange) {
      exchange.hold();
      pending.push(exchange);
      cancelFlush ??= clock.afterWall(flushMs, flush);
    },
    replace(exchanges) {
      for (const exchange of exchanges) exchange.hold();
      const waiting = pending;
      pending = [];
      enqueue(async () => {
        const gone = segments;
        current = null;
        for (const run of toRuns(exchanges)) await write(run);
        for (const exchange of [...waiting, ...exchanges]) exchange.letGo();
        // Last: a kill before this leaves requests in two files, and the recorder takes each of them once.
        for (const { path } of gone) await rm(path, { force: true });
        segments = segments.filter((segment) => !gone.includes(segment));
        await trim();
      });
    },
    written: () => work,
    async close() {
      cancelFlush?.();
      flush();
      await work;
    },
  };
}

/** Entries that follow each other in memory, and are therefore written at once. */
interface Run {
  readonly bytes: Buffer;
  readonly start: number;
  end: number;
  /** The highest sequence of its requests. */
  last: number;
  entries: number;
  /** Real time of its last request, epoch milliseconds. */
  newest: number;
}

function toRuns(exchanges: readonly RecordedExchange[]): readonly Run[] {
  const runs: Run[] = [];
  for (const { bytes, start, end, sequence, wallAt } of exchanges) {
    let run = runs.at(-1);
    if (run?.bytes !== bytes || run.end !== start)
      runs.push((run = { bytes, start, end, last: sequence, entries: 0, newest: wallAt }));
    run.end = end;
    run.last = Math.max(run.last, sequence);
    run.entries += 1;
    run.newest = wallAt;
  }
  return runs;
}

const sum = (segments: readonly Segment[], field: 'entries' | 'bytes'): number =>
  segments.reduce((total, segment) => total + segment[field], 0);

/** The files in order. The number of entries is known only after reading. */
function listSegments(folder: string): readonly Segment[] {
  return readdirSync(folder)
    .flatMap((name): Segment[] => {
      const number = namePattern.exec(name)?.[1];
      if (number === undefined) return [];
      const path = join(folder, name);
      const file = statSync(path);
      const { size, mtimeMs } = file;
      // A kill between creating a file and writing its first bytes leaves it empty; on some disks a folder has no size
      // either.
      const isEmpty = size === 0 && file.isFile();
      if (isEmpty) rmSync(path);
      return isEmpty ? [] : [{ path, number: Number(number), entries: 0, bytes: size, newest: mtimeMs }];
    })
    .sort((one, other) => one.number - other.number);
}

/**
 * The highest sequence in the files. Only entries of the newest file can be above its number, and the last one need not
 * be the highest.
 */
function lastSequenceOf(newest: Segment | undefined): number {
  if (!newest) return 0;
  const bytes = readFileSync(newest.path);
  let highest = newest.number;
  for (let at = 0, place = findEntry(bytes, at); place; at = place.end + 1, place = findEntry(bytes, at)) {
    const sequence = /"sequence":(\d+)/.exec(bytes.toString('latin1', place.json, place.json + 200))?.[1];
    highest = Math.max(highest, Number(sequence ?? 0));
  }
  return highest;
}

/** The entries of one file, up to the first incomplete one, which a kill may have left. */
async function readSegment({ path }: Segment): Promise<RecordedExchange[]> {
  const bytes = await readFile(path);
  const unpack = createUnpack(bytes);
  const found: RecordedExchange[] = [];
  for (let at = 0, place = findEntry(bytes, at); place; at = place.end + 1, place = findEntry(bytes, at)) {
    const exchange = unpack(place);
    if (exchange) found.push(exchange);
    // A large file is read in many turns of the event loop, so that requests are answered meanwhile.
    if (found.length % turn === 0) await nextTurn();
  }
  return found;
}
