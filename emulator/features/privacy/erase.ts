import type { PrivacyRequest, StoredRecord, User } from '../../records.ts';
import type { Store } from '../../store/store.ts';
import type { Identifiers, Users } from '../../users.ts';

/**
 * Creates the act of a deletion request: it deletes the matching people of its company with their subscriptions,
 * attribute values and events, and answers with their ids. Inside a transaction.
 */
export function createEraser(store: Store, users: Users): (request: PrivacyRequest) => readonly string[] {
  return (request) => users.find(request.companyId, toSubject(request)).map((user) => eraseUser(store, user));
}

/**
 * Only users matching the submitted email or phone are processed (section 4, Privacy deletion). A clientUserId counts
 * only where both are empty (shapes.md 2.10).
 */
export function toSubject({ subjectPhone, subjectEmail, clientUserId }: PrivacyRequest): Identifiers {
  const named = subjectPhone !== null || subjectEmail !== null;
  return named ? { phone: subjectPhone, email: subjectEmail } : { clientUserId };
}

function eraseUser(store: Store, { id }: User): string {
  for (const kept of [store.subscriptions, store.attributeValues, store.events, store.messages, store.shortLinks]) {
    for (const one of kept.index('byUser', ({ userId }: Owned) => [userId]).get(id)) kept.delete(one.id);
  }
  store.users.delete(id);
  return id;
}

type Owned = StoredRecord & { readonly userId: string };
