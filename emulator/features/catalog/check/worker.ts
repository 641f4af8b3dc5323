import { parentPort } from 'node:worker_threads';
import { reasonOf } from '../../../errors.ts';
import { mergeProducts } from '../saved/merge.ts';
import type { JobData, JobEnd, JobKinds, JobMessage } from '../job.ts';
import { checkFile } from './check-file.ts';
import { fixFile } from './fix-file.ts';
import type { CheckProgress } from './report.ts';
import { xrayFile } from './xray.ts';

/** The entry of the catalog's worker thread: runs the jobs that it is sent, one at a time. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const tell = (message: JobMessage): void => port.postMessage(message);

const onProgress = (progress: CheckProgress): void => tell({ type: 'progress', progress });

function run(job: JobData): Promise<JobKinds[keyof JobKinds]['result']> {
  if (job.kind === 'merge') return mergeProducts(job.options);
  if (job.kind === 'xray') return xrayFile(job.options, { onProgress });
  if (job.kind === 'fix') return fixFile(job.options.from, job.options.to);
  return checkFile({ ...job.options, onProgress });
}

async function toEnd(job: JobData): Promise<JobEnd> {
  try {
    return { type: 'done', result: await run(job) };
  } catch (error) {
    return { type: 'failed', message: reasonOf(error) };
  }
}

port.on('message', async (job: JobData) => tell(await toEnd(job)));
