import type { CheckOptions, CheckProgress, CheckReport } from './check/report.ts';
import type { FixReport } from './check/fix-file.ts';
import type { Xray } from './check/shapes.ts';
import type { XrayOptions } from './check/xray.ts';
import type { MergeOptions, MergeResult } from './saved/merge.ts';
import { spawnWorker } from './check/worker-client.ts';

/** Kind of work → its input and result; all of it can be cloned to another thread. */
export interface Jobs {
  readonly check: { readonly options: CheckOptions; readonly result: CheckReport };
  readonly xray: { readonly options: XrayOptions; readonly result: Xray };
  /** `to` appears when the whole file is written. */
  readonly fix: { readonly options: { readonly from: string; readonly to: string }; readonly result: FixReport };
  readonly merge: { readonly options: MergeOptions; readonly result: MergeResult };
}

export type JobData = {
  readonly [K in keyof Jobs]: { readonly kind: K; readonly options: Jobs[K]['options'] };
}[keyof Jobs];

export type JobMessage =
  | { readonly type: 'progress'; readonly progress: CheckProgress }
  | { readonly type: 'done'; readonly result: Jobs[keyof Jobs]['result'] }
  | { readonly type: 'failed'; readonly message: string };

export interface JobSetup {
  readonly workerUrl: URL;
  /** Called for every 8 MB of a file that is checked or X-rayed. */
  readonly onProgress?: (progress: CheckProgress) => void;
  /** Megabytes of JavaScript heap; the id tables are outside of it. Default 512. */
  readonly heapMb?: number;
}

export interface Job<Result> {
  /** Rejects with a JobCancelled after `cancel()`, and with an Error that says why if the worker fails or crashes. */
  readonly done: Promise<Result>;
  cancel(): void;
}

export class JobCancelled extends Error {
  override readonly name = 'JobCancelled';
}

/** Runs one job in a separate worker thread, so that the API loses neither time nor memory. */
export function startJob<K extends keyof Jobs>(
  kind: K,
  options: Jobs[K]['options'],
  { workerUrl, onProgress, heapMb = 512 }: JobSetup,
): Job<Jobs[K]['result']> {
  const worker = spawnWorker(workerUrl, {
    workerData: { kind, options },
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  let cancelled = false;
  const done = new Promise<Jobs[K]['result']>((resolve, reject) => {
    const fail = (why: string): void =>
      reject(cancelled ? new JobCancelled(`The ${kind} was cancelled.`) : new Error(`The ${kind} failed: ${why}`));
    worker.on('message', (message: JobMessage) => {
      if (message.type === 'progress') onProgress?.(message.progress);
      else if (message.type === 'failed') fail(message.message);
      else resolve(message.result as Jobs[K]['result']);
    });
    worker.on('error', (error: Error) => fail(`its worker thread crashed: ${error.message}`));
    worker.on('exit', (code) => fail(`its worker thread ended (exit code ${code}) without a result`));
  });
  return {
    done,
    cancel() {
      cancelled = true;
      void worker.terminate();
    },
  };
}
