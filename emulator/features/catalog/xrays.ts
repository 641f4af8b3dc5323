/** Work on a kept uploaded file that people ask for: an X-ray, and a copy with its mechanical errors fixed. */
import { rm } from 'node:fs/promises';
import { reasonOf } from '../../errors.ts';
import type { Feed } from '../../feed.ts';
import type { Upload } from '../../records.ts';
import { Refusal, inPath, refuse } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import type { FixReport } from './check/fix-file.ts';
import type { CheckProgress } from './check/report.ts';
import type { Xray } from './check/shapes.ts';
import type { CompanyProducts } from './company-products.ts';
import type { UploadFiles } from './files.ts';
import { JobCancelled, type Job } from './job.ts';
import type { Jobs } from './jobs.ts';
import { catalogFileRules } from './rules.ts';

export interface Xrays {
  /**
   * The X-ray of an upload's file; null if the file is not kept. The last X-ray stays in memory until something is
   * saved, or the records are replaced. Refused if the work is stopped.
   */
  of(upload: Upload): Promise<Xray | null>;
  /**
   * The path of a fixed copy, which the caller has to remove; null if the file is not kept. Refused if the work is
   * stopped.
   */
  fixed(upload: Upload): Promise<{ readonly path: string; readonly report: FixReport } | null>;
  /** Cancels the running work, and waits for its end. */
  stop(): Promise<void>;
}

export interface XrayDeps {
  readonly feed: Feed;
  readonly store: Store;
  readonly files: UploadFiles;
  readonly products: CompanyProducts;
  readonly jobs: Jobs;
}

/** Creates it over the files and the saved products of a store. The feed gets the progress of X-rays. */
export function createXrays({ feed, store, files, products, jobs }: XrayDeps): Xrays {
  const running = new Set<Job<unknown>>();
  let last: { readonly key: string; readonly xray: Promise<Xray> } | null = null;

  async function tracked<R>(upload: Upload, job: Job<R>): Promise<R> {
    running.add(job);
    try {
      return await job.done;
    } catch (error) {
      // A job that began while the records were being replaced is not cancelled, but finds no file.
      if (!(error instanceof JobCancelled) && files.whole(upload) !== null) throw error;
      return refuse(catalogFileRules.stopped, inPath('id'), upload.id, { id: upload.id });
    } finally {
      running.delete(job);
    }
  }

  /** A key that changes whenever the X-ray would. */
  function keyOf({ id, companyId }: Upload): string {
    const saved = store.uploads.records().filter((one) => one.companyId === companyId && one.state === 'completed');
    return `${id} ${saved.map((one) => one.id).join(' ')}`;
  }

  return {
    async of(upload) {
      const file = files.whole(upload);
      if (file === null) return null;
      const key = keyOf(upload);
      if (last?.key === key) return last.xray;
      const savedDir = (await products.of(upload.companyId)).savedDir();
      const { id } = upload;
      const onProgress = ({ bytes, lines, errors }: CheckProgress): void =>
        feed.publish({
          type: 'progress',
          collection: 'uploads',
          id,
          work: 'xray',
          done: bytes,
          of: file.bytes,
          lines,
          errors,
        });
      const xray = tracked(upload, jobs.start('xray', { path: file.path, savedDir }, onProgress));
      last = { key, xray };
      xray.catch(() => {
        if (last?.xray === xray) last = null;
      });
      return xray;
    },
    async fixed(upload) {
      const file = files.whole(upload);
      if (file === null) return null;
      const path = store.blobs.createTemp('upload-seen');
      const job = jobs.start('fix', { from: file.path, to: path });
      const report = await tracked(upload, job).catch(async (error: unknown) => {
        await rm(path, { force: true });
        if (error instanceof Refusal) throw error;
        const reason = reasonOf(error);
        return refuse(catalogFileRules.notFixed, inPath('id'), upload.id, { uploadId: upload.id, reason });
      });
      return { path, report };
    },
    async stop() {
      // After a reset, ids are used again.
      last = null;
      const ends = [...running].map((job) => {
        job.cancel();
        return job.done;
      });
      await Promise.allSettled(ends);
    },
  };
}
