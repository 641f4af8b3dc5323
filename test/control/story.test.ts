import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RequestSummary } from '../../emulator/control/contract/parts.ts';
import { RecordedExchange } from '../../emulator/http/record/recorded-exchange.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

async function story(method: string, path: string, json?: unknown): Promise<readonly [string | null, string | null]> {
  await sandbox.call(method, path, json === undefined ? {} : { json });
  const { body } = await sandbox.control('GET', '/control/requests?limit=1');
  const [{ about, did }] = (body as { requests: readonly [RequestSummary] }).requests;
  return [about, did];
}

const phone = '+15555550177';
const subscription = { user: { phone }, locale: { language: 'en', country: 'US' }, subscriptionType: 'MARKETING' };

test('a subscription says who was subscribed to what, and how', async () => {
  expect(await story('POST', '/subscriptions', subscription)).toEqual([
    phone,
    'subscribed to MARKETING by text, new person',
  ]);
  expect(await story('POST', '/subscriptions', subscription)).toEqual([phone, 'was subscribed already']);
  const end = { user: { phone }, subscriptions: [{ type: 'MARKETING', channel: 'TEXT' }] };
  expect(await story('POST', '/subscriptions/unsubscribe', end)).toEqual([
    phone,
    'unsubscribed from MARKETING by text',
  ]);
});

test('an event says what happened, and to whom', async () => {
  const event = { type: 'Cart updated', properties: { sku: '1' }, user: { email: 'story@example.com' } };
  expect(await story('POST', '/events/custom', event)).toEqual([
    'story@example.com',
    'event “Cart updated”, new person',
  ]);
});

test('attributes, deletions, codes, uploads and webhooks say what they are about', async () => {
  const set = { user: { phone: '+15555550100' }, properties: { size: 'M', shoe: '42', hat: 'L' } };
  expect(await story('POST', '/attributes/custom', set)).toEqual(['+15555550100', 'set size and 2 more']);
  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['sms.sent'] };
  expect(await story('POST', '/webhooks', webhook)).toEqual([webhook.url, 'created a webhook for sms.sent']);
  const [upload, opened] = await story('POST', '/product-catalog/uploads', { validateOnly: true });
  expect([upload, opened]).toEqual([expect.stringMatching(/./), 'opened an upload, to be checked only']);
  expect(await story('GET', `/product-catalog/uploads/${upload}`)).toEqual([upload, null]);
});

test('a refused request names whom it was about, and did nothing', async () => {
  expect(await story('POST', '/subscriptions', { user: { phone: '5555550199' } })).toEqual(['5555550199', null]);
  expect(await story('GET', '/subscriptions?phone=%2B15555550100')).toEqual(['+15555550100', null]);
  // As the operation reads a plus that was sent raw.
  expect(await story('GET', '/subscriptions?phone=+15555550100')).toEqual(['+15555550100', null]);
});

test('a GraphQL request is named by its operation, or by its first field, and is about whom it names', async () => {
  const named = { query: 'query Viewer { viewer { __typename } }' };
  expect(await newest(named)).toMatchObject({ graphql: 'Viewer', about: null });
  expect(await newest({ query: '{ __schema { queryType { name } } }' })).toMatchObject({ graphql: '__schema' });
  const byPhone = { query: 'query Me($phone: String) { __typename }', variables: { phone } };
  expect(await newest(byPhone)).toMatchObject({ graphql: 'Me', about: phone });
});

test('a webhook without event types says nothing about them', async () => {
  const query = 'mutation { createWebhook(input: { url: "http://127.0.0.1:9/" }) { webhook { id } } }';
  expect(await newest({ query })).toMatchObject({ did: 'created a webhook' });
});

async function newest(graphql: unknown): Promise<RequestSummary> {
  await sandbox.call('POST', '/graphql', { json: graphql });
  return last();
}

async function last(): Promise<RequestSummary> {
  const { body } = await sandbox.control('GET', '/control/requests?limit=1');
  return (body as { requests: readonly [RequestSummary] }).requests[0];
}

test('a GraphQL request has the name of the operation that ran, not words of its texts', async () => {
  const query = 'mutation($input: CustomEventInput!) { createCustomEvent(input: $input) { type } }';
  const variables = { input: { type: 'a query about shoes' } };
  expect(await newest({ variables, query })).toMatchObject({ graphql: 'createCustomEvent' });
  expect(await newest({ query: '# a query about it\n{ __typename }' })).toMatchObject({ graphql: '__typename' });
  const long = `query Long { __typename ${'# a comment\n'.repeat(500)}}`;
  expect(await newest({ query: long })).toMatchObject({ graphql: 'Long' });
  const two = 'query First { __typename } query Second { __typename }';
  expect(await newest({ query: two, operationName: 'Second' })).toMatchObject({ graphql: 'Second' });
  expect(await newest({ query: 'mutation { set: createCustomEvent(input: 1) { type } }' })).toMatchObject({
    graphql: 'createCustomEvent',
  });
});

test('a request is about the person whom it names, not about one in the properties', async () => {
  const event = { type: 'Friend', properties: { email: 'friend@example.com' }, user: { email: 'me@example.com' } };
  expect(await story('POST', '/events/custom', event)).toEqual(['me@example.com', 'event “Friend”, new person']);
  const set = { properties: { clientUserId: 'x-1' }, user: { email: 'me@example.com' } };
  expect(await story('POST', '/attributes/custom', set)).toEqual(['me@example.com', 'set clientUserId']);
  const refused = { subscriberEmail: 'not an address' };
  expect(await story('POST', '/privacy/delete-request', refused)).toEqual(['not an address', null]);
});

test('a merge is called a merge: what only got another owner was neither subscribed nor set', async () => {
  const at = { phone: '+15555550188', email: 'merge@example.com' };
  const locale = { language: 'en', country: 'US' };
  for (const user of [{ phone: at.phone }, { email: at.email }]) {
    await story('POST', '/subscriptions', { user, locale, subscriptionType: 'MARKETING' });
    await story('POST', '/attributes/custom', { user, properties: { tier: 'gold' } });
    await story('POST', '/events/custom', { type: 'Earlier', user });
  }
  const view = { items: [{ productId: 'A', productVariantId: 'B', price: [{ value: 1 }] }], user: at };
  expect(await story('POST', '/events/ecommerce/product-view', view)).toEqual([
    at.phone,
    'viewed a product, merged 2 people',
  ]);

  await story('POST', '/subscriptions', { user: { phone: '+15555550189' }, locale, subscriptionType: 'MARKETING' });
  await story('POST', '/attributes/custom', { user: { phone: '+15555550189' }, properties: { size: 'M' } });
  const link = { clientUserId: 'merge-1', phone: '+15555550189', email: at.email };
  expect((await story('POST', '/identity-resolution/user-identifiers', link))[1]).toBe('merged 2 people');
});

test('a file says which upload received it', async () => {
  const { body } = await sandbox.call('POST', '/product-catalog/uploads', { json: { validateOnly: true } });
  const { uploadId, uploadUrl } = body as { uploadId: string; uploadUrl: string };
  await fetch(uploadUrl, { method: 'PUT', body: '{"id":"p-1"}\n' });
  expect(await last()).toMatchObject({ about: uploadId, did: 'received a file of 13 bytes' });
  await fetch(uploadUrl, { method: 'PUT', body: '{"id":"p-1"}\n' });
  expect(await last()).toMatchObject({ about: uploadId, did: null });
});

test('what the window sends is told apart from what a client sends', async () => {
  await sandbox.call('GET', '/me');
  expect(await last()).toMatchObject({ source: 'client' });
  await sandbox.control('POST', '/control/send', { method: 'GET', path: '/v1/me' });
  expect(await last()).toMatchObject({ source: 'window' });
});

test('a request says where in a program it was sent, and is found by it', async () => {
  const at = 'src/caf%C3%A9.ts:42:9';
  await sandbox.call('GET', '/me', {
    headers: { 'x-sandbox-call-site': at, 'x-sandbox-test': 'the%20shop%20%3E%20asks' },
  });
  const found = await sandbox.control('GET', '/control/requests?at=caf%C3%A9.ts:42&test=asks');
  const { total, requests } = found.body as { total: number; requests: readonly [RequestSummary] };
  expect([total, requests[0].calledFrom]).toEqual([1, { place: 'src/café.ts:42:9', test: 'the shop > asks' }]);
  const other = await sandbox.control('GET', '/control/requests?at=other.ts');
  expect(other.body).toMatchObject({ total: 0 });
});

test('a request is found by its test whatever the letters of the header, and no other one is decoded for that', async () => {
  await sandbox.reset();
  for (let count = 0; count < 3; count += 1) await sandbox.call('GET', '/me');
  const headers = { authorization: 'Bearer sandpiper-demo-key', 'X-Sandbox-TEST': 'pays' };
  const sent = get(`${sandbox.emulator.apiUrl}/me`, { headers });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  const decoded = vi.spyOn(RecordedExchange.prototype, 'requestHeaders', 'get');
  onTestFinished(() => decoded.mockRestore());
  expect(await total('?test=asks&limit=0')).toBe(0);
  expect(decoded.mock.calls).toHaveLength(1);
  expect(await total('?test=pays')).toBe(1);
});

async function total(query: string): Promise<number> {
  return ((await sandbox.control('GET', `/control/requests${query}`)).body as { total: number }).total;
}
