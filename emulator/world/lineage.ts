/**
 * The recorded requests that led to the present records. When time goes back, a change is undone or another state is
 * restored, the requests that are no longer part of its history stay recorded. They explain nothing that is there now,
 * and the numbers of their records are given out again, so that an id may be that of something else.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOf } from '../contract/json-of.ts';
import { reasonOf } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RecordedExchange } from '../http/recorded-exchange.ts';
import type { Recorder } from '../http/recorder.ts';
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

/** The numbers of requests, both included; null: up to the newest, and all later ones. */
type Range = readonly [from: number, to: number | null];
export type Ranges = readonly Range[];

export interface Lineage extends LedBy {
  /** The requests that led to the present records, up to the one with this number; without it, all. */
  upTo(sequence?: number): Ranges;
  /** The requests that had led to the records at a time on the wall clock, epoch ms. */
  until(wallAt: number): Ranges;
  /** To be called when a state becomes the present one: these requests led to it, and those to come will. */
  goOnFrom(ranges: Ranges): void;
}

/** What led to the records since a time on the wall clock, epoch ms. */
interface Entry {
  readonly since: number;
  readonly ranges: Ranges;
}

/** How many changes of the history are kept: the requests of older ones are hardly recorded any longer. */
const mostEntries = 100;

const everything: Entry = { since: -Infinity, ranges: [[1, null]] };

/**
 * Opens the lineage, which a data folder has in `lineage.json`. Without that file, all requests led to the records.
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
  const path = dataDir === null ? null : join(dataDir, 'lineage.json');
  let entries = path === null ? [] : read(path, recorder.newest);
  const rangesNow = (): Ranges => (entries.at(-1) ?? everything).ranges;
  const only = (exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] =>
    entries.length === 0 ? exchanges : exchanges.filter(isIn(rangesNow()));

  const write = (): void => {
    if (path === null) return;
    try {
      writeFileSync(path, JSON.stringify(entries), { mode: 0o600 });
    } catch (error) {
      onProblem(
        `Which requests led to the present records could not be written to lineage.json: ${reasonOf(error)} After the next start, requests that were taken back may be shown as causes.`,
      );
    }
  };

  return {
    has: (exchange) => isIn(rangesNow())(exchange),
    all: () => only(recorder.all()),
    changing: (...texts) => only(recorder.changing(...texts)),
    upTo: (sequence = recorder.newest) => cut(rangesNow(), sequence),
    until(wallAt) {
      const last = recorder.all().findLast((exchange) => exchange.wallAt <= wallAt);
      const then = entries.findLast(({ since }) => since <= wallAt) ?? everything;
      return cut(then.ranges, last?.sequence ?? 0);
    },
    goOnFrom(before) {
      const last = before.at(-1);
      const ranges: Ranges =
        last?.[1] === recorder.newest
          ? [...before.slice(0, -1), [last[0], null]]
          : [...before, [recorder.newest + 1, null]];
      const isUnchanged = JSON.stringify(ranges) === JSON.stringify(rangesNow());
      if (isUnchanged) return;
      entries = [...entries, { since: clock.wall(), ranges }].slice(-mostEntries);
      write();
    },
  };
}

function cut(ranges: Ranges, upTo: number): Ranges {
  return ranges.flatMap(([from, to]): Ranges => (from > upTo ? [] : [[from, Math.min(to ?? upTo, upTo)]]));
}

function isIn(ranges: Ranges): (exchange: Pick<Exchange, 'sequence'>) => boolean {
  return ({ sequence }) => ranges.some(([from, to]) => sequence >= from && sequence <= (to ?? sequence));
}

/**
 * Reads the file. What cannot be read is left out: it only explains what happened. So is all of it if the numbers began
 * again, because no request was recorded any longer at the last start.
 */
function read(path: string, newest: number): readonly Entry[] {
  const value = jsonOf(textOrNull(path) ?? '');
  const entries = Array.isArray(value) ? (value as readonly unknown[]).filter(isEntry) : [];
  const [from] = entries.at(-1)?.ranges.at(-1) ?? [0];
  return from > newest + 1 ? [] : entries;
}

function isEntry(value: unknown): value is Entry {
  const { since, ranges } = (value ?? {}) as Partial<Entry>;
  const isNumber = (one: unknown): boolean => Number.isSafeInteger(one);
  return (
    isNumber(since) &&
    Array.isArray(ranges) &&
    (ranges as readonly unknown[]).every(
      (range) =>
        Array.isArray(range) && range.length === 2 && isNumber(range[0]) && (range[1] === null || isNumber(range[1])),
    )
  );
}
