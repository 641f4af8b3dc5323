/** Says in a sentence why an attempt was not accepted, with the smallest fix if one is known. Pure. */
import { isUrl } from '../contract/url.ts';
import { closedCodes } from '../net/closed-codes.ts';
import type { DeliveryAttempt } from '../records.ts';
import { TargetRefused } from './target.ts';

/** How far a request was when it failed: `connecting`, `securing` (TLS), `waiting` for an answer, or `answering`. */
export type Phase = 'connecting' | 'securing' | 'waiting' | 'answering';

/** What is known about a failed request besides its error. */
export interface FailedAt {
  readonly phase: Phase;
  /** The status that arrived before it failed. */
  readonly answered?: number;
}

type FailedRequest = NodeJS.ErrnoException &
  Partial<FailedAt> & { rawPacket?: Buffer; reason?: string; cert?: { subjectaltname?: string } };

/** The error codes of certificates that no known authority has signed. */
const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The error codes of addresses to which this machine has no route. */
export const unroutable: ReadonlySet<string> = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
]);

/** The statuses that hardly ever have another cause than the one given here. */
const causes: ReadonlyMap<number, string> = new Map([
  [401, signatureCause(401)],
  [
    403,
    `${signatureCause(403)} Or it asks for a CSRF token, which no webhook carries: switch that check off for this path.`,
  ],
  [404, 'Its server has nothing at this path: correct the path of the address, or start what belongs there.'],
  [405, 'It takes no POST at this address: add a route for POST, or correct the path.'],
  [415, 'Events are sent as application/json: let it take that type.'],
  [505, 'Events are sent with HTTP/1.1: let it take that version.'],
  [
    419,
    'A receiver usually answers 419 because it asks for a CSRF token, which no webhook carries: switch that check off for this path.',
  ],
]);

function signatureCause(status: number): string {
  return `A receiver usually answers ${status} because it computed a different signature: “Check the signature” in the inspector shows where they differ, in the key, the body or the time.`;
}

/** What a server of Node that takes only HTTP/2 answers to HTTP/1.1. */
const onlyHttp2 = /^Missing ALPN Protocol[^\n]*/;

/** Why an answer of the receiver at `url` does not count as accepted; null if it does. */
export function toProblem(
  { status, headers, body }: NonNullable<DeliveryAttempt['response']>,
  url: string,
): string | null {
  if (status >= 200 && status < 300) return null;
  const { location } = headers;
  if (status >= 300 && status < 400 && status !== 304 && location) {
    const whole = isUrl(location, url) ? new URL(location, url).href : location;
    return `The receiver answered ${status} to ${whole}; redirects are not followed. Register the address it points to.`;
  }
  const alpn = status === 403 ? onlyHttp2.exec(body)?.[0] : undefined;
  const cause =
    alpn === undefined
      ? causes.get(status)
      : `It takes only HTTP/2 (“${alpn}”), and events are sent with HTTP/1.1: let it take that, too (allowHTTP1 in Node).`;
  return `The receiver answered ${status}; only 2xx counts as accepted.${cause === undefined ? '' : ` ${cause}`}`;
}

/** Says why a request got no complete answer. */
export function toSentence(error: unknown, url: string): string {
  if (error instanceof TargetRefused) return error.message;
  const failed = error as FailedRequest;
  const { code = '', message = String(error), answered, phase } = failed;
  const isSecure = url.startsWith('https:');
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${url} (connection refused). Start the receiver, or correct the address.`;
  if (unroutable.has(code))
    return `This machine has no route to ${url} (${code}). Correct the address, or connect to its network.`;
  if (code === 'ETIMEDOUT' && phase === 'connecting') return notConnected(url, `(${code})`);
  if (code === 'ENOTFOUND')
    return `The name in ${url} cannot be resolved (${code}). Correct it, or give it an address in the hosts file of this machine.`;
  if (code === 'EAI_AGAIN' || code === 'ETIMEOUT')
    return `The name in ${url} was not resolved: the DNS server of this machine did not answer (${code}). Connect to its network, or give the name an address in the hosts file.`;
  if (phase === 'securing' && (closedCodes.has(code) || isNoTls(message)))
    return `No TLS connection to ${url} could be made (${code}). If the receiver speaks http, register an address with http://.`;
  if (closedCodes.has(code) && answered !== undefined)
    return `The receiver answered ${answered}, but closed the connection before the end of its answer (${code}).`;
  if (closedCodes.has(code))
    return `The receiver closed the connection without an answer (${code}). Its own log may say why${isSecure ? '' : '; if it speaks https, register an address with https://'}.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return unsecured(url, code, message);
  if (untrusted.has(code))
    return `The certificate of ${url} is not trusted (${code}). Start Sandpiper with NODE_EXTRA_CA_CERTS set to the file of the certificate or of its authority, or register an address with http://.`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${url} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'} (${code}). Make a new one, or register an address with http://.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return otherNames(url, code, failed);
  if (code === 'HPE_HEADER_OVERFLOW') return `The headers of the answer are larger than 16 KB (${code}).`;
  if (code.startsWith('HPE_')) return notHttp(failed);
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}

/** Whether a message of OpenSSL is about bytes that are not TLS. */
const isNoTls = (message: string): boolean =>
  /wrong version number|packet length too long|http request|record layer failure/.test(message);

function unsecured(url: string, code: string, message: string): string {
  const alert = / alert ([a-z ]+)/.exec(message)?.[1];
  if (alert === 'certificate required')
    return `The receiver at ${url} asks for a certificate of the sender (${code}); Sandpiper has none. Let it ask for none, or register an address with http://.`;
  const reason = alert ?? /SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  return `No TLS connection to ${url} could be made (${code}${reason === undefined ? '' : `, ${reason}`}). Let the receiver take TLS 1.2 or 1.3, or register an address with http://.`;
}

function otherNames(url: string, code: string, { cert }: FailedRequest): string {
  const { hostname } = new URL(url);
  const names = cert?.subjectaltname;
  return names === undefined
    ? `The certificate of ${url} names no host (${code}). Make one for ${hostname}.`
    : `The certificate of ${url} is for other names, ${names} (${code}). Register the address with one of them, or make a certificate for ${hostname}.`;
}

function notHttp({ code, reason, answered, rawPacket = Buffer.alloc(0) }: FailedRequest): string {
  const said = `The answer is not valid HTTP (${code})`;
  const because = reason === undefined ? `${said}.` : `${said}: ${reason}.`;
  // After a status, bytes that do not begin as HTTP may be the middle of an answer.
  if (answered !== undefined || rawPacket.subarray(0, 5).equals(Buffer.from('HTTP/'))) return because;
  if (rawPacket[0] === 0x15 && rawPacket[1] === 0x03) return `${said}, but TLS. Register an address with https://.`;
  // The frame that an HTTP/2 server sends first.
  if (rawPacket.subarray(0, 2).equals(Buffer.from([0, 0])) && rawPacket[3] === 0x04)
    return `${said} 1.1, but HTTP/2. Let the receiver take HTTP/1.1, too.`;
  return `${said}. Correct the port: something other than a web server listens there.`;
}

/** Says why a name was not resolved in time. */
export function unresolved(url: string, ms: number): string {
  return `The name in ${url} was not resolved within ${ms / 1000} s. Check the name, and the DNS server of this machine.`;
}

/** Says why a request was cancelled at its time limit. */
export function tooSlow(url: string, { phase, answered }: FailedAt, ms: number): string {
  const limit = `within ${ms / 1000} s`;
  switch (phase) {
    case 'connecting':
      return notConnected(url, limit);
    case 'securing':
      return `No TLS connection to ${url} ${limit}: something listens, but does not answer in TLS. If the receiver speaks http, register an address with http://.`;
    case 'answering':
      return `No whole answer ${limit}: the receiver answered ${answered}, but did not end its answer. Let it end.`;
    case 'waiting':
      return `No whole answer ${limit}. Answer first, then do the work.`;
  }
}

function notConnected(url: string, limit: string): string {
  return `No connection to ${url} could be made ${limit}. Correct the address, or allow the connection in the firewall.`;
}
