import { toIso, type Due } from '../time/clock.ts';
import type { Store } from '../store/store.ts';
import type { DueView } from './protocol.ts';

interface Kind {
  /** As records of it are addressed. */
  readonly kind: string;
  /** What the passing of time does to a record, in the words of the platform. */
  says(id: string, event: string, store: Store): string;
}

/** By the word that timers' keys begin with (machine/lifecycle.ts, features/catalog/catalog.ts). */
const kinds: { readonly [word: string]: Kind } = {
  upload: {
    kind: 'uploads',
    says: (id, event) =>
      `Upload ${shortened(id)}: ${
        { checked: 'its file is checked', check: 'its file is checked', save: 'its products are saved' }[event] ??
        { expire: 'its link expires', tidy: 'its files are removed' }[event] ??
        event
      }`,
  },
  offer: {
    kind: 'offers',
    says(id, event, store) {
      const name = store.offers.get(id)?.name ?? id;
      return event === 'synced' ? `Offer ${name} becomes ACTIVE` : `Offer ${name}: ${event}`;
    },
  },
  'privacy request': {
    kind: 'privacy-requests',
    says: (id, event) =>
      `Privacy request ${shortened(id)} ${{ start: 'starts to be processed', finish: 'is processed' }[event] ?? event}`,
  },
  delivery: {
    kind: 'deliveries',
    says(id, event, store) {
      const type = store.deliveries.get(id)?.type ?? shortened(id);
      return event === 'retry' ? `Retry of ${type}` : `Delivery of ${type}: ${event}`;
    },
  },
};

/** A timer as people read it. Those of our own housekeeping are of no kind. */
export function toDueView({ key, at, label }: Due, store: Store): DueView {
  const [, word = '', id = '', event = ''] =
    /^([a-z ]+):(.+):([A-Za-z]+)$/.exec(key) ?? /^(upload) work (\S+) ([a-z]+)$/.exec(key) ?? [];
  const known = kinds[word];
  const base = { label, at: toIso(at) };
  return known
    ? { ...base, says: known.says(id, event, store), kind: known.kind, id }
    : { ...base, says: label, kind: null, id: null };
}

/** Both ends of a long id. */
function shortened(id: string): string {
  return id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-5)}` : id;
}
