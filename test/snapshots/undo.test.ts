import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { undoLimit } from '../../emulator/world/undo.ts';
import type { RedoableView, RedoneView, UndoableView } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { callAt } from '../support/look-back.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { onFullDisk } from '../support/full-disk.ts';
import { act, addCodes, everything, freshFolder, opened } from '../support/world.ts';

const undo = (sandbox: Sandbox) =>
  act<{ undone: string; takesBack: string }>(sandbox, 'POST', '/control/undo').then(({ undone }) => undone);
const acts = async (sandbox: Sandbox) =>
  (await act<{ undo: UndoableView[] }>(sandbox, 'GET', '/control/undo')).undo.map(({ says }) => says);

test('undoing a reset restores everything, including the files and the recorded requests', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await addCodes(sandbox, ['A', 'B']);
  await sandbox.emulator.deps.clock.advance(0);
  const before = everything(sandbox);
  await act(sandbox, 'POST', '/control/reset', { world: 'empty' });
  expect(sandbox.emulator.recorder.size).toBe(0);
  expect(everything(sandbox).files).toEqual({});
  expect(await undo(sandbox)).toBe('Everything was reset to an empty store.');
  expect(everything(sandbox)).toEqual(before);
  expect(sandbox.emulator.recorder.all().map(({ method }) => method)).toEqual(['POST']);
});

test('undoing a reset restores the faults, the limits and the first steps, and redo clears them again', async () => {
  const sandbox = await opened();
  const inMemory = async () => ({
    faults: (await act<{ faults: unknown[] }>(sandbox, 'GET', '/control/faults')).faults,
    limits: await act(sandbox, 'GET', '/control/limits'),
    steps: await act(sandbox, 'GET', '/control/first-steps'),
  });
  await act(sandbox, 'POST', '/control/faults', { operation: 'GET /me', status: 500, times: 2 });
  await act(sandbox, 'POST', '/control/limits', { mode: 'off' });
  await sandbox.call('GET', '/me');
  const before = await inMemory();
  await act(sandbox, 'POST', '/control/reset', { world: 'demo' });
  const cleared = await inMemory();
  expect(cleared.faults).toEqual([]);
  await undo(sandbox);
  expect(await inMemory()).toEqual(before);
  await act(sandbox, 'POST', '/control/redo');
  expect(await inMemory()).toEqual(cleared);
});

test('undoing a restore and an import, newest first', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await act(sandbox, 'POST', '/control/snapshots', { name: 'early' });
  const file = await act(sandbox, 'GET', '/control/export?secrets=true');
  await addCodes(sandbox, ['A']);
  await sandbox.emulator.deps.clock.advance(0);
  const before = everything(sandbox);
  await act(sandbox, 'POST', '/control/snapshots/early/restore', {});
  await act(sandbox, 'POST', '/control/import?mode=merge', file);
  expect(await acts(sandbox)).toEqual(['A file was merged in.', 'The snapshot "early" was restored.']);
  await undo(sandbox);
  expect(await undo(sandbox)).toBe('The snapshot "early" was restored.');
  expect(everything(sandbox)).toEqual(before);
  const nothing = await sandbox.control('POST', '/control/undo');
  expect(nothing).toMatchObject({ status: 409, body: { message: expect.stringContaining('nothing to undo') } });
});

test('undoing a merge restores the codes that it replaced', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await addCodes(sandbox, ['A']);
  await sandbox.emulator.deps.clock.advance(0);
  const before = everything(sandbox);
  const file = await act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true');
  const files = file.files.map((one) => (one.kind === 'codes' ? { ...one, lines: ['EDITED'] } : one));
  await act(sandbox, 'POST', '/control/import?mode=merge', { ...file, files });
  expect(everything(sandbox).files).not.toEqual(before.files);
  await undo(sandbox);
  expect(everything(sandbox)).toEqual(before);
});

test('undoing an advance rewinds it', async () => {
  const sandbox = await opened();
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const { now } = await act<{ now: string }>(sandbox, 'GET', '/control/clock');
  await act(sandbox, 'POST', '/control/clock', { advance: '30d' });
  expect(await undo(sandbox)).toBe(`Time was advanced by 30 d, from ${now}.`);
  expect((await act<{ now: string }>(sandbox, 'GET', '/control/clock')).now).toBe(now);
});

test('undoing a revoked credential makes it valid again, and reverts nothing else', async () => {
  const sandbox = await opened();
  const key = { companyId: demoCompany, secret: 'a-key-of-my-own' };
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/credentials', key);
  const me = async () => (await sandbox.call('GET', '/me', { key: key.secret })).status;
  expect(await me()).toBe(200);
  await act(sandbox, 'DELETE', `/control/credentials/${id}`);
  await addCodes(sandbox, ['A']);
  expect(await me()).toBe(401);
  expect(await undo(sandbox)).toBe('A key of “Unnamed app” was revoked.');
  expect(await me()).toBe(200);
  expect(sandbox.emulator.deps.store.offerUploads.size).toBe(1);
});

test('undoing a deleted webhook restores it with its key', async () => {
  const sandbox = await opened();
  const url = 'http://localhost:3000/hooks';
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.sent'] });
  const before = sandbox.emulator.deps.store.webhooks.get(id);
  await act(sandbox, 'DELETE', `/control/webhooks/${id}`);
  expect(await undo(sandbox)).toContain(`The webhook to ${before?.url} was deleted.`);
  expect(sandbox.emulator.deps.store.webhooks.get(id)).toEqual(before);
});

test('a delete that was refused leaves nothing to undo', async () => {
  const sandbox = await opened();
  expect((await sandbox.control('DELETE', '/control/webhooks/none')).status).toBe(404);
  expect((await sandbox.control('POST', '/control/clock', { advance: '99999000d' })).status).toBe(400);
  expect(await acts(sandbox)).toEqual([]);
});

test('cleared requests come back, before those recorded since', async () => {
  const sandbox = await opened();
  await sandbox.call('GET', '/me');
  await act(sandbox, 'DELETE', '/control/requests');
  await sandbox.call('GET', '/webhooks', { key: null });
  await undo(sandbox);
  expect(sandbox.emulator.recorder.all().map(({ url }) => url)).toEqual(['/v1/me', '/v1/webhooks']);
});

test('rewinding past a reset also reverts the reset', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const before = everything(sandbox);
  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  await act(sandbox, 'POST', '/control/reset', { world: 'empty' });
  await act(sandbox, 'POST', '/control/clock', { rewind: true });
  expect(everything(sandbox)).toEqual(before);
  expect(await acts(sandbox)).toEqual([expect.stringContaining('The clock was frozen')]);
});

test('the oldest changes are forgotten', async () => {
  const sandbox = await opened();
  for (let n = 1; n <= undoLimit + 2; n++) await act(sandbox, 'POST', '/control/clock', { advance: `${n}s` });
  const remembered = await acts(sandbox);
  expect(remembered).toHaveLength(undoLimit);
  expect(remembered.at(-1)).toContain('advanced by 3 s');
});

test('what is being undone is not forgotten for what is done meanwhile', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const { store } = sandbox.emulator.deps;
  // To write this many takes longer than a few edits.
  store.transact(() => {
    for (let at = 0; at < 20_000; at += 1) store.settings.put({ id: `test-${at}`, value: 'some words' });
  });
  await addCodes(sandbox, ['ONE']);
  const rename = (name: string) => act(sandbox, 'POST', '/control/offers/54102', { name });
  await rename('First');
  await act(sandbox, 'POST', '/control/clock', { advance: '1h' });
  for (let at = 0; at < 18; at += 1) await rename(`Offer ${at}`);
  const rewound = act(sandbox, 'POST', '/control/clock', { rewind: true });
  for (let at = 0; at < 5; at += 1) await rename(`Meanwhile ${at}`);
  expect(await rewound).toMatchObject({ rewound: { code: 'clock.advanced' }, rewind: null });
});

test('a reply to what can be undone names its id and its code, and that id undoes it', async () => {
  const sandbox = await opened();
  const { inspectorUrl, token } = sandbox.emulator;
  const post = (path: string, json: object) =>
    fetch(inspectorUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
  const nameOf = ({ headers }: Response) => [headers.get('x-sandbox-undo'), headers.get('x-sandbox-undo-code')];
  const [resetId, resetCode] = nameOf(await post('/control/reset', { world: 'empty' }));
  expect(resetCode).toBe('world.reset');
  const [advancedId, advancedCode] = nameOf(await post('/control/clock', { advance: '1d' }));
  expect(advancedCode).toBe('clock.advanced');
  expect(nameOf(await post('/control/clock', { advance: 'nonsense' }))).toEqual([null, null]);
  const { undo } = await act<{ undo: { id: string; code: string }[] }>(sandbox, 'GET', '/control/undo');
  expect(undo.map(({ id, code }) => [id, code])).toEqual([
    [advancedId, 'clock.advanced'],
    [resetId, 'world.reset'],
  ]);

  const early = await sandbox.control('POST', '/control/undo', { id: resetId });
  expect(early.status).toBe(409);
  expect(sandbox.emulator.deps.store.companies.size).toBe(0);
  expect(await act(sandbox, 'POST', '/control/undo', { id: resetId, andNewer: true })).toMatchObject({
    id: resetId,
    code: 'world.reset',
  });
  expect(sandbox.emulator.deps.store.companies.size).toBe(2);
  expect((await sandbox.control('POST', '/control/undo', { id: resetId })).status).toBe(409);
});

const redo = (sandbox: Sandbox) =>
  act<{ id: string; redone: string }>(sandbox, 'POST', '/control/redo').then(({ redone }) => redone);

test('redo repeats what undo reverted, and it can be undone again', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await addCodes(sandbox, ['A', 'B']);
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await sandbox.emulator.deps.clock.advance(0);
  const before = everything(sandbox);
  await act(sandbox, 'POST', '/control/reset', { world: 'empty' });
  sandbox.emulator.deps.clock.freeze(true);
  const after = everything(sandbox);
  await undo(sandbox);
  expect(everything(sandbox)).toEqual(before);
  expect(sandbox.emulator.recorder.size).toBe(1);
  expect(await redo(sandbox)).toBe('Everything was reset to an empty store.');
  expect(everything(sandbox)).toEqual(after);
  expect(sandbox.emulator.recorder.size).toBe(0);
  expect(await undo(sandbox)).toBe('Everything was reset to an empty store.');
  expect(everything(sandbox)).toEqual(before);
});

test('changes that were undone one after the other are redone in order', async () => {
  const sandbox = await opened();
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const key = { companyId: demoCompany, secret: 'a-key-of-my-own' };
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/credentials', key);
  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  await act(sandbox, 'DELETE', `/control/credentials/${id}`);
  const after = everything(sandbox);
  const done = await acts(sandbox);
  await undo(sandbox);
  await undo(sandbox);
  expect(sandbox.emulator.deps.store.credentials.get(id)).toBeDefined();
  expect(await redo(sandbox)).toContain('advanced by 1 d');
  expect(await redo(sandbox)).toBe('A key of “Unnamed app” was revoked.');
  expect(everything(sandbox)).toEqual(after);
  expect(await acts(sandbox)).toEqual(done);
  const nothing = await sandbox.control('POST', '/control/redo');
  expect(nothing).toMatchObject({ status: 409, body: { message: expect.stringContaining('nothing to redo') } });
});

test('an undone act cannot be redone after another change', async () => {
  const sandbox = await opened();
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await act(sandbox, 'POST', '/control/reset', { world: 'empty' });
  await undo(sandbox);
  await addCodes(sandbox, ['A']);
  const before = everything(sandbox);
  expect((await sandbox.control('POST', '/control/redo')).status).toBe(409);
  expect(everything(sandbox)).toEqual(before);

  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  await undo(sandbox);
  await act(sandbox, 'DELETE', '/control/requests');
  expect((await sandbox.control('POST', '/control/redo')).status).toBe(409);
});

test.runIf(process.platform === 'linux')('a redo that could not be stored is the next one still', async () => {
  const sandbox = await onFullDisk();
  sandbox.makeRoom();
  const hook = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  await act(sandbox, 'POST', '/control/webhooks', hook);
  await undo(sandbox);
  await sandbox.fill();
  expect(await sandbox.control('POST', '/control/redo')).toMatchObject({
    status: 507,
    body: { message: expect.stringContaining('ENOSPC') },
  });
  sandbox.makeRoom();
  expect(await redo(sandbox)).toContain('was created');
});

test('restored requests are cleared again by redo, and those recorded since stay', async () => {
  const sandbox = await opened();
  await sandbox.call('GET', '/me');
  await act(sandbox, 'DELETE', '/control/requests');
  await undo(sandbox);
  await sandbox.call('GET', '/webhooks', { key: null });
  await redo(sandbox);
  expect(sandbox.emulator.recorder.all().map(({ url }) => url)).toEqual(['/v1/webhooks']);
  await undo(sandbox);
  expect(sandbox.emulator.recorder.all().map(({ url }) => url)).toEqual(['/v1/me', '/v1/webhooks']);
});

test('a redo may name its act, and is refused where another one is next', async () => {
  const sandbox = await opened();
  await sandbox.call('GET', '/me');
  await act(sandbox, 'DELETE', '/control/requests');
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/undo');
  expect((await sandbox.control('POST', '/control/redo', { id: 'undo_99' })).status).toBe(409);
  expect(sandbox.emulator.recorder.size).toBe(1);
  expect(await act(sandbox, 'POST', '/control/redo', { id })).toMatchObject({ id, code: 'requests.cleared' });
  expect(sandbox.emulator.recorder.size).toBe(0);
});

test('redo after a rewind restores everything to the state before it, including every act', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const start = everything(sandbox);
  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  const offer = { companyId: demoCompany, name: 'Winter', window: 'never-expire' };
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/offers', offer);
  await sandbox.call('GET', '/me');
  await act(sandbox, 'DELETE', '/control/requests');
  await act(sandbox, 'POST', `/control/offers/${id}`, { name: 'Spring' });
  const [before, listed] = [everything(sandbox), await acts(sandbox)];

  await act(sandbox, 'POST', '/control/clock', { rewind: true });
  expect(everything(sandbox)).toEqual(start);
  expect(await acts(sandbox)).toEqual([expect.stringContaining('The clock was frozen')]);
  expect(sandbox.emulator.recorder.all().map(({ url }) => url)).toEqual(['/v1/me']);
  const { redo: next } = await act<{ redo: RedoableView[] }>(sandbox, 'GET', '/control/undo');
  expect(next).toMatchObject([{ code: 'clock.advanced', later: 3 }]);

  const redone = await act<RedoneView>(sandbox, 'POST', '/control/redo');
  expect(redone).toMatchObject({ id: next[0]?.id, code: 'clock.advanced', later: 3 });
  expect(everything(sandbox)).toEqual(before);
  expect(await acts(sandbox)).toEqual(listed);
  expect(sandbox.emulator.recorder.size).toBe(0);

  expect(await undo(sandbox)).toBe('The offer “Spring” was changed.');
  expect(sandbox.emulator.deps.store.offers.get(id)?.name).toBe('Winter');
  expect(await undo(sandbox)).toBe('The recorded requests were cleared.');
  expect(await undo(sandbox)).toBe('The offer “Winter” was created.');
  expect(await undo(sandbox)).toContain('advanced by 1 d');
  expect(everything(sandbox)).toEqual(start);
});

test('undoing a change keeps later changes by others, and redo restores both', async () => {
  const sandbox = await opened();
  const url = 'http://localhost:3000/hooks';
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.sent'] });
  await act(sandbox, 'POST', `/control/webhooks/${id}`, { url: 'http://localhost:3000/other' });
  const { store } = sandbox.emulator.deps;
  const known = store.webhooks.get(id);
  if (!known) throw new Error('The webhook is not stored.');
  store.transact(() => store.webhooks.put({ ...known, failingSince: '2026-01-31T12:00:00Z' }));
  expect(await undo(sandbox)).toBe(`The webhook to ${url} was changed.`);
  expect(store.webhooks.get(id)).toMatchObject({ url, failingSince: '2026-01-31T12:00:00Z' });
  await redo(sandbox);
  expect(store.webhooks.get(id)).toMatchObject({
    url: 'http://localhost:3000/other',
    failingSince: '2026-01-31T12:00:00Z',
  });
});

test('what was deleted is at its place again after an undo, also after a kill and for who looks back', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  for (const name of ['Curlew', 'Plover', 'Dunlin']) await act(sandbox, 'POST', '/control/companies', { name });
  const companies = async (of: Sandbox) => {
    const { records } = await act<{ records: { id: string; name: string }[] }>(of, 'GET', '/control/records/companies');
    return records;
  };
  const before = everything(sandbox);
  const [first, second, third] = await companies(sandbox);
  // Two that follow each other, the later one first, and the one that counts where none is named.
  for (const { id } of [third, second, first].flatMap((one) => one ?? []))
    await act(sandbox, 'DELETE', `/control/companies/${id}`);
  const deleted = everything(sandbox);
  for (let count = 0; count < 3; count += 1) await undo(sandbox);
  expect(everything(sandbox)).toEqual(before);
  for (let count = 0; count < 3; count += 1) await act(sandbox, 'POST', '/control/redo');
  expect(everything(sandbox)).toEqual(deleted);
  for (let count = 0; count < 3; count += 1) await undo(sandbox);
  expect(everything(sandbox)).toEqual(before);
  // What a start reads after a kill: the journal.
  const copy = freshFolder();
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !/instance|lock|control\.json/.test(path) });
  expect(everything(await opened({ dataDir: copy })).state).toBe(before.state);
  const { now } = await act<{ now: string }>(sandbox, 'GET', '/control/clock');
  const { body } = await callAt(sandbox.emulator, '/control/records/companies', now);
  expect(body).toMatchObject({ records: await companies(sandbox) });
});

test('of several that were deleted at once, each is at its place again after an undo', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const { companies, apps } = sandbox.emulator.deps.store;
  const [, other] = companies.records();
  // A key of one app, one of another, and one of the first again: they are deleted app by app.
  const second = { companyId: other?.id, kind: 'private', name: 'Second', scopes: ['webhooks:write'] };
  await act(sandbox, 'POST', '/control/apps', second);
  const first = apps.records().find(({ companyId }) => companyId === other?.id);
  await act(sandbox, 'POST', `/control/apps/${first?.id}/keys`, {});
  const before = everything(sandbox);
  await act(sandbox, 'DELETE', `/control/companies/${other?.id}`);
  expect(everything(sandbox).state).not.toBe(before.state);
  await undo(sandbox);
  expect(everything(sandbox)).toEqual(before);
});

test('undoing a deletion tells only of what was deleted', async () => {
  const sandbox = await opened();
  const urls = ['first', 'second'].map((name) => `http://localhost:3000/${name}`);
  const ids: string[] = [];
  for (const url of urls)
    ids.push((await act<{ id: string }>(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.sent'] })).id);
  await act(sandbox, 'DELETE', `/control/webhooks/${ids[0]}`);
  const told: string[] = [];
  sandbox.emulator.deps.store.onCommit((changes) => told.push(...changes.map(({ id }) => id)));
  await undo(sandbox);
  expect(told).toEqual([ids[0]]);
  expect([...sandbox.emulator.deps.store.webhooks.all()].map(({ id }) => id)).toEqual(ids);
});
