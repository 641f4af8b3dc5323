/** What happened while the clock moved, counted as it happens. */
import type { Delivery, Message, StoredRecord, Webhook } from '../records.ts';
import type { Change } from '../store/store.ts';

/** The counts of a move of the clock. */
export interface Tally {
  /** Further attempts to deliver, and how many of them were accepted. */
  readonly retries: number;
  readonly accepted: number;
  /** How many receivers the retries went to. */
  readonly receivers: number;
  /** Deliveries that are not tried any more. */
  readonly givenUp: number;
  /** Webhooks that disabled themselves. */
  readonly disabled: number;
  /** Deletion requests that are done. */
  readonly deletions: number;
  /** Offers that changed their state. */
  readonly offers: number;
  /** Catalog uploads that changed their state. */
  readonly uploads: number;
  /** Messages sent to people. */
  readonly messages: number;
}

export interface Counter {
  note(changes: readonly Change[]): void;
  read(): Tally;
}

/** Creates a counter of what commits change. */
export function createCounter(): Counter {
  const counts = { retries: 0, accepted: 0, givenUp: 0, disabled: 0, deletions: 0, offers: 0, uploads: 0, messages: 0 };
  const receivers = new Set<string>();

  const noteDelivery = (before: Delivery, after: Delivery): void => {
    if (after.attemptCount > before.attemptCount && after.attemptCount > 1) {
      counts.retries += 1;
      if (after.state === 'delivered') counts.accepted += 1;
      receivers.add(after.url);
    }
    if (after.state === 'failed' && before.state !== 'failed') counts.givenUp += 1;
  };

  return {
    note(changes) {
      for (const { collection, before, after } of changes) {
        if (after === null) continue;
        const isMoved = stateOf(before) !== stateOf(after) && before !== null;
        if (collection === 'deliveries' && before) noteDelivery(before as Delivery, after as Delivery);
        else if (collection === 'webhooks' && before && isDisabled(before, after)) counts.disabled += 1;
        else if (collection === 'privacyRequests' && isMoved && stateOf(after) === 'processed') counts.deletions += 1;
        else if (collection === 'offers' && isMoved) counts.offers += 1;
        else if (collection === 'uploads' && isMoved) counts.uploads += 1;
        else if (collection === 'messages' && !before && (after as Message).direction === 'out') counts.messages += 1;
      }
    },
    read: () => ({ ...counts, receivers: receivers.size }),
  };
}

const stateOf = (record: StoredRecord | null): unknown => (record as { readonly state?: unknown } | null)?.state;

/** By the platform, not by a user. */
function isDisabled(before: StoredRecord, after: StoredRecord): boolean {
  const { disabledAt, disabledReason } = after as Webhook;
  return (before as Webhook).disabledAt === null && disabledAt !== null && disabledReason !== null;
}
