import type { Clock } from '../time/clock.ts';
import { parseDuration, toIso } from '../time/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { DraftEvent } from '../delivery/draft-event.ts';
import { eventFacts } from '../delivery/event-facts.ts';
import { eventSchemas, eventTypes, isEventType } from '../delivery/event-schemas.ts';
import { gymActs, type Gym } from '../delivery/gym.ts';
import { shownTimeSetting } from '../delivery/head.ts';
import { examplePayload } from '../delivery/payloads.ts';
import type { Receiver } from '../delivery/receiver.ts';
import { deliverySettings, testSigningKey } from '../delivery/settings.ts';
import { toStandardSecret } from '../delivery/signature.ts';
import type { Trigger } from '../delivery/trigger.ts';
import { UserError } from '../errors.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Recorder } from '../http/recorder.ts';
import { randomSecret, toGlobalId } from '../ids.ts';
import { IllegalMove } from '../machine/table.ts';
import type { Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import {
  causesOf,
  countStates,
  toDeliveryLine,
  toDeliveryView,
  toTriggerView,
  toWebhookLines,
  toWebhookView,
} from './delivery-views.ts';
import { badRequest, notFound } from './problems.ts';
import type { DeliveryDetailView, EventPreviewView } from './protocol.ts';

export interface DeliveryRouteDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly recorder: Recorder;
  readonly trigger: Trigger;
  readonly draftEvent: DraftEvent;
  readonly gym: Gym;
  readonly receiver: Receiver;
}

const anything = { type: 'object' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;
const reach = { type: 'string', enum: ['loopback', 'private', 'public'] } as const;
const address = {
  type: 'string',
  format: 'http-url',
  maxLength: 2048,
  examples: ['http://localhost:3000/webhooks'],
} as const;
const types = { type: 'array', minItems: 1, items: { type: 'string', enum: eventTypes } } as const;

const eventFields = {
  type: { type: 'string', examples: ['sms.subscribed'] },
  subscriber: {
    type: 'object',
    additionalProperties: false,
    properties: { phone: { type: 'string' }, email: { type: 'string' } },
  },
  messageId: { type: 'string' },
  payload: { type: 'object' },
  whole: { type: 'boolean' },
  eventId: { type: 'string', pattern: '^[A-Za-z0-9_-]{4,64}$', examples: ['evt_0123456789abcdef01234567'] },
  to: { type: 'string', maxLength: 2048 },
  companyId: { type: 'string' },
  reach,
} as const;

const webhookFields = {
  url: address,
  events: types,
  reach,
  signingKey: { type: 'string', minLength: 8, maxLength: 200 },
} as const;

/** Webhooks, deliveries, events fired by hand, the gym and the built-in receiver, for the developer's hand. */
export function createDeliveryRoutes({
  store,
  clock,
  deliveries,
  recorder,
  trigger,
  draftEvent,
  gym,
  receiver,
}: DeliveryRouteDeps): readonly Endpoint[] {
  const webhookOf = (id: string): Webhook =>
    store.webhooks.get(id) ?? notFound(`There is no webhook ${id}. GET /control/webhooks lists them.`);

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/webhooks',
      summary: 'The webhooks of all apps, with their signing keys',
      query: { type: 'object', properties: { companyId: { type: 'string' } } },
      replies: { 200: anything },
      handle: ({ query }) => {
        const of = [...store.webhooks.all()].filter(
          (one) => query.companyId === undefined || one.companyId === query.companyId,
        );
        return { status: 200, body: { webhooks: toWebhookLines(of, store, recorder) } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/webhooks',
      summary: 'Create a webhook, as in the settings of an app',
      body: {
        type: 'object',
        required: ['url', 'events'],
        additionalProperties: false,
        properties: { ...webhookFields, companyId: { type: 'string' }, appId: { type: 'string' } },
      },
      replies: { 201: anything },
      handle({ body, now }) {
        const app = [...store.apps.all()].find(
          (one) =>
            (body.appId === undefined || one.id === body.appId) &&
            (body.companyId === undefined || one.companyId === body.companyId),
        );
        if (!app) return badRequest('There is no such app of that company. GET /control/records/apps lists them.');
        const webhook = store.webhooks.put({
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
        return { status: 201, body: toWebhookView(webhook) };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/webhooks/{id}',
      summary: 'Change a webhook: only what is sent. How far it may reach is set here, and nowhere in the platform API',
      params: byId,
      body: {
        type: 'object',
        additionalProperties: false,
        properties: { ...webhookFields, disabled: { type: 'boolean' } },
      },
      replies: { 200: anything },
      handle({ params, body: { disabled, events, ...change }, now }) {
        const known = webhookOf(params.id);
        const disabledAt =
          disabled === undefined ? known.disabledAt : disabled ? (known.disabledAt ?? toIso(now)) : null;
        const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        const webhook = store.webhooks.put({
          ...known,
          ...set,
          ...(events ? { events: [...new Set(events)] } : {}),
          disabledAt,
        });
        return { status: 200, body: toWebhookView(webhook) };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/webhooks/{id}',
      summary: 'Delete a webhook; what waits for it is given up',
      params: byId,
      replies: { 204: null },
      handle({ params }) {
        store.webhooks.delete(webhookOf(params.id).id);
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/webhooks/{id}/rotate',
      summary: 'A new signing key; the old one signs too while the overlap lasts',
      params: byId,
      body: {
        type: 'object',
        additionalProperties: false,
        properties: { overlap: { type: 'string', examples: ['24h'] } },
      },
      bodyRequired: false,
      replies: { 200: anything },
      handle: ({ params, body }) => {
        const overlapMs = body.overlap === undefined ? deliverySettings.keyOverlapMs : toLength(body.overlap);
        return { status: 200, body: toWebhookView(deliveries.rotateKey(webhookOf(params.id).id, overlapMs)) };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/deliveries',
      summary: 'Deliveries, newest last: every event is delivered, waiting with its next time, or failed',
      query: {
        type: 'object',
        properties: {
          state: { type: 'string', enum: ['queued', 'delivering', 'delivered', 'retrying', 'failed', 'paused'] },
          webhookId: { type: 'string' },
          eventId: { type: 'string' },
          companyId: { type: 'string' },
          type: { type: 'string', enum: eventTypes },
          limit: { type: 'string', pattern: '^[0-9]{1,5}$', examples: ['100'] },
        },
      },
      replies: { 200: anything },
      handle({ query }) {
        const { limit = '100', state, webhookId, eventId, companyId, type } = query;
        const ofAnyState = [...store.deliveries.all()].filter(
          (one) =>
            (webhookId === undefined || one.webhookId === webhookId) &&
            (eventId === undefined || one.eventId === eventId) &&
            (companyId === undefined || one.companyId === companyId) &&
            (type === undefined || one.type === type),
        );
        const found = state === undefined ? ofAnyState : ofAnyState.filter((one) => one.state === state);
        const page = Number(limit) === 0 ? [] : found.slice(-Number(limit));
        const counts = countStates(ofAnyState);
        return { status: 200, body: { total: found.length, counts, deliveries: page.map(toDeliveryLine) } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/deliveries/{id}',
      summary: 'One delivery, with both sides of every attempt and the moves that are open',
      params: byId,
      replies: { 200: anything },
      handle({ params }) {
        const delivery =
          store.deliveries.get(params.id) ??
          notFound(`There is no delivery ${params.id}. GET /control/deliveries lists them.`);
        const view: DeliveryDetailView = {
          ...toDeliveryView(delivery),
          cause: causesOf(recorder, 'deliveries').get(delivery.id) ?? null,
          moves: deliveries.lifecycle.moves(delivery),
        };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/deliveries/{id}/redeliver',
      summary: 'Send a delivery once more, with the same event id',
      params: byId,
      replies: { 202: anything },
      handle({ params }) {
        if (!store.deliveries.get(params.id))
          return notFound(`There is no delivery ${params.id}. GET /control/deliveries lists them.`);
        return { status: 202, body: toDeliveryLine(explained(() => deliveries.redeliver(params.id))) };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/deliveries/redeliver-failed',
      summary: 'Send everything that failed once more, of one webhook or of all that are enabled',
      body: { type: 'object', additionalProperties: false, properties: { webhookId: { type: 'string' } } },
      bodyRequired: false,
      replies: { 202: anything },
      handle({ body }) {
        const sent = explained(() => deliveries.redeliverFailed(body.webhookId));
        return { status: 202, body: { count: sent.length, deliveries: sent.map(toDeliveryLine) } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/event-types',
      summary: 'The event types, each with the schema of its payload and an example',
      replies: { 200: anything },
      handle: () => ({
        status: 200,
        body: {
          testSigningKey,
          testStandardSecret: toStandardSecret(testSigningKey),
          types: eventTypes.map((type) => ({
            type,
            ...eventFacts[type],
            schema: eventSchemas[type],
            example: examplePayload(type, clock.wall()),
          })),
        },
      }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/trigger',
      summary: 'Fire an event by hand; the answer waits for the receiver',
      body: {
        type: 'object',
        required: ['type'],
        additionalProperties: false,
        properties: {
          ...eventFields,
          dryRun: { type: 'boolean' },
        },
      },
      replies: { 200: anything },
      asynchronous: true,
      handle: async ({ body }) => ({ status: 200, body: toTriggerView(await explainedLater(() => trigger(body))) }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/trigger/preview',
      summary:
        'An event as it would be sent: the exact bytes and headers, to whom, and where it does not fit its schema',
      body: { type: 'object', required: ['type'], additionalProperties: false, properties: eventFields },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ body }) {
        const { companyId: _, ...preview } = await explainedLater(() => draftEvent(body));
        return { status: 200, body: preview satisfies EventPreviewView };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/gym',
      summary: 'The same events duplicated, reordered, delayed, at once and cut off half-way, from a seed',
      body: {
        type: 'object',
        required: ['to'],
        additionalProperties: false,
        properties: {
          to: { type: 'string', maxLength: 2048 },
          seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
          acts: { type: 'array', items: { type: 'string', enum: gymActs } },
          count: { type: 'integer', minimum: 1, maximum: 200 },
          types,
          reach,
        },
      },
      replies: { 200: anything },
      asynchronous: true,
      handle: async ({ body }) => ({
        status: 200,
        body: { ...(await explainedLater(() => gym({ ...body, types: body.types?.filter(isEventType) }))) },
      }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/receiver',
      summary: 'The built-in receiver: where it listens, how it answers, what it received',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { ...receiver.view() } }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/receiver',
      summary: 'Start the built-in receiver, and choose how it answers',
      body: {
        type: 'object',
        additionalProperties: false,
        properties: {
          status: { type: 'integer', minimum: 200, maximum: 599 },
          delayMs: { type: 'integer', minimum: 0, maximum: 60_000 },
          echo: { type: 'boolean' },
          forget: { type: 'boolean' },
        },
      },
      bodyRequired: false,
      replies: { 200: anything },
      asynchronous: true,
      async handle({ body: { forget = false, ...behaviour } }) {
        if (forget) receiver.forget();
        return { status: 200, body: { ...(await receiver.start(withoutUndefined(behaviour))) } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/receiver',
      summary: 'Stop the built-in receiver and forget what it received',
      replies: { 204: null },
      asynchronous: true,
      async handle() {
        receiver.forget();
        await receiver.stop();
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/webhook-time',
      summary:
        'Which clock payloads and signatures show: the real one, or the virtual one, which receivers may take for stale',
      body: {
        type: 'object',
        required: ['time'],
        additionalProperties: false,
        properties: { time: { type: 'string', enum: ['wall', 'virtual'] } },
      },
      replies: { 200: anything },
      handle({ body }) {
        store.settings.put({ id: shownTimeSetting, value: body.time });
        return { status: 200, body: { time: body.time } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/notices',
      summary: 'What the developer should know of: webhooks disabled by themselves, loops that were cut',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { notices: [...store.platformNotices.all()] } }),
    }),
  ];
}

function toLength(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    return badRequest(error instanceof Error ? error.message : String(error));
  }
}

function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return explain(error);
  }
}

async function explainedLater<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return explain(error);
  }
}

/** What the developer can mend is a refusal; everything else is a fault of our own. */
function explain(error: unknown): never {
  if (error instanceof UserError || error instanceof IllegalMove) return badRequest(error.message);
  throw error;
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
