/** The state at an earlier moment: the first one that is known, with what was committed up to that moment. */
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Change, StateDocument, Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';

/** A transaction and when it was, epoch ms on the virtual clock. */
interface Commit {
  readonly at: number;
  readonly changes: readonly Change[];
}

/** What led to a state: the first state that is known, since when it was, and what was committed from then on. */
export interface History {
  readonly first: StateDocument;
  readonly since: number;
  readonly commits: readonly Commit[];
}

/** The records at an earlier moment. */
export interface Moment {
  readonly document: StateDocument;
  readonly history: History;
  /** Whether a catalog was saved since: products are files, and are as they are now. */
  readonly hasOtherProducts: boolean;
}

export interface Past {
  /** The first moment that is known, epoch ms. */
  earliest(): number;
  /** The state after everything up to a time, epoch ms; null if that is before the first moment that is known. */
  at(time: number): Moment | null;
  /** For a checkpoint. */
  history(): History;
  /** Says what led to the state that takes the place of the present one next; called before that. */
  continueWith(history: History | null): void;
}

/** So many changed records are kept; the records themselves are shared with the store. */
const keptChanges = 30_000;

/** Creates the past of a store; it begins now. Nothing is folded until someone asks. */
export function createPast({ store, clock }: { readonly store: Store; readonly clock: Pick<Clock, 'now'> }): Past {
  let first = toBase(store.toDocument());
  let since = clock.now();
  let commits: Commit[] = [];
  let changed = 0;
  let coming: History | null = null;

  store.onCommit((changes) => {
    commits.push({ at: clock.now(), changes });
    changed += changes.length;
    if (changed > keptChanges * 1.1) trim();
  });
  store.onReplace(() => {
    // Where nothing led to it, it begins now.
    first = toBase(coming?.first ?? store.toDocument());
    since = coming?.since ?? clock.now();
    commits = [...(coming?.commits ?? [])];
    changed = commits.reduce((sum, { changes }) => sum + changes.length, 0);
    coming = null;
  });

  /** The oldest commits become part of the first state. */
  function trim(): void {
    let count = 0;
    while (changed > keptChanges && count < commits.length) {
      changed -= commits[count]?.changes.length ?? 0;
      count += 1;
    }
    first.fold(commits.slice(0, count));
    since = commits[count - 1]?.at ?? since;
    commits = commits.slice(count);
  }

  return {
    earliest: () => since,
    at(time) {
      if (time < since) return null;
      let kept = commits.length;
      while (kept > 0 && (commits[kept - 1] as Commit).at > time) kept -= 1;
      const own = commits.slice(0, kept);
      return {
        document: { ...replay(first.document(), own), sequence: store.toDocument().sequence },
        history: { first: first.document(), since, commits: own },
        hasOtherProducts: commits.slice(kept).some(({ changes }) => changes.some(isSaved)),
      };
    },
    history: () => ({ first: first.document(), since, commits: [...commits] }),
    continueWith(history) {
      coming = history;
    },
  };
}

function isSaved({ collection, before, after }: Change): boolean {
  const stateOf = (record: StoredRecord | null): unknown => (record as { readonly state?: unknown } | null)?.state;
  return collection === 'uploads' && stateOf(before) !== 'completed' && stateOf(after) === 'completed';
}

/** A state to which commits are added. */
interface Base {
  /** Takes as long as the commits are large, not the state: a collection is looked through once, at its first change. */
  fold(commits: readonly Commit[]): void;
  document(): StateDocument;
}

function toBase(start: StateDocument): Base {
  let unchanged = start;
  const changed = new Map<CollectionName, Map<string, StoredRecord>>();
  return {
    fold(commits) {
      for (const { changes } of commits)
        for (const { collection, id, after } of changes) {
          let records = changed.get(collection);
          if (!records) {
            const { [collection]: its = [], ...others } = unchanged.collections;
            records = new Map(its.map((record) => [record.id, record]));
            changed.set(collection, records);
            unchanged = { ...unchanged, collections: others };
          }
          // A replaced record keeps its place, as in the store.
          if (after) records.set(id, after);
          else records.delete(id);
        }
    },
    document() {
      const lists = [...changed].map(([name, records]) => [name, [...records.values()]]);
      return { ...unchanged, collections: { ...unchanged.collections, ...Object.fromEntries(lists) } };
    },
  };
}

/** A state with these commits done, oldest first. */
function replay(document: StateDocument, commits: readonly Commit[]): StateDocument {
  const base = toBase(document);
  base.fold(commits);
  return base.document();
}
