import { beforeEach, expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { toShownWebhookId } from '../../emulator/features/graphql/nodes.ts';
import { consent, demoApp } from '../support/oauth.ts';
import { useSandbox, type CallOptions } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const url = 'http://localhost:3000/webhooks';
const events = ['sms.subscribed', 'email.opened'];

interface Written {
  readonly id: string;
  readonly disabledAt: string | null;
}

const make = async (json: object = { url, events }, options: CallOptions = {}) =>
  (await sandbox.call('POST', '/webhooks', { json, ...options })).body as Written;
const change = (id: string, json: object, options: CallOptions = {}) =>
  sandbox.call('PUT', `/webhooks/${id}`, { json: { url, events, ...json }, ...options });
const list = async (options: CallOptions = {}) =>
  ((await sandbox.call('GET', '/webhooks', options)).body as { webhooks: Written[] }).webhooks;

test('a webhook is created, listed, changed and deleted', async () => {
  const made = await sandbox.call('POST', '/webhooks', { json: { url, events } });
  const { id } = made.body as Written;
  const shown = { id, url, events, disabledAt: null };
  expect([made.status, made.body]).toEqual([201, { ...shown, type: 'INSTALLED' }]);
  expect(await list()).toEqual([{ ...shown, type: 'SUBSCRIPTION', companyId: demoCompany }]);

  const other = { url: 'http://localhost:3001/', events: ['sms.sent'] };
  const changed = await change(id, other);
  expect([changed.status, changed.body]).toEqual([200, { ...shown, ...other, type: 'INSTALLED' }]);
  expect(await list()).toMatchObject([other]);

  const deleted = await sandbox.call('DELETE', `/webhooks/${id}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect(await list()).toEqual([]);
  expect((await sandbox.call('DELETE', `/webhooks/${id}`)).status).toBe(404);
});

test('a webhook shows since when it is disabled, until it is enabled', async () => {
  const { clock } = sandbox.emulator.deps;
  clock.freeze(true);
  await clock.set(Date.parse('2027-01-02T03:04:05.678Z'));
  const { id } = await make();
  const since = '2027-01-02 03:04:05';
  expect((await change(id, { disabled: true })).body).toMatchObject({ disabledAt: since });
  await clock.advance(60_000);
  expect((await change(id, { disabled: true })).body).toMatchObject({ disabledAt: since });
  expect((await change(id, {})).body).toMatchObject({ disabledAt: since });
  expect(await list()).toMatchObject([{ disabledAt: since }]);
  expect((await change(id, { disabled: false })).body).toMatchObject({ disabledAt: null });
});

test('an address without its scheme is refused with the address that was meant', async () => {
  const answer = await sandbox.call('POST', '/webhooks', { json: { url: 'localhost:3000/hooks', events } });
  const { refusal } = await answer.exchange();
  expect(refusal?.message).toBe(
    'url must begin with http:// or https://, not "localhost:3000/hooks". Did you mean "http://localhost:3000/hooks"?',
  );
  expect(refusal?.fix.edits).toMatchObject([{ op: 'set', value: 'http://localhost:3000/hooks' }]);
});

test('a webhook that is read by its id is read in the list, and a GET is not made a change', async () => {
  const { id } = await make();
  const answer = await sandbox.call('GET', `/webhooks/${id}`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT, DELETE']);
  expect((await answer.exchange()).refusal?.fix).toEqual({
    say: 'Send GET to /v1/webhooks.',
    edits: [{ op: 'set', place: { in: 'path', at: '' }, value: '/v1/webhooks' }],
  });
});

test('a type that is listed twice is kept once', async () => {
  const { id } = await make({ url, events: ['sms.sent', 'sms.sent'] });
  expect(await list()).toMatchObject([{ events: ['sms.sent'] }]);
  await change(id, { events: ['email.opened', 'sms.sent', 'email.opened'] });
  expect(await list()).toMatchObject([{ events: ['email.opened', 'sms.sent'] }]);
});

/** A token of the public app for a company that installs it. */
async function install(company?: string): Promise<string> {
  const form = { ...demoApp, grant_type: 'authorization_code', code: await consent(sandbox, {}, company) };
  const exchanged = await sandbox.call('POST', '/authorization-codes/tokens', { form, key: null });
  return (exchanged.body as { access_token: string }).access_token;
}

test.for<readonly [string, () => Promise<string>]>([
  ['another app of the same company', async () => 'sandpiper-demo-key'],
  ['the same app for another company', () => install('Dunlin Outfitters')],
])('webhooks of %s are neither shown, nor changed, nor deleted', async ([, owner]) => {
  const own = { key: await owner() };
  const { id } = await make({ url, events }, own);
  const key = await install();
  expect(await list({ key })).toEqual([]);
  expect((await change(id, { url: 'http://localhost:3001/' }, { key })).rule).toBe('webhooks.unknown');
  expect((await sandbox.call('DELETE', `/webhooks/${id}`, { key })).rule).toBe('webhooks.unknown');
  const query = `{ node(id: "${toShownWebhookId(id)}") { id } viewer { installedApplication { webhooks { id } } } }`;
  const answer = await sandbox.call('POST', '/graphql', { json: { query }, key });
  expect(answer.body).toMatchObject({ data: { node: null, viewer: { installedApplication: { webhooks: [] } } } });
  expect(await list(own)).toMatchObject([{ id, url }]);
});
