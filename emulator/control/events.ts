import { createDraftEvent, type DraftDeps } from '../delivery/draft-event.ts';
import { events, eventSchemas, eventTypes, messageChannelOf } from '../contract/event-schemas.ts';
import { createGym } from '../delivery/gym.ts';
import { examplePayload } from '../delivery/payloads.ts';
import { deliveryRules } from '../delivery/rules.ts';
import { testSigningKey } from '../delivery/settings.ts';
import { checkSignature } from '../delivery/signature/check.ts';
import type { SentSignature } from '../delivery/signature/search.ts';
import type { NamedKey } from '../delivery/signature/forms.ts';
import { toStandardSecret } from '../delivery/signature/signature.ts';
import { createTrigger } from '../delivery/trigger.ts';
import type { Credential, Delivery, Webhook } from '../records.ts';
import { inBody, noSuch, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import type { eventCalls } from './contract/events.ts';
import { toDeliveryView } from './delivery-views.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** How many of the newest other keys of each kind are tried with every form of the body. */
const mostOfAKind = 20;
/** How many older keys are tried, only with the body as it was sent. */
const mostOlder = 1_000;

/** Handlers for events fired by hand, for the gym, and for explaining why a receiver computes another signature. */
export function createEventHandlers({
  store,
  clock,
  users,
  messages,
  deliveries,
}: HandlerDeps): Handlers<typeof eventCalls> {
  const drafts: DraftDeps = {
    store,
    clock,
    users,
    messageFacts: (id) => messages.facts(id) as { readonly [name: string]: unknown } | null,
  };
  const draftEvent = createDraftEvent(drafts);
  const trigger = createTrigger({ ...drafts, deliveries });
  const gym = createGym({ store, clock, deliveries });
  return {
    'GET /control/event-types': () => ({
      testSigningKey,
      testStandardSecret: toStandardSecret(testSigningKey),
      types: eventTypes.map((type) => ({
        type,
        says: events[type].says,
        provenance: events[type].provenance,
        channel: messageChannelOf(type),
        schema: eventSchemas[type] as { readonly [key: string]: unknown },
        example: examplePayload(type, clock.wall()),
      })),
    }),
    async 'POST /control/trigger'({ body }) {
      const fired = await trigger(body);
      return { ...fired, deliveries: fired.deliveries.map(toDeliveryView) };
    },
    async 'POST /control/trigger/preview'({ body }) {
      const { companyId: _, ...preview } = await draftEvent(body);
      return preview;
    },
    'POST /control/gym': ({ body }) => gym(body),
    'POST /control/signature/check'({ body: { signature, deliveryId, attempt, webhookId, sent, ...got } }) {
      const delivery =
        deliveryId === undefined
          ? null
          : (store.deliveries.get(deliveryId) ?? noSuch('delivery', deliveryId, inBody('/deliveryId')));
      const named =
        webhookId === undefined
          ? null
          : (store.webhooks.get(webhookId) ?? noSuch('webhook', webhookId, inBody('/webhookId')));
      // The webhook of a delivery may have been deleted.
      const webhook = delivery === null ? named : (store.webhooks.get(delivery.webhookId ?? '') ?? null);
      const known = delivery ? ofDelivery(delivery, attempt) : sent ? ofHand(sent) : noBody();
      return checkSignature(
        {
          ...known,
          key: sent?.key ?? webhook?.signingKey ?? testSigningKey,
          previous: webhook?.previousKey?.key ?? null,
          test: testSigningKey,
          ...keysBeside(store, webhook),
        },
        { signature, ...got },
      );
    },
  };
}

type Known = Pick<SentSignature, 'body' | 'eventId' | 'timestamp' | 'sentAt'>;

/** The signed parts of an attempt as it was sent; of the newest attempt if none is named. */
function ofDelivery(delivery: Delivery, at: number | undefined): Known {
  const { id: deliveryId, attempts } = delivery;
  const last = attempts.length - 1;
  if (last === -1) return refuse(deliveryRules.notTried, inBody('/deliveryId'), deliveryId, { deliveryId });
  const attempt = attempts[at ?? last];
  if (!attempt)
    return refuse(deliveryRules.noSuchAttempt, inBody('/attempt'), at, { deliveryId, attempt: at ?? last, last });
  return {
    body: delivery.body,
    eventId: delivery.eventId,
    timestamp: attempt.request.headers['webhook-timestamp'] ?? '',
    sentAt: Date.parse(attempt.wallAt),
  };
}

function ofHand(sent: { readonly body: string; readonly eventId?: string; readonly timestamp?: string }): Known {
  return { body: sent.body, eventId: sent.eventId ?? '', timestamp: sent.timestamp ?? '', sentAt: null };
}

/**
 * Keys that a receiver may have mistaken for the signing key: keys of other webhooks, and credentials of apps for the
 * API.
 */
function keysBeside(store: Store, webhook: Webhook | null): Pick<SentSignature, 'others' | 'older' | 'untried'> {
  const appOf = (id: string): string => store.apps.get(id)?.name ?? id;
  const credentials = (kind: Credential['kind'], called: string): readonly NamedKey[] =>
    store.credentials
      .records()
      .filter((one) => one.kind === kind)
      .map(({ secret, appId }) => ({ key: secret, name: `the ${called} of the app ${appOf(appId)}` }));
  const kinds = [
    store.webhooks
      .records()
      .filter(({ id }) => id !== webhook?.id)
      .map(({ signingKey, url }) => ({ key: signingKey, name: `the key of the webhook to ${url}` })),
    credentials('api-key', 'API key'),
    credentials('oauth-token', 'access token'),
    store.apps
      .records()
      .flatMap(({ clientSecret, name }) =>
        clientSecret === null ? [] : [{ key: clientSecret, name: `the client secret of the app ${name}` }],
      ),
  ];
  return {
    others: kinds.flatMap((keys) => keys.slice(-mostOfAKind)),
    older: kinds.flatMap((keys) => keys.slice(0, -mostOfAKind).slice(-mostOlder)),
    untried: kinds.reduce((sum, { length }) => sum + Math.max(0, length - mostOfAKind - mostOlder), 0),
  };
}

function noBody(): never {
  return refuse(deliveryRules.nothingSent, inBody('/sent'), undefined, undefined);
}
