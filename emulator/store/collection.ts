import type { CollectionName, StoredRecord } from '../records.ts';
import { createSlices } from '../time/slices.ts';

export interface Index<T> {
  /** The records that have a key, in order of creation. */
  get(key: string): readonly T[];
}

/** The records of one kind. Changes are only possible inside a transaction of the store. */
export interface Collection<T extends StoredRecord> {
  readonly name: CollectionName;
  readonly size: number;
  get(id: string): T | undefined;
  /** In order of creation; a replaced record keeps its place. */
  all(): Iterable<T>;
  /** All records as a list. It is the same list until something changes. */
  records(): readonly T[];
  /** Inserts or replaces a record, and returns it. */
  put(record: T): T;
  /** Does nothing if there is no such record. */
  delete(id: string): void;
  /**
   * The first record after each of these places in the order of creation (`Change.ordinal`, ascending); null if there
   * is none.
   */
  following(ordinals: readonly number[]): readonly (T | null)[];
  /** The index with that name, built at the first call and kept up to date from then on. */
  index(name: string, keysOf: (record: T) => readonly string[]): Index<T>;
  /** Builds that index in slices, so that the first call of `index` finds it. Changes made meanwhile are in it. */
  prepareIndex(name: string, keysOf: (record: T) => readonly string[]): Promise<void>;
  /**
   * The tally with that name: how many records have a key. Counted at the first call and kept up to date from then on.
   */
  tally(name: string, keyOf: (record: T) => string): (key: string) => number;
}

/** A record and its place in the order of creation. */
export interface Entry {
  readonly record: StoredRecord;
  readonly ordinal: number;
}

interface Lookup {
  readonly keysOf: (record: StoredRecord) => readonly string[];
  /** One entry, or several by id: most keys have one record, and a map for each would take most of the memory. */
  byKey: Map<string, Entry | Map<string, Entry>>;
  /** Whether all records are in it. Before that, it has at least the records that changed since it was begun. */
  isWhole: boolean;
}

interface Tally {
  readonly keyOf: (record: StoredRecord) => string;
  counts: Map<string, number>;
}

/** A collection as the store uses it: without transactions, and with a way to revert a change. */
export interface Table extends Collection<StoredRecord> {
  /** Restores a record to its state before a change; null removes it. */
  restore(id: string, entry: Entry | null): void;
  entry(id: string): Entry | null;
  /** Puts and deletes without a transaction, while the journal is replayed. */
  replayPut(record: StoredRecord): void;
  replayDelete(id: string): void;
  /** Replaces all records by these. */
  fill(records: readonly StoredRecord[]): void;
  /**
   * Like `fill`, in two steps: indexes the records in slices, while the present ones stay. The function that it returns
   * then replaces them at once.
   */
  prepareFill(records: readonly StoredRecord[]): Promise<() => void>;
}

/**
 * Creates an empty collection.
 * @param onWrite called before each change, with the entry as it is; may refuse the change by throwing
 */
export function createTable(
  name: CollectionName,
  onWrite: (table: Table, id: string, before: Entry | undefined) => void,
): Table {
  let entries = new Map<string, Entry>();
  let ordinal = 0;
  let unordered = false;
  /** All records in order, if nothing changed since they were listed. */
  let listed: readonly StoredRecord[] | null = null;
  const lookups = new Map<string, Lookup>();
  const tallies = new Map<string, Tally>();

  const setEntry = (id: string, before: Entry | undefined, after: Entry | null): void => {
    if (after) entries.set(id, after);
    else entries.delete(id);
    listed = null;
    for (const lookup of lookups.values()) reindex(lookup, id, before, after);
    for (const tally of tallies.values()) recount(tally, before?.record, after?.record);
  };

  const ordered = (): Map<string, Entry> => {
    if (unordered) {
      entries = new Map([...entries].sort(([, one], [, other]) => one.ordinal - other.ordinal));
      unordered = false;
    }
    return entries;
  };

  const insert = (record: StoredRecord, before: Entry | undefined): void =>
    setEntry(record.id, before, { record, ordinal: before?.ordinal ?? ordinal++ });

  /**
   * @param indexed the finished indexes; `counted`: the finished counts. Newer ones, which are missing, are made here.
   */
  const replaceBy = (
    records: readonly StoredRecord[],
    coming: Map<string, Entry>,
    indexed: ReadonlyMap<Lookup['keysOf'], Lookup['byKey']>,
    counted: ReadonlyMap<Tally['keyOf'], Tally['counts']>,
  ): void => {
    listed = records;
    entries = coming;
    ordinal = coming.size;
    unordered = false;
    for (const lookup of lookups.values()) {
      const byKey = indexed.get(lookup.keysOf);
      lookup.byKey = byKey ?? new Map();
      if (!byKey) for (const [id, entry] of entries) reindex(lookup, id, undefined, entry);
    }
    for (const tally of tallies.values()) {
      const counts = counted.get(tally.keyOf);
      tally.counts = counts ?? new Map();
      if (!counts) for (const record of records) recount(tally, undefined, record);
    }
  };

  const lookupOf = (indexName: string, keysOf: Lookup['keysOf']): Lookup => {
    const known = lookups.get(indexName);
    if (known) return known;
    const made: Lookup = { keysOf, byKey: new Map(), isWhole: false };
    lookups.set(indexName, made);
    return made;
  };

  const table: Table = {
    name,
    get size() {
      return entries.size;
    },
    get: (id) => entries.get(id)?.record,
    *all() {
      for (const { record } of ordered().values()) yield record;
    },
    put(record) {
      const before = entries.get(record.id);
      onWrite(table, record.id, before);
      insert(record, before);
      return record;
    },
    delete(id) {
      const before = entries.get(id);
      if (!before) return;
      onWrite(table, id, before);
      setEntry(id, before, null);
    },
    following(ordinals) {
      const found: StoredRecord[] = [];
      for (const entry of ordered().values())
        while (entry.ordinal > (ordinals[found.length] ?? Infinity)) found.push(entry.record);
      return ordinals.map((_, at) => found[at] ?? null);
    },
    index(indexName, keysOf) {
      const lookup = lookupOf(indexName, keysOf);
      if (!lookup.isWhole) for (const [id, entry] of ordered()) reindex(lookup, id, undefined, entry);
      lookup.isWhole = true;
      return { get: (key) => recordsOf(lookup.byKey.get(key)) };
    },
    async prepareIndex(indexName, keysOf) {
      const lookup = lookupOf(indexName, keysOf);
      if (lookup.isWhole) return;
      const slice = createSlices(recordsPerSlice);
      // Changes are indexed as they happen. Each entry is read again here, because `entries` may be another map by now.
      for (const id of entries.keys()) {
        const entry = entries.get(id);
        if (entry) reindex(lookup, id, undefined, entry);
        const turn = slice();
        if (turn) await turn;
        if (lookup.isWhole) return;
      }
      lookup.isWhole = true;
    },
    tally(tallyName, keyOf) {
      let tally = tallies.get(tallyName);
      if (!tally) {
        tally = { keyOf, counts: new Map() };
        tallies.set(tallyName, tally);
        for (const { record } of entries.values()) recount(tally, undefined, record);
      }
      const kept = tally;
      return (key) => kept.counts.get(key) ?? 0;
    },
    replayPut: (record) => insert(record, entries.get(record.id)),
    replayDelete(id) {
      setEntry(id, entries.get(id), null);
    },
    entry: (id) => entries.get(id) ?? null,
    records() {
      if (listed) return listed;
      const list: StoredRecord[] = [];
      for (const { record } of ordered().values()) list.push(record);
      listed = list;
      return list;
    },
    restore(id, entry) {
      // A restored record is at the end of the map, so the order is corrected when it is next needed.
      const present = entries.get(id);
      if (entry && present?.ordinal !== entry.ordinal) unordered = true;
      setEntry(id, present, entry);
    },
    fill(records) {
      const coming = new Map(records.map((record, at) => [record.id, { record, ordinal: at }]));
      replaceBy(records, coming, new Map(), new Map());
    },
    async prepareFill(records) {
      const slice = createSlices(recordsPerSlice);
      const coming = new Map<string, Entry>();
      const indexed = new Map([...lookups.values()].map(({ keysOf }) => [keysOf, new Map()] as const));
      const counted = new Map([...tallies.values()].map(({ keyOf }) => [keyOf, new Map<string, number>()] as const));
      for (const [at, record] of records.entries()) {
        const entry = { record, ordinal: at };
        coming.set(record.id, entry);
        for (const [keysOf, byKey] of indexed) reindex({ keysOf, byKey }, record.id, undefined, entry);
        for (const [keyOf, counts] of counted) recount({ keyOf, counts }, undefined, record);
        const turn = slice();
        if (turn) await turn;
      }
      return () => replaceBy(records, coming, indexed, counted);
    },
  };
  return table;
}

/** How many records are indexed before the event loop gets a turn: a few milliseconds. */
const recordsPerSlice = 1_000;

const none: readonly never[] = [];

function recordsOf(found: Entry | Map<string, Entry> | undefined): readonly StoredRecord[] {
  if (found === undefined) return none;
  if (!(found instanceof Map)) return [found.record];
  return [...found.values()].sort((one, other) => one.ordinal - other.ordinal).map(({ record }) => record);
}

function recount({ keyOf, counts }: Tally, before: StoredRecord | undefined, after: StoredRecord | undefined): void {
  if (before) add(counts, keyOf(before), -1);
  if (after) add(counts, keyOf(after), 1);
}

function add(counts: Tally['counts'], key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function reindex(
  { keysOf, byKey }: Pick<Lookup, 'keysOf' | 'byKey'>,
  id: string,
  before: Entry | undefined,
  after: Entry | null,
): void {
  if (before) for (const key of keysOf(before.record)) takeOut(byKey, key, id);
  if (after) for (const key of keysOf(after.record)) putIn(byKey, key, id, after);
}

function putIn(byKey: Lookup['byKey'], key: string, id: string, entry: Entry): void {
  const found = byKey.get(key);
  if (found === undefined) byKey.set(key, entry);
  else if (found instanceof Map) found.set(id, entry);
  else
    byKey.set(
      key,
      found.record.id === id
        ? entry
        : new Map([
            [found.record.id, found],
            [id, entry],
          ]),
    );
}

function takeOut(byKey: Lookup['byKey'], key: string, id: string): void {
  const found = byKey.get(key);
  if (found === undefined) return;
  if (!(found instanceof Map)) {
    if (found.record.id === id) byKey.delete(key);
    return;
  }
  found.delete(id);
  if (found.size === 0) byKey.delete(key);
}
