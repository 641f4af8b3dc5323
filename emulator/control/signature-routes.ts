import { testSigningKey } from '../delivery/settings.ts';
import { checkSignature, type SentSignature } from '../delivery/signature-check.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Delivery, Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import { badRequest, notFound } from './problems.ts';
import type { SignatureCheckView } from './protocol.ts';

const anything = { type: 'object' } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;
/** Every mistake that is tried hashes it anew. */
const body = { type: 'string', maxLength: 65_536 } as const;
const key = { type: 'string', maxLength: 1_000 } as const;
const eventId = { type: 'string', maxLength: 200, examples: ['evt_0123456789abcdef01234567'] } as const;
const timestamp = { type: 'string', maxLength: 40, examples: ['1796047343'] } as const;

/** So many keys of other webhooks are tried. */
const mostOthers = 50;

/** Why a receiver comes to another signature. */
export function createSignatureRoutes({ store }: { readonly store: Store }): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/signature/check',
      summary:
        'Which step of a signature differs: what a receiver computed, beside a delivery or what is said to be sent',
      body: {
        type: 'object',
        required: ['signature'],
        additionalProperties: false,
        properties: {
          signature: { type: 'string', minLength: 1, maxLength: 2_000 },
          deliveryId: { type: 'string' },
          attempt: { type: 'integer', minimum: 0, maximum: 29 },
          webhookId: { type: 'string' },
          sent: {
            type: 'object',
            additionalProperties: false,
            required: ['body'],
            properties: { body, key, eventId, timestamp },
          },
          body,
          key,
          eventId,
          timestamp,
        },
      },
      replies: { 200: anything },
      handle({ body: { signature, deliveryId, attempt, webhookId, sent, ...got } }) {
        const delivery = deliveryId === undefined ? null : (store.deliveries.get(deliveryId) ?? noDelivery(deliveryId));
        const webhook = store.webhooks.get(delivery?.webhookId ?? webhookId ?? '') ?? null;
        const known = delivery ? ofDelivery(delivery, attempt) : sent ? ofHand(sent) : noBody();
        const view: SignatureCheckView = checkSignature(
          {
            ...known,
            key: sent?.key ?? webhook?.signingKey ?? testSigningKey,
            previous: webhook?.previousKey?.key ?? null,
            test: testSigningKey,
            others: othersThan(store, webhook),
          },
          { signature, ...got },
        );
        return { status: 200, body: { ...view } };
      },
    }),
  ];
}

type Known = Pick<SentSignature, 'body' | 'eventId' | 'timestamp' | 'sentAt'>;

/** As the attempt was sent; the newest one if none is named. */
function ofDelivery(delivery: Delivery, at: number | undefined): Known {
  const attempt = at === undefined ? delivery.attempts.at(-1) : delivery.attempts[at];
  if (!attempt)
    return badRequest(`The delivery ${delivery.id} was not tried yet, so there is nothing to compare with.`);
  return {
    body: delivery.body,
    eventId: delivery.eventId,
    timestamp: attempt.request.headers['webhook-timestamp'] ?? '',
    sentAt: Date.parse(attempt.wallAt),
  };
}

function ofHand(sent: {
  readonly body: string;
  readonly eventId?: string | undefined;
  readonly timestamp?: string | undefined;
}): Known {
  return { body: sent.body, eventId: sent.eventId ?? '', timestamp: sent.timestamp ?? '', sentAt: null };
}

function othersThan(store: Store, webhook: Webhook | null): SentSignature['others'] {
  return [...store.webhooks.all()]
    .filter(({ id }) => id !== webhook?.id)
    .slice(0, mostOthers)
    .map(({ signingKey, url }) => ({ key: signingKey, url }));
}

function noDelivery(id: string): never {
  return notFound(`There is no delivery ${id}. GET /control/deliveries lists them.`);
}

function noBody(): never {
  return badRequest('Say what was sent: the id of a delivery, or its body with "sent".');
}
