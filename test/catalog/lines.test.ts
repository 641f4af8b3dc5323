import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter, type LineLimits } from '../../emulator/features/catalog/check/lines.ts';

type Told = readonly [what: string, num: number, more: string | number];

function split(chunks: readonly Buffer[], limits: LineLimits = {}): { told: Told[]; offsets: number[] } {
  const told: Told[] = [];
  const offsets: number[] = [];
  const splitter = createLineSplitter(
    {
      line(bytes, num, offset) {
        told.push(['line', num, bytes.toString('latin1')]);
        offsets.push(offset);
      },
      tooLong: (num, length) => told.push(['too long', num, length]),
      tooMany: (num) => told.push(['too many', num, '']),
    },
    limits,
  );
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return { told, offsets };
}

const lines = (text: string, limits: LineLimits = {}): Told[] => split([Buffer.from(text, 'latin1')], limits).told;
const texts = (text: string): (string | number)[] => lines(text).map(([, , more]) => more);

test('a final newline does not start a line, and a missing one loses no line', () => {
  expect(texts('a\nb\n')).toEqual(['a', 'b']);
  expect(texts('a\nb')).toEqual(['a', 'b']);
  expect(texts('')).toEqual([]);
});

test('empty lines are lines', () => {
  expect(texts('\na\n\n')).toEqual(['', 'a', '']);
});

test('a carriage return is dropped before a newline only', () => {
  expect(texts('a\r\nb\rc\r\n\r\n')).toEqual(['a', 'b\rc', '']);
});

test('a byte order mark is dropped at the very start only', () => {
  const mark = '\u00ef\u00bb\u00bf';
  expect(split([Buffer.from(`${mark}a\n${mark}b\n`, 'latin1')])).toEqual({
    told: [
      ['line', 1, 'a'],
      ['line', 2, `${mark}b`],
    ],
    offsets: [3, 5],
  });
  expect(texts(mark)).toEqual([]);
});

test('a line at the limit is read, a longer one is reported with its length and skipped', () => {
  expect(lines('12345\n123456\n12\n', { maxLineBytes: 5 })).toEqual([
    ['line', 1, '12345'],
    ['too long', 2, 6],
    ['line', 3, '12'],
  ]);
});

test('neither a carriage return nor a byte order mark counts for the limit', () => {
  expect(lines('\u00ef\u00bb\u00bf12345\r\n', { maxLineBytes: 5 })).toEqual([['line', 1, '12345']]);
});

test('a long line without an end is reported with its length', () => {
  expect(lines('x'.repeat(100), { maxLineBytes: 5 })).toEqual([['too long', 1, 100]]);
});

test('the line after the last allowed one is reported once, and nothing after it', () => {
  expect(lines('a\nb\nc\nd\n', { maxLines: 2 })).toEqual([
    ['line', 1, 'a'],
    ['line', 2, 'b'],
    ['too many', 3, ''],
  ]);
  expect(lines('a\nb\n', { maxLines: 2 })).toHaveLength(2);
});

test('a long line beyond the last allowed one is one too many', () => {
  const chunks = ['a\n', 'x'.repeat(50), 'x'.repeat(50), '\n'].map((text) => Buffer.from(text));
  expect(split(chunks, { maxLines: 1, maxLineBytes: 5 }).told.at(-1)).toEqual(['too many', 2, '']);
});

test('however a file is cut into chunks, its lines and their places are the same', () => {
  const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x41, 0xef, 0xbb, 0xbf), { maxLength: 40 });
  const limits = { maxLineBytes: 6, maxLines: 5 };
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 7 }), (content, size) => {
      const whole = Buffer.from(content);
      const chunks: Buffer[] = [];
      for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
      expect(split(chunks, limits)).toEqual(split([whole], limits));
    }),
  );
});
