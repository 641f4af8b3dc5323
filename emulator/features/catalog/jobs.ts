/** Runs the catalog's work on files in worker threads, so that the API loses neither time nor memory. */
import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../time/clock.ts';
import type { CheckProgress } from './check/report.ts';
import { JobCancelled, type Job, type JobData, type JobKinds, type JobMessage } from './job.ts';
import { spawnWorker } from './spawn-worker.ts';

export interface Jobs {
  /** @param onProgress called for every 8 MB of a file that is checked or X-rayed */
  start<K extends keyof JobKinds>(
    kind: K,
    options: JobKinds[K]['options'],
    onProgress?: (progress: CheckProgress) => void,
  ): Job<JobKinds[K]['result']>;
  /** Ends the thread that waits for the next job. Running jobs are not touched. */
  rest(): void;
}

export interface JobsOptions {
  readonly clock: Pick<Clock, 'afterWall'>;
  /** The entry of the worker, check/worker.ts. */
  readonly workerUrl: URL;
  /** Megabytes of JavaScript heap of each thread; the id tables are outside of it. Default 512. */
  readonly heapMb?: number;
}

/** A thread, and the job that it runs. */
interface Thread {
  readonly worker: Worker;
  running: {
    readonly onProgress: ((progress: CheckProgress) => void) | undefined;
    done(result: JobKinds[keyof JobKinds]['result']): void;
    fail(why: string): void;
  } | null;
  isEnding: boolean;
}

/**
 * How long a thread waits for the next job. Starting a thread takes fifty times as long as checking a small file, and a
 * test run sends one such file after another.
 */
const idleMs = 10_000;

/** Creates the runner of jobs. Each job has a thread for itself; a free thread runs the next job. */
export function createJobs({ clock, workerUrl, heapMb = 512 }: JobsOptions): Jobs {
  let waiting: { readonly thread: Thread; readonly stopTimer: () => void } | null = null;

  function open(): Thread {
    const worker = spawnWorker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    const thread: Thread = { worker, running: null, isEnding: false };
    worker.on('message', (message: JobMessage) => {
      const { running } = thread;
      if (message.type === 'progress') return running?.onProgress?.(message.progress);
      thread.running = null;
      keep(thread);
      return message.type === 'failed' ? running?.fail(message.message) : running?.done(message.result);
    });
    const lost = (why: string): void => {
      if (waiting?.thread === thread) take();
      thread.running?.fail(why);
    };
    worker.on('error', (error: Error) => lost(`its worker thread crashed: ${error.message}`));
    worker.on('exit', (code) => lost(`its worker thread ended (exit code ${code}) without a result`));
    return thread;
  }

  /** Lets the thread wait, unless it ends or another one waits. It does not keep the process alive meanwhile. */
  function keep(thread: Thread): void {
    if (thread.isEnding) return;
    if (waiting) return end(thread);
    thread.worker.unref();
    waiting = { thread, stopTimer: clock.afterWall(idleMs, rest) };
  }

  function take(): Thread | null {
    const thread = waiting?.thread ?? null;
    waiting?.stopTimer();
    waiting = null;
    thread?.worker.ref();
    return thread;
  }

  function end(thread: Thread): void {
    thread.isEnding = true;
    void thread.worker.terminate();
  }

  function rest(): void {
    const thread = take();
    if (thread) end(thread);
  }

  return {
    start(kind, options, onProgress) {
      type Result = JobKinds[typeof kind]['result'];
      const thread = take() ?? open();
      let isCancelled = false;
      const done = new Promise<Result>((resolve, reject) => {
        thread.running = {
          onProgress,
          done: (result) => resolve(result as Result),
          fail: (why) =>
            reject(
              isCancelled ? new JobCancelled(`The ${kind} was cancelled.`) : new Error(`The ${kind} failed: ${why}`),
            ),
        };
      });
      const running = thread.running;
      thread.worker.postMessage({ kind, options } as JobData);
      return {
        done,
        cancel() {
          if (thread.running !== running) return;
          isCancelled = true;
          end(thread);
        },
      };
    },
    rest,
  };
}
