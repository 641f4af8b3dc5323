import { rm } from 'node:fs/promises';
import { startJob, type Job, type JobSetup } from '../job.ts';
import { partPath } from './file-writer.ts';
import type { CheckOptions, CheckReport } from './report.ts';

/**
 * Checks a file in a worker thread. If the check is cancelled or fails, it leaves no output: the files named in
 * `options` exist only after `done` was fulfilled.
 */
export function startCheck(options: CheckOptions, setup: JobSetup): Job<CheckReport> {
  const job = startJob('check', options, setup);
  const done = job.done.catch(async (error: unknown) => {
    await rm(partPath(options.issuesPath), { force: true });
    if (options.goodPath !== null) await rm(partPath(options.goodPath), { force: true });
    throw error;
  });
  return { done, cancel: job.cancel };
}
