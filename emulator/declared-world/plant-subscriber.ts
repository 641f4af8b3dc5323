/** Creates a subscriber of a declared world, with subscriptions and attributes. */
import { isDeepStrictEqual } from 'node:util';
import { isE164, isEmail } from '../contract/formats.ts';
import { isOfType, type AttributeInput } from '../features/attributes/value-type.ts';
import { didYouMean } from '../errors.ts';
import { addressMeant, addressOnFile, withAddresses } from '../people/addresses.ts';
import type { Identifiers } from '../people/users.ts';
import type { Address } from '../records.ts';
import { toSubscriptionId } from '../records/people.ts';
import type { Store } from '../store/store.ts';
import { toIso } from '../time/clock.ts';
import { companyOf, Mistake, notFound, type Item, type PlantDeps } from './mistake.ts';

/** @throws Mistake for a company that does not exist; other mistakes are kept by `at` */
export function plantSubscriber(
  person: Item<'subscribers'>,
  { store, users, now, name, at: attempt, kept }: PlantDeps,
): void {
  const { id: companyId } = companyOf(store, person);
  const at = toIso(now);
  const from = { by: 'demo', what: name, requestId: null } as const;
  const addresses: Address[] = [];
  person.addresses.forEach((value, index) =>
    attempt(['addresses', index], () => {
      if (!isE164(value) && !isEmail(value))
        throw new Mistake([], `${JSON.stringify(value)} is neither a phone such as +15555550100 nor an email address.`);
      const channel = isEmail(value) ? 'EMAIL' : 'TEXT';
      const [known] = users.find(companyId, channel === 'EMAIL' ? { email: value } : { phone: value });
      if (known) throw new Mistake([], `${value} is the address of another subscriber already.`);
      if (addresses.some((one) => one.value.toLowerCase() === value.toLowerCase()))
        throw new Mistake([], `The subscriber has the address ${value} already. Leave it out.`);
      addresses.push({ channel, value, since: at, from });
    }),
  );
  // A subscription to a wrong address is not a mistake of its own.
  const areAllRight = addresses.length === person.addresses.length;
  const { clientUserIds = [], shopifyIds = [], klaviyoIds = [], customIdentifiers = [] } = person;
  if ([person.addresses, clientUserIds, shopifyIds, klaviyoIds, customIdentifiers].every(({ length }) => length === 0))
    throw new Mistake(['addresses'], 'The subscriber has neither an address nor an id. Add one, such as +15555550100.');
  const checkIds = (field: string, ids: readonly Identifiers[]): void =>
    ids.forEach((id, index) =>
      attempt([field, index], () => {
        if (users.find(companyId, id).length > 0) throw new Mistake([], 'Another subscriber has this id already.');
        if (ids.slice(0, index).some((one) => isDeepStrictEqual(one, id)))
          throw new Mistake([], 'The subscriber has this id already. Leave it out.');
      }),
    );
  checkIds(
    'clientUserIds',
    clientUserIds.map((clientUserId) => ({ clientUserId })),
  );
  checkIds(
    'shopifyIds',
    shopifyIds.map((shopifyId) => ({ shopifyId })),
  );
  checkIds(
    'klaviyoIds',
    klaviyoIds.map((klaviyoId) => ({ klaviyoId })),
  );
  checkIds(
    'customIdentifiers',
    customIdentifiers.map((one) => ({ customIdentifiers: [one] })),
  );
  const made = users.findOrMake(companyId, {}, { at, from });
  const user = store.users.put({
    ...made,
    addresses: withAddresses([], addresses),
    clientUserIds,
    shopifyIds,
    klaviyoIds,
    customIdentifiers,
  });
  (person.subscriptions ?? []).forEach(({ type, channel, status = 'subscribed', ...wanted }, index) =>
    attempt(['subscriptions', index], () => {
      const signUpUnitId = unitOf(store, companyId, type, wanted.signUpUnit);
      const ofChannel = addresses.filter((one) => one.channel === channel).map(({ value }) => value);
      const named = channel === 'EMAIL' ? { email: wanted.address } : { phone: wanted.address };
      const address = addressMeant(user, channel, named);
      const isTheirs = wanted.address === undefined || addressOnFile(user, channel, wanted.address) !== undefined;
      if (!areAllRight && (address === null || !isTheirs)) return;
      if (address === null)
        throw new Mistake(['channel'], `The subscriber has no address for ${channel}. Add one to "addresses".`);
      if (wanted.address !== undefined && !isTheirs)
        throw new Mistake(
          ['address'],
          `${wanted.address} is not an address of the subscriber for ${channel}. ${didYouMean(wanted.address, ofChannel)}`,
        );
      const of = { userId: user.id, type, channel, address };
      const id = toSubscriptionId(of);
      if (store.subscriptions.get(id))
        throw new Mistake(
          [],
          `The subscriber has a ${type} subscription by ${channel} at ${address} already. Leave it out.`,
        );
      store.subscriptions.put({
        id,
        companyId,
        ...of,
        status,
        signUpUnitId,
        createdAt: at,
        updatedAt: at,
        attempts: [{ at, act: status === 'subscribed' ? 'subscribe' : 'unsubscribe' }],
      });
    }),
  );
  for (const [attribute, value] of Object.entries(person.attributes ?? {}))
    attempt(['attributes', attribute], () =>
      plantValue({ store, kept }, { companyId, userId: user.id, name: attribute, value, at }),
    );
}

function plantValue(
  { store, kept }: Pick<PlantDeps, 'store' | 'kept'>,
  of: {
    readonly companyId: string;
    readonly userId: string;
    readonly name: string;
    readonly value: unknown;
    readonly at: string;
  },
): void {
  const { companyId, userId, name, value, at } = of;
  const known = store.attributeDefinitions.records().filter((one) => one.companyId === companyId);
  const definition = known.find((one) => one.name === name);
  if (!definition)
    throw notFound(
      [],
      { kind: 'attributes', name },
      known.map((one) => one.name),
    );
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  if (!isPlain || !isOfType(value as AttributeInput, definition.type))
    throw new Mistake([], `${JSON.stringify(value)} is not a ${definition.type}.`);
  const text = String(value);
  const { values } = definition;
  if (values && !values.includes(text) && !kept.get(definition.id)?.includes(text))
    throw new Mistake([], `${JSON.stringify(text)} is not in the fixed set. ${didYouMean(text, values)}`);
  store.attributeValues.put({ id: `${userId}:${name}`, companyId, userId, name, value: text, updatedAt: at });
}

function unitOf(store: Store, companyId: string, type: string, named: string | null | undefined): string | null {
  const own = store.signUpUnits.records().filter((one) => one.companyId === companyId);
  if (named === null) return null;
  if (named === undefined) return own.find((one) => one.type === type)?.id ?? null;
  const found = own.find(({ id }) => id === named) ?? own.find(({ name }) => name === named);
  if (found) return found.id;
  throw notFound(
    ['signUpUnit'],
    { kind: 'signUpUnits', name: named },
    own.map(({ name }) => name),
  );
}
