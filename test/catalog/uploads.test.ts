import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClock, toIso, type Clock } from '../../emulator/time/clock.ts';
import { createCatalog, type Catalog, type CatalogOptions } from '../../emulator/features/catalog/catalog.ts';
import { uploadTable } from '../../emulator/features/catalog/states.ts';
import { createFeed } from '../../emulator/feed.ts';
import { enter } from '../../emulator/machine/table.ts';
import type { Upload } from '../../emulator/records.ts';
import { emptyDocument, openStore, type Store } from '../../emulator/store/store.ts';
import { freshFolder, product, toFile, variant } from './support.ts';
import { workerUrl } from '../support/built.ts';

interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalog: Catalog;
}

/** A catalog over a store in memory; without delays, uploads move only by hand. */
async function openWorld(worker = workerUrl(), delays: CatalogOptions['delays'] = () => null): Promise<World> {
  const faults: unknown[] = [];
  const clock = createClock({ onError: (error) => faults.push(error) });
  clock.freeze(true);
  const store = await openStore({ dataDir: null, now: clock.now });
  const catalog = createCatalog({ store, clock, feed: createFeed(), delays, workerUrl: worker });
  onTestFinished(async () => {
    await catalog.close();
    clock.close();
    await store.close();
    expect(faults).toEqual([]);
  });
  return { store, clock, catalog };
}

/** An upload whose file has just arrived. */
async function received({ store, clock, catalog }: World, id: string, body: string): Promise<void> {
  const at = toIso(clock.now());
  const upload: Upload = {
    id,
    companyId: 'c',
    validateOnly: false,
    createdAt: at,
    expiresAt: toIso(clock.now() + 3_600_000),
    bytes: null,
    etag: null,
    report: null,
    productsProcessed: null,
    ...enter(uploadTable, { by: 'call', at, why: 'made by a test' }),
  };
  catalog.lifecycle.start(upload);
  await writeFile(store.blobs.path('uploads', id), body);
  catalog.onStored({ id, bytes: body.length, etag: 'e' });
}

async function validated(world: World, id: string, body: string): Promise<void> {
  await received(world, id, body);
  await world.clock.advance(0);
  await world.catalog.lifecycle.moveByHand(id, 'checked');
}

test('a save by hand stores the products before the upload is completed', async () => {
  const world = await openWorld();
  await validated(world, 'u', toFile([product('a'), 'x']));
  expect(() => world.catalog.lifecycle.fire('u', 'save', { by: 'hand' })).toThrow('needs work');
  expect(world.store.uploads.get('u')?.state).toBe('validated');
  const done = await world.catalog.lifecycle.moveByHand('u', 'save');
  expect(done).toMatchObject({ state: 'completed', productsProcessed: 1 });
  expect(done.history.at(-1)).toMatchObject({ by: 'hand' });
  expect((await world.catalog.products('c')).count()).toBe(1);
  await expect(world.catalog.lifecycle.moveByHand('u', 'save')).rejects.toThrow('takes no "save"');
});

test('a file that was checked before another one was saved is checked again, so that no variant has two products', async () => {
  const world = await openWorld();
  const { store, catalog } = world;
  const withVariant = (id: string) => product(id, { variants: [variant('shared')] });
  await validated(world, 'first', toFile([withVariant('a'), product('b')]));
  await validated(world, 'second', toFile([withVariant('c'), product('d')]));
  const [one, other] = await Promise.all(['first', 'second'].map((id) => catalog.lifecycle.moveByHand(id, 'save')));
  expect(one).toMatchObject({ productsProcessed: 2, report: { issueCount: 0 } });
  expect(other).toMatchObject({
    state: 'completed',
    productsProcessed: 1,
    report: { goodLines: 1, issues: [{ errorType: 'catalog.duplicate-variant', lineNum: 1 }] },
  });
  const products = await catalog.products('c');
  expect([await products.get('c'), (await products.get('d'))?.id]).toEqual([null, 'd']);

  await validated(world, 'third', toFile([product('e')]));
  await store.blobs.remove('upload-seen', 'second');
  expect(await catalog.lifecycle.moveByHand('third', 'save')).toMatchObject({ productsProcessed: 1 });
});

test('a file is checked again before it is saved, too, if another one was saved after the clock was set back', async () => {
  const world = await openWorld();
  const { clock, catalog } = world;
  const withVariant = (id: string) => product(id, { variants: [variant('shared')] });
  await validated(world, 'first', toFile([withVariant('a'), product('b')]));
  await clock.set(clock.now() - 86_400_000);
  await validated(world, 'second', toFile([withVariant('c')]));
  expect(await catalog.lifecycle.moveByHand('second', 'save')).toMatchObject({ productsProcessed: 1 });
  expect(await catalog.lifecycle.moveByHand('first', 'save')).toMatchObject({
    productsProcessed: 1,
    report: { issues: [{ errorType: 'catalog.duplicate-variant', lineNum: 1 }] },
  });
  expect(await (await catalog.products('c')).get('a')).toBe(null);
});

test('two simultaneous saves by hand save once', async () => {
  const world = await openWorld();
  await validated(world, 'u', toFile([product('a')]));
  const both = await Promise.all([
    world.catalog.lifecycle.moveByHand('u', 'save'),
    world.catalog.lifecycle.moveByHand('u', 'save'),
  ]);
  expect(both.map(({ state }) => state)).toEqual(['completed', 'completed']);
  expect(both[0]?.history.filter(({ event }) => event === 'save')).toHaveLength(1);
});

test('a save that fails tells the operator why, and can be repeated by hand', async () => {
  const world = await openWorld();
  const { store, catalog } = world;
  await validated(world, 'u', toFile([product('a')]));
  const good = store.blobs.path('upload-good', 'u');
  await rename(good, `${good}.away`);
  const failed = await catalog.lifecycle.moveByHand('u', 'save');
  expect(failed).toMatchObject({ state: 'save_failed', productsProcessed: null });
  expect(failed.history.at(-1)).toMatchObject({
    event: 'saveFailed',
    by: 'work',
    why: expect.stringContaining('is gone. Send the file again'),
  });
  expect([...store.platformNotices.all()]).toMatchObject([
    { companyId: 'c', level: 'error', text: expect.stringContaining('upload u was not saved') },
  ]);
  await expect(catalog.lifecycle.moveByHand('u', 'save')).rejects.toMatchObject({
    message: expect.stringContaining('could not be saved this time either'),
    rule: { id: 'uploads.save-failed' },
  });
  expect(store.uploads.get('u')?.state).toBe('save_failed');
  await rename(`${good}.away`, good);
  expect(await catalog.lifecycle.moveByHand('u', 'save')).toMatchObject({ state: 'completed', productsProcessed: 1 });
});

test('a save that is failed by hand keeps its files, so that it can be repeated', async () => {
  const world = await openWorld();
  await validated(world, 'u', toFile([product('a')]));
  expect(await world.catalog.lifecycle.moveByHand('u', 'saveFailed')).toMatchObject({ state: 'save_failed' });
  await world.clock.advance(3_600_000);
  expect((await world.catalog.products('c')).count()).toBe(0);
  expect(await world.catalog.lifecycle.moveByHand('u', 'save')).toMatchObject({
    state: 'completed',
    productsProcessed: 1,
  });
});

test('all issues are stored outside the record, which shows ten of each kind', async () => {
  const world = await openWorld();
  await validated(world, 'u', 'x\n'.repeat(30));
  expect(world.store.uploads.get('u')?.report).toMatchObject({ lines: 30, goodLines: 0, issueCount: 30 });
  expect(world.store.uploads.get('u')?.report?.issues).toHaveLength(10);
  expect(await world.catalog.issues('u')).toHaveLength(30);
  expect(await world.catalog.issues('nobody')).toEqual([]);
});

test('a check whose worker crashes is an issue of the upload, which moves on and saves nothing', async () => {
  const folder = await freshFolder();
  const worker = join(folder, 'dies.mjs');
  await writeFile(worker, 'process.exit(3);\n');
  const world = await openWorld(pathToFileURL(worker));
  await validated(world, 'u', toFile([product('a')]));
  expect(world.store.uploads.get('u')).toMatchObject({
    state: 'validated',
    report: { issueCount: 1, goodLines: 0, issues: [{ errorType: 'catalog.check-failed', lineNum: 0 }] },
  });
  expect(world.store.uploads.get('u')?.report?.issues[0]?.errorMessage).toContain('exit code 3');
  expect(await world.catalog.issues('u')).toMatchObject([{ errorType: 'catalog.check-failed' }]);
  expect(await world.catalog.lifecycle.moveByHand('u', 'save')).toMatchObject({
    state: 'completed',
    productsProcessed: 0,
  });
});

type Kind = 'check' | 'merge';

/** A worker that reports when it has started a job, and ends it with one good line on command. */
async function openSlowWorker(): Promise<{
  readonly url: URL;
  begun(kind: Kind): Promise<void>;
  end(kind: Kind): Promise<void>;
}> {
  const folder = await freshFolder();
  const script = join(folder, 'slow.mjs');
  await writeFile(
    script,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const folder = ${JSON.stringify(folder)};
     parentPort.on('message', ({ kind }) => {
       writeFileSync(folder + '/begun-' + kind, '');
       const timer = setInterval(() => {
         if (!existsSync(folder + '/end-' + kind)) return;
         clearInterval(timer);
         const report = { lines: 1, goodLines: 1, issueCount: 0, issues: [], counts: {} };
         parentPort.postMessage({ type: 'done', result: { ...report, received: 1, processed: 1 } });
       }, 5);
     });`,
  );
  const isBegun = (kind: Kind) => () => expect(existsSync(join(folder, `begun-${kind}`))).toBe(true);
  return {
    url: pathToFileURL(script),
    begun: (kind) => vi.waitFor(isBegun(kind), { timeout: 10_000, interval: 5 }),
    end: (kind) => writeFile(join(folder, `end-${kind}`), ''),
  };
}

test('an interrupted check starts again at resume', async () => {
  const worker = await openSlowWorker();
  const world = await openWorld(worker.url);
  const { store, clock, catalog } = world;
  await received(world, 'u', toFile([product('a')]));
  const advanced = clock.advance(0);
  await worker.begun('check');
  await catalog.stop();
  await advanced;
  expect(store.uploads.get('u')).toMatchObject({ state: 'validating', report: null });

  const later = createCatalog({ store, clock, feed: createFeed(), delays: () => null, workerUrl: workerUrl() });
  later.lifecycle.resume();
  await clock.advance(0);
  expect(await later.lifecycle.moveByHand('u', 'checked')).toMatchObject({
    state: 'validated',
    report: { goodLines: 1 },
  });
  await later.close();
});

test('a file that was checked when a kill came is kept to look at, as after any check', async () => {
  const world = await openWorld();
  const { store, clock, catalog } = world;
  await received(world, 'u', toFile([product('a')]));
  await clock.advance(0);
  expect(store.uploads.get('u')?.report).toMatchObject({ goodLines: 1 });
  await catalog.stop();
  // As a kill leaves it between the end of the check and the move of its file.
  await rename(store.blobs.path('upload-seen', 'u'), store.blobs.path('uploads', 'u'));

  const later = createCatalog({ store, clock, feed: createFeed(), delays: () => null, workerUrl: workerUrl() });
  later.lifecycle.resume();
  await clock.advance(0);
  expect([store.blobs.exists('upload-seen', 'u'), store.blobs.exists('uploads', 'u')]).toEqual([true, false]);
  await later.close();
});

test('a check is cancelled at once, and says so as its result', async () => {
  const worker = await openSlowWorker();
  const world = await openWorld(worker.url);
  const { store, clock, catalog } = world;
  await received(world, 'u', toFile([product('a')]));
  const advanced = clock.advance(0);
  await worker.begun('check');
  expect(catalog.cancelCheck('u')).toBe(true);
  await advanced;
  expect(store.uploads.get('u')?.report).toMatchObject({
    goodLines: 0,
    issues: [{ errorType: 'catalog.check-cancelled', lineNum: 0 }],
  });
  expect(catalog.file('u')).not.toBeNull();
  expect([catalog.cancelCheck('u'), catalog.cancelCheck('nobody')]).toEqual([false, false]);
});

test('a check that was cancelled before a reset does not cancel that of the upload that gets the same id', async () => {
  const world = await openWorld();
  const { store, clock, catalog } = world;
  await received(world, 'u', toFile([product('a')]));
  expect(catalog.cancelCheck('u')).toBe(true);
  await catalog.stop();
  await store.replace(emptyDocument());
  catalog.lifecycle.resume();
  await received(world, 'u', toFile([product('a')]));
  await clock.advance(0);
  expect(store.uploads.get('u')?.report).toMatchObject({ goodLines: 1, issues: [] });
});

test('a save that was interrupted by a kill is repeated at resume, with the same products', async () => {
  const world = await openWorld();
  const { store, clock, catalog } = world;
  await validated(world, 'u', toFile([product('a'), product('b'), 'x']));
  // After a kill between the two, the products are saved, but the record does not say so.
  await (await catalog.products('c')).merge(store.blobs.path('upload-good', 'u'));
  await catalog.stop();
  expect(store.uploads.get('u')).toMatchObject({ state: 'validated', productsProcessed: null });

  const later = createCatalog({ store, clock, feed: createFeed(), delays: () => 0, workerUrl: workerUrl() });
  later.lifecycle.resume();
  await clock.advance(0);
  expect(store.uploads.get('u')).toMatchObject({ state: 'completed', productsProcessed: 2 });
  expect((await later.products('c')).count()).toBe(2);
  await later.close();
});

test('the result of a check is ignored if the upload was deleted', async () => {
  const worker = await openSlowWorker();
  const world = await openWorld(worker.url);
  const { store, clock } = world;
  await received(world, 'u', toFile([product('a')]));
  const advanced = clock.advance(0);
  await worker.begun('check');
  store.transact(() => store.uploads.delete('u'));
  await worker.end('check');
  await advanced;
  expect(store.uploads.size).toBe(0);
});

test('a save that ends after it was failed by hand does not move the upload', async () => {
  const worker = await openSlowWorker();
  const world = await openWorld(worker.url);
  await worker.end('check');
  await validated(world, 'u', toFile([product('a')]));
  const saving = world.catalog.lifecycle.moveByHand('u', 'save');
  await worker.begun('merge');
  await world.catalog.lifecycle.moveByHand('u', 'saveFailed');
  await worker.end('merge');
  expect(await saving).toMatchObject({ state: 'save_failed', productsProcessed: null });
});

test('a jump of time waits for a running check, so that its upload moves at the time of its delay', async () => {
  const worker = await openSlowWorker();
  const world = await openWorld(worker.url, ({ name }) => (name === 'upload.validate' ? 2_000 : null));
  await received(world, 'u', toFile([product('a')]));
  const began = world.clock.now();
  const advanced = world.clock.advance(60_000);
  await worker.begun('check');
  await worker.end('check');
  await advanced;
  expect(world.store.uploads.get('u')).toMatchObject({ state: 'validated', enteredAt: toIso(began + 2_000) });
});

test('keys without an upload are unknown', async () => {
  const { catalog } = await openWorld();
  for (const key of ['catalog/nobody.ndjson', 'catalog/.ndjson', 'other/u.ndjson', ''])
    expect(catalog.accepts(key)).toEqual({ ok: false, why: 'unknown' });
});

test('a file for an upload that no longer waits is refused', async () => {
  const world = await openWorld();
  await validated(world, 'u', toFile([product('a')]));
  expect(() => world.catalog.onStored({ id: 'u', bytes: 1, etag: 'f' })).toThrow('takes no "fileReceived"');
  expect(() => world.catalog.onStored({ id: 'gone', bytes: 1, etag: 'f' })).toThrow('gone');
  expect(world.store.uploads.get('u')?.etag).toBe('e');
});
