import { isUtf8 } from 'node:buffer';

/** How a body is encoded that is not what its headers say, as far as its bytes show. */
export type Guess = { readonly text: string } | { readonly contentEncoding: 'gzip' } | null;

/** Characters, or bytes, of a body that are written again for the fix. */
export const longestRepaired = 256 * 1024;

/**
 * For the fix of a body that cannot be read. Null if a guess could change what was meant.
 * No text is made of more bytes than are written again for a fix.
 */
export function guessEncoding(bytes: Buffer): Guess {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { contentEncoding: 'gzip' };
  if (bytes.length > longestRepaired) return null;
  const text = toText(bytes);
  // oxlint-disable-next-line no-control-regex -- what no text has
  return /[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd]/.test(text) ? null : { text };
}

/** UTF-16 begins with a byte order mark. Other bytes that are not UTF-8 are most often ISO 8859-1. */
function toText(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1');
}
