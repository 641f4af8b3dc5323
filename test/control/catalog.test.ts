import { expect, onTestFinished, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import type { CatalogIssuesView, ProductsView } from '../../emulator/control/calls.ts';
import { product, toFile } from '../catalog/support.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

async function sandboxAt(pace: 'instant' | 'realistic' | 'manual'): Promise<Sandbox> {
  const sandbox = await startSandbox({ pace });
  onTestFinished(() => sandbox.close());
  sandbox.emulator.deps.clock.freeze(true);
  return sandbox;
}

/** Sends a file to a new upload and waits until everything is done; returns the upload's id. */
async function send(sandbox: Sandbox, body: string, validateOnly = false): Promise<string> {
  const { uploadId, uploadUrl } = (await sandbox.call('POST', '/product-catalog/uploads', { json: { validateOnly } }))
    .body as { uploadId: string; uploadUrl: string };
  expect((await fetch(uploadUrl, { method: 'PUT', body })).status).toBe(200);
  await sandbox.emulator.deps.clock.advance(0);
  await sandbox.call('GET', `/product-catalog/uploads/${uploadId}`);
  await sandbox.emulator.deps.clock.advance(0);
  return uploadId;
}

async function productsOf(sandbox: Sandbox, query = '', companyId = demoCompany): Promise<ProductsView> {
  const { status, body } = await sandbox.control('GET', `/control/catalog/${companyId}/products${query}`);
  expect(status).toBe(200);
  return body;
}

async function issuesOf(sandbox: Sandbox, id: string, query = ''): Promise<CatalogIssuesView> {
  const { status, body } = await sandbox.control('GET', `/control/uploads/${id}/issues${query}`);
  expect(status).toBe(200);
  return body;
}

function move(sandbox: Sandbox, id: string, event: string): Promise<{ status: number; body: never }> {
  return sandbox.control('POST', `/control/records/uploads/${id}/moves`, { event });
}

test('the saved products of a company come in pages, and can be searched by id and name', async () => {
  const sandbox = await sandboxAt('instant');
  expect(await productsOf(sandbox)).toEqual({ total: 0, more: false, products: [] });
  await send(sandbox, toFile([product('a'), product('b', { name: 'Red Hat' }), product('c')]));
  expect((await productsOf(sandbox)).products.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  const page = await productsOf(sandbox, '?offset=1&limit=1');
  expect([page.total, page.products.map(({ id }) => id)]).toEqual([3, ['b']]);
  expect(await productsOf(sandbox, '?q=red%20h')).toMatchObject({ total: 1, products: [{ id: 'b', name: 'Red Hat' }] });
  expect(await productsOf(sandbox, '?limit=0')).toEqual({ total: 3, more: false, products: [] });
  expect(await productsOf(sandbox, '', otherCompany)).toEqual({ total: 0, more: false, products: [] });
});

test('products are listed for an existing company, at most a hundred at a time', async () => {
  const sandbox = await sandboxAt('instant');
  for (const id of ['nobody', '..', '%2e%2e%2fuploads'])
    expect((await sandbox.control('GET', `/control/catalog/${id}/products`)).status).toBe(404);
  for (const query of ['limit=101', 'limit=-1', 'offset=x'])
    expect((await sandbox.control('GET', `/control/catalog/${demoCompany}/products?${query}`)).status).toBe(400);
});

test('a reset leaves no products', async () => {
  const sandbox = await sandboxAt('instant');
  await send(sandbox, toFile([product('a')]));
  expect((await productsOf(sandbox)).total).toBe(1);
  await sandbox.reset();
  expect(await productsOf(sandbox)).toEqual({ total: 0, more: false, products: [] });
});

test('every issue of a file is shown in pages, with its place and value, while the API shows ten per type', async () => {
  const sandbox = await sandboxAt('instant');
  const id = await send(sandbox, toFile(['x'.repeat(3), ...Array.from({ length: 24 }, () => 'x'), product('a')]), true);
  const all = await issuesOf(sandbox, id);
  expect(all).toMatchObject({ checked: true, total: 25, kept: 25 });
  expect(all.issues).toHaveLength(25);
  expect(all.issues[0]).toMatchObject({ errorType: 'catalog.not-json', lineNum: 1, pointer: '' });
  const page = await issuesOf(sandbox, id, '?offset=23&limit=10');
  expect(page.issues.map(({ lineNum }) => lineNum)).toEqual([24, 25]);
  expect(page.total).toBe(25);
});

test('for a file with very many issues the first ten thousand are stored, and all are counted', async () => {
  const sandbox = await sandboxAt('instant');
  const id = await send(sandbox, 'x\n'.repeat(10_050), true);
  const page = await issuesOf(sandbox, id, '?offset=9999');
  expect(page).toMatchObject({ total: 10_050, kept: 10_000 });
  expect(page.issues.map(({ lineNum }) => lineNum)).toEqual([10_000]);
});

test('an upload that has no file yet has no issues, and an unknown one is a 404', async () => {
  const sandbox = await sandboxAt('instant');
  const { uploadId } = (await sandbox.call('POST', '/product-catalog/uploads')).body as { uploadId: string };
  expect(await issuesOf(sandbox, uploadId)).toEqual({ checked: false, total: 0, kept: 0, issues: [] });
  expect(await sandbox.control('GET', '/control/uploads/nobody/issues')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('sandpiper records uploads') },
  });
});

test('at pace manual the control API moves an upload from its file to saved products by hand', async () => {
  const sandbox = await sandboxAt('manual');
  const id = await send(sandbox, toFile([product('a'), 'x']));
  const early = await move(sandbox, id, 'save');
  expect(early).toMatchObject({ status: 409, body: { state: 'validating', open: ['checked'] } });
  expect(await move(sandbox, id, 'checked')).toMatchObject({ status: 200, body: { state: 'validated' } });
  expect(await productsOf(sandbox)).toEqual({ total: 0, more: false, products: [] });
  expect(await move(sandbox, id, 'save')).toMatchObject({
    status: 200,
    body: { state: 'completed', record: { productsProcessed: 1 } },
  });
  expect((await productsOf(sandbox)).total).toBe(1);
});

test('a change to pace manual stops a save that was due, and a change back lets it happen', async () => {
  const sandbox = await sandboxAt('realistic');
  const { clock } = sandbox.emulator.deps;
  const state = async (id: string) =>
    ((await sandbox.control('GET', `/control/records/uploads/${id}`)).body as { state: string }).state;
  const id = await send(sandbox, toFile([product('a')]));
  await clock.advance(2_000);
  expect(await state(id)).toBe('validated');
  expect(clock.upcoming().some(({ key }) => key === `catalog upload:${id}:save`)).toBe(true);
  await setPace(sandbox, 'manual');
  expect(clock.upcoming().some(({ key }) => key === `catalog upload:${id}:save`)).toBe(false);
  await clock.advance(60_000);
  expect(await state(id)).toBe('validated');
  await setPace(sandbox, 'realistic');
  await clock.advance(0);
  expect(await state(id)).toBe('completed');
});

async function setPace(sandbox: Sandbox, pace: string): Promise<void> {
  const { status } = await sandbox.control('POST', '/control/pace', { pace });
  expect(status).toBe(200);
}
