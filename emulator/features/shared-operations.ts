import { setAttributes, setCustomAttributes } from './attributes/attributes.ts';
import { createCustomEvent, recordCustomEvent } from './custom-events/custom-events.ts';
import { addToCart, productView, purchase, recordEcommerceEvent, unpricedBody } from './ecommerce.ts';
import type { SharedOperations } from './graphql/operations.ts';
import { subscribe, subscribeUser } from './subscriptions/subscribe.ts';
import { unsubscribe, unsubscribeUser } from './subscriptions/unsubscribe.ts';
import {
  createWebhook,
  deleteWebhook,
  eventlessBody,
  findWebhook,
  changeWebhook,
  makeWebhook,
  updateWebhook,
} from './webhooks/webhooks.ts';
import { toEvents } from './webhooks/event-types.ts';

/** The REST functions that GraphQL's mutations call. Wired here, as in index.ts: groups never import one another. */
export const sharedOperations: SharedOperations = {
  customEvent: { operation: createCustomEvent, run: recordCustomEvent },
  productView: {
    operation: productView,
    contract: unpricedBody,
    run: (deps, caller, body, now, note) => recordEcommerceEvent(deps, caller, 'product-view', body, now, note),
  },
  addToCart: {
    operation: addToCart,
    contract: unpricedBody,
    run: (deps, caller, body, now, note) => recordEcommerceEvent(deps, caller, 'add-to-cart', body, now, note),
  },
  purchase: {
    operation: purchase,
    contract: unpricedBody,
    run: (deps, caller, body, now, note) => recordEcommerceEvent(deps, caller, 'purchase', body, now, note),
  },
  attributes: { operation: setAttributes, run: setCustomAttributes },
  subscribe: { operation: subscribe, run: subscribeUser },
  unsubscribe: { operation: unsubscribe, run: unsubscribeUser },
  createWebhook: {
    operation: createWebhook,
    contract: eventlessBody,
    run({ store }, caller, { url, events = [] }, now, note) {
      if (events.length === 0) note('The webhook lists no event types, so nothing is sent to it.');
      return makeWebhook(store, caller.app, caller.companyId, { url, events: toEvents(events, note) }, now);
    },
  },
  updateWebhook: {
    operation: updateWebhook,
    contract: eventlessBody,
    run({ store }, caller, { id, url, events, disabled }, now, note) {
      const known = findWebhook(store, caller, id);
      const change = { url, disabled, ...(events ? { events: toEvents(events, note) } : {}) };
      return changeWebhook(store, known, change, now);
    },
  },
  deleteWebhook: {
    operation: deleteWebhook,
    run: ({ store }, caller, { id }) => store.webhooks.delete(findWebhook(store, caller, id).id),
  },
};
