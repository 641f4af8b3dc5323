/**
 * Looking back: the state at an earlier moment is a kept state with the lines of the journals after it, up to that
 * moment (docs/decisions/0019-looking-back.md). Nothing is read before someone asks.
 */
import { createSlices, inSlices, type Steps } from '../time/slices.ts';
import type { RecordLists } from './document.ts';
import { createFold } from './fold.ts';
import type { JournalLine } from './journal-line.ts';
import { damaged } from './rules.ts';

/** A place between two lines of a journal. `offset`: how much comes before it, in the archive's unit. */
export interface Place {
  readonly journal: number;
  readonly offset: number;
}

/** Journals that continue each other: all from a number up to a place. */
export interface Span {
  readonly from: number;
  readonly until: Place;
}

/** The history of a state, oldest span first. A later span begins with a state that replaced everything. */
export type Track = readonly Span[];

/** The history of the present state: the closed spans, and the first journal of the span that goes on. */
export interface Start {
  readonly before: Track;
  readonly from: number;
}

/** The journals of a store, and the states that were kept before some of them. */
export interface Archive {
  /** The journals before which a state was kept, in order. Journal 0 has the empty state before it. */
  bases(): readonly number[];
  /** When the state before a journal was saved, epoch ms on the virtual clock; null if that is not known. */
  timeOf(base: number): Promise<number | null>;
  /** The records before a journal. */
  load(base: number): Promise<RecordLists>;
  /** The lines of a journal after an offset; null if there is no such journal. Earlier lines are not read. */
  journal(number: number, offset: number): Promise<Lines | null>;
  /** The place of the next line. */
  readonly end: Place;
}

/** Lines of a journal. Each has the offset of its end. */
export interface Lines {
  /** The times at which the lines were written; null for lines of older versions. */
  times(): Iterable<{ readonly t: number | null; readonly end: number }>;
  /** @throws Refusal for a line that cannot be read */
  all(): Iterable<{ readonly line: JournalLine; readonly end: number }>;
}

/** The records at a moment, and their history. */
export interface Moment {
  readonly records: RecordLists;
  readonly track: Track;
}

export interface Past {
  /** Makes the state known from now on, even if no kept state or line has a time. */
  mark(): void;
  /** The earliest known moment, epoch ms on the virtual clock. If time was set back, it may be that of a later line. */
  earliest(): Promise<number>;
  /**
   * The state after the last change up to a time; null if the time is before the first known moment.
   * If time was set back, the change that was made last counts.
   * @throws Refusal if a file that is needed is damaged
   */
  at(time: number): Promise<Moment | null>;
  /** The history of the present state. */
  track(): Track;
  readonly start: Start;
  /** The journal that follows the first known state. */
  readonly first: number;
  /** Begins a new span: the state before this journal replaces everything, and `track` is its history. */
  begin(journal: number, track: Track): void;
  /** Releases the data that was read for the last moments. */
  forget(): void;
}

/** A span with at least one kept state. */
interface Known extends Span {
  readonly bases: readonly number[];
}

/** The least time of the lines up to an offset; Infinity if none has one. */
interface Least {
  readonly time: number;
  readonly until: number;
}

/** The data that was read last: the lines after a kept state, up to a place. */
interface Read {
  readonly base: number;
  readonly records: RecordLists;
  readonly lines: { readonly line: JournalLine; readonly place: Place }[];
  until: Place;
}

/**
 * Creates the past of a store.
 * @param start the history of the state when the folder was opened; its last span goes on
 */
export function createPast({
  archive,
  start,
  now,
}: {
  readonly archive: Archive;
  readonly start: Start;
  readonly now: () => number;
}): Past {
  let { before, from } = start;
  let marked: { readonly time: number; readonly place: Place } | null = null;
  let read: Read | null = null;
  /**
   * The least time in each journal, and how far it was read. A cache: the time is needed often, and only the last
   * journal grows.
   */
  const least = new Map<number, Least & { readonly isWhole: boolean }>();

  const track = (): Track => [...before, { from, until: archive.end }];

  /** The spans that are known without a gap, newest first. */
  const known = (): readonly Known[] => {
    const bases = archive.bases();
    const found: Known[] = [];
    for (const span of track().toReversed()) {
      const own = bases.filter((base) => base >= span.from && base <= span.until.journal);
      if (own.length === 0) break;
      found.push({ ...span, bases: own });
      if (own[0] !== span.from) break;
    }
    return found;
  };

  /** The place after the last change up to a time. */
  const find = async (spans: readonly Known[], time: number): Promise<Place | null> => {
    for (const { bases, until } of spans)
      for (let journal = until.journal; journal >= (bases[0] ?? 0); journal--) {
        const lines = await archive.journal(journal, 0);
        const limit = journal === until.journal ? until.offset : Infinity;
        const offset = lines && (await inSlices(lastUntil(lines, limit, time)));
        if (offset !== null) return { journal, offset };
        const saved = bases.includes(journal) ? await archive.timeOf(journal) : null;
        if (saved !== null && saved <= time) return { journal, offset: 0 };
      }
    const isMarked = marked && time >= marked.time && spans.some((span) => isIn(span, marked?.place));
    return isMarked ? (marked?.place ?? null) : null;
  };

  /** The least time in the spans; Infinity if no state and no line has one. */
  const leastTime = async (spans: readonly Known[]): Promise<number> => {
    let time = Infinity;
    for (const { bases, until } of spans) {
      const first = bases[0] ?? 0;
      time = Math.min(time, (await archive.timeOf(first)) ?? Infinity);
      for (let journal = first; journal <= until.journal; journal++)
        time = Math.min(time, await leastIn(journal, journal === until.journal ? until.offset : Infinity));
    }
    return time;
  };

  const leastIn = async (journal: number, limit: number): Promise<number> => {
    const known = least.get(journal) ?? { time: Infinity, until: 0, isWhole: false };
    const isWhole = journal !== archive.end.journal;
    if (known.isWhole || (!isWhole && known.until === limit)) return known.time;
    const lines = await archive.journal(journal, known.until);
    const read = lines ? await inSlices(leastUntil(lines, limit, known)) : known;
    least.set(journal, { ...read, isWhole });
    return read.time;
  };

  /** Reads the lines between a kept state and a place, except those that were read before. */
  const readUntil = async (base: number, place: Place): Promise<Read> => {
    const mine: Read =
      read?.base === base
        ? read
        : { base, records: await archive.load(base), lines: [], until: { journal: base, offset: 0 } };
    read = mine;
    const slice = createSlices(linesPerSlice);
    while (compare(mine.until, place) < 0) {
      const { journal, offset } = mine.until;
      const lines = await archive.journal(journal, offset);
      // Folders of older versions have numbers that were skipped.
      if (!lines && (await archive.timeOf(base)) !== null)
        throw damaged(`journal-${journal}.ndjson`, 'which is missing');
      for (const { line, end } of lines?.all() ?? []) {
        const next = { journal, offset: end };
        if (compare(next, place) > 0) break;
        mine.lines.push({ line, place: next });
        mine.until = next;
        const turn = slice();
        if (turn) await turn;
      }
      if (journal === place.journal) break;
      mine.until = { journal: journal + 1, offset: 0 };
    }
    return mine;
  };

  return {
    mark() {
      marked = { time: now(), place: archive.end };
    },
    async earliest() {
      const spans = known();
      const isMarked = marked && spans.some((span) => isIn(span, marked?.place));
      const first = Math.min(await leastTime(spans), isMarked && marked ? marked.time : Infinity);
      return first === Infinity ? now() : first;
    },
    async at(time) {
      const spans = known();
      const place = await find(spans, time);
      if (!place) return null;
      const span = spans.find((one) => isIn(one, place));
      const base = span?.bases.findLast((one) => one <= place.journal);
      if (!span || base === undefined) return null;
      const { records, lines } = await readUntil(base, place);
      return {
        records: await inSlices(fold(records, lines, place)),
        track: track().flatMap((one) =>
          one.from > span.from ? [] : one.from === span.from ? { ...one, until: place } : one,
        ),
      };
    },
    track,
    get start() {
      return { before, from };
    },
    get first() {
      return known().at(-1)?.bases[0] ?? from;
    },
    begin(journal, led) {
      [before, from, marked, read] = [led, journal, null, null];
      least.clear();
    },
    forget() {
      read = null;
    },
  };
}

/** How many lines are parsed before the event loop gets a turn. */
const linesPerSlice = 200;

function compare(one: Place, other: Place): number {
  return one.journal - other.journal || one.offset - other.offset;
}

function isIn({ bases, until }: Known, place: Place | undefined): boolean {
  return place !== undefined && place.journal >= (bases[0] ?? 0) && compare(place, until) <= 0;
}

function* fold(start: RecordLists, lines: Read['lines'], until: Place): Steps<RecordLists> {
  const folded = createFold(start);
  for (const { line, place } of lines) {
    if (compare(place, until) > 0) break;
    yield* folded.add(line);
  }
  return folded.records();
}

/** The end of the last line whose time is at most this one; a line without a time is as old as the one before it. */
function* lastUntil(lines: Lines, limit: number, time: number): Steps<number | null> {
  let found: number | null = null;
  let isOf = false;
  for (const { t, end } of lines.times()) {
    if (end > limit) break;
    if (t !== null) isOf = t <= time;
    if (isOf) found = end;
    yield;
  }
  return found;
}

function* leastUntil(lines: Lines, limit: number, { time, until }: Least): Steps<Least> {
  let least = time;
  let read = until;
  for (const { t, end } of lines.times()) {
    if (end > limit) break;
    least = Math.min(least, t ?? Infinity);
    read = end;
    yield;
  }
  return { time: least, until: read };
}
