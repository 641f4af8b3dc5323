/**
 * Writes the data of a store: lines as they come, the whole state from time to time, and a state that replaces
 * everything.
 */
import { reasonOf } from '../errors.ts';
import { currentFormat } from '../records/migrations.ts';
import type { CollectionName } from '../records.ts';
import type { PreparedBlobs, BlobCopy } from './blob-copies.ts';
import type { Blobs } from './blobs.ts';
import type { Table } from './collection.ts';
import type { Disk } from './disk.ts';
import type { StateDocument } from './document.ts';
import { fixOfDisk, StoreError } from './errors.ts';
import { toText, toWritten, type NewLine } from './journal-line.ts';
import { createMemoryArchive } from './memory-archive.ts';
import { createPast, type Past, type Track } from './past.ts';
import { toPast, type SavedState } from './read-state.ts';
import type { PreparedState } from './state-file.ts';
import { syncFolder } from '../system.ts';
import { createInTurn } from '../time/in-turn.ts';
import type { Transactions } from './transactions.ts';

/** The files and the history of a state that replaces everything, and the hooks that are called meanwhile. */
export interface Replacement {
  /** The blobs of the new state; without them the current ones stay. */
  readonly files?: BlobCopy;
  /**
   * The history of the new state, so that one can look back further. Without it, the past begins with the new state.
   */
  readonly track?: Track;
  /** The time of the new state, epoch ms on the virtual clock; now if not given. */
  readonly at?: number;
  /** Awaited before the replacement, when the new state is on the disk. */
  ready?(): Promise<void>;
  /** Called synchronously with the replacement: before it, and after everything is replaced. */
  before?(): void;
  after?(): void;
}

export interface Saving {
  readonly past: Past;
  /** @throws StoreError `write-failed` if the disk refuses; then none of the lines is kept */
  append(lines: readonly NewLine[]): void;
  /** One save or replacement after the other; the next one also waits for one that fails. */
  inTurn<R>(work: () => Promise<R>): Promise<R>;
  save(): Promise<void>;
  /**
   * Runs in turn with saves.
   * @throws StoreError `write-failed` if the disk refuses. Nothing is replaced then, nor if a hook throws.
   */
  replace(document: StateDocument, hooks: Replacement): Promise<void>;
  /** Saves the state if the journal has changes that are not in the state file. */
  end(): Promise<void>;
}

export interface SavingDeps {
  /** Null if everything is in memory. */
  readonly disk: Disk | null;
  readonly blobs: Blobs;
  readonly transactions: Transactions;
  readonly tables: Readonly<Record<CollectionName, Table>>;
  readonly toState: () => StateDocument;
  readonly now: () => number;
  readonly snapshotAfterLines: number;
  readonly snapshotAfterBytes: number;
  readonly onReplaced: () => void;
  readonly onNotice: (text: string) => void;
}

/** Creates the saving of a store, on disk or, without one, in memory. */
export function createSaving(deps: SavingDeps): Saving {
  const { disk, blobs, transactions, tables, toState, now, onReplaced, onNotice } = deps;
  const memory = disk ? null : createMemoryArchive();
  const past = createPast({
    archive: disk?.archive ?? (memory as NonNullable<typeof memory>),
    start: disk?.start ?? { before: [], from: 0 },
    now,
  });
  /**
   * `saved`: journal lines that are in the state file; `tried`: the size of the journal at the last attempt to save;
   * `stateBytes`: the size of the state file.
   */
  let saved = 0;
  let tried = { lines: 0, bytes: 0 };
  let stateBytes = disk?.file.bytes ?? 0;
  const inTurn = createInTurn();

  const writeState = async ({ journal, file, archive, lock }: Disk): Promise<void> => {
    transactions.flush();
    lock.check();
    // Synchronous: later changes go to the new journal, earlier ones are in the state.
    const number = journal.rotate();
    // The state file has everything already.
    if (number === file.currentJournal) return;
    const { lines, bytes } = journal;
    const { before, from } = past.start;
    const state = { ...toState(), journal: number, at: now(), past: toPast(before, from) };
    tried = { lines, bytes };
    try {
      archive.keep('previous', from);
      await file.save(state);
    } catch (error) {
      throw new StoreError(
        'write-failed',
        `The state could not be saved (${reasonOf(error)}). The journal still has every change.`,
        { cause: error },
      );
    }
    saved = lines;
    stateBytes = file.bytes;
    await archive.trim(past.first);
  };

  const save = (): Promise<void> => (disk ? inTurn(() => writeState(disk)) : Promise.resolve());

  /**
   * The state is written again when the journal has grown by twice the size of the state file. So saving writes at most
   * one and a half bytes for each byte of the journal, however large the state is.
   */
  const isWorthSaving = ({ lines, bytes }: Disk['journal']): boolean => {
    const isLong = lines - tried.lines >= deps.snapshotAfterLines || bytes - tried.bytes >= deps.snapshotAfterBytes;
    return isLong && bytes - tried.bytes >= 2 * stateBytes;
  };

  const replace = async (document: StateDocument, hooks: Replacement): Promise<void> => {
    const { files, track = [], at = now(), ready, before, after } = hooks;
    const { sequence, collections } = document;
    transactions.flush();
    disk?.lock.check();
    const journal = disk?.journal.next ?? 0;
    const prepared = await prepareState(disk, {
      format: currentFormat,
      sequence,
      collections,
      journal,
      at,
      past: toPast(track, journal),
    });
    let blobsToCome: PreparedBlobs | null = null;
    try {
      const fills: (() => void)[] = [];
      for (const [name, table] of Object.entries(tables))
        fills.push(await table.prepareFill(collections[name as CollectionName] ?? []));
      await ready?.();
      // Synchronous from here on: no reader sees a partial replacement, in memory or after a kill.
      transactions.flush();
      disk?.lock.check();
      blobsToCome = files ? blobs.prepare(files, journal) : null;
      before?.();
      blobsToCome?.commit();
      try {
        if (disk && disk.journal.next !== journal) throw new Error('The journal was rotated meanwhile.');
        if (track.length > 0)
          for (const which of ['previous', 'current'] as const) disk?.archive.keep(which, past.start.from);
        prepared?.commit();
      } catch (error) {
        blobsToCome?.rollBack();
        throw notReplaced(error);
      }
      past.begin(disk?.journal.begin() ?? memory?.begin(collections, at) ?? 0, track);
      saved = disk?.journal.lines ?? 0;
      tried = { lines: saved, bytes: disk?.journal.bytes ?? 0 };
      stateBytes = disk?.file.bytes ?? 0;
      for (const fill of fills) fill();
      transactions.sequence = sequence;
      after?.();
      onReplaced();
    } finally {
      await prepared?.discard();
      await blobsToCome?.discard();
    }
    memory?.dropBefore(past.first);
    if (disk) await syncFolder(disk.folder);
    await disk?.archive.trim(past.first);
  };

  return {
    past,
    append(lines) {
      if (!disk) return memory?.append(lines.map(toWritten), now());
      append(disk, lines, now());
      if (!isWorthSaving(disk.journal)) return;
      // Counted from here, so that lines written before the save starts do not request another one.
      tried = { lines: disk.journal.lines, bytes: disk.journal.bytes };
      save().catch((error: unknown) => onNotice(reasonOf(error)));
    },
    inTurn,
    save,
    replace: (document, hooks) => inTurn(() => replace(document, hooks)),
    end: () =>
      inTurn(async () => {
        if (disk && disk.journal.lines > saved) await writeState(disk);
      }),
  };
}

function append({ journal }: Disk, lines: readonly NewLine[], t: number): void {
  let text = '';
  for (const [at, line] of lines.entries()) text += toText(line, t, journal.lastLine + 1 + at);
  try {
    journal.append(text, lines.length);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      'write-failed',
      `The change could not be written (${reasonOf(error)}), so nothing was changed. ${fixOfDisk(error)}, then try again.`,
      { cause: error },
    );
  }
}

/** @throws StoreError `write-failed` if the disk refuses; then nothing of the state stays on it */
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
    `The new state could not be written (${reasonOf(error)}), so nothing was replaced. ${fixOfDisk(error)}, then try again.`,
    { cause: error },
  );
}
