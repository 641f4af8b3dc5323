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
