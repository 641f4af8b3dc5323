import { parentPort, workerData } from 'node:worker_threads';
import { mergeProducts } from '../saved/merge.ts';
import type { JobData, JobMessage } from '../job.ts';
import { checkFile } from './check-file.ts';

/** The entry of the catalog's worker thread: runs the one job with which it was started, and ends. */
const job = workerData as JobData;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's postMessage, not a thread's
const tell = (message: JobMessage): void => parentPort?.postMessage(message);

function run(): Promise<(JobMessage & { type: 'done' })['result']> {
  if (job.kind === 'merge') return mergeProducts(job.options);
  return checkFile({ ...job.options, onProgress: (bytes, lines) => tell({ type: 'progress', bytes, lines }) });
}

run().then(
  (result) => tell({ type: 'done', result }),
  (error: unknown) => tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
);
