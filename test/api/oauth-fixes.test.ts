import { expect, onTestFinished, test } from 'vitest';
import { applyFix } from '../rules/apply-fix.ts';
import { consent, demoApp } from '../support/oauth.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
const path = '/authorization-codes/tokens';
type Form = Readonly<Record<string, string>>;

const exchange = (form: Form, headers: Form = {}) => sandbox.call('POST', path, { key: null, form, headers });
const without = (form: Form, name: string): Form =>
  Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** A second public app, whose codes are sent to another address. */
async function makeOther(): Promise<typeof demoApp> {
  const { store } = sandbox.emulator.deps;
  const { companyId = '' } = store.apps.records()[0] ?? {};
  const redirect_uri = 'http://localhost:5000/installed';
  const { id } = (
    await sandbox.control('POST', '/control/apps', {
      companyId,
      name: 'Other app',
      kind: 'public',
      scopes: ['webhooks:write'],
      redirectUris: [redirect_uri],
    })
  ).body as { id: string };
  const app = store.apps.get(id);
  return { client_id: app?.clientId ?? '', client_secret: app?.clientSecret ?? '', redirect_uri };
}

/** The rule that refuses, and the answer once its fix is applied. */
async function fixed(form: Form) {
  const refused = await exchange(form);
  const edits = (await refused.exchange()).refusal?.fix.edits ?? [];
  const request = applyFix({ method: 'POST', path, key: null, form }, edits);
  return { rule: refused.rule, status: (await sandbox.call('POST', path, request)).status };
}

const held = 'webhooks:write events:write';

test.for([
  ['webhooks:write+events:write', 'its + was encoded', held],
  ['webhooks:write%20events:write', 'its %20 was encoded', held],
  ['webhooks:write%2cevents:write', 'its %2c was encoded', held],
  ['webhooks:write++events:write+everything', 'does not have the scope "everything"', held],
  ['webhooks:write everything events:write', 'does not have the scope "everything"', held],
  ['Webhooks:Write events:write', 'does not have the scope "Webhooks:Write"', held],
  ['event:write', 'does not have the scope "event:write"', 'events:write'],
] as const)(
  'the scopes %j are refused, and the fix asks for those that the app has and that are meant',
  async ([scope, says, asks]) => {
    const query = { client_id: demoApp.client_id, redirect_uri: demoApp.redirect_uri, scope };
    const install = { method: 'GET', path: '/integrations/oauth-install', key: null, query };
    const { refusal } = await (await sandbox.call('GET', install.path, install)).exchange();
    expect(refusal).toMatchObject({ rule: 'install.scope', place: { in: 'query', at: 'scope' } });
    expect(refusal?.message).toContain(says);
    const fixed = applyFix(install, refusal?.fix.edits ?? []);
    expect(fixed.query?.['scope']).toBe(asks);
    expect((await sandbox.call('GET', install.path, fixed)).status).toBe(200);
  },
);

test('another grant is refused as one, before the fields that it does not have', async () => {
  const { client_id, client_secret } = demoApp;
  const answer = await exchange({ grant_type: 'client_credentials', client_id, client_secret });
  expect(answer.rule).toBe('oauth.unsupported-grant-type');
  expect(answer.body).toMatchObject({ error: 'unsupported_grant_type' });
});

test('the fix of a missing redirect_uri is the one of the install call', async () => {
  const redirect_uri = 'http://localhost:5555/callback';
  const code = await consent(sandbox, { redirect_uri });
  const form = { grant_type: 'authorization_code', ...without(demoApp, 'redirect_uri'), code };
  expect(await fixed(form)).toEqual({ rule: 'oauth.invalid-request.missing', status: 200 });
});

test.each(['client_id', 'client_secret', 'redirect_uri'])(
  'the fix of a missing %s is that of the app that sends',
  async (name) => {
    const other = await makeOther();
    const code = await consent(sandbox, { client_id: other.client_id, redirect_uri: other.redirect_uri });
    const form = { grant_type: 'authorization_code', ...without(other, name), code };
    expect(await fixed(form)).toEqual({ rule: 'oauth.invalid-request.missing', status: 200 });
  },
);

test('the fix of a wrong client_id or client_secret is that of the app of the code', async () => {
  const other = await makeOther();
  for (const [name, rule] of [
    ['client_id', 'oauth.invalid-client.unknown'],
    ['client_secret', 'oauth.invalid-client.secret'],
  ] as const) {
    const code = await consent(sandbox, { client_id: other.client_id, redirect_uri: other.redirect_uri });
    const form = { grant_type: 'authorization_code', ...other, code, [name]: 'guess' };
    expect(await fixed(form)).toEqual({ rule, status: 200 });
  }
});

test('without a known code the secret says which app is meant', async () => {
  const other = await makeOther();
  const refused = await exchange({ grant_type: 'authorization_code', code: 'x', ...without(other, 'client_id') });
  expect((await refused.exchange()).refusal?.fix.edits).toMatchObject([{ value: other.client_id }]);
});

test('a client_id beside HTTP Basic is the same one', async () => {
  const other = await makeOther();
  const code = await consent(sandbox, { client_id: other.client_id, redirect_uri: other.redirect_uri });
  const form = { grant_type: 'authorization_code', code, redirect_uri: other.redirect_uri };
  const header = basic(other.client_id, other.client_secret);
  const refused = await exchange({ ...form, client_id: demoApp.client_id }, header);
  expect([refused.status, refused.rule]).toEqual([400, 'oauth.invalid-request.other-client-id']);
  expect((await exchange({ ...form, client_id: other.client_id }, header)).status).toBe(200);
});

test('where there is no public app, every fix is to create one', async () => {
  await sandbox.emulator.reset('empty');
  onTestFinished(() => sandbox.reset());
  const form = { grant_type: 'authorization_code', code: 'x', ...demoApp };
  for (const answer of [
    await exchange({ grant_type: 'authorization_code' }),
    await exchange(form),
    await exchange(without(without(form, 'client_id'), 'client_secret'), basic('a', 'b')),
    await sandbox.call('GET', '/integrations/oauth-install', { key: null, query: { client_id: demoApp.client_id } }),
  ]) {
    const say = 'There is no public app yet: create one, then send its client_id and secret.';
    expect((await answer.exchange()).refusal?.fix, answer.text).toEqual({ say, edits: [] });
  }
});
