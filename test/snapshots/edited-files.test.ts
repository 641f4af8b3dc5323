import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SnapshotView } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { command } from '../support/command.ts';
import { act, freshFolder, opened } from '../support/world.ts';

const mark = '\uFEFF';

test('a kept snapshot that was written again by an editor that writes a byte order mark, is listed and restored', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await act(sandbox, 'POST', '/control/snapshots', { name: 'one' });
  const path = (name: string): string => join(dataDir, 'snapshots', `${name}.json`);
  const text = readFileSync(path('one'), 'utf8');
  writeFileSync(path('two'), mark + JSON.stringify(JSON.parse(text), null, 2));
  const [one, two] = (await act<{ readonly snapshots: readonly SnapshotView[] }>(sandbox, 'GET', '/control/snapshots'))
    .snapshots;
  expect(two).toEqual({ ...one, name: 'two', bytes: expect.any(Number) });
  expect(await act(sandbox, 'POST', '/control/snapshots/two/restore', {})).toMatchObject({ records: one?.records });
});

test('a kept snapshot whose fields a program sorted is listed and restored', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await act(sandbox, 'POST', '/control/snapshots', { name: 'one' });
  const path = (name: string): string => join(dataDir, 'snapshots', `${name}.json`);
  const fields = Object.entries(JSON.parse(readFileSync(path('one'), 'utf8')) as object);
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(path('two'), JSON.stringify(Object.fromEntries(sorted), null, 2));
  writeFileSync(path('three'), '{"collections": {');
  const list = async () =>
    (await act<{ readonly snapshots: readonly SnapshotView[] }>(sandbox, 'GET', '/control/snapshots')).snapshots;
  const [one, two, ...others] = await list();
  expect([two, others]).toEqual([{ ...one, name: 'two', bytes: expect.any(Number) }, []]);
  expect(await act(sandbox, 'POST', '/control/snapshots/two/restore', {})).toMatchObject({ records: one?.records });
  writeFileSync(
    path('two'),
    JSON.stringify(
      Object.fromEntries(
        sorted.map(([name, value]) => [name, name === 'savedAt' ? '2026-01-01T00:00:00.000Z' : value]),
      ),
    ),
  );
  expect((await list())[1]?.savedAt).toBe('2026-01-01T00:00:00.000Z');
});

test('a kept snapshot with records of a person who is gone, as an earlier version may have left them, is restored', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await act(sandbox, 'POST', '/control/snapshots', { name: 'one' });
  const path = join(dataDir, 'snapshots', 'one.json');
  const snapshot = JSON.parse(readFileSync(path, 'utf8')) as Snapshot;
  writeFileSync(path, JSON.stringify({ ...snapshot, collections: { ...snapshot.collections, users: [] } }));
  await act(sandbox, 'POST', '/control/snapshots/one/restore', {});
  const { users, subscriptions } = sandbox.emulator.deps.store;
  expect([users.size, subscriptions.size > 0]).toEqual([0, true]);
});

test('of a file among the snapshots that is not a snapshot it is said what is wrong, not that it is missing', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await act(sandbox, 'POST', '/control/snapshots', { name: 'one' });
  const deep = `{"sandpiper":"snapshot","files":${'['.repeat(90)}${']'.repeat(90)}}`;
  for (const [text, says] of [
    ['{}', '"sandpiper": "snapshot"'],
    [deep, 'nested deeper than 80 levels'],
  ] as const) {
    writeFileSync(join(dataDir, 'snapshots', 'other.json'), text);
    expect(await sandbox.control('POST', '/control/snapshots/other/restore', {})).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(says) },
    });
  }
  expect((await sandbox.control('POST', '/control/snapshots/none/restore', {})).status).toBe(404);
});

test('a byte order mark before a seed or an imported file is not part of it', async () => {
  const first = await opened({ dataDir: freshFolder() });
  await act(first, 'POST', '/control/webhooks', { url: 'http://localhost:3000/hooks', events: ['sms.sent'] });
  const path = join(freshFolder(), 'exported.json');
  writeFileSync(path, mark + JSON.stringify(await act(first, 'GET', '/control/export')));
  const said: string[] = [];
  const seeded = await opened({ dataDir: freshFolder(), seed: path, onNotice: (text) => said.push(text) });
  expect(said).toEqual([expect.stringContaining('1 secret is masked in the seed; each has a new value.')]);
  expect(seeded.emulator.deps.store.users.size).toBe(first.emulator.deps.store.users.size);
  const { stderr, code } = await command('snapshot', 'import', path, '--data', first.emulator.dataDir ?? '');
  expect([code, stderr]).toEqual([0, '']);
});
