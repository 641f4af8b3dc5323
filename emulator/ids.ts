import { randomBytes } from 'node:crypto';

/**
 * A typed global id as the platform writes them: unpadded base64 of `NN:TypeName<number>`, NN the length of the type
 * name, for example `MDc6Q29tcGFueTI` = `07:Company2` (docs/platform.md, Identifiers).
 */
export function toGlobalId(type: string, number: number): string {
  const text = `${type.length < 10 ? '0' : ''}${type.length}:${type}${number}`;
  // Without padding. Letters, digits and the colon give none of the characters in which it differs from base64.
  return Buffer.from(text, 'latin1').toString('base64url');
}

/** Reads a global id; null if the text is not one, exactly as `toGlobalId` writes it. */
export function fromGlobalId(id: string): { readonly type: string; readonly number: number } | null {
  const match = /^\d\d:([A-Za-z]+)(\d+)$/.exec(Buffer.from(id, 'base64url').toString('latin1'));
  if (!match) return null;
  const [type = '', number] = [match[1], Number(match[2])];
  // Node skips what is not base64, such as the colon in the id of an attribute, and reads what follows it.
  return toGlobalId(type, number) === id ? { type, number } : null;
}

/** The last number of the sequence. No larger one is read or given out, so each file that is written is read again. */
export const mostNumber = 2 ** 52;

/** The number of the sequence that an id was made of: a global id, or a delivery's `dlv_<number>`; 0 if it has none. */
export function numberOf(id: string): number {
  const delivery = /^dlv_(\d+)$/.exec(id)?.[1];
  return delivery === undefined ? (fromGlobalId(id)?.number ?? 0) : Number(delivery);
}

/** A random secret in base64url; 24 bytes are 192 bits. */
export function randomSecret(bytes = 24): string {
  return randomBytes(bytes).toString('base64url');
}
