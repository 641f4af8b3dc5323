import { toIso } from '../../time/clock.ts';
import { toCustomIdentifiers } from '../../people/custom-identifiers.ts';
import type { Infer } from '../../contract/schema.ts';
import type { Deps } from '../../deps.ts';
import { endpoint, type Caller } from '../../http/endpoint.ts';
import type { Channel, SignUpUnit, Subscription, User } from '../../records.ts';
import { toContact, toEcho, type Contact } from './contact.ts';
import { subscribeBody, subscribeReply, type SubscribeBody } from './shapes.ts';
import { chooseUnit } from './sign-up-unit.ts';

/** What subscribing did. Whoever tells the person so, or tells webhooks, reads it off here. */
export interface SubscribeOutcome {
  readonly user: User;
  readonly contact: Contact;
  readonly identifiers: EchoedIdentifiers;
  readonly unit: SignUpUnit;
  /** Whether the text that asks to reply Y is to be left out. */
  readonly singleOptIn: boolean;
  /** The text subscription before the mail subscription. `isNew` is false where it already was subscribed. */
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
 * Subscribes a person; GraphQL's `subscribe` is the same act. Inside a transaction.
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
  const units = [...store.signUpUnits.all()].filter((unit) => unit.companyId === companyId);
  const unit = chooseUnit(units, body, note);
  const identifiers = toIdentifiers(body);
  const at = toIso(now);
  const user = users.findOrMake(companyId, { ...contact, ...identifiers }, at);

  const channels: Channel[] = [];
  if (contact.phone !== null) channels.push('TEXT');
  if (contact.email !== null) channels.push('EMAIL');
  const results = channels.map((channel) => {
    const id = `${user.id}:${unit.type}:${channel}`;
    const known = store.subscriptions.get(id);
    const isNew = known?.status !== 'subscribed';
    const fresh = { id, companyId, userId: user.id, type: unit.type, channel, createdAt: at, attempts: [] };
    const subscription = withAttempt(
      { ...(known ?? fresh), status: 'subscribed', signUpUnitId: isNew ? unit.id : known.signUpUnitId, updatedAt: at },
      'subscribe',
      at,
    );
    store.subscriptions.put(subscription);
    return { subscription, isNew };
  });
  const singleOptIn = body.singleOptIn ?? false;
  const language = unit.language === 'fr' ? 'fr' : 'en';
  for (const outcome of results)
    messages.subscribed({ user, ...outcome, singleOptIn, to: contact.phone ?? '', language }, now);
  return { user, contact, identifiers, unit, singleOptIn, results };
}

/** So many of its latest attempts a subscription keeps, so that one who tries for ever does not grow for ever. */
const attemptLimit = 100;

/** The subscription with one more attempt on record (Subscribe, 2; Unsubscribe, 3). */
export function withAttempt(subscription: Subscription, act: 'subscribe' | 'unsubscribe', at: string): Subscription {
  return { ...subscription, attempts: [...subscription.attempts, { at, act }].slice(-attemptLimit) };
}

/** The identifiers of the request, whether they stand at its top or, as public clients do, inside `user`. */
function toIdentifiers({
  externalIdentifiers: top = {},
  user: { externalIdentifiers: inner = {} },
}: SubscribeBody): EchoedIdentifiers {
  const pick = (name: 'clientUserId' | 'shopifyId' | 'klaviyoId') => top[name] || inner[name];
  const clientUserId = pick('clientUserId');
  const shopifyId = pick('shopifyId');
  const klaviyoId = pick('klaviyoId');
  const customIdentifiers = [top, inner]
    .flatMap((one) => toCustomIdentifiers(one.customIdentifiers))
    .map((one) => ({ ...one }));
  return {
    ...(clientUserId ? { clientUserId } : {}),
    ...(shopifyId ? { shopifyId } : {}),
    ...(klaviyoId ? { klaviyoId } : {}),
    ...(customIdentifiers.length > 0 ? { customIdentifiers } : {}),
  };
}
