import { isLoopbackName, toHostParts } from './addresses.ts';

/** Names below these are never given to anyone on the internet (RFC 2606, 6761, 6762, 8375; ICANN for `internal`). */
const privateEndings = ['test', 'localhost', 'local', 'internal', 'home.arpa', 'example', 'invalid'];

/**
 * Accepts a host whose name no one on the public internet can own, so that no web page can use it for DNS rebinding. It
 * is one label, a name below a reserved ending, or one of this machine's own names with a mapped port.
 * @returns the host as the guard of the API compares it, such as `api` or `localhost:9000`; null for any other name
 */
export function toPrivateHost(host: string): string | null {
  const parts = toHostParts(host);
  if (!parts) return null;
  const { name, port } = parts;
  if (isLoopbackName(name)) return `${name}:${port ?? 80}`;
  if (!isOneLabel(name) && !privateEndings.some((ending) => name.endsWith(`.${ending}`))) return null;
  return port === null ? name : `${name}:${port}`;
}

/**
 * Whether a name is one label that is not a public domain or an address. Two letters or `xn--` may be the domain of a
 * country, and a few of those have addresses of their own. A browser reads a name that begins with digits as an
 * address.
 */
function isOneLabel(name: string): boolean {
  return /^[a-z][a-z0-9-]{2,62}$/.test(name) && !name.startsWith('xn--');
}
