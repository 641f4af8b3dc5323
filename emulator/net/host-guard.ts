import type { IncomingMessage } from 'node:http';
import { isHostOf, isLoopbackName, toHostParts } from './addresses.ts';

/**
 * The names of a server, in addition to `localhost`, `*.localhost`, `127.0.0.1` and `[::1]` with the port it listens
 * on.
 */
export interface Hosts {
  /** The name of the address at which it listens, also accepted only with the port; null if it has no other name. */
  readonly ownName: string | null;
  /** Further names, with or without a port. Called only if the header has none of the server's own addresses. */
  allowed(): readonly string[];
  /** Its public address; exactly its host and port are accepted. */
  readonly publicUrl: string | null;
}

/** Why a request was not addressed to this server. */
export interface HostProblem {
  /** A sentence with the setting to change. */
  readonly says: string;
  /** The value of `--allow-host` that would allow the request; null if no option allows it. */
  readonly allow: string | null;
  /**
   * Set if the request line names a host, not only a path. `path` is null if that host differs from the Host header.
   */
  readonly line?: { readonly path: string | null };
}

/**
 * Checks that a request was addressed to one of this server's names. In a DNS rebinding attack a foreign page reaches
 * 127.0.0.1 with its own name in Host, so the name is checked before anything else, on both ports.
 * @returns null if it is allowed
 */
export function hostProblem(request: IncomingMessage, { ownName, allowed, publicUrl }: Hosts): HostProblem | null {
  const hosts = countHosts(request.rawHeaders);
  if (hosts !== 1)
    return never(`The request has ${hosts === 0 ? 'no' : 'more than one'} Host header. Send exactly one.`);
  if (!request.url?.startsWith('/') && request.url !== '*')
    return {
      ...never('The request line names a host. Send only the path: this server is not a proxy.'),
      line: { path: pathIn(request) },
    };
  const { host = '' } = request.headers;
  const parts = toHostParts(host);
  if (!parts)
    return never(
      `The Host header ${JSON.stringify(host)} is not a host name. Send one such as localhost:${request.socket.localPort}; other names are allowed with --allow-host NAME.`,
    );
  const { name } = parts;
  const port = parts.port ?? 80;
  const isLoopback = isLoopbackName(name);
  const isOwn = isLoopback || name === ownName;
  if (isOwn && port === request.socket.localPort) return null;
  if (publicUrl !== null && isHostOf(publicUrl, host)) return null;
  const names = allowed().map((one) => one.toLowerCase());
  if (names.includes(host.toLowerCase()) || names.includes(`${name}:${port}`)) return null;
  if (names.includes(name) && !isLoopback) return null;
  if (isOwn)
    return {
      says: `The Host header names port ${port}, but this server listens on ${request.socket.localPort}. If a proxy leads to this server, let it send this port (changeOrigin: true). If a mapped port does, start with --allow-host ${name}:${port}, or name the address in --public-url or --public-inspector-url.`,
      allow: `${name}:${port}`,
    };
  return {
    says: `The host ${JSON.stringify(host)} is not one of this server's names. If it should be, start with --allow-host ${name}.`,
    allow: name,
  };
}

/** The path of a request line with a whole URL; null if its host differs from the Host header. */
function pathIn({ url = '', headers }: IncomingMessage): string | null {
  const [, host, path] = /^http:\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  return host !== undefined && host === headers.host ? path || '/' : null;
}

function never(says: string): HostProblem {
  return { says, allow: null };
}

/** Node keeps only the first of several Host headers, so the raw headers are counted. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
