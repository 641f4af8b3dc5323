import { toStandardSecret } from '../delivery/signature.ts';
import type { TriggerResult } from '../delivery/trigger.ts';
import type { Delivery, Webhook } from '../records.ts';

/** A webhook as its owner sees it in the platform's UI, the signing key included. */
export function toWebhookView(webhook: Webhook) {
  const { previousKey } = webhook;
  return {
    ...webhook,
    previousKey: previousKey && { ...previousKey },
    /** The same key as libraries of Standard Webhooks take it. */
    standardSecret: toStandardSecret(webhook.signingKey),
    enabled: webhook.disabledAt === null,
  };
}

/** A delivery in a list: every attempt in one line, without bodies and headers. */
export function toDeliveryLine(delivery: Delivery) {
  const { id, companyId, eventId, type, webhookId, url, state, createdAt, nextAttemptAt, attemptCount, attempts } =
    delivery;
  return {
    id,
    companyId,
    eventId,
    type,
    webhookId,
    url,
    state,
    createdAt,
    nextAttemptAt: state === 'retrying' ? nextAttemptAt : null,
    attemptCount,
    attempts: attempts.map(({ at, wallAt, durationMs, response, error }) => ({
      at,
      wallAt,
      durationMs,
      status: response?.status ?? null,
      error,
    })),
  };
}

/** A delivery with both sides of every attempt that is kept. */
export function toDeliveryView(delivery: Delivery) {
  const { state, nextAttemptAt } = delivery;
  return { ...delivery, nextAttemptAt: state === 'retrying' ? nextAttemptAt : null };
}

/** What firing an event by hand brought about. */
export function toTriggerView(result: TriggerResult) {
  return { ...result, deliveries: result.deliveries.map(toDeliveryView) };
}
