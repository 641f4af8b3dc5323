import { showClock, shownClock } from '../delivery/headers.ts';
import { deliverySettings } from '../delivery/settings.ts';
import { changeWebhook, makeWebhook } from '../features/webhooks/webhooks.ts';
import type { App, Webhook } from '../records.ts';
import { inBody, noSuch, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { parseDuration } from '../time/clock.ts';
import type { webhookCalls } from './contract/webhooks.ts';
import { toWebhookLines, toWebhookView } from './delivery-views.ts';
import { webhookRules } from './rules/resource-rules.ts';
import { checkCompany, recordsOf } from './of-company.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Handlers with which a developer creates and changes webhooks. */
export function createWebhookHandlers({
  store,
  deliveries,
  lineage,
  undo: { edit },
}: HandlerDeps): Handlers<typeof webhookCalls> {
  const webhookOf = (id: string): Webhook => store.webhooks.get(id) ?? noSuch('webhook', id);

  return {
    async 'GET /control/webhooks'({ query: { companyId } }) {
      checkCompany(store, companyId);
      return { webhooks: await toWebhookLines(() => recordsOf(store.webhooks, companyId), store, lineage) };
    },
    'POST /control/webhooks'({ body: { appId, companyId, ...fields }, now }) {
      const app = appOf(store, { appId, companyId });
      return toWebhookView(
        edit(
          'webhook.created',
          ({ url }) => `The webhook to ${url} was created.`,
          () => makeWebhook(store, app, app.companyId, fields, now),
        ).made,
      );
    },
    'POST /control/webhooks/{id}'({ params: { id }, body, now }) {
      const known = webhookOf(id);
      return toWebhookView(
        edit(
          'webhook.changed',
          () => `The webhook to ${known.url} was changed.`,
          () => changeWebhook(store, known, body, now),
        ).made,
      );
    },
    'DELETE /control/webhooks/{id}'({ params: { id } }) {
      const { url } = webhookOf(id);
      edit(
        'webhook.deleted',
        () => `The webhook to ${url} was deleted. What waited for it stays given up until it is redelivered.`,
        () => store.webhooks.delete(id),
      );
      return null;
    },
    'POST /control/webhooks/{id}/rotate'({ params: { id }, body: { overlap } }) {
      const overlapMs =
        overlap === undefined ? deliverySettings.keyOverlapMs : parseDuration(overlap, inBody('/overlap'));
      webhookOf(id);
      return toWebhookView(
        edit(
          'webhook.key-rotated',
          ({ url }) => `The webhook to ${url} got a new signing key.`,
          () => deliveries.rotateKey(id, overlapMs),
        ).made,
      );
    },
    'POST /control/webhook-time'({ body: { time } }) {
      if (time !== shownClock(store))
        edit(
          'webhook-time.changed',
          () => `Webhooks show the ${time === 'wall' ? 'real' : 'virtual'} clock from now on.`,
          () => showClock(store, time),
        );
      return { time };
    },
  };
}

/** The app that is named, or the first app of the company. */
function appOf(store: Store, of: { readonly appId: string | undefined; readonly companyId: string | undefined }): App {
  const app = recordsOf(store.apps, of.companyId).find(({ id }) => of.appId === undefined || id === of.appId);
  if (app) return app;
  const { appId = null, companyId = null } = of;
  const place = appId === null ? inBody('/companyId') : inBody('/appId');
  return refuse(webhookRules.app, place, appId ?? companyId, { appId, companyId });
}
