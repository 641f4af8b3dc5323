import { shallowRef, watch, type ShallowRef } from 'vue';
import type { StreamMessage } from '../../emulator/control/calls.ts';
import { useReading } from './records.ts';

export interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** A long list that is read page by page, where it is seen. */
export interface Pages<Row> {
  readonly total: ShallowRef<number>;
  readonly ready: ShallowRef<boolean>;
  readonly problem: ShallowRef<string | null>;
  /** The row at an index; undefined while it is on its way. Reactive. */
  at(index: number): Row | undefined;
  /** Says which rows are seen; rows that are missing are read. */
  see(first: number, last: number): void;
  reload(): Promise<void>;
}

const pageSize = 100;

/**
 * Reads the pages that are seen, and again when `concerns` says that a message of the stream is about them. While a new
 * `key` is read the old rows stay.
 */
export function usePages<Row>({
  read,
  concerns,
  key,
}: {
  read(offset: number, limit: number): Promise<Page<Row>>;
  concerns(message: StreamMessage): boolean;
  key(): string;
}): Pages<Row> {
  const total = shallowRef(0);
  const pages = shallowRef<ReadonlyMap<number, readonly Row[]>>(new Map());
  const asked = new Set<number>();
  let seen: readonly [number, number] = [0, 0];
  let generation = 0;

  async function readPages(numbers: readonly number[]): Promise<readonly (readonly [number, Page<Row>])[] | null> {
    const wanted = key();
    const answers = await Promise.all(
      numbers.map(async (number) => [number, await read(number * pageSize, pageSize)] as const),
    );
    return key() === wanted ? answers : null;
  }

  watch(key, () => (seen = [0, 0]), { flush: 'sync' });
  const { ready, problem, reload } = useReading(
    async () => {
      const answers = await readPages(between(...seen));
      if (!answers) return;
      generation += 1;
      asked.clear();
      for (const [number] of answers) asked.add(number);
      total.value = answers[0]?.[1].total ?? 0;
      pages.value = new Map(answers.map(([number, { rows }]) => [number, rows]));
    },
    concerns,
    key,
  );

  async function readMissing(numbers: readonly number[]): Promise<void> {
    const of = generation;
    for (const number of numbers) asked.add(number);
    // The frame reports a lost connection; afterwards everything is read again.
    const answers = await readPages(numbers).catch(() => null);
    if (of !== generation) return;
    if (!answers) return numbers.forEach((number) => asked.delete(number));
    pages.value = new Map([...pages.value, ...answers.map(([number, { rows }]) => [number, rows] as const)]);
  }

  return {
    total,
    ready,
    problem,
    reload,
    at: (index) => pages.value.get(Math.floor(index / pageSize))?.[index % pageSize],
    see(first, last) {
      seen = [Math.floor(first / pageSize), Math.floor(Math.max(first, last) / pageSize)];
      const missing = between(...seen).filter((number) => !asked.has(number));
      if (ready.value && missing.length > 0) void readMissing(missing);
    },
  };
}

function between(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
