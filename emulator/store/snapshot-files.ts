import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inPath, noSuch, refuse, toRefusal, type Place, type Refusal } from '../rules.ts';
import { nextTurn } from '../globals.ts';
import { withoutMark } from '../time/parse-slices.ts';
import type { Lock } from './lock.ts';
import { orNull } from './or-null.ts';
import { makeFolder, renameWithRetry, syncFile, syncFolder } from '../system.ts';
import { isDeviceName, longestName, storeRules } from './rules.ts';
import { snapshotBytes } from './snapshot-bytes.ts';

/** Named texts: one file each in the folder `snapshots` of the data folder, or in memory. */
export interface SnapshotFiles {
  /**
   * Writes a text in pieces and replaces an earlier one; completely or not at all. Refused over the size limit.
   * @returns its bytes
   */
  write(name: string, pieces: Iterable<string>): Promise<number>;
  /** Reads a text as UTF-8. Refused if there is none with that name, or if it is too large. */
  read(name: string): Promise<Buffer>;
  /** Sorted by name. */
  list(): Promise<readonly SnapshotFile[]>;
  has(name: string): boolean;
  remove(name: string): void;
}

export interface SnapshotFile {
  readonly name: string;
  readonly bytes: number;
  /** The beginning of the text. */
  readonly head: string;
  /** A text that is different after each change of the file. */
  readonly state: string;
}

const headBytes = 4096;
const ending = '.json';
/** The prefix of files that are being written. No snapshot name starts with it. */
const part = '.part-';

/**
 * Opens the snapshots of a data folder, which are only written while it has the lock; with null they are kept in
 * memory.
 */
export function openSnapshotFiles(dataDir: string | null, lock?: Lock): SnapshotFiles {
  return dataDir === null ? inMemory() : inFolder(join(dataDir, 'snapshots'), lock);
}

function inFolder(folder: string, lock: Lock | undefined): SnapshotFiles {
  const pathOf = (name: string): string => join(folder, checkedName(name) + ending);
  /** Also null for anything except a regular file: a link could lead anywhere. */
  const statOf = (name: string): Stats | null => {
    const found = lstatSync(pathOf(name), { throwIfNoEntry: false });
    return found?.isFile() ? found : null;
  };
  const entries = (): readonly string[] => {
    try {
      return readdirSync(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  /** Whether the folder lists the name: some disks would find the file under a name with other capitals, too. */
  const has = (name: string): boolean => statOf(name) !== null && entries().includes(name + ending);
  const names = (): readonly string[] =>
    entries().flatMap((file) => (file.endsWith(ending) ? file.slice(0, -ending.length) : []));

  // A process that was killed while it wrote left these: the folder has only one writer.
  for (const file of entries()) if (file.startsWith(part) || file.endsWith('.json.part')) rmSync(join(folder, file));

  return {
    async write(name, pieces) {
      lock?.check();
      makeFolder(folder);
      chmodSync(folder, 0o700);
      const path = pathOf(name);
      // A unique name: two writers of one file would damage it.
      const aside = join(folder, `${part}${randomUUID()}`);
      let bytes = 0;
      try {
        const handle = await open(aside, 'wx', 0o600);
        try {
          for (const piece of bounded(pieces)) {
            await handle.writeFile(piece);
            await nextTurn();
          }
          await syncFile(handle);
          bytes = (await handle.stat()).size;
        } finally {
          await handle.close();
        }
        await renameWithRetry(aside, path);
        await syncFolder(folder);
        return bytes;
      } finally {
        await rm(aside, { force: true });
      }
    },
    async read(name) {
      const size = has(name) ? statOf(name)?.size : undefined;
      if (size !== undefined && size > snapshotBytes) throw tooLarge(size);
      const bytes = size === undefined ? null : await orNull(readFile(pathOf(name)));
      return bytes ?? noSuch('snapshot', name, inPath('name'));
    },
    async list() {
      const found = [];
      for (const name of [...names()].sort()) {
        const file = isName(name) ? statOf(name) : null;
        const head = file === null ? null : await readHead(pathOf(name));
        if (file === null || head === null) continue;
        found.push({ name, bytes: file.size, head, state: `${file.ino} ${file.size} ${file.mtimeMs}` });
      }
      return found;
    },
    has,
    remove(name) {
      lock?.check();
      rmSync(pathOf(name), { force: true });
    },
  };
}

function inMemory(): SnapshotFiles {
  const texts = new Map<string, string>();
  return {
    write(name, pieces) {
      const text = [...bounded(pieces)].join('');
      texts.set(checkedName(name), text);
      return Promise.resolve(Buffer.byteLength(text));
    },
    async read(name) {
      const text = texts.get(checkedName(name));
      if (text === undefined) return noSuch('snapshot', name, inPath('name'));
      return Promise.resolve(Buffer.from(text));
    },
    list: () =>
      Promise.resolve(
        [...texts]
          .map(([name, text]) => ({
            name,
            bytes: Buffer.byteLength(text),
            head: text.slice(0, headBytes),
            state: text,
          }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
      ),
    has: (name) => texts.has(checkedName(name)),
    remove: (name) => void texts.delete(checkedName(name)),
  };
}

/**
 * The beginning of a file; null if it was removed meanwhile, or if this user may not read it: a start says so
 * (own-files.ts).
 */
async function readHead(path: string): Promise<string | null> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'EACCES', 'EPERM'].includes(error.code ?? '')) return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return withoutMark(buffer.subarray(0, bytesRead)).toString();
  } finally {
    await handle.close();
  }
}

function* bounded(pieces: Iterable<string>): Iterable<string> {
  let bytes = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > snapshotBytes) throw tooLarge(bytes);
    yield piece;
  }
}

/** The refusal of a snapshot that is too large; `bytes` so far. */
export function tooLarge(bytes: number, largest: string | null = null): Refusal {
  return toRefusal(storeRules.snapshotSize, inPath(''), undefined, { bytes, limit: snapshotBytes, largest });
}

function isName(name: string): boolean {
  return name.length <= longestName && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(name) && !isDeviceName(name);
}

/** Returns the name, or refuses a name that no snapshot can have. @param place the place of the name in the request */
export function checkedName(name: string, place: Place = inPath('name')): string {
  return isName(name) ? name : refuse(storeRules.snapshotName, place, name, { name });
}
