/** How deliveries are signed, in both ways at once. Pure. */
import { createHmac } from 'node:crypto';

/** The header that carries, during a rotation, the signature made with the previous key. */
export const previousSignatureHeader = 'x-attentive-hmac-sha256-previous';

/** The keys that sign: the webhook's present one first, and during a rotation the previous one. */
export type SigningKeys = readonly [string, ...string[]];

export interface ToSign {
  /** The text that is sent; its UTF-8 bytes are signed. */
  readonly body: string;
  readonly eventId: string;
  /** Epoch seconds; receivers of Standard Webhooks refuse more than five minutes of difference to their own clock. */
  readonly timestamp: number;
}

/**
 * The signature headers.
 * - `x-attentive-hmac-sha256`: lowercase hex HMAC-SHA256 of the raw body, the key being the signing key's UTF-8 text
 *   (docs/platform.md, Webhook deliveries). During a rotation it is made with the new key, and
 *   `x-attentive-hmac-sha256-previous` with the old one (our choice: the platform does not say how it rotates).
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature`: Standard Webhooks, with one `v1,<base64>` for each key (our
 *   addition, so that receivers with a public library verify too). The secret is `toStandardSecret` of the same key.
 */
export function signatureHeaders(
  { body, eventId, timestamp }: ToSign,
  keys: SigningKeys,
): { readonly [name: string]: string } {
  const [key, previous] = keys;
  const signed = `${eventId}.${timestamp}.${body}`;
  return {
    'x-attentive-hmac-sha256': toHmac(key, body, 'hex'),
    ...(previous === undefined ? {} : { [previousSignatureHeader]: toHmac(previous, body, 'hex') }),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map((one) => `v1,${toHmac(one, signed, 'base64')}`).join(' '),
  };
}

/** A signing key as Standard Webhooks libraries take it: `whsec_` and the base64 of its UTF-8 bytes. */
export function toStandardSecret(key: string): string {
  return `whsec_${Buffer.from(key, 'utf8').toString('base64')}`;
}

/**
 * Tells receivers what to do after a rotation, and why: the two headers do not have room for equally many signatures.
 */
export const rotationAdvice =
  'While the old key also signs, webhook-signature has a signature of each key, so a receiver that reads it may use either. x-attentive-hmac-sha256 has only one value, that of the new key: a receiver that reads it must have the new key at once, and events that it refuses before that are retried. Until then it may compare with x-attentive-hmac-sha256-previous, the old key’s value, a header that only Sandpiper sends.';

function toHmac(key: string, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding);
}
