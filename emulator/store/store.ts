import type { CollectionName, Collections, StoredRecord } from '../records.ts';
import { currentFormat } from '../records/migrations.ts';
import type { Definitions } from '../records/definition.ts';
import { definitions as ownDefinitions } from '../records/definitions.ts';
import { inSlices } from '../time/slices.ts';
import { openBlobs, type Blobs } from './blobs.ts';
import { sealed } from './checksum.ts';
import { createTable, type Collection, type Table } from './collection.ts';
import { toDocument, type StateDocument } from './document.ts';
import { openDisk, type Disk } from './disk.ts';
import { StoreError } from './errors.ts';
import type { JournalLine } from './journal.ts';
import type { BlobCopy, PreparedBlobs } from './blob-copies.ts';
import { openSnapshotFiles, type SnapshotFiles } from './snapshot-files.ts';
import type { SavedState } from './read-state.ts';
import type { PreparedState } from './state-file.ts';
import { syncFolder } from './sync-folder.ts';
import { createTransactions, type Change, type Outcome } from './transactions.ts';

export type { Blobs } from './blobs.ts';
export type { BlobCopy } from './blob-copies.ts';
export type { SnapshotFiles } from './snapshot-files.ts';
export type { Collection } from './collection.ts';
export { emptyDocument, toDocument, toSequence, type StateDocument } from './document.ts';
export { StoreError } from './errors.ts';
export type { Change } from './transactions.ts';

/** The platform's memory: collections, changed in transactions that survive a kill. */
export type Store = { readonly [N in CollectionName]: Collection<Collections[N]> } & {
  /** The collections by name. */
  readonly definitions: Definitions;
  /** The names of the collections, in the order of the state file. */
  readonly names: readonly CollectionName[];
  /** A collection by a name that is known only at run time. */
  collection(name: CollectionName): Collection<StoredRecord>;
  /**
   * Runs synchronous work that changes records: all of its changes are kept, or none if it throws. The changes are in
   * the journal when this returns. An inner call joins the outer one and returns no changes of its own; if it throws
   * and the outer one goes on, its changes are reverted.
   * @throws StoreError `write-failed` if the disk refuses (everything is reverted then, too), `closed` after `close`
   */
  transact<R>(work: () => R): Outcome<R>;
  /**
   * The same, but its changes are written together with those of the other requests of this turn of the event loop.
   * They are in the journal when `written()` resolves, and only then the listeners are called with them. If the disk refuses,
   * the whole group is reverted and `written()` rejects.
   */
  transactInGroup<R>(work: () => R): Outcome<R>;
  /**
   * Resolves when everything that is in the collections now is in the journal; null if it is already. Who answers with
   * what it read waits for this.
   * @throws StoreError `write-failed`: some of it was reverted
   */
  written(): Promise<void> | null;
  /** The next number of the one sequence for all ids; no number is issued twice. Inside a transaction. */
  nextNumber(): number;
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  /** Calls the listener after everything was replaced (reset, restore). */
  onReplace(listener: () => void): () => void;
  toDocument(): StateDocument;
  /**
   * Replaces everything in one synchronous step when the new state is on the disk. Until then the old state stays in
   * use, and a kill leaves either the old or the new state, complete.
   * @throws StoreError `invalid-document` if the value is not a state; `write-failed` if the disk refuses. Nothing is
   *   replaced then, or if a hook throws
   */
  replace(document: StateDocument, hooks?: Exchange): Promise<void>;
  /** Writes state.json and removes the journals that it includes. */
  snapshot(): Promise<void>;
  readonly blobs: Blobs;
  /** Named snapshots. */
  readonly snapshots: SnapshotFiles;
  /** Null if everything is in memory. */
  readonly dataDir: string | null;
  /** What was repaired when opening, and what could not be saved since, in sentences. */
  readonly notices: readonly string[];
  /** Saves, and releases the folder even if that fails. The journal still has every change then. */
  close(): Promise<void>;
};

/** Options for replacing everything. */
export interface Exchange {
  /** The blobs of the new state; without them the current ones stay. */
  readonly files?: BlobCopy;
  /** Awaited before the replacement, when the new state is on the disk. */
  ready?(): Promise<void>;
  /** Called synchronously with the replacement: before it, and after everything is replaced. */
  before?(): void;
  after?(): void;
}

export interface StoreOptions {
  readonly dataDir: string | null;
  /** Epoch milliseconds, for the names of files that are moved away. */
  readonly now: () => number;
  /** The collections; by default all that the platform has. */
  readonly definitions?: Definitions;
  /** Journal lines after which a snapshot is taken in the background, if they are as many bytes as the last one. */
  readonly snapshotAfterLines?: number;
  /**
   * Flush every line to the disk: survives a power cut, at several times the cost. A killed process loses nothing
   * without it.
   */
  readonly fsync?: boolean;
}

/**
 * Opens the store of a data folder, or one in memory. Every change is one line of the journal before the request is
 * answered; state.json is written from time to time, to a temporary file and in slices (docs/decisions/0002-store.md).
 * @throws StoreError `locked`, `unwritable` or `newer-format`, with what to do
 */
export async function openStore({
  dataDir,
  now,
  definitions = ownDefinitions,
  snapshotAfterLines = 50_000,
  fsync = false,
}: StoreOptions): Promise<Store> {
  const names = Object.keys(definitions) as readonly CollectionName[];
  const commitListeners = new Set<(changes: readonly Change[]) => void>();
  const replaceListeners = new Set<() => void>();
  let disk: Disk | null = null;
  let closing: Promise<void> | null = null;

  const checkOpen = (): void => {
    if (closing)
      throw new StoreError(
        'closed',
        'The store is closed: Sandpiper is stopping. Start it again, then repeat the request.',
      );
  };
  const transactions = createTransactions({
    check: checkOpen,
    write(lines) {
      if (!disk) return;
      append(disk, lines);
      if (isWorthSaving(disk.journal)) saveInBackground();
    },
    onCommit(changes) {
      for (const listener of commitListeners) listener(changes);
    },
  });
  const tables = Object.fromEntries(names.map((name) => [name, createTable(name, transactions.onWrite)])) as Record<
    CollectionName,
    Table
  >;

  if (dataDir !== null) {
    const setSequence = (number: number): void => void (transactions.sequence = number);
    disk = await openDisk(dataDir, { now, fsync, tables, names, definitions, setSequence });
  }
  const blobs = orUnlock(disk, () => openBlobs(dataDir));
  const notices = [...(disk?.notices ?? [])];
  /** Lines of the journal that are in the state file, what it had at the last attempt to save, and the size of that file. */
  let saved = 0;
  let tried = { lines: 0, bytes: 0 };
  let stateBytes = disk?.file.bytes ?? 0;
  let saving: Promise<void> = Promise.resolve();

  const toState = (): StateDocument => ({
    format: currentFormat,
    sequence: transactions.sequence,
    collections: Object.fromEntries(names.map((name) => [name, tables[name].records()])),
  });

  const writeState = async ({ journal, file }: Disk): Promise<void> => {
    transactions.flush();
    // Synchronous: later changes go to the new journal, earlier ones are in the state.
    const number = journal.rotate();
    const { lines, bytes } = journal;
    tried = { lines, bytes };
    try {
      await file.save({ ...toState(), journal: number });
    } catch (error) {
      throw new StoreError(
        'write-failed',
        `The state could not be saved (${reasonOf(error)}). The journal still has every change.`,
      );
    }
    saved = lines;
    stateBytes = file.bytes;
    await journal.dropBefore(Math.min(number, file.previousJournal));
  };

  /** One save after the other; the next one also waits for one that fails. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = saving.then(work);
    saving = done.catch(() => {});
    return done;
  };

  const save = (): Promise<void> => {
    const held = disk;
    return held ? inTurn(() => writeState(held)) : Promise.resolve();
  };

  const exchange = async (
    { sequence, collections }: StateDocument,
    { files, ready, before, after }: Exchange,
  ): Promise<void> => {
    transactions.flush();
    const journal = disk?.journal.next ?? 0;
    const prepared = await prepareState(disk, { format: currentFormat, sequence, collections, journal });
    let blobsToCome: PreparedBlobs | null = null;
    try {
      const fills: (() => void)[] = [];
      for (const name of names) fills.push(await tables[name].prepareFill(collections[name] ?? []));
      await ready?.();
      // Synchronous from here on: no reader sees a part of it, in memory or after a kill.
      transactions.flush();
      blobsToCome = files ? blobs.prepare(files) : null;
      before?.();
      blobsToCome?.commit();
      try {
        if (disk && disk.journal.next !== journal) throw new Error('The journal was rotated meanwhile.');
        prepared?.commit();
      } catch (error) {
        blobsToCome?.rollBack();
        throw notReplaced(error);
      }
      disk?.journal.rotate();
      saved = disk?.journal.lines ?? 0;
      tried = { lines: saved, bytes: disk?.journal.bytes ?? 0 };
      stateBytes = disk?.file.bytes ?? 0;
      for (const fill of fills) fill();
      transactions.sequence = sequence;
      after?.();
      for (const listener of replaceListeners) listener();
    } finally {
      await prepared?.discard();
      blobsToCome?.discard();
    }
    if (dataDir !== null) await syncFolder(dataDir);
    await disk?.journal.dropBefore(journal);
  };

  /** A state is written again after as many bytes of the journal as it has itself: then a byte costs two, however large it is. */
  const isWorthSaving = ({ lines, bytes }: Disk['journal']): boolean =>
    lines - tried.lines >= snapshotAfterLines && bytes - tried.bytes >= stateBytes;

  const saveInBackground = (): void => {
    // Counted from here, so that lines written before the save starts do not request another one.
    tried = { lines: disk?.journal.lines ?? 0, bytes: disk?.journal.bytes ?? 0 };
    save().catch((error: unknown) => notices.push(reasonOf(error)));
  };

  if (disk?.isMigrated) {
    try {
      // Before anything is written: a journal in the new format cannot be used with a state in the old one.
      await exchange(toState(), {});
    } catch (error) {
      disk.journal.close();
      blobs.close();
      disk.unlock();
      throw error;
    }
  }

  const end = async (): Promise<void> => {
    transactions.flush();
    try {
      await saving;
      if (disk && disk.journal.lines > saved) await save();
    } finally {
      disk?.journal.close();
      blobs.close();
      disk?.unlock();
    }
  };

  return {
    ...(tables as unknown as { readonly [N in CollectionName]: Collection<Collections[N]> }),
    definitions,
    names,
    collection: (name) => tables[name],
    transact: transactions.transact,
    transactInGroup: transactions.transactInGroup,
    written: transactions.written,
    nextNumber: transactions.nextNumber,
    onCommit: (listener) => listen(commitListeners, listener),
    onReplace: (listener) => listen(replaceListeners, listener),
    toDocument() {
      // What it says must not be put back later.
      transactions.flush();
      return toState();
    },
    async replace(document, hooks = {}) {
      checkOpen();
      if (transactions.isRunning) throw new Error('Everything cannot be replaced inside a transaction.');
      const checked = await inSlices(toDocument(document, names));
      checkOpen();
      await inTurn(() => exchange(checked, hooks));
    },
    async snapshot() {
      checkOpen();
      await save();
    },
    blobs,
    snapshots: openSnapshotFiles(dataDir),
    dataDir,
    notices,
    close: () => (closing ??= end()),
  };
}

/** @throws StoreError `write-failed` if the disk refuses; nothing of the lines is in the journal then */
function append({ journal }: Disk, lines: readonly JournalLine[]): void {
  let text = '';
  for (const line of lines) text += `${sealed(JSON.stringify(line))}\n`;
  try {
    journal.append(text, lines.length);
  } catch (error) {
    throw new StoreError(
      'write-failed',
      `The change could not be written (${reasonOf(error)}), so nothing was changed. Free some disk space, then try again.`,
    );
  }
}

/** @throws StoreError `write-failed` if the disk refuses; nothing of it stays then */
async function prepareState(disk: Disk | null, state: SavedState): Promise<PreparedState | null> {
  try {
    return disk && (await disk.file.prepare(state));
  } catch (error) {
    throw notReplaced(error);
  }
}

function notReplaced(error: unknown): StoreError {
  return new StoreError(
    'write-failed',
    `The new state could not be written (${reasonOf(error)}), so nothing was replaced. Free some disk space, then try again.`,
  );
}

function orUnlock<R>(disk: Disk | null, work: () => R): R {
  try {
    return work();
  } catch (error) {
    disk?.unlock();
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function listen<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
