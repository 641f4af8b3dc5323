import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { checkFile } from '../../emulator/features/catalog/check/check-file.ts';
import { toLineIds } from '../../emulator/features/catalog/check/check-product.ts';
import { createDuplicates } from '../../emulator/features/catalog/check/duplicates.ts';
import { fixFile } from '../../emulator/features/catalog/check/fix-file.ts';
import { openSeenLines } from '../../emulator/features/catalog/check/seen-lines.ts';
import { xrayFile } from '../../emulator/features/catalog/check/xray.ts';
import { mergeProducts } from '../../emulator/features/catalog/saved/merge.ts';
import { check, freshFolder, fullProduct, oneHash, product, toFile, variant, type Json } from './support.ts';

/** Saves these products and returns their folder. */
async function saved(products: readonly Json[]): Promise<string> {
  const folder = await freshFolder();
  const goodPath = join(folder, 'good.ndjson');
  await mkdir(join(folder, 'saved'));
  await writeFile(goodPath, toFile(products));
  await mergeProducts({ dir: join(folder, 'saved'), goodPath });
  return join(folder, 'saved');
}

const withVariants = (id: string, ...ids: string[]): Json => product(id, { variants: ids.map((v) => variant(v)) });

test('carriage returns, a byte order mark and a missing last newline change nothing', async () => {
  const lines = [fullProduct('a'), fullProduct('b')].map((line) => JSON.stringify(line));
  const report = await check(`\ufeff${lines.join('\r\n')}`);
  expect(report).toMatchObject({ lines: 2, goodLines: 2, issueCount: 0 });
  expect(report.good).toBe(`${lines.join('\n')}\n`);
});

test('good lines are stored byte for byte and the others left out', async () => {
  const spaced = '  ' + JSON.stringify(product('b')).replaceAll(',', ' , ');
  const report = await check(`${toFile([product('a')])}{"id":\n${spaced}\n`);
  expect(report).toMatchObject({ lines: 3, goodLines: 2, good: `${toFile([product('a')])}${spaced}\n` });
});

test('a file in which all lines are good is not written again', async () => {
  const text = toFile([fullProduct('a'), fullProduct('b')]);
  const { goodPath, good } = await check(text);
  expect([good, (await stat(goodPath)).nlink]).toEqual([text, 2]);
  const cut = await check(text.trimEnd());
  expect([cut.good, (await stat(cut.goodPath)).nlink]).toEqual([text, 1]);
});

test.for([
  ['\r\n', [0, 1, 2]],
  ['\n', [0, 2]],
  ['\n', [1, 2]],
  ['\n\n', [0, 1, 2]],
] as const)('with line ends %j and the good lines %j the good file has exactly these', async ([end, good]) => {
  const lines = [0, 1, 2].map((n) => (good.some((one) => one === n) ? JSON.stringify(product(`p-${n}`)) : '{'));
  const report = await check(lines.join(end) + end);
  expect(report.good).toBe(good.map((n) => `${lines[n]}\n`).join(''));
});

test('ten issues of each kind are shown, all are counted and written', async () => {
  const lines = Array.from({ length: 25 }, (_, i) => product(`p-${i}`, { name: i, brand: i === 20 ? 1 : 'b' }));
  const report = await check(toFile([...lines, '{']));
  expect(report.counts).toEqual({ 'catalog.field-type': 26, 'catalog.not-json': 1 });
  expect(report.issueCount).toBe(27);
  expect(report.issues.map(({ lineNum }) => lineNum)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 26]);
  expect(report.written).toHaveLength(27);
});

test('the issues file ends at ten thousand, the counts do not', async () => {
  const report = await check('1\n'.repeat(10_500));
  expect(report.written).toHaveLength(10_000);
  expect(report.counts).toEqual({ 'catalog.not-object': 10_500 });
});

test('all errors of a line are reported together', async () => {
  const report = await check(toFile([product('p', { name: 1, link: 'x', images: [{ src: 'y', variantIds: ['z'] }] })]));
  expect(report.issues.map(({ pointer }) => pointer).sort()).toEqual([
    '/images/0/src',
    '/images/0/variantIds/0',
    '/link',
    '/name',
  ]);
});

test('a line with a hundred thousand errors reports a hundred', async () => {
  const report = await check(toFile([product('p', { tags: Array(100_000).fill(1) }), product('q')]));
  expect(report.issueCount).toBe(100);
  expect(report.goodIds).toEqual(['q']);
});

test('an error after a huge unknown list is still reported', async () => {
  const junk = Array(50_000).fill(1);
  const report = await check(toFile([product('p', { junk, collections: Array(60).fill('a') })]));
  expect(report.counts).toEqual({ 'catalog.items-limit': 1 });
});

test('a value is shown in at most 120 characters, and no character is cut in two', async () => {
  const report = await check(toFile([product('p', { link: '\u{1F600}'.repeat(1000) })]));
  expect([...(report.issues[0]?.value ?? '')]).toHaveLength(120);
  expect(report.issues[0]?.value).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
});

test('a repeated product id is reported once, not again for each of its variants', async () => {
  const report = await check(toFile([withVariants('p', 'a', 'b'), product('q'), withVariants('p', 'a', 'b')]));
  expect(report.issues).toHaveLength(1);
  expect(report.issues[0]).toMatchObject({ errorType: 'catalog.duplicate-product', lineNum: 3, value: 'p' });
  expect(report.issues[0]?.errorMessage).toContain('line 1');
  expect(report.goodIds).toEqual(['p', 'q']);
});

test('a line in error takes no ids: a later correct line may have them, and only the one after that repeats it', async () => {
  const bad = product('p', { name: 1, variants: [variant('a')] });
  const repeats = withVariants('q', 'a');
  const report = await check(
    toFile([bad, repeats, withVariants('p', 'b'), withVariants('p', 'c'), withVariants('r', 'a')]),
  );
  expect(report.issues).toMatchObject([
    { errorType: 'catalog.field-type', lineNum: 1 },
    { errorType: 'catalog.duplicate-product', lineNum: 4, errorMessage: expect.stringContaining('line 3') },
    { errorType: 'catalog.duplicate-variant', lineNum: 5, errorMessage: expect.stringContaining('line 2') },
  ]);
  expect(report.goodIds).toEqual(['q', 'p']);
});

test('the ids are compared, not only their hashes', async () => {
  const path = join(await freshFolder(), 'file.ndjson');
  const lines = [withVariants('p', 'a', 'b'), withVariants('q', 'c', 'd'), withVariants('r', 'd', 'e')];
  await writeFile(path, toFile(lines));
  const seen = openSeenLines(path);
  onTestFinished(() => seen.close());
  const duplicates = createDuplicates(seen, () => true, oneHash);
  let offset = 0;
  const found = lines.flatMap((line, at) => {
    const length = JSON.stringify(line).length;
    seen.add(offset, length);
    offset += length + 1;
    return duplicates.check(toLineIds(line), at, true);
  });
  expect(found).toMatchObject([{ rule: 'catalog.duplicate-variant', value: 'd', pointer: '/variants/0/id' }]);
  expect(duplicates.lineOfProduct('q')).toBe(1);
  expect(duplicates.lineOfProduct('a')).toBeNull();
});

test('the same text as a product id and as a variant id is not a duplicate', async () => {
  expect((await check(toFile([withVariants('x', 'x'), withVariants('y', 'z')]))).issues).toEqual([]);
});

test('a variant of a saved product is refused in another product', async () => {
  const report = await check(toFile([withVariants('new', 'a', 'mine')]), await saved([withVariants('old', 'mine')]));
  expect(report.issues).toMatchObject([
    { errorType: 'catalog.duplicate-variant', lineNum: 1, pointer: '/variants/1/id' },
  ]);
  expect(report.issues[0]?.errorMessage).toContain('saved product "old"');
  expect(report.goodIds).toEqual([]);
});

test('a saved product may be sent again with its own variants', async () => {
  const report = await check(toFile([withVariants('old', 'mine', 'more')]), await saved([withVariants('old', 'mine')]));
  expect(report).toMatchObject({ goodIds: ['old'], issueCount: 0 });
});

test('a variant may move if the same file, before or after, replaces the product that had it', async () => {
  const index = await saved([withVariants('a', 'va'), withVariants('b', 'vb')]);
  const swap = [withVariants('a', 'vb'), withVariants('b', 'va')];
  expect(await check(toFile(swap), index)).toMatchObject({ issueCount: 0, goodLines: 2 });
});

test('a variant may not move if the line that replaces its product is in error', async () => {
  const index = await saved([withVariants('a', 'va')]);
  const bad = product('a', { name: 1, variants: [variant('other')] });
  const report = await check(toFile([withVariants('new', 'va'), bad]), index);
  expect(report.counts).toEqual({ 'catalog.duplicate-variant': 1, 'catalog.field-type': 1 });
  expect(report.goodIds).toEqual([]);
});

test('a line refused for a saved variant replaces nothing, so lines that depend on it are refused, too', async () => {
  const index = await saved([withVariants('a', 'va'), withVariants('b', 'vb'), withVariants('c', 'vc')]);
  const chain = [withVariants('x', 'va'), withVariants('a', 'vb'), withVariants('b', 'vc')];
  const report = await check(toFile(chain), index);
  expect(report.counts).toEqual({ 'catalog.duplicate-variant': 3 });
  expect(report.goodIds).toEqual([]);
});

test('a key __proto__ is a field like any other and is not inherited', async () => {
  const { name: _name, ...nameless } = product('p');
  const line = JSON.stringify(nameless).replace('{', '{"__proto__":{"name":"Shirt"},');
  const report = await check(`${line}\n`);
  expect(report.issues).toMatchObject([{ errorType: 'catalog.field-required', pointer: '/name' }]);
  expect(({} as Json)['name']).toBeUndefined();
});

test('brackets a million deep are JSON or not, and never a crash', async () => {
  const deep = '['.repeat(1_000_000);
  const line = JSON.stringify(product('p', { more: 0 })).replace('"more":0', `"more":${deep}${']'.repeat(1_000_000)}`);
  const bad = JSON.stringify(product('q', { name: 0 })).replace('"name":0', `"name":${deep}${']'.repeat(1_000_000)}`);
  const report = await check(`${deep}\n${line}\n${bad}\n`);
  expect(report.counts).toEqual({ 'catalog.not-json': 1, 'catalog.field-type': 1 });
  expect(report.goodLines).toBe(1);
});

test('an aborted check throws and leaves no file behind', async () => {
  const folder = await freshFolder();
  const path = join(folder, 'file.ndjson');
  await writeFile(path, `${'x'.repeat(1024 * 1024)}\n`.repeat(20));
  const abort = new AbortController();
  const checking = checkFile({
    path,
    issuesPath: join(folder, 'issues'),
    goodPath: join(folder, 'good'),
    savedDir: null,
    signal: abort.signal,
    onProgress: () => abort.abort(),
  });
  await expect(checking).rejects.toThrow(/abort/i);
  expect(await readdir(folder)).toEqual(['file.ndjson']);
});

test('a missing file is an error, not an empty report', async () => {
  const folder = await freshFolder();
  const options = { path: join(folder, 'no'), issuesPath: join(folder, 'i'), goodPath: null, savedDir: null };
  await expect(checkFile(options)).rejects.toThrow('ENOENT');
});

const asUtf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

test.for([
  ['gzip', (text: string) => gzipSync(text), 'compressed with gzip. Unpack it, and send what it contains, in UTF-8.'],
  ['UTF-16 with its mark', (text: string) => asUtf16(`\ufeff${text}`), 'UTF-16. Save it as UTF-8.'],
  ['UTF-16 without one', asUtf16, 'UTF-16. Save it as UTF-8.'],
  ['UTF-16, big end first', (text: string) => asUtf16(text).swap16(), 'UTF-16. Save it as UTF-8.'],
] as const)('of a file in %s, the only error says what the file is, and it is not fixed', async ([, encode, says]) => {
  const file = encode(toFile([product('a'), ...Array.from({ length: 50 }, (_, at) => product(`b${at}`))]));
  const { issues, lines, goodLines, good } = await check(file);
  expect(issues).toMatchObject([{ lineNum: 0, errorType: 'catalog.not-utf8', errorMessage: `The file is ${says}` }]);
  expect([lines, goodLines, good]).toEqual([1, 0, '']);
  const path = join(await freshFolder(), 'other');
  await writeFile(path, file);
  expect((await xrayFile({ path, savedDir: null })).causes).toMatchObject([{ count: 1, fixable: 0 }]);
  await expect(fixFile(path, `${path}-fixed`)).rejects.toThrow(`The file is ${says}`);
});

test('a product that goes on in the next line is to be written without a line break', async () => {
  const { issues } = await check(JSON.stringify(product('a'), null, 2));
  expect(issues[0]?.errorMessage).toContain('Write one complete product on the line, without a line break in it.');
  expect(issues[1]?.errorMessage).toMatch(/Write one complete product on the line\.$/);
});

test('where a field is missing, a name that is similar to it is said', async () => {
  const named = (changes: Json): Json => product('a', { Name: 'Shirt', name: undefined, ...changes });
  const { issues } = await check(
    toFile([named({}), named({ Name: undefined, nmae: 'x', sku: 'y' }), named({ Name: undefined, sku: 'y' })]),
  );
  expect(issues.map(({ errorMessage }) => errorMessage)).toEqual([
    'name is missing in the product. Rename "Name", if that is it.',
    'name is missing in the product. Rename "nmae", if that is it.',
    'name is missing in the product. Add it.',
  ]);
});
