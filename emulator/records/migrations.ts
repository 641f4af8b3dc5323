/** How records of older versions are brought up to date: those of a data folder, of a snapshot and of a seed alike. */

/** The format of what this version writes. A change of the shape of a record raises it, with a step here. */
export const currentFormat = 2;

type Json = { readonly [field: string]: unknown };
type Records = { readonly [collection: string]: readonly Json[] | undefined };

/**
 * From a format to the next one. A step leaves records as they are that have the new shape already: the journal of a
 * folder whose state was never saved does not say of which format it is.
 */
const migrations: { readonly [from: number]: (older: Records) => Records } = { 1: withAddresses };

/** The records in the current format; the same object if nothing had to be changed. */
export function migrateRecords<R>(records: R, format: number): R {
  let present = records as unknown as Records;
  for (let from = format; from < currentFormat; from++) present = migrations[from]?.(present) ?? present;
  return present as unknown as R;
}

/**
 * Format 2: a person has addresses, each known from somewhere and since some time, and a subscription is of one
 * address. Before, it belonged to the person, and events named their first address: that is used as the subscribed one.
 */
function withAddresses(older: Records): Records {
  const { users = [], subscriptions = [] } = older;
  // What does not even look like records is refused by the check that follows.
  if (![users, subscriptions].every((list) => Array.isArray(list) && list.every(isObject))) return older;
  if (users.every((user) => Array.isArray(user['addresses'])) && subscriptions.every((one) => 'address' in one))
    return older;
  const people = users.map((user) => (Array.isArray(user['addresses']) ? user : toPerson(user)));
  const byId = new Map(people.map((user) => [user['id'], user]));
  return {
    ...older,
    users: people,
    subscriptions: subscriptions.flatMap((one) => {
      if ('address' in one) return [one];
      const { addresses = [] } = (byId.get(one['userId']) ?? {}) as { readonly addresses?: readonly Json[] };
      const value = addresses.find(({ channel }) => channel === one['channel'])?.['value'];
      if (typeof value !== 'string') return [];
      const { userId, companyId, type, channel, id: _id, ...rest } = one;
      const id = `${String(userId)}:${String(type)}:${String(channel)}:${channel === 'EMAIL' ? value.toLowerCase() : value}`;
      return [{ id, companyId, userId, address: value, type, channel, ...rest }];
    }),
  };
}

function toPerson({ phones, emails, ...user }: Json): Json {
  const from = { by: 'unknown', what: 'before Sandpiper stored the source of addresses', requestId: null };
  const toAddresses = (values: unknown, channel: string): readonly Json[] =>
    (Array.isArray(values) ? values : []).map((value) => ({ channel, value, since: user['createdAt'], from }));
  return { ...user, addresses: [...toAddresses(phones, 'TEXT'), ...toAddresses(emails, 'EMAIL')], merged: [] };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
