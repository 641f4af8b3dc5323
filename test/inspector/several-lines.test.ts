/** A text of several lines, such as a GraphQL query, is read line by line, and what is wrong in it is marked alone. */
import { expect, test } from 'vitest';
import { diffBodies } from '../../renderer/http-text/diff.ts';
import { narrowTo, toJsonLines, toLineText, toRows, type Token } from '../../renderer/http-text/json-lines.ts';
import { expectSeen, useInspector } from '../support/browser.ts';

const inspector = useInspector();
const query = (field: string, more = 0): string =>
  `query Who {\n  viewer {\n    ${field} {\n      application {${'\n        name'.repeat(more)} id }\n    }\n  }\n}\n`;

const marked = (tokens: readonly Token[]): readonly string[] =>
  tokens.filter(({ changed }) => changed === true).map(({ text }) => text);

test.each([
  ['a\n  bc d', { line: 2, column: 3 }, 'bc'],
  ['a\r\nb', { line: 2, column: 1 }, 'b'],
  [String.raw`a \n b`, { line: 1, column: 3 }, String.raw`\\`],
  ['é\u0001 x', { line: 1, column: 4 }, 'x'],
  ['( $id', { line: 1, column: 3 }, '$id'],
  ['ab', { line: 1, column: 3 }, '"'],
  ['(a: "(555) \\"5\\"", b: "")', { line: 1, column: 5 }, String.raw`\"(555) \\\"5\\\"\"`],
  ['(a: """(555)\n 5""", b: 1)', { line: 1, column: 5 }, String.raw`\"\"\"(555)\n 5\"\"\"`],
  ['(a: "5)', { line: 1, column: 5 }, String.raw`\"`],
  [`(a: "${'\\'.repeat(200)})`, { line: 1, column: 5 }, String.raw`\"`],
  ['(a: 19.90)', { line: 1, column: 5 }, '19.90'],
])('of %j the word at %j is %s', (text, spot, word) => {
  const lines = narrowTo(toJsonLines(JSON.stringify({ query: text }), ['/query']) ?? [], '/query', spot);
  const found = lines.flatMap(({ tokens }) => tokens.filter(({ pointer }) => pointer === '/query'));
  expect(found.map((token) => token.text)).toEqual([word]);
  expect(lines.map(toLineText).join('')).toContain(JSON.stringify(text));
});

test('a line break may be written in two ways', () => {
  const raw = String.raw`"a\u000A  b\r\u000ac\nd"`;
  expect(toRows(raw)).toEqual([String.raw`"a\u000A`, String.raw`  b\r\u000a`, String.raw`c\n`, 'd"']);
  const [, line] = narrowTo(toJsonLines(`{"query":${raw}}`, ['/query']) ?? [], '/query', { line: 3, column: 1 });
  expect(line?.tokens.find(({ pointer }) => pointer === '/query')?.text).toBe('c');
});

test('a place outside the text leaves the whole text as the place', () => {
  const lines = toJsonLines(JSON.stringify({ query: 'a' }), ['/query']) ?? [];
  expect(narrowTo(lines, '/query', { line: 2, column: 1 })).toEqual(lines);
});

test('a comparison marks the words that differ, unless most of the value does', () => {
  const compare = (before: string, after: string) =>
    diffBodies(JSON.stringify({ query: before }), JSON.stringify({ query: after }), { pointers: ['/query'] })
      .filter(({ sign }) => sign !== ' ')
      .map(({ line }) => marked(line.tokens));
  expect(compare(query('installedAplication'), query('installedApplication'))).toEqual([
    ['installedAplication'],
    ['installedApplication'],
  ]);
  expect(compare('(555) 555-0100', '+15555550100')).toEqual([[], []]);
});

test('forms are compared field by field, and as they were written where only that differs', () => {
  const compare = (before: string, after: string) =>
    diffBodies(before, after, { areForms: true, around: 0 }).map(({ sign, line }) => sign + toLineText(line));
  expect(compare('a=1&b=x+y', 'a=1&b=%2F')).toEqual(['-b = x y', '+b = /']);
  expect(compare('b=x+y', 'b=x%20y')).toEqual(['-b=x+y', '+b=x%20y']);
});

test('a comparison leaves out lines of a text that are far from what differs', () => {
  const changes = diffBodies(
    JSON.stringify({ query: query('installedApplication', 30) }),
    JSON.stringify({ query: query('installedApplication', 30).replace(' id }', ' email }') }),
    { pointers: ['/query'] },
  );
  const lines = changes.filter(({ sign }) => sign !== ' ').map(({ line }) => line);
  const [old, next] = lines.map(toLineText);
  const cut = lines[0]?.tokens.filter(({ kind }) => kind === 'cut').map(({ text }) => text);
  expect(cut).toEqual(['30 more lines']);
  expect(old).toBe(
    String.raw`  "query": "query Who {\n30 more lines        name\n        name\n        name id }\n    }\n  }\n}\n"`,
  );
  expect(next).toBe(old?.replace(' id }', ' email }'));
});

test('the field that a query may not have is underlined alone, on a line of its own, and a copy has the text as it was sent', async () => {
  const json = { query: query('installedAplication') };
  const { id } = await (await inspector.sandbox.call('POST', '/graphql', { json })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const where = page.getByRole('group', { name: 'The place in the request' });
  await page.getByText('/query, line 3, column 5').waitFor();
  expect(await where.locator('.wave').allInnerTexts()).toEqual(['installedAplication']);
  const fix = page.getByRole('group', { name: 'The fix as a comparison' });
  expect(await fix.locator('.changed').allInnerTexts()).toEqual(['installedAplication', 'installedApplication']);
  const body = page.getByRole('group', { name: 'Request body' });
  expect(await body.locator('.wave').allInnerTexts()).toEqual(['installedAplication']);
  // Eight lines of the query, in three lines of JSON.
  const line = body.locator('.cl', { hasText: '"query"' });
  expect((await line.boundingBox())?.height).toBeGreaterThan(7 * 19);
  const selected = await line.locator('.ct').evaluate((text) => {
    getSelection()?.selectAllChildren(text);
    return getSelection()?.toString();
  });
  expect(selected?.trim()).toBe(`"query": ${JSON.stringify(json.query)}`);
});

test('a search in a body leaves its lines as they are, also where it finds a part of what is written for their ends', async () => {
  const { id } = await (await inspector.sandbox.call('POST', '/graphql', { json: { query: query('me') } })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const body = page.getByRole('group', { name: 'Request body' });
  const line = body.locator('.cl', { hasText: '"query"' });
  const height = (await line.boundingBox())?.height;
  await page.getByRole('button', { name: 'Search in this body' }).click();
  for (const wanted of ['n', String.raw`\n`, String.raw`{\n  viewer`]) {
    await page.getByRole('textbox', { name: 'Search in this body' }).fill(wanted);
    await expect.poll(async () => (await line.locator('mark').allTextContents()).join('')).toContain(wanted);
    expect((await line.boundingBox())?.height).toBe(height);
  }
});

test('where a long text is cut, how much is left out does not look like a part of the text', async () => {
  const reply = await inspector.sandbox.call('POST', '/events/custom', {
    json: { type: 'Tide', properties: { note: 'x'.repeat(4_100) }, user: { email: 'ada@example.com' } },
  });
  const { id } = await reply.exchange();
  const page = await inspector.open(`/requests/${id}?tab=request`);
  const mark = page.locator('.code .cut-mark');
  await expectSeen(mark.first());
  expect(await mark.first().innerText()).toBe('102 more characters');
  const before = mark.first().locator('xpath=preceding-sibling::span[1]');
  expect(await before.innerText()).toMatch(/^"x+$/);
});
