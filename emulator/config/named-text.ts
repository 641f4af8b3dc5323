import { constants, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { findJsonMistake } from '../contract/json-mistake.ts';
import { UserError } from '../errors.ts';
import { withoutMark } from '../time/parse-slices.ts';
import { atOnce } from '../time/slices.ts';
import { nameOf, withNamedFile } from './named-file.ts';

/**
 * Reads the text of a file that a person named; `-` is standard input. A byte order mark of UTF-8 is left out.
 * @param most the largest size in bytes; not more than one text can have
 * @throws UserError that names the file and what is wrong with it: it cannot be read, is too large or not UTF-8
 */
export function readNamedText(shown: string, path = shown, most = constants.MAX_STRING_LENGTH): Promise<string> {
  const name = nameOf(shown);
  const check = (size: number): void => {
    if (size > most)
      throw new UserError(`${name} has more than ${toMegabytes(most)}, which is the most that is read of such a file.`);
  };
  return withNamedFile(shown, 'read', async () => {
    if (path !== '-') check((await stat(path)).size);
    const parts: Buffer[] = [];
    let size = 0;
    // The size of a pipe is not known before its end.
    for await (const part of (path === '-' ? process.stdin : createReadStream(path)) as AsyncIterable<Buffer>) {
      check((size += part.length));
      parts.push(part);
    }
    const bytes = withoutMark(Buffer.concat(parts));
    if (!isUtf8(bytes)) throw new UserError(`${name} ${sayEncoding(bytes)} Save it as UTF-8.`);
    return bytes.toString();
  });
}

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MB`;

function sayEncoding(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'is UTF-16.';
  // Decoding replaces bytes that are not UTF-8, so the first byte that differs after encoding again is the first bad
  // one.
  const repaired = Buffer.from(bytes.toString());
  const at = bytes.findIndex((byte, index) => byte !== repaired[index]);
  const line = bytes.subarray(0, at).toString().split('\n').length;
  return `is not UTF-8: byte 0x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')} of line ${line} is not.`;
}

/**
 * Parses a JSON text.
 * @param toError makes the error for `is not JSON: at line 3, column 5, "}" is where a value is expected`
 */
export function parseNamedText(text: string, toError: (says: string) => UserError): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw toError(`is not JSON${sayPlace(text)}`);
  }
}

function sayPlace(text: string): string {
  const mistake = atOnce(findJsonMistake(text));
  if (mistake === null) return '';
  const { index, line, column, expected } = mistake;
  const found = index === text.length ? 'it ends' : `${JSON.stringify(text.slice(index, index + 12))} is`;
  return `: at line ${line}, column ${column}, ${found} where ${expected} is expected`;
}
