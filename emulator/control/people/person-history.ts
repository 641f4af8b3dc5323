import type { LedBy } from '../../world/lineage.ts';
import type { Delivery, InboundEvent, Message, User } from '../../records.ts';
import type { Store } from '../../store/store.ts';
import { identitiesOf } from './people-search.ts';
import { byTime } from '../../time/duration.ts';
import { createSlices } from '../../time/slices.ts';
import { sortInSlices } from '../../time/sort-slices.ts';
import { findCauses, type Causes } from './person-causes.ts';
import { causeOfAttempt, deliveriesAbout, ofPerson, privacyRequestsOf } from './person-facts.ts';
import { shorten, shortQuote } from '../shorten.ts';
import { historyGroup, type HistoryEntryView, type HistoryGroup, type PersonHistoryView } from '../contract/people.ts';
import { toZeros } from '../zeros.ts';

type Entry = HistoryEntryView;

/** How many entries are made or examined before the event loop gets a turn: a few milliseconds. */
const perTurn = 500;

/** What happened to a person, and what they did, newest first. */
export async function toHistory(
  store: Store,
  lineage: LedBy,
  user: User,
  {
    group,
    offset,
    limit,
  }: { readonly group: HistoryGroup | undefined; readonly offset: number; readonly limit: number },
): Promise<PersonHistoryView> {
  const causes = await findCauses(lineage, user);
  const counts = toZeros(historyGroup.enum);
  const wanted: Entry[] = [];
  const slice = createSlices(perTurn);
  for (const entry of entriesOf(store, user, causes)) {
    if (entry) counts[entry.group] += 1;
    if (entry && (group === undefined || entry.group === group)) wanted.push(entry);
    const turn = slice();
    if (turn) await turn;
  }
  const sorted = await sortInSlices(wanted, (one, other) => byTime(one.at, other.at));
  return { total: sorted.length, counts, entries: sorted.toReversed().slice(offset, offset + limit) };
}

/**
 * Yields the entries one by one, so that the event loop can get a turn; null for a step without an entry. The effects
 * of a request come after it.
 */
function* entriesOf(store: Store, user: User, causes: Causes): Iterable<Entry | null> {
  yield* toIdentityEntries(user, causes);
  yield* toSubscriptionEntries(store, user, causes);
  yield* toAttributeEntries(store, user, causes);
  yield* toPrivacyEntries(store, user, causes);
  for (const event of ofPerson(store, 'events', user)) yield toEventEntry(event, causes);
  for (const message of ofPerson(store, 'messages', user)) yield* toMessageEntries(message, causes);
  for (const delivery of deliveriesAbout(store, user)) yield toDeliveryEntry(delivery, causes);
}

const plain = { byPerson: false, channel: null, detail: null, cause: null } as const;

function* toIdentityEntries(user: User, causes: Causes): Iterable<Entry | null> {
  const changes = causes.changesOf('users');
  const base = { ...plain, group: 'changes', kind: 'users', id: user.id } as const;
  const { cause = null } = changes.find(({ change }) => change.before === null) ?? {};
  yield { ...base, at: user.createdAt, what: 'known', says: 'Known for the first time', cause };
  for (const { name, at, from } of user.merged) {
    const cause = from.requestId === null ? null : { requestId: from.requestId, operation: from.what };
    yield { ...base, at, cause, what: 'identified', says: `Became one with ${name}` };
  }
  for (const { change, at, cause } of changes) {
    yield null;
    const [before, after] = [change.before as User | null, change.after as User | null];
    if (!before || !after) continue;
    const known = new Set(identitiesOf(before).map(toText));
    for (const identity of identitiesOf(after).map(toText))
      if (!known.has(identity)) yield { ...base, at, cause, what: 'identified', says: `Identified by ${identity}` };
  }
}

const toText = ({ by, value }: { readonly by: string; readonly value: string }): string => `${by} ${value}`;

function toSubscriptionEntries(store: Store, user: User, causes: Causes): readonly Entry[] {
  return ofPerson(store, 'subscriptions', user).flatMap(({ id, type, channel, address, attempts }) =>
    attempts.map(({ at, act }, index): Entry => {
      const again = attempts[index - 1]?.act === act;
      const does = act === 'subscribe' ? 'Subscribed to' : 'Unsubscribed from';
      return {
        ...plain,
        at,
        group: 'changes',
        what: act === 'subscribe' ? 'subscribed' : 'unsubscribed',
        channel,
        says: `${does} ${type} by ${channel}${again ? ' again' : ''}`,
        detail: address,
        kind: 'subscriptions',
        id,
        cause: causeOfAttempt(causes, id, at),
      };
    }),
  );
}

function toAttributeEntries(store: Store, user: User, causes: Causes): readonly Entry[] {
  const changes = causes.changesOf('attributeValues');
  const base = { ...plain, group: 'changes', what: 'attribute', kind: 'attribute-values' } as const;
  const say = (name: string | undefined, value: string): string => `${name} set to ${shorten(value, 80)}`;
  const recorded = changes.flatMap(({ change: { id, before, after }, at, cause }): readonly Entry[] => {
    if (!after) return [];
    const { name, value = '' } = after as { readonly name?: string; readonly value?: string };
    const old = (before as { readonly value?: string } | null)?.value;
    const detail = old ? `was ${shorten(old, 80)}` : null;
    return [{ ...base, at, id, cause, says: say(name, value), detail }];
  });
  const told = new Set(changes.map(({ change }) => change.id));
  const others = ofPerson(store, 'attributeValues', user)
    .filter(({ id }) => !told.has(id))
    .map(({ id, name, value, updatedAt }): Entry => ({ ...base, at: updatedAt, id, says: say(name, value) }));
  return [...recorded, ...others];
}

function toPrivacyEntries(store: Store, user: User, causes: Causes): readonly Entry[] {
  return privacyRequestsOf(store, user).flatMap(({ id, history }) =>
    history.map(({ at, to, by }, index): Entry => ({
      ...plain,
      at,
      group: 'changes',
      what: 'privacy',
      says: `Deletion request ${to}`,
      detail: by === 'call' ? null : `by the ${by}`,
      kind: 'privacy-requests',
      id,
      cause: index === 0 ? causes.of('privacyRequests', id) : null,
    })),
  );
}

const kinds: { readonly [kind in InboundEvent['kind']]: string } = {
  'product-view': 'Product view',
  'add-to-cart': 'Add to cart',
  purchase: 'Purchase',
  custom: 'Event',
};

function toEventEntry({ id, kind, type, externalEventId, receivedAt }: InboundEvent, causes: Causes): Entry {
  return {
    ...plain,
    at: receivedAt,
    group: 'events',
    what: 'event',
    says: kind === 'custom' ? `Event ${type}` : kinds[kind],
    detail: externalEventId,
    kind: 'events',
    id,
    cause: causes.of('events', id),
  };
}

function toMessageEntries(message: Message, causes: Causes): readonly Entry[] {
  const { id, channel, direction, sentAt, opens, clicks } = message;
  const title = shortQuote(message.subject ?? message.text, 60);
  const base = { ...plain, group: 'messages', channel, kind: 'messages', id } as const;
  const noun = channel === 'TEXT' ? 'Text' : 'Email';
  const first: Entry =
    direction === 'in'
      ? { ...base, at: sentAt, what: 'replied', byPerson: true, says: `Replied ${title}` }
      : { ...base, at: sentAt, what: 'sent', says: `${noun} ${title} sent`, cause: causes.maker('messages', id) };
  return [
    first,
    ...opens.map((at): Entry => ({ ...base, at, what: 'opened', byPerson: true, says: `${noun} ${title} opened` })),
    ...clicks.map(({ at, url }): Entry => ({
      ...base,
      at,
      what: 'clicked',
      byPerson: true,
      says: `Link ${channel === 'TEXT' ? 'tapped' : 'clicked'} in ${title}`,
      detail: url,
      cause: causes.of('messages', id, (after) => (after as Message | null)?.clicks.at(-1)?.at === at),
    })),
  ];
}

function toDeliveryEntry({ id, type, state, createdAt }: Delivery, causes: Causes): Entry {
  return {
    ...plain,
    at: createdAt,
    group: 'deliveries',
    what: 'delivery',
    says: type,
    detail: state,
    kind: 'deliveries',
    id,
    cause: causes.of('deliveries', id),
  };
}
