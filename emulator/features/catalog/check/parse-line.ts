import { isUtf8 } from 'node:buffer';
import { findJsonMistake, nameOfUnseen } from '../../../contract/json-mistake.ts';
import { atOnce } from '../../../time/slices.ts';
import { toShownValue, type FoundIssue } from './issues.ts';

export type ParsedLine = { readonly value: unknown; readonly issue: null } | { readonly issue: FoundIssue };

const SHOWN_AROUND = 40;

/** Decodes and parses one line; every reason why it is not JSON in UTF-8 (section 8) is an issue. */
export function parseLine(bytes: Buffer): ParsedLine {
  if (!isUtf8(bytes)) return { issue: utf8Issue(bytes) };
  const text = bytes.toString();
  try {
    return { value: JSON.parse(text) as unknown, issue: null };
  } catch {
    return { issue: text.trim() === '' ? blankIssue : jsonIssue(text) };
  }
}

const blankIssue: FoundIssue = {
  rule: 'catalog.blank-line',
  message: 'The line is empty. Delete it: every line must be one product.',
  pointer: '',
  value: null,
};

function utf8Issue(bytes: Buffer): FoundIssue {
  // Decoding replaces invalid UTF-8 by U+FFFD, so the first byte that differs after encoding again is the first bad
  // one.
  const repaired = Buffer.from(bytes.toString());
  const at = bytes.findIndex((byte, i) => byte !== repaired[i]);
  const byte = `0x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  const message = `Byte ${at + 1} of the line (${byte}) is not UTF-8. Save the file as UTF-8.`;
  return { rule: 'catalog.not-utf8', message, pointer: '', value: byte };
}

function jsonIssue(text: string): FoundIssue {
  const { index, expected } = atOnce(findJsonMistake(text)) ?? { index: 0, expected: 'a product' };
  const message = `The line is not JSON at character ${index + 1}: ${nameOf(text, index)} where ${expected} is expected. ${sayForm(text.trim(), index < text.length)}`;
  const value = toShownValue(text.slice(Math.max(0, index - SHOWN_AROUND), index + SHOWN_AROUND));
  return { rule: 'catalog.not-json', message, pointer: '', value };
}

/** What to write instead, by the form that the file seems to have. */
function sayForm(text: string, hasMore: boolean): string {
  if (text.startsWith('[') || text === ']' || (text.startsWith('{') && /\}[,\]]$/.test(text)))
    return 'Write each product on a line of its own, without the brackets and the commas of a list.';
  if (!/[{}[\]]|"\s*:/.test(text) && /[,;\t]/.test(text))
    return 'If the file is CSV, write each row as one JSON object on a line instead, with the names of section 2.1.';
  return `Write one complete product on the line${hasMore ? '' : ', without a line break in it'}.`;
}

/** The character at `index`, in words for a sentence. */
function nameOf(text: string, index: number): string {
  const code = text.codePointAt(index);
  if (code === undefined) return 'the end of the line';
  const character = String.fromCodePoint(code);
  if (character === '"') return 'a double quote';
  return nameOfUnseen(character) ?? `"${character}"`;
}
