import type { BytesView } from '../../emulator/control/calls.ts';
import { bytesOf } from './wire.ts';

/** The limit of `toHex`: a person looks only at the first bytes. */
const mostBytes = 64 * 1024;

/** The size of the data in bytes. */
export function countBytes({ encoding, data }: Pick<BytesView, 'encoding' | 'data'>): number {
  return encoding === 'utf8' ? bytesOf(data) : atob(data).length;
}

/** The recorded part of a body, up to 64 KiB, as lines of `toHexLines`. */
export function toHex({ encoding, data }: Pick<BytesView, 'encoding' | 'data'>): string {
  // Four base64 characters are three bytes; a UTF-8 character is one to four.
  const bytes =
    encoding === 'utf8'
      ? new TextEncoder().encode(data.slice(0, mostBytes)).subarray(0, mostBytes)
      : Uint8Array.from(atob(data.slice(0, Math.ceil(mostBytes / 3) * 4)), (char) => char.charCodeAt(0));
  return toHexLines(bytes).join('\n');
}

/** Sixteen bytes per line: offset, hex in pairs, and the printable characters. */
export function toHexLines(bytes: Uint8Array, most = Infinity): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, most); at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    const hex = part.map((byte, index) => byte.toString(16).padStart(2, '0') + (index % 2 === 1 ? ' ' : '')).join('');
    const letters = part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
    lines.push(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(40)} ${letters}`);
  }
  return lines;
}
