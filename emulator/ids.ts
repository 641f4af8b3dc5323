import { randomBytes } from 'node:crypto';

/**
 * A typed global id as the platform writes them: unpadded base64 of `NN:TypeName<number>`, NN the length of the type
 * name, for example `MDc6Q29tcGFueTI` = `07:Company2` (docs/platform.md, Identifiers).
 */
export function toGlobalId(type: string, number: number): string {
  const text = `${type.length < 10 ? '0' : ''}${type.length}:${type}${number}`;
  // base64url has no padding. For letters, digits and the colon it is otherwise the same as base64.
  return Buffer.from(text, 'latin1').toString('base64url');
}

/** Reads a global id; null unless the text is exactly as `toGlobalId` writes it. */
export function fromGlobalId(id: string): { readonly type: string; readonly number: number } | null {
  const match = /^\d\d:([A-Za-z]+)(\d+)$/.exec(Buffer.from(id, 'base64url').toString('latin1'));
  if (!match) return null;
  const [type = '', number] = [match[1], Number(match[2])];
  // Node skips characters that are not base64, such as the colon in the id of an attribute, and reads the rest.
  return toGlobalId(type, number) === id ? { type, number } : null;
}

/**
 * The last number of the sequence. Larger ones are neither read nor given out, so every file that is written can be
 * read.
 */
export const mostNumber = 2 ** 52;

/** The sequence number in an id: a global id, or a delivery's `dlv_<number>`; 0 if the id has none. */
export function numberOf(id: string): number {
  const delivery = /^dlv_(\d+)$/.exec(id)?.[1];
  return delivery === undefined ? (fromGlobalId(id)?.number ?? 0) : Number(delivery);
}

/** A random secret in base64url; 24 bytes are 192 bits. */
export function randomSecret(bytes = 24): string {
  return randomBytes(bytes).toString('base64url');
}
