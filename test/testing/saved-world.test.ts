import { expect, onTestFinished, test } from 'vitest';
import type { WorldDeclaration } from '../../emulator/config.ts';
import { createSandbox, type Sandbox } from '../../emulator/testing.ts';

const small: WorldDeclaration = { companies: [{ name: 'Acme' }], apps: [{ name: 'Shop', key: 'acme-shop-key' }] };

async function sandboxOf(declared: WorldDeclaration): Promise<Sandbox> {
  const sandbox = await createSandbox({ world: declared });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function save({ control }: Sandbox) {
  const { world, leftOut } = await control.call('GET /control/world');
  return { world: world as WorldDeclaration, leftOut };
}

/** A call of a client, which is accepted. */
async function send({ apiUrl }: Sandbox, method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(apiUrl + path, {
    method,
    headers: { authorization: 'Bearer acme-shop-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([path, answer.ok ? '' : await answer.text()]).toEqual([path, '']);
}

const long = (count: number): string => '\u{1F6D2}'.repeat(count);

test('what the API accepts at its limits is the same after it was saved and loaded', async () => {
  const sandbox = await sandboxOf(small);
  const { control } = sandbox;
  const [{ id: companyId = '' } = {}] = await control.records('companies');
  await control.call('POST /control/companies', { body: { name: long(100) } });
  await control.call('POST /control/companies', { body: { name: long(100) } });
  await control.call('POST /control/apps', { body: { companyId, kind: 'private', name: long(100), scopes: [] } });
  const redirectUris = [`http://localhost/${'a'.repeat(2_000)}`];
  await control.call('POST /control/apps', {
    body: { companyId, kind: 'public', name: 'Public', scopes: [], redirectUris },
  });
  const locale = { language: 'en', country: 'US' };
  await control.call('POST /control/sign-up-units', {
    body: { companyId, ...locale, type: 'MARKETING', name: long(100) },
  });
  await control.call('POST /control/attributes', {
    body: { companyId, name: 'size', type: 'number', values: ['1e21', '1.5'] },
  });
  const offer = await control.call('POST /control/offers', {
    body: { companyId, name: long(200), window: 'never-expire' },
  });
  await send(sandbox, 'POST', `/coupons/coupon-pool/${offer.id}/create`, { codes: [long(256), 'A'] });
  await send(sandbox, 'POST', '/webhooks', { url: `http://127.0.0.1:9/${'a'.repeat(2_000)}`, events: ['sms.sent'] });
  const query = 'mutation { createWebhook(input: { url: "http://127.0.0.1:9/none" }) { webhook { id } } }';
  await send(sandbox, 'POST', '/graphql', { query });
  const email = `${'a'.repeat(60)}@${'b'.repeat(185)}.example`;
  const externalIdentifiers = {
    clientUserId: long(3_000),
    shopifyId: long(300),
    klaviyoId: long(300),
    customIdentifiers: [{ name: long(300), value: long(300) }],
  };
  const properties = {
    [long(200)]: long(3_000),
    large: 1e21,
    small: 1e-7,
    negative: -1.5e300,
    none: '',
    truth: false,
    size: '1e21',
  };
  await send(sandbox, 'POST', '/attributes/custom', { user: { email, externalIdentifiers }, properties });
  await send(sandbox, 'POST', '/subscriptions', { user: { email }, locale, subscriptionType: 'MARKETING' });

  const { world } = await save(sandbox);
  expect(world.subscribers?.[0]?.attributes).toMatchObject({ large: '1e+21', small: '1e-7' });
  expect((await save(await sandboxOf(world))).world).toEqual(world);
});

test('an app without scopes has none after its world was saved and loaded', async () => {
  const apps = [{ name: 'Shop', key: 'acme-shop-key', scopes: [] }];
  const { world } = await save(await sandboxOf({ ...small, apps }));
  const again = await sandboxOf(world);
  expect(await again.control.records('apps')).toMatchObject([{ scopes: [] }]);
});

test('a revoked key does not come back as another one that works, and the saved world says that it is left out', async () => {
  const sandbox = await sandboxOf(small);
  const [key] = await sandbox.control.records('credentials');
  await sandbox.control.call('DELETE /control/credentials/{id}', { params: { id: key?.id ?? '' } });
  const { world, leftOut } = await save(sandbox);
  expect(leftOut).toEqual(['1 revoked API key']);
  expect(await (await sandboxOf(world)).control.records('credentials')).toEqual([]);
});
