import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, renameAtOnce, wholly } from '../system.ts';

/**
 * A frozen copy of all blobs. Its files are hard links if the disk supports them, so it takes no space while both are
 * the same; blobs are never changed in place, only replaced.
 */
export interface BlobCopy {
  /**
   * The path of a blob in the copy, for writing a new one; its folder exists. Do not change a file that is already
   * there.
   */
  path(kind: string, id: string): string;
  has(kind: string, id: string): boolean;
  /** Bytes; 0 if there is no such file. */
  size(kind: string, id: string): number;
  /** Removes a blob from the copy. */
  remove(kind: string, id: string): void;
  /** Ends the copy. Its files are removed in the background, as removing many bytes takes a while. */
  release(): void;
}

/** A complete tree of blobs that is not yet in use. */
export interface PreparedBlobs {
  /** Replaces the blobs, synchronously. If it throws, nothing has changed. */
  commit(): void;
  /** Reverts `commit`, synchronously. */
  rollBack(): void;
  /** Removes the tree that is not in use. */
  discard(): Promise<void>;
}

/**
 * Temporary files, which belong to the code that writes them: copies do not contain them, and a replacement leaves them
 * alone.
 */
export const temporary = '.part-';

/** Whether the file or folder with that name is being written; workers write to names that end in `.part`. */
export function isHalfWritten(name: string): boolean {
  return name.startsWith(temporary) || name.endsWith('.part');
}

const released = new Error('This copy of the blobs was released.');

/**
 * Makes copies of the tree at `root()`, next to it at `held()`. Neither is called while `isEmpty()`, so that a store
 * without blobs needs no folder. `checked` refuses names that lead elsewhere.
 */
export function createBlobCopies({
  isEmpty,
  root,
  held,
  checked,
}: {
  isEmpty: () => boolean;
  root: () => string;
  held: () => string;
  checked: (name: string) => string;
}) {
  /** The folder of a copy; null while the copy is empty. */
  const folders = new WeakMap<BlobCopy, () => string | null>();
  /** Copies whose files are still being removed. */
  const removals = new Set<Promise<void>>();

  const remove = (folder: string): void => {
    const removal = rm(folder, wholly)
      // Files that cannot be removed now are removed when the store is opened next.
      .catch(() => undefined)
      .finally(() => removals.delete(removal));
    removals.add(removal);
  };

  /** @param folder null: one is made with the first blob */
  const toCopy = (folder: string | null): BlobCopy => {
    let place = folder;
    const findPath = (kind: string, id: string): string | null => {
      const names = [checked(kind), checked(id)];
      return place === null ? null : join(place, ...names);
    };
    const copy: BlobCopy = {
      has(kind, id) {
        const path = findPath(kind, id);
        return path !== null && existsSync(path);
      },
      size(kind, id) {
        const path = findPath(kind, id);
        return path === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
      },
      path(kind, id) {
        place ??= join(held(), randomUUID());
        const ofKind = join(place, checked(kind));
        makeFolder(ofKind);
        return join(ofKind, checked(id));
      },
      remove(kind, id) {
        const path = findPath(kind, id);
        if (path !== null) rmSync(path, wholly);
      },
      release() {
        folders.delete(copy);
        if (place !== null) remove(place);
      },
    };
    folders.set(copy, () => place);
    return copy;
  };

  const folderOf = (copy: BlobCopy): string | null => {
    const find = folders.get(copy);
    if (!find) throw released;
    return find();
  };

  return {
    /** Waits until the files of released copies are gone. */
    async removed(): Promise<void> {
      await Promise.all(removals);
    },
    stage: () => toCopy(null),
    copy() {
      if (isEmpty()) return toCopy(null);
      const folder = join(held(), randomUUID());
      linkTree(root(), folder);
      return toCopy(folder);
    },
    prepare(copy: BlobCopy, journal: number): PreparedBlobs {
      const folder = folderOf(copy);
      if (folder === null && isEmpty()) return { commit() {}, rollBack() {}, discard: () => Promise.resolve() };
      const [next, old] = [join(held(), `next-${journal}`), join(held(), `old-${journal}`)];
      makeFolder(held());
      if (folder !== null) linkTree(folder, next);
      return {
        commit: () => replaceTree(root(), next, old),
        rollBack: () => replaceTree(root(), old, next),
        async discard() {
          for (const left of [next, old]) await rm(left, wholly);
        },
      };
    },
  };
}

/**
 * Synchronous, so that the copy fits the records at this moment. Files that other threads remove meanwhile are left
 * out.
 */
function linkTree(from: string, to: string): void {
  if (!existsSync(from)) return;
  makeFolder(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (isHalfWritten(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    try {
      if (entry.isDirectory()) linkTree(source, target);
      else if (entry.isFile()) linkOrCopy(source, target);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
    copyFileSync(source, target);
  }
}

/**
 * Repairs a replacement that a kill interrupted: puts the old tree back if the records were not replaced.
 * @param journal the first journal that is not in the records
 */
export function endReplacement(root: string, held: string, journal: number): void {
  const names = existsSync(held) ? readdirSync(held) : [];
  const old = names.find((name) => Number(/^old-(\d+)$/.exec(name)?.[1]) > journal);
  if (old === undefined) return;
  rmSync(root, wholly);
  renameAtOnce(join(held, old), root);
}

/**
 * Replaces a tree by another and keeps the old one at `aside`, even if it is empty, so that a start detects the
 * replacement. Files that are being written keep their paths.
 */
function replaceTree(root: string, coming: string, aside: string): void {
  if (existsSync(root)) renameAtOnce(root, aside);
  else mkdirSync(aside, { mode: 0o700 });
  try {
    if (existsSync(coming)) renameAtOnce(coming, root);
  } catch (error) {
    renameAtOnce(aside, root);
    throw error;
  }
  for (const kind of readdirSync(aside, { withFileTypes: true })) {
    if (!kind.isDirectory()) continue;
    for (const name of readdirSync(join(aside, kind.name))) {
      if (!name.startsWith(temporary)) continue;
      makeFolder(join(root, kind.name));
      renameAtOnce(join(aside, kind.name, name), join(root, kind.name, name));
    }
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
