import { parentPort, workerData } from 'node:worker_threads';
import { mergeProducts } from '../saved/merge.ts';
import type { JobData, JobMessage } from '../job.ts';
import { checkFile } from './check-file.ts';
import { fixFile } from './fix-file.ts';
import type { CheckProgress } from './report.ts';
import { xrayFile } from './xray.ts';

/** The entry of the catalog's worker thread: runs the one job with which it was started, and ends. */
const job = workerData as JobData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's postMessage, not a thread's
const tell = (message: JobMessage): void => parentPort?.postMessage(message);

const onProgress = (progress: CheckProgress): void => tell({ type: 'progress', progress });

function run(): Promise<(JobMessage & { type: 'done' })['result']> {
  if (job.kind === 'merge') return mergeProducts(job.options);
  if (job.kind === 'xray') return xrayFile(job.options, { onProgress });
  if (job.kind === 'fix') return fixFile(job.options.from, job.options.to);
  return checkFile({ ...job.options, onProgress });
}

run().then(
  (result) => tell({ type: 'done', result }),
  (error: unknown) => tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
);
