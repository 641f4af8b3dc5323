import { readFile } from 'node:fs/promises';
import { createSerialQueues } from '../../machine/serial-queues.ts';
import type { CatalogIssue, Upload } from '../../records.ts';
import type { Blobs, Store } from '../../store/store.ts';

/**
 * `uploads`: files as they arrived. `upload-good`: their lines without an issue. `upload-issues`: their issues.
 * `upload-seen`: files that were checked, kept for the inspector; they are not in snapshots, and nothing depends on
 * them.
 */
type FileKind = 'uploads' | 'upload-good' | 'upload-issues' | 'upload-seen';

/** Bytes of checked files that are kept, the newest first. */
export const keptFilesBytes = 256_000_000;

/** The files that belong to the upload records. */
export interface UploadFiles {
  path(kind: FileKind, upload: Upload): string;
  /** The whole file as it arrived; null if none arrived, or if it was removed to make room for newer ones. */
  whole(upload: Upload): { readonly path: string; readonly bytes: number } | null;
  /** Reads the whole file with `reading`; null if there is none. */
  readWhole<R>(upload: Upload, reading: (path: string) => Promise<R>): Promise<R | null>;
  /** Removes the files that an upload no longer needs in its state. */
  tidy(uploadId: string): Promise<void>;
  /** The same for every upload, and for files that a killed process left behind. */
  tidyAll(): Promise<void>;
  /** The first 10,000 issues of an upload in the order found; none if its file was not checked. */
  issues(uploadId: string): Promise<readonly CatalogIssue[]>;
}

/** Whether a file of each kind is still needed. An uploaded file may have 2 GB: it is removed after the check. */
const isNeeded: { readonly [K in FileKind]: (upload: Upload) => boolean } = {
  uploads: ({ state, report }) => state === 'initialized' || (state === 'validating' && report === null),
  'upload-good': ({ state, validateOnly }) => !validateOnly && state !== 'completed' && state !== 'expired',
  'upload-issues': () => true,
  'upload-seen': () => true,
};

const kinds = Object.keys(isNeeded) as readonly FileKind[];

/** Creates the keeper of the files. */
export function createUploadFiles(store: Store): UploadFiles {
  const { blobs } = store;
  // An upload may move on while its files are still being moved.
  const tidying = createSerialQueues();
  const isKept = (kind: FileKind, id: string): boolean => {
    const upload = store.uploads.get(id);
    return upload !== undefined && isNeeded[kind](upload);
  };

  const wasChecked = (id: string): boolean => (store.uploads.get(id)?.report ?? null) !== null;

  async function keepToLookAt(id: string): Promise<void> {
    await blobs.keep(blobs.path('uploads', id), 'upload-seen', id);
    const seen = blobs.list('upload-seen').toSorted((one, other) => createdAt(other) - createdAt(one));
    let bytes = 0;
    for (const one of seen) {
      bytes += blobs.size('upload-seen', one) ?? 0;
      if (bytes > keptFilesBytes) await blobs.remove('upload-seen', one);
    }
  }
  const createdAt = (id: string): number => Date.parse(store.uploads.get(id)?.createdAt ?? '') || 0;

  const tidy = (id: string): Promise<void> =>
    tidying.run(id, async () => {
      if (wasChecked(id) && blobs.exists('uploads', id)) await keepToLookAt(id);
      for (const kind of kinds) if (!isKept(kind, id)) await blobs.remove(kind, id);
    });

  return {
    path: (kind, { id }) => blobs.path(kind, id),
    whole({ id }) {
      for (const kind of ['upload-seen', 'uploads'] as const) {
        const bytes = blobs.size(kind, id);
        if (bytes !== null) return { path: blobs.path(kind, id), bytes };
      }
      return null;
    },
    async readWhole({ id }, reading) {
      // In this order, because the file moves from the first kind to the second.
      const asItArrived = await blobs.read('uploads', id, reading);
      return asItArrived ?? blobs.read('upload-seen', id, reading);
    },
    tidy,
    async tidyAll() {
      // A kill may have come between the end of a check and the move of its file.
      for (const id of blobs.list('uploads')) if (wasChecked(id)) await tidy(id);
      const old = kinds.flatMap((kind) => blobs.list(kind).map((name) => [kind, name] as const));
      // A check writes to `<id>.part` first.
      for (const [kind, name] of old) if (!isKept(kind, name.replace(/\.part$/, ''))) await blobs.remove(kind, name);
    },
    issues: (id) => readIssues(blobs, id),
  };
}

async function readIssues(blobs: Blobs, id: string): Promise<readonly CatalogIssue[]> {
  const text = await blobs.read('upload-issues', id, (path) => readFile(path, 'utf8'));
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CatalogIssue);
}
