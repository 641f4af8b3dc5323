/**
 * Every kind of record that has states, once: its table, the words for what time does to it, and, where an emulator
 * runs, what moves its records. A new kind of record with states is a row here.
 */
import { deliveryTable } from './delivery/table.ts';
import { uploadTable } from './features/catalog/states.ts';
import { offerTable } from './features/offers/states.ts';
import { privacyTable } from './features/privacy/states.ts';
import type { Lifecycle } from './machine/lifecycle.ts';
import type { Delay, Row } from './machine/table.ts';
import type { CollectionName, Collections, Move, StoredRecord } from './records.ts';
import type { Store } from './store/store.ts';

/** What can be read from a table without a record. */
interface KindTable {
  /** As the keys of timers begin. */
  readonly kind: string;
  readonly initial: string;
  readonly states: readonly string[];
  readonly rows: readonly Pick<
    Row<string, string, never>,
    'from' | 'event' | 'to' | 'by' | 'after' | 'why' | 'source'
  >[];
}

export interface LifecycleKind {
  readonly table: KindTable;
  /** Whether a move by hand can be undone. What a receiver was sent cannot. */
  readonly undoable: boolean;
  /** What the clock does to a record with `event`, as a phrase for people. */
  describe(id: string, event: string, store: Store): string;
}

/** The collections whose records have states: each needs a row below. */
export type StatefulName = {
  readonly [N in CollectionName]: Collections[N] extends { readonly state: string } ? N : never;
}[CollectionName];

export const lifecycleKinds = {
  uploads: {
    table: uploadTable,
    undoable: true,
    describe: (id, event) =>
      `Upload ${shortened(id)}: ${{ checked: 'its file is checked', save: 'its products are saved', expire: 'its link expires' }[event] ?? event}`,
  },
  privacyRequests: {
    table: privacyTable,
    undoable: true,
    describe: (id, event) =>
      `Privacy request ${shortened(id)} ${{ start: 'starts to be processed', finish: 'is processed' }[event] ?? event}`,
  },
  offers: {
    table: offerTable,
    undoable: true,
    describe(id, event, store) {
      const name = store.offers.get(id)?.name ?? id;
      return event === 'synced' ? `Offer ${name} becomes ACTIVE` : `Offer ${name}: ${event}`;
    },
  },
  deliveries: {
    table: deliveryTable,
    undoable: false,
    describe(id, event, store) {
      const type = store.deliveries.get(id)?.type ?? shortened(id);
      return event === 'retry' ? `Retry of ${type}` : `Delivery of ${type}: ${event}`;
    },
  },
} as const satisfies { readonly [N in StatefulName]: LifecycleKind };

/** After how long the clock moves records, each delay once. */
export const delays: readonly Delay[] = Object.values(lifecycleKinds).flatMap(({ table }) =>
  table.rows.flatMap(({ after }) => after ?? []),
);

/** What moves the records of each kind. */
export type LifecycleOf = {
  readonly [N in StatefulName]: Pick<Lifecycle<never, Collections[N]>, 'moves' | 'poke'> & {
    moveByHand(id: string, event: string): Promise<unknown>;
  };
};

/** The lifecycles of a running emulator, for code that knows a record only by its collection. */
export interface Lifecycles {
  /** Which moves a record's state allows, and why not the others; [] if its collection has no states. */
  movesOf(name: CollectionName, record: StoredRecord): readonly Move[];
  /**
   * Moves a record by the developer's hand, and resolves when the work that belongs to the move is done.
   * @throws IllegalMove; Refusal if the work fails
   */
  moveRecord(name: CollectionName, id: string, event: string): Promise<void>;
  /** To be called when a record was changed or removed from outside: its timers are set again from the store. */
  poke(name: CollectionName, id: string): void;
}

/** Creates the lookup by collection. */
export function createLifecycles(all: LifecycleOf): Lifecycles {
  type Any = LifecycleOf[StatefulName] & { moves(record: StoredRecord): readonly Move[] };
  const of = (name: CollectionName): Any | undefined => (all as { readonly [N in CollectionName]?: Any })[name];
  return {
    movesOf: (name, record) => of(name)?.moves(record) ?? [],
    async moveRecord(name, id, event) {
      const lifecycle = of(name);
      if (!lifecycle) throw new Error(`Records of ${name} have no states, so nothing moves them.`);
      await lifecycle.moveByHand(id, event);
    },
    poke: (name, id) => of(name)?.poke(id),
  };
}

/** Both ends of a long id. */
function shortened(id: string): string {
  return id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-5)}` : id;
}
