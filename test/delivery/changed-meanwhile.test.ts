import { expect, test } from 'vitest';
import type { WebhookView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';
import { startReceiver, type Receiver } from './support.ts';

const sandbox = useSandbox();
const events = ['custom_attribute.set'];
const setAttribute = () =>
  sandbox.call('POST', '/attributes/custom', {
    json: { properties: { size: 'M' }, user: { phone: '+15555550100' } },
  });
const put = (id: string, json: object) => sandbox.call('PUT', `/webhooks/${id}`, { json: { events, ...json } });
const settled = () => sandbox.emulator.deps.deliveries.settled();

async function webhookAt(url: string): Promise<string> {
  const { body } = await sandbox.call('POST', '/webhooks', { json: { url, events } });
  return (body as { id: string }).id;
}

async function seen(id: string): Promise<WebhookView> {
  const { body } = await sandbox.control('GET', '/control/webhooks');
  const found = (body as { webhooks: readonly WebhookView[] }).webhooks.find((one) => one.id === id);
  if (!found) throw new Error(`There is no webhook ${id}.`);
  return found;
}

/** A receiver that answers only when it is told to. */
async function startSlowReceiver(status: number): Promise<Receiver & { readonly answer: () => void }> {
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const receiver = await startReceiver((response) => {
    response.statusCode = status;
    void asked.then(() => response.end());
  });
  return { ...receiver, answer };
}

test('a failure at an address that was replaced meanwhile says nothing about the new one', async () => {
  const former = await startSlowReceiver(500);
  const present = await startReceiver();
  const id = await webhookAt(former.url);
  await setAttribute();
  await former.count(1);
  expect((await put(id, { url: present.url })).body).toMatchObject({ url: present.url, disabledAt: null });
  former.answer();
  await settled();
  expect(await seen(id)).toMatchObject({ url: present.url, disabledAt: null, failingSince: null });
  await sandbox.control('POST', '/control/clock', { advance: '10s' });
  expect(present.got.map(({ body }) => body)).toEqual(former.got.map(({ body }) => body));
  await sandbox.call('DELETE', `/webhooks/${id}`);
});

test('a webhook that failed at its former address begins again at a new one', async () => {
  const former = await startReceiver((response) => void response.writeHead(500).end());
  const id = await webhookAt(former.url);
  await setAttribute();
  await settled();
  expect((await seen(id)).failingSince).not.toBe(null);
  await put(id, { url: former.url });
  expect((await seen(id)).failingSince).not.toBe(null);
  await put(id, { url: `${former.url}/new` });
  expect((await seen(id)).failingSince).toBe(null);
  await sandbox.call('DELETE', `/webhooks/${id}`);
});

test('a change by the API changes the address, the event types and whether it is disabled, and no other field', async () => {
  const id = await webhookAt('http://localhost:3000/');
  const before = await seen(id);
  const shownId = 'V2ViaG9vazox';
  const sent = { reach: 'any', signingKey: 'chosen-by-the-client', disabledAt: '2026-01-02 03:04:05', id: shownId };
  const answer = await put(id, { url: 'http://localhost:3001/', ...sent });
  expect(answer).toMatchObject({ status: 200, body: { id, url: 'http://localhost:3001/', disabledAt: null } });
  const { notes } = await answer.exchange();
  expect(await seen(id)).toEqual({ ...before, url: 'http://localhost:3001/' });
  expect((await sandbox.call('PUT', `/webhooks/${shownId}`, { json: { url: before.url, events } })).status).toBe(404);
  for (const name of Object.keys(sent))
    expect(notes.join(' ')).toContain(`${name} is not a field of this operation and was ignored.`);
  await sandbox.call('DELETE', `/webhooks/${id}`);
});
