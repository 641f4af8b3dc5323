import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { RestoredView } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { run } from '../support/process.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, addCodes, everything, freshFolder, opened, productNames, upload } from '../support/world.ts';

const exported = (sandbox: Sandbox, secrets: boolean) =>
  act<Snapshot>(sandbox, 'GET', `/control/export?secrets=${secrets}`);

/** One record of nearly every kind, and of every kind of file. */
async function fill(sandbox: Sandbox): Promise<void> {
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await act(sandbox, 'POST', '/control/clock', { set: '2026-03-01T12:00:00Z' });
  await upload(sandbox, ['a', 'b']);
  await addCodes(sandbox, ['ONE', 'T\nWO', 'ÜÑ']);
  await act(sandbox, 'POST', '/control/clock', { advance: '1m' });
  const user = { phone: '+15555550188', email: 'p@example.com' };
  await act(sandbox, 'POST', '/control/webhooks', { url: 'http://127.0.0.1:9/x', events: ['sms.subscribed'] });
  await sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await sandbox.call('POST', '/attributes/custom', { json: { user, properties: { size: 'S' } } });
  await sandbox.call('POST', '/events/custom', {
    json: { type: 'Visited', user, properties: { prototype: 'p', constructor: 'Ferrari' } },
  });
  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  await sandbox.emulator.deps.deliveries.settled();
  await sandbox.emulator.deps.clock.advance(0);
  // Deliveries paused by hand stay as they are; an import would pause all waiting ones.
  for (const { id } of sandbox.emulator.deps.store.deliveries.all())
    await act(sandbox, 'POST', `/control/records/deliveries/${id}/moves`, { event: 'pause' });
  // Received but not yet checked: this file still belongs to the state.
  await act(sandbox, 'POST', '/control/pace', { pace: 'manual' });
  await upload(sandbox, ['c']);
  await sandbox.emulator.deps.clock.advance(0);
}

test('an export imported into a second emulator gives the same state there', async () => {
  const first = await opened({ pace: 'realistic', dataDir: freshFolder() });
  await fill(first);
  const second = await opened({ pace: 'realistic', dataDir: freshFolder() });
  const file = await exported(first, true);
  expect(file.files.map(({ kind }) => kind).sort()).toEqual(
    expect.arrayContaining(['codes', 'products', 'upload-good', 'upload-issues']),
  );
  const { records, renewedSecrets } = await act<RestoredView>(second, 'POST', '/control/import', file);
  expect(records).toBeGreaterThan(30);
  expect(renewedSecrets).toEqual([]);
  expect(everything(second).state).toBe(everything(first).state);
  expect(await productNames(second, demoCompany)).toEqual({ a: 'Shirt', b: 'Shirt' });
  const again = await exported(second, true);
  expect({ ...again, savedAt: '', wallAt: '' }).toEqual({ ...file, savedAt: '', wallAt: '' });

  const { id } = [...second.emulator.deps.store.uploads.all()].at(-1) ?? { id: '' };
  await act(second, 'POST', `/control/records/uploads/${id}/moves`, { event: 'checked' });
  await act(second, 'POST', `/control/records/uploads/${id}/moves`, { event: 'save' });
  expect(Object.keys(await productNames(second, demoCompany))).toEqual(['c', 'a', 'b']);
});

test('an import or a seed with a sequence smaller than its ids overwrites no record', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const file = { ...(await exported(sandbox, true)), sequence: 1 };
  const path = join(freshFolder(), 'seed.json');
  writeFileSync(path, JSON.stringify(file));
  const seeded = await opened({ seed: path });
  await act(sandbox, 'POST', '/control/import', file);
  await act(sandbox, 'POST', '/control/import?mode=merge', file);
  for (const one of [sandbox, seeded]) {
    const before = [...one.emulator.deps.store.users.all()];
    expect(before).toEqual(file.collections.users);
    for (let at = 0; at < 20; at++)
      await one.call('POST', '/subscriptions', {
        json: { user: { email: `new-${at}@example.com` }, signUpSourceId: '100001' },
      });
    const after = [...one.emulator.deps.store.users.all()];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(before.length + 20);
  }
});

const planted = 'planted-secret-4711';

/** Every secret that an emulator may have, planted. */
async function plant(sandbox: Sandbox): Promise<void> {
  const { store } = sandbox.emulator.deps;
  const [app] = store.apps.all();
  const common = { companyId: demoCompany, appId: app?.id ?? '', createdAt: '2026-03-01T12:00:00.000Z' };
  store.transact(() => {
    if (app) store.apps.put({ ...app, clientSecret: `${planted}-app` });
    const credential = { scopes: [], expiresAt: null, revokedAt: null };
    store.credentials.put({ id: 'cr', ...common, kind: 'api-key', secret: `${planted}-key`, ...credential });
    store.credentials.put({ id: 'to', ...common, kind: 'oauth-token', secret: `${planted}-token`, ...credential });
    store.authorizationCodes.put({
      id: 'co',
      ...common,
      code: `${planted}-code`,
      redirectUri: 'http://localhost:3000/callback',
      scopes: [],
      expiresAt: common.createdAt,
      usedAt: null,
    });
    store.webhooks.put({
      id: 'wh',
      ...common,
      url: 'http://localhost:3000/hooks',
      events: ['sms.sent'],
      signingKey: `${planted}-signing`,
      previousKey: { key: `${planted}-previous`, until: common.createdAt },
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      reach: 'loopback',
    });
    store.settings.put({ id: 'upload-link-secret', value: `${planted}-links` });
  });
}

test('an export contains no secret unless requested', async () => {
  const sandbox = await opened();
  await plant(sandbox);
  await act(sandbox, 'POST', '/control/snapshots', { name: 'kept' });
  const count = (value: unknown) => JSON.stringify(value).split(planted).length - 1;
  expect(count(await exported(sandbox, true))).toBe(7);
  expect(count(await exported(sandbox, false))).toBe(0);
  expect(count(await act(sandbox, 'GET', '/control/export'))).toBe(0);
  expect(count(await act(sandbox, 'GET', '/control/snapshots/kept/export'))).toBe(0);
  expect(count(await act(sandbox, 'GET', '/control/snapshots/kept/export?secrets=true'))).toBe(7);
  expect(JSON.stringify(await exported(sandbox, false))).toContain('sandpiper-demo-key');
});

test('masked secrets are replaced by new ones in another emulator, and kept in the same one', async () => {
  const home = await opened();
  await plant(home);
  const file = await exported(home, false);
  const elsewhere = await opened();
  const { renewedSecrets } = await act<RestoredView>(elsewhere, 'POST', '/control/import', file);
  expect(renewedSecrets.map(({ kind }) => kind).sort()).toEqual(
    ['apps', 'authorization-codes', 'credentials', 'credentials', 'settings', 'webhooks'].sort(),
  );
  const all = JSON.stringify(elsewhere.emulator.deps.store.toDocument());
  expect(all).not.toContain('(masked)');
  const { secret = '' } = elsewhere.emulator.deps.store.credentials.get('cr') ?? {};
  expect(secret.length).toBeGreaterThan(20);
  expect((await elsewhere.call('GET', '/me', { key: secret })).status).toBe(200);

  expect(await act(home, 'POST', '/control/import', file)).toMatchObject({ renewedSecrets: [] });
  expect(home.emulator.deps.store.credentials.get('cr')?.secret).toBe(`${planted}-key`);
  expect(home.emulator.deps.store.webhooks.get('wh')?.previousKey?.key).toBe(`${planted}-previous`);
});

test('an emulator starts with the data of a seed instead of the demo data', async () => {
  const first = await opened({ dataDir: freshFolder() });
  await fill(first);
  const path = join(freshFolder(), 'seed.json');
  writeFileSync(path, JSON.stringify(await exported(first, true)));
  const dataDir = freshFolder();
  const second = await startSandbox({ dataDir, seed: path });
  expect(everything(second).state).toBe(everything(first).state);
  expect(await act(second, 'GET', '/control/undo')).toEqual({ undo: [], redo: [] });
  await second.close();

  const notices: string[] = [];
  const third = await opened({ dataDir, seed: path, onNotice: (text) => notices.push(text) });
  expect(everything(third).state).toBe(everything(first).state);
  expect(notices.join()).toContain('was not used');
});

test.each([
  [null, 'There is no file '],
  [
    '{"sandpiper":',
    'is not JSON: at line 1, column 14, it ends where a value is expected. "sandpiper snapshot export"',
  ],
  ['{}', 'it has no "sandpiper": "snapshot"'],
  ['{"sandpiper":"snapshot","format":7}', 'newer Sandpiper'],
  ['{"sandpiper":"snapshot","format":1,"collections":{"__proto__":[]}}', 'the key "__proto__"'],
])('a seed %j stops the start with a message, and leaves no lock', async (text, message) => {
  const path = join(freshFolder(), 'seed.json');
  if (text !== null) writeFileSync(path, text);
  const dataDir = freshFolder();
  await expect(startSandbox({ dataDir, seed: path })).rejects.toThrow(message);
  await expect(startSandbox({ dataDir, seed: path })).rejects.toThrow(path);
  await opened({ dataDir });
});

test('sandpiper serve --seed names the file that it cannot use', async () => {
  const { code, stderr } = await run([
    'serve',
    '--memory',
    '--port',
    '0',
    '--inspector-port',
    '0',
    '--seed',
    'nowhere.json',
  ]);
  expect(code).toBe(2);
  expect(stderr).toBe(`sandpiper: There is no file ${resolve('nowhere.json')}.\n`);
});
