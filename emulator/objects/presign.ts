import { cutJson, cutText } from '../contract/cut-text.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { inPath, inQuery, refuse, type FactsOfRefusal, type Place } from '../rules.ts';
import { objectRules, type UrlFacts } from './rules.ts';

/** The path prefix of uploads, on the root of the emulated API and outside `/v1`. */
export const objectPrefix = '/object-storage/';

/** The name of the object store's operation in records, faults, filters and documents. */
export const objectOperation = `PUT ${objectPrefix}{key}`;

const expiresName = 'X-Sandbox-Expires';
const signatureName = 'X-Sandbox-Signature';

export interface ObjectToSign {
  /** Scheme, host and port of the emulated API, without `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly method: 'PUT';
  /** Epoch milliseconds on the virtual clock; from this time on the URL is refused. */
  readonly expiresAt: number;
  readonly secret: string;
}

export interface SignedRequest {
  readonly method: string;
  /** The path as it was sent, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Epoch milliseconds on the virtual clock. */
  readonly now: number;
  readonly secret: string;
  /** When the URL of a key expires (epoch milliseconds), if one was issued: lets a refusal name the difference. */
  issued?(key: string): number | undefined;
}

/**
 * Creates the URL for sending a file (section 2.2, `uploadUrl`). The URL itself grants access: it has an HMAC-SHA256 of
 * method, key and expiry. The expiry is epoch milliseconds, so that it equals the `expires` of the record exactly.
 * @throws RangeError for a key that could not be read back from the URL unchanged
 */
export function presign({ baseUrl, key, method, expiresAt, secret }: ObjectToSign): string {
  if (!isKey(key)) {
    throw new RangeError(
      `The object key ${JSON.stringify(key)} has an empty, dotted or unprintable part; use a/b.ndjson`,
    );
  }
  return baseUrl.replace(/\/+$/, '') + toPathAndQuery({ method, key, expiresAt, secret });
}

function toPathAndQuery(signed: Signed): string {
  const path = signed.key.split('/').map(encodeURIComponent).join('/');
  return `${objectPrefix}${path}?${expiresName}=${signed.expiresAt}&${signatureName}=${sign(signed)}`;
}

/**
 * Checks that a request may write the object it names: the URL must come from `presign`, for this method, unchanged,
 * and not expired. A refusal names the part that differs; the signature is compared in constant time.
 * @returns the key
 */
export function verify(request: SignedRequest): string {
  const key = toKey(request.path);
  if (key === null) return refuse(objectRules.path, inPath(''), request.path, { path: shorten(request.path) });
  const right = toRight(request, key);
  const expires = readOne(request.query, expiresName, right);
  const signature = readOne(request.query, signatureName, right);
  // No leading zeros: the signature is over the number, so another spelling of it would have the same signature.
  if (!/^(?:0|-?[1-9]\d{0,15})$/.test(expires)) {
    return refuse(objectRules.query, inQuery(expiresName), expires, {
      what: `${expiresName} is ${cutJson(expires, 200)}, not a number of epoch milliseconds.`,
      details: { ArgumentName: expiresName, ArgumentValue: shorten(expires) },
      right,
    });
  }
  const expiresAt = Number(expires);
  if (!isSignature(signature, sign({ method: request.method, key, expiresAt, secret: request.secret }))) {
    return refuseSignature(request, { key, expiresAt, signature, right });
  }
  // A real object store signs every parameter of the query.
  const added = [...request.query.keys()].find((name) => name !== expiresName && name !== signatureName);
  if (added !== undefined) {
    return refuse(objectRules.signature, inQuery(added), request.query.get(added), {
      what: `The URL has the parameter ${cutJson(added, 200)}, which was not signed.`,
      details: { SignatureProvided: signature },
      right,
    });
  }
  if (request.now >= expiresAt) {
    const facts = { expires: toIso(expiresAt), now: toIso(request.now) };
    return refuse(objectRules.expired, inQuery(expiresName), expires, facts);
  }
  return key;
}

/** The right path and query for an upload that still waits for its file; null for any other. */
function toRight({ now, secret, issued }: SignedRequest, key: string): string | null {
  const expiresAt = issued?.(key);
  return expiresAt === undefined || expiresAt <= now ? null : toPathAndQuery({ method: 'PUT', key, expiresAt, secret });
}

interface Signed {
  readonly method: string;
  readonly key: string;
  readonly expiresAt: number;
  readonly secret: string;
}

function sign({ method, key, expiresAt, secret }: Signed): string {
  return createHmac('sha256', secret).update(`${method}\n${key}\n${expiresAt}`).digest('hex');
}

function isSignature(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The single value of a parameter. Refuses URLs that were cut or changed in known ways, and names the way. */
function readOne(query: URLSearchParams, name: string, right: string | null): string {
  const values = query.getAll(name);
  const [value] = values;
  const place: Place = inQuery(name);
  if (values.length > 1) {
    const what = `${name} is ${values.length} times in the URL.`;
    return refuse(objectRules.query, place, values, {
      what,
      details: { ArgumentName: name },
      right,
      facts: { times: values.length },
    });
  }
  if (value !== undefined && value !== '') return value;
  const present = [...query.keys()];
  const cause = present.includes(`amp;${name}`)
    ? 'The URL came through HTML: replace &amp; by &.'
    : present.includes(expiresName)
      ? 'The URL was cut at the & sign: in a shell, put it in quotes.'
      : 'Only the query of the URL grants write access; a bearer token is ignored.';
  const what = `The URL has no ${name}. ${cause}`;
  return refuse(objectRules.permission, place, value, { what, details: { ArgumentName: name }, right });
}

interface Mismatch extends Pick<UrlFacts, 'right'> {
  readonly key: string;
  readonly expiresAt: number;
  readonly signature: string;
}

/** Says what was changed in a URL with a wrong signature, as far as that is known. */
function refuseSignature(request: SignedRequest, { key, expiresAt, signature, right }: Mismatch): never {
  const details = {
    SignatureProvided: shorten(signature),
    StringToSign: `${request.method}\n${shorten(key)}\n${expiresAt}`,
  };
  const say = (what: string, facts: FactsOfRefusal = {}): never =>
    refuse(objectRules.signature, inQuery(signatureName), signature, { what, details, right, facts });

  const forPut = sign({ method: 'PUT', key, expiresAt, secret: request.secret });
  if (isSignature(signature, forPut)) return say(`The URL is signed for PUT, not for ${request.method}.`);
  if (!/^[0-9a-f]{64}$/.test(signature)) {
    return say(`${signatureName} has ${signature.length} characters; it must be 64 lower-case hexadecimal digits.`, {
      count: signature.length,
      limit: 64,
    });
  }
  const issuedFor = request.issued?.(key);
  if (issuedFor !== undefined && issuedFor !== expiresAt) {
    return say(
      `${expiresName} is ${expiresAt}, and the URL of this upload was signed for ${issuedFor}: it was changed, or the URL was created before the sandbox was reset.`,
      { sent: expiresAt, signed: issuedFor },
    );
  }
  if (issuedFor !== undefined) {
    return say(
      'Key and expiry belong to an upload, so the signature was changed, or created before the sandbox was reset.',
    );
  }
  return say(
    `The signature is not the one for ${request.method}, key ${shorten(key)} and expiry ${expiresAt}: one of these or the signature was changed, or the URL was created before the sandbox was reset.`,
  );
}

function toKey(path: string): string | null {
  if (!path.startsWith(objectPrefix)) return null;
  try {
    const key = path.slice(objectPrefix.length).split('/').map(decodeURIComponent).join('/');
    return isKey(key) ? key : null;
  } catch {
    // Not percent-encoded UTF-8, so not a URL from presign.
    return null;
  }
}

/** Keys never become file names, but a key of dots or control characters is not ours in any case. */
function isKey(key: string): boolean {
  return key.length <= 1024 && key.split('/').every((part) => /^[^\s\p{C}\\]+$/u.test(part) && !/^\.+$/.test(part));
}

const shorten = (text: string): string => cutText(text, 200);

/** ISO 8601; a time outside the range of Date is shown as a number. */
function toIso(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms);
}
