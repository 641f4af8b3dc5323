import { accessSync, constants, copyFileSync, existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasModes, makeFolder } from '../system.ts';
import { toIso } from '../time/duration.ts';
import { atOnce } from '../time/slices.ts';
import type { CollectionName } from '../records.ts';
import { migrateRecords } from '../records/migrations.ts';
import type { Definitions } from '../records/definition.ts';
import type { Table } from './collection.ts';
import { openDiskArchive, type DiskArchive } from './disk-archive.ts';
import { StoreError, toUnwritable } from './errors.ts';
import { journalNumbers, openJournal, replayJournals, type Journal } from './journal.ts';
import { storedIn } from './journal-line.ts';
import { takeLock, type Lock } from './lock.ts';
import { findObstacle, findMissingPart, findUnreadableSnapshots, makePrivate, removeOwn } from './own-files.ts';
import { watchOverEdit } from './over-edit.ts';
import type { Start } from './past.ts';
import { toStart } from './read-state.ts';
import { openStateFile, type StateFile } from './state-file.ts';

/** A data folder that this process has locked. */
export interface Disk {
  readonly folder: string;
  readonly journal: Journal;
  readonly file: StateFile;
  readonly archive: DiskArchive;
  /** The first journal that is not in the state file that was opened; `start`: the history that led to that state. */
  readonly journalOfState: number;
  readonly start: Start;
  /** The time of the last change in the folder, epoch ms on the virtual clock; null if it is unknown. */
  readonly changedAt: number | null;
  /** True if records were updated from an older format in memory, but not yet in the files. */
  readonly isMigrated: boolean;
  /** Sentences about what was repaired when the folder was opened. */
  readonly notices: readonly string[];
  readonly lock: Lock;
  /**
   * Closes the journal and releases the lock.
   * @param takesBack whether the folder is removed again, if opening it made it
   */
  release(takesBack: boolean): void;
}

/**
 * Locks a data folder, fills the tables from its state file and the journals written since, and repairs what a kill or
 * an accident damaged.
 * @throws StoreError `locked`, `unwritable`, `newer-format` or `invalid-document`, with what to do
 */
export async function openDisk(
  folder: string,
  {
    now,
    fsync,
    lookBackBytes,
    tables,
    names,
    definitions,
    setSequence,
  }: {
    readonly now: () => number;
    readonly fsync: boolean;
    readonly lookBackBytes: number;
    readonly tables: Readonly<Record<CollectionName, Table>>;
    readonly names: readonly CollectionName[];
    readonly definitions: Definitions;
    readonly setSequence: (number: number) => void;
  },
): Promise<Disk> {
  const made: string[] = [];
  const lock = orUnwritable(folder, 'written', () => prepareAndLock(folder, made));
  const release = (takesBack: boolean): void => {
    if (takesBack && made.includes(folder) && lock.isMine()) removeOwn(folder);
    lock.release();
    if (takesBack) removeEmpty(made);
  };
  try {
    makePrivate(folder);
    const stamp = toIso(now()).replaceAll(':', '-');
    const { file, state, seal, opened, notices: found } = await openStateFile(folder, { stamp, names, definitions });
    const notices = [...(isOpenToAll(folder) ? [openToAll(folder)] : []), ...found];
    removeLeftOvers(folder);
    for (const name of names) tables[name].fill(state.collections[name] ?? []);
    setSequence(state.sequence);
    let changedAt = state.at ?? null;
    const overEdit = seal === 'differs' ? watchOverEdit(opened, state, definitions) : null;
    const replayed = replayJournals(
      folder,
      // Without a state file all journals are needed.
      Math.max(state.journal, 1),
      { stamp, names, isGapless: seal !== 'none' || state.journal === 0 },
      (line) => {
        overEdit?.note(line);
        const { n, t, del = {} } = line;
        changedAt = t ?? changedAt;
        for (const name of Object.keys(del) as CollectionName[])
          for (const id of del[name] ?? []) tables[name].replayDelete(id);
        for (const name of Object.keys(line.put ?? {}) as CollectionName[])
          for (const record of storedIn(line, name, tables[name].get)) tables[name].replayPut(record);
        setSequence(n);
      },
    );
    const journal = openJournal(folder, Math.max(state.journal - 1, journalNumbers(folder).at(-1) ?? 0), {
      fsync,
      checkLock: lock.check,
      lines: replayed.lines,
      bytes: replayed.bytes,
      lastLine: replayed.lastLine,
    });
    const older = Object.fromEntries(names.map((name) => [name, [...tables[name].all()]]));
    const records = atOnce(migrateRecords(older, state.format));
    const isMigrated = records !== older;
    if (isMigrated) {
      const aside = keepAside(folder, `format-${state.format}-${stamp}`);
      for (const name of names) tables[name].fill(records[name] ?? []);
      notices.push(
        `The folder was written by an older Sandpiper; its records were updated. The previous files are kept in ${aside}.`,
      );
    }
    notices.push(...findUnreadableSnapshots(folder), ...(overEdit?.notices() ?? []), ...replayed.notices);
    const archive = openDiskArchive(folder, { journal, file, names, most: lookBackBytes });
    const start = toStart(state, seal);
    return {
      folder,
      journal,
      file,
      archive,
      journalOfState: state.journal,
      start,
      changedAt,
      isMigrated,
      notices,
      lock,
      release(takesBack) {
        journal.close();
        release(takesBack);
      },
    };
  } catch (error) {
    return orUnwritable(folder, 'opened', () => {
      release(true);
      throw error;
    });
  }
}

/** Copies the state and its journals into a new folder next to them; returns its name. */
function keepAside(folder: string, name: string): string {
  makeFolder(join(folder, name));
  for (const file of readdirSync(folder))
    if (/^(?:state(?:\.previous)?\.json|journal-\d+\.ndjson)$/.test(file))
      copyFileSync(join(folder, file), join(folder, name, file));
  return name;
}

/**
 * Makes and locks a folder. If it cannot be used, new folders are removed again.
 * @param made collects them, outermost first
 */
function prepareAndLock(folder: string, made: string[]): Lock {
  try {
    prepareFolder(folder, made);
    return takeLock(folder);
  } catch (error) {
    removeEmpty(made);
    throw error;
  }
}

/** Removes those folders that are empty. @param made the outermost first */
function removeEmpty(made: readonly string[]): void {
  for (const path of made.toReversed()) if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
}

function prepareFolder(folder: string, made: string[]): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new StoreError(
      'unwritable',
      `The data folder ${folder} is a file, not a folder. Choose a folder with --data, or use --memory.`,
    );
  const missing = findMissingPart(folder);
  if (missing !== null)
    throw new StoreError(
      'unwritable',
      `The data folder ${folder} cannot be made (${missing.is}). ${missing.fix}, choose another folder with --data, or use --memory.`,
    );
  makeFolder(folder, made);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const obstacle = findObstacle(folder);
  if (obstacle !== null)
    throw new StoreError(
      'unwritable',
      `The data folder ${folder} cannot be opened (${obstacle.is}). ${obstacle.fix}, choose another folder with --data, or use --memory.`,
    );
}

/**
 * Whether every user can replace files in a folder. In a sticky one only owners can. A folder that was there before
 * keeps its mode, because it may have other files, for other users.
 */
function isOpenToAll(folder: string): boolean {
  return hasModes && (statSync(folder).mode & 0o1002) === 0o002;
}

const openToAll = (folder: string): string =>
  `Every user of this machine can write in the data folder ${folder}, and so replace its files. Close it with: chmod o-w ${JSON.stringify(folder)}`;

/** Removes temporary files of a process that was killed while it wrote them. */
function removeLeftOvers(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^(?:state(?:\.previous)?(?:\.old)?|checkpoint-\d+)\.json\.tmp$|^activities\.ndjson\.tmp$/.test(name))
      rmSync(join(folder, name), { force: true });
}

/** Does the work; see `toUnwritable` for what it throws. */
function orUnwritable<R>(folder: string, done: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw toUnwritable(folder, done, error);
  }
}
