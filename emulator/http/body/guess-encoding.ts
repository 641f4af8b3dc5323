import { isUtf8 } from 'node:buffer';

/** The encoding of a body that is not encoded as its headers say, as far as its bytes show it. */
export type Guess = { readonly text: string } | { readonly contentEncoding: 'gzip' } | null;

/** The longest body that a fix writes again, in characters or bytes. */
export const longestRepaired = 256 * 1024;

/**
 * Guesses the encoding of a body that cannot be read, for the fix. Null if a guess could change the meaning.
 * A body that is longer than a fix writes is not decoded to text.
 */
export function guessEncoding(bytes: Buffer): Guess {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return { contentEncoding: 'gzip' };
  if (bytes.length > longestRepaired) return null;
  const text = toText(bytes);
  // oxlint-disable-next-line no-control-regex -- characters that no text contains
  return /[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd]/.test(text) ? null : { text };
}

/** UTF-16 begins with a byte order mark. Other bytes that are not UTF-8 are most often ISO 8859-1. */
function toText(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1');
}
