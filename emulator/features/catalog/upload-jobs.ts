/** The two jobs of an upload's states: its file is checked, then its good products are saved. */
import { reasonOf } from '../../errors.ts';
import type { Feed } from '../../feed.ts';
import type { Job } from '../../machine/work.ts';
import type { CatalogIssue, Upload, UploadReport } from '../../records.ts';
import { inPath, refuse } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { startCheck } from './check/start-check.ts';
import type { CompanyProducts } from './company-products.ts';
import type { UploadFiles } from './files.ts';
import { JobCancelled } from './job.ts';
import type { Jobs } from './jobs.ts';
import { catalogFileRules } from './rules.ts';
import type { UploadEvent } from './states.ts';

type UploadJob = Job<UploadEvent, Upload>;

export interface CheckJob {
  readonly run: UploadJob;
  /** Checks the file of an upload again, against the products saved now. Null if it was interrupted. @throws Error */
  again(upload: Upload, stopped: AbortSignal): Promise<UploadReport | null>;
  /** Cancels the check of an upload, even one that still waits; the result then says that it was cancelled. */
  cancel(uploadId: string): void;
}

interface JobDeps {
  readonly files: UploadFiles;
  readonly products: CompanyProducts;
}

/** Checks the file. A check that fails to run is reported as an issue, so that the upload does not hang. */
export function createCheckJob({
  store,
  files,
  products,
  feed,
  jobs,
}: JobDeps & { readonly store: Pick<Store, 'onReplace'>; readonly feed: Feed; readonly jobs: Jobs }): CheckJob {
  const running = new Map<string, () => void>();
  const cancelled = new Set<string>();
  // After a reset, ids are used again.
  store.onReplace(() => cancelled.clear());
  const check = async (upload: Upload, path: string, stopped: AbortSignal): Promise<UploadReport | null> => {
    const { id, companyId, validateOnly, bytes } = upload;
    const savedDir = (await products.of(companyId)).savedDir();
    if (stopped.aborted) return null;
    const job = startCheck(
      jobs,
      {
        path,
        issuesPath: files.path('upload-issues', upload),
        goodPath: validateOnly ? null : files.path('upload-good', upload),
        savedDir,
      },
      ({ bytes: done, lines, errors }) =>
        feed.publish({
          type: 'progress',
          collection: 'uploads',
          id,
          work: 'check',
          done,
          of: bytes ?? done,
          lines,
          errors,
        }),
    );
    running.set(id, job.cancel);
    stopped.addEventListener('abort', job.cancel, { once: true });
    try {
      const { lines, goodLines, issueCount, issues, counts } = await job.done;
      const blankLines = counts['catalog.blank-line'];
      return { lines, goodLines, issueCount, issues, ...(blankLines === undefined ? {} : { blankLines }) };
    } finally {
      running.delete(id);
      stopped.removeEventListener('abort', job.cancel);
    }
  };
  const run: UploadJob = async (upload, stopped) => {
    try {
      if (cancelled.has(upload.id)) throw new JobCancelled('The check was cancelled.');
      const report = await check(upload, files.path('uploads', upload), stopped);
      return report && { change: (now) => ({ ...now, report }) };
    } catch (error) {
      if (error instanceof JobCancelled && !cancelled.has(upload.id)) return null;
      const report = error instanceof JobCancelled ? cancelledReport : toFailedReport(error);
      return { change: (now) => ({ ...now, report }) };
    } finally {
      cancelled.delete(upload.id);
    }
  };
  return {
    run,
    async again(upload, stopped) {
      const file = files.whole(upload);
      if (file === null)
        throw new Error('another upload was saved since the check, and the file is not kept for another check');
      try {
        return await check(upload, file.path, stopped);
      } catch (error) {
        if (error instanceof JobCancelled) return null;
        throw error;
      }
    },
    cancel(id) {
      cancelled.add(id);
      running.get(id)?.();
    },
  };
}

/**
 * Saves the good products. Repeating it changes nothing, so it may run again after a kill. If the catalog has changed
 * since the check, the file is checked again first: a variant id is unique across the catalog (section 2.1).
 */
export function createSaveJob({
  files,
  products,
  checks,
  store,
}: JobDeps & { readonly checks: CheckJob; readonly store: Pick<Store, 'onReplace' | 'uploads'> }): UploadJob {
  /**
   * Uploads that were checked before the last save. Their times do not show that if the clock was set back meanwhile.
   */
  const overtaken = new Set<string>();
  // The new state has nothing to do with what was saved before.
  store.onReplace(() => overtaken.clear());
  const save = async (upload: Upload, goodLines: number): Promise<number> => {
    if (goodLines === 0) return 0;
    const saved = await products.of(upload.companyId);
    const count = await saved.merge(files.path('upload-good', upload));
    for (const { id, companyId, state } of store.uploads.records())
      if (companyId === upload.companyId && waiting.has(state)) overtaken.add(id);
    overtaken.delete(upload.id);
    return count;
  };
  return async (upload, stopped) => {
    try {
      const isOld = overtaken.has(upload.id) || isOvertaken(upload, store.uploads.records());
      const report = isOld ? await checks.again(upload, stopped) : upload.report;
      if (report === null) return null;
      const productsProcessed = await save(upload, report.goodLines);
      return { change: (now) => ({ ...now, report, productsProcessed }) };
    } catch (error) {
      const reason = reasonOf(error);
      if (upload.state === 'save_failed')
        return refuse(catalogFileRules.saveFailed, inPath('id'), upload.id, { uploadId: upload.id, reason });
      return { instead: 'saveFailed', why: `The catalog could not be saved: ${reason}` };
    }
  };
}

/** The states of an upload that may be saved later. */
const waiting: ReadonlySet<Upload['state']> = new Set(['validating', 'validated', 'save_failed']);

/** Whether another upload of the company was saved since the check of this one began, at its move to `validating`. */
function isOvertaken({ id, companyId, history }: Upload, uploads: readonly Upload[]): boolean {
  const checkedAt = Date.parse(history.findLast(({ to }) => to === 'validating')?.at ?? '');
  return uploads.some(
    (one) =>
      one.id !== id &&
      one.companyId === companyId &&
      one.state === 'completed' &&
      !one.validateOnly &&
      Date.parse(one.enteredAt) >= checkedAt,
  );
}

function toFailedReport(error: unknown): UploadReport {
  const reason = reasonOf(error);
  return toReport(
    'catalog.check-failed',
    `The file could not be checked, so nothing was saved. When the reason is gone, initiate a new upload and send the file again. The reason: ${reason}`,
  );
}

const cancelledReport = toReport(
  'catalog.check-cancelled',
  'The check was cancelled, so nothing is saved. Send the file again.',
);

function toReport(errorType: string, errorMessage: string): UploadReport {
  const issue: CatalogIssue = { errorType, errorMessage, lineNum: 0, pointer: '', value: null };
  return { lines: 0, goodLines: 0, issueCount: 1, issues: [issue] };
}
