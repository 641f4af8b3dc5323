import { toIso } from '../../time/clock.ts';
import { readCustomIdentifiers, readIdentifier } from '../../people/custom-identifiers.ts';
import type { Infer } from '../../contract/schema.ts';
import type { Deps } from '../../deps.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { addressMeant, channels, namedOn, toOrigin } from '../../people/addresses.ts';
import { attempted } from '../../people/subscriptions.ts';
import { toSubscriptionId } from '../../records/people.ts';
import type { Subscription } from '../../records.ts';
import { toContact, toEcho, type Contact } from './contact.ts';
import { subscriptionRules } from './rules.ts';
import { subscribeBody, subscribeReply, type SubscribeBody } from './shapes.ts';
import { chooseUnit } from './sign-up-unit.ts';

/** The result of subscribing. */
export interface SubscribeOutcome {
  readonly contact: Contact;
  readonly identifiers: EchoedIdentifiers;
  /** The text subscription before the email subscription. `isNew` is false if it was already subscribed. */
  readonly results: readonly { readonly subscription: Subscription; readonly isNew: boolean }[];
}

type EchoedIdentifiers = NonNullable<Infer<typeof subscribeReply>['externalIdentifiers']>;

/** POST /subscriptions (section 4, Subscribe): one subscription for each channel that the request identifies. */
export const subscribe = endpoint({
  operationId: 'addSubscriptions',
  method: 'POST',
  path: '/subscriptions',
  access: 'subscriptions:write',
  summary: 'Subscribe a user to text or email messages',
  section: '4, Subscribe',
  provenance: 'documented',
  rules: [
    subscriptionRules.contact,
    subscriptionRules.phone,
    subscriptionRules.email,
    subscriptionRules.bothWays,
    subscriptionRules.unitNamed,
    subscriptionRules.localeObject,
    subscriptionRules.unknownUnit,
    subscriptionRules.oneUnit,
  ],
  body: subscribeBody,
  replies: { 202: subscribeReply },
  handle({ body, caller, now, note }, deps) {
    const { contact, identifiers, results } = subscribeUser(deps, caller, body, now, note);
    return {
      status: 202,
      body: {
        user: toEcho(contact),
        ...(Object.keys(identifiers).length === 0 ? {} : { externalIdentifiers: identifiers }),
        subscriptionResponses: results.map(({ subscription: { type, channel }, isNew }) => ({
          subscription: { type, channel },
          subscriptionCreationStatus: isNew ? ('NEWLY_CREATED' as const) : ('PREVIOUSLY_CREATED' as const),
        })),
      },
    };
  },
});

/**
 * Subscribes a person; also behind GraphQL's `subscribe`. Inside a transaction.
 * @param now epoch milliseconds
 */
export function subscribeUser(
  { store, users, messages }: Deps,
  caller: Caller,
  body: SubscribeBody,
  now: number,
  note: (remark: string) => void,
): SubscribeOutcome {
  const { companyId } = caller;
  const contact = toContact(body.user, note);
  const units = store.signUpUnits.records().filter((unit) => unit.companyId === companyId);
  const unit = chooseUnit(units, body, note);
  const identifiers = toIdentifiers(body, note);
  const at = toIso(now);
  const { phone, email } = contact;
  const { clientUserId, shopifyId, klaviyoId, customIdentifiers } = identifiers;
  const by = { phone, email, clientUserId, shopifyId, klaviyoId, customIdentifiers };
  const user = users.findOrMake(companyId, by, { at, from: toOrigin(caller), note });

  const results = channels.flatMap((channel) => {
    const address = namedOn(channel, contact) === null ? null : addressMeant(user, channel, contact);
    if (address === null) return [];
    const userId = user.id;
    const { type } = unit;
    const id = toSubscriptionId({ userId, address, type, channel });
    const known = store.subscriptions.get(id);
    const isNew = known?.status !== 'subscribed';
    const status = 'unsubscribed';
    const createdAt = known?.createdAt ?? at;
    const attempts = known?.attempts ?? [];
    const signUpUnitId = isNew ? unit.id : known.signUpUnitId;
    const before = {
      id,
      companyId,
      userId,
      address: known?.address ?? address,
      type,
      channel,
      status,
      signUpUnitId,
      createdAt,
      updatedAt: at,
      attempts,
    } as const;
    return [{ subscription: store.subscriptions.put(attempted(before, 'subscribe', now)), isNew }];
  });
  const singleOptIn = body.singleOptIn ?? false;
  const language = unit.language === 'fr' ? 'fr' : 'en';
  for (const outcome of results)
    messages.subscribed({ user, ...outcome, singleOptIn, language, named: contact, note }, now);
  return { contact, identifiers, results };
}

/** The identifiers of the request, at the top level or, as public clients send them, inside `user`. */
function toIdentifiers(
  { externalIdentifiers: top = {}, user: { externalIdentifiers: inner = {} } }: SubscribeBody,
  note: (remark: string) => void,
): EchoedIdentifiers {
  const pick = (name: 'clientUserId' | 'shopifyId' | 'klaviyoId') => {
    const own = readIdentifier(top[name], `externalIdentifiers.${name}`, note);
    const other = readIdentifier(inner[name], `user.externalIdentifiers.${name}`, note);
    if (own !== undefined && other !== undefined && own !== other)
      note(
        `user.externalIdentifiers.${name} was ignored: externalIdentifiers.${name}, its documented place, has another value.`,
      );
    return own ?? other;
  };
  const clientUserId = pick('clientUserId');
  const shopifyId = pick('shopifyId');
  const klaviyoId = pick('klaviyoId');
  const customIdentifiers = [top, inner]
    .flatMap((one) => readCustomIdentifiers(one.customIdentifiers, note))
    .map((one) => ({ ...one }));
  return {
    ...(clientUserId ? { clientUserId } : {}),
    ...(shopifyId ? { shopifyId } : {}),
    ...(klaviyoId ? { klaviyoId } : {}),
    ...(customIdentifiers.length > 0 ? { customIdentifiers } : {}),
  };
}
