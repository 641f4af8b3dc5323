import type { BytesView } from '../../emulator/control/calls.ts';
import { bytesOf } from './wire.ts';

/** Bytes shown one by one; a person looks at the first ones. */
const mostBytes = 64 * 1024;
const perLine = 16;

/** How many bytes the data is. */
export function countBytes({ encoding, data }: Pick<BytesView, 'encoding' | 'data'>): number {
  return encoding === 'utf8' ? bytesOf(data) : atob(data).length;
}

/** A dump: offset, sixteen bytes in hexadecimal, and what of them is printable ASCII. */
export function toHex({ encoding, data }: Pick<BytesView, 'encoding' | 'data'>): string {
  // Four characters of base64 are three bytes; a character of UTF-8 is one to four.
  const bytes =
    encoding === 'utf8'
      ? new TextEncoder().encode(data.slice(0, mostBytes)).subarray(0, mostBytes)
      : Uint8Array.from(atob(data.slice(0, Math.ceil(mostBytes / 3) * 4)), (char) => char.charCodeAt(0));
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += perLine) {
    const part = [...bytes.subarray(at, at + perLine)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const plain = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(perLine * 3 - 1)}  ${plain}`);
  }
  return rows.join('\n');
}
