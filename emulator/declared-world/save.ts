/** The present state as a declared world, as far as it can be declared. */
import { addToList } from '../contract/add-to-list.ts';
import { valuesOf } from '../features/attributes/manage.ts';
import type { Products } from '../features/catalog/products.ts';
import { readCodes } from '../features/offers/codes.ts';
import type { Fault } from '../http/faults/faults.ts';
import { scopes } from '../http/scopes.ts';
import type { AttributeValue, CollectionName, Offer, OfferUpload, Subscription, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import { toIso, type Clock } from '../time/clock.ts';
import { inSlices, type Steps } from '../time/slices.ts';
import type { Pace } from '../time/pace.ts';
import type { WorldDeclaration } from './schema.ts';

export interface SavedWorld {
  readonly world: WorldDeclaration;
  /** The stored things that cannot be declared, each in a few words. */
  readonly leftOut: readonly string[];
}

/**
 * Collections that a world declares (schema.ts), or that follow from its declarations. All others are reported as left
 * out.
 */
const declared: readonly CollectionName[] = [
  'companies',
  'apps',
  'credentials',
  'users',
  'subscriptions',
  'signUpUnits',
  'attributeDefinitions',
  'attributeValues',
  'offers',
  'offerUploads',
  'webhooks',
  'settings',
];

/** Describes the present state as a world. Keys and secrets are not masked. */
export async function saveWorld({
  store,
  clock,
  pace,
  faults,
  catalog,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly faults: readonly Fault[];
  /** The saved products of a company. */
  readonly catalog: { products(companyId: string): Promise<Pick<Products, 'count'>> };
}): Promise<SavedWorld> {
  const all = <R>(records: Iterable<R>): readonly R[] => [...records];
  // All records are taken in this turn of the event loop: the slices that process them may run later.
  const companies = all(store.companies.all());
  const apps = all(store.apps.all());
  const names = new Map([...toNames(companies, () => ''), ...toNames(apps, ({ companyId }) => companyId)]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const people: People = {
    users: all(store.users.all()),
    subscriptions: all(store.subscriptions.all()),
    values: all(store.attributeValues.all()),
    units: new Set(all(store.signUpUnits.all()).map(({ id }) => id)),
  };
  const offers = all(store.offers.all());
  const uploads = all(store.offerUploads.all());
  const keysOf = (appId: string): readonly string[] =>
    all(store.credentials.all())
      .filter((one) => one.appId === appId && one.kind === 'api-key' && one.revokedAt === null)
      .map(({ secret }) => secret);
  const webhooks = all(store.webhooks.all());

  const present: WorldDeclaration = {
    clock: {
      ...(clock.mode() === 'real'
        ? {}
        : { time: toIso(clock.now()), frozen: clock.mode() === 'frozen', rate: clock.state().rate }),
      pace,
    },
    companies: companies.map(({ id, domain, contactEmail }) => ({ id, name: nameOf(id), domain, contactEmail })),
    apps: apps.map((app) => {
      const [key] = keysOf(app.id);
      const granted = app.scopes.filter((one) => (scopes as readonly string[]).includes(one));
      return {
        name: nameOf(app.id),
        company: nameOf(app.companyId),
        kind: app.kind,
        ...(granted.length === scopes.length ? {} : { scopes: granted as readonly (typeof scopes)[number][] }),
        ...(app.kind === 'private'
          ? { key: key ?? null }
          : {
              clientId: app.clientId ?? '',
              clientSecret: app.clientSecret ?? '',
              redirectUris: app.redirectUris,
            }),
      };
    }),
    signUpUnits: all(store.signUpUnits.all()).map(({ companyId, ...unit }) => ({
      ...unit,
      company: nameOf(companyId),
    })),
    offers: [],
    attributes: all(store.attributeDefinitions.all()).map((attribute) => {
      const { companyId, name, type, values } = attribute;
      const company = nameOf(companyId);
      if (values === null) return { company, name, type };
      const held = new Set(valuesOf(store, attribute).map(({ value }) => value));
      return { company, name, type, values, kept: [...held].filter((value) => !values.includes(value)) };
    }),
    subscribers: [],
    webhooks: webhooks.flatMap(({ companyId, appId, url, events, signingKey, disabledAt }) => {
      const app = store.apps.get(appId);
      if (!app) return [];
      return [
        {
          company: nameOf(companyId),
          app: nameOf(appId),
          ...(app.companyId === companyId ? {} : { appCompany: nameOf(app.companyId) }),
          url,
          events: events as NonNullable<WorldDeclaration['webhooks']>[number]['events'],
          signingKey,
          disabled: disabledAt !== null,
        },
      ];
    }),
    faults: faults.flatMap(({ spec, hits }) => {
      const { times } = spec;
      if (times !== null && hits >= times) return [];
      const whole = { ...spec, times: times === null ? null : times - hits };
      const told = Object.entries(whole).filter(([, value]) => value !== null && value !== false);
      return [Object.fromEntries(told) as NonNullable<WorldDeclaration['faults']>[number]];
    }),
  };

  const extraKeys = apps.reduce((sum, { id }) => sum + Math.max(0, keysOf(id).length - 1), 0);
  const revoked = all(store.credentials.all()).filter((one) => one.kind === 'api-key' && one.revokedAt !== null).length;
  const tokens = all(store.credentials.all()).filter(({ kind }) => kind === 'oauth-token').length;
  const far = webhooks.filter(({ reach }) => reach !== 'loopback').length;
  const equal = [...companies, ...apps].filter(({ id, name }) => nameOf(id) !== name).length;
  let products = 0;
  for (const { id } of companies) products += (await catalog.products(id)).count();
  const counted: readonly (readonly [number, string, string])[] = [
    [equal, 'equal name, which got a number', 'equal names, which got numbers'],
    [extraKeys, 'further API key of an app', 'further API keys of apps'],
    [revoked, 'revoked API key', 'revoked API keys'],
    [tokens, 'token of an installed app', 'tokens of installed apps'],
    [products, 'saved product of a catalog', 'saved products of catalogs'],
    [far, 'reach of a webhook beyond this machine', 'reaches of webhooks beyond this machine'],
    ...store.names
      .filter((name) => !declared.includes(name))
      .map((name) => [store.collection(name).size, ...(store.definitions[name]?.words ?? [name, name])] as const),
  ];
  const world: WorldDeclaration = {
    ...present,
    offers: await toOffers(store, offers, uploads, nameOf),
    subscribers: await inSlices(toSubscribers(people, nameOf)),
  };
  return {
    world: { ...((await inSlices(prune(world))) as WorldDeclaration), companies: world.companies },
    leftOut: counted.flatMap(([count, one, many]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`])),
  };
}

/**
 * The name by which a world refers to each record. If an earlier record of the same owner has that name, it gets a
 * number.
 */
function toNames<R extends { readonly id: string; readonly name: string }>(
  records: readonly R[],
  ownerOf: (record: R) => string,
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const toKey = (record: R, name: string): string => JSON.stringify([ownerOf(record), name]);
  return new Map(
    records.map((record) => {
      let { name } = record;
      for (let count = 2; taken.has(toKey(record, name)); count++)
        name = `${[...record.name].slice(0, 90).join('')} (${count})`;
      taken.add(toKey(record, name));
      return [record.id, name];
    }),
  );
}

type DeclaredOffer = NonNullable<WorldDeclaration['offers']>[number];

async function toOffers(
  store: Pick<Store, 'blobs'>,
  offers: readonly Offer[],
  uploads: readonly OfferUpload[],
  nameOf: (companyId: string) => string,
): Promise<readonly DeclaredOffer[]> {
  const declaredOffers: DeclaredOffer[] = [];
  for (const { id, companyId, name, window, apiUploads } of offers) {
    const own: NonNullable<DeclaredOffer['uploads']>[number][] = [];
    for (const { id: uploadId, offerId, distributionStart: start, distributionStop: stop } of uploads)
      if (offerId === id)
        own.push({
          codes: await readCodes(store, uploadId),
          ...(start === null ? {} : { start }),
          ...(stop === null ? {} : { stop }),
        });
    declaredOffers.push({ id, company: nameOf(companyId), name, window, apiUploads, uploads: own });
  }
  return declaredOffers;
}

/** The subscribers, and the records that belong to them. */
interface People {
  readonly users: readonly User[];
  readonly subscriptions: readonly Subscription[];
  readonly values: readonly AttributeValue[];
  /** The ids of the sign-up units. */
  readonly units: ReadonlySet<string>;
}

type Subscriber = NonNullable<WorldDeclaration['subscribers']>[number];

function* toSubscribers(people: People, nameOf: (companyId: string) => string): Steps<readonly Subscriber[]> {
  const subscriptions = yield* byUser(people.subscriptions);
  const values = yield* byUser(people.values);
  const subscribers: Subscriber[] = [];
  for (const user of people.users) {
    subscribers.push({
      company: nameOf(user.companyId),
      addresses: user.addresses.map(({ value }) => value),
      clientUserIds: user.clientUserIds,
      shopifyIds: user.shopifyIds,
      klaviyoIds: user.klaviyoIds,
      customIdentifiers: user.customIdentifiers,
      subscriptions: (subscriptions.get(user.id) ?? []).map(({ type, channel, address, status, signUpUnitId }) => ({
        type,
        channel,
        address,
        status,
        signUpUnit: signUpUnitId !== null && people.units.has(signUpUnitId) ? signUpUnitId : null,
      })),
      attributes: Object.fromEntries((values.get(user.id) ?? []).map(({ name, value }) => [name, value])),
    });
    yield;
  }
  return subscribers;
}

function* byUser<R extends { readonly userId: string }>(
  records: Iterable<R>,
): Steps<ReadonlyMap<string, readonly R[]>> {
  const found = new Map<string, R[]>();
  for (const record of records) {
    addToList(found, record.userId, record);
    yield;
  }
  return found;
}

/** Members that mean something else if they are left out: an app without scopes, and required members. */
const keptEmpty: readonly string[] = ['scopes', 'addresses', 'codes', 'events'];

/** Removes empty lists and objects, at any depth. */
function* prune(value: unknown): Steps<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  yield;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const item of value) list.push(yield* prune(item));
    return list;
  }
  const kept: (readonly [name: string, value: unknown])[] = [];
  for (const [name, member] of Object.entries(value)) {
    const isEmpty = typeof member === 'object' && member !== null && Object.keys(member as object).length === 0;
    if (!isEmpty || keptEmpty.includes(name)) kept.push([name, yield* prune(member)]);
  }
  return Object.fromEntries(kept);
}
