import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toIso } from '../duration.ts';
import { collectionNames, type CollectionName, type Collections, type StoredRecord } from '../records.ts';
import { openBlobs, type Blobs } from './blobs.ts';
import { createTable, type Collection, type Table } from './collection.ts';
import { toDocument, type StateDocument } from './document.ts';
import { StoreError } from './errors.ts';
import { journalNumbers, openJournal, replayJournals, type Journal, type JournalLine } from './journal.ts';
import { takeLock } from './lock.ts';
import { openSnapshotFiles, type SnapshotFiles } from './snapshot-files.ts';
import { openStateFile, stateName, type StateFile } from './state-file.ts';

export type { Blobs } from './blobs.ts';
export type { Hold } from './holds.ts';
export type { SnapshotFiles } from './snapshot-files.ts';
export type { Collection, Index } from './collection.ts';
export { emptyDocument, toDocument, type StateDocument } from './document.ts';
export { StoreError } from './errors.ts';

/** What a transaction did to one record, from before it to after it. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
}

/** The platform's memory: collections, changed in transactions that survive a kill. */
export type Store = { readonly [N in CollectionName]: Collection<Collections[N]> } & {
  /**
   * Runs synchronous work that changes records: all of it, or where it throws none. The changes are in the journal when
   * this returns. An inner call joins the outer one and answers no changes of its own.
   * @throws StoreError `write-failed` where the disk refuses; everything is put back then too
   */
  transact<R>(work: () => R): { readonly result: R; readonly changes: readonly Change[] };
  /** The next number of the one sequence behind all ids; no number comes twice. Inside a transaction. */
  nextNumber(): number;
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  /** Tells that everything was replaced (reset, restore). */
  onReplace(listener: () => void): () => void;
  toDocument(): StateDocument;
  /** Replaces everything; durable when it resolves. Throws StoreError where the value is no state. */
  replace(document: StateDocument): Promise<void>;
  /** Writes state.json and drops the journals that are in it. */
  snapshot(): Promise<void>;
  readonly blobs: Blobs;
  /** Snapshots kept under names. */
  readonly snapshots: SnapshotFiles;
  /** Null where everything is in memory. */
  readonly dataDir: string | null;
  /** What opening had to mend, in sentences. */
  readonly notices: readonly string[];
  close(): Promise<void>;
};

export interface StoreOptions {
  readonly dataDir: string | null;
  /** Epoch milliseconds, for the names of files kept aside. */
  readonly now: () => number;
  /** Journal lines after which a snapshot is taken in the background. */
  readonly snapshotAfterLines?: number;
  /** Flush every line to the disk: survives a power cut, at several times the cost. A kill is survived without it. */
  readonly fsync?: boolean;
}

/**
 * Opens the store of a data folder, or one in memory. Every change is one line of the journal before it is answered;
 * state.json is written now and then, aside and in slices (docs/decisions/0002-store.md).
 * @throws StoreError `locked`, `unwritable` or `newer-format`, with what to do
 */
export async function openStore({
  dataDir,
  now,
  snapshotAfterLines = 50_000,
  fsync = false,
}: StoreOptions): Promise<Store> {
  let depth = 0;
  let sequence = 0;
  let sequenceBefore = 0;
  /** The entry before the transaction, by table and id, of everything touched in it; and whether it was taken away meanwhile. */
  const touched = new Map<Table, Map<string, ReturnType<Table['entry']>>>();

  const onWrite = (table: Table, id: string): void => {
    if (depth === 0)
      throw new Error(`Records change inside store.transact only; ${table.name} ${id} was to change outside.`);
    let ofTable = touched.get(table);
    if (!ofTable) touched.set(table, (ofTable = new Map()));
    if (!ofTable.has(id)) ofTable.set(id, table.entry(id));
  };
  const tables = Object.fromEntries(collectionNames.map((name) => [name, createTable(name, onWrite)])) as Record<
    CollectionName,
    Table
  >;

  const disk =
    dataDir === null
      ? null
      : await openDisk(dataDir, { now, fsync, tables, setSequence: (number) => (sequence = number) });
  const blobs = openBlobs(dataDir);
  const notices = [...(disk?.notices ?? [])];
  const commitListeners = new Set<(changes: readonly Change[]) => void>();
  const replaceListeners = new Set<() => void>();
  let saving: Promise<void> = Promise.resolve();
  let savePlanned = false;

  const rollBack = (): void => {
    for (const [table, entries] of touched) for (const [id, entry] of entries) table.restore(id, entry);
    sequence = sequenceBefore;
  };

  const commit = (): readonly Change[] => {
    const changes: Change[] = [];
    const put: { [N in CollectionName]?: StoredRecord[] } = {};
    const del: { [N in CollectionName]?: string[] } = {};
    for (const [table, entries] of touched) {
      for (const [id, before] of entries) {
        const after = table.entry(id);
        if (before === after) continue;
        changes.push({ collection: table.name, id, before: before?.record ?? null, after: after?.record ?? null });
        // A record that was taken away and put again stands at the end, so the line says both.
        if (before && before.ordinal !== after?.ordinal) (del[table.name] ??= []).push(id);
      }
      // In the order of creation, as a replay creates them anew.
      const written = [...entries.keys()]
        .flatMap((id) => table.entry(id) ?? [])
        .sort((one, other) => one.ordinal - other.ordinal);
      if (written.length > 0) put[table.name] = written.map(({ record }) => record);
    }
    if (changes.length === 0 && sequence === sequenceBefore) return changes;
    if (disk) {
      const line: JournalLine = Object.keys(del).length > 0 ? { n: sequence, del, put } : { n: sequence, put };
      disk.journal.append(`${JSON.stringify(line)}\n`);
      if (disk.journal.lines >= snapshotAfterLines && !savePlanned) {
        savePlanned = true;
        save().catch((error: unknown) =>
          notices.push(`The state could not be saved (${String(error)}); the journal goes on holding every change.`),
        );
      }
    }
    return changes;
  };

  const toState = (): StateDocument => ({
    format: 1,
    sequence,
    collections: Object.fromEntries(collectionNames.map((name) => [name, [...tables[name].all()]])),
  });

  const writeState = async (): Promise<void> => {
    if (!disk) return;
    savePlanned = false;
    // In one turn: what comes later goes to the new journal, what came before is in the state.
    const journal = disk.journal.rotate();
    await disk.file.save({ ...toState(), journal });
    await disk.journal.dropBefore(Math.min(journal, disk.file.previousJournal ?? journal));
  };

  /** One save after the other; the next one waits also for one that failed. */
  const save = (): Promise<void> => {
    if (!disk) return Promise.resolve();
    const saved = saving.then(writeState);
    saving = saved.catch(() => {});
    return saved;
  };

  return {
    ...(tables as unknown as { readonly [N in CollectionName]: Collection<Collections[N]> }),
    transact(work) {
      if (depth > 0) {
        depth += 1;
        try {
          return { result: work(), changes: [] };
        } finally {
          depth -= 1;
        }
      }
      depth = 1;
      sequenceBefore = sequence;
      let changes: readonly Change[];
      let result;
      try {
        result = work();
        if (isThenable(result))
          throw new TypeError('The work of a transaction must be synchronous; it answered a promise.');
        changes = write(commit);
      } catch (error) {
        rollBack();
        throw error;
      } finally {
        depth = 0;
        touched.clear();
      }
      if (changes.length > 0) for (const listener of commitListeners) listener(changes);
      return { result, changes };
    },
    nextNumber() {
      if (depth === 0) throw new Error('Numbers are given out inside store.transact only.');
      sequence += 1;
      return sequence;
    },
    onCommit: (listener) => listen(commitListeners, listener),
    onReplace: (listener) => listen(replaceListeners, listener),
    toDocument: toState,
    async replace(document) {
      const { sequence: last, collections } = toDocument(document);
      for (const name of collectionNames) tables[name].fill(collections[name] ?? []);
      sequence = last;
      await save();
      for (const listener of replaceListeners) listener();
    },
    snapshot: save,
    blobs,
    snapshots: openSnapshotFiles(dataDir),
    dataDir,
    notices,
    async close() {
      await saving;
      if (disk && disk.journal.lines > 0) await save();
      disk?.journal.close();
      disk?.unlock();
      blobs.close();
    },
  };
}

interface Disk {
  readonly journal: Journal;
  readonly file: StateFile;
  readonly notices: readonly string[];
  unlock(): void;
}

async function openDisk(
  folder: string,
  {
    now,
    fsync,
    tables,
    setSequence,
  }: {
    now: () => number;
    fsync: boolean;
    tables: Record<CollectionName, Table>;
    setSequence: (number: number) => void;
  },
): Promise<Disk> {
  prepareFolder(folder);
  const unlock = takeLock(folder);
  try {
    rmSync(join(folder, `${stateName}.tmp`), { force: true });
    const stamp = toIso(now()).replaceAll(':', '-');
    const { file, state, notices } = await openStateFile(folder, stamp);
    for (const name of collectionNames) tables[name].fill(state.collections[name] ?? []);
    setSequence(state.sequence);
    const replayed = replayJournals(folder, state.journal, stamp, ({ n, del = {}, put = {} }) => {
      for (const name of Object.keys(del) as CollectionName[])
        for (const id of del[name] ?? []) tables[name].replayDelete(id);
      for (const name of Object.keys(put) as CollectionName[])
        for (const record of put[name] ?? []) tables[name].replayPut(record);
      setSequence(n);
    });
    const journal = openJournal(folder, Math.max(state.journal, journalNumbers(folder).at(-1) ?? 0), {
      fsync,
      lines: replayed.lines,
    });
    return { journal, file, notices: [...notices, ...replayed.notices], unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

function prepareFolder(folder: string): void {
  try {
    const made = !existsSync(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (made) chmodSync(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      'unwritable',
      `The data folder ${folder} cannot be written (${reason}). Give it to this user, choose another one with --data, or use --memory.`,
    );
  }
}

function write<R>(work: () => R): R {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      'write-failed',
      `The change could not be written (${reason}), so nothing was changed. Free some disk space, then send it again.`,
    );
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function listen<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
