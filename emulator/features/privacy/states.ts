import type { LifecycleDeps } from '../../deps.ts';
import { createLifecycle, type Lifecycle } from '../../machine/lifecycle.ts';
import { defineTable, type Source } from '../../machine/table.ts';
import type { PrivacyEvent, PrivacyRequest, PrivacyState } from '../../records.ts';
import { createUsers } from '../../people/users.ts';
import { createEraser, toWords } from './erase.ts';

// Section 3 names no state of a privacy request beyond the flag `processed`; 2.4 has a start and an end of processing.
const source: Source = { provenance: 'assumed', section: '3' };

/** The states of a deletion request. The platform says "within thirty days"; here the pace sets the time. */
export const privacyTable = defineTable<PrivacyState, PrivacyEvent, PrivacyRequest>({
  kind: 'privacy request',
  initial: 'received',
  states: ['received', 'processing', 'processed'],
  rows: [
    {
      from: 'received',
      event: 'start',
      to: 'processing',
      by: ['clock', 'hand'],
      after: { name: 'privacy.start', realistic: 5_000 },
      why: 'The operator began to process the request.',
      source,
    },
    {
      from: 'processing',
      event: 'finish',
      to: 'processed',
      by: ['clock', 'hand'],
      after: { name: 'privacy.finish', realistic: 10_000 },
      why: 'The matching people were deleted, with all their records.',
      source: { provenance: 'documented', section: '4, Privacy deletion' },
    },
  ],
});

/** Moves deletion requests through their states; the move to `processed` deletes the people in the same transaction. */
export function createPrivacyLifecycle({
  store,
  clock,
  delays,
}: LifecycleDeps): Lifecycle<PrivacyEvent, PrivacyRequest> {
  const erase = createEraser(store, createUsers(store));
  return createLifecycle({
    table: privacyTable,
    collection: store.privacyRequests,
    store,
    clock,
    delays,
    onMoved(_before, after) {
      if (after.state === 'processing') store.privacyRequests.put({ ...after, processingStartedAt: after.enteredAt });
      if (after.state === 'processed') {
        const { userIds, ...erased } = erase(after);
        const history = withLastWhy(after.history, toSentence(userIds.length, toWords(store, erased)));
        store.privacyRequests.put({ ...after, history, processingEndedAt: after.enteredAt, deletedUserIds: userIds });
      }
    },
  });
}

function toSentence(people: number, kept: string): string {
  if (people === 0) return 'No one matched, so nothing was deleted.';
  const who = people === 1 ? '1 person was deleted' : `${people} people were deleted`;
  return kept === '' ? `${who}; they had no other records.` : `${who}, with ${kept}.`;
}

/** What was deleted is known only afterwards, when the move is already stored. */
function withLastWhy(history: PrivacyRequest['history'], why: string): PrivacyRequest['history'] {
  const last = history.at(-1);
  return last ? [...history.slice(0, -1), { ...last, why }] : history;
}
