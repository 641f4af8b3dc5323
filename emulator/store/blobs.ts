import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder, removeAbandonedFolders, removeTemporaryFolder } from './temporary-folders.ts';
import { orNull } from './or-null.ts';
import {
  createBlobCopies,
  endReplacement,
  isHalfWritten,
  temporary,
  type BlobCopy,
  type PreparedBlobs,
} from './blob-copies.ts';
import type { Lock } from './lock.ts';
import { readList } from './read-list.ts';
import { makeFolder, renameAtOnce, renameWithRetry, wholly } from '../system.ts';

/** Bulk data outside the state: catalog files, discount codes, reports. Files by kind and id, not in the journal. */
export interface Blobs {
  path(kind: string, id: string): string;
  /**
   * Reads a blob and returns the result of `reading`; null if there is no such blob. It cannot be checked before: a
   * reset, a restore or an undo replaces all blobs in one step, and a blob that is no longer needed may be removed at
   * any time.
   */
  read<R>(kind: string, id: string, reading: (path: string) => Promise<R>): Promise<R | null>;
  /** The texts of a blob that is a list in JSON; null if there is none. @throws StoreError `damaged-file` */
  readList(kind: string, id: string): Promise<readonly string[] | null>;
  /** Creates an empty temporary file with a random name, and returns its path. It stays when all blobs are replaced. */
  createTemp(kind: string): string;
  /** Renames a temporary file to its kind and id. */
  keep(tempPath: string, kind: string, id: string): Promise<void>;
  append(kind: string, id: string, text: string): void;
  remove(kind: string, id: string): Promise<void>;
  exists(kind: string, id: string): boolean;
  /** Bytes; null if there is no such file. */
  size(kind: string, id: string): number | null;
  list(kind: string): readonly string[];
  /** Bytes that may still be written on this disk. */
  freeBytes(): number;
  /** A copy of everything as it is now. */
  copy(): BlobCopy;
  /** An empty copy, to be filled. */
  stage(): BlobCopy;
  /**
   * Creates a tree like a copy, which can replace everything in one step; the copy stays.
   * @param journal the first journal after the records of the same state
   */
  prepare(copy: BlobCopy, journal: number): PreparedBlobs;
}

/**
 * Opens the blobs of a data folder; with null they are kept until `close` in a private temporary folder, created at the
 * first use. Kinds and ids contain no path separators, so no name leads out of the folder.
 * @param disk for a data folder: the first journal that is not in the opened state file, as a kill may have left the
 *   files of another state; and the lock, without which no file is written
 */
export function openBlobs(
  dataDir: string | null,
  { journalOfState = 0, lock }: { readonly journalOfState?: number; readonly lock?: Lock } = {},
): Blobs & { close(): Promise<void> } {
  let base = dataDir;
  const removeBase = (): void => {
    if (dataDir !== null || base === null) return;
    removeTemporaryFolder(base);
  };
  const getBase = (): string => {
    base ??= makeTemporaryFolder();
    return base;
  };
  const getRoot = (): string => join(getBase(), 'blobs');
  const getHeld = (): string => join(getBase(), 'held');
  const folderOf = (kind: string): string => {
    const folder = join(getRoot(), checked(kind));
    makeFolder(folder);
    return folder;
  };
  const pathOf = (kind: string, id: string): string => join(folderOf(kind), checked(id));
  /** The path of a blob, null if there is no base folder. It creates no folder, so the folder may be missing. */
  const findPath = (kind: string, id: string): string | null => {
    const names = [checked(kind), checked(id)];
    return base === null ? null : join(base, 'blobs', ...names);
  };

  const copies = createBlobCopies({ isEmpty: () => base === null, root: getRoot, held: getHeld, checked });

  const read: Blobs['read'] = async (kind, id, reading) => {
    const path = findPath(kind, id);
    return path === null ? null : orNull(reading(path));
  };

  removeAbandonedFolders();
  if (base !== null) {
    endReplacement(getRoot(), getHeld(), journalOfState);
    removeHalfWritten(getRoot());
    // Copies last as long as the process: those that a killed process left are unused.
    rmSync(getHeld(), wholly);
  }
  return {
    path: pathOf,
    read,
    readList: (kind, id) => read(kind, id, readList),
    createTemp(kind) {
      lock?.check();
      const path = join(folderOf(kind), `${temporary}${randomUUID()}`);
      closeSync(openSync(path, 'wx', 0o600));
      return path;
    },
    keep: (from, kind, id) => renameWithRetry(from, pathOf(kind, id)),
    append(kind, id, text) {
      const path = pathOf(kind, id);
      unshare(path);
      appendFileSync(path, text, { mode: 0o600 });
    },
    remove(kind, id) {
      const path = findPath(kind, id);
      return path === null ? Promise.resolve() : rm(path, wholly);
    },
    exists(kind, id) {
      const path = findPath(kind, id);
      return path !== null && existsSync(path);
    },
    size(kind, id) {
      const path = findPath(kind, id);
      return path === null ? null : (statSync(path, { throwIfNoEntry: false })?.size ?? null);
    },
    list(kind) {
      const folder = base === null ? null : join(base, 'blobs', checked(kind));
      if (folder === null || !existsSync(folder)) return [];
      return readdirSync(folder).filter((name) => !name.startsWith(temporary));
    },
    freeBytes() {
      const { bavail, bsize } = statfsSync(dataDir ?? tmpdir());
      return bavail * bsize;
    },
    copy: copies.copy,
    stage: copies.stage,
    prepare: copies.prepare,
    async close() {
      await copies.removed();
      removeBase();
      // In a folder that was made again, the copies belong to another emulator.
      if (dataDir !== null && lock?.isMine() !== false) rmSync(getHeld(), wholly);
    },
  };
}

/** Separates a file from the copies that share it, before it changes. */
function unshare(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) === 1) return;
  const aside = `${path}.part`;
  copyFileSync(path, aside);
  renameAtOnce(aside, path);
}

function checked(name: string): string {
  if (!/^[A-Za-z0-9_.-]{1,200}$/.test(name) || /^\.+$/.test(name))
    throw new RangeError(
      `${JSON.stringify(name)} is not a name for a blob: only letters, digits, "_", "-" and "." are allowed.`,
    );
  return name;
}

/** Removes, at any depth, the files that uploads and workers were writing when the process was killed. */
function removeHalfWritten(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isHalfWritten(entry.name)) rmSync(path, wholly);
    else if (entry.isDirectory()) removeHalfWritten(path);
  }
}
