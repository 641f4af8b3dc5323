import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkFile } from '../../emulator/features/catalog/check/check-file.ts';
import { fixFile } from '../../emulator/features/catalog/check/fix-file.ts';
import {
  faultKinds,
  generateCatalog,
  planFaults,
  type CatalogPlan,
  type FaultKind,
} from '../../emulator/features/catalog/generate.ts';

/** The rule by which the check refuses each kind. */
const ruleOfFault: { readonly [K in FaultKind]: string } = {
  currency: 'catalog.currency',
  url: 'catalog.url',
  timestamp: 'catalog.timestamp',
  amount: 'catalog.amount',
  type: 'catalog.field-type',
  'missing-field': 'catalog.field-required',
  'empty-name': 'catalog.field-empty',
  'not-json': 'catalog.not-json',
  'duplicate-product': 'catalog.duplicate-product',
  'duplicate-variant': 'catalog.duplicate-variant',
  'image-variant': 'catalog.image-variant',
};

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-generated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const all = Object.fromEntries(faultKinds.map((kind) => [kind, 3]));
const planOf = (seed: number, faults: CatalogPlan['faults'] = all): CatalogPlan => ({
  products: 100,
  variants: 2,
  seed,
  faults,
});

function write(name: string, plan: CatalogPlan, ending = '\n'): string {
  const path = join(folder, name);
  writeFileSync(path, [...generateCatalog(plan)].map((line) => line + ending).join(''));
  return path;
}
const check = (path: string, chunkBytes?: number) =>
  checkFile({
    path,
    issuesPath: `${path}.issues`,
    goodPath: null,
    savedDir: null,
    ...(chunkBytes === undefined ? {} : { chunkBytes }),
  });
const issuesOf = (path: string) =>
  readFileSync(`${path}.issues`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { lineNum: number; errorType: string });

test.for([1, 2, 3])('every fault of seed %i is found at its line, by its rule, and nothing else is', async (seed) => {
  const plan = planOf(seed);
  const path = write(`faults-${seed}.ndjson`, plan);
  const report = await check(path);
  expect(issuesOf(path).map(({ lineNum, errorType }) => [lineNum, errorType])).toEqual(
    planFaults(plan).map(({ line, kind }) => [line, ruleOfFault[kind]]),
  );
  expect(report.goodLines).toBe(100 - faultKinds.length * 3);
});

test.for([7, 1_000, 4_096, 65_537])('the same is found where the file is read %i bytes at a time', async (bytes) => {
  const plan = planOf(bytes);
  const path = write(`chunks-${bytes}.ndjson`, plan);
  await check(path, bytes);
  expect(issuesOf(path).map(({ lineNum, errorType }) => [lineNum, errorType])).toEqual(
    planFaults(plan).map(({ line, kind }) => [line, ruleOfFault[kind]]),
  );
});

test('the same seed makes the same bytes, another seed others, and without faults all is good', async () => {
  const [one, same, other] = [planOf(7, {}), planOf(7, {}), planOf(8, {})].map((plan) =>
    [...generateCatalog(plan)].join('\n'),
  );
  expect([one === same, one === other]).toEqual([true, false]);
  expect((await check(write('good.ndjson', planOf(7, {})))).issueCount).toBe(0);
});

test('more faults than lines that can have them are refused', () => {
  expect(() => planFaults({ products: 2, variants: 1, seed: 1, faults: { url: 2 } })).toThrow(
    /2 faults need 3 products/,
  );
});

test.for([
  ['\n', 'newlines'],
  ['\r\n', 'Windows line ends'],
] as const)('a fixed file differs at the fixed lines only, with %s', async ([ending]) => {
  const mechanical = { currency: 2, url: 2, timestamp: 2, amount: 2, type: 2, 'not-json': 2 };
  const plan = planOf(11, { ...mechanical, 'missing-field': 1 });
  const from = write(`fix-${ending.length}.ndjson`, plan, ending);
  const to = join(folder, `fixed-${ending.length}.ndjson`);
  const report = await fixFile(from, to);
  const planned = planFaults(plan);
  const left = planned.filter(({ kind }) => kind === 'missing-field').map(({ line }) => line);
  const fixed = planned.flatMap(({ line }) => (left.includes(line) ? [] : [line]));
  expect([report.fixed, report.left.map(({ line }) => line)]).toEqual([fixed, left]);

  const [before, after] = [from, to].map((path) => readFileSync(path, 'utf8').split('\n'));
  const changed = before?.flatMap((line, at) => (line === after?.[at] ? [] : [at + 1]));
  expect(changed).toEqual(fixed);
  await check(to);
  expect(issuesOf(to).map(({ lineNum }) => lineNum)).toEqual(left);
});

test('empty lines are left out, and a line over the limit ends it without a file', async () => {
  const path = join(folder, 'blank.ndjson');
  const [product = ''] = generateCatalog(planOf(1, {}));
  writeFileSync(path, `${product}\n\n  \n`);
  const report = await fixFile(path, join(folder, 'filled.ndjson'));
  expect([report.removedCount, readFileSync(join(folder, 'filled.ndjson'), 'utf8')]).toEqual([2, `${product}\n`]);
  writeFileSync(path, `${product}\n"${'x'.repeat(5 * 1024 * 1024)}"\n`);
  await expect(fixFile(path, join(folder, 'none.ndjson'))).rejects.toThrow(/^Line 2 is longer than 4 MB/);
  expect(() => readFileSync(join(folder, 'none.ndjson'))).toThrow(/ENOENT/);
});
