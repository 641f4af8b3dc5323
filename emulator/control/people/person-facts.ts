import type { Activities } from '../../world/activities.ts';
import type { Activity, TapEffects } from '../../world/activity.ts';
import type { LedBy } from '../../world/lineage.ts';
import type { Delivery, Message, PrivacyRequest, StoredRecord, Subscription, User } from '../../records.ts';
import type { Collection, Store } from '../../store/store.ts';
import { definitions } from '../../records/definitions.ts';
import { subscriberOf } from '../../records/deliveries.ts';
import { prepareRecordsOfPeople } from '../../people/of-person.ts';
import { byTime, toIso } from '../../time/duration.ts';
import { whenTriedNext } from '../delivery-views.ts';
import { shortQuote } from '../shorten.ts';
import { toPerson } from './people-search.ts';
import { findCauses, type Causes } from './person-causes.ts';
import type {
  PersonAttributeView,
  PersonDeliveryView,
  PersonSubscriptionView,
  PersonTapView,
  PersonView,
} from '../contract/people.ts';

/** How many of the newest messages and deliveries are shown at once. */
const shown = 500;

type OfUser = StoredRecord & { readonly userId: string };

/** The records of a person in a collection, oldest first. */
export function ofPerson<Name extends 'subscriptions' | 'attributeValues' | 'events' | 'messages'>(
  store: Store,
  name: Name,
  user: User,
): readonly (ReturnType<Store[Name]['get']> & {})[] {
  const collection = store[name] as unknown as Collection<OfUser>;
  return collection.index('byUser', (one) => [one.userId]).get(user.id) as never;
}

/**
 * The deliveries about a person and about people who were merged into them, oldest first. Their payload names the
 * person by the number.
 */
export function deliveriesAbout(store: Store, user: User): readonly Delivery[] {
  const about = store.deliveries.index('bySubscriber', toSubscriber);
  const own = about.get(`${user.companyId} ${user.externalId}`);
  if (user.merged.length === 0) return own;
  const others = user.merged.flatMap(({ externalId }) => about.get(`${user.companyId} ${externalId}`));
  return [...own, ...others].sort((one, other) => byTime(one.createdAt, other.createdAt));
}

const toSubscriber = ({ companyId, body }: Delivery): readonly string[] => {
  const number = subscriberOf(body);
  return number === null ? [] : [`${companyId} ${number}`];
};

/** Prepares the indexes for a person's records. The first time, this takes long if there are many records. */
export async function preparePerson(store: Store): Promise<void> {
  await prepareRecordsOfPeople(store);
  await store.deliveries.prepareIndex('bySubscriber', toSubscriber);
}

/** The deletion requests that name a person, or that deleted them before they came back. */
export function privacyRequestsOf(store: Store, user: User): readonly PrivacyRequest[] {
  const person = toPerson([user]);
  return store.privacyRequests
    .index('byCompany', ({ companyId }) => [companyId])
    .get(user.companyId)
    .filter((request) => definitions.privacyRequests.names?.(request, person));
}

/** Everything known about a person except their history. */
export async function toPersonView(
  {
    store,
    lineage,
    activities,
  }: { readonly store: Store; readonly lineage: LedBy; readonly activities: Pick<Activities, 'all'> },
  user: User,
): Promise<PersonView> {
  const causes = await findCauses(lineage, user, ['users', 'subscriptions', 'attributeValues']);
  const messages = ofPerson(store, 'messages', user);
  const deliveries = deliveriesAbout(store, user);
  const taps = tapsOf(store, activities, messages);
  return {
    person: user,
    cause: causes.changesOf('users').find(({ change }) => change.before === null)?.cause ?? null,
    subscriptions: ofPerson(store, 'subscriptions', user).map((one) =>
      toSubscriptionView(store, one, causes, messages, taps),
    ),
    attributes: ofPerson(store, 'attributeValues', user).map((one): PersonAttributeView => {
      const definition = store.attributeDefinitions.get(`${user.companyId}:${one.name}`);
      return {
        id: one.id,
        name: one.name,
        value: one.value,
        type: definition?.type ?? 'string',
        values: definition?.values ?? null,
        updatedAt: one.updatedAt,
        cause: causes.of(
          'attributeValues',
          one.id,
          (after) => (after as typeof one | null)?.updatedAt === one.updatedAt,
        ),
      };
    }),
    messages: messages.slice(-shown),
    messageCount: messages.length,
    deliveries: deliveries.slice(-shown).map(toPersonDelivery),
    deliveryCount: deliveries.length,
    taps: taps.map((one) => toTapView(store, one)),
    privacyRequests: privacyRequestsOf(store, user).map(({ id, state, requestedAt }) => ({ id, state, requestedAt })),
  };
}

function toSubscriptionView(
  store: Store,
  one: Subscription,
  causes: Causes,
  messages: readonly Message[],
  taps: readonly Tap[],
): PersonSubscriptionView {
  const unit = one.signUpUnitId === null ? undefined : store.signUpUnits.get(one.signUpUnitId);
  const cause = causeOfAttempt(causes, one.id, one.updatedAt);
  return {
    id: one.id,
    address: one.address,
    type: one.type,
    channel: one.channel,
    status: one.status,
    updatedAt: one.updatedAt,
    unit: unit ? { id: unit.id, name: unit.name } : null,
    cause,
    by: cause === null ? (replyAt(messages, one) ?? linkTo(taps, one)) : null,
    attempts: one.attempts.length,
  };
}

/** The request that made an attempt to subscribe or unsubscribe. */
export function causeOfAttempt(causes: Causes, id: string, at: string): ReturnType<Causes['of']> {
  return causes.of('subscriptions', id, (after) => (after as Subscription | null)?.updatedAt === at);
}

interface Tap {
  readonly activity: Activity;
  readonly effects: TapEffects;
  readonly message: Message;
}

/**
 * The replies and unsubscribes of a person that the records show: not those that were undone, nor later ones than the
 * shown moment, nor those to another message that had the id before a reset.
 */
function tapsOf(store: Store, activities: Pick<Activities, 'all'>, messages: readonly Message[]): readonly Tap[] {
  const byId = new Map(messages.map((one) => [one.id, one]));
  return activities.all().flatMap((activity): readonly Tap[] => {
    const message = activity.tap && byId.get(activity.tap.messageId);
    if (!activity.tap || !message || activity.isTakenBack) return [];
    const at = toIso(activity.at);
    const isShown =
      message.direction === 'in'
        ? message.sentAt === at
        : activity.touched.some(
            ({ collection, id }) =>
              collection === 'subscriptions' && store.subscriptions.get(id)?.attempts.some((one) => one.at === at),
          );
    return isShown ? [{ activity, effects: activity.tap, message }] : [];
  });
}

function toTapView(store: Store, { activity: { at, touched }, effects }: Tap): PersonTapView {
  const deliveries = touched.flatMap(({ collection, id, isNew }) =>
    collection === 'deliveries' && isNew ? (store.deliveries.get(id) ?? []) : [],
  );
  return { at: toIso(at), ...effects, deliveries: deliveries.map(toPersonDelivery) };
}

/** The reply that the person sent from an address at the moment when its subscription changed. */
function replyAt(messages: readonly Message[], { channel, address, updatedAt }: Subscription): string | null {
  const reply = messages.find(
    (one) => one.direction === 'in' && one.channel === channel && one.to === address && one.sentAt === updatedAt,
  );
  return reply ? `reply ${shortQuote(reply.text, 40)}` : null;
}

/** The email whose link ended a subscription. */
function linkTo(taps: readonly Tap[], { id, updatedAt }: Subscription): string | null {
  const tap = taps.find(
    ({ activity: { at, touched }, message }) =>
      message.direction === 'out' &&
      toIso(at) === updatedAt &&
      touched.some((one) => one.collection === 'subscriptions' && one.id === id),
  );
  return tap ? `the unsubscribe link of ${shortQuote(tap.message.subject ?? tap.message.name, 40)}` : null;
}

function toPersonDelivery(delivery: Delivery): PersonDeliveryView {
  const { id, type, state, url, createdAt, body } = delivery;
  return { id, type, state, url, createdAt, nextAttemptAt: whenTriedNext(delivery), messageId: messageIdOf(body) };
}

function messageIdOf(body: string): string | null {
  const { message } = JSON.parse(body) as { readonly message?: { readonly id?: unknown } };
  return typeof message?.id === 'string' ? message.id : null;
}
