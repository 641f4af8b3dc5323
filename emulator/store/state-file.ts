import { existsSync, rmSync, statSync } from 'node:fs';
import { copyFile, link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Low, type Adapter } from 'lowdb';
import type { Definitions } from '../records/definition.ts';
import { nextTurn } from '../globals.ts';
import { toSeal, type Seal } from './checksum.ts';
import { emptyDocument } from './document.ts';
import { checkRecords, readState, type SavedState } from './read-state.ts';
import { renameAtOnce, renameWithRetry, syncFile, syncFolder } from '../system.ts';

/** The state file and its previous copy. */
export interface StateFile {
  /**
   * Writes the state to a temporary file, flushes it to the disk, keeps the current file as the previous one, and
   * replaces it.
   */
  save(state: SavedState): Promise<void>;
  /** Writes a state that does not follow from the current file and the journals, and its copy, to temporary files. */
  prepare(state: SavedState): Promise<PreparedState>;
  /** For the current file and the previous copy, the first journal that is not in it; null if there is no such file. */
  readonly currentJournal: number | null;
  readonly previousJournal: number | null;
  /** The size of the current file; 0 if there is none. */
  readonly bytes: number;
}

/** A state that is on the disk but not yet in use. */
export interface PreparedState {
  /** Replaces the state file and its previous copy, synchronously. If it throws, nothing has changed. */
  commit(): void;
  /** Removes the temporary files; after `commit`, these are the files that it replaced. */
  discard(): Promise<void>;
}

export const stateName = 'state.json';
export const previousName = 'state.previous.json';
/** Second names of the two files while they are replaced. */
const replacedNames = ['state.old.json.tmp', 'state.previous.old.json.tmp'];

/**
 * Characters per slice, or one longer record: a quarter of a millisecond of serialising, then the event loop gets a
 * turn.
 */
const slice = 32 * 1024;

/**
 * Opens the state of a folder: state.json, or the previous copy if that cannot be read. A file that cannot be read is
 * renamed to `state.corrupt-<stamp>.json`. A file that was edited by hand is opened as it is.
 * @throws StoreError `invalid-document` if an edited record is not valid; the folder then stays as it is
 */
export async function openStateFile(
  folder: string,
  {
    stamp,
    names,
    definitions,
  }: { readonly stamp: string; readonly names: readonly string[]; readonly definitions: Definitions },
): Promise<{
  readonly file: StateFile;
  /** Whether the opened file fits its checksum. */
  readonly seal: Seal;
  readonly state: SavedState;
  /** The name of the opened file. */
  readonly opened: string;
  readonly notices: readonly string[];
}> {
  const path = join(folder, stateName);
  const previousPath = join(folder, previousName);
  const current = await readState(path, names);
  const previous = await readState(previousPath, names);
  const notices: string[] = [];
  const [name, { state, seal }] = current.state ? [stateName, current] : [previousName, previous];
  if (state && seal === 'differs')
    await checkRecords(join(folder, name), state, {
      definitions,
      hasPrevious: name === stateName && previous.state !== null,
    });
  if (current.problem !== null) {
    const aside = `state.corrupt-${stamp}.json`;
    await renameWithRetry(path, join(folder, aside));
    const opened = previous.state
      ? 'The last good copy was opened, with all later changes from the journal'
      : 'There is no good copy; the changes in the journals were opened';
    notices.push(`${stateName} could not be read (${current.problem}); it is kept as ${aside}. ${opened}.`);
  }
  if (previous.problem !== null) {
    const aside = `state.previous.corrupt-${stamp}.json`;
    await renameWithRetry(previousPath, join(folder, aside));
    notices.push(`${previousName} could not be read (${previous.problem}); it is kept as ${aside}.`);
  }
  if (seal === 'differs')
    notices.push(`${name} has changed since Sandpiper wrote it (edited, or damaged); it was opened as it is.`);

  // Without a state file the format of the journals is unknown, so they are read as the first format.
  const nothing: SavedState = { ...emptyDocument(), format: 1, journal: 0 };
  const low = new Low<SavedState>(toAdapter(folder, names), nothing);
  let currentJournal = current.state?.journal ?? null;
  let previousJournal = previous.state?.journal ?? null;
  /**
   * Puts the replaced state file back. Without links on the disk, it is gone; then the previous copy and the journals
   * are the same state.
   */
  const takeBack = (replaced: string): void => {
    if (existsSync(replaced)) return renameAtOnce(replaced, path);
    rmSync(path);
    currentJournal = null;
  };
  const file: StateFile = {
    async save(state) {
      low.data = state;
      try {
        await low.write();
      } finally {
        // Otherwise records that are replaced or deleted later would stay in memory until the next save.
        low.data = nothing;
      }
      previousJournal = currentJournal ?? previousJournal;
      currentJournal = state.journal;
    },
    async prepare(state) {
      const [aside, previousAside] = [`${path}.tmp`, `${previousPath}.tmp`];
      const replaced = replacedNames.map((name) => join(folder, name));
      const discard = async (): Promise<void> => {
        for (const left of [aside, previousAside, ...replaced]) await rm(left, { force: true });
      };
      try {
        await writeSlices(aside, serialise(state));
        await copyFlushed(aside, previousAside);
        for (const [at, from] of [path, previousPath].entries()) await hold(from, replaced[at] ?? '');
      } catch (error) {
        await discard();
        throw error;
      }
      return {
        discard,
        commit() {
          // From here on a start opens the new state; the earlier journals are no longer needed.
          renameAtOnce(aside, path);
          try {
            renameAtOnce(previousAside, previousPath);
          } catch (error) {
            takeBack(replaced[0] ?? '');
            throw error;
          }
          currentJournal = previousJournal = state.journal;
        },
      };
    },
    get bytes() {
      return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    },
    get currentJournal() {
      return currentJournal;
    },
    get previousJournal() {
      return previousJournal;
    },
  };
  return { file, seal, state: state ?? nothing, opened: name, notices };
}

/** lowdb's own file adapter writes everything as one text, which blocks the event loop meanwhile. */
function toAdapter(folder: string, names: readonly string[]): Adapter<SavedState> {
  const path = join(folder, stateName);
  return {
    read: async () => (await readState(path, names)).state,
    async write(state) {
      const aside = `${path}.tmp`;
      try {
        await writeSlices(aside, serialise(state));
      } catch (error) {
        // On a full disk the incomplete file would take the space that the journal needs.
        await rm(aside, { force: true });
        throw error;
      }
      if (existsSync(path)) await renameWithRetry(path, join(folder, previousName));
      await renameWithRetry(aside, path);
      await syncFolder(folder);
    },
  };
}

/** Bytes that are written at once: a separate write for each slice takes as long as serialising it. */
const writtenAtOnce = 256 * 1024;

async function writeSlices(path: string, slices: Iterable<string>): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  // One buffer for all slices: separate ones would take as much memory as the state, until the garbage collector runs.
  let bytes = Buffer.allocUnsafeSlow(writtenAtOnce);
  let filled = 0;
  const write = async (): Promise<void> => {
    // `write` may write only a part; only its result says so.
    for (let done = 0; done < filled;) done += (await handle.write(bytes, done, filled - done)).bytesWritten;
    filled = 0;
  };
  try {
    for (const text of slices) {
      // A character takes three bytes at most.
      const most = text.length * 3;
      if (filled + most > bytes.length) await write();
      if (most > bytes.length) bytes = Buffer.allocUnsafeSlow(most);
      filled += bytes.write(text, filled);
      await nextTurn();
    }
    await write();
    await syncFile(handle);
  } finally {
    await handle.close();
  }
}

async function copyFlushed(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const handle = await open(to, 'r+');
  try {
    await syncFile(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Gives a file that is about to be replaced a second name. When a file loses its last name, the file system frees all
 * its bytes before it answers: a quarter of a second for 250 MB. Without links, as on some disks, the replacement takes
 * that long.
 */
async function hold(path: string, name: string): Promise<void> {
  await rm(name, { force: true });
  await link(path, name).catch(() => undefined);
}

/** The state as text, with one record per line, in slices. */
function* serialise({ format, sequence, journal, at, past, collections }: SavedState): Iterable<string> {
  let sum = 0;
  const head = JSON.stringify({ format, sequence, journal, at, past });
  let text = `${head.slice(0, -1)},"collections":{`;
  let first = true;
  for (const [name, records] of Object.entries(collections)) {
    text += `${first ? '' : ','}\n${JSON.stringify(name)}:[`;
    first = false;
    for (const [at, record] of records.entries()) {
      text += `${at === 0 ? '' : ','}\n${JSON.stringify(record)}`;
      if (text.length < slice) continue;
      sum = crc32(text, sum);
      yield text;
      text = '';
    }
    text += ']';
  }
  text += '\n}';
  yield `${text}${toSeal(crc32(text, sum))}\n`;
}
