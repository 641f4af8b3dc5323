/** Why a signature that a receiver computed is not the one that was sent: which step differs, and what to do. Pure. */
import { createHash, createHmac } from 'node:crypto';
import { signatureHeaders } from './signature.ts';
import { readSignature, type Scheme, type Written } from './signature-readings.ts';
import { bodyForms, keyForms, otherKey, textForms, type Form, type KeyNames } from './signature-forms.ts';
import { inThousands, toAmount } from '../contract/digits.ts';
import type { ReceivedSignature, SignatureCheck } from './shapes.ts';

export interface SentSignature extends KeyNames {
  readonly body: string;
  readonly eventId: string;
  /** Epoch seconds, as the header says it. */
  readonly timestamp: string;
  readonly key: string;
  /** When it was sent, real epoch ms; null if unknown. */
  readonly sentAt: number | null;
}

type SignatureStep = SignatureCheck['steps'][number];

type Digest = (key: Buffer, text: Buffer) => Buffer;

interface Found {
  readonly scheme: Scheme;
  readonly forms: {
    readonly [S in 'Algorithm' | 'Key' | 'Body' | 'Signed text' | 'Encoding']: Omit<Form<unknown>, 'value'>;
  };
  readonly deviations: number;
}

const headerOf = { hex: 'x-attentive-hmac-sha256', standard: 'webhook-signature' } as const;
/** Libraries of Standard Webhooks refuse what is older, or newer. */
const toleranceMs = 5 * 60_000;
/** With more mistakes at once a match would be a guess. */
const mostDeviations = 2;

/** Compares what a receiver computed with what was sent. */
export function checkSignature(sent: SentSignature, got: ReceivedSignature): SignatureCheck {
  const readings = readSignature(got.signature);
  const found = search(sent, got, readings) ?? searchOlder(sent, readings);
  const scheme = found?.scheme ?? (/^v1,|[+/=]/.test(got.signature.trim()) ? 'standard' : 'hex');
  const steps = found ? toSteps(found, sent, got) : compare(sent, got, readings);
  const differing = steps.filter(({ state }) => state === 'differs');
  return {
    scheme: headerOf[scheme],
    matches: found?.deviations === 0,
    says: toSentence(found, differing, headerOf[scheme]) + (found || sent.untried === 0 ? '' : sayUntried(sent)),
    expected: signatureHeaders({ ...sent, timestamp: Number(sent.timestamp) }, [sent.key])[headerOf[scheme]] ?? '',
    steps,
  };
}

function toSentence(found: Found | null, differing: readonly SignatureStep[], header: string): string {
  const names = differing.map(({ step }) => step.toLowerCase());
  const named = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0];
  if (found?.deviations === 0)
    return differing.length === 0
      ? `It is the signature that ${header} carries.`
      : `It is the signature that ${header} carries, but the age is refused.`;
  if (found) return `It differs from ${header} by the ${named}.`;
  if (named !== undefined)
    return `It is not what ${header} carries: the ${named} ${names.length > 1 ? 'differ' : 'differs'}.`;
  return `It is not what ${header} carries, and none of the usual mistakes gives this value. Enter the body and the key that the receiver used, to see which one differs.`;
}

function sayUntried({ untried }: SentSignature): string {
  return ` The key of another webhook or app is a usual mistake, too: ${untried} of the older ones ${untried === 1 ? 'was' : 'were'} not tried.`;
}

/** The older keys of other webhooks and apps, with nothing else that differs. */
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

const hmacFix = 'Take HMAC-SHA256 with the key.';
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

/** With the id and timestamp that the receiver says it has. */
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

function toSteps({ forms, scheme }: Found, sent: SentSignature, got: ReceivedSignature): readonly SignatureStep[] {
  const right = {
    Algorithm: 'HMAC-SHA256',
    Key: 'the signing key of the webhook',
    Body: 'the bytes as they were sent',
    'Signed text': scheme === 'hex' ? 'the body alone' : 'id, timestamp and body, joined by dots',
    Encoding: scheme === 'hex' ? 'lower case hex' : 'base64',
  } as const;
  const steps = (['Algorithm', 'Key', 'Body', 'Signed text', 'Encoding'] as const).map((step): SignatureStep => {
    const { says, fix } = forms[step];
    return says === ''
      ? { step, state: 'same', says: right[step], fix: null }
      : { step, state: 'differs', says: `The receiver ${says}.`, fix };
  });
  return [...steps, ...ageOf(sent, got, scheme)];
}

/** No mistake explains the value: each given part is compared alone. */
function compare(sent: SentSignature, got: ReceivedSignature, readings: readonly Written[]): readonly SignatureStep[] {
  const length = readings[0]?.bytes.length;
  const named: { readonly [bytes: number]: string } = { 16: 'MD5', 20: 'SHA-1', 48: 'SHA-384', 64: 'SHA-512' };
  const unknown = (step: SignatureStep['step'], says: string): SignatureStep => ({
    step,
    state: 'unknown',
    says,
    fix: null,
  });
  const steps: SignatureStep[] = [];
  if (length === undefined)
    steps.push({
      step: 'Encoding',
      state: 'differs',
      says: 'This is neither hex nor base64.',
      fix: 'Give the signature as the receiver wrote it, all of it.',
    });
  else if (length === 32)
    steps.push({ step: 'Encoding', state: 'same', says: '32 bytes, as SHA-256 has them', fix: null });
  else
    steps.push({
      step: 'Algorithm',
      state: 'differs',
      says: `It has ${toAmount(length, 'byte')}${named[length] ? `, as ${named[length]} has` : ''}; SHA-256 has 32.`,
      fix: hmacFix,
    });
  if (got.key === undefined) steps.push(unknown('Key', 'not given'));
  else if (got.key === sent.key)
    steps.push({ step: 'Key', state: 'same', says: 'the signing key of the webhook', fix: null });
  else {
    const known = keyForms(sent.key, sent).find(({ value }) => value.equals(Buffer.from(got.key ?? '', 'utf8')));
    steps.push({
      step: 'Key',
      state: 'differs',
      says: known ? `The receiver ${known.says}.` : 'It is not the key of this webhook, nor one that is known here.',
      fix: known?.fix ?? 'Take the key of this webhook.',
    });
  }
  if (got.body === undefined) steps.push(unknown('Body', 'not given'));
  else if (got.body === sent.body)
    steps.push({ step: 'Body', state: 'same', says: 'the bytes as they were sent', fix: null });
  else {
    const { says, fix } = bodyStep(sent.body, got.body);
    steps.push({ step: 'Body', state: 'differs', says: `The receiver ${says}.`, fix });
  }
  for (const name of ['eventId', 'timestamp'] as const)
    if (got[name] !== undefined && got[name] !== sent[name])
      steps.push({
        step: 'Headers',
        state: 'differs',
        says: `${name === 'eventId' ? 'webhook-id' : 'webhook-timestamp'} was ${sent[name]}, not ${got[name]}.`,
        fix: 'Take the headers of this very request; each attempt has its own timestamp.',
      });
  return steps;
}

/** How the receiver's body was derived from the one that was sent. */
function bodyStep(sent: string, got: string): { readonly says: string; readonly fix: string } {
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

function ageOf({ sentAt, timestamp }: SentSignature, got: ReceivedSignature, scheme: Scheme): readonly SignatureStep[] {
  if (scheme === 'hex' || sentAt === null) return [];
  const apart = Math.abs(sentAt - Number(got.timestamp ?? timestamp) * 1000);
  if (Number.isNaN(apart))
    return [
      {
        step: 'Age',
        state: 'differs',
        says: 'webhook-timestamp is not a number of seconds, so it has no age.',
        fix: 'Take webhook-timestamp of this very request, as it came.',
      },
    ];
  if (apart <= toleranceMs)
    return [{ step: 'Age', state: 'same', says: 'within the five minutes that libraries allow', fix: null }];
  return [
    {
      step: 'Age',
      state: 'differs',
      says: `webhook-timestamp is ${inThousands(Math.round(apart / 60_000))} minutes away from the real time at which it was sent; libraries of Standard Webhooks refuse more than five.`,
      fix: 'Let webhooks show the real time (settings: time in webhooks), or allow for it in the receiver.',
    },
  ];
}
