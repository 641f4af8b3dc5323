import { atOnce } from '../time/slices.ts';
import type { RecordLists } from './document.ts';
import { createFold, type Fold } from './fold.ts';
import type { JournalLine } from './journal-line.ts';
import type { Archive } from './past.ts';

/** The archive of a store without a folder. Its records are shared with the store. */
export interface MemoryArchive extends Archive {
  append(lines: readonly JournalLine[], t: number): void;
  /** Begins a journal after these records, which do not continue the earlier state. Returns its number. */
  begin(records: RecordLists, at: number): number;
  /** Forgets everything before a journal. */
  dropBefore(number: number): void;
}

interface Journal {
  readonly lines: { readonly line: JournalLine; readonly t: number }[];
  changes: number;
  base: { at: number | null; readonly fold: Fold } | null;
}

/** How many journals are kept. They need a limit, because each return to the past keeps a state. */
const keptJournals = 40;

/** How many changed records are kept; older ones become part of the state before them. */
const keptChanges = 30_000;

/** Creates an empty archive. */
export function createMemoryArchive(): MemoryArchive {
  const journals = new Map<number, Journal>();
  let changes = 0;
  let number = 0;
  let current = open({ at: null, fold: createFold({}) });

  function open(base: Journal['base']): Journal {
    const journal: Journal = { lines: [], changes: 0, base };
    journals.set(number, journal);
    return journal;
  }

  /** Makes the oldest journal part of the state before it, unless the next journal has a state of its own. */
  function trim(): void {
    const [[first, oldest], [, later]] = [...journals] as unknown as [[number, Journal], [number, Journal]];
    const { base } = oldest;
    if (base && !later.base) {
      for (const { line, t } of oldest.lines) {
        atOnce(base.fold.add(line));
        base.at = t;
      }
      later.base = base;
    }
    changes -= oldest.changes;
    journals.delete(first);
  }

  return {
    append(lines, t) {
      for (const line of lines) {
        current.lines.push({ line, t });
        const count = countChanges(line);
        current.changes += count;
        changes += count;
      }
      if (current.changes < keptChanges / 10) return;
      number += 1;
      current = open(null);
      while (changes > keptChanges) trim();
    },
    begin(records, at) {
      number += 1;
      current = open({ at, fold: createFold(records) });
      while (journals.size > keptJournals) trim();
      return number;
    },
    dropBefore(first) {
      for (const [one, journal] of journals) {
        if (one >= first) return;
        changes -= journal.changes;
        journals.delete(one);
      }
    },
    bases: () => [...journals].flatMap(([one, { base }]) => (base ? one : [])),
    timeOf: async (base) => journals.get(base)?.base?.at ?? null,
    load: async (base) => journals.get(base)?.base?.fold.records() ?? {},
    async journal(one, offset) {
      const lines = journals.get(one)?.lines;
      return lines
        ? {
            *times() {
              for (let at = offset; at < lines.length; at++)
                yield { t: (lines[at] as (typeof lines)[number]).t, end: at + 1 };
            },
            *all() {
              for (let at = offset; at < lines.length; at++)
                yield { line: (lines[at] as (typeof lines)[number]).line, end: at + 1 };
            },
          }
        : null;
    },
    get end() {
      return { journal: number, offset: current.lines.length };
    },
  };
}

function countChanges({ put = {}, del = {} }: JournalLine): number {
  let count = 0;
  for (const records of Object.values(put)) count += records.length;
  for (const ids of Object.values(del)) count += ids.length;
  return count;
}
