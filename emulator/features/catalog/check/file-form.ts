import type { FoundIssue } from './issues.ts';

/**
 * The first bytes of files that are not text in UTF-8. Without a byte order mark, UTF-16 has a zero next to the
 * bracket.
 */
const forms: readonly (readonly [readonly number[], string])[] = [
  [[0x1f, 0x8b], 'compressed with gzip. Unpack it, and send what it contains, in UTF-8.'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive. Unpack it, and send what it contains, in UTF-8.'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with Zstandard. Unpack it, and send what it contains, in UTF-8.'],
  [[0xff, 0xfe], 'UTF-16. Save it as UTF-8.'],
  [[0xfe, 0xff], 'UTF-16. Save it as UTF-8.'],
  [[0x7b, 0x00], 'UTF-16. Save it as UTF-8.'],
  [[0x00, 0x7b], 'UTF-16. Save it as UTF-8.'],
];

/**
 * The issue of a file in another form, found in its first line: issues about single bytes would not help. Else null.
 */
export function fileFormIssue(firstLine: Buffer): FoundIssue | null {
  const form = forms.find(([start]) => start.every((byte, at) => firstLine[at] === byte));
  if (!form) return null;
  return { rule: 'catalog.not-utf8', message: `The file is ${form[1]}`, pointer: '', value: null };
}
