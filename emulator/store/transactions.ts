import { mostNumber } from '../ids.ts';
import type { CollectionName } from '../records.ts';
import { MadeChange, type Change } from './change.ts';
import type { Entry, Table } from './collection.ts';
import { StoreError } from './errors.ts';
import { createGroup } from './group.ts';
import type { NewLine } from './journal-line.ts';

export interface Transactions {
  transact<R>(work: () => R): Outcome<R>;
  transactInGroup<R>(work: () => R): Outcome<R>;
  /** Writes the group that is waiting. Does not throw: callers that await `written` get the error. */
  flush(): void;
  /** Settles when the group that is waiting is written, or reverted; null if none waits. */
  written(): Promise<void> | null;
  nextNumber(): number;
  /** Notes the entry before the first change of a record; throws outside a transaction. */
  onWrite(table: Table, id: string, before: Entry | undefined): void;
  /** The last number issued. */
  sequence: number;
  readonly isRunning: boolean;
}

/** The result of the work of a transaction, and its changes. */
export interface Outcome<R> {
  readonly result: R;
  readonly changes: readonly Change[];
}

/** By table and id, the entry before the transaction of each record that it touched. */
type Touched = Map<Table, Map<string, Entry | null>>;

/** A transaction that is over in memory, but not yet in the journal. */
interface Applied {
  readonly touched: Touched;
  readonly sequenceBefore: number;
  readonly changes: readonly Change[];
  readonly line: NewLine;
}

/**
 * Creates the transactions of a store.
 * @param write makes lines durable, all of them or none; if it throws, their transactions are reverted
 * @param check throws if changes are no longer allowed
 */
export function createTransactions({
  write,
  check,
  onCommit,
}: {
  readonly write: (lines: readonly NewLine[]) => void;
  readonly check: () => void;
  readonly onCommit: (changes: readonly Change[]) => void;
}): Transactions {
  /** The records that the innermost running transaction touched; null outside of one. */
  let touched: Touched | null = null;

  const revert = ({ touched: all, sequenceBefore }: Pick<Applied, 'touched' | 'sequenceBefore'>): void => {
    for (const [table, entries] of all) for (const [id, entry] of entries) table.restore(id, entry);
    transactions.sequence = sequenceBefore;
  };

  const group = createGroup<Applied>((applied) => {
    try {
      write(applied.map(({ line }) => line));
    } catch (error) {
      // In reverse order: later transactions were made on top of earlier ones.
      for (const one of applied.toReversed()) revert(one);
      throw error;
    }
    for (const { changes } of applied) if (changes.length > 0) onCommit(changes);
  });

  /** @param keep makes an outermost transaction durable, or notes it for later; if it throws, everything is reverted */
  const run = <R>(work: () => R, keep: (applied: Applied) => void): Outcome<R> => {
    const outer = touched;
    const inner: Touched = new Map();
    const sequenceBefore = transactions.sequence;
    touched = inner;
    try {
      const result = work();
      if (isThenable(result))
        throw new TypeError('The work of a transaction must be synchronous; it returned a promise.');
      if (outer) {
        join(outer, inner);
        return { result, changes: [] };
      }
      const { changes, line } = toLine(inner, transactions.sequence);
      if (changes.length > 0 || transactions.sequence !== sequenceBefore)
        keep({ touched: inner, sequenceBefore, changes, line });
      return { result, changes };
    } catch (error) {
      revert({ touched: inner, sequenceBefore });
      throw error;
    } finally {
      touched = outer;
    }
  };

  const transact = <R>(work: () => R): Outcome<R> => {
    if (touched) return run(work, () => {});
    check();
    // Earlier changes come first in the journal, and for the listeners.
    group.flush();
    const outcome = run(work, ({ line }) => write([line]));
    if (outcome.changes.length > 0) onCommit(outcome.changes);
    return outcome;
  };

  const transactions: Transactions = {
    sequence: 0,
    get isRunning() {
      return touched !== null;
    },
    transact,
    transactInGroup(work) {
      if (touched || group.isAlone()) return transact(work);
      check();
      return run(work, group.add);
    },
    flush: group.flush,
    written: group.written,
    nextNumber() {
      if (!touched) throw new Error('Numbers are issued only inside store.transact.');
      if (transactions.sequence >= mostNumber)
        throw new StoreError(
          'no-numbers',
          `A new record needs a number, and none is left: the state that was imported has the last one, ${mostNumber}. Nothing was changed.`,
        );
      transactions.sequence += 1;
      return transactions.sequence;
    },
    onWrite(table, id, before) {
      if (!touched)
        throw new Error(`Records may change only inside store.transact; ${table.name} ${id} was changed outside.`);
      let ofTable = touched.get(table);
      if (!ofTable) touched.set(table, (ofTable = new Map()));
      if (!ofTable.has(id)) ofTable.set(id, before ?? null);
    },
  };
  return transactions;
}

/**
 * Adds the records that an inner transaction touched to the outer one. Entries that the outer one noted earlier stay.
 */
function join(outer: Touched, inner: Touched): void {
  for (const [table, entries] of inner) {
    const ofTable = outer.get(table);
    if (!ofTable) outer.set(table, entries);
    else for (const [id, entry] of entries) if (!ofTable.has(id)) ofTable.set(id, entry);
  }
}

function toLine(touched: Touched, n: number): { readonly changes: readonly Change[]; readonly line: NewLine } {
  const changes: Change[] = [];
  const put: { [N in CollectionName]?: readonly MadeChange[] } = {};
  const del: { [N in CollectionName]?: string[] } = {};
  for (const [table, entries] of touched) {
    const written: { readonly change: MadeChange; readonly ordinal: number }[] = [];
    for (const [id, before] of entries) {
      const after = table.entry(id);
      if (before === after) continue;
      const change = new MadeChange(table.name, id, before, after);
      // A record that was deleted and stored again is at the end, so the line has both.
      const isElsewhere = before !== null && before.ordinal !== after?.ordinal;
      if (isElsewhere) (del[table.name] ??= []).push(id);
      // If only the place of the record is different, it is not a change.
      if (!isElsewhere || change.before !== change.after) changes.push(change);
      if (after) written.push({ change, ordinal: after.ordinal });
    }
    // In order of creation, because a replay creates them again.
    if (written.length > 1) written.sort((one, other) => one.ordinal - other.ordinal);
    if (written.length > 0) put[table.name] = written.map(({ change }) => change);
  }
  return { changes, line: Object.keys(del).length > 0 ? { n, del, put } : { n, put } };
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
