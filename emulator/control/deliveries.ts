import { isWanted } from '../delivery/wanted.ts';
import { findCompany } from '../features/accounts/find.ts';
import type { Delivery } from '../records.ts';
import { inBody, inQuery, noSuch } from '../rules.ts';
import type { deliveryCalls } from './contract/deliveries.ts';
import { countStates, makerOf, toCause, toDeliveryLine, toDeliveryView } from './delivery-views.ts';
import { checkCompany } from './of-company.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';
import { newestOf } from './views.ts';

/** Handlers for deliveries: those on their way to webhooks, and the outcomes of all. */
export function createDeliveryHandlers({ store, deliveries, lineage }: HandlerDeps): Handlers<typeof deliveryCalls> {
  const deliveryOf = (id: string): Delivery => store.deliveries.get(id) ?? noSuch('delivery', id);

  return {
    'GET /control/deliveries'({ query: { limit = 100, state, ...wanted } }) {
      const { companyId, webhookId } = wanted;
      checkCompany(store, companyId);
      const ofAnyState = store.deliveries.records().filter((one) => isWanted(one, wanted));
      // Deliveries of a deleted webhook are still listed, so its id is accepted.
      if (
        webhookId !== undefined &&
        !store.webhooks.get(webhookId) &&
        !store.deliveries.records().some((one) => one.webhookId === webhookId)
      )
        noSuch('webhook', webhookId, inQuery('webhookId'));
      const found = state === undefined ? ofAnyState : ofAnyState.filter((one) => one.state === state);
      const shown = newestOf(found, limit);
      return { total: found.length, counts: countStates(ofAnyState), deliveries: shown.map(toDeliveryLine) };
    },
    'GET /control/deliveries/{id}'({ params: { id } }) {
      const delivery = deliveryOf(id);
      const maker = makerOf(lineage, delivery);
      return {
        ...toDeliveryView(delivery),
        cause: maker && toCause(maker),
        moves: deliveries.lifecycle.moves(delivery),
      };
    },
    'POST /control/deliveries/{id}/redeliver'({ params: { id } }) {
      deliveryOf(id);
      return toDeliveryLine(store.transact(() => deliveries.redeliver(id)).result);
    },
    'POST /control/deliveries/redeliver-failed'({ body }) {
      if (body.companyId !== undefined) findCompany(store, body.companyId, inBody('/companyId'));
      const { sent, notSent } = store.transact(() => deliveries.redeliverFailed(body)).result;
      return {
        count: sent.length,
        deliveries: sent.map(toDeliveryLine),
        notSent: notSent.map(({ webhookId, deliveries: left, why }) => ({
          webhookId,
          deliveryIds: left.map(({ id }) => id),
          why,
        })),
      };
    },
  };
}
