import type { CollectionName, StoredRecord } from '../records.ts';
import type { Entry, Table } from './collection.ts';
import type { JournalLine } from './journal.ts';

/** What a transaction did to one record: its state before and after. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
}

export interface Transactions {
  transact<R>(work: () => R): { readonly result: R; readonly changes: readonly Change[] };
  nextNumber(): number;
  /** Notes the entry before the first change of a record; throws outside a transaction. */
  onWrite(table: Table, id: string): void;
  /** The last number issued. */
  sequence: number;
  readonly isRunning: boolean;
}

/** The entry before the transaction, by table and id, of everything touched in it. */
type Touched = Map<Table, Map<string, Entry | null>>;

/**
 * Creates the transactions of a store.
 * @param write makes a line durable, or throws: then everything is reverted
 * @param check throws if nothing may be changed any more
 */
export function createTransactions({
  write,
  check,
  onCommit,
}: {
  readonly write: (line: JournalLine) => void;
  readonly check: () => void;
  readonly onCommit: (changes: readonly Change[]) => void;
}): Transactions {
  /** What the innermost running transaction touched; null outside. */
  let touched: Touched | null = null;

  const commit = (all: Touched, sequenceBefore: number): readonly Change[] => {
    const { changes, line } = toLine(all, transactions.sequence);
    if (changes.length > 0 || transactions.sequence !== sequenceBefore) write(line);
    return changes;
  };

  const transactions: Transactions = {
    sequence: 0,
    get isRunning() {
      return touched !== null;
    },
    transact(work) {
      const outer = touched;
      const sequenceBefore = transactions.sequence;
      const inner: Touched = new Map();
      let changes: readonly Change[] = [];
      let result;
      if (!outer) check();
      touched = inner;
      try {
        result = work();
        if (isThenable(result))
          throw new TypeError('The work of a transaction must be synchronous; it returned a promise.');
        if (outer) join(outer, inner);
        else changes = commit(inner, sequenceBefore);
      } catch (error) {
        for (const [table, entries] of inner) for (const [id, entry] of entries) table.restore(id, entry);
        transactions.sequence = sequenceBefore;
        throw error;
      } finally {
        touched = outer;
      }
      if (changes.length > 0) onCommit(changes);
      return { result, changes };
    },
    nextNumber() {
      if (!touched) throw new Error('Numbers are issued only inside store.transact.');
      transactions.sequence += 1;
      return transactions.sequence;
    },
    onWrite(table, id) {
      if (!touched)
        throw new Error(`Records may change only inside store.transact; ${table.name} ${id} was changed outside.`);
      let ofTable = touched.get(table);
      if (!ofTable) touched.set(table, (ofTable = new Map()));
      if (!ofTable.has(id)) ofTable.set(id, table.entry(id));
    },
  };
  return transactions;
}

/** What the inner transaction touched counts for the outer one; what the outer one noted earlier stays. */
function join(outer: Touched, inner: Touched): void {
  for (const [table, entries] of inner) {
    const ofTable = outer.get(table);
    if (!ofTable) outer.set(table, entries);
    else for (const [id, entry] of entries) if (!ofTable.has(id)) ofTable.set(id, entry);
  }
}

function toLine(touched: Touched, n: number): { readonly changes: readonly Change[]; readonly line: JournalLine } {
  const changes: Change[] = [];
  const put: { [N in CollectionName]?: StoredRecord[] } = {};
  const del: { [N in CollectionName]?: string[] } = {};
  for (const [table, entries] of touched) {
    const written: Entry[] = [];
    for (const [id, before] of entries) {
      const after = table.entry(id);
      if (before === after) continue;
      changes.push({ collection: table.name, id, before: before?.record ?? null, after: after?.record ?? null });
      // A record that was deleted and stored again is at the end, so the line has both.
      if (before && before.ordinal !== after?.ordinal) (del[table.name] ??= []).push(id);
      if (after) written.push(after);
    }
    // In order of creation, because a replay creates them again.
    if (written.length > 1) written.sort((one, other) => one.ordinal - other.ordinal);
    if (written.length > 0) put[table.name] = written.map(({ record }) => record);
  }
  return { changes, line: Object.keys(del).length > 0 ? { n, del, put } : { n, put } };
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
