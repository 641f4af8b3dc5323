/** Brings records of older versions up to date, whether from a data folder, a snapshot or a seed. */
import { isJsonObject } from '../contract/json-object.ts';

/** The format that this version writes. To change the shape of a record, raise this number and add a step here. */
export const currentFormat = 2;

type Json = { readonly [field: string]: unknown };
/** Work that yields after each record, so that it can be done in slices (time/slices.ts). */
type Steps<R> = Generator<void, R, void>;
type Records = { readonly [collection: string]: readonly Json[] | undefined };

/**
 * The steps, each from a format to the next one. A step leaves records alone that already have the new shape: the
 * journal of a folder whose state was never saved does not name its format.
 */
const migrations: { readonly [from: number]: (older: Records) => Steps<Records> } = { 1: withAddresses };

/** The records in the current format; the same object if nothing had to be changed. */
export function* migrateRecords<R>(records: R, format: number): Steps<R> {
  let present = records as unknown as Records;
  for (let from = format; from < currentFormat; from++) {
    const steps = migrations[from]?.(present);
    if (steps) present = yield* steps;
  }
  return present as unknown as R;
}

/**
 * Format 2: a person has addresses, each with its source and time, and a subscription has one address. Before, a
 * subscription belonged to the person, and events named the person's first address: it becomes the subscribed one.
 */
function* withAddresses(older: Records): Steps<Records> {
  const { users = [], subscriptions = [] } = older;
  // The check that follows refuses anything that does not even look like records.
  if (![users, subscriptions].every((list) => Array.isArray(list) && list.every(isJsonObject))) return older;
  if (users.every((user) => Array.isArray(user['addresses'])) && subscriptions.every((one) => 'address' in one))
    return older;
  const byId = new Map<unknown, Json>();
  for (const user of users) {
    byId.set(user['id'], Array.isArray(user['addresses']) ? user : toPerson(user));
    yield;
  }
  const ofAddresses: Json[] = [];
  for (const one of subscriptions) {
    const updated = 'address' in one ? one : toSubscription(one, byId.get(one['userId']));
    if (updated) ofAddresses.push(updated);
    yield;
  }
  return { ...older, users: [...byId.values()], subscriptions: ofAddresses };
}

/** Null if the person has no address of the subscription's channel. */
function toSubscription(
  { userId, companyId, type, channel, id: _id, ...rest }: Json,
  user: { readonly addresses?: readonly Json[] } = {},
): Json | null {
  const value = user.addresses?.find((address) => address['channel'] === channel)?.['value'];
  if (typeof value !== 'string') return null;
  const id = `${String(userId)}:${String(type)}:${String(channel)}:${channel === 'EMAIL' ? value.toLowerCase() : value}`;
  return { id, companyId, userId, address: value, type, channel, ...rest };
}

function toPerson({ phones, emails, ...user }: Json): Json {
  const from = { by: 'unknown', what: 'before Sandpiper stored the source of addresses', requestId: null };
  const toAddresses = (values: unknown, channel: string): readonly Json[] =>
    (Array.isArray(values) ? values : []).map((value) => ({ channel, value, since: user['createdAt'], from }));
  return { ...user, addresses: [...toAddresses(phones, 'TEXT'), ...toAddresses(emails, 'EMAIL')], merged: [] };
}
