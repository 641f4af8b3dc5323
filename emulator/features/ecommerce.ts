import { toIso } from '../time/clock.ts';
import { isInt64Number } from '../contract/formats.ts';
import { assumed, observed, withLimits, type Infer } from '../contract/schema.ts';
import type { Deps } from '../deps.ts';
import { eventTimeRules, occurredAtSchema, readEventTime, tellAge } from '../people/event-time.ts';
import { eventUserRules, eventUserSchema, readEventUser, toPerson } from '../people/event-user.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Caller } from '../people/caller.ts';
import { toGlobalId } from '../ids.ts';
import type { EventKind, InboundEvent } from '../records.ts';
import { inBody, refuse, rule, rulesOf, show } from '../rules.ts';

export const ecommerceRules = {
  quantity: rule<{ at: number; sent: number }>({
    id: 'ecommerce.quantity',
    status: 400,
    section: '4, note 3',
    provenance: 'assumed',
    reason: 'quantity is an int64; what the platform does with a larger number is not public.',
    says: 'quantity is an int64.',
    message: ({ at, sent }) => `items.${at}.quantity must be a whole number of at most 64 bits, not ${show(sent)}.`,
    fix: () => ({ say: 'Send how many there are.', edits: [] }),
    facts: ({ at }) => ({ at, format: 'int64' }),
  }),
} as const;

const price = {
  type: 'object',
  required: ['value'],
  properties: {
    value: withLimits(
      observed({ type: 'number', examples: [19.99] }),
      { minimum: 0 },
      'The minimum is our choice: a price below zero is nearly always a mistake.',
    ),
    currency: assumed(
      { type: 'string', format: 'iso-4217', default: 'USD', examples: ['USD'] },
      'The field is observed; the requirement of an ISO 4217 currency is only documented for the catalog (section 2.1).',
    ),
  },
} as const;

const filled = [{ minLength: 1 }, 'The minimum is our choice: an empty id names no product.'] as const;

const product = {
  type: 'object',
  required: ['productId', 'productVariantId', 'price'],
  properties: {
    productId: withLimits(observed({ type: 'string', examples: ['AB12345'] }), ...filled),
    productVariantId: withLimits(observed({ type: 'string', examples: ['CD12345'] }), ...filled),
    price: observed({ type: 'array', minItems: 1, items: price, examples: [[{ value: 19.99, currency: 'USD' }]] }),
    productImage: observed({ type: 'string', format: 'http-url', examples: ['https://cdn.example.com/shirt.png'] }),
    productUrl: observed({ type: 'string', format: 'http-url', examples: ['https://shop.example.com/shirt'] }),
    name: observed({ type: 'string', examples: ['T-Shirt'] }),
    quantity: observed({ type: ['integer', 'string'], format: 'int64', examples: [1] }),
  },
} as const;

const visitBody = {
  type: 'object',
  required: ['items', 'user'],
  properties: {
    items: observed({
      type: 'array',
      items: product,
      examples: [[{ productId: 'AB12345', productVariantId: 'CD12345', price: [{ value: 19.99 }] }]],
    }),
    user: observed(eventUserSchema),
    occurredAt: occurredAtSchema,
  },
} as const;

const salesChannels = ['WEB', 'IOS_APP', 'ANDROID_APP', 'IN_STORE', 'PHONE', 'OTHER', ''] as const;

const purchaseBody = {
  type: 'object',
  required: ['items', 'user'],
  properties: {
    ...visitBody.properties,
    orderId: observed({ type: ['string', 'null'], examples: ['order-1'] }),
    salesChannel: observed({
      type: ['object', 'null'],
      properties: { channelType: observed({ type: 'string', enum: salesChannels, examples: ['WEB'] }) },
      examples: [{ channelType: 'WEB' }],
    }),
  },
} as const;

/**
 * The input from GraphQL's mutations. In their schema `productPrices` is optional, while REST requires a price
 * (docs/platform.md, GraphQL).
 */
export const unpricedBody = {
  ...purchaseBody,
  properties: {
    ...purchaseBody.properties,
    items: observed({
      type: 'array',
      items: {
        ...product,
        properties: { ...product.properties, price: observed({ type: 'array', items: price }) },
      },
    }),
  },
} as const;

/** The input of a purchase; the other two events have no order. */
export type EcommerceBody = Infer<typeof purchaseBody>;

export type EcommerceKind = Exclude<EventKind, 'custom'>;

/** The names of the operations in the platform's clients. */
const operationIds = {
  'product-view': 'postProductViewEvents',
  'add-to-cart': 'postAddToCartEvents',
  purchase: 'postPurchaseEvents',
} as const;

/** POST /events/ecommerce/product-view (section 4, note 3). */
export const productView = ecommerceEndpoint('product-view', 'Report that a person looked at products', visitBody);

/** POST /events/ecommerce/add-to-cart (section 4, note 3). */
export const addToCart = ecommerceEndpoint('add-to-cart', 'Report that a person put products into the cart', visitBody);

/** POST /events/ecommerce/purchase (section 4, note 3). */
export const purchase = ecommerceEndpoint('purchase', 'Report that a person bought products', purchaseBody);

export const ecommerceEndpoints: readonly Endpoint[] = [productView, addToCart, purchase];

function ecommerceEndpoint(
  kind: EcommerceKind,
  summary: string,
  body: typeof visitBody | typeof purchaseBody,
): Endpoint {
  return endpoint({
    operationId: operationIds[kind],
    method: 'POST',
    path: `/events/ecommerce/${kind}`,
    access: 'ecommerce:write',
    summary,
    section: '4, note 3',
    provenance: 'documented',
    rules: rulesOf(ecommerceRules, eventUserRules, eventTimeRules),
    body,
    replies: { 200: null },
    handle({ body, caller, now, note }, deps) {
      recordEcommerceEvent(deps, caller, kind, body, now, note);
      return { status: 200, body: null };
    },
  });
}

/** Stores an e-commerce event, and creates its user if no one has these identifiers. Inside a transaction. */
export function recordEcommerceEvent(
  deps: Deps,
  caller: Caller,
  kind: EcommerceKind,
  body: EcommerceBody,
  now: number,
  note: (remark: string) => void,
): InboundEvent {
  const time = readEventTime(body.occurredAt, now, note);
  tellAge(time, note);
  const by = readEventUser(body.user, note);
  if (body.items.length === 0) note('The event has no items, so there is nothing to build a message on.');
  const person = toPerson(deps, caller, by, toIso(now), note);
  return deps.store.events.put({
    id: toGlobalId('Event', deps.store.nextNumber()),
    companyId: caller.companyId,
    userId: person.id,
    kind,
    type: kind,
    externalEventId: null,
    receivedAt: toIso(now),
    ...time,
    body: {
      items: body.items.map((item, at) => toItem(item, at, note)),
      ...(kind === 'purchase' && body.orderId ? { orderId: body.orderId } : {}),
      ...(kind === 'purchase' && body.salesChannel ? { salesChannel: body.salesChannel } : {}),
    },
  });
}

/**
 * The item with its currencies filled in and its quantity as a number. A client in use sends the quantity as text,
 * which the schema's format checks.
 */
function toItem(item: EcommerceBody['items'][number], at: number, note: (remark: string) => void) {
  const prices = item.price.map((one) => ({ ...one, currency: one.currency ?? 'USD' }));
  if (typeof item.quantity !== 'string') {
    const sent = item.quantity ?? 0;
    if (!isInt64Number(sent)) refuse(ecommerceRules.quantity, inBody(`/items/${at}/quantity`), sent, { at, sent });
    return { ...item, price: prices };
  }
  const quantity = Number(item.quantity);
  const read = BigInt(quantity);
  const lost = read === BigInt(item.quantity) ? '' : ' A number keeps about 16 digits.';
  note(`items.${at}.quantity was sent as a text; it was read as the number ${read}.${lost}`);
  return { ...item, price: prices, quantity };
}
