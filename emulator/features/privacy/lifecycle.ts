import type { LifecycleDeps } from '../../deps.ts';
import { createLifecycle, type LifecycleFor } from '../../machine/lifecycle.ts';
import type { PrivacyRequest } from '../../records.ts';
import { createUsers } from '../../people/users.ts';
import { createEraser, toWords } from './erase.ts';
import { privacyTable } from './states.ts';

/** Moves deletion requests through their states; the move to `processed` deletes the people in the same transaction. */
export function createPrivacyLifecycle({ store, clock, delays }: LifecycleDeps): LifecycleFor<typeof privacyTable> {
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
  return `${people === 1 ? '1 person was deleted' : `${people} people were deleted`}, with ${kept}.`;
}

/** Replaces the reason of the last move: what was deleted is known only when the move is already stored. */
function withLastWhy(history: PrivacyRequest['history'], why: string): PrivacyRequest['history'] {
  const last = history.at(-1);
  return last ? [...history.slice(0, -1), { ...last, why }] : history;
}
