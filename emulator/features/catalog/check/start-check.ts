import { rm } from 'node:fs/promises';
import type { Job } from '../job.ts';
import type { Jobs } from '../jobs.ts';
import { partPath } from './file-writer.ts';
import type { CheckOptions, CheckProgress, CheckReport } from './report.ts';

/**
 * Checks a file in a worker thread. If the check is cancelled or fails, it leaves no output: the files named in
 * `options` exist only after `done` was fulfilled.
 */
export function startCheck(
  jobs: Jobs,
  options: CheckOptions,
  onProgress?: (progress: CheckProgress) => void,
): Job<CheckReport> {
  const job = jobs.start('check', options, onProgress);
  const done = job.done.catch(async (error: unknown) => {
    await rm(partPath(options.issuesPath), { force: true });
    if (options.goodPath !== null) await rm(partPath(options.goodPath), { force: true });
    throw error;
  });
  return { done, cancel: job.cancel };
}
