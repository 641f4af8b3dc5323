/**
 * Says why a signature that a receiver computed is not the one that was sent: which step differs, and what to do. Pure.
 */
import { inThousands, toAmount } from '../../contract/digits.ts';
import type { ReceivedSignature, SignatureCheck } from '../shapes.ts';
import { keyForms } from './forms.ts';
import { readSignature, type Scheme, type Written } from './readings.ts';
import { bodyStep, hmacFix, searchSignature, type Found, type SentSignature } from './search.ts';
import { signatureHeaders } from './signature.ts';

type SignatureStep = SignatureCheck['steps'][number];

const headerOf = { hex: 'x-attentive-hmac-sha256', standard: 'webhook-signature' } as const;
/** Libraries of Standard Webhooks refuse timestamps that are older, or newer. */
const toleranceMs = 5 * 60_000;

/** Compares the signature that a receiver computed with the one that was sent. */
export function checkSignature(sent: SentSignature, got: ReceivedSignature): SignatureCheck {
  const readings = readSignature(got.signature);
  const found = searchSignature(sent, got, readings);
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

/** Compares each given part alone, if no mistake explains the value. */
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
