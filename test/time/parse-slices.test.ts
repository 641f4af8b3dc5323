import { assert, asyncProperty, constantFrom, json, nat, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { parseInSlices } from '../../emulator/time/parse-slices.ts';

/** Longer than what is parsed at once, so that a list of these is divided. */
const long = `"${'\\"[{,é'.repeat(80_000)}"`;
const spaces = ' \n'.repeat(400_000);
const read = async (text: string): Promise<unknown> => {
  try {
    return await parseInSlices(Buffer.from(text));
  } catch (error) {
    if (error instanceof SyntaxError) return 'a syntax error';
    throw error;
  }
};
const expected = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return 'a syntax error';
  }
};

test.for([
  `[${long}, 1, ${long}]`,
  ` { "a" : ${long} , "b\\"": [${long}, {"c": ${long}}], "d": 1 } `,
  `{"a": 1, "a": ${long}}`,
  `[${long},, ${long}]`,
  `[${long}, ]`,
  `[, ${long}]`,
  `[${long} ${long}]`,
  `[${long}}`,
  `[${long}]]`,
  `[${long}`,
  `{${long}}`,
  `{"a" ${long}}`,
  `{a: ${long}}`,
  `{"a": ${long}, "b"}`,
  `[{"a": ${long}], ${long}]`,
  `[${long}, "open]`,
  `[${long}, "\\`,
  `[${long}] 1`,
  `[${spaces}]`,
  `{${spaces}}`,
  `{"a":[${spaces}],"b"${spaces}:${spaces}{}${spaces}}`,
  `[${spaces},${spaces}]`,
  `[1${spaces},${spaces}]`,
  `{"a":[${spaces}}`,
  `{"a" ${spaces}}`,
  `"${spaces}`,
  spaces,
  `${'['.repeat(20)}${long}${']'.repeat(20)}`,
  long,
])('a long text is read as JSON.parse reads it, or refused where that refuses it (%#)', async (text) => {
  expect(await read(text)).toEqual(expected(text));
});

test('a long text with one character changed is read or refused as JSON.parse does it', async () => {
  await assert(
    asyncProperty(
      tuple(json(), json(), nat(), constantFrom(',', '"', '[', ']', '{', '}', ':', ' ', '\\')),
      async ([one, other, at, by]) => {
        const small = `[${one}, {"name": ${other}}, ${one}`;
        const place = at % small.length;
        const text = `${small.slice(0, place)}${by}${small.slice(place + 1)}, ${long}, ${other}]`;
        expect(await read(text)).toEqual(expected(text));
      },
    ),
    { numRuns: 60 },
  );
});

test('a very long text is read in parts, none of which ends inside a character or an escape', async () => {
  for (const part of ['\\u00e9', '\\ud83d\\ude00', 'é', '😀', '\\\\', '\\"a']) {
    // Shifted by one byte each, so that parts end everywhere in it.
    for (let shift = 0; shift < 12; shift++) {
      const text = `"${'x'.repeat(shift)}${part.repeat(Math.ceil(700_000 / part.length))}"`;
      expect((await read(text)) === JSON.parse(text), `${part} after ${shift}`).toBe(true);
    }
  }
  for (const broken of ['\\', '\\u00', '\u0001', '"'])
    expect(await read(`"${'é'.repeat(400_000)}${broken}"`), broken).toBe('a syntax error');
});

test('a member called __proto__ in a long text stays a member', async () => {
  const value = (await parseInSlices(Buffer.from(`{"__proto__": {"a": 1}, "b": ${long}}`))) as object;
  expect(Object.keys(value)).toEqual(['__proto__', 'b']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});
