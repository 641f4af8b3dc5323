import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCompanyProducts, type CompanyProducts } from '../../emulator/features/catalog/company-products.ts';
import { emptyDocument, openStore, type Store } from '../../emulator/store/store.ts';
import { freshFolder, product, toFile, useJobs } from './support.ts';

async function openCompanies(): Promise<{ store: Store; companies: CompanyProducts; good: string }> {
  const store = await openStore({ dataDir: null, now: () => 0 });
  const companies = createCompanyProducts({ store, jobs: useJobs() });
  const good = join(await freshFolder(), 'good.ndjson');
  await writeFile(good, toFile([product('a')]));
  onTestFinished(async () => {
    await companies.close();
    await store.close();
  });
  return { store, companies, good };
}

test('the products of a company are opened once, and again after a close', async () => {
  const { companies, good } = await openCompanies();
  const first = await companies.of('c');
  expect(await companies.of('c')).toBe(first);
  await first.merge(good);
  await companies.close();
  const second = await companies.of('c');
  expect([second === first, second.count()]).toEqual([false, 1]);
  expect((await companies.of('other')).count()).toBe(0);
});

test('products opened while others close stay open', async () => {
  const { companies, good } = await openCompanies();
  await (await companies.of('c')).merge(good);
  const closing = companies.close();
  const asked = await companies.of('c');
  await closing;
  expect(await companies.of('c')).toBe(asked);
  expect((await asked.page({ offset: 0, limit: 1 })).total).toBe(1);
});

test('products opened just before everything is replaced are not those shown after it', async () => {
  const { store, companies, good } = await openCompanies();
  await (await companies.of('c')).merge(good);
  await companies.close();
  expect((await companies.of('c')).count()).toBe(1);
  await store.replace(emptyDocument(), { files: store.blobs.stage() });
  expect((await companies.of('c')).count()).toBe(0);
});
