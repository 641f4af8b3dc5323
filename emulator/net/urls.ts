import { isUrl } from '../contract/url.ts';
import { UserError } from '../errors.ts';
import { isHostOf, isLoopbackName, toUrlHost } from './addresses.ts';

/** The addresses at which this emulator answers, as links name them: the public ones, if the start was given some. */
export interface Urls {
  /** `{base_url}`, ends in /v1. */
  readonly api: string;
  /** `{auth_url}`. */
  readonly auth: string;
  readonly inspector: string;
  /** The addresses on which it listens, for this process and others on this machine. */
  readonly local: Omit<Urls, 'local'>;
}

/** The same addresses, by the names that users of an emulator know. */
export interface Addresses {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly inspectorUrl: string;
}

/** @param auth scheme, host and port of the API, `inspector` those of the inspector */
export function toUrls(auth: string, inspector: string): Urls['local'] {
  return { api: `${auth}/v1`, auth, inspector };
}

/** The addresses at which programs on this machine reach the servers. */
export function toLocalUrls(host: string, apiPort: number, controlPort: number): Urls['local'] {
  return toUrls(toLocalUrl(host, apiPort), toLocalUrl(host, controlPort));
}

/** The URL at which a program on this machine reaches a server that listens on a host and port. */
export function toLocalUrl(host: string, port: number): string {
  return `http://${toUrlHost(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)}:${port}`;
}

/**
 * The name by which clients reach a listening address, as a Host header has it; null if the server listens on every
 * address of this machine, or the name is a loopback one, which every server has.
 */
export function nameOf(host: string): string | null {
  const url = `http://${toUrlHost(host)}`;
  if (host === '0.0.0.0' || host === '::' || !isUrl(url)) return null;
  const { hostname } = new URL(url);
  return isLoopbackName(hostname) ? null : hostname;
}

/**
 * Reads the address at which a server is reached from outside, through a mapped port or a proxy.
 * @returns scheme, host and port, such as `http://localhost:8080`; null if none is given
 * @throws UserError for anything else than such an address
 */
export function toPublicUrl(address: string | null, flag: string): string | null {
  if (address === null) return null;
  const url = isUrl(address) ? new URL(address) : null;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new UserError(
    `${flag} takes an address such as http://localhost:8080, without a path, not ${JSON.stringify(address)}.`,
  );
}

/** Converts the addresses of links to the names that users know. */
export function toAddresses({ api, auth, inspector }: Urls['local']): Addresses {
  return { apiUrl: api, authUrl: auth, inspectorUrl: inspector };
}

/**
 * The API's address for a client that connects to the port directly, without a mapped port or a proxy: for example
 * another container on the same network, for which the public address leads nowhere.
 * @param host the Host header of a request that the guard allowed (host-guard.ts)
 * @returns `http://sandbox:4747`; null if such a client can use the public address
 */
export function toDirectUrl(host: string, { auth, local }: Urls): string | null {
  const direct = `http://${host}`;
  if (isHostOf(auth, host) || !isUrl(direct)) return null;
  const { origin, port } = new URL(direct);
  return port === new URL(local.auth).port ? origin : null;
}
