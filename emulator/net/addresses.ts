import { UserError } from '../errors.ts';

/** Whether a listening address can be reached from this machine only. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** The name or address of a host as it is written in a URL: IPv6 addresses, which alone have a colon, in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** A Host header, or a name with or without a port. */
export interface HostParts {
  /** In lower case; IPv6 addresses in brackets. */
  readonly name: string;
  /** Null if it names none. */
  readonly port: number | null;
}

/** Takes a Host header apart; null for what is neither a name nor an address. */
export function toHostParts(host: string): HostParts | null {
  if (latest?.host !== host) latest = { host, parts: readHost(host) };
  return latest.parts;
}

/** A client names the same host in each request. */
let latest: { readonly host: string; readonly parts: HostParts | null } | null = null;

function readHost(host: string): HostParts | null {
  const match = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(host);
  const name = match?.[1]?.toLowerCase();
  return name === undefined ? null : { name, port: match?.[2] === undefined ? null : Number(match[2]) };
}

/** Whether a host name can only mean this machine. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || name === '[::1]';
}

/**
 * Reads the address at which a server is reached from outside, where a mapped port or a proxy leads to it.
 * @returns scheme, host and port, such as `http://localhost:8080`; null if none is given
 * @throws UserError for anything else than such an address
 */
export function toPublicUrl(address: string | null, flag: string): string | null {
  if (address === null) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new UserError(
    `${flag} takes an address such as http://localhost:8080, without a path; ${JSON.stringify(address)} is none.`,
  );
}

/** Whether a Host header names exactly the host and the port of a public address. */
export function isHostOf(publicUrl: string, host: string): boolean {
  const { protocol, host: own } = new URL(publicUrl);
  const usualPort = protocol === 'https:' ? ':443' : ':80';
  return host.toLowerCase() === own || host.toLowerCase() === `${own}${usualPort}`;
}
