/**
 * The recorded requests that led to the present records. When time goes back, a change is undone or another state is
 * restored, the requests that are no longer part of its history stay recorded. They explain nothing that is there now,
 * and the numbers of their records are given out again, so that an id may be that of something else.
 */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOf } from '../contract/json-of.ts';
import { reasonOf } from '../errors.ts';
import type { Exchange } from '../http/record/exchange.ts';
import type { RecordedExchange } from '../http/record/recorded-exchange.ts';
import type { Recorder } from '../http/record/recorder.ts';
import { textOrNull } from '../store/or-null.ts';
import type { Clock } from '../time/clock.ts';

/** The recorded requests that led to some records. */
export interface LedBy {
  has(exchange: Pick<Exchange, 'sequence'>): boolean;
  /** Those requests, oldest first. */
  all(): readonly RecordedExchange[];
  /** Those that `changing` of the recorder finds, without the others. */
  changing(...texts: readonly string[]): readonly RecordedExchange[];
}

/**
 * Requests in a row that led to some records, by their first and last number (null: all later ones), and those that came
 * before them. States with the same past share it, so that one more change costs the same after many.
 */
export interface Run {
  readonly from: number;
  readonly to: number | null;
  readonly before: Run | null;
}

export interface Lineage extends LedBy {
  /** The requests that led to the present records, up to the one with this number; without it, all. Null: none. */
  upTo(sequence?: number): Run | null;
  /** The requests that had led to the records at a time on the wall clock, epoch ms. */
  until(wallAt: number): Run | null;
  /** To be called when a state becomes the present one: these requests led to it, and those to come will. */
  goOnFrom(before: Run | null): void;
}

/** What led to the records since a time on the wall clock, epoch ms. */
interface Entry {
  readonly since: number;
  readonly run: Run;
}

/** How many changes of the history are kept: the requests of older ones are hardly recorded any longer. */
const mostEntries = 10_000;

const everything: Run = { from: 1, to: null, before: null };

/**
 * Opens the lineage. A data folder has it in `lineage.ndjson`, a line for each change of the history. Without that file,
 * all requests led to the records.
 * @param dataDir null for a store in memory
 */
export function openLineage(
  dataDir: string | null,
  {
    recorder,
    clock,
    onProblem,
  }: {
    readonly recorder: Pick<Recorder, 'all' | 'changing' | 'newest'>;
    readonly clock: Pick<Clock, 'wall'>;
    /** Called if the disk refuses; what is in memory stays right. */
    readonly onProblem: (text: string) => void;
  },
): Lineage {
  const path = dataDir === null ? null : join(dataDir, 'lineage.ndjson');
  let entries = path === null ? [] : read(path);
  const present = (): Run => entries.at(-1)?.run ?? everything;
  let isLed = toTest(present());
  const only = (exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] =>
    present() === everything ? exchanges : exchanges.filter(isLed);

  const onDisk = (write: (file: string) => void): void => {
    try {
      if (path !== null) write(path);
    } catch (error) {
      onProblem(
        `Which requests led to the present records could not be written to lineage.ndjson: ${reasonOf(error)} After the next start, requests that were taken back may be shown as causes.`,
      );
    }
  };
  const goOnFrom = (before: Run | null): void => {
    const run =
      before?.to === recorder.newest ? { ...before, to: null } : { from: recorder.newest + 1, to: null, before };
    if (run.from === present().from && run.before === present().before) return;
    const entry = { since: clock.wall(), run };
    entries = [...entries, entry].slice(-mostEntries);
    isLed = toTest(run);
    // A line break first: the file of a killed process may end in half a line.
    onDisk((file) => appendFileSync(file, `\n${toLine(entry)}`, { mode: 0o600 }));
  };

  if (entries.length > mostEntries) {
    entries = entries.slice(-mostEntries);
    onDisk((file) => writeFileSync(file, entries.map(toLine).join(''), { mode: 0o600 }));
  }
  if (recorder.newest === 0 && entries.length > 0) {
    // No request is recorded any longer, and the numbers of requests begin again.
    entries = [];
    isLed = toTest(everything);
    onDisk((file) => rmSync(file));
  } else if (present().from > recorder.newest + 1) {
    // The newest requests were lost in a kill, and their numbers are given out again.
    goOnFrom(cut(present(), recorder.newest));
  }

  return {
    has: (exchange) => isLed(exchange),
    all: () => only(recorder.all()),
    changing: (...texts) => only(recorder.changing(...texts)),
    upTo: (sequence = recorder.newest) => cut(present(), sequence),
    until(wallAt) {
      const last = recorder.all().findLast((exchange) => exchange.wallAt <= wallAt);
      const then = entries.findLast(({ since }) => since <= wallAt)?.run ?? everything;
      return cut(then, last?.sequence ?? 0);
    },
    goOnFrom,
  };
}

/** The part of a run, and of what came before it, up to the request with this number. */
function cut(run: Run | null, upTo: number): Run | null {
  let last = run;
  while (last !== null && last.from > upTo) last = last.before;
  return last && { ...last, to: Math.min(last.to ?? upTo, upTo) };
}

/** The test whether a request is in the run, or in what came before it. */
function toTest(run: Run): (exchange: Pick<Exchange, 'sequence'>) => boolean {
  /** Newest first. */
  const runs: Run[] = [];
  for (let one: Run | null = run; one !== null; one = one.before) runs.push(one);
  return ({ sequence }) => {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle]?.from ?? 0) <= sequence) high = middle;
      else low = middle + 1;
    }
    const found = runs[low];
    return found !== undefined && sequence <= (found.to ?? sequence);
  };
}

/** What came before is named by its first and last number. No other run can have the first one. */
const toLine = ({ since, run: { from, before } }: Entry): string =>
  `${JSON.stringify({ since, from, before: before && [before.from, before.to] })}\n`;

/** Reads the file. A line that cannot be read is left out: it only explains what happened. */
function read(path: string): Entry[] {
  const runs = new Map<number, Run>([[1, everything]]);
  const entries: Entry[] = [];
  for (const line of (textOrNull(path) ?? '').split('\n')) {
    const { since, from, before } = (jsonOf(line) ?? {}) as { readonly [name: string]: unknown };
    if (!isNumber(since) || !isNumber(from)) continue;
    const [first, last] = Array.isArray(before) ? (before as readonly unknown[]) : [];
    const earlier =
      isNumber(first) && isNumber(last) ? cut(runs.get(first) ?? { from: first, to: null, before: null }, last) : null;
    const run: Run = { from, to: null, before: earlier };
    runs.set(from, run);
    entries.push({ since, run });
  }
  return entries;
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
