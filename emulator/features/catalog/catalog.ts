import type { LifecycleDeps } from '../../deps.ts';
import type { Feed } from '../../feed.ts';
import { createNotify } from '../../notices.ts';
import { createLifecycle, type LifecycleFor } from '../../machine/lifecycle.ts';
import type { CatalogIssue, Upload } from '../../records.ts';
import type { Store } from '../../store/store.ts';
import type { SavedProduct } from './check/product-schema.ts';
import { createCompanyProducts } from './company-products.ts';
import { createUploadFiles } from './files.ts';
import { createJobs } from './jobs.ts';
import { createCheckJob, createSaveJob } from './upload-jobs.ts';
import { readGoodLines, readLine } from './file-lines.ts';
import type { Products } from './products.ts';
import { uploadTable } from './states.ts';
import { earlierFull } from './cadence.ts';
import { createXrays } from './xrays.ts';
import type { FileLine, LineChange, Xray } from './check/shapes.ts';

export interface CatalogOptions extends LifecycleDeps {
  readonly feed: Feed;
  /** The entry of the worker, check/worker.ts. */
  readonly workerUrl: URL;
}

/** Whether an object key accepts a file, and if not, why; called by the object store. */
export type KeyAnswer =
  | { readonly ok: true; readonly kind: string; readonly id: string }
  | { readonly ok: false; readonly why: 'unknown' }
  | { readonly ok: false; readonly why: 'expired'; readonly id: string }
  | { readonly ok: false; readonly why: 'stored'; readonly id: string; readonly state: string };

/** The catalog: uploads, the checks of their files, and the saved products. */
export interface Catalog {
  /**
   * A `save` by hand returns the upload in its new state, which is `save_failed` if the save failed. Refused if a save
   * that failed before fails again.
   */
  readonly lifecycle: LifecycleFor<typeof uploadTable>;
  accepts(key: string): KeyAnswer;
  /** When the URL of a key expires, in epoch milliseconds; undefined if no upload has the key. */
  issued(key: string): number | undefined;
  /** Called when a file has arrived completely: its check starts. Throws if the upload no longer waits for it. */
  onStored(object: { readonly id: string; readonly bytes: number; readonly etag: string }): void;
  /** Cancels the check of a file, whether it runs or still waits. False if there is none. */
  cancelCheck(uploadId: string): boolean;
  products(companyId: string): Promise<Products>;
  /** The first 10,000 issues of a file; the record itself shows ten per type. */
  issues(uploadId: string): Promise<readonly CatalogIssue[]>;
  /** The file of an upload as it arrived; null if there is none, or if it was removed to make room for newer ones. */
  file(uploadId: string): { readonly path: string; readonly bytes: number } | null;
  /** One line of that file, from 1; null if the file has no such line, or was removed. */
  line(uploadId: string, num: number): Promise<FileLine | null>;
  /**
   * The changes that saving the good lines of an upload would make, line by line from `offset` on. Empty if nothing is
   * to be saved. Reads only the first 16 MB of the good lines.
   */
  changes(uploadId: string, page: { readonly offset: number; readonly limit: number }): Promise<readonly LineChange[]>;
  /** The content of an upload's file, and the changes that saving it would make; null if the file is not kept. */
  xray(uploadId: string): Promise<(Xray & { readonly cadence: string | null }) | null>;
  /**
   * A copy of the file with its mechanical errors fixed, which the caller removes; null if the file is not kept. Throws
   * an Error that names a line over a limit.
   */
  fixed(uploadId: string): Promise<{ readonly path: string; readonly fixed: number; readonly left: number } | null>;
  /** Stops checks, waits for saves, closes files. Stopped checks start again at the next `lifecycle.resume`. */
  stop(): Promise<void>;
  /** Stops, and ends the worker thread that waits for the next file. */
  close(): Promise<void>;
}

/**
 * Creates the catalog. Checks and saves of one company run one after the other, because a check reads the saved
 * products.
 */
export function createCatalog({ store, clock, feed, delays, workerUrl }: CatalogOptions): Catalog {
  const files = createUploadFiles(store);
  const jobs = createJobs({ clock, workerUrl });
  const products = createCompanyProducts({ store, jobs });
  const xrays = createXrays({ feed, store, files, products, jobs });
  const checks = createCheckJob({ store, files, products, feed, jobs });
  const lifecycle = createLifecycle({
    table: uploadTable,
    collection: store.uploads,
    store,
    clock,
    delays,
    work: {
      jobs: { check: checks.run, save: createSaveJob({ store, files, products, checks }) },
      queueOf: ({ companyId }) => companyId,
    },
    afterPrepared: ({ id }) => files.tidy(id),
    async afterMoved(after) {
      if (after.state === 'save_failed') tellOperator(after);
      await files.tidy(after.id);
    },
  });

  const notify = createNotify({ store, clock, feed });
  /** Section 3: on save failures the operator is notified and contacts the client. Here the developer is both. */
  function tellOperator({ id, companyId, history }: Upload): void {
    notify(
      'error',
      companyId,
      `The catalog of upload ${id} was not saved. ${history.at(-1)?.why ?? ''} On the platform the operator contacts you now; here, move the upload to "save", or send the file again.`,
      [{ kind: 'uploads', id }],
    );
  }

  function toFile(id: string): { readonly path: string; readonly bytes: number } | null {
    const upload = store.uploads.get(id);
    return upload ? files.whole(upload) : null;
  }

  async function stop(): Promise<void> {
    await xrays.stop();
    await lifecycle.stop();
    await products.close();
  }

  return {
    lifecycle: {
      ...lifecycle,
      resume() {
        clock.at('catalog tidy', clock.now(), 'unused files of uploads are removed', files.tidyAll);
        lifecycle.resume();
      },
    },
    accepts: (key) => answerKey(store, key),
    issued(key) {
      const upload = uploadOf(store, key);
      return upload && Date.parse(upload.expiresAt);
    },
    onStored({ id, bytes, etag }) {
      store.transact(() => {
        const upload = store.uploads.get(id);
        if (!upload) throw new Error(`the upload ${id} was deleted`);
        if (upload.state === 'initialized') store.uploads.put({ ...upload, bytes, etag });
        lifecycle.fire(id, 'fileReceived', { by: 'call' });
      });
    },
    cancelCheck(id) {
      const upload = store.uploads.get(id);
      if (upload?.state !== 'validating' || upload.report !== null) return false;
      checks.cancel(id);
      return true;
    },
    products: products.of,
    async issues(id) {
      const kept = await files.issues(id);
      // A check that failed to run wrote no file; its issue is only in the report.
      return kept.length > 0 ? kept : (store.uploads.get(id)?.report?.issues ?? []);
    },
    file: toFile,
    async line(id, num) {
      const upload = store.uploads.get(id);
      return upload ? files.readWhole(upload, (path) => readLine(path, num)) : null;
    },
    async changes(id, { offset, limit }) {
      const upload = store.uploads.get(id);
      if (!upload || upload.report === null || upload.validateOnly || upload.state === 'completed') return [];
      const lines = await store.blobs.read('upload-good', id, (path) => readGoodLines(path, offset, limit));
      if (lines === null) return [];
      const saved = await products.of(upload.companyId);
      return Promise.all(lines.map(async (line) => toChange(line, await saved.get(line.id))));
    },
    async xray(id) {
      const upload = store.uploads.get(id);
      const xray = upload && (await xrays.of(upload));
      if (!upload || !xray) return null;
      const saved = await products.of(upload.companyId);
      return { ...xray, cadence: earlierFull(upload, store.uploads.records(), saved.count()) };
    },
    async fixed(id) {
      const upload = store.uploads.get(id);
      const made = upload && (await xrays.fixed(upload));
      if (!made) return null;
      const { fixedCount, removedCount, leftCount } = made.report;
      return { path: made.path, fixed: fixedCount + removedCount, left: leftCount };
    },
    stop,
    async close() {
      await stop();
      jobs.rest();
    },
  };
}

function toChange(line: SavedProduct, saved: SavedProduct | null): LineChange {
  const { id, name } = line;
  if (saved === null) return { id, name, kind: 'new', fields: [] };
  const [after, before] = [line, saved] as readonly { readonly [field: string]: unknown }[];
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]),
  );
  return { id, name, kind: fields.length === 0 ? 'same' : 'changed', fields };
}

function uploadOf(store: Store, key: string): Upload | undefined {
  const id = /^catalog\/([A-Za-z0-9]+)\.ndjson$/.exec(key)?.[1];
  return id === undefined ? undefined : store.uploads.get(id);
}

function answerKey(store: Store, key: string): KeyAnswer {
  const upload = uploadOf(store, key);
  if (!upload) return { ok: false, why: 'unknown' };
  const { id, state } = upload;
  if (state === 'initialized') return { ok: true, kind: 'uploads', id };
  return state === 'expired' ? { ok: false, why: 'expired', id } : { ok: false, why: 'stored', id, state };
}
