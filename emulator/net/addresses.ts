/** Whether a listening address can be reached from this machine only. */
export function isLoopbackAddress(host: string): boolean {
  return /^(?:localhost|::1|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i.test(host);
}

/** The name or address of a host as it is written in a URL: IPv6 addresses, which alone have a colon, in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** A Host header, or a name with or without a port. */
export interface HostParts {
  /** In lower case; IPv6 addresses in brackets. */
  readonly name: string;
  /** Null if the text has no port. */
  readonly port: number | null;
}

/** Parses a Host header; null if it is neither a name nor an address. */
export function toHostParts(host: string): HostParts | null {
  if (latest?.host !== host) latest = { host, parts: readHost(host) };
  return latest.parts;
}

/** A cache of one entry: a client names the same host in each request. */
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

/** Whether a Host header names exactly the host and the port of a public address. */
export function isHostOf(publicUrl: string, host: string): boolean {
  const { protocol, host: own } = new URL(publicUrl);
  const usualPort = protocol === 'https:' ? ':443' : ':80';
  return host.toLowerCase() === own || host.toLowerCase() === `${own}${usualPort}`;
}
