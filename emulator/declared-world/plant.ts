/** Fills an empty store with a declared world. */
import { isE164, isEmail, toEpoch } from '../contract/formats.ts';
import { addCompany } from '../features/accounts/companies.ts';
import { makeApp } from '../features/accounts/apps.ts';
import { defineAttribute } from '../features/attributes/manage.ts';
import { isOfType, type AttributeInput } from '../features/attributes/value-type.ts';
import { createCodeSet } from '../features/offers/code-set.ts';
import { writeCodes } from '../features/offers/codes.ts';
import { makeOffer } from '../features/offers/manage.ts';
import { checkDates } from '../features/offers/offers.ts';
import { makeUnit } from '../features/subscriptions/manage-units.ts';
import { makeWebhook } from '../features/webhooks.ts';
import { didYouMean } from '../errors.ts';
import { scopes } from '../http/scopes.ts';
import { toGlobalId } from '../ids.ts';
import { addressMeant, withAddresses } from '../people/addresses.ts';
import type { Users } from '../people/users.ts';
import type { Address, Company } from '../records.ts';
import { toSubscriptionId } from '../records/people.ts';
import { Refusal } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { toIso } from '../time/clock.ts';
import { toPath, type Path, type Problem } from '../config/problems.ts';
import type { WorldDeclaration } from './schema.ts';

type Item<K extends keyof WorldDeclaration> = NonNullable<WorldDeclaration[K]> extends readonly (infer T)[] ? T : never;

export interface PlantDeps {
  readonly store: Store;
  readonly users: Users;
  /** Epoch milliseconds on the clock of the declared world. */
  readonly now: number;
  /** What the world is called, for where its addresses are known from. */
  readonly name: string;
}

/** A declaration that cannot be followed; `path` is below the record at hand. */
class Mistake extends Error {
  readonly path: Path;

  constructor(path: Path, says: string) {
    super(says);
    this.path = path;
  }
}

/**
 * Creates every record of a world that fits its schema.
 * @returns what is wrong; then the store is of no use
 */
export function plantWorld(declared: WorldDeclaration, deps: PlantDeps): readonly Problem[] {
  const problems: Problem[] = [];
  const each = <K extends keyof WorldDeclaration>(kind: K, plant: (item: Item<K>, deps: PlantDeps) => void): void =>
    ((declared[kind] ?? []) as readonly Item<K>[]).forEach((item, at) => {
      try {
        plant(item, deps);
      } catch (error) {
        problems.push(toProblem(error, [kind, at]));
      }
    });
  deps.store.transact(() => {
    each('companies', plantCompany);
    each('apps', plantApp);
    each('signUpUnits', plantUnit);
    each('offers', plantOffer);
    each('attributes', plantAttribute);
    each('subscribers', plantSubscriber);
    each('webhooks', plantWebhook);
  });
  return problems;
}

/** @throws what is no mistake of the file */
function toProblem(error: unknown, at: Path): Problem {
  if (error instanceof Mistake) return { path: [...at, ...error.path], says: error.message };
  if (!(error instanceof Refusal)) throw error;
  const fields: { readonly [field: string]: string } = {
    distributionStart: 'start',
    distributionStop: 'stop',
    secret: 'key',
  };
  const path = toPath(error.place.in === 'body' ? error.place.at : '', null);
  return { path: [...at, ...path.map((step) => fields[step] ?? step)], says: error.message };
}

function plantCompany({ name, id, ...fields }: Item<'companies'>, { store }: PlantDeps): void {
  for (const one of store.companies.all())
    if (one.name === name || one.id === id)
      throw new Mistake([one.name === name ? 'name' : 'id'], `There is a company ${JSON.stringify(name)} already.`);
  addCompany(store, { name, id, ...fields });
}

function plantApp(app: Item<'apps'>, { store, now }: PlantDeps): void {
  const { id: companyId } = companyOf(store, app);
  const { kind = 'private', clientId, clientSecret, key } = app;
  const wrong = kind === 'private' ? (['clientId', 'clientSecret'] as const) : (['key'] as const);
  for (const field of wrong)
    if (app[field] !== undefined) throw new Mistake([field], `A ${kind} app has no ${field}. Leave it out.`);
  const created = makeApp(
    store,
    {
      companyId,
      kind,
      name: app.name,
      scopes: app.scopes ?? scopes,
      redirectUris: app.redirectUris,
      secret: key,
    },
    now,
  ).app;
  if (clientId !== undefined || clientSecret !== undefined)
    store.apps.put({
      ...created,
      clientId: clientId ?? created.clientId,
      clientSecret: clientSecret ?? created.clientSecret,
    });
}

function plantUnit(unit: Item<'signUpUnits'>, { store }: PlantDeps): void {
  if (unit.id !== undefined && store.signUpUnits.get(unit.id))
    throw new Mistake(['id'], `There is a sign-up unit ${unit.id} already.`);
  makeUnit(store, companyOf(store, unit).id, unit);
}

function plantOffer(offer: Item<'offers'>, { store, now }: PlantDeps): void {
  const { id, name, window, apiUploads = true, uploads = [] } = offer;
  if (id !== undefined && store.offers.get(id)) throw new Mistake(['id'], `There is an offer ${id} already.`);
  const { id: companyId } = companyOf(store, offer);
  const created = makeOffer(store, companyId, { id, name, window, apiUploads }, now);
  const known = createCodeSet();
  uploads.forEach(({ codes: sent, start = null, stop = null }, at) => {
    try {
      checkDates(store, created, { start, stop }, now);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { path, says } = toProblem(error, ['uploads', at]);
      throw new Mistake(path, says);
    }
    const codes = sent.filter((code) => known.add(code));
    const upload = store.offerUploads.put({
      id: toGlobalId('CouponUpload', store.nextNumber()),
      companyId,
      offerId: created.id,
      distributionStart: start && toIso(toEpoch(start) ?? now),
      distributionStop: stop && toIso(toEpoch(stop) ?? now),
      codeCount: codes.length,
      duplicateCount: sent.length - codes.length,
      receivedAt: toIso(now),
    });
    writeCodes(store, upload.id, codes);
  });
  const codeCount = [...store.offerUploads.all()]
    .filter(({ offerId }) => offerId === created.id)
    .reduce((sum, upload) => sum + upload.codeCount, 0);
  store.offers.put({ ...created, codeCount });
}

function plantAttribute(attribute: Item<'attributes'>, { store, now }: PlantDeps): void {
  const { name, type, values = null } = attribute;
  defineAttribute(store, companyOf(store, attribute).id, { name, type, values }, now);
}

function plantSubscriber(person: Item<'subscribers'>, { store, users, now, name }: PlantDeps): void {
  const { id: companyId } = companyOf(store, person);
  const at = toIso(now);
  const from = { by: 'demo', what: name, requestId: null } as const;
  const addresses = person.addresses.map((value, index): Address => {
    if (!isE164(value) && !isEmail(value))
      throw new Mistake(
        ['addresses', index],
        `${JSON.stringify(value)} is neither a phone such as +15555550100 nor an email address.`,
      );
    const channel = isEmail(value) ? 'EMAIL' : 'TEXT';
    const [known] = users.find(companyId, channel === 'EMAIL' ? { email: value } : { phone: value });
    if (known) throw new Mistake(['addresses', index], `${value} is the address of another subscriber already.`);
    return { channel, value, since: at, from };
  });
  const { clientUserIds = [], shopifyIds = [], klaviyoIds = [], customIdentifiers = [] } = person;
  const made = users.findOrMake(companyId, {}, { at, from });
  const user = store.users.put({
    ...made,
    addresses: withAddresses([], addresses),
    clientUserIds,
    shopifyIds,
    klaviyoIds,
    customIdentifiers,
  });
  (person.subscriptions ?? []).forEach(({ type, channel, status = 'subscribed', ...wanted }, index) => {
    const place = ['subscriptions', index];
    const ofChannel = addresses.filter((one) => one.channel === channel).map(({ value }) => value);
    const named = channel === 'EMAIL' ? { email: wanted.address } : { phone: wanted.address };
    const address = addressMeant(user, channel, named);
    if (address === null)
      throw new Mistake([...place, 'channel'], `The subscriber has no address for ${channel}. Add one to "addresses".`);
    if (wanted.address !== undefined && !ofChannel.includes(wanted.address))
      throw new Mistake(
        [...place, 'address'],
        `${wanted.address} is not an address of the subscriber for ${channel}. ${didYouMean(wanted.address, ofChannel)}`,
      );
    const of = { userId: user.id, type, channel, address };
    store.subscriptions.put({
      id: toSubscriptionId(of),
      companyId,
      ...of,
      status,
      signUpUnitId: unitOf(store, companyId, type, wanted.signUpUnit, place),
      createdAt: at,
      updatedAt: at,
      attempts: [{ at, act: status === 'subscribed' ? 'subscribe' : 'unsubscribe' }],
    });
  });
  for (const [attribute, value] of Object.entries(person.attributes ?? {}))
    plantValue(store, { companyId, userId: user.id, name: attribute, value, at });
}

function plantValue(
  store: Store,
  of: {
    readonly companyId: string;
    readonly userId: string;
    readonly name: string;
    readonly value: unknown;
    readonly at: string;
  },
): void {
  const { companyId, userId, name, value, at } = of;
  const path = ['attributes', name];
  const known = [...store.attributeDefinitions.all()].filter((one) => one.companyId === companyId);
  const definition = known.find((one) => one.name === name);
  if (!definition)
    throw new Mistake(
      path,
      `There is no attribute ${JSON.stringify(name)}. ${meant(
        name,
        known.map((one) => one.name),
      )}`,
    );
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  if (!isPlain || !isOfType(value as AttributeInput, definition.type))
    throw new Mistake(path, `${JSON.stringify(value)} is not a ${definition.type}.`);
  const text = String(value);
  if (definition.values && !definition.values.includes(text))
    throw new Mistake(path, `${JSON.stringify(text)} is not in the fixed set. ${didYouMean(text, definition.values)}`);
  store.attributeValues.put({ id: `${userId}:${name}`, companyId, userId, name, value: text, updatedAt: at });
}

function plantWebhook(webhook: Item<'webhooks'>, { store, now }: PlantDeps): void {
  const { url, events, signingKey, disabled = false } = webhook;
  const company = companyOf(store, webhook);
  const own = [...store.apps.all()].filter(({ companyId }) => companyId === company.id);
  const app = webhook.app === undefined ? own[0] : own.find(({ name }) => name === webhook.app);
  if (!app) {
    const wanted =
      webhook.app === undefined ? 'The company has no app for it' : `There is no app ${JSON.stringify(webhook.app)}`;
    throw new Mistake(
      ['app'],
      `${wanted}. ${meant(
        webhook.app ?? '',
        own.map(({ name }) => name),
      )}`,
    );
  }
  const created = makeWebhook(
    store,
    app,
    company.id,
    { url, events, ...(signingKey === undefined ? {} : { signingKey }) },
    now,
  );
  if (disabled) store.webhooks.put({ ...created, disabledAt: toIso(now) });
}

/** The company that a declaration names, or the only one. */
function companyOf(store: Store, { company }: { readonly company?: string }): Company {
  const all = [...store.companies.all()];
  const names = all.map(({ name }) => name);
  if (company === undefined) {
    if (all.length === 1 && all[0]) return all[0];
    throw new Mistake(
      ['company'],
      `Which company? ${names.length === 0 ? 'None is declared.' : `Name one of ${names.join(', ')}.`}`,
    );
  }
  const found = all.find(({ name, id }) => name === company || id === company);
  if (found) return found;
  throw new Mistake(['company'], `There is no company ${JSON.stringify(company)}. ${meant(company, names)}`);
}

function unitOf(store: Store, companyId: string, type: string, named: string | undefined, place: Path): string | null {
  const own = [...store.signUpUnits.all()].filter((one) => one.companyId === companyId);
  if (named === undefined) return own.find((one) => one.type === type)?.id ?? null;
  const found = own.find(({ id, name }) => id === named || name === named);
  if (found) return found.id;
  throw new Mistake(
    [...place, 'signUpUnit'],
    `There is no sign-up unit ${JSON.stringify(named)}. ${meant(
      named,
      own.map(({ name }) => name),
    )}`,
  );
}

function meant(word: string, known: readonly string[]): string {
  return known.length === 0 ? 'None is declared.' : didYouMean(word, known);
}
