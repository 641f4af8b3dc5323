import type { Deps } from '../../deps.ts';
import { toIso } from '../../time/clock.ts';
import { documented, observed, withLimits } from '../../contract/schema.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { numberOf, randomSecret, toGlobalId } from '../../ids.ts';
import { ownsWebhook } from '../../people/caller.ts';
import { inPath, refuse } from '../../rules.ts';
import type { App, Webhook } from '../../records.ts';
import type { Store } from '../../store/store.ts';
import { toEvents } from './event-types.ts';
import { webhookRules } from './rules.ts';

const address = { type: 'string', examples: ['http://localhost:3000/webhooks'] } as const;
const url = withLimits(
  observed(address),
  { format: 'http-url', maxLength: 2048 },
  'Form and length are our choice: the length is that of links in a catalog (section 2.1).',
);
const types = {
  type: 'array',
  items: { type: 'string', examples: ['sms.subscribed'] },
  examples: [['sms.subscribed', 'email.opened']],
} as const;
const events = withLimits(
  observed(types),
  { minItems: 1 },
  'At least one is our choice: a webhook without event types gets no event.',
);
/** GraphQL's schema lets `events` be left out, and be empty (docs/platform.md, GraphQL). */
const anyEvents = observed(types);

const createBody = {
  type: 'object',
  required: ['url', 'events'],
  properties: { url, events },
} as const;

const updateBody = {
  type: 'object',
  required: ['url', 'events'],
  properties: {
    url,
    events,
    disabled: observed({
      type: 'boolean',
      description: 'Whether the webhook is disabled; unchanged if left out (assumed).',
      examples: [false],
    }),
  },
} as const;

/** The body that GraphQL's mutations pass on. */
export const eventlessBody = {
  ...updateBody,
  required: ['url'],
  properties: { ...updateBody.properties, events: anyEvents },
} as const;

const exampleId = 'MjU6Q29tcGFueUFwcGxpY2F0aW9uV2ViaG9vazIy';

const shown = {
  id: observed({ type: 'string', examples: [exampleId] }),
  url: observed({ ...address, format: 'http-url' }),
  events: anyEvents,
  disabledAt: observed({ type: ['string', 'null'], examples: [null] }),
} as const;

const written = {
  type: 'object',
  required: ['id', 'url', 'events', 'type', 'disabledAt'],
  properties: { ...shown, type: observed({ type: 'string', enum: ['INSTALLED', 'CREATOR'] }) },
} as const;

const listed = {
  type: 'object',
  required: ['id', 'url', 'events', 'type', 'companyId', 'disabledAt'],
  properties: {
    ...shown,
    type: observed({ type: 'string', enum: ['SUBSCRIPTION', 'STATIC'] }),
    companyId: observed({ type: 'string', examples: ['MDc6Q29tcGFueTI'] }),
  },
} as const;

const params = {
  type: 'object',
  required: ['webhookId'],
  properties: { webhookId: documented({ type: 'string', examples: [exampleId] }) },
} as const;

/** GET /webhooks (section 4, note 2): the webhooks that this app created for this company. */
const listWebhooks = endpoint({
  operationId: 'getWebhooks',
  method: 'GET',
  path: '/webhooks',
  access: 'webhooks:write',
  summary: 'List webhooks',
  section: '4, note 2',
  provenance: 'documented',
  rules: [],
  replies: {
    200: {
      type: 'object',
      required: ['webhooks'],
      properties: { webhooks: observed({ type: 'array', items: listed }) },
    },
  },
  errors: [400, 404, 500],
  handle({ caller }, { store }) {
    const webhooks = webhooksOf(store, caller).map((webhook) => ({
      ...toShown(webhook),
      type: 'SUBSCRIPTION' as const,
      companyId: webhook.companyId,
    }));
    return { status: 200, body: { webhooks } };
  },
});

/**
 * POST /webhooks (section 4, note 2). The signing key is shown in the platform's UI only, so it is not in the reply.
 */
export const createWebhook = endpoint({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  access: 'webhooks:write',
  summary: 'Create a webhook',
  section: '4, note 2',
  provenance: 'documented',
  rules: [webhookRules.eventType],
  body: createBody,
  replies: { 201: written },
  links: { updateWebhook: { webhookId: '/id' }, deleteWebhook: { webhookId: '/id' } },
  errors: [400, 404, 500],
  handle({ body, caller, now, note }, { store, deliveries }) {
    const webhook = makeWebhook(
      store,
      caller.app,
      caller.companyId,
      { url: body.url, events: toEvents(body.events, note) },
      now,
    );
    noteRefused(webhook, deliveries, note);
    return { status: 201, body: toWritten(webhook) };
  },
});

/** PUT /webhooks/{webhookId}: replaces address and event types; `disabled` stops and restarts deliveries. */
export const updateWebhook = endpoint({
  operationId: 'updateWebhook',
  method: 'PUT',
  path: '/webhooks/{webhookId}',
  access: 'webhooks:write',
  summary: 'Update a webhook',
  section: '4, note 2',
  provenance: 'documented',
  rules: [webhookRules.eventType, webhookRules.unknownWebhook],
  params,
  body: updateBody,
  replies: { 200: written },
  errors: [400, 404, 500],
  stored({ params: { webhookId }, caller }, { store }) {
    const webhook = webhooksOf(store, caller).find(({ id }) => id === webhookId);
    return webhook ? { url: webhook.url, events: [...webhook.events] } : null;
  },
  handle({ params: { webhookId }, body: { url, events, disabled }, caller, now, note }, { store, deliveries }) {
    const known = findWebhook(store, caller, webhookId);
    const webhook = changeWebhook(store, known, { url, events: toEvents(events, note), disabled }, now);
    noteRefused(webhook, deliveries, note);
    return { status: 200, body: toWritten(webhook) };
  },
});

/** DELETE /webhooks/{webhookId}. */
export const deleteWebhook = endpoint({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  access: 'webhooks:write',
  summary: 'Delete a webhook',
  section: '4',
  provenance: 'documented',
  rules: [webhookRules.unknownWebhook],
  params,
  replies: { 204: null },
  errors: [400, 404, 500],
  handle({ params: { webhookId }, caller }, { store }) {
    store.webhooks.delete(findWebhook(store, caller, webhookId).id);
    return { status: 204, body: null };
  },
});

/** The operations of this group. */
export const webhookEndpoints: readonly Endpoint[] = [listWebhooks, createWebhook, updateWebhook, deleteWebhook];

/** The fields of a webhook that are given; its reach and its key are set by hand only. */
type WebhookFields = Pick<Webhook, 'url' | 'events'> & Partial<Pick<Webhook, 'signingKey' | 'reach'>>;

/**
 * Creates a webhook of an app for a company, whether by request or by hand. Inside a transaction. `now` in epoch
 * milliseconds.
 */
export function makeWebhook(
  store: Store,
  { id: appId }: Pick<App, 'id'>,
  companyId: string,
  { url: target, events: types, signingKey = randomSecret(24), reach = 'loopback' }: WebhookFields,
  now: number,
): Webhook {
  return store.webhooks.put({
    id: toGlobalId('CompanyApplicationWebhook', store.nextNumber()),
    companyId,
    appId,
    url: target,
    events: [...new Set(types)],
    signingKey,
    previousKey: null,
    createdAt: toIso(now),
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
    reach,
  });
}

/**
 * Changes the given fields of a webhook. A webhook that is disabled again keeps the time at which it was first
 * disabled, and a new address counts as not failing. Inside a transaction.
 */
export function changeWebhook(
  store: Store,
  known: Webhook,
  change: Partial<WebhookFields> & { readonly disabled?: boolean | undefined },
  now: number,
): Webhook {
  // Picked by name, because a body may have further fields, even fields of a webhook that it must not set.
  const { url: target, events: types, signingKey, reach } = { ...known, ...change };
  const { disabledAt: since } = known;
  const disabledAt = change.disabled === undefined ? since : change.disabled ? (since ?? toIso(now)) : null;
  const isEnabledAgain = since !== null && disabledAt === null;
  const failingSince = target === known.url && !isEnabledAgain ? known.failingSince : null;
  const disabledReason = isEnabledAgain ? null : known.disabledReason;
  const events = [...new Set(types)];
  const changed = { url: target, events, signingKey, reach, disabledAt, disabledReason, failingSince };
  return store.webhooks.put({ ...known, ...changed });
}

/** The caller's webhook with that id; refused with 404 if it does not exist or belongs to another app or company. */
export function findWebhook(store: Store, caller: Caller, id: string): Webhook {
  const webhook = store.webhooks.get(id);
  if (webhook && ownsWebhook(caller, webhook)) return webhook;
  // It may be the id that GraphQL has for a webhook: the same number with another type (docs/platform.md, Identifiers).
  const meant = webhooksOf(store, caller).find((own) => toGlobalId('Webhook', numberOf(own.id)) === id);
  return refuse(webhookRules.unknownWebhook, inPath('webhookId'), id, { id, meant: meant?.id ?? null });
}

function webhooksOf(store: Store, caller: Caller): readonly Webhook[] {
  return store.webhooks.records().filter((webhook) => ownsWebhook(caller, webhook));
}

/** Notes the reason now: otherwise only the first event would show it. */
function noteRefused(webhook: Webhook, { whyRefused }: Deps['deliveries'], note: (remark: string) => void): void {
  const why = whyRefused(webhook);
  if (why !== null) note(`Nothing will be delivered to this webhook: ${why}`);
}

function toShown({ id, url: target, events: types, disabledAt }: Webhook) {
  return { id, url: target, events: [...types], disabledAt: disabledAt && toDisabledAt(disabledAt) };
}

function toWritten(webhook: Webhook) {
  return { ...toShown(webhook), type: 'INSTALLED' as const };
}

/** `YYYY-MM-DD hh:mm:ss` (docs/platform.md, Webhooks). */
function toDisabledAt(iso: string): string {
  return iso.replace(/\.\d+Z$/, '').replace('T', ' ');
}
