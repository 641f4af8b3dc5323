import { isIPv6 } from 'node:net';

/** Whether a listening address can be reached from this machine only. */
export function isLoopbackAddress(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export function toUrlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
