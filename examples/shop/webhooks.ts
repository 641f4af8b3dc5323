import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Storage, StoredEvent } from './storage.ts';

/** Does with an event what the shop is there for. Where it throws, the platform sends the event again. */
export type OnEvent = (event: StoredEvent) => Promise<void> | void;

/** Whether the platform signed these very bytes: lowercase hex HMAC-SHA256 under the webhook's signing key. */
export function isSigned(raw: Buffer, signature: string | undefined, key: string): boolean {
  if (signature === undefined) return false;
  const expected = createHmac('sha256', key).update(raw).digest();
  const sent = Buffer.from(signature, 'hex');
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * Takes verified events, each once, however often it is delivered: also when its deliveries come at the same time.
 * An event is stored after it was dealt with, so that one that failed is new when it comes again.
 */
export function createEventIntake(storage: Storage, onEvent: OnEvent) {
  const underWay = new Map<string, Promise<void>>();
  const take = async (id: string, raw: Buffer): Promise<void> => {
    const payload = JSON.parse(raw.toString('utf8')) as { readonly type: string };
    const event = { id, type: payload.type, payload };
    await onEvent(event);
    storage.saveEvent(event);
  };
  return {
    /** @param deliveryId the `webhook-id` header; a platform that sends none repeats the same bytes, so their hash is one */
    async take(raw: Buffer, deliveryId: string | undefined): Promise<void> {
      const id = deliveryId ?? createHash('sha256').update(raw).digest('hex');
      if (storage.hasEvent(id)) return;
      const taking = underWay.get(id) ?? take(id, raw).finally(() => underWay.delete(id));
      underWay.set(id, taking);
      await taking;
    },
  };
}
