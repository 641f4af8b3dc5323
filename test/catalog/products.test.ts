import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { onTestFinished, expect, test } from 'vitest';
import { mergeProducts } from '../../emulator/features/catalog/saved/merge.ts';
import { toWords } from '../../emulator/features/catalog/saved/segment.ts';
import { openProducts, type Products } from '../../emulator/features/catalog/products.ts';
import { check, freshFolder, fullProduct, product, toFile, useJobs, type Json } from './support.ts';
import { bundleOf } from '../support/built.ts';

async function opened(dir: string): Promise<Products> {
  const products = await openProducts({ dir, jobs: useJobs() });
  onTestFinished(() => products.close());
  return products;
}

async function goodFile(products: readonly Json[]): Promise<string> {
  return (await check(toFile(products))).goodPath;
}

async function ids(products: Products, q = ''): Promise<unknown[]> {
  const { products: found } = await products.page({ q, offset: 0, limit: 1000 });
  return found.map(({ id }) => id).sort();
}

test('a company without products has none', async () => {
  const products = await opened(join(await freshFolder(), 'saved'));
  expect(products.count()).toBe(0);
  expect(products.savedDir()).toBeNull();
  expect(await products.get('p')).toBeNull();
  expect(await products.page({ offset: 0, limit: 10 })).toEqual({ total: 0, more: false, products: [] });
});

test('if the folder of the products is removed while they are opened, there are none: a reset replaced all files', async () => {
  const dir = join(await freshFolder(), 'saved');
  const opening = opened(dir);
  // Nothing else of this process runs between these two lines.
  while (!existsSync(dir));
  rmSync(dir, { recursive: true });
  expect((await opening).count()).toBe(0);
});

test('a merge saves new products, replaces those with the same id and keeps the rest', async () => {
  const products = await opened(await freshFolder());
  expect(await products.merge(await goodFile([product('a'), fullProduct('b')]))).toBe(2);
  expect(await products.merge(await goodFile([product('c'), product('a', { name: 'New' })]))).toBe(2);

  expect(products.count()).toBe(3);
  expect(await ids(products)).toEqual(['a', 'b', 'c']);
  expect(await products.get('a')).toEqual(product('a', { name: 'New' }));
  expect(await products.get('b')).toEqual(fullProduct('b'));
  expect(await products.get('nobody')).toBeNull();
});

test('the most recently uploaded products come first, page by page', async () => {
  const products = await opened(await freshFolder());
  await products.merge(await goodFile([product('a'), product('b')]));
  await products.merge(await goodFile([product('c'), product('b')]));
  const page = async (offset: number): Promise<unknown[]> => {
    const { total, products: found } = await products.page({ offset, limit: 2 });
    return [total, ...found.map(({ id }) => id)];
  };
  expect([await page(0), await page(2), await page(4)]).toEqual([[3, 'c', 'b'], [3, 'a'], [3]]);
});

test('products are found by a part of their id or name, or of the id of a variant, in any case', async () => {
  const products = await opened(await freshFolder());
  const lines = [
    product('SKU-1', { name: 'Blue Shirt' }),
    product('SKU-2', { name: 'Caf\u00e9' }),
    product('x', { name: 'Cap' }),
  ];
  await products.merge(await goodFile(lines));
  expect(await ids(products, 'sku')).toEqual(['SKU-1', 'SKU-2']);
  expect(await ids(products, 'SHIRT')).toEqual(['SKU-1']);
  expect(await ids(products, 'X-1')).toEqual(['x']);
  expect(await ids(products, 'CAF\u00c9')).toEqual(['SKU-2']);
  expect(await products.page({ q: 'sku', offset: 1, limit: 5 })).toMatchObject({
    total: 2,
    products: [{ id: 'SKU-2' }],
  });
});

test('letters with accents are other letters, however they are written', async () => {
  const products = await opened(await freshFolder());
  await products.merge(await goodFile([product('a', { name: 'Cafe\u0301' }), product('b', { name: 'Cafe' })]));
  expect(await ids(products, 'caf\u00e9')).toEqual(['a']);
  expect(await ids(products, 'CAFE\u0301')).toEqual(['a']);
  expect(await ids(products, 'cafe')).toEqual(['b']);
});

test('a product with exactly the id that is searched for comes first', async () => {
  const products = await opened(await freshFolder());
  await products.merge(await goodFile([product('10'), product('1'), product('11')]));
  await products.merge(await goodFile([product('100')]));
  const { total, products: found } = await products.page({ q: '1', offset: 0, limit: 9 });
  expect([total, ...found.map(({ id }) => id)]).toEqual([4, '1', '100', '10', '11']);
});

test('a search finds what is at any place of large words, each product once, and counts ten thousand', async () => {
  const products = await opened(await freshFolder());
  // Twelve megabytes of words, so that several pieces are read.
  const many = Array.from({ length: 24_000 }, (_, i) =>
    product(`p-${i}-${'x'.repeat(200)}`, { name: `Name ${i} ${'y'.repeat(200)}` }),
  );
  await products.merge(await goodFile(many));
  const found = await Promise.all(
    ['-x', 'name 2399', 'p-23999-', 'p-0-x', 'nowhere', '~'].map(async (q) => {
      const { total, more } = await products.page({ q, offset: 0, limit: 1 });
      return [total, more];
    }),
  );
  expect(found).toEqual([
    [10_000, true],
    [11, false],
    [1, false],
    [1, false],
    [0, false],
    [0, false],
  ]);
  expect((await products.page({ q: 'x', offset: 9_999, limit: 2 })).products).toHaveLength(1);
});

test('a search finds what a plain look at every product finds, whatever they are called', async () => {
  const letter = fc.constantFrom(
    'a',
    'B',
    '1',
    '2',
    ' ',
    '\u00e9',
    '\u00c9',
    'e\u0301',
    '\u4e2d',
    '\u{1f600}',
    '/',
    '"',
    '\n',
  );
  const word = fc.string({ unit: letter, maxLength: 6 });
  const line = fc.record({
    id: fc.string({ unit: letter, minLength: 1, maxLength: 4 }),
    name: word,
    variants: fc.array(word, { maxLength: 40 }),
  });
  const isFound = (texts: readonly string[], q: string): boolean =>
    texts.some((text) => toWords(text).includes(toWords(q)));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(line, { maxLength: 400, minLength: 1, selector: ({ id }) => id, size: 'max' }),
      fc.array(word, { minLength: 5, maxLength: 20 }),
      async (lines, queries) => {
        const dir = await freshFolder();
        const goodPath = join(dir, 'good.ndjson');
        const toProduct = ({ id, name, variants }: (typeof lines)[number]): Json =>
          product(id, { name, variants: variants.map((one) => ({ id: one })) });
        await writeFile(goodPath, toFile(lines.map(toProduct)));
        await mergeProducts({ dir, goodPath });
        const products = await opened(dir);
        for (const q of queries.filter((one) => one !== '')) {
          const expected = lines.filter(({ id, name, variants }) => isFound([id, name, ...variants], q));
          expect(await ids(products, q)).toEqual(expected.map(({ id }) => id).sort());
        }
        await products.close();
      },
    ),
    { numRuns: 30 },
  );
});

test('saved products survive a restart, and the next check compares with them', async () => {
  const dir = await freshFolder();
  const before = await opened(dir);
  await before.merge(await goodFile([product('a')]));
  await before.close();

  const after = await opened(dir);
  expect(await after.get('a')).toEqual(product('a'));
  const taken = await check(toFile([{ ...product('b'), variants: product('a')['variants'] }]), after.savedDir());
  expect(taken.counts).toEqual({ 'catalog.duplicate-variant': 1 });
});

test('the same merge again gives the same catalog', async () => {
  const products = await opened(await freshFolder());
  await products.merge(await goodFile([product('a'), product('b')]));
  const good = await goodFile([product('b', { name: 'New' }), product('c')]);
  const first = await products.merge(good).then(() => products.page({ offset: 0, limit: 9 }));
  expect(await products.merge(good)).toBe(2);
  expect(await products.page({ offset: 0, limit: 9 })).toEqual(first);
});

test('simultaneous merges run one after the other, and reading works meanwhile', async () => {
  const products = await opened(await freshFolder());
  const many = Array.from({ length: 1500 }, (_, i) => product(`p-${i}`));
  await products.merge(await goodFile(many));
  const good = await Promise.all(['a', 'b', 'c', 'd'].map((id) => goodFile([product(id)])));
  const state = { isDone: false };
  const all = Promise.all(good.map((path) => products.merge(path))).finally(() => {
    state.isDone = true;
  });
  // A page of many products is still being read when the next generation takes over.
  while (!state.isDone) {
    const { total, products: found } = await products.page({ offset: 0, limit: 2000 });
    expect(found).toHaveLength(total);
  }
  expect(await all).toEqual([1, 1, 1, 1]);
  expect(products.count()).toBe(1504);
});

test('a merge that fails leaves the catalog as it was, and the next one works', async () => {
  const dir = await freshFolder();
  const products = await opened(dir);
  await products.merge(await goodFile([product('a')]));
  const twice = join(await freshFolder(), 'twice.ndjson');
  await writeFile(twice, toFile([product('b'), product('b')]));
  await expect(products.merge(twice)).rejects.toThrow('The merge failed');
  expect(await ids(products)).toEqual(['a']);
  await products.merge(await goodFile([product('b')]));
  expect(await ids(products)).toEqual(['a', 'b']);
  expect((await readdir(dir)).sort()).toEqual(['catalog-2.json', 'segment-1', 'segment-2']);
});

test('leftovers of a kill before or after the rename are removed, and nothing is lost', async () => {
  const dir = await freshFolder();
  const products = await opened(dir);
  await products.merge(await goodFile([product('a')]));
  await products.close();
  await mkdir(join(dir, 'segment-3.part'));
  await writeFile(join(dir, 'segment-3.part', 'words.part'), 'p');
  await cp(join(dir, 'segment-1'), join(dir, 'segment-2'), { recursive: true });
  await writeFile(join(dir, 'catalog-2.json.part'), '{"version":2,"segm');

  const again = await opened(dir);
  expect(await ids(again)).toEqual(['a']);
  expect((await readdir(dir)).sort()).toEqual(['catalog-1.json', 'segment-1']);
});

test('a deleted file of the saved products is named, and nothing is shown of the others', async () => {
  const dir = await freshFolder();
  const products = await opened(dir);
  await products.merge(await goodFile([product('a')]));
  await products.merge(await goodFile([product('b')]));
  await products.close();
  await rm(join(dir, 'segment-1', 'products.ndjson'));
  await expect(openProducts({ dir, jobs: useJobs() })).rejects.toMatchObject({
    message: expect.stringMatching(/segment-1 is not complete. Restore/),
    rule: { id: 'catalog.damaged' },
  });
});

test.for([
  ['catalog-1.json', '', 'catalog-1.json'],
  ['catalog-1.json', '{"version":1,"segm', 'catalog-1.json'],
  ['segment-1/places', 'x', 'segment-1'],
  ['segment-1/ids', '', 'segment-1'],
  ['segment-1/variants', 'cut off', 'segment-1'],
] as const)('a file of the saved products that is empty or cut off (%s: %j) is named', async ([file, text, what]) => {
  const dir = await freshFolder();
  const products = await opened(dir);
  await products.merge(await goodFile([product('a')]));
  await products.close();
  await writeFile(join(dir, file), text);
  await expect(openProducts({ dir, jobs: useJobs() })).rejects.toMatchObject({
    message: expect.stringContaining(`${what} is not complete. Restore a snapshot`),
    rule: { id: 'catalog.damaged' },
  });
});

test('products that an early version saved are taken over', async () => {
  const dir = await freshFolder();
  await mkdir(join(dir, 'generation-4'));
  await writeFile(join(dir, 'generation-4', 'products.ndjson'), toFile([product('a'), product('b')]));
  const products = await opened(dir);
  expect(await ids(products)).toEqual(['a', 'b']);
  expect((await readdir(dir)).sort()).toEqual(['catalog-1.json', 'segment-1']);
});

test('after many uploads the catalog has few segments, and each product as it was sent last', async () => {
  const products = await opened(await freshFolder());
  const expected = new Map<string, Json>();
  for (let upload = 0; upload < 30; upload += 1) {
    const lines = Array.from({ length: 1 + (upload % 5) * 7 }, (_, i) =>
      product(`p-${(upload * 11 + i) % 60}`, { name: `Upload ${upload}` }),
    );
    for (const line of lines) {
      expected.delete(line['id'] as string);
      expected.set(line['id'] as string, line);
    }
    await products.merge(await goodFile(lines));
  }
  const { total, products: found } = await products.page({ offset: 0, limit: 100 });
  expect(total).toBe(expected.size);
  expect(new Map(found.map((one) => [one.id, one]))).toEqual(expected);
  expect(found[0]?.name).toBe('Upload 29');
  expect(await ids(products, 'upload 29')).toEqual(
    [...expected.values()]
      .filter(({ name }) => name === 'Upload 29')
      .map(({ id }) => id)
      .sort(),
  );
});

/** A file of 8,000 good products, and a process that merges it into `dir`. */
async function mergeInProcess(dir: string, limit = 'unlimited') {
  const good = join(await freshFolder(), 'good.ndjson');
  await writeFile(good, toFile(Array.from({ length: 8_000 }, (_, i) => product(`p-${i}`, { brand: 'b'.repeat(250) }))));
  const script = `
    const { mergeProducts } = await import(${JSON.stringify(bundleOf('emulator/features/catalog/saved/merge.ts').href)});
    await mergeProducts(${JSON.stringify({ dir, goodPath: good })}).catch((error) => {
      console.error(error.message);
      process.exitCode = 7;
    });`;
  const args = [
    '-c',
    `ulimit -f ${limit} && exec "$0" "$@"`,
    process.execPath,
    '--input-type=module',
    '--eval',
    script,
  ];
  const child = spawn('sh', args, { stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => (said += more));
  return { good, child, exited: once(child, 'close'), said: () => said };
}

test.for(['segment-2.part', 'segment-2.part/words', 'segment-2', 'catalog-2.json'])(
  'a merge killed when %s is there leaves the old catalog or the new one, and can be repeated',
  async (name) => {
    const dir = await freshFolder();
    const products = await opened(dir);
    await products.merge(await goodFile([product('a')]));
    await products.close();

    const { good, child, exited } = await mergeInProcess(dir);
    while (!existsSync(join(dir, name)) && child.exitCode === null) await nextTurn();
    child.kill('SIGKILL');
    await exited;

    const after = await opened(dir);
    expect([1, 8_001]).toContain(after.count());
    expect((await after.page({ offset: 0, limit: 10 })).total).toBe(after.count());
    expect(await after.get('a')).toEqual(product('a'));
    await after.merge(good);
    expect(after.count()).toBe(8_001);
    expect(await after.get('p-7999')).toMatchObject({ id: 'p-7999' });
    await rm(good);
  },
);

test.skipIf(process.platform === 'win32')('a disk that is full during a merge leaves the old catalog', async () => {
  const dir = await freshFolder();
  const products = await opened(dir);
  await products.merge(await goodFile([product('a')]));
  await products.close();
  const { good, child, exited, said } = await mergeInProcess(dir, '100');
  await exited;
  expect([child.exitCode, said()]).toEqual([7, expect.stringContaining('EFBIG')]);
  const after = await opened(dir);
  expect(await ids(after)).toEqual(['a']);
  expect((await readdir(dir)).sort()).toEqual(['catalog-1.json', 'segment-1']);
  await after.merge(good);
  expect(after.count()).toBe(8_001);
});
