import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where uploads are PUT, under the root of the emulated API and outside `/v1`. */
export const objectPrefix = '/object-storage/';

const expiresName = 'X-Sandbox-Expires';
const signatureName = 'X-Sandbox-Signature';

export interface ObjectToSign {
  /** Scheme, host and port of the emulated API, without `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly method: 'PUT';
  /** Epoch milliseconds on the virtual clock; from this moment on the URL is refused. */
  readonly expiresAt: number;
  readonly secret: string;
}

export interface SignedRequest {
  readonly method: string;
  /** The path as it came, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Epoch milliseconds on the virtual clock. */
  readonly now: number;
  readonly secret: string;
  /** When the URL of a key was made to expire (epoch milliseconds), if such a URL was given out: tells what differs. */
  issued?(key: string): number | undefined;
}

export type UrlCode = 'NoSuchKey' | 'InvalidArgument' | 'AccessDenied' | 'SignatureDoesNotMatch';

export type Verdict =
  | { readonly ok: true; readonly key: string }
  | {
      readonly ok: false;
      readonly code: UrlCode;
      readonly rule: 'objects.key' | 'objects.signature' | 'objects.expired';
      readonly message: string;
      /** What was seen and what was expected, by element name. */
      readonly details: { readonly [name: string]: string };
    };

type UrlFault = Extract<Verdict, { ok: false }>;

/**
 * Makes the URL to which a file is sent (section 2.2, `uploadUrl`). It carries its own permission: an HMAC-SHA256 over
 * method, key and expiry. The expiry is epoch milliseconds, so that it equals the `expires` of the record exactly.
 * @throws RangeError for a key that could not come back from the URL unchanged
 */
export function presign({ baseUrl, key, method, expiresAt, secret }: ObjectToSign): string {
  if (!isKey(key)) {
    throw new RangeError(
      `The object key ${JSON.stringify(key)} has an empty, dotted or unprintable part; use a/b.ndjson`,
    );
  }
  const path = key.split('/').map(encodeURIComponent).join('/');
  const signature = sign({ method, key, expiresAt, secret });
  return `${baseUrl.replace(/\/+$/, '')}${objectPrefix}${path}?${expiresName}=${expiresAt}&${signatureName}=${signature}`;
}

/**
 * Whether a request may write the object it names: the URL must be one that `presign` made, for this method, unchanged,
 * and not yet expired. A refusal names the part that differs; the signature is compared in constant time.
 */
export function verify(request: SignedRequest): Verdict {
  const key = toKey(request.path);
  if (key === null) {
    return fault('NoSuchKey', 'objects.key', `${shorten(request.path)} names no object. ${resend}`, {});
  }
  const expires = readOne(request.query, expiresName);
  if (typeof expires === 'object') return expires;
  const signature = readOne(request.query, signatureName);
  if (typeof signature === 'object') return signature;
  if (!/^\d{1,15}$/.test(expires)) {
    return fault(
      'InvalidArgument',
      'objects.signature',
      `${expiresName} is ${JSON.stringify(shorten(expires))}, not a number of milliseconds since 1970. ${resend}`,
      { ArgumentName: expiresName, ArgumentValue: shorten(expires) },
    );
  }
  const expiresAt = Number(expires);
  if (!isSignature(signature, sign({ method: request.method, key, expiresAt, secret: request.secret }))) {
    return toMismatch(request, key, expiresAt, signature);
  }
  if (request.now >= expiresAt) {
    return fault(
      'AccessDenied',
      'objects.expired',
      'Request has expired. A file is no longer taken after the upload expires (2.2): initiate a new upload and send the file to its uploadUrl.',
      { Expires: toIso(expiresAt), ServerTime: toIso(request.now) },
    );
  }
  return { ok: true, key };
}

const resend = 'Send the file to the uploadUrl exactly as the API returned it.';

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

/** The one value of a parameter. URLs get cut or changed on the way in known manners; each is named. */
function readOne(query: URLSearchParams, name: string): string | UrlFault {
  const values = query.getAll(name);
  const [value] = values;
  if (values.length > 1) {
    return fault(
      'InvalidArgument',
      'objects.signature',
      `${name} stands ${values.length} times in the URL. ${resend}`,
      {
        ArgumentName: name,
      },
    );
  }
  if (value !== undefined && value !== '') return value;
  const present = [...query.keys()];
  const cause = present.includes(`amp;${name}`)
    ? 'The URL came through HTML: replace &amp; by &.'
    : present.includes(expiresName)
      ? 'The URL was cut at the & sign: in a shell, put it in quotes.'
      : 'Write access is granted by the query of the URL alone; a bearer token is not looked at.';
  return fault('AccessDenied', 'objects.signature', `The URL has no ${name}. ${cause} ${resend}`, {
    ArgumentName: name,
  });
}

/** Finds what was changed in a URL whose signature is wrong, as far as it can be known. */
function toMismatch(request: SignedRequest, key: string, expiresAt: number, signature: string): UrlFault {
  const seen = {
    SignatureProvided: shorten(signature),
    StringToSign: `${request.method}\n${shorten(key)}\n${expiresAt}`,
  };
  const say = (what: string): UrlFault =>
    fault('SignatureDoesNotMatch', 'objects.signature', `${what} ${resend}`, seen);

  const forPut = sign({ method: 'PUT', key, expiresAt, secret: request.secret });
  if (isSignature(signature, forPut)) return say(`The URL is signed for PUT, and this is a ${request.method}.`);
  if (!/^[0-9a-f]{64}$/.test(signature)) {
    return say(`${signatureName} has ${signature.length} characters; it must be 64 lower-case hexadecimal digits.`);
  }
  const issuedFor = request.issued?.(key);
  if (issuedFor !== undefined && issuedFor !== expiresAt) {
    return say(
      `${expiresName} was changed: it says ${expiresAt}, and the URL of this upload was signed for ${issuedFor}.`,
    );
  }
  if (issuedFor !== undefined) {
    return say(
      'Key and expiry are those of an upload, so the signature was changed, or made before the sandbox was reset.',
    );
  }
  return say(
    `The signature is not the one for ${request.method}, key ${shorten(key)} and expiry ${expiresAt}: one of these or the signature was changed, or the URL was made before the sandbox was reset.`,
  );
}

function toKey(path: string): string | null {
  if (!path.startsWith(objectPrefix)) return null;
  try {
    const key = path.slice(objectPrefix.length).split('/').map(decodeURIComponent).join('/');
    return isKey(key) ? key : null;
  } catch {
    // Not percent-encoded UTF-8: no URL that presign makes.
    return null;
  }
}

/** Keys never become file names, but a key of dots or control characters is not ours either way. */
function isKey(key: string): boolean {
  return key.length <= 1024 && key.split('/').every((part) => /^[^\s\p{C}\\]+$/u.test(part) && !/^\.+$/.test(part));
}

function fault(code: UrlCode, rule: UrlFault['rule'], message: string, details: UrlFault['details']): UrlFault {
  return { ok: false, code, rule, message, details };
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** ISO 8601; a moment outside the range of dates is given as the number it is. */
function toIso(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms);
}
