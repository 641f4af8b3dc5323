import type { Request } from './send.ts';

type Value = { readonly [name: string]: unknown };
type Lists = { readonly [name: string]: readonly Value[] };

const bare = (text: unknown): string => String(text).replace(/^(?:TYPE|CHANNEL)_/, '');
const post = (path: string, json: Value): Request => ({ method: 'POST', path, json });

const properties = ({ properties: text, ...input }: Value): Value => ({
  ...input,
  ...(text !== undefined && { properties: JSON.parse(String(text)) as unknown }),
});

const items =
  (path: string) =>
  ({ visitor, products = [], ...input }: Value): Request =>
    post(`/events/ecommerce/${path}`, {
      ...input,
      user: visitor,
      items: (products as readonly Value[]).map(({ productName, productPrices = [], ...product }) => ({
        ...product,
        ...(productName !== undefined && { name: productName }),
        price: (productPrices as readonly Value[]).map(({ amount, currency }) => ({
          value: Number(amount),
          ...(currency !== 'CURRENCY_UNKNOWN' && { currency }),
        })),
      })),
    });

const webhook = (id: unknown): string => `/webhooks/${encodeURIComponent(String(id))}`;

const operations: { readonly [mutation: string]: (input: Value) => Request } = {
  createCustomEvent: (input) => post('/events/custom', properties(input)),
  setCustomAttributes: (input) => post('/attributes/custom', properties(input)),
  productViewEvent: items('product-view'),
  addToCartEvent: items('add-to-cart'),
  productPurchaseEvent: items('purchase'),
  subscribe: ({ signupSourceId, type, ...input }) =>
    post('/subscriptions', {
      ...input,
      ...(signupSourceId !== undefined && { signUpSourceId: signupSourceId }),
      ...(type !== undefined && { subscriptionType: bare(type) }),
    }),
  unsubscribe: ({ subscriptions, ...input }) =>
    post('/subscriptions/unsubscribe', {
      ...input,
      ...(subscriptions !== undefined && {
        subscriptions: (subscriptions as Lists[string]).map(({ type, channel }) => ({
          type: bare(type),
          channel: bare(channel),
        })),
      }),
    }),
  createWebhook: (input) => post('/webhooks', input),
  updateWebhook: ({ id, ...json }) => ({ method: 'PUT', path: webhook(id), json }),
  deleteWebhook: ({ id }) => ({ method: 'DELETE', path: webhook(id) }),
};

/** The request of REST that says the same as the input of a mutation. */
export function restOf(mutation: string, input: unknown): Request {
  const operation = operations[mutation];
  if (!operation) throw new Error(`The mutation ${mutation} has no operation of REST here.`);
  return operation(input as Value);
}
