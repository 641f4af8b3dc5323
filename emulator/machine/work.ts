/**
 * Work that takes time and belongs to the states of a record: checking a file, saving its products. A row of the table
 * names its job. The record may change or be deleted while a job runs, so a result counts only if the record is still
 * in the state that started the job.
 */
import type { Stateful } from '../records.ts';
import { createSerialQueues } from './serial-queues.ts';

/**
 * The result of a job: what to change in the record, or the event to send instead of the row's own. Null: `stopped`
 * interrupted it, and it starts again at the next resume.
 */
export type JobAnswer<Event extends string, R> =
  { readonly change: (record: R) => R } | { readonly instead: Event; readonly why: string } | null;

export type Job<Event extends string, R> = (record: R, stopped: AbortSignal) => Promise<JobAnswer<Event, R>>;

export interface WorkOptions<Event extends string, R> {
  /** The jobs by the names that the rows use. */
  readonly jobs: { readonly [name: string]: Job<Event, R> };
  /** Jobs of one queue run one after the other. */
  readonly queueOf: (record: R) => string;
}

export interface Work<Event extends string, R> {
  /**
   * Runs a job for a record after the earlier jobs of its queue, and passes the result to `finish`. Does nothing if,
   * before or during the job, the record moves on or `isWanted` returns false.
   */
  run(
    name: string,
    record: R,
    isWanted: (now: R) => boolean,
    finish: (now: R, answer: NonNullable<JobAnswer<Event, R>>) => Promise<void>,
  ): Promise<void>;
  /** Stops what can be stopped and waits for the rest. */
  stop(): Promise<void>;
}

/** @param get the record with an id as it is now; null or undefined if it is deleted */
export function createWork<Event extends string, R extends Stateful<string>>(
  get: (id: string) => R | null | undefined,
  { jobs, queueOf }: WorkOptions<Event, R>,
): Work<Event, R> {
  const queues = createSerialQueues();
  let stopping = new AbortController();
  return {
    run(name, record, isWanted, finish) {
      const job = jobs[name];
      if (!job) throw new Error(`A row names the job "${name}", which does not exist.`);
      const current = (asked: R): R | null => {
        const now = get(asked.id);
        return now && isSameState(now, asked) && isWanted(now) ? now : null;
      };
      return queues.run(queueOf(record), async () => {
        const asked = current(record);
        if (!asked) return;
        const answer = await job(asked, stopping.signal);
        const now = current(asked);
        if (answer && now) await finish(now, answer);
      });
    },
    async stop() {
      const ended = queues.stop();
      stopping.abort();
      await ended;
      stopping = new AbortController();
    },
  };
}

/** Whether `record` is still in the same state as `then`, entered at the same time. */
export function isSameState<State extends string>(record: Stateful<State>, then: Stateful<State>): boolean {
  return record.state === then.state && record.enteredAt === then.enteredAt;
}
