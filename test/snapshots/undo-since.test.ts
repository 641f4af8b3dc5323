/** An undo beside what apps changed since the edit. */
import { expect, test } from 'vitest';
import type { UndoneView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { CollectionName } from '../../emulator/records.ts';
import { startReceiver } from '../delivery/support.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, everything, freshFolder, opened } from '../support/world.ts';

const undo = async (sandbox: Sandbox) => (await act<{ undone: string }>(sandbox, 'POST', '/control/undo')).undone;

test('undoing a change brings back nothing that an app deleted since', async () => {
  const sandbox = await opened();
  const json = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  const { id } = (await sandbox.call('POST', '/webhooks', { json })).body as { id: string };
  await act(sandbox, 'POST', `/control/webhooks/${id}`, { url: 'http://localhost:3000/other' });
  expect((await sandbox.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
  expect(await undo(sandbox)).toContain('was changed');
  expect((await sandbox.call('GET', '/webhooks')).body).toEqual({ webhooks: [] });
});

test('undoing a change takes back only what is still as it made it, and leaves what an app set since', async () => {
  const sandbox = await opened();
  const { store } = sandbox.emulator.deps;
  const json = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  const { id } = (await sandbox.call('POST', '/webhooks', { json })).body as { id: string };
  await act(sandbox, 'POST', `/control/webhooks/${id}`, {
    url: 'http://localhost:3000/other',
    events: ['email.opened'],
  });
  const moved = { url: 'http://localhost:3000/moved', events: ['email.opened'] };
  expect((await sandbox.call('PUT', `/webhooks/${id}`, { json: moved })).status).toBe(200);
  expect(await undo(sandbox)).toContain('was changed');
  expect(store.webhooks.get(id)).toMatchObject({ url: moved.url, events: json.events });
  await act(sandbox, 'POST', '/control/redo');
  expect(store.webhooks.get(id)).toMatchObject(moved);
});

test('undoing that a webhook was enabled brings back why it had disabled itself', async () => {
  const sandbox = await opened();
  const { store } = sandbox.emulator.deps;
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const hook = { url: receiver.url, events: ['custom_attribute.set'] };
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/webhooks', hook);
  const json = { properties: { size: 5 }, user: { email: 'ada@example.com' } };
  expect((await sandbox.call('POST', '/attributes/custom', { json })).status).toBe(200);
  await act(sandbox, 'POST', '/control/clock', { advance: '3d' });
  await expect.poll(() => store.webhooks.get(id)?.disabledReason).toMatch(/^nothing was accepted since /);
  const before = store.webhooks.get(id);
  await act(sandbox, 'POST', `/control/webhooks/${id}`, { disabled: false });
  expect(store.webhooks.get(id)).toMatchObject({ disabledAt: null, disabledReason: null, failingSince: null });
  await undo(sandbox);
  expect(store.webhooks.get(id)).toEqual(before);
  await act(sandbox, 'POST', '/control/redo');
  expect(store.webhooks.get(id)).toMatchObject({ disabledAt: null, disabledReason: null, failingSince: null });
});

test('what apps change in the same moment as an undo or a redo comes before it or after it, as any other change', async () => {
  const sandbox = await opened();
  const { id } = await act<{ id: string }>(sandbox, 'POST', '/control/webhooks', {
    url: 'http://localhost:3000/hooks',
    events: ['sms.sent'],
  });
  let order: CollectionName[] = [];
  sandbox.emulator.deps.store.onCommit((changes) => order.push(...changes.map(({ collection }) => collection)));
  const amongEvents = async (path: string): Promise<number> => {
    order = [];
    const json = { type: 'Visited', user: { email: 'ada@example.com' } };
    const events = Array.from({ length: 6 }, () => sandbox.call('POST', '/events/custom', { json }));
    const { status } = await sandbox.control('POST', path, {});
    await Promise.all(events);
    return status;
  };
  for (let round = 0; round < 5; round += 1) {
    await act(sandbox, 'POST', `/control/webhooks/${id}`, { url: `http://localhost:3000/${round}` });
    await amongEvents('/control/undo');
    const { redo } = await act<{ redo: readonly object[] }>(sandbox, 'GET', '/control/undo');
    expect(redo).toHaveLength(order.at(-1) === 'webhooks' ? 1 : 0);

    await act(sandbox, 'POST', `/control/webhooks/${id}`, { url: `http://localhost:3000/${round}` });
    await act(sandbox, 'POST', '/control/undo');
    const status = await amongEvents('/control/redo');
    expect([status, order[0]]).toEqual(order.includes('webhooks') ? [200, 'webhooks'] : [409, 'events']);
    expect(await act(sandbox, 'GET', '/control/undo')).toMatchObject({ redo: [] });
  }
});

const undone = (sandbox: Sandbox) => act<UndoneView>(sandbox, 'POST', '/control/undo');

test('undoing that a company was created says what else it removed, and redo brings all of it back', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const company = await act<{ id: string; key: string }>(sandbox, 'POST', '/control/companies', { name: 'Curlew' });
  const call = (path: string, json: object) => sandbox.call('POST', path, { json, key: company.key });
  const url = 'http://localhost:3000/hooks';
  expect((await call('/webhooks', { url, events: ['sms.sent'] })).status).toBe(201);
  expect((await call('/webhooks', { url: `${url}/2`, events: ['sms.sent'] })).status).toBe(201);
  const event = { type: 'Visited', user: { email: 'mary@example.com' } };
  expect((await call('/events/custom', event)).status).toBe(200);
  const before = everything(sandbox);
  expect(await undone(sandbox)).toMatchObject({
    code: 'company.created',
    note: 'Also removed, as made since then: 2 webhooks, 1 person, 1 event.',
  });
  await act(sandbox, 'POST', '/control/redo');
  expect(everything(sandbox)).toEqual(before);
});

test('undoing that an app was created says which webhooks went with it', async () => {
  const sandbox = await opened();
  const app = { companyId: demoCompany, kind: 'private', name: 'Reader', scopes: ['webhooks:write'] };
  const { key } = await act<{ key: string }>(sandbox, 'POST', '/control/apps', app);
  const json = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  const webhooks = async () => (await sandbox.call('GET', '/webhooks', { key })).body;
  await sandbox.call('POST', '/webhooks', { json, key });
  const before = await webhooks();
  expect((await undone(sandbox)).note).toBe('Also removed, as made since then: 1 webhook.');
  await act(sandbox, 'POST', '/control/redo');
  expect(await webhooks()).toEqual(before);
});

test('an undo says which fields it leaves as others changed them, and whether it changed anything', async () => {
  const sandbox = await opened();
  const json = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  const { id } = (await sandbox.call('POST', '/webhooks', { json })).body as { id: string };
  const change = () =>
    act(sandbox, 'POST', `/control/webhooks/${id}`, { url: 'http://localhost:3000/other', events: ['email.opened'] });
  const put = (url: string, events: readonly string[]) =>
    sandbox.call('PUT', `/webhooks/${id}`, { json: { url, events } });
  await change();
  expect((await undone(sandbox)).note).toBe(null);
  await change();
  await put('http://localhost:3000/moved', ['email.opened']);
  expect((await undone(sandbox)).note).toBe('Left as changed since then: url of the webhook.');
  await change();
  await put('http://localhost:3000/again', ['email.sent']);
  expect((await undone(sandbox)).note).toBe(
    'This changed nothing. Left as changed since then: url, events of the webhook.',
  );
  await change();
  await sandbox.call('DELETE', `/webhooks/${id}`);
  expect((await undone(sandbox)).note).toBe(
    'This changed nothing. Deleted since then, and not brought back: 1 webhook.',
  );
});

/** An attribute of the demo company, made by hand, and a person's value of it, sent by an app. */
const size = `/control/attributes/${encodeURIComponent(`${demoCompany}:size`)}`;
const defineSize = (sandbox: Sandbox) =>
  act(sandbox, 'POST', '/control/attributes', { companyId: demoCompany, name: 'size', type: 'number', values: null });
const setSize = async (sandbox: Sandbox, value: string | number, email: string) => {
  const json = { properties: { size: value }, user: { email } };
  expect((await sandbox.call('POST', '/attributes/custom', { json })).status).toBe(200);
};

test("an attribute's former type does not come back over a value that was set since", async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await defineSize(sandbox);
  await act(sandbox, 'POST', size, { type: 'string' });
  await setSize(sandbox, 'XL', 'ada@example.com');
  const before = everything(sandbox);
  const { status, body } = await sandbox.control('POST', '/control/undo', {});
  expect([status, body]).toEqual([409, expect.objectContaining({ message: expect.stringContaining('"XL"') })]);
  expect(everything(sandbox)).toEqual(before);
  await setSize(sandbox, '7', 'ada@example.com');
  expect(await undo(sandbox)).toBe('The attribute “size” was changed.');
});

test('a deleted attribute comes back beside what was set since, and without the values of people who are gone', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await defineSize(sandbox);
  for (const [at, email] of ['stays@example.com', 'changes@example.com', 'goes@example.com'].entries())
    await setSize(sandbox, at, email);
  await act(sandbox, 'DELETE', size);
  await setSize(sandbox, '9', 'changes@example.com');
  const { store, clock } = sandbox.emulator.deps;
  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectEmail: 'goes@example.com' } });
  await clock.advance(0);
  expect(await undone(sandbox)).toMatchObject({
    undone: expect.stringContaining('was deleted'),
    note: 'Made again since then, and left so: 1 attribute value, 1 attribute.',
  });
  const sizes = store.attributeValues.records().filter(({ name }) => name === 'size');
  expect(sizes.map(({ value }) => value).toSorted()).toEqual(['0', '9']);
  expect(store.attributeDefinitions.get(`${demoCompany}:size`)).toMatchObject({ type: 'string', origin: 'api' });

  await act(sandbox, 'DELETE', size);
  await setSize(sandbox, 'XL', 'changes@example.com');
  await undo(sandbox);
  expect(store.attributeValues.records().map(({ value }) => value)).toContain('XL');
});

test.each([
  ['nothing', null, null],
  ['a change', { user: { phone: '+15555550199' }, signUpSourceId: '100001' }, 'Everything since was undone with it.'],
] as const)('an undo of an advance, since which came %s, says whether it took that back, too', async (...row) => {
  const [, json, note] = row;
  const sandbox = await opened();
  const webhook = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  expect((await sandbox.call('POST', '/webhooks', { json: webhook })).status).toBe(201);
  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  if (json !== null) expect((await sandbox.call('POST', '/subscriptions', { json })).status).toBe(202);
  const edit = { code: 'clock.advanced', takesBack: json === null ? 'this' : 'everything' };
  const listed = () => act(sandbox, 'GET', '/control/undo');
  expect(await listed()).toMatchObject({ undo: [edit] });
  expect(await undone(sandbox)).toMatchObject({ ...edit, note });
  expect(await listed()).toMatchObject({ undo: [], redo: [edit] });
  await act(sandbox, 'POST', '/control/redo');
  expect(await listed()).toMatchObject({ undo: [edit] });
  expect(await undone(sandbox)).toMatchObject({ ...edit, note });
});

test('an undo of everything since does not count what was undone before it', async () => {
  const sandbox = await opened({ pace: 'manual' });
  const json = { subjectEmail: 'ada@example.com' };
  const { id } = (await sandbox.call('POST', '/privacy/delete-request', { json })).body as { id: string };
  const move = (event: string) => act(sandbox, 'POST', `/control/records/privacy-requests/${id}/moves`, { event });
  await move('start');
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await move('finish');
  await act(sandbox, 'POST', '/control/webhooks', { url: 'http://localhost:3000/hooks', events: ['sms.sent'] });
  const codes = ['webhook.created', 'record.moved', 'clock.frozen', 'record.moved'];
  for (const code of codes) expect(await undone(sandbox)).toMatchObject({ code, note: null });
  for (const _ of codes) await act(sandbox, 'POST', '/control/redo');
  for (const code of codes) expect(await undone(sandbox)).toMatchObject({ code, note: null });
});

test('an undo of an advance says that it took back what an app did meanwhile', async () => {
  const sandbox = await opened();
  const json = { user: { phone: '+15555550199' }, signUpSourceId: '100001' };
  const receiver = await startReceiver((response, _got, round) => {
    if (round === 1) return void response.writeHead(500).end();
    void sandbox.call('POST', '/subscriptions', { json }).then(({ status }) => response.writeHead(status).end());
  });
  await act(sandbox, 'POST', '/control/webhooks', { url: receiver.url, events: ['email.opened'] });
  await act(sandbox, 'POST', '/control/trigger', { type: 'email.opened' });
  await act(sandbox, 'POST', '/control/clock', { advance: '1h' });
  const stateOf = () => [...sandbox.emulator.deps.store.deliveries.all()].map(({ state }) => state);
  await expect.poll(stateOf).toEqual(['delivered']);
  expect((await undone(sandbox)).note).toBe('Everything since was undone with it.');
});
