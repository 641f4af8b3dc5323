import { shownTimeSetting } from '../delivery/headers.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { deliverySettings } from '../delivery/settings.ts';
import type { Recorder } from '../http/recorder.ts';
import { randomSecret, toGlobalId } from '../ids.ts';
import type { Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import { parseDuration, toIso } from '../time/clock.ts';
import type { Edit } from '../world/edits.ts';
import type { Body } from './calls.ts';
import type { webhookCalls } from './contract/webhooks.ts';
import { toWebhookLines, toWebhookView } from './delivery-views.ts';
import { badRequest, notFound } from './problems.ts';
import type { Handlers } from './route.ts';

export interface WebhookHandlerDeps {
  readonly store: Store;
  readonly deliveries: Deliveries;
  readonly recorder: Recorder;
  readonly edit: Edit;
}

/** Webhooks in the developer's hand. */
export function createWebhookHandlers({
  store,
  deliveries,
  recorder,
  edit,
}: WebhookHandlerDeps): Handlers<typeof webhookCalls> {
  const webhookOf = (id: string): Webhook =>
    store.webhooks.get(id) ?? notFound(`There is no webhook ${id}. GET /control/webhooks lists them.`);

  return {
    'GET /control/webhooks'({ query: { companyId } }) {
      const of = [...store.webhooks.all()].filter((one) => companyId === undefined || one.companyId === companyId);
      return { webhooks: toWebhookLines(of, store, recorder) };
    },
    'POST /control/webhooks': ({ body, now }) =>
      toWebhookView(
        edit(
          'webhook.created',
          ({ url }) => `The webhook to ${url} was created.`,
          () => makeWebhook(store, body, now),
        ).made,
      ),
    'POST /control/webhooks/{id}'({ params: { id }, body: { disabled, events, ...change }, now }) {
      const known = webhookOf(id);
      const disabledAt = disabled === undefined ? known.disabledAt : disabled ? (known.disabledAt ?? toIso(now)) : null;
      const changed = { ...known, ...change, ...(events ? { events: [...new Set(events)] } : {}), disabledAt };
      return toWebhookView(
        edit(
          'webhook.changed',
          () => `The webhook to ${known.url} was changed.`,
          () => store.webhooks.put(changed),
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
      const overlapMs = overlap === undefined ? deliverySettings.keyOverlapMs : toLength(overlap);
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
      store.transact(() => store.settings.put({ id: shownTimeSetting, value: time }));
      return { time };
    },
  };
}

function makeWebhook(store: Store, body: Body<'POST /control/webhooks'>, now: number): Webhook {
  const app = [...store.apps.all()].find(
    (one) =>
      (body.appId === undefined || one.id === body.appId) &&
      (body.companyId === undefined || one.companyId === body.companyId),
  );
  if (!app) return badRequest('There is no such app of that company. GET /control/records/apps lists them.');
  return store.webhooks.put({
    id: toGlobalId('CompanyApplicationWebhook', store.nextNumber()),
    companyId: app.companyId,
    appId: app.id,
    url: body.url,
    events: [...new Set(body.events)],
    signingKey: body.signingKey ?? randomSecret(24),
    previousKey: null,
    createdAt: toIso(now),
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
    reach: body.reach ?? 'loopback',
  });
}

function toLength(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    return badRequest(error instanceof Error ? error.message : String(error));
  }
}
