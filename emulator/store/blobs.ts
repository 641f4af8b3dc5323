import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bulk data beside the state: catalog files, discount codes, reports. Files by kind and id, outside the journal. */
export interface Blobs {
  path(kind: string, id: string): string;
  /** The path of a new temporary file, with a random name. */
  createTemp(kind: string): string;
  /** Renames a temporary file to its kind and id. */
  keep(tempPath: string, kind: string, id: string): Promise<void>;
  append(kind: string, id: string, text: string): void;
  remove(kind: string, id: string): Promise<void>;
  exists(kind: string, id: string): boolean;
  /** Bytes; null where there is no such file. */
  size(kind: string, id: string): number | null;
  list(kind: string): readonly string[];
  /** Bytes that may still be written on this disk. */
  freeBytes(): number;
  /** Removes everything. */
  clear(): Promise<void>;
}

const temporary = '.part-';

/**
 * Opens the blobs of a data folder; with null they live in a private temporary folder, made at the first use, until
 * `close`. Kinds and ids hold no path parts, so no name leads outside.
 */
export function openBlobs(dataDir: string | null): Blobs & { close(): void } {
  let root = dataDir === null ? null : join(dataDir, 'blobs');
  const removeRoot = (): void => {
    if (dataDir === null && root !== null) rmSync(root, { recursive: true, force: true });
  };
  const getRoot = (): string => {
    if (root === null) {
      root = mkdtempSync(join(tmpdir(), 'sandpiper-'));
      process.once('exit', removeRoot);
    }
    return root;
  };
  const folderOf = (kind: string): string => {
    const folder = join(getRoot(), checked(kind));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  const pathOf = (kind: string, id: string): string => join(folderOf(kind), checked(id));

  if (root !== null) removeTemporary(root);
  return {
    path: pathOf,
    createTemp: (kind) => join(folderOf(kind), `${temporary}${randomUUID()}`),
    keep: (from, kind, id) => rename(from, pathOf(kind, id)),
    append: (kind, id, text) => appendFileSync(pathOf(kind, id), text, { mode: 0o600 }),
    remove: (kind, id) => rm(pathOf(kind, id), { force: true, recursive: true }),
    exists: (kind, id) => existsSync(pathOf(kind, id)),
    size: (kind, id) => statSync(pathOf(kind, id), { throwIfNoEntry: false })?.size ?? null,
    list: (kind) => readdirSync(folderOf(kind)).filter((name) => !name.startsWith(temporary)),
    freeBytes() {
      const { bavail, bsize } = statfsSync(getRoot().startsWith(tmpdir()) ? tmpdir() : (dataDir ?? tmpdir()));
      return bavail * bsize;
    },
    async clear() {
      if (root !== null) await rm(root, { recursive: true, force: true });
    },
    close() {
      process.off('exit', removeRoot);
      removeRoot();
    },
  };
}

function checked(name: string): string {
  if (!/^[A-Za-z0-9_.-]{1,200}$/.test(name) || /^\.+$/.test(name))
    throw new RangeError(
      `${JSON.stringify(name)} is no name of a blob: only letters, digits, "_", "-" and "." may stand in it.`,
    );
  return name;
}

/** What an upload left behind that was under way when the process was killed. */
function removeTemporary(root: string): void {
  if (!existsSync(root)) return;
  for (const kind of readdirSync(root, { withFileTypes: true })) {
    if (!kind.isDirectory()) continue;
    for (const name of readdirSync(join(root, kind.name)))
      if (name.startsWith(temporary)) rmSync(join(root, kind.name, name), { force: true });
  }
}
