/** What docs/promises.md promises of the state and its files: a walk for each row, under its name. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyDocument } from '../../emulator/store/store.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { copyAsKilled, idsOf, open, openAsKilled, put, setting } from '../store/support.ts';
import { onFullDisk } from '../support/full-disk.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened, subscribe } from '../support/world.ts';

const people = ({ emulator }: Sandbox) => [...emulator.deps.store.users.all()];

test('An import overwrites no record, whatever its sequence says.', async () => {
  const sandbox = await opened();
  const file = await act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true');
  const { status } = await sandbox.control('POST', '/control/import', { ...file, sequence: 2 ** 52 + 1 });
  expect(status).toBe(400);
  await act(sandbox, 'POST', '/control/import', { ...file, sequence: 1 });
  const before = people(sandbox);
  for (let n = 10; n < 20; n += 1) await subscribe(sandbox, `+155555501${n}`);
  expect(people(sandbox).slice(0, before.length)).toEqual(before);
  expect(people(sandbox)).toHaveLength(before.length + 10);
});

test('A snapshot is replaced by a whole one or not at all.', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  const save = () => act(sandbox, 'POST', '/control/snapshots', { name: 'good', overwrite: true });
  await Promise.all([save(), save(), save()]);
  const { records } = await act<{ records: number }>(sandbox, 'POST', '/control/snapshots/good/restore', {});
  expect(records).toBeGreaterThan(20);

  const path = join(dataDir, 'snapshots', 'good.json');
  const whole = readFileSync(path, 'utf8');
  const half = (function* () {
    yield '{"sandpiper":';
    throw new Error('The disk is gone.');
  })();
  await expect(sandbox.emulator.deps.store.snapshots.write('good', half)).rejects.toThrow('The disk is gone.');
  expect([readFileSync(path, 'utf8'), readdirSync(join(dataDir, 'snapshots'))]).toEqual([whole, ['good.json']]);
});

test('A reset takes place in one step.', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const { store } = sandbox.emulator.deps;
  const filler = 'x'.repeat(500_000);
  store.transact(() => store.settings.put({ id: 'filler', value: filler }));
  const seen = new Set<number>();
  const over = new AbortController();
  const resetting = act(sandbox, 'POST', '/control/reset', { world: 'demo' }).finally(() => over.abort());
  while (!over.signal.aborted) seen.add((await sandbox.call('GET', '/me')).status);
  await resetting;
  expect([...seen]).toEqual([200]);
});

test('A write that was acknowledged while everything was replaced survives a kill.', async () => {
  const folder = join(freshFolder(), 'data');
  const store = await open(folder);
  put(store, 'old', 'both');
  const replacing = store.replace({ ...emptyDocument(), collections: { settings: [setting('both', 'new')] } });
  put(store, 'after');
  const killed = await openAsKilled(folder);
  expect([idsOf(killed), killed.notices]).toEqual([['old', 'both', 'after'], []]);
  await replacing;
  put(store, 'later');
  const later = await openAsKilled(folder);
  expect([idsOf(later), later.notices]).toEqual([['both', 'later'], []]);
});

test.runIf(process.platform === 'linux')(
  'A full disk is said to be one, and what could not be stored did not happen.',
  async () => {
    const sandbox = await onFullDisk();
    const before = people(sandbox);
    const answer = await fetch(`${sandbox.emulator.apiUrl}/subscriptions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
      body: '{"user":{"phone":"+15555550190"},"signUpSourceId":"100001"}',
    });
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringMatching(/ENOSPC.*Free some disk space/)]);
    const moved = await sandbox.control('POST', '/control/clock', { advance: '1h' });
    expect(moved).toMatchObject({ status: 507, body: { message: expect.stringContaining('Free some disk space') } });
    expect(people(sandbox)).toEqual(before);

    sandbox.makeRoom();
    expect((await subscribe(sandbox, '+15555550190')).status).toBe(202);
  },
);

test('A stop ends although `control.json` cannot be removed, and its token is read by its user only.', async () => {
  const dataDir = freshFolder();
  const { emulator } = await opened({ dataDir });
  const path = join(dataDir, 'control.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(path);
  mkdirSync(join(path, 'in-the-way'), { recursive: true });

  await expect(emulator.close()).rejects.toThrow(/control\.json/);
  for (const url of [emulator.authUrl, emulator.inspectorUrl]) await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  expect(statSync(join(dataDir, 'state.json')).size).toBeGreaterThan(1000);
});

test('Damage to the files of the state is noticed and said.', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await subscribe(sandbox, '+15555550190');
  const damaged = copyAsKilled(dataDir);
  const name = readdirSync(damaged).findLast((file) => file.startsWith('journal-')) ?? '';
  const bytes = readFileSync(join(damaged, name));
  // One bit, so that the number is another one, in a line that still can be read.
  const at = bytes.indexOf('+15555550190') + 5;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(join(damaged, name), bytes);
  const notices: string[] = [];
  const again = await opened({ dataDir: damaged, onNotice: (text) => notices.push(text) });
  expect(notices.join()).toMatch(/journal-\d+\.ndjson cannot be read/);
  expect(JSON.stringify(people(again))).not.toContain('0190');
});

test('What a kill left is removed at the next start.', async () => {
  const dataDir = freshFolder();
  // As of a process that used --memory; no process has such an id.
  const abandoned = join(tmpdir(), 'sandpiper-999999999-Ab3dEf');
  const left = [join(dataDir, 'snapshots', '.part-0c4e'), join(dataDir, 'state.json.tmp'), join(abandoned, 'codes')];
  for (const path of left) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'half');
  }
  await opened({ dataDir });
  await opened();
  expect(left.filter((path) => existsSync(path))).toEqual([]);
});
