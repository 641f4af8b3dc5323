/** Finds out how a receiver computed another signature than the one sent, by trying the usual mistakes. Pure. */
import { createHash, createHmac } from 'node:crypto';
import { toAmount } from '../../contract/digits.ts';
import type { ReceivedSignature } from '../shapes.ts';
import { bodyForms, keyForms, otherKey, textForms, type Form, type KeyNames } from './forms.ts';
import type { Scheme, Written } from './readings.ts';

export interface SentSignature extends KeyNames {
  readonly body: string;
  readonly eventId: string;
  /** Epoch seconds, as in the header. */
  readonly timestamp: string;
  readonly key: string;
  /** When it was sent, real epoch ms; null if unknown. */
  readonly sentAt: number | null;
}

type Digest = (key: Buffer, text: Buffer) => Buffer;

/** An explanation of the signature: how each step was done, and in how many it differs. */
export interface Found {
  readonly scheme: Scheme;
  readonly forms: {
    readonly [S in 'Algorithm' | 'Key' | 'Body' | 'Signed text' | 'Encoding']: Omit<Form<unknown>, 'value'>;
  };
  readonly deviations: number;
}

/** With more mistakes at once a match would be a guess. */
const mostDeviations = 2;

/**
 * Tries the usual mistakes, then the older keys of other webhooks and apps; null if none gives the receiver's
 * signature.
 */
export function searchSignature(
  sent: SentSignature,
  got: ReceivedSignature,
  readings: readonly Written[],
): Found | null {
  return search(sent, got, readings) ?? searchOlder(sent, readings);
}

/** Tries the older keys of other webhooks and apps; nothing else but the encoding may differ. */
function searchOlder(sent: SentSignature, readings: readonly Written[]): Found | null {
  const [[algorithm], [body]] = [algorithms, bodyForms(sent.body)];
  for (const scheme of ['hex', 'standard'] as const) {
    const [text] = textForms(scheme, sent.eventId, sent.timestamp);
    const written = readings.filter((one) => one.scheme === scheme);
    if (!algorithm || !body || !text || written.length === 0) continue;
    const signed = text.value(body.value);
    for (const key of sent.older.map(otherKey)) {
      const digest = algorithm.value(key.value, signed);
      const reading = written.find(({ bytes }) => digest.equals(bytes));
      if (!reading) continue;
      const encoding = { says: reading.says, fix: encodingFix[scheme] };
      const forms = { Algorithm: algorithm, Key: key, Body: body, 'Signed text': text, Encoding: encoding };
      return { scheme, forms, deviations: 1 + Number(reading.says !== '') };
    }
  }
  return null;
}

function search(sent: SentSignature, got: ReceivedSignature, readings: readonly Written[]): Found | null {
  const keys = [...keyForms(sent.key, sent)];
  const bodies = [...bodyForms(sent.body)];
  if (got.key !== undefined)
    keys.push({ value: Buffer.from(got.key, 'utf8'), says: 'used another key', fix: 'Take the key of this webhook.' });
  if (got.body !== undefined) bodies.push({ value: Buffer.from(got.body, 'utf8'), ...bodyStep(sent.body, got.body) });
  let best: Found | null = null;
  const schemes = ['hex', 'standard'] as const;
  for (const scheme of schemes) {
    const texts = [...textForms(scheme, sent.eventId, sent.timestamp), ...ownText(scheme, sent, got)];
    for (const [algorithmAt, algorithm] of algorithms.entries())
      for (const [keyAt, key] of keys.entries())
        for (const [textAt, text] of texts.entries())
          for (const [bodyAt, body] of bodies.entries()) {
            const base = Number(algorithmAt > 0) + Number(keyAt > 0) + Number(textAt > 0) + Number(bodyAt > 0);
            if (base > mostDeviations || base >= (best?.deviations ?? Infinity)) continue;
            const digest = algorithm.value(key.value, text.value(body.value));
            for (const { bytes, scheme: of, says } of readings) {
              if (!digest.equals(bytes)) continue;
              const encoding = of === scheme ? says : encodingOf(scheme);
              const deviations = base + Number(encoding !== '');
              if (best && best.deviations <= deviations) continue;
              const forms = {
                Algorithm: algorithm,
                Key: key,
                Body: body,
                'Signed text': text,
                Encoding: { says: encoding, fix: encodingFix[scheme] },
              };
              best = { scheme, forms, deviations };
            }
          }
  }
  return best;
}

const encodingFix = {
  hex: 'Write the digest as lower case hex.',
  standard: 'Write the digest as base64, with padding, and v1, before it.',
} as const;

const encodingOf = (scheme: Scheme): string =>
  scheme === 'hex' ? 'wrote the digest as base64' : 'wrote the digest as hex';

const hmac =
  (algorithm: string): Digest =>
  (key, text) =>
    createHmac(algorithm, key).update(text).digest();
const plain =
  (join: (key: Buffer, text: Buffer) => readonly Buffer[]): Digest =>
  (key, text) =>
    createHash('sha256')
      .update(Buffer.concat(join(key, text)))
      .digest();

export const hmacFix = 'Take HMAC-SHA256 with the key.';
const algorithms: readonly Form<Digest>[] = [
  { value: hmac('sha256'), says: '', fix: '' },
  { value: plain((_key, text) => [text]), says: 'took SHA-256 without a key', fix: hmacFix },
  { value: plain((key, text) => [key, text]), says: 'took SHA-256 of key and text, not HMAC', fix: hmacFix },
  { value: plain((key, text) => [text, key]), says: 'took SHA-256 of text and key, not HMAC', fix: hmacFix },
  {
    value: (key, text) => hmac('sha256')(text, key),
    says: 'took the text for the key and the key for the text',
    fix: 'Swap the two.',
  },
  { value: hmac('sha1'), says: 'took HMAC-SHA1', fix: hmacFix },
  { value: hmac('sha512'), says: 'took HMAC-SHA512', fix: hmacFix },
  { value: hmac('sha384'), says: 'took HMAC-SHA384', fix: hmacFix },
  { value: hmac('md5'), says: 'took HMAC-MD5', fix: hmacFix },
];

/** The signed text with the receiver's own id and timestamp, if these differ. */
function ownText(
  scheme: Scheme,
  sent: SentSignature,
  got: ReceivedSignature,
): readonly Form<(body: Buffer) => Buffer>[] {
  const { eventId = sent.eventId, timestamp = sent.timestamp } = got;
  if (eventId === sent.eventId && timestamp === sent.timestamp) return [];
  const [form] = textForms(scheme, eventId, timestamp);
  return form
    ? [
        {
          ...form,
          says: 'signed an id or a timestamp that were not sent',
          fix: 'Take webhook-id and webhook-timestamp of this very request; each attempt has its own timestamp.',
        },
      ]
    : [];
}

/** How the receiver's body was derived from the body that was sent. */
export function bodyStep(sent: string, got: string): { readonly says: string; readonly fix: string } {
  if (sent === got) return { says: '', fix: '' };
  const bytes = Buffer.from(got, 'utf8');
  const known = bodyForms(sent).find(({ value, says }) => says !== '' && value.equals(bytes));
  if (known) return known;
  const at = firstDifference(Buffer.from(sent, 'utf8'), bytes);
  const around = (text: string): string =>
    JSON.stringify(
      Buffer.from(text, 'utf8')
        .subarray(at, at + 24)
        .toString('utf8'),
    );
  return {
    says: `has a body of ${toAmount(bytes.length, 'byte')} that differs from byte ${at} on: ${around(got)}, where ${around(sent)} was sent`,
    fix: 'Hash the bytes as they came, before any JSON or body parser touches them.',
  };
}

function firstDifference(one: Buffer, other: Buffer): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) if (one[at] !== other[at]) return at;
  return shorter;
}
