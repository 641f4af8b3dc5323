/** A move by hand is undone with all that followed from it. */
import { beforeEach, expect, test } from 'vitest';
import type { NewUploadView, UndoableView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { product, toFile } from '../catalog/support.ts';
import { useSandbox } from '../support/sandbox.ts';
import { startReceiver } from '../delivery/support.ts';

const sandbox = useSandbox({ pace: 'manual' });
beforeEach(() => sandbox.reset());

async function move(kind: string, id: string, event: string): Promise<number> {
  return (await sandbox.control('POST', `/control/records/${kind}/${id}/moves`, { event })).status;
}
/** What was done since the reset. */
const undoable = async (): Promise<readonly UndoableView[]> => {
  const { undo: all } = (await sandbox.control('GET', '/control/undo')).body as {
    readonly undo: readonly UndoableView[];
  };
  return all.slice(
    0,
    all.findIndex(({ code }) => code === 'world.reset'),
  );
};
const undo = async (): Promise<number> => (await sandbox.control('POST', '/control/undo', {})).status;
const stateOf = async (kind: string, id: string): Promise<string> =>
  ((await sandbox.control('GET', `/control/records/${kind}/${id}`)).body as { readonly state: string }).state;
const records = (name: 'users' | 'subscriptions'): string =>
  JSON.stringify([...sandbox.emulator.deps.store[name].all()]);

test('people that a privacy request deleted are there again after an undo, each at its place', async () => {
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  const { id } = body as { readonly id: string };
  const before = [records('users'), records('subscriptions')];
  await move('privacy-requests', id, 'start');
  await move('privacy-requests', id, 'finish');
  expect(records('users')).not.toContain('+15555550100');
  expect(await undoable()).toMatchObject([
    { code: 'record.moved', says: `The privacy request ${id} was moved to processed.`, takesBack: 'this' },
    { code: 'record.moved', says: `The privacy request ${id} was moved to processing.` },
  ]);
  await undo();
  expect([records('users'), records('subscriptions')]).toEqual(before);
  expect(await stateOf('privacy-requests', id)).toBe('processing');
  await sandbox.control('POST', '/control/redo', {});
  expect(records('users')).not.toContain('+15555550100');
});

test('products that an upload saved are gone after an undo, and it can be saved again', async () => {
  const made = await sandbox.control('POST', '/control/uploads', { companyId: demoCompany, validateOnly: false });
  const { id } = made.body as NewUploadView;
  await fetch(`${sandbox.emulator.inspectorUrl}/control/uploads/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${sandbox.emulator.token}` },
    body: toFile([product('a')]),
  });
  await expect.poll(() => move('uploads', id, 'checked')).toBe(200);
  const saved = async (): Promise<string> =>
    JSON.stringify((await sandbox.control('GET', `/control/catalog/${demoCompany}/products`)).body);
  const before = await saved();
  for (const turn of ['first', 'second']) {
    expect(await move('uploads', id, 'save'), turn).toBe(200);
    expect(await saved()).not.toBe(before);
    await undo();
    expect([await saved(), await stateOf('uploads', id)]).toEqual([before, 'validated']);
  }
});

test('a move that the state does not allow leaves nothing to undo', async () => {
  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  const [request] = sandbox.emulator.deps.store.privacyRequests.all();
  expect(await move('privacy-requests', request?.id ?? '', 'finish')).toBe(409);
  expect(await undoable()).toEqual([]);
});

test('a delivery that is moved by hand is sent, which no undo takes back', async () => {
  const receiver = await startReceiver();
  await sandbox.control('POST', '/control/webhooks', { url: receiver.url, events: ['sms.subscribed'] });
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  await expect.poll(() => receiver.got.length).toBe(1);
  const [delivery] = sandbox.emulator.deps.store.deliveries.all();
  await expect.poll(() => stateOf('deliveries', delivery?.id ?? '')).toBe('delivered');
  await move('deliveries', delivery?.id ?? '', 'redeliver');
  await expect.poll(() => receiver.got.length).toBe(2);
  expect((await undoable()).map(({ code }) => code)).toEqual(['webhook.created']);
});
