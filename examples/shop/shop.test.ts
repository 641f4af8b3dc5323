import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from 'sandpiper/testing';
import type { ShopConfig } from './config.ts';
import { startShop, type Shop } from './shop.ts';
import type { OnEvent } from './webhooks.ts';
import world from './world.ts';

const signingKey = 'a-key-from-the-settings-page';
let sandbox: Sandbox;
let shops: Shop[] = [];

beforeEach(async () => {
  // Each shop listens on a port of its own, and so registers a webhook of its own.
  sandbox = await createSandbox({ world: { ...world, webhooks: [] } });
});

afterEach(async () => {
  for (const shop of shops) await shop.close();
  shops = [];
  await sandbox.close();
});

async function start(onEvent?: OnEvent, changes: Partial<ShopConfig> = {}): Promise<Shop> {
  const config: ShopConfig = {
    baseUrl: sandbox.apiUrl,
    authUrl: sandbox.authUrl,
    apiKey: null,
    clientId: 'shop-client',
    clientSecret: 'shop-secret',
    signingKey,
    host: '127.0.0.1',
    port: 0,
    dataFile: null,
    pollMs: 5,
    ...changes,
  };
  const shop = await startShop(config, onEvent);
  shops.push(shop);
  return shop;
}

/** The browser of a person who installs the shop, up to the callback. */
async function consent(shop: Shop, decision?: { company?: string; approve?: boolean }) {
  const begun = await fetch(`${shop.url}/install`, { redirect: 'manual' });
  const callback = await sandbox.decideInstall(begun.headers.get('location') ?? '', decision);
  return { callback, cookie: (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

async function install(shop: Shop, company?: string): Promise<string> {
  const { callback, cookie } = await consent(shop, company === undefined ? {} : { company });
  const answer = await fetch(callback, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { companyId: string }).companyId;
}

async function post(shop: Shop, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(shop.url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

const listen = (shop: Shop) =>
  sandbox.control.createWebhook({ url: `${shop.url}/webhooks`, events: ['sms.subscribed'], signingKey });

const product = (id: string, changes: object = {}): object => ({
  id,
  name: 'T-Shirt',
  link: 'https://shop.example.com/shirt',
  lastUpdated: '2026-01-31T09:30:00Z',
  variants: [
    {
      id: `${id}-s`,
      name: 'T-Shirt, small',
      link: 'https://shop.example.com/shirt?size=s',
      prices: [{ currencyCode: 'USD', amount: '19.99' }],
      availableForPurchase: true,
      inventoryQuantity: 3,
      lastUpdated: '2026-01-31T09:30:00Z',
    },
  ],
  ...changes,
});

test('each company that installs the shop gets a token of its own', async () => {
  const shop = await start();
  const one = await install(shop, 'Acme');
  const other = await install(shop, 'Brant');
  expect(shop.storage.installation(one)?.companyName).toBe('Acme');
  expect(shop.storage.installation(other)?.companyName).toBe('Brant');
  expect(shop.storage.installation(one)?.accessToken).not.toBe(shop.storage.installation(other)?.accessToken);
});

test('a shop with the key of its own company needs no installation', async () => {
  const shop = await start(undefined, { apiKey: sandbox.key });
  expect(shop.storage.installations()).toMatchObject([{ companyName: 'Acme', accessToken: 'acme-shop-key' }]);
});

test('an installation that this browser did not begin is refused, and no code is exchanged', async () => {
  const shop = await start();
  const { callback, cookie } = await consent(shop);
  const wrong = new URL(callback);
  wrong.searchParams.set('state', 'somebody-else');
  expect((await fetch(wrong, { headers: { cookie } })).status).toBe(403);
  expect((await fetch(callback)).status).toBe(403);
  expect(sandbox.requests({ operation: 'POST /authorization-codes/tokens' })).toEqual([]);
  expect((await fetch(callback, { headers: { cookie } })).status).toBe(200);
});

test('a person who says no sees that, and a code that is too old installs nothing', async () => {
  const shop = await start();
  const denied = await consent(shop, { approve: false });
  const answer = await fetch(denied.callback, { headers: { cookie: denied.cookie } });
  expect(await answer.json()).toEqual({ message: 'Not installed: access_denied.' });
  const late = await consent(shop);
  await sandbox.clock.advance('3m');
  expect((await fetch(late.callback, { headers: { cookie: late.cookie } })).status).toBe(400);
});

test('a customer is subscribed and a purchase reported, for the company that was named', async () => {
  const shop = await start();
  const companyId = await install(shop);
  expect(await post(shop, `/companies/${companyId}/subscribers`, { phone: '+15555550190' })).toMatchObject({
    status: 202,
    body: { subscriptionResponses: [{ subscriptionCreationStatus: 'NEWLY_CREATED' }] },
  });
  const items = [{ productId: 'shirt', productVariantId: 'shirt-s', price: [{ value: 19.99 }] }];
  const order = { orderId: 'order-1', email: 'ada@example.com', items };
  expect((await post(shop, `/companies/${companyId}/orders`, order)).status).toBe(202);
  const purchase = await sandbox.waitForRequest({ operation: 'POST /events/ecommerce/purchase', status: '2xx' });
  expect(purchase).toMatchObject({
    companyId,
    sent: { orderId: 'order-1', user: { email: 'ada@example.com' }, items },
  });
  expect((await post(shop, '/companies/nobody/orders', order)).status).toBe(404);
});

test('what the platform refuses, the shop passes on with its reason', async () => {
  const shop = await start();
  const companyId = await install(shop);
  const refused = await post(shop, `/companies/${companyId}/subscribers`, { phone: '555-0190' });
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('E.164') } });
});

test('a 429 is waited out as long as Retry-After asks', async () => {
  const shop = await start();
  const companyId = await install(shop);
  await sandbox.fault({ operation: 'POST /subscriptions', status: 429, retryAfter: 1 });
  expect((await post(shop, `/companies/${companyId}/subscribers`, { phone: '+15555550190' })).status).toBe(202);
  const [refused, again] = sandbox.requests({ operation: 'POST /subscriptions' });
  expect([refused?.status, again?.status]).toEqual([429, 202]);
  expect(again?.early).toBeNull();
  expect(Date.parse(again?.wallAt ?? '') - Date.parse(refused?.wallAt ?? '')).toBeGreaterThanOrEqual(990);
  expect(await sandbox.control.limits()).toMatchObject({ early: 0 });
});

test('a catalog is uploaded and polled until it is saved; lines with errors are reported', async () => {
  const shop = await start();
  const companyId = await install(shop);
  const products = [product('shirt'), product('cap', { name: undefined })];
  expect(await post(shop, `/companies/${companyId}/catalog`, { products })).toMatchObject({
    status: 200,
    body: { status: 'completed', productsProcessed: 1, errors: [{ errorType: 'catalog.field-required', lineNum: 2 }] },
  });
});

test('a catalog is polled through every state at a pace like the platform’s', async () => {
  await sandbox.control.setPace('realistic');
  const shop = await start();
  const companyId = await install(shop);
  const uploading = post(shop, `/companies/${companyId}/catalog`, { products: [product('shirt')] });
  const polled = (status: string) =>
    sandbox.waitForRequest(({ operation, answered }) => {
      return (
        operation === 'GET /product-catalog/uploads/{uploadId}' && (answered as { status: string }).status === status
      );
    });
  await polled('validating');
  await sandbox.clock.advance('2s');
  await polled('validated');
  await sandbox.clock.advance('15s');
  expect(await uploading).toMatchObject({ body: { status: 'completed', errors: [] } });
});

test('a new subscription of a customer arrives by webhook', async () => {
  const shop = await start();
  const companyId = await install(shop);
  await listen(shop);
  await post(shop, `/companies/${companyId}/subscribers`, { phone: '+15555550190' });
  const { eventId } = await sandbox.waitForDelivery({ type: 'sms.subscribed', state: 'delivered' });
  expect(shop.storage.events()).toMatchObject([
    { id: eventId, type: 'sms.subscribed', payload: { subscriber: { phone: '+15555550190' } } },
  ]);
});

test('a bad signature is refused with 401, and nothing is stored', async () => {
  const shop = await start(undefined, { signingKey: 'another-key' });
  await listen(shop);
  const { deliveries } = await sandbox.trigger({ type: 'sms.subscribed' });
  expect(deliveries[0]?.attempts[0]?.response?.status).toBe(401);
  for (const signature of ['', 'zz', createHmac('sha256', 'another-key').update('{} ').digest('hex')]) {
    const headers = { 'x-attentive-hmac-sha256': signature };
    expect((await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  }
  expect(shop.storage.events()).toEqual([]);
});

test('a duplicate delivery is answered and stored once, also when both come at the same time', async () => {
  const taken: string[] = [];
  const shop = await start(({ id }) => void taken.push(id));
  await listen(shop);
  const { deliveries } = await sandbox.trigger({ type: 'sms.subscribed' });
  const [first] = deliveries;
  await sandbox.control.redeliver(first?.id ?? '');
  await sandbox.waitForDelivery(({ attemptCount, state }) => attemptCount === 2 && state === 'delivered');
  expect(taken).toEqual([first?.eventId]);

  const { body, headers } = await sandbox.trigger({ type: 'sms.subscribed', dryRun: true });
  const signed = { ...headers, 'x-attentive-hmac-sha256': createHmac('sha256', signingKey).update(body).digest('hex') };
  const deliver = () => fetch(`${shop.url}/webhooks`, { method: 'POST', headers: signed, body });
  const answers = await Promise.all([deliver(), deliver(), deliver()]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(taken).toHaveLength(2);
  expect(shop.storage.events()).toHaveLength(2);
});

test('an event that the shop failed at is stored when the platform sends it again', async () => {
  let fails = true;
  const shop = await start(() => {
    if (fails) throw new Error('The database is down.');
  });
  await listen(shop);
  const { eventId, deliveries } = await sandbox.trigger({ type: 'sms.subscribed' });
  expect(deliveries[0]).toMatchObject({ state: 'retrying', attempts: [{ response: { status: 500 } }] });
  expect(shop.storage.events()).toEqual([]);
  fails = false;
  await sandbox.clock.advance('5s');
  const delivered = await sandbox.waitForDelivery({ eventId, state: 'delivered' });
  expect(delivered.attemptCount).toBe(2);
  expect(shop.storage.events()).toMatchObject([{ id: eventId }]);
});

test('an event that failed for three days is stored when it is redelivered by hand', async () => {
  let fails = true;
  const shop = await start(() => {
    if (fails) throw new Error('The database is down.');
  });
  const { id } = await listen(shop);
  await sandbox.trigger({ type: 'sms.subscribed' });
  await sandbox.clock.advance('4d');
  const failed = await sandbox.waitForDelivery({ state: 'failed' });
  expect(failed.attemptCount).toBeGreaterThan(5);
  fails = false;
  // The platform disables a webhook that failed for days.
  await sandbox.control.call('POST /control/webhooks/{id}', { params: { id }, body: { disabled: false } });
  await sandbox.control.redeliver(failed.id);
  await sandbox.waitForDelivery({ eventId: failed.eventId, state: 'delivered' });
  expect(shop.storage.events()).toMatchObject([{ id: failed.eventId }]);
});
