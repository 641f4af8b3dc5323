import { isHostOf } from './addresses.ts';

/** The addresses at which this emulator answers, as links name them: the public ones, if the start was given some. */
export interface Urls {
  /** `{base_url}`, ends in /v1. */
  readonly api: string;
  /** `{auth_url}`. */
  readonly auth: string;
  readonly inspector: string;
  /** Where it listens, for this process and for others of this machine. */
  readonly local: Omit<Urls, 'local'>;
}

/** The same, by the names that users of an emulator know. */
export interface Addresses {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly inspectorUrl: string;
}

/** @param auth scheme, host and port of the API, `inspector` those of the inspector */
export function toUrls(auth: string, inspector: string): Urls['local'] {
  return { api: `${auth}/v1`, auth, inspector };
}

export function toAddresses({ api, auth, inspector }: Urls['local']): Addresses {
  return { apiUrl: api, authUrl: auth, inspectorUrl: inspector };
}

/** The ports of the two servers; none before they listen. */
export function portsOf(urls: Urls['local']): readonly number[] {
  return [urls.auth, urls.inspector].flatMap((url) => (url === '' ? [] : Number(new URL(url).port)));
}

/**
 * The address of the API as a client named it that reached the port itself, without a mapped port or a proxy between: another
 * container of the same network, for example, to which the public address leads nowhere.
 * @param host the Host header of a request that the guard allowed (host-guard.ts)
 * @returns `http://sandbox:4747`; null if the public address is the one that such a client can use
 */
export function toDirectUrl(host: string, { auth, local }: Urls): string | null {
  const direct = `http://${host}`;
  if (isHostOf(auth, host) || !URL.canParse(direct)) return null;
  const { origin, port } = new URL(direct);
  return port === new URL(local.auth).port ? origin : null;
}
