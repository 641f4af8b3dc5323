import type { CheckOptions, CheckProgress, CheckReport } from './check/report.ts';
import type { FixReport } from './check/fix-file.ts';
import type { Xray } from './check/shapes.ts';
import type { XrayOptions } from './check/xray.ts';
import type { MergeOptions } from './saved/merge.ts';

/** Kind of work → its input and result; all of it can be cloned to another thread. */
export interface JobKinds {
  readonly check: { readonly options: CheckOptions; readonly result: CheckReport };
  readonly xray: { readonly options: XrayOptions; readonly result: Xray };
  /** `to` appears when the whole file is written. */
  readonly fix: { readonly options: { readonly from: string; readonly to: string }; readonly result: FixReport };
  readonly merge: { readonly options: MergeOptions; readonly result: number };
}

/** The message that gives a worker thread its job. */
export type JobData = {
  readonly [K in keyof JobKinds]: { readonly kind: K; readonly options: JobKinds[K]['options'] };
}[keyof JobKinds];

/** A message from a worker thread about its job. */
export type JobMessage = { readonly type: 'progress'; readonly progress: CheckProgress } | JobEnd;

export type JobEnd =
  | { readonly type: 'done'; readonly result: JobKinds[keyof JobKinds]['result'] }
  | { readonly type: 'failed'; readonly message: string };

export interface Job<Result> {
  /** Rejects with a JobCancelled after `cancel()`, and with an Error that says why if the worker fails or crashes. */
  readonly done: Promise<Result>;
  cancel(): void;
}

export class JobCancelled extends Error {
  override readonly name = 'JobCancelled';
}
