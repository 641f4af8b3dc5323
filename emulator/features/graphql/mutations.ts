import { randomUUID } from 'node:crypto';
import { isAmount } from '../../contract/formats.ts';
import { isBlank, toCustomIdentifiers } from '../../people/custom-identifiers.ts';
import type { EventUser } from '../../people/event-user.ts';
import type { Channel, CustomIdentifier, InboundEvent, SubscriptionType } from '../../records.ts';
import { inBody, refuse } from '../../rules.ts';
import type {
  SharedOperation,
  SharedOperations,
  EcommerceInput,
  SubscribeInput,
  UnsubscribeInput,
} from './operations.ts';
import { toField, type Context, type MutationField } from './context.ts';
import { toSubscription, toWebhook, toWebhookId } from './nodes.ts';
import { readProperties, toPropertiesText } from './properties.ts';
import { graphqlRules } from './rules.ts';
import { asInRest, ecommerce, subscribing, webhooks } from './spellings.ts';

type Maybe<T> = T | null | undefined;

interface UserInput {
  readonly phone?: Maybe<string>;
  readonly email?: Maybe<string>;
  readonly externalIdentifiers?: Maybe<{
    readonly clientUserId?: Maybe<string>;
    readonly customIdentifiers?: Maybe<readonly CustomIdentifier[]>;
  }>;
}

interface CustomEventFields {
  readonly type: string;
  readonly properties?: unknown;
  readonly mediaUrl?: Maybe<string>;
  readonly externalEventId?: Maybe<string>;
  readonly occurredAt?: Maybe<string>;
  readonly user: UserInput;
}

interface ProductFields {
  readonly productId: string;
  readonly productVariantId: string;
  readonly productImage?: Maybe<string>;
  readonly productName?: Maybe<string>;
  readonly productPrices?: Maybe<readonly { readonly amount: string; readonly currency?: Maybe<string> }[]>;
  readonly quantity?: Maybe<number>;
}

interface EcommerceFields {
  readonly occurredAt?: Maybe<string>;
  readonly visitor: { readonly phone?: Maybe<string>; readonly email?: Maybe<string> };
  readonly products?: Maybe<readonly ProductFields[]>;
}

interface SubscribeFields {
  readonly user: { readonly phone?: Maybe<string>; readonly email?: Maybe<string> };
  readonly externalIdentifiers?: unknown;
  readonly signupSourceId?: Maybe<string>;
  readonly locale?: unknown;
  readonly type?: Maybe<string>;
  readonly singleOptIn?: Maybe<boolean>;
}

interface UnsubscribeFields {
  readonly user: { readonly phone?: Maybe<string>; readonly email?: Maybe<string> };
  readonly subscriptions?: Maybe<readonly { readonly type: string; readonly channel: string }[]>;
  readonly notification?: Maybe<{ readonly language?: Maybe<string>; readonly disabled?: Maybe<boolean> }>;
}

interface WebhookFields {
  readonly url: string;
  readonly events?: Maybe<readonly string[]>;
}

/** The fields of `Mutation`, for one request. */
export function toMutations(context: Context): { readonly [field: string]: unknown } {
  const { shared } = context;
  const refuseRepeated = context.deps.choices.unknownFields === 'refuse';
  return {
    createCustomEvent: toField(context, shared.customEvent, {
      name: 'customEvent',
      spelling: asInRest,
      toBody: (input: CustomEventFields, note) => ({
        ...withoutNull({ type: input.type, mediaUrl: input.mediaUrl, occurredAt: input.occurredAt }),
        type: input.type,
        user: toUser(input.user),
        properties: readProperties(input.properties, { refuseRepeated, note }),
        externalEventId: readEventId(input.externalEventId, note),
      }),
      // For an event that was sent before, the reply has the stored time and properties. The user is repeated as sent
      // now: an event stores whom it is about, but not the identifiers that named that person.
      answer: ({ event, isNew }, input, body) => ({
        type: event.type,
        occurredAt: event.occurredAt,
        externalEventId: event.externalEventId ?? body.externalEventId,
        user: toEcho(input.user),
        properties: toPropertiesText(isNew ? input.properties : event.body['properties']),
      }),
    }),
    setCustomAttributes: toField(context, shared.attributes, {
      name: 'attributes',
      spelling: asInRest,
      toBody: (input: Pick<CustomEventFields, 'properties' | 'user'>, note) => ({
        user: toUser(input.user),
        properties: readProperties(input.properties, { refuseRepeated, note }),
      }),
      answer: (_outcome, input) => ({ user: toEcho(input.user), properties: toPropertiesText(input.properties) }),
    }),
    productViewEvent: toEcommerceField(context, 'productView'),
    addToCartEvent: toEcommerceField(context, 'addToCart'),
    productPurchaseEvent: toEcommerceField(context, 'purchase'),
    subscribe: toField(context, shared.subscribe, {
      name: 'subscribe',
      spelling: subscribing,
      toBody: ({ user, externalIdentifiers, signupSourceId, locale, type, singleOptIn }: SubscribeFields) =>
        withoutNull({
          user,
          externalIdentifiers,
          signUpSourceId: signupSourceId,
          locale,
          subscriptionType: type && unprefixed(type),
          singleOptIn: singleOptIn ?? false,
        }) as unknown as SubscribeInput,
      answer: ({ identifiers, results }) => ({
        externalIdentifiers: Object.keys(identifiers).length === 0 ? null : { customIdentifiers: [], ...identifiers },
        subscribeResults: results.map(({ subscription }) => toSubscription(subscription)),
      }),
    }),
    unsubscribe: toField(context, shared.unsubscribe, {
      name: 'unsubscribe',
      spelling: subscribing,
      toBody: ({ user, subscriptions, notification }: UnsubscribeFields) =>
        withoutNull({
          user,
          subscriptions: subscriptions?.map(({ type, channel }) => ({
            type: unprefixed(type),
            channel: unprefixed(channel),
          })),
          notification: notification && { ...notification, disabled: notification.disabled ?? false },
        }) as unknown as UnsubscribeInput,
      answer: ({ contact, results }) => ({
        unsubscribeResults: results.map(({ type, channel, subscription }) =>
          toSubscription({
            type,
            channel,
            address: subscription?.address ?? (channel === 'TEXT' ? contact.phone : contact.email),
            createdAt: subscription?.createdAt ?? null,
          }),
        ),
      }),
    }),
    createWebhook: toField(context, shared.createWebhook, {
      name: 'createWebhook',
      spelling: webhooks,
      toBody: ({ url, events }: WebhookFields) =>
        withoutNull({ url, events }) as unknown as BodyOf<SharedOperations['createWebhook']>,
      answer: (webhook) => ({ webhook: toWebhook(webhook) }),
    }),
    updateWebhook: toField(context, shared.updateWebhook, {
      name: 'updateWebhook',
      spelling: webhooks,
      toBody: ({ id, url, events, disabled }: WebhookFields & { readonly id: string; readonly disabled: boolean }) =>
        withoutNull({ id: toWebhookId(id), url, events, disabled }) as unknown as BodyOf<
          SharedOperations['updateWebhook']
        >,
      answer: (webhook) => ({ webhook: toWebhook(webhook) }),
    }),
    deleteWebhook: toField(context, shared.deleteWebhook, {
      name: 'deleteWebhook',
      spelling: webhooks,
      toBody: ({ id }: { readonly id: string }) => ({ id: toWebhookId(id) }),
      answer: () => ({ deleted: true }),
    }),
  };
}

type BodyOf<A> = A extends SharedOperation<infer Body, unknown> ? Body : never;

function toEcommerceField(context: Context, name: 'productView' | 'addToCart' | 'purchase') {
  const field: MutationField<EcommerceFields, EcommerceInput, InboundEvent> = {
    name,
    spelling: ecommerce,
    toBody: ({ occurredAt, visitor, products }) => ({
      user: toUser(visitor),
      items: (products ?? []).map(toItem) as EcommerceInput['items'],
      ...(occurredAt === undefined ? {} : { occurredAt }),
    }),
    answer: (event, { visitor, products }) => ({
      occurredAt: event.occurredAt,
      visitor: toEcho(visitor),
      products: (products ?? []).map((product) => ({
        ...product,
        productPrices: (product.productPrices ?? []).map(({ amount, currency }) => ({
          amount,
          currency: currency ?? 'USD',
        })),
      })),
    }),
  };
  return toField(context, context.shared[name], field);
}

function toItem({ productName, productPrices, ...product }: ProductFields, at: number): unknown {
  const price = (productPrices ?? []).map(({ amount, currency }, position) => ({
    value: toAmount(amount, toCurrency(currency), `/products/${at}/productPrices/${position}/amount`),
    currency: toCurrency(currency),
  }));
  return withoutNull({ ...product, name: productName, price });
}

/** US dollars if none is named (docs/platform.md, E-commerce events). */
function toCurrency(sent: Maybe<string>): string {
  return !sent || sent === 'CURRENCY_UNKNOWN' ? 'USD' : sent;
}

function toAmount(sent: string, currency: string, at: string): number {
  const amount = isAmount(sent) ? Number(sent) : Number.NaN;
  return Number.isFinite(amount) ? amount : refuse(graphqlRules.amount, inBody(at), sent, { sent, currency });
}

/** GraphQL answers with an id, so an event without one gets one. */
function readEventId(sent: Maybe<string>, note: (remark: string) => void): string {
  if (sent === '') note('externalEventId was sent as ""; it was read as left out.');
  return sent || randomUUID();
}

function toUser({ phone, email, externalIdentifiers }: UserInput): EventUser {
  const { clientUserId, customIdentifiers } = externalIdentifiers ?? {};
  return {
    ...(phone === undefined ? {} : { phone }),
    ...(email === undefined ? {} : { email }),
    externalIdentifiers: {
      ...(clientUserId === null || clientUserId === undefined ? {} : { clientUserId }),
      customIdentifiers: (customIdentifiers ?? []).map(({ name, value }) => ({ name, value })),
    },
  };
}

/** The user as answers repeat it: without fields that were read as left out, and with custom identifiers as a list. */
function toEcho({ phone, email, externalIdentifiers }: UserInput): unknown {
  const read = (sent: Maybe<string>): string | null => (sent === undefined || isBlank(sent) ? null : sent);
  return {
    phone: read(phone),
    email: read(email),
    externalIdentifiers: {
      clientUserId: read(externalIdentifiers?.clientUserId),
      customIdentifiers: toCustomIdentifiers(externalIdentifiers?.customIdentifiers),
    },
  };
}

/** `TYPE_MARKETING` → `MARKETING`; GraphQL prefixes its enums, REST does not. */
function unprefixed(value: string): SubscriptionType | Channel {
  return value.replace(/^(?:TYPE|CHANNEL)_/, '') as SubscriptionType | Channel;
}

/** A copy without members that are null: GraphQL's "not given" in optional places. */
function withoutNull(value: unknown): { readonly [name: string]: unknown } {
  const strip = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(strip);
    return inner !== null && typeof inner === 'object' ? withoutNull(inner) : inner;
  };
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, inner]) =>
      inner === null || inner === undefined ? [] : [[name, strip(inner)]],
    ),
  );
}
