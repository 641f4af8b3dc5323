import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import type {
  CatalogIssuesView,
  CatalogRulesView,
  NewUploadView,
  RequestSummary,
  UploadChangesView,
  UploadFileView,
  UploadLineView,
  UploadXrayView,
} from '../../emulator/control/calls.ts';
import { freshFolder, product, toFile, variant, type Json } from '../catalog/support.ts';
import { workerUrl } from '../support/built.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

async function opened(pace: 'instant' | 'manual' = 'instant'): Promise<Sandbox> {
  const sandbox = await startSandbox({ pace });
  onTestFinished(() => sandbox.close());
  sandbox.emulator.deps.clock.freeze(true);
  return sandbox;
}

async function initiate(sandbox: Sandbox, validateOnly = false, companyId = demoCompany): Promise<NewUploadView> {
  const { status, body } = await sandbox.control('POST', '/control/uploads', { companyId, validateOnly });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const sendTo = ({ emulator }: Sandbox, id: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(`${emulator.inspectorUrl}/control/uploads/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${emulator.token}` },
    body,
  });

/** A complete upload from the inspector. */
async function upload(sandbox: Sandbox, body: string | Uint8Array<ArrayBuffer>, validateOnly = false): Promise<string> {
  const { id } = await initiate(sandbox, validateOnly);
  const answer = await sendTo(sandbox, id, body);
  expect(answer.status, await answer.text()).toBe(204);
  // No client reads its state, so it is saved only after fifteen seconds.
  await sandbox.emulator.deps.clock.advance(15_000);
  return id;
}

const stateOf = ({ emulator }: Sandbox, id: string): string | undefined => emulator.deps.store.uploads.get(id)?.state;
const at = async <View>(sandbox: Sandbox, path: string): Promise<View> => {
  const { status, body } = await sandbox.control('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as View;
};

test('a file sent from the inspector is sent like by a client, and both calls are recorded', async () => {
  const sandbox = await opened();
  const id = await upload(sandbox, toFile([product('a'), 'x']));
  expect(stateOf(sandbox, id)).toBe('completed');
  const { requests } = await at<{ requests: readonly RequestSummary[] }>(sandbox, '/control/requests');
  expect(requests.map(({ method, status, companyId }) => [method, status, companyId])).toEqual([
    ['POST', 200, demoCompany],
    ['PUT', 200, null],
  ]);
  expect(requests[1]?.url).toContain(id);
});

test('an upload is initiated for the given company, and only with a key that has the scope', async () => {
  const sandbox = await opened();
  const { id } = await initiate(sandbox, true, otherCompany);
  expect(sandbox.emulator.deps.store.uploads.get(id)).toMatchObject({ companyId: otherCompany, validateOnly: true });
  for (const one of sandbox.emulator.deps.store.credentials.all())
    await sandbox.control('DELETE', `/control/credentials/${one.id}`);
  expect(await sandbox.control('POST', '/control/uploads', { companyId: demoCompany })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('product_catalogs:write') },
  });
  expect((await sandbox.control('POST', '/control/uploads', { companyId: 'nobody' })).status).toBe(400);
});

test('an error of the API about an upload is passed on unchanged', async () => {
  const sandbox = await opened();
  await sandbox.control('POST', '/control/faults', { operation: 'POST /product-catalog/uploads', status: 503 });
  expect(await sandbox.control('POST', '/control/uploads', { companyId: demoCompany })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('was answered with 503') },
  });
  const id = await upload(sandbox, toFile([product('a')]));
  const again = await sendTo(sandbox, id, 'x');
  const put = sandbox.emulator.recorder.all().at(-1);
  expect([again.status, await again.json()]).toMatchObject([
    409,
    {
      message: expect.stringContaining('has already arrived'),
      refusal: { rule: 'uploads.refused', facts: { status: 409, rule: 'objects.stored', requestId: put?.id } },
    },
  ]);
  expect((await sendTo(sandbox, 'nobody', 'x')).status).toBe(404);
});

test('a file needs the token like every other control request', async () => {
  const sandbox = await opened();
  const { id } = await initiate(sandbox);
  const path = `${sandbox.emulator.inspectorUrl}/control/uploads/${id}/file`;
  expect((await fetch(path, { method: 'PUT', body: 'x' })).status).toBe(401);
  expect(stateOf(sandbox, id)).toBe('initialized');
});

test('an interrupted file leaves the upload waiting, and the complete file is accepted afterwards', async () => {
  const sandbox = await opened();
  const { id } = await initiate(sandbox);
  const { hostname, port } = new URL(sandbox.emulator.inspectorUrl);
  const broken = request({
    host: hostname,
    port,
    method: 'PUT',
    path: `/control/uploads/${id}/file`,
    headers: { authorization: `Bearer ${sandbox.emulator.token}`, 'content-length': 1_000_000 },
  });
  broken.on('error', () => {});
  broken.write('x'.repeat(100_000));
  const recorded = async () =>
    (await at<{ requests: readonly RequestSummary[] }>(sandbox, '/control/requests')).requests.filter(
      ({ method }) => method === 'PUT',
    );
  await expect.poll(() => sandbox.emulator.deps.store.blobs.freeBytes() > 0 && broken.writableLength).toBe(0);
  broken.destroy();
  await expect.poll(async () => (await recorded()).length).toBe(1);
  expect(stateOf(sandbox, id)).toBe('initialized');
  expect((await sendTo(sandbox, id, toFile([product('a')]))).status).toBe(204);
});

test('the link of an upload, and whether its file still exists', async () => {
  const sandbox = await opened();
  const { id, uploadUrl } = await initiate(sandbox);
  expect(await at<UploadFileView>(sandbox, `/control/uploads/${id}/file`)).toMatchObject({
    uploadUrl,
    takesFile: true,
    kept: null,
  });
  const text = toFile([product('a')]);
  expect((await fetch(uploadUrl, { method: 'PUT', body: text })).status).toBe(200);
  await sandbox.emulator.deps.clock.advance(0);
  await sandbox.emulator.deps.clock.advance(0);
  expect(await at<UploadFileView>(sandbox, `/control/uploads/${id}/file`)).toMatchObject({
    takesFile: false,
    kept: text.length,
  });
});

test('a line of a file is shown unchanged, with its errors', async () => {
  const sandbox = await opened();
  const wrong = JSON.stringify(product('b', { link: 'shop.example/ü' }));
  const id = await upload(sandbox, `\uFEFF${toFile([product('a'), wrong, 'x'])}last`, true);
  const line = (num: number) => sandbox.control('GET', `/control/uploads/${id}/lines/${num}`);
  expect((await line(2)).body as UploadLineView).toEqual({
    line: 2,
    text: wrong,
    bytes: Buffer.byteLength(wrong),
    faultAt: null,
    cut: false,
    fixed: wrong.replace('shop.example/ü', 'https://shop.example/ü'),
  });
  expect(((await line(1)).body as UploadLineView).text?.slice(0, 1)).toBe('{');
  expect(((await line(4)).body as UploadLineView).text).toBe('last');
  expect(((await line(3)).body as UploadLineView).faultAt).toBe(0);
  expect(await line(5)).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('no line 5'), refusal: { rule: 'uploads.line', facts: { line: 5 } } },
  });
  expect((await line(0)).status).toBe(400);
  expect((await sandbox.control('GET', '/control/uploads/nobody/lines/1')).status).toBe(404);
});

test('of a line with bytes that are not UTF-8 the first of them is shown, also after a replacement character', async () => {
  const sandbox = await opened();
  const start = '{"id":"é \uFFFD\uFFFD ';
  const bytes = Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(' \uFFFD"}\n')]);
  const id = await upload(sandbox, bytes, true);
  const line = await at<UploadLineView>(sandbox, `/control/uploads/${id}/lines/1`);
  expect(line.faultAt).toBe(start.length);
});

test('a very long line is shown up to its first megabyte, one over the limit only by its length', async () => {
  const sandbox = await opened();
  const long = JSON.stringify(product('a', { description: 'é'.repeat(800_000) }));
  const id = await upload(sandbox, toFile([long, 'y'.repeat(5_000_000)]), true);
  const first = await at<UploadLineView>(sandbox, `/control/uploads/${id}/lines/1`);
  expect([first.text?.length, first.bytes, first.cut]).toEqual([expect.any(Number), Buffer.byteLength(long), true]);
  expect(Buffer.byteLength(first.text ?? '')).toBeLessThanOrEqual(1024 * 1024 + 3);
  expect(await at<UploadLineView>(sandbox, `/control/uploads/${id}/lines/2`)).toEqual({
    line: 2,
    text: null,
    bytes: 5_000_000,
    faultAt: null,
    cut: true,
    fixed: null,
  });
});

test('the fixed copy of a file is downloaded, untouched lines as they were, and is not kept', async () => {
  const sandbox = await opened();
  const { inspectorUrl, token, deps } = sandbox.emulator;
  const good = `${JSON.stringify(product('a'))} `;
  const id = await upload(sandbox, toFile([good, JSON.stringify(product('b', { link: 'shop.example/b' })), 'x']), true);
  const download = (of: string) =>
    fetch(`${inspectorUrl}/control/uploads/${of}/fixed`, { headers: { authorization: `Bearer ${token}` } });
  const files = () => readdirSync(dirname(deps.store.blobs.path('upload-seen', id)));
  const before = files();
  const answer = await download(id);
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    `attachment; filename="${id}-fixed.ndjson"`,
  ]);
  expect(await answer.text()).toBe(
    toFile([good, JSON.stringify(product('b', { link: 'https://shop.example/b' })), 'x']),
  );
  await expect.poll(files).toEqual(before);

  const fine = await upload(sandbox, toFile([product('a')]), true);
  expect([(await download(fine)).status, (await download('nobody')).status]).toEqual([409, 404]);
});

test('a file whose lines are too long to be fixed is said to be, and leaves no copy', async () => {
  const sandbox = await opened();
  const { store } = sandbox.emulator.deps;
  const id = await upload(sandbox, toFile([product('a', { link: 'shop.example/a' }), 'y'.repeat(5_000_000)]), true);
  const files = () => readdirSync(dirname(store.blobs.path('upload-seen', id)));
  const before = files();
  expect(await sandbox.control('POST', `/control/uploads/${id}/again`, { fixed: true })).toMatchObject({
    status: 409,
    body: { refusal: { rule: 'uploads.not-fixed', message: expect.stringContaining('longer than 4 MB') } },
  });
  expect(files()).toEqual(before);
  expect(store.uploads.size).toBe(1);
});

test('an X-ray publishes its progress', async () => {
  const sandbox = await opened();
  const file = toFile([product('a'), 'x']);
  const id = await upload(sandbox, file, true);
  const heard: unknown[] = [];
  sandbox.emulator.deps.feed.subscribe((event) => {
    if (event.type === 'progress') heard.push(event);
  });
  await sandbox.control('GET', `/control/uploads/${id}/xray`);
  expect(heard.at(-1)).toEqual({
    type: 'progress',
    collection: 'uploads',
    id,
    work: 'xray',
    done: file.length,
    of: file.length,
    lines: 2,
    errors: 1,
  });
});

test('an upload that has the id of one before a reset has the X-ray of its own file', async () => {
  const sandbox = await opened();
  const before = await upload(sandbox, toFile([shirt('a')]), true);
  await at<UploadXrayView>(sandbox, `/control/uploads/${before}/xray`);
  await sandbox.reset();
  const id = await upload(sandbox, toFile([shirt('a'), shirt('b')]), true);
  expect(id).toBe(before);
  expect(await at<UploadXrayView>(sandbox, `/control/uploads/${id}/xray`)).toMatchObject({ lines: 2 });
});

test.for(['xray', 'fixed'] as const)('a reset refuses who waits for the %s of a file', async (asked) => {
  const folder = await freshFolder();
  const [started, endless] = [join(folder, 'started'), join(folder, 'endless.mjs')];
  writeFileSync(
    endless,
    `import { writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const on = parentPort.on.bind(parentPort);
    parentPort.on = (name, run) =>
      on(name, (job) => {
        if (job.kind === 'check') run(job);
        else writeFileSync(${JSON.stringify(started)}, '');
      });
    await import(${JSON.stringify(workerUrl().href)});`,
  );
  const sandbox = await startSandbox({ pace: 'instant', workerUrl: pathToFileURL(endless) });
  onTestFinished(() => sandbox.close());
  const { clock, store } = sandbox.emulator.deps;
  clock.freeze(true);
  const id = await upload(sandbox, toFile([product('a'), 'x']), true);
  const { inspectorUrl, token } = sandbox.emulator;
  const waiting = fetch(`${inspectorUrl}/control/uploads/${id}/${asked}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await expect.poll(() => existsSync(started)).toBe(true);
  await sandbox.reset();
  const answer = await waiting;
  expect([answer.status, await answer.json()]).toMatchObject([
    409,
    { refusal: { rule: 'uploads.stopped', value: id } },
  ]);
  expect(store.uploads.get(id)).toBeUndefined();
  expect((await sandbox.control('GET', '/control/own-errors')).body).toEqual({ errors: [] });
});

test('a checked file can be sent again', async () => {
  const sandbox = await opened();
  const id = await upload(sandbox, toFile([product('a'), 'x']), true);
  const { status, body } = await sandbox.control('POST', `/control/uploads/${id}/again`, { validateOnly: false });
  expect(status).toBe(201);
  await sandbox.emulator.deps.clock.advance(15_000);
  const { id: second, validateOnly } = body as NewUploadView;
  expect([second === id, validateOnly, stateOf(sandbox, second)]).toEqual([false, false, 'completed']);
  const waiting = await initiate(sandbox);
  expect(await sandbox.control('POST', `/control/uploads/${waiting.id}/again`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('no longer kept') },
  });
  await sandbox.control('POST', `/control/apps/${sandbox.emulator.deps.store.apps.records()[0]?.id}/scopes`, {
    scope: 'product_catalogs:write',
    held: false,
  });
  expect(await sandbox.control('POST', `/control/uploads/${id}/again`)).toMatchObject({
    status: 409,
    body: { refusal: { rule: 'uploads.no-key', place: { in: 'path', at: 'id' }, value: id } },
  });
});

test('the effect of a save is shown line by line before it', async () => {
  const sandbox = await opened('manual');
  const move = (id: string, event: string) =>
    sandbox.control('POST', `/control/records/uploads/${id}/moves`, { event });
  const first = await upload(sandbox, toFile([product('a'), product('b')]));
  await move(first, 'checked');
  await move(first, 'save');
  const second = await upload(sandbox, toFile([product('a'), product('b', { name: 'Hat' }), 'x', product('c')]));
  await move(second, 'checked');
  const changes = await at<UploadChangesView>(sandbox, `/control/uploads/${second}/changes`);
  expect(changes).toEqual({
    total: 3,
    changes: [
      { id: 'a', name: 'Shirt', kind: 'same', fields: [] },
      { id: 'b', name: 'Hat', kind: 'changed', fields: ['name'] },
      { id: 'c', name: 'Shirt', kind: 'new', fields: [] },
    ],
  });
  expect((await at<UploadChangesView>(sandbox, `/control/uploads/${second}/changes?offset=2`)).changes).toHaveLength(1);
  await move(second, 'save');
  expect(await at<UploadChangesView>(sandbox, `/control/uploads/${second}/changes`)).toEqual({ total: 0, changes: [] });
});

test('every issue names a listed rule', async () => {
  const sandbox = await opened();
  const id = await upload(sandbox, toFile(['x', product('a', { link: 'x' })]), true);
  const { rules } = await at<CatalogRulesView>(sandbox, '/control/catalog/rules');
  const { issues } = await at<CatalogIssuesView>(sandbox, `/control/uploads/${id}/issues`);
  expect(issues.map(({ errorType }) => rules.find((one) => one.id === errorType)?.section)).toEqual(['2.1', '2.1']);
});

const shirt = (id: string, changes: Json = {}): Json => product(id, { variants: [variant(`${id}-1`, changes)] });

test('an X-ray shows the errors by cause, what is probably not meant, and what saving would do', async () => {
  const sandbox = await opened('manual');
  const first = await upload(sandbox, toFile([shirt('a'), shirt('b'), shirt('c'), shirt('d')]));
  await moveAll(sandbox, first);
  const file = toFile([
    shirt('a'),
    shirt('b', { availableForPurchase: false }),
    product('c', { variants: [variant('c-2')], images: [{ src: 'https://shop.example/c.png' }] }),
    shirt('e', { prices: [{ currencyCode: 'USD', amount: '0.00' }] }),
    shirt('f', { prices: [{ currencyCode: 'usd', amount: '1' }] }),
    shirt('g', { prices: [{ currencyCode: 'US$', amount: '1' }] }),
    `${JSON.stringify(shirt('h'))},`,
  ]);
  const id = await upload(sandbox, file);
  const xray = await at<UploadXrayView>(sandbox, `/control/uploads/${id}/xray`);
  expect(xray).toMatchObject({
    lines: 7,
    goodLines: 4,
    fixableLines: 2,
    changes: {
      added: 1,
      changed: 2,
      same: 1,
      untouched: 1,
      variantsRemoved: 1,
      variantsUnavailable: 1,
      unavailable: 1,
    },
    cadence: expect.stringMatching(/^A whole catalog was sent less than a minute before/),
  });
  expect(xray.causes.map(({ errorType, where, count, fixable }) => [errorType, where, count, fixable])).toEqual([
    ['catalog.currency', '/variants/#/prices/#/currencyCode', 2, 1],
    ['catalog.not-json', '', 1, 1],
  ]);
  expect(xray.causes[0]?.examples.map(({ line, value }) => [line, value])).toEqual([
    [5, 'usd'],
    [6, 'US$'],
  ]);
  expect(xray.warnings).toEqual([
    {
      kind: 'variant-without-price',
      says: '1 variant with no price but 0, which messages would show.',
      count: 1,
      examples: [{ line: 4, pointer: '/variants/0/prices', value: 'e-1' }],
    },
    {
      kind: 'image-without-size',
      says: '1 image without width or height, so that messages cannot reserve their place.',
      count: 1,
      examples: [{ line: 3, pointer: '/images/0', value: 'https://shop.example/c.png' }],
    },
  ]);
});

test('the X-ray warns of fields that the catalog does not have, with the one that was meant', async () => {
  const sandbox = await opened();
  const price = { currencyCode: 'USD', amount: '1', compareAtprice: '2' };
  const lines = [shirt('a', { sku: 'x' }), shirt('b'), shirt('c', { sku: 'y', prices: [price, price] })];
  const id = await upload(sandbox, toFile(lines));
  const { warnings } = await at<UploadXrayView>(sandbox, `/control/uploads/${id}/xray`);
  expect(warnings.find(({ kind }) => kind === 'unknown-field')).toEqual({
    kind: 'unknown-field',
    says: '2 lines with fields that the catalog does not have; they are ignored. Did you mean compareAtPrice by compareAtprice?',
    count: 2,
    examples: [
      { line: 1, pointer: '/variants/0/sku', value: 'x' },
      { line: 3, pointer: '/variants/0/prices/0/compareAtprice', value: '2' },
    ],
  });
});

test('a line in error comes with a fixed copy where the fix is mechanical', async () => {
  const sandbox = await opened();
  const wrong = shirt('a', { prices: [{ currencyCode: 'usd', amount: '1' }] });
  const id = await upload(sandbox, toFile([wrong, shirt('b', { name: '' }), shirt('c')]), true);
  const fixedOf = async (line: number): Promise<string | null> =>
    (await at<UploadLineView>(sandbox, `/control/uploads/${id}/lines/${line}`)).fixed;
  expect(await fixedOf(1)).toBe(JSON.stringify(wrong).replace('usd', 'USD'));
  expect([await fixedOf(2), await fixedOf(3)]).toEqual([null, null]);
});

test('a fixed copy of the file is sent through a new upload, and differs at the fixed lines only', async () => {
  const sandbox = await opened();
  const lines = [shirt('a'), shirt('b', { prices: [{ currencyCode: 'usd', amount: '1' }] })].map((line) =>
    JSON.stringify(line).replaceAll(',', ', '),
  );
  const id = await upload(sandbox, toFile(lines), true);
  await sandbox.emulator.deps.clock.advance(1_000);
  const made = await sandbox.control('POST', `/control/uploads/${id}/again`, { fixed: true });
  expect(made.status).toBe(201);
  const next = (made.body as NewUploadView).id;
  await sandbox.emulator.deps.clock.advance(15_000);
  const { report } = sandbox.emulator.deps.store.uploads.get(next) ?? {};
  expect(report).toMatchObject({ lines: 2, goodLines: 2, issueCount: 0 });
  expect((await at<UploadLineView>(sandbox, `/control/uploads/${next}/lines/1`)).text).toBe(lines[0]);

  await sandbox.emulator.deps.clock.advance(1_000);
  const nothing = await sandbox.control('POST', `/control/uploads/${next}/again`, { fixed: true });
  expect([nothing.status, nothing.body]).toMatchObject([
    409,
    { message: expect.stringContaining('No line'), refusal: { rule: 'uploads.nothing-fixed' } },
  ]);
});

test('only a check that runs can be cancelled', async () => {
  const sandbox = await opened();
  const id = await upload(sandbox, toFile([shirt('a')]), true);
  const { status, body } = await sandbox.control('POST', `/control/uploads/${id}/cancel`);
  expect([status, body]).toMatchObject([409, { message: expect.stringContaining('is not being checked') }]);
});

async function moveAll(sandbox: Sandbox, id: string): Promise<void> {
  for (const event of ['checked', 'save'])
    expect((await sandbox.control('POST', `/control/records/uploads/${id}/moves`, { event })).status).toBe(200);
}
