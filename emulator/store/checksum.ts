/**
 * The checksum of a journal line or of the state file. It is the last member, `"crc"`: the CRC-32 of everything before
 * it, in hexadecimal. It detects changes by a faulty disk or by hand; versions that do not know it ignore it.
 */
import { crc32 } from 'node:zlib';

/** The result of comparing a text with its checksum; `none` if an older version wrote it. */
export type Seal = 'fits' | 'differs' | 'none';

/** Adds the checksum to a JSON object, which has at least one member. */
export function sealed(json: string): string {
  const text = json.slice(0, -1);
  return text + toSeal(crc32(text));
}

/** The end of an object whose text so far has this CRC-32. */
export function toSeal(sum: number): string {
  return `,"crc":"${sum.toString(16).padStart(8, '0')}"}`;
}

/** Compares a text with its checksum; a large text is given in UTF-8. `value` is the parsed text. */
export function sealOf(text: string | Buffer, value: unknown): Seal {
  if (typeof value !== 'object' || value === null || !('crc' in value)) return 'none';
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const end = bytes.lastIndexOf(',"crc":"');
  const fits = end >= 0 && bytes.toString('utf8', end).trimEnd() === toSeal(crc32(bytes.subarray(0, end)));
  return fits ? 'fits' : 'differs';
}
