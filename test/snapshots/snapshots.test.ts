import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { RestoredView, SnapshotView } from '../../emulator/control/calls.ts';
import { openSnapshotFiles } from '../../emulator/store/snapshot-files.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { startReceiver } from '../delivery/support.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, addCodes, everything, freshFolder, opened, productNames, upload } from '../support/world.ts';

const save = (sandbox: Sandbox, name: string) => act<SnapshotView>(sandbox, 'POST', '/control/snapshots', { name });
const list = async (sandbox: Sandbox) =>
  (await act<{ snapshots: SnapshotView[] }>(sandbox, 'GET', '/control/snapshots')).snapshots.map(({ name }) => name);
const restore = (sandbox: Sandbox, name: string, json?: object) =>
  act<RestoredView>(sandbox, 'POST', `/control/snapshots/${name}/restore`, json);
const subscribe = async (sandbox: Sandbox, phone: string) => {
  const json = { user: { phone }, signUpSourceId: '100001' };
  expect((await sandbox.call('POST', '/subscriptions', { json })).status).toBe(202);
};
const phones = ({ emulator }: Sandbox) =>
  [...emulator.deps.store.users.all()].flatMap((user) => user.addresses.map(({ value }) => value));

/** A catalog of two products that is saved, and codes. */
async function fill(sandbox: Sandbox): Promise<void> {
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await upload(sandbox, ['a', 'b']);
  await addCodes(sandbox, ['ONE', 'TWO']);
  await act(sandbox, 'POST', '/control/clock', { advance: '1m' });
}

test('a restored snapshot is the state it was, with its files', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await fill(sandbox);
  const { state } = everything(sandbox);
  const saved = await save(sandbox, 'filled');
  expect(saved).toMatchObject({ name: 'filled', format: 2, savedAt: expect.any(String) });
  await subscribe(sandbox, '+15555550177');
  await addCodes(sandbox, ['THREE']);
  await sandbox.reset();

  const restored = await restore(sandbox, 'filled');
  expect(restored).toMatchObject({ mode: 'replace', records: saved.records, renewedSecrets: [] });
  expect(everything(sandbox).state).toBe(state);
  expect(await productNames(sandbox, demoCompany)).toEqual({ a: 'Shirt', b: 'Shirt' });
  await addCodes(sandbox, ['TWO', 'THREE']);
  expect(sandbox.emulator.deps.store.offers.get('54102')?.codeCount).toBe(3);
});

test('a file that is not UTF-8 is carried whole to another emulator, also in a merge', async () => {
  const [first, second, third] = [await opened(), await opened(), await opened()];
  const { body } = await first.call('POST', '/product-catalog/uploads', { json: {} });
  const { uploadId } = body as { uploadId: string };
  const pathIn = ({ emulator }: Sandbox) => emulator.deps.store.blobs.path('uploads', uploadId);
  // As it is there between its arrival and its check; longer than what is read and written at once.
  const file = Buffer.alloc(1_000_001, Buffer.from('{"id":"caf\xe9"}\n', 'latin1'));
  writeFileSync(pathIn(first), file);
  const exported = await act<Snapshot>(first, 'GET', '/control/export?secrets=true');
  await act(second, 'POST', '/control/import', exported);
  await act(third, 'POST', '/control/import?mode=merge', exported);
  for (const sandbox of [second, third]) expect(readFileSync(pathIn(sandbox)).equals(file)).toBe(true);
  const [cut] = exported.files.map((one) => ({ ...one, base64: '{}' }));
  const refused = await second.control('POST', '/control/import', { ...exported, files: [cut] });
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('"lines"') } });
});

test.for([true, false])(
  'a snapshot that was saved in the middle of an advance comes back with the time at which it was saved (frozen: %s)',
  async (freeze) => {
    const sandbox = await opened({ dataDir: freshFolder() });
    const { clock } = sandbox.emulator.deps;
    await act(sandbox, 'POST', '/control/clock', { freeze });
    const half = clock.now() + 30 * 60_000;
    clock.at('half', half, 'save in the middle', async () => {
      await subscribe(sandbox, '+15555550177');
      await save(sandbox, 'half');
    });
    await act(sandbox, 'POST', '/control/clock', { advance: '1h' });

    await restore(sandbox, 'half');
    expect(phones(sandbox)).toContain('+15555550177');
    expect(clock.now()).toBeGreaterThanOrEqual(half);
    expect(clock.now()).toBeLessThan(half + 30 * 60_000);
    expect(sandbox.emulator.deps.store.settings.get('clock')?.value).toEqual(clock.state());
  },
);

test('merging keeps records that are not in the snapshot, and adds those that are', async () => {
  const sandbox = await opened();
  await fill(sandbox);
  await save(sandbox, 'filled');
  await upload(sandbox, ['b', 'c'], 'Coat');
  await act(sandbox, 'POST', '/control/clock', { advance: '1m' });
  await subscribe(sandbox, '+15555550178');
  await addCodes(sandbox, ['THREE']);
  const uploads = sandbox.emulator.deps.store.offerUploads.size;
  await act(sandbox, 'POST', '/control/clock', { advance: '1m' });
  const { now } = await act<{ now: string }>(sandbox, 'GET', '/control/clock');

  expect(await restore(sandbox, 'filled', { mode: 'merge' })).toMatchObject({ mode: 'merge' });
  expect(phones(sandbox)).toContain('+15555550178');
  expect(await productNames(sandbox, demoCompany)).toEqual({ a: 'Shirt', b: 'Shirt', c: 'Coat' });
  expect(sandbox.emulator.deps.store.offerUploads.size).toBe(uploads);
  expect((await act<{ now: string }>(sandbox, 'GET', '/control/clock')).now).toBe(now);
});

test('a state with attributes named like the end of an id is exported, imported and opened again, with the same sequence', async () => {
  const dataDir = freshFolder();
  const first = await opened({ dataDir });
  const { status } = await first.call('POST', '/attributes/custom', {
    json: { user: { phone: '+15555550100' }, properties: { '1': 'a', x: 'b', '1OTk5OTk5OTk5OTk5OTk5': 'c' } },
  });
  expect(status).toBe(200);
  const exported = (from: Sandbox) => act<Snapshot>(from, 'GET', '/control/export?secrets=true');
  const file = await exported(first);
  await act(first, 'POST', '/control/import', file);
  expect((await exported(first)).sequence).toBe(file.sequence);
  await first.close();
  const again = await opened({ dataDir });
  expect(again.emulator.deps.store.notices).toEqual([]);
  expect((await exported(again)).collections.attributeValues).toEqual(file.collections.attributeValues);
});

test('a state with events that have fields of any name is saved and restored', async () => {
  const sandbox = await opened();
  const user = { phone: '+15555550100' };
  const item = { productId: 'a', productVariantId: 'b', price: [{ value: 1 }], constructor: { constructor: 'a' } };
  const properties = { constructor: 'a' };
  for (const [path, json] of [
    ['/events/ecommerce/purchase', { user, items: [item] }],
    ['/events/custom', { user, type: 'Any', properties }],
  ] as const)
    expect((await sandbox.call('POST', path, { json })).status).toBe(200);
  await save(sandbox, 'events');
  const before = sandbox.emulator.deps.store.events.records().map(({ body }) => body);
  expect(JSON.stringify(before).match(/"constructor":/g)).toHaveLength(3);
  await restore(sandbox, 'events');
  expect(sandbox.emulator.deps.store.events.records().map(({ body }) => body)).toEqual(before);
});

test('a state with the answer of a receiver that has a header of any name is saved and restored', async () => {
  const sandbox = await opened();
  const names = ['constructor', 'valueof', '__proto__'];
  const receiver = await startReceiver((response) =>
    response.writeHead(200, Object.fromEntries(names.map((name) => [name, 'a']))).end(),
  );
  const { deliveries } = await act<{ deliveries: { id: string }[] }>(sandbox, 'POST', '/control/trigger', {
    type: 'sms.sent',
    to: receiver.url,
  });
  await save(sandbox, 'answered');
  await restore(sandbox, 'answered');
  const stored = sandbox.emulator.deps.store.deliveries.get(deliveries[0]?.id ?? '');
  expect(stored?.attempts[0]?.response?.headers).toMatchObject({ valueof: 'a' });
});

test('snapshots are listed by name, survive a restart, and are deleted', async () => {
  const dataDir = freshFolder();
  const first = await startSandbox({ dataDir });
  await save(first, 'b');
  await save(first, 'a');
  await first.close();
  const second = await opened({ dataDir });
  expect(await list(second)).toEqual(['a', 'b']);
  await act(second, 'DELETE', '/control/snapshots/a');
  expect(await list(second)).toEqual(['b']);
  expect((await second.control('DELETE', '/control/snapshots/a')).status).toBe(404);
  expect((await second.control('POST', '/control/snapshots/a/restore', {})).status).toBe(404);
});

test('the file of a snapshot is readable only by its user, and has one record per line', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await save(sandbox, 'mine');
  const path = join(dataDir, 'snapshots', 'mine.json');
  if (process.platform !== 'win32') expect(lstatSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, 'utf8');
  expect(text.split('\n').filter((line) => line.includes('"sandpiper-demo-key"'))).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({ sandpiper: 'snapshot', format: 2, secrets: 'whole' });
  expect(readdirSync(join(dataDir, 'snapshots'))).toEqual(['mine.json']);
});

test('an existing name is refused, unless it may be overwritten', async () => {
  const sandbox = await opened();
  await save(sandbox, 'one');
  const again = await sandbox.control('POST', '/control/snapshots', { name: 'one' });
  expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('already') } });
  await subscribe(sandbox, '+15555550179');
  await act(sandbox, 'POST', '/control/snapshots', { name: 'one', overwrite: true });
  await sandbox.reset();
  await restore(sandbox, 'one');
  expect(phones(sandbox)).toContain('+15555550179');
});

test.each(['in memory', 'in a folder'])(
  'a name that differs from another one only in capitals is refused %s',
  async (where) => {
    const dataDir = where === 'in memory' ? null : freshFolder();
    const sandbox = await opened({ dataDir });
    await save(sandbox, 'Before');
    for (const [name, overwrite] of [
      ['before', false],
      ['before', true],
      ['BEFORE', true],
    ])
      expect(await sandbox.control('POST', '/control/snapshots', { name, overwrite })).toMatchObject({
        status: 409,
        body: { refusal: { rule: 'snapshots.spelling', facts: { name, existing: 'Before' } } },
      });
    expect((await sandbox.control('POST', '/control/snapshots/before/restore', {})).status).toBe(404);
    expect((await sandbox.control('DELETE', '/control/snapshots/before')).status).toBe(404);
    await act(sandbox, 'POST', '/control/snapshots', { name: 'Before', overwrite: true });
    expect(await list(sandbox)).toEqual(['Before']);
  },
);

test.skipIf(process.platform !== 'linux')(
  'two that older versions saved under such names can both be used',
  async () => {
    const dataDir = freshFolder();
    const sandbox = await opened({ dataDir });
    await save(sandbox, 'Before');
    const pathOf = (name: string) => join(dataDir, 'snapshots', `${name}.json`);
    writeFileSync(pathOf('before'), readFileSync(pathOf('Before')));
    await act(sandbox, 'POST', '/control/snapshots', { name: 'before', overwrite: true });
    expect(await restore(sandbox, 'before')).toMatchObject({ mode: 'replace' });
  },
);

test.each(['', '.', '..', '../state', 'a/b', 'a\\b', '.hidden', 'con', 'nul.txt', 'a'.repeat(65), 'é', 'a\u0000'])(
  'the name %j is refused',
  async (name) => {
    const dataDir = freshFolder();
    const sandbox = await opened({ dataDir });
    expect((await sandbox.control('POST', '/control/snapshots', { name })).status).toBe(400);
    expect(existsSync(join(dataDir, 'snapshots'))).toBe(false);
    expect(existsSync(join(dataDir, 'state.json'))).toBe(false);
  },
);

test('a name that Windows keeps for a device is refused with that reason', async () => {
  const sandbox = await opened();
  expect((await sandbox.control('POST', '/control/snapshots', { name: 'aux' })).body).toMatchObject({
    message: '"aux" is not a name for a snapshot: Windows keeps it for a device, so no file there can have it.',
  });
});

test('a link in the folder of snapshots is ignored', async () => {
  const dataDir = freshFolder();
  const elsewhere = join(freshFolder(), 'other.json');
  const sandbox = await opened({ dataDir });
  await save(sandbox, 'real');
  writeFileSync(elsewhere, readFileSync(join(dataDir, 'snapshots', 'real.json')));
  symlinkSync(elsewhere, join(dataDir, 'snapshots', 'link.json'));
  mkdirSync(join(dataDir, 'snapshots', 'folder.json'));
  expect(await list(sandbox)).toEqual(['real']);
  expect((await sandbox.control('POST', '/control/snapshots/link/restore', {})).status).toBe(404);
});

test('a damaged snapshot changes nothing', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await save(sandbox, 'cut');
  const path = join(dataDir, 'snapshots', 'cut.json');
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 2000));
  const before = everything(sandbox);
  const answer = await sandbox.control('POST', '/control/snapshots/cut/restore', {});
  expect(answer).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('"cut" is not JSON'), refusal: { rule: 'snapshots.json' } },
  });
  expect(everything(sandbox)).toEqual(before);
});

test('a snapshot over the limit is refused, and none of it stays', async () => {
  const dataDir = freshFolder();
  const files = openSnapshotFiles(dataDir);
  const piece = 'x'.repeat(32 * 1024 * 1024);
  await expect(
    files.write(
      'large',
      Array.from({ length: 9 }, () => piece),
    ),
  ).rejects.toMatchObject({
    message: expect.stringContaining('the limit is 256 MB'),
    rule: { id: 'snapshots.size' },
    facts: { limit: 256 * 1024 * 1024 },
  });
  expect(files.has('large')).toBe(false);
  expect(readdirSync(join(dataDir, 'snapshots'))).toEqual([]);
});

test('simultaneous saves to one name run one after the other, and each is complete', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await fill(sandbox);
  const saves = await Promise.all(
    [1, 2, 3, 4].map(() => act<SnapshotView>(sandbox, 'POST', '/control/snapshots', { name: 'same', overwrite: true })),
  );
  expect(new Set(saves.map(({ records }) => records)).size).toBe(1);
  expect(readdirSync(join(dataDir, 'snapshots'))).toEqual(['same.json']);
  JSON.parse(readFileSync(join(dataDir, 'snapshots', 'same.json'), 'utf8'));
  expect((await restore(sandbox, 'same')).records).toBe(saves[0]?.records);
});

test('of two simultaneous saves to one name without overwriting, the second is refused', async () => {
  const sandbox = await opened();
  const answers = await Promise.all([1, 2].map(() => sandbox.control('POST', '/control/snapshots', { name: 'same' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('the good copy stays if overwriting it fails', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await save(sandbox, 'good');
  const path = join(dataDir, 'snapshots', 'good.json');
  const before = readFileSync(path, 'utf8');
  await expect(
    sandbox.emulator.deps.store.snapshots.write(
      'good',
      (function* () {
        yield 'half';
        expect(readFileSync(path, 'utf8')).toBe(before);
        throw new Error('The disk is gone.');
      })(),
    ),
  ).rejects.toThrow('The disk is gone.');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(readdirSync(join(dataDir, 'snapshots'))).toEqual(['good.json']);
});

test('incomplete files of a kill are removed at the next start, and the snapshots are still there', async () => {
  const dataDir = freshFolder();
  const first = await startSandbox({ dataDir });
  await save(first, 'good');
  await first.close();
  for (const name of ['.part-0c4e', 'good.json.part']) writeFileSync(join(dataDir, 'snapshots', name), 'half');
  const again = await opened({ dataDir });
  expect(await list(again)).toEqual(['good']);
  expect(readdirSync(join(dataDir, 'snapshots'))).toEqual(['good.json']);
});

test('after a restore the file of an earlier upload is not kept, and why is said', async () => {
  const sandbox = await opened();
  await upload(sandbox, ['a']);
  await sandbox.emulator.deps.clock.advance(0);
  await act(sandbox, 'POST', '/control/snapshots', { name: 'one' });
  await act(sandbox, 'POST', '/control/snapshots/one/restore', {});
  const [{ id } = { id: '' }] = sandbox.emulator.deps.store.uploads.all();
  expect(await sandbox.control('GET', `/control/uploads/${id}/xray`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('a snapshot or an export has none of them') },
  });
});
