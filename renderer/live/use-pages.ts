import { whenever } from '@vueuse/core';
import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';
import type { StreamMessage } from '../../emulator/control/calls.ts';
import { useReading } from './reading.ts';

export interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** A long list, read page by page as its rows become visible. */
export interface Pages<Answer extends Page<unknown>> {
  readonly total: ShallowRef<number>;
  /** The page that was read last, with the rest of the answer; null before. */
  readonly latest: ShallowRef<Answer | null>;
  readonly ready: ShallowRef<boolean>;
  readonly problem: ShallowRef<string | null>;
  /** Whether the rows belong to another key, because those of the current one are not here yet. */
  readonly behind: ShallowRef<boolean>;
  /** The row at an index; undefined until it is read. Reactive. */
  at(index: number): Answer['rows'][number] | undefined;
  /** Acts on the row at an index, at once or when it is read. Another call or another key before that cancels it. */
  whenRead(index: number, act: (row: Answer['rows'][number]) => void): void;
  /** Reports the visible rows. Missing ones are read. */
  see(first: number, last: number): void;
  /** Lets a row stay read when it is not visible, such as the selected one; -1 for none. */
  keep(index: number): void;
  reload(): Promise<void>;
}

const pageSize = 100;

/**
 * Reads the visible pages, and again when `concerns` says that a message of the stream is about them. While a new `key`
 * is read, the old rows stay.
 */
export function usePages<Answer extends Page<unknown>>({
  read,
  concerns,
  key,
}: {
  read(offset: number, limit: number): Promise<Answer>;
  concerns(message: StreamMessage): boolean;
  key(): string;
}): Pages<Answer> {
  const total = shallowRef(0);
  const latest: ShallowRef<Answer | null> = shallowRef(null);
  const pages = shallowRef<ReadonlyMap<number, Answer['rows']>>(new Map());
  const asked = new Set<number>();
  /** The indexes of the first and the last visible row. */
  let seen: readonly [number, number] = [0, 0];
  /** The index of a row that is read even while it is not visible; -1 without one. */
  let kept = -1;
  let generation = 0;

  const readPages = (numbers: readonly number[]): Promise<readonly (readonly [number, Answer])[]> =>
    Promise.all(numbers.map(async (number) => [number, await read(number * pageSize, pageSize)] as const));

  let stopWaiting = (): void => {};
  onScopeDispose(() => stopWaiting());

  watch(
    key,
    () => {
      seen = [0, 0];
      generation += 1;
      stopWaiting();
    },
    { flush: 'sync' },
  );
  /** The pages of the visible and of the kept row, this many rows further down. */
  function pagesAround(by: number): readonly number[] {
    const [first, last] = seen;
    const all = [...pagesOf(first + by, last + by), ...(kept === -1 ? [] : pagesOf(kept + by, kept + by))];
    return [...new Set(all)];
  }

  /** Reads these pages, and those to which rows that came before them have moved the rows, so that they are found. */
  async function readAgain(): Promise<readonly (readonly [number, Answer])[]> {
    const numbers = pagesAround(0);
    const answers = await readPages(numbers);
    const isAgain = ready.value && !behind.value;
    const added = isAgain ? (answers[0]?.[1].total ?? 0) - total.value : 0;
    if (added <= 0) return answers;
    return [...answers, ...(await readPages(pagesAround(added).filter((number) => !numbers.includes(number))))];
  }
  const { ready, problem, behind, reload } = useReading({
    read: readAgain,
    show(answers) {
      generation += 1;
      asked.clear();
      for (const [number] of answers) asked.add(number);
      latest.value = answers[0]?.[1] ?? null;
      total.value = latest.value?.total ?? 0;
      pages.value = new Map(answers.map(([number, { rows }]) => [number, rows]));
      // Other rows may be visible by now.
      readSeen();
    },
    forget() {
      generation += 1;
      asked.clear();
      latest.value = null;
      total.value = 0;
      pages.value = new Map();
    },
    concerns,
    key,
  });

  async function readMissing(numbers: readonly number[]): Promise<void> {
    const of = generation;
    for (const number of numbers) asked.add(number);
    // The frame reports a lost connection; after it, everything is read again.
    const answers = await readPages(numbers).catch(() => null);
    if (of !== generation) return;
    if (!answers) return numbers.forEach((number) => asked.delete(number));
    latest.value = answers.at(-1)?.[1] ?? latest.value;
    pages.value = new Map([...pages.value, ...answers.map(([number, { rows }]) => [number, rows] as const)]);
  }

  function readSeen(): void {
    const missing = pagesOf(...seen).filter((number) => !asked.has(number));
    if (missing.length > 0) void readMissing(missing);
  }

  const at = (index: number): Answer['rows'][number] | undefined =>
    pages.value.get(Math.floor(index / pageSize))?.[index % pageSize];

  return {
    total,
    latest,
    ready,
    problem,
    behind,
    reload,
    at,
    whenRead(index, act) {
      stopWaiting();
      stopWaiting = whenever(() => at(index), act, { immediate: true, once: true });
    },
    see(first, last) {
      seen = [first, Math.max(first, last)];
      if (ready.value) readSeen();
    },
    keep: (index) => void (kept = index),
  };
}

/** The numbers of the pages of rows. */
function pagesOf(firstRow: number, lastRow: number): readonly number[] {
  const [first, last] = [Math.floor(firstRow / pageSize), Math.floor(lastRow / pageSize)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
