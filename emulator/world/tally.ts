/** What happened while the clock moved, counted as it happens. */
import type { Delivery, Message, StoredRecord, Webhook } from '../records.ts';
import type { Definitions } from '../records/definition.ts';
import type { Change } from '../store/store.ts';

/** The counts of a move of the clock. */
export interface Tally {
  /** Further delivery attempts that began; their answers may come later. */
  readonly retries: number;
  /** How many receivers the retries went to. */
  readonly receivers: number;
  /** Deliveries that are no longer tried. */
  readonly givenUp: number;
  /** Webhooks that disabled themselves. */
  readonly disabled: number;
  /**
   * Collection → state → how many records entered the state and stayed. Without deliveries, which are counted above.
   */
  readonly moved: { readonly [collection: string]: { readonly [state: string]: number } };
  /** Messages sent to people. */
  readonly messages: number;
}

export interface Counter {
  note(changes: readonly Change[]): void;
  read(): Tally;
}

/** Creates a counter for the changes of commits. */
export function createCounter(definitions: Definitions): Counter {
  const counts = { retries: 0, givenUp: 0, disabled: 0, messages: 0 };
  const receivers = new Set<string>();
  /** Collection → id → the state to which a record went last. */
  const moved = new Map<string, Map<string, string>>();

  const noteDelivery = (before: Delivery, after: Delivery): void => {
    if (after.state === 'delivering' && before.state !== 'delivering' && after.attemptCount > 0) {
      counts.retries += 1;
      receivers.add(after.url);
    }
    if (after.state === 'failed' && before.state !== 'failed') counts.givenUp += 1;
  };

  const noteState = (collection: string, id: string, state: string): void => {
    const states = moved.get(collection);
    if (states) states.set(id, state);
    else moved.set(collection, new Map([[id, state]]));
  };

  return {
    note(changes) {
      for (const { collection, id, before, after } of changes) {
        if (after === null) {
          moved.get(collection)?.delete(id);
          continue;
        }
        const { toldAs = null, states = [] } = definitions[collection] ?? {};
        if (toldAs === 'delivery' && before) noteDelivery(before as Delivery, after as Delivery);
        else if (toldAs === 'message' && !before && (after as Message).direction === 'out') counts.messages += 1;
        // Webhooks are the only records without states that change by themselves.
        else if (collection === 'webhooks' && before && isDisabled(before, after)) counts.disabled += 1;
        else if (toldAs === 'change' && states.length > 0 && before && stateOf(before) !== stateOf(after))
          noteState(collection, id, stateOf(after));
      }
    },
    read: () => ({
      ...counts,
      receivers: receivers.size,
      moved: Object.fromEntries([...moved].map(([collection, states]) => [collection, countEach(states.values())])),
    }),
  };
}

const stateOf = (record: StoredRecord): string => (record as StoredRecord & { readonly state: string }).state;

function countEach(states: Iterable<string>): { readonly [state: string]: number } {
  const counts: { [state: string]: number } = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Whether the webhook was disabled by the platform, not by a user. */
function isDisabled(before: StoredRecord, after: StoredRecord): boolean {
  const { disabledAt, disabledReason } = after as Webhook;
  return (before as Webhook).disabledAt === null && disabledAt !== null && disabledReason !== null;
}
