import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import { createCatalog } from '../../emulator/features/catalog/catalog.ts';
import { createFeed } from '../../emulator/feed.ts';
import { defaultOptions } from '../../emulator/options.ts';
import type { Upload } from '../../emulator/records.ts';
import { freshFolder, product, toFile, variant } from '../catalog/support.ts';
import { head, openSocket } from '../objects/object-store.ts';
import { workerUrl } from '../support/built.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

interface UploadView {
  readonly uploadId: string;
  readonly uploadUrl: string;
  readonly status: string;
  readonly errors: readonly { readonly errorType: string; readonly lineNum: number }[];
  readonly expires: string;
  readonly lastUpdated: string;
  readonly validateOnly: boolean;
  readonly productsReceived?: number;
  readonly productsProcessed?: number;
}

const path = '/product-catalog/uploads';
const minute = 60_000;

async function sandboxAt(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  // Only `advance` moves time, so that no test depends on how fast it runs.
  sandbox.emulator.deps.clock.freeze(true);
  return sandbox;
}

async function initiate(sandbox: Sandbox, json?: unknown, key = 'sandpiper-demo-key'): Promise<UploadView> {
  const answer = await sandbox.call('POST', path, json === undefined ? { key } : { json, key });
  expect(answer.status).toBe(200);
  return answer.body as UploadView;
}

async function read(sandbox: Sandbox, { uploadId }: UploadView, key = 'sandpiper-demo-key'): Promise<UploadView> {
  return (await sandbox.call('GET', `${path}/${uploadId}`, { key })).body as UploadView;
}

/** Sends a file as a client does: a plain PUT without a bearer token. */
async function put({ uploadUrl }: { readonly uploadUrl: string }, body: string): Promise<number> {
  const answer = await fetch(uploadUrl, { method: 'PUT', body });
  await answer.text();
  return answer.status;
}

/** Initiates an upload, sends the file and waits until everything is done. */
async function upload(sandbox: Sandbox, body: string, validateOnly = false, key?: string): Promise<UploadView> {
  const initiated = await initiate(sandbox, { validateOnly }, key);
  expect(await put(initiated, body)).toBe(200);
  const { clock } = sandbox.emulator.deps;
  await clock.advance(0);
  await read(sandbox, initiated, key);
  await clock.advance(0);
  return read(sandbox, initiated, key);
}

/** The names of a company's saved products, by id, read from its data folder. */
async function saved(sandbox: Sandbox, companyId = demoCompany): Promise<Record<string, string>> {
  const { store, clock } = sandbox.emulator.deps;
  const reader = createCatalog({ store, clock, feed: createFeed(), delays: () => null, workerUrl: workerUrl() });
  const { products } = await (await reader.products(companyId)).page({ offset: 0, limit: 100 });
  await reader.close();
  return Object.fromEntries(products.map(({ id, name }) => [id, name]));
}

test('an upload begins as initialized, validates only by default, and shows its link and when it ends', async () => {
  const sandbox = await sandboxAt({});
  await sandbox.emulator.deps.clock.set(Date.parse('2031-01-31T09:30:00Z'));
  for (const body of [undefined, {}, { validateOnly: true, unknown: 1 }]) {
    const initiated = await initiate(sandbox, body);
    expect(initiated).toEqual({
      uploadId: expect.stringMatching(/^[A-Za-z0-9]+$/),
      uploadUrl: expect.stringContaining(`/object-storage/catalog/${initiated.uploadId}.ndjson?`),
      status: 'initialized',
      errors: [],
      expires: '2031-01-31T10:30:00.000Z',
      lastUpdated: '2031-01-31T09:30:00.000Z',
      validateOnly: true,
    });
    expect(await read(sandbox, initiated)).toEqual(initiated);
  }
  expect((await initiate(sandbox, { validateOnly: false })).validateOnly).toBe(false);
});

test('validateOnly that is not a boolean is refused, and no upload is created', async () => {
  const sandbox = await sandboxAt({});
  expect((await sandbox.call('POST', path, { json: { validateOnly: 'false' } })).rule).toBe('input.type');
  expect((await sandbox.call('GET', path)).body).toEqual([]);
});

test('a file with validateOnly is checked, and nothing of it is saved', async () => {
  const sandbox = await sandboxAt({});
  const done = await upload(sandbox, toFile([product('a'), product('b')]), true);
  expect(done).toMatchObject({ status: 'validated', errors: [], productsReceived: 2, validateOnly: true });
  expect(done).not.toHaveProperty('productsProcessed');
  await sandbox.emulator.deps.clock.advance(60 * minute);
  expect((await read(sandbox, done)).status).toBe('validated');
  expect(await saved(sandbox)).toEqual({});
});

test('without validateOnly the good lines are saved, those in error are left out and named', async () => {
  const sandbox = await sandboxAt({});
  const done = await upload(sandbox, toFile([product('a'), '{"id":', product('b', { link: 'ftp://x' }), product('c')]));
  expect(done).toMatchObject({ status: 'completed', productsReceived: 4, productsProcessed: 2 });
  expect(done.errors).toEqual([
    { errorType: 'catalog.not-json', errorMessage: expect.stringMatching(/./), lineNum: 2 },
    { errorType: 'catalog.url', errorMessage: expect.stringMatching(/./), lineNum: 3 },
  ]);
  expect(await saved(sandbox)).toEqual({ a: 'Shirt', c: 'Shirt' });
});

test('a second upload updates products by id and keeps the others', async () => {
  const sandbox = await sandboxAt({});
  await upload(sandbox, toFile([product('a'), product('b')]));
  const second = await upload(sandbox, toFile([product('b', { name: 'New' }), product('c')]));
  expect(second).toMatchObject({ status: 'completed', productsProcessed: 2 });
  expect(await saved(sandbox)).toEqual({ a: 'Shirt', b: 'New', c: 'Shirt' });
});

test('a file with nothing but errors completes and saves nothing', async () => {
  const sandbox = await sandboxAt({});
  expect(await upload(sandbox, 'no json\n')).toMatchObject({ status: 'completed', productsProcessed: 0 });
  expect(await upload(sandbox, '')).toMatchObject({ status: 'completed', productsReceived: 0 });
  expect(await saved(sandbox)).toEqual({});
});

test('lines without anything are not products that were received', async () => {
  const sandbox = await sandboxAt({});
  const one = await upload(sandbox, `${toFile([product('a')])}\n  \n\n`);
  expect(one).toMatchObject({ productsReceived: 1, productsProcessed: 1 });
  expect(one.errors.map(({ lineNum }) => lineNum)).toEqual([2, 3, 4]);
  expect(await upload(sandbox, '\n')).toMatchObject({ productsReceived: 0 });
});

test('at most ten errors per type are shown', async () => {
  const sandbox = await sandboxAt({});
  const done = await upload(sandbox, `${'no json\n'.repeat(25)}{}\n`, true);
  expect(done.productsReceived).toBe(26);
  expect(done.errors.filter(({ errorType }) => errorType === 'catalog.not-json')).toHaveLength(10);
  expect(done.errors.some(({ lineNum }) => lineNum === 26)).toBe(true);
});

test('a large file published its progress while it was checked', async () => {
  const sandbox = await sandboxAt({});
  const heard: unknown[] = [];
  sandbox.emulator.deps.feed.subscribe((event) => {
    if (event.type === 'progress') heard.push(event);
  });
  const file = toFile([product('a')]);
  const { uploadId: id } = await upload(sandbox, file, true);
  expect(heard.at(-1)).toEqual({
    type: 'progress',
    collection: 'uploads',
    id,
    work: 'check',
    done: file.length,
    of: file.length,
    lines: expect.any(Number),
    errors: 0,
  });
});

test('at pace realistic each state lasts as long as its delay says', async () => {
  const sandbox = await sandboxAt({ pace: 'realistic' });
  const { clock } = sandbox.emulator.deps;
  const initiated = await initiate(sandbox, { validateOnly: false });
  const status = async (ms: number): Promise<string> => {
    await clock.advance(ms);
    return (await read(sandbox, initiated)).status;
  };
  await put(initiated, toFile([product('a'), 'x']));
  expect(await status(0)).toBe('validating');
  expect(await read(sandbox, initiated)).toMatchObject({ errors: [] });
  expect(await status(1_999)).toBe('validating');
  expect(await status(1)).toBe('validated');
  expect(await read(sandbox, initiated)).toMatchObject({ productsReceived: 2, errors: [{ lineNum: 2 }] });
  expect(await status(14_999)).toBe('validated');
  expect(await saved(sandbox)).toEqual({});
  expect(await status(1)).toBe('completed');
  expect(await saved(sandbox)).toEqual({ a: 'Shirt' });
  const { history } = sandbox.emulator.deps.store.uploads.get(initiated.uploadId) as Upload;
  expect(history.map(({ to, by, at }) => [to, by, Date.parse(at) - Date.parse(history[0]?.at ?? '')])).toEqual([
    ['initialized', 'call', 0],
    ['validating', 'call', 0],
    ['validated', 'clock', 2_000],
    ['completed', 'clock', 17_000],
  ]);
});

test('of two files with the same variant, one checked while the other was being saved, only the first is saved', async () => {
  const sandbox = await sandboxAt({ pace: 'realistic' });
  const { clock } = sandbox.emulator.deps;
  const withVariant = (id: string): string => toFile([product(id, { variants: [variant('shared')] })]);
  const first = await initiate(sandbox, { validateOnly: false });
  const second = await initiate(sandbox, { validateOnly: false });
  const statuses = async (ms: number): Promise<readonly string[]> => {
    await clock.advance(ms);
    return [(await read(sandbox, first)).status, (await read(sandbox, second)).status];
  };
  await put(first, withVariant('a'));
  expect(await statuses(2_000)).toEqual(['validated', 'initialized']);
  await clock.advance(14_000);
  await put(second, withVariant('b'));
  expect(await statuses(0)).toEqual(['validated', 'validating']);
  expect(await statuses(1_000)).toEqual(['completed', 'validating']);
  expect(await statuses(1_000)).toEqual(['completed', 'validated']);
  expect(await statuses(15_000)).toEqual(['completed', 'completed']);
  expect((await read(sandbox, second)).errors).toMatchObject([{ errorType: 'catalog.duplicate-variant', lineNum: 1 }]);
  expect(await saved(sandbox)).toEqual({ a: 'Shirt' });
});

test('a client that polls every ten seconds until exactly validated finishes at the default pace', async () => {
  const sandbox = await sandboxAt({ pace: defaultOptions.pace });
  const { clock } = sandbox.emulator.deps;
  for (const firstPoll of [0, 1_999, 2_000, 7_001, 9_999]) {
    const initiated = await initiate(sandbox, { validateOnly: false });
    await put(initiated, toFile([product(`p${firstPoll}`), 'x']));
    await clock.advance(firstPoll);
    let polled = await read(sandbox, initiated);
    let polls = 1;
    for (; polled.status !== 'validated' && polls < 10; polls += 1) {
      // It reads errors of every reply without checking that they exist.
      expect(polled.errors).toEqual([]);
      await clock.advance(10_000);
      polled = await read(sandbox, initiated);
    }
    expect([polled.status, polled.errors.length, polls <= 2]).toEqual(['validated', 1, true]);
    await clock.advance(minute);
    expect(await read(sandbox, initiated)).toMatchObject({ status: 'completed', errors: [{ lineNum: 2 }] });
  }
});

test.each(['instant', 'realistic', 'manual'] as const)(
  'the platform’s uploader, which stops at exactly validated, finishes at pace %s',
  async (pace) => {
    const sandbox = await sandboxAt({ pace });
    const { clock } = sandbox.emulator.deps;
    const initiated = await initiate(sandbox, { validateOnly: false });
    await put(initiated, toFile([product('a'), 'x']));
    await clock.advance(0);
    if (pace === 'manual')
      await sandbox.control('POST', `/control/records/uploads/${initiated.uploadId}/moves`, { event: 'checked' });
    const seen: string[] = [];
    for (let polls = 0; polls < 5 && seen.at(-1) !== 'validated'; polls += 1) {
      // It sleeps before it polls, and reads errors of every reply.
      await clock.advance(10_000);
      const { status, errors } = await read(sandbox, initiated);
      expect(errors).toBeInstanceOf(Array);
      seen.push(status);
    }
    expect(seen.at(-1)).toBe('validated');
  },
);

test.each(['instant', 'realistic'] as const)(
  'time that runs 60 times as fast, or jumps, passes no reader by at validated (pace %s)',
  async (pace) => {
    const sandbox = await sandboxAt({ pace });
    const { clock, store } = sandbox.emulator.deps;
    const seen: string[][] = [];
    for (const passes of ['rate', 'jump'] as const) {
      const initiated = await initiate(sandbox, { validateOnly: false });
      await put(initiated, toFile([product(passes), 'x']));
      if (passes === 'jump') await clock.advance(10 * minute);
      clock.rate(60);
      clock.freeze(passes === 'jump');
      // It sleeps for ten real seconds before it asks.
      await expect.poll(() => store.uploads.get(initiated.uploadId)?.state, { timeout: 20_000 }).toBe('completed');
      const first = await read(sandbox, initiated);
      expect(first).toMatchObject({ errors: [{ lineNum: 2 }], productsReceived: 2 });
      const { notes } = sandbox.emulator.recorder.all().at(-1) as { readonly notes: readonly string[] };
      expect(notes.join()).toContain('The upload is now completed');
      seen.push([first.status, (await read(sandbox, initiated)).status]);
    }
    expect(seen).toEqual([
      ['validated', 'completed'],
      ['validated', 'completed'],
    ]);
  },
);

test('at pace instant a checked file is saved as soon as a client has read that it was checked', async () => {
  const sandbox = await sandboxAt({});
  const { clock } = sandbox.emulator.deps;
  const initiated = await initiate(sandbox, { validateOnly: false });
  await put(initiated, toFile([product('a')]));
  await clock.advance(0);
  expect(await saved(sandbox)).toEqual({});
  expect(await read(sandbox, initiated)).toMatchObject({ status: 'validated', errors: [] });
  await clock.advance(0);
  expect(await read(sandbox, initiated)).toMatchObject({ status: 'completed', productsProcessed: 1 });
});

test('at pace instant a file whose state no client reads is saved after fifteen seconds', async () => {
  const sandbox = await sandboxAt({});
  const initiated = await initiate(sandbox, { validateOnly: false });
  await put(initiated, toFile([product('a')]));
  await sandbox.emulator.deps.clock.advance(14_999);
  expect(await saved(sandbox)).toEqual({});
  await sandbox.emulator.deps.clock.advance(1);
  expect(await saved(sandbox)).toEqual({ a: 'Shirt' });
});

test('one jump over all delays moves a file to completed, at the right times', async () => {
  const sandbox = await sandboxAt({ pace: 'realistic' });
  const initiated = await initiate(sandbox, { validateOnly: false });
  await put(initiated, toFile([product('a')]));
  await sandbox.emulator.deps.clock.advance(60 * minute);
  expect((await read(sandbox, initiated)).status).toBe('validated');
  const done = await read(sandbox, initiated);
  expect(done.status).toBe('completed');
  expect(Date.parse(done.lastUpdated) - Date.parse(initiated.lastUpdated)).toBe(17_000);
});

test('at pace manual uploads move only by hand, and not before the file is checked', async () => {
  const sandbox = await sandboxAt({ pace: 'manual' });
  const { clock, store, uploads } = sandbox.emulator.deps;
  const initiated = await initiate(sandbox, { validateOnly: false });
  const id = initiated.uploadId;
  const moves = () =>
    Object.fromEntries(
      uploads.moves(store.uploads.get(id) as Upload).map(({ event, open, why }) => [event, open || why]),
    );
  expect(moves()).toMatchObject({ fileReceived: 'no file has arrived yet: PUT it to uploadUrl', expire: true });
  expect(() => uploads.fire(id, 'fileReceived', { by: 'hand' })).toThrow('no file has arrived yet');

  await put(initiated, toFile([product('a')]));
  expect(moves()).toMatchObject({
    checked: 'the file is still being checked',
    save: 'only in state "validated" or "save_failed"',
  });
  await clock.advance(24 * 60 * minute);
  expect((await read(sandbox, initiated)).status).toBe('validating');
  expect(moves()).toMatchObject({ checked: true });

  uploads.fire(id, 'checked', { by: 'hand' });
  await clock.advance(24 * 60 * minute);
  expect((await read(sandbox, initiated)).status).toBe('validated');
  expect(moves()).toMatchObject({ save: true, saveFailed: true });
  expect(await saved(sandbox)).toEqual({});
});

test('with validateOnly saving by hand is refused, too, with the reason', async () => {
  const sandbox = await sandboxAt({});
  const { uploadId } = await upload(sandbox, toFile([product('a')]), true);
  const { uploads } = sandbox.emulator.deps;
  for (const event of ['save', 'saveFailed'] as const)
    expect(() => uploads.fire(uploadId, event, { by: 'hand' })).toThrow('validateOnly is true: nothing is saved');
});

test('after its time an upload is expired and accepts no file', async () => {
  const sandbox = await sandboxAt({});
  const { clock } = sandbox.emulator.deps;
  const initiated = await initiate(sandbox);
  await clock.advance(60 * minute - 1);
  expect((await read(sandbox, initiated)).status).toBe('initialized');
  await clock.advance(1);
  expect(await read(sandbox, initiated)).toMatchObject({
    status: 'expired',
    uploadUrl: initiated.uploadUrl,
    errors: [],
  });
  expect(await put(initiated, toFile([product('a')]))).toBe(403);
  expect((await read(sandbox, initiated)).status).toBe('expired');
});

test('an upload expired by hand accepts no file either, and one with a file accepts no other', async () => {
  const sandbox = await sandboxAt({});
  const first = await initiate(sandbox);
  sandbox.emulator.deps.uploads.fire(first.uploadId, 'expire', { by: 'hand' });
  expect(await put(first, toFile([product('a')]))).toBe(409);
  const second = await upload(sandbox, toFile([product('a')]), true);
  expect(await put(second, toFile([product('a'), product('b')]))).toBe(409);
  expect(await read(sandbox, second)).toMatchObject({ status: 'validated', productsReceived: 1 });
});

test('uploads are listed in order of creation, each company its own', async () => {
  const sandbox = await sandboxAt({});
  const own = [await initiate(sandbox), await initiate(sandbox), await initiate(sandbox)];
  const foreign = await initiate(sandbox, {}, 'sandpiper-other-key');
  await put(own[0] as UploadView, toFile([product('a')]));
  const list = async (key?: string) => (await sandbox.call('GET', path, key ? { key } : {})).body as UploadView[];
  expect((await list()).map(({ uploadId }) => uploadId)).toEqual(own.map(({ uploadId }) => uploadId));
  expect(await list('sandpiper-other-key')).toEqual([foreign]);
  expect(await list('sandpiper-readonly-key')).toEqual(await list());
  const refused = await sandbox.call('GET', `${path}/${foreign.uploadId}`);
  expect([refused.status, refused.rule]).toEqual([404, 'catalog.unknown-upload']);
});

test('the products of one company are not those of another', async () => {
  const sandbox = await sandboxAt({});
  await upload(sandbox, toFile([product('a')]));
  await upload(sandbox, toFile([product('a', { name: 'Theirs' })]), false, 'sandpiper-other-key');
  expect(await saved(sandbox)).toEqual({ a: 'Shirt' });
  expect(await saved(sandbox, otherCompany)).toEqual({ a: 'Theirs' });
});

test('a read-only key cannot initiate an upload', async () => {
  const sandbox = await sandboxAt({});
  expect((await sandbox.call('POST', path, { key: 'sandpiper-readonly-key' })).status).toBe(403);
  expect((await sandbox.call('GET', path)).body).toEqual([]);
});

test('a company without uploads is told to initiate one', async () => {
  const sandbox = await sandboxAt({});
  const refused = await sandbox.call('GET', `${path}/nobody`);
  expect((await refused.exchange()).refusal?.fix).toEqual({ say: 'Initiate an upload, then use its id.', edits: [] });
});

test('many files at once are all checked and saved', async () => {
  const sandbox = await sandboxAt({});
  const ids = ['a', 'b'];
  await Promise.all(
    ids.map(async (id) => put(await initiate(sandbox, { validateOnly: false }), toFile([product(id)]))),
  );
  const statuses = async () => {
    await sandbox.emulator.deps.clock.advance(0);
    return ((await sandbox.call('GET', path)).body as UploadView[]).map(({ status }) => status);
  };
  expect(await statuses()).toEqual(ids.map(() => 'validated'));
  expect(await statuses()).toEqual(ids.map(() => 'completed'));
  expect(Object.keys(await saved(sandbox)).sort()).toEqual(ids);
});

test('a variant of another saved product is an error in the next file', async () => {
  const sandbox = await sandboxAt({});
  const [a, b] = [product('a'), product('b', { variants: product('a')['variants'] })];
  await upload(sandbox, toFile([a]));
  expect((await upload(sandbox, toFile([b]))).errors).toHaveLength(1);
  expect(await saved(sandbox)).toEqual({ a: 'Shirt' });
});

test('a restart in the middle of validating checks the file and goes on to completed', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const first = await startSandbox({ dataDir, pace: 'realistic' });
  first.emulator.deps.clock.freeze(true);
  const initiated = await initiate(first, { validateOnly: false });
  await put(initiated, toFile([product('a'), 'x']));
  await first.close();

  const second = await sandboxAt({ dataDir, pace: 'realistic' });
  expect((await read(second, initiated)).status).toBe('validating');
  await second.emulator.deps.clock.advance(minute);
  expect((await read(second, initiated)).status).toBe('validated');
  expect(await read(second, initiated)).toMatchObject({
    status: 'completed',
    productsReceived: 2,
    productsProcessed: 1,
  });
  expect(await saved(second)).toEqual({ a: 'Shirt' });
});

test('a link from before a restart accepts its file afterwards', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const first = await startSandbox({ dataDir });
  const initiated = await initiate(first);
  await first.close();
  const second = await sandboxAt({ dataDir });
  const link = await read(second, initiated);
  expect(new URL(link.uploadUrl).search).toBe(new URL(initiated.uploadUrl).search);
  expect(await put(link, toFile([product('a')]))).toBe(200);
  await second.emulator.deps.clock.advance(0);
  expect((await read(second, initiated)).status).toBe('validated');
});

test('a file is kept as long as it is needed, its issues permanently', async () => {
  const sandbox = await sandboxAt({});
  const { blobs } = sandbox.emulator.deps.store;
  const { uploadId } = await upload(sandbox, toFile([product('a'), 'x']));
  await sandbox.emulator.deps.clock.advance(0);
  expect([blobs.exists('uploads', uploadId), blobs.exists('upload-good', uploadId)]).toEqual([false, false]);
  expect(blobs.exists('upload-issues', uploadId)).toBe(true);
});

test('files that a kill left among the uploads are removed at the next start', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const left = join(dataDir, 'blobs', 'upload-good', 'gone.part');
  await mkdir(join(dataDir, 'blobs', 'upload-good'), { recursive: true });
  await writeFile(left, 'half');
  const sandbox = await sandboxAt({ dataDir });
  await sandbox.emulator.deps.clock.advance(0);
  expect(existsSync(left)).toBe(false);
});

test('a reset in the middle of a check leaves no upload, no product and no worker', async () => {
  const sandbox = await sandboxAt({});
  const initiated = await initiate(sandbox, { validateOnly: false });
  await put(initiated, toFile(Array.from({ length: 2_000 }, (_, at) => product(`p${at}`))));
  await sandbox.reset();
  await sandbox.emulator.deps.clock.advance(minute);
  expect((await sandbox.call('GET', path)).body).toEqual([]);
  expect(await saved(sandbox)).toEqual({});
  expect(await upload(sandbox, toFile([product('a')]))).toMatchObject({ status: 'completed', productsProcessed: 1 });
});

/** A file of which only the head was sent when the sandbox is reset. */
async function beginBeforeReset(sandbox: Sandbox) {
  const { uploadId, uploadUrl } = await initiate(sandbox);
  const { socket, until } = openSocket(Number(new URL(uploadUrl).port));
  onTestFinished(() => void socket.destroy());
  socket.write(head(uploadUrl, 'Expect: 100-continue', 'Content-Length: 3'));
  await until('100 Continue');
  await sandbox.reset();
  return { uploadId, socket, until };
}

test('a file that is still arriving at a reset is not taken for that of a new upload with the same id', async () => {
  const sandbox = await sandboxAt({});
  const { uploadId, socket, until } = await beginBeforeReset(sandbox);
  const after = await initiate(sandbox);
  expect(after.uploadId).toBe(uploadId);
  socket.write('old');
  const refused = await until('</Error>');
  expect(refused).toContain('x-sandbox-rule: objects.gone\r\n');
  expect(refused).toContain('its upload was taken away: by a reset');
  expect(await put(after, toFile([product('new')]))).toBe(200);
});

test('a file that is still arriving at a reset is refused as that of an upload that is gone', async () => {
  const sandbox = await sandboxAt({});
  const { socket, until } = await beginBeforeReset(sandbox);
  socket.write('old');
  expect(await until('</Error>')).toContain('x-sandbox-rule: objects.gone\r\n');
});

test('a file is not taken for that of an upload with the same id that was made after a snapshot was restored', async () => {
  const sandbox = await sandboxAt({});
  // So that the secret of the URLs is in the snapshot.
  await initiate(sandbox);
  await sandbox.control('POST', '/control/snapshots', { name: 'before' });
  const { uploadId, uploadUrl } = await initiate(sandbox);
  const { socket, until } = openSocket(Number(new URL(uploadUrl).port));
  onTestFinished(() => void socket.destroy());
  socket.write(head(uploadUrl, 'Expect: 100-continue', 'Content-Length: 3'));
  await until('100 Continue');
  await sandbox.control('POST', '/control/snapshots/before/restore');
  await sandbox.emulator.deps.clock.advance(1_000);
  const after = await initiate(sandbox);
  expect(after.uploadId).toBe(uploadId);
  socket.write('old');
  expect(await until('</Error>')).toContain('x-sandbox-rule: objects.gone\r\n');
  expect(await put(after, toFile([product('new')]))).toBe(200);
});

test('an upload takes its file while the file of an upload with the same id from before a reset is still arriving', async () => {
  const sandbox = await sandboxAt({});
  const { uploadId } = await beginBeforeReset(sandbox);
  const after = await initiate(sandbox);
  expect(after.uploadId).toBe(uploadId);
  expect(await put(after, toFile([product('new')]))).toBe(200);
});
