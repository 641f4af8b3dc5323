import type { CollectionName, Collections, StoredRecord } from '../records.ts';
import { currentFormat } from '../records/migrations.ts';
import type { Definitions } from '../records/definition.ts';
import { definitions as ownDefinitions } from '../records/definitions.ts';
import { inSlices } from '../time/slices.ts';
import { openBlobs, type Blobs } from './blobs.ts';
import type { Change } from './change.ts';
import { createTable, type Collection, type Table } from './collection.ts';
import { toDocument, type StateDocument } from './document.ts';
import { openDisk, type Disk } from './disk.ts';
import { storeClosed } from './errors.ts';
import { openSnapshotFiles, type SnapshotFiles } from './snapshot-files.ts';
import type { Past } from './past.ts';
import { createSaving, type Replacement, type Saving } from './saving.ts';
import { createTransactions, type Outcome } from './transactions.ts';

export type { Blobs } from './blobs.ts';
export type { BlobCopy } from './blob-copies.ts';
export type { SnapshotFiles } from './snapshot-files.ts';
export type { Collection } from './collection.ts';
export { emptyDocument, toDocument, toSequence, type RecordLists, type StateDocument } from './document.ts';
export { StoreError } from './errors.ts';
export type { Track } from './past.ts';
export { changesToJson, type Change } from './change.ts';

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
   * They are in the journal when `written()` resolves; only then are the listeners called with them. If the disk
   * refuses, the whole group is reverted and `written()` rejects.
   */
  transactInGroup<R>(work: () => R): Outcome<R>;
  /**
   * Resolves when everything that is in the collections now is in the journal; null if it is already. A reply that was
   * made from the collections waits for this.
   * @throws StoreError `write-failed`: some of it was reverted
   */
  written(): Promise<void> | null;
  /**
   * The next number of the one sequence for all ids. `replace` continues it from the number of the new state, so that a
   * number may be issued again. Inside a transaction.
   */
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
  replace(document: StateDocument, hooks?: Replacement): Promise<void>;
  /** Writes state.json and removes the journals that it includes. */
  snapshot(): Promise<void>;
  /** The states at earlier moments. */
  readonly past: Pick<Past, 'mark' | 'earliest' | 'at' | 'track' | 'forget'>;
  readonly blobs: Blobs;
  /** Named snapshots. */
  readonly snapshots: SnapshotFiles;
  /** Null if everything is in memory. */
  readonly dataDir: string | null;
  /** Call it before other code writes into the data folder. @throws StoreError `folder-lost`, or `closed` at the end */
  checkFolder(): void;
  /**
   * The time of the last change in the folder when it was opened, epoch ms on the virtual clock; null if it is unknown.
   */
  readonly changedAt: number | null;
  /** Sentences about repairs when the store was opened, and about failed saves since. */
  readonly notices: readonly string[];
  /** Saves, and releases the folder even if that fails. The journal still has every change then. */
  close(): Promise<void>;
  /**
   * Ends a start that failed: saves nothing, as the journal has everything, and removes a folder that was made for it.
   */
  abandon(): Promise<void>;
};

export interface StoreOptions {
  readonly dataDir: string | null;
  /** Epoch milliseconds, for the names of files that are moved away. */
  readonly now: () => number;
  /** The collections; by default all that the platform has. */
  readonly definitions?: Definitions;
  /**
   * Journal lines, or their bytes, after which state.json is written in the background, if the bytes are also twice
   * those of the last one. Bytes count because one line may have all attempts of many deliveries.
   */
  readonly snapshotAfterLines?: number;
  readonly snapshotAfterBytes?: number;
  /**
   * Flush every line to the disk: survives a power cut, at several times the cost. A killed process loses nothing
   * without it.
   */
  readonly fsync?: boolean;
  /** How many bytes of the folder are kept for looking back only (docs/decisions/0019-looking-back.md). */
  readonly lookBackBytes?: number;
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
  snapshotAfterLines = 100_000,
  snapshotAfterBytes = 512 * 1024 * 1024,
  fsync = false,
  lookBackBytes = 64 * 1024 * 1024,
}: StoreOptions): Promise<Store> {
  const names = Object.keys(definitions) as readonly CollectionName[];
  const commitListeners = new Set<(changes: readonly Change[]) => void>();
  const replaceListeners = new Set<() => void>();
  let disk: Disk | null = null;
  let closing: Promise<void> | null = null;

  const checkOpen = (): void => {
    if (closing) throw storeClosed();
  };
  // Created after the folder is open; nothing is written before.
  let saving: Saving | null = null;
  const transactions = createTransactions({
    check: checkOpen,
    write: (lines) => saving?.append(lines),
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
    disk = await openDisk(dataDir, { now, fsync, lookBackBytes, tables, names, definitions, setSequence });
  }
  const blobs = orElse(
    () => disk?.release(true),
    () => openBlobs(dataDir, disk ?? {}),
  );
  const notices = [...(disk?.notices ?? [])];

  const toState = (): StateDocument => ({
    format: currentFormat,
    sequence: transactions.sequence,
    collections: Object.fromEntries(names.map((name) => [name, tables[name].records()])),
  });
  const { past, inTurn, save, replace, end } = (saving = createSaving({
    disk,
    blobs,
    transactions,
    tables,
    toState,
    now,
    snapshotAfterLines,
    snapshotAfterBytes,
    onReplaced() {
      for (const listener of replaceListeners) listener();
    },
    onNotice: (text) => notices.push(text),
  }));

  if (disk?.isMigrated) {
    try {
      // Before anything is written: a journal in the new format cannot be used with a state in the old one.
      await replace(toState(), {});
    } catch (error) {
      await blobs.close();
      disk.release(true);
      throw error;
    }
  }

  const release = async (takesBack: boolean): Promise<void> => {
    await blobs.close();
    disk?.release(takesBack);
  };

  const close = async (): Promise<void> => {
    transactions.flush();
    try {
      await end();
      // Needed even if nothing was left to write: if the folder is lost, the earlier changes are gone.
      disk?.lock.check();
    } finally {
      await release(false);
    }
  };

  const abandon = async (): Promise<void> => {
    try {
      transactions.flush();
    } finally {
      // Wait for a running save, which would otherwise write into the removed folder.
      await inTurn(() => release(true));
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
      // Write the waiting group first: the content must not be reverted later.
      transactions.flush();
      return toState();
    },
    async replace(document, hooks = {}) {
      checkOpen();
      if (transactions.isRunning) throw new Error('Everything cannot be replaced inside a transaction.');
      const checked = await inSlices(toDocument(document, names));
      checkOpen();
      await replace(checked, hooks);
    },
    async snapshot() {
      checkOpen();
      await save();
    },
    past: {
      mark: past.mark,
      track: past.track,
      forget: past.forget,
      at(time) {
        transactions.flush();
        return inTurn(() => past.at(time));
      },
      earliest: () => inTurn(past.earliest),
    },
    blobs,
    snapshots: openSnapshotFiles(dataDir, disk?.lock),
    dataDir,
    checkFolder: () => disk?.lock.check(),
    changedAt: disk?.changedAt ?? null,
    notices,
    close: () => (closing ??= close()),
    abandon: () => (closing ??= abandon()),
  };
}

function orElse<R>(undo: () => void, work: () => R): R {
  try {
    return work();
  } catch (error) {
    undo();
    throw error;
  }
}

function listen<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
