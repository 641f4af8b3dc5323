import { mapSecretValues } from '../contract/secret-places.ts';
import type { Definition } from './definition.ts';
import type { StoredRecord } from './stored-record.ts';

/** A copy of a record in which every secret is mapped; the record itself if it has none. */
export function mapSecrets<R extends StoredRecord>(
  definition: Pick<Definition, 'secretsOf'>,
  record: R,
  map: (secret: string) => string,
): R {
  return definition.secretsOf(record).reduce((mapped, path) => mapAt(mapped, path.split('.'), map) as R, record);
}

/**
 * The last characters of a secret, which distinguish it from others. A text that is already such a tail stays as it is.
 */
export function toTail(secret: string): string {
  if (/^…(?:.{4})?$/s.test(secret)) return secret;
  return `…${secret.length > 8 ? secret.slice(-4) : ''}`;
}

/** A URL with the values of its secret parameters masked, for everything that lists or prints requests. */
export function maskUrl(url: string): string {
  return mapSecretValues(url, toTail);
}

function mapAt(value: unknown, [name, ...rest]: readonly string[], map: (secret: string) => string): unknown {
  if (name === undefined) return typeof value === 'string' ? map(value) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: mapAt((value as { readonly [name: string]: unknown })[name], rest, map) };
}
