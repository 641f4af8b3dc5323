import type { CollectionName, PrivacyRequest } from '../../records.ts';
import type { Store } from '../../store/store.ts';
import { countOfPerson, erasePerson } from '../../people/of-person.ts';
import type { Identifiers, Users } from '../../people/users.ts';

/** The result of a deletion request: the deleted people by id, and how many of their records of each kind. */
export interface Erased {
  readonly userIds: readonly string[];
  readonly addresses: number;
  readonly kept: ReadonlyMap<CollectionName, number>;
}

/**
 * Creates the function behind deletion requests: it deletes the matching people of the company with all their records,
 * and returns what it deleted. Inside a transaction.
 */
export function createEraser(store: Store, users: Users): (request: PrivacyRequest) => Erased {
  return (request) => {
    const people = users.find(request.companyId, toSubject(request));
    const kept = new Map<CollectionName, number>();
    const addresses = people.reduce((sum, user) => sum + user.addresses.length, 0);
    for (const { id } of people) {
      for (const [name, count] of countOfPerson(store, id)) kept.set(name, (kept.get(name) ?? 0) + count);
      erasePerson(store, id);
    }
    return { userIds: people.map(({ id }) => id), addresses, kept };
  };
}

/** In words: `2 addresses, 2 subscriptions, 1 event`. Not empty if a person was found, because that took an address. */
export function toWords({ definitions }: Store, { addresses, kept }: Omit<Erased, 'userIds'>): string {
  const own = addresses === 0 ? [] : [`${addresses} address${addresses === 1 ? '' : 'es'}`];
  const others = [...kept].flatMap(([name, count]) => {
    const [one, many] = definitions[name]?.words ?? [name, name];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return [...own, ...others].join(', ');
}

/** Only users matching the submitted email or phone are processed (section 4, Privacy deletion). */
export function toSubject({ subjectPhone, subjectEmail }: PrivacyRequest): Identifiers {
  return { phone: subjectPhone, email: subjectEmail };
}
