/**
 * The one list of all kinds of records that have states: the table of each kind, and the phrases for what the clock
 * does to its records. A running emulator adds the lifecycles that move them. A new kind of record with states is a row
 * here.
 */
import { deliveryTable } from './delivery/table.ts';
import { uploadTable } from './features/catalog/states.ts';
import { offerTable } from './features/offers/states.ts';
import { privacyTable } from './features/privacy/states.ts';
import type { Lifecycle } from './machine/lifecycle.ts';
import type { Delay, Row } from './machine/table.ts';
import type { CollectionName, Collections, Move, StoredRecord } from './records.ts';
import type { Store } from './store/store.ts';

/** The part of a table that can be read without a record. */
interface KindTable {
  /** The prefix of the keys of its timers. */
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
  /** Whether a move by hand can be undone. A request that a receiver got cannot. */
  readonly undoable: boolean;
  /** A phrase for people that says what the clock does to a record with `event`. */
  describe(id: string, event: string, store: Store): string;
}

/** The collections whose records have states. */
type WithStates = {
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
} as const satisfies { readonly [N in WithStates]: LifecycleKind };

/** The name of each kind. It is read from the rows, so that a missing one is an error there, and nowhere else. */
export type StatefulName = keyof typeof lifecycleKinds;

/** The delays after which the clock moves records. */
export const delays: readonly Delay[] = Object.values(lifecycleKinds).flatMap(({ table }) =>
  table.rows.flatMap(({ after }) => after ?? []),
);

/** The lifecycle of each kind, which moves its records. */
export type LifecycleOf = {
  readonly [N in StatefulName]: Pick<Lifecycle<never, Collections[N]>, 'moves' | 'poke'> & {
    moveByHand(id: string, event: string): Promise<unknown>;
  };
};

/** The lifecycles of a running emulator, for code that knows a record only by its collection. */
export interface Lifecycles {
  /** The moves that a record's state allows, and why it forbids the others; [] if its collection has no states. */
  movesOf(name: CollectionName, record: StoredRecord): readonly Move[];
  /**
   * Moves a record at the developer's request, and resolves when the work that belongs to the move is done.
   * @throws IllegalMove; Refusal if the work fails
   */
  moveRecord(name: CollectionName, id: string, event: string): Promise<void>;
  /** Sets the timers of a record again from the store. Call it after a record was changed or removed from outside. */
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
