import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Low, type Adapter } from 'lowdb';
import { emptyDocument, toDocument, type StateDocument } from './document.ts';
import { StoreError } from './errors.ts';

/** What state.json holds: the state, and the number of the first journal that is not in it. */
export interface SavedState extends StateDocument {
  readonly journal: number;
}

/** The state file and its previous copy. */
export interface StateFile {
  /** Writes the state aside, flushes it to the disk, keeps the present file as the previous one, and takes its place. */
  save(state: SavedState): Promise<void>;
  /** The first journal that the previous copy needs; null where there is none. */
  readonly previousJournal: number | null;
}

export const stateName = 'state.json';
export const previousName = 'state.previous.json';

/** Records a slice: a few milliseconds of serialising, then the event loop may turn. */
const slice = 250;

/**
 * Opens the state of a folder: state.json, or where that cannot be read the previous copy. A file that cannot be read
 * is kept aside as `state.corrupt-<stamp>.json`.
 */
export async function openStateFile(
  folder: string,
  stamp: string,
): Promise<{ readonly file: StateFile; readonly state: SavedState; readonly notices: readonly string[] }> {
  const path = join(folder, stateName);
  const previousPath = join(folder, previousName);
  const current = await readState(path);
  const previous = await readState(previousPath);
  const notices: string[] = [];
  if (current.problem !== null) {
    const aside = `state.corrupt-${stamp}.json`;
    await rename(path, join(folder, aside));
    const opened = previous.state
      ? 'The last good copy was opened, with all that the journal holds since'
      : 'There is no good copy; what the journal holds was opened';
    notices.push(`${stateName} could not be read (${current.problem}); it is kept as ${aside}. ${opened}.`);
  }
  if (previous.problem !== null) await rename(previousPath, join(folder, `state.previous.corrupt-${stamp}.json`));

  const low = new Low<SavedState>(
    toAdapter(folder),
    current.state ?? previous.state ?? { ...emptyDocument(), journal: 0 },
  );
  let currentJournal = current.state?.journal ?? null;
  let previousJournal = previous.state?.journal ?? null;
  const file: StateFile = {
    async save(state) {
      low.data = state;
      await low.write();
      previousJournal = currentJournal ?? previousJournal;
      currentJournal = state.journal;
    },
    get previousJournal() {
      return previousJournal;
    },
  };
  return { file, state: low.data, notices };
}

/** lowdb's own file adapter makes one text of everything, which stops the event loop for as long as that takes. */
function toAdapter(folder: string): Adapter<SavedState> {
  const path = join(folder, stateName);
  return {
    read: async () => (await readState(path)).state,
    async write(state) {
      const aside = join(folder, `${stateName}.tmp`);
      const handle = await open(aside, 'w', 0o600);
      try {
        for (const text of serialise(state)) {
          await handle.write(text);
          await setImmediate();
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (existsSync(path)) await renameWithRetry(path, join(folder, previousName));
      await renameWithRetry(aside, path);
      await syncFolder(folder);
    },
  };
}

/** The state as text, one record a line, in slices. */
function* serialise({ format, sequence, journal, collections }: SavedState): Iterable<string> {
  yield `{"format":${format},"sequence":${sequence},"journal":${journal},"collections":{`;
  let first = true;
  for (const [name, records] of Object.entries(collections)) {
    yield `${first ? '' : ','}\n${JSON.stringify(name)}:[`;
    first = false;
    for (let at = 0; at < records.length; at += slice) {
      const lines = records.slice(at, at + slice).map((record) => `\n${JSON.stringify(record)}`);
      yield `${at === 0 ? '' : ','}${lines.join(',')}`;
    }
    yield ']';
  }
  yield '\n}}\n';
}

/** Windows answers EPERM or EBUSY while a virus scanner or an editor has the file open. */
async function renameWithRetry(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (tries === 50 || !['EPERM', 'EBUSY', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
      await setImmediate();
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Both null where there is no file. */
async function readState(
  path: string,
): Promise<{ readonly state: SavedState | null; readonly problem: string | null }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { state: null, problem: null };
    throw error;
  }
  try {
    const state = toDocument(JSON.parse(text)) as SavedState;
    if (!Number.isSafeInteger(state.journal)) return { state: null, problem: '"journal" is not a whole number' };
    return { state, problem: null };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'newer-format') throw error;
    return { state: null, problem: error instanceof Error ? error.message : String(error) };
  }
}
