/** What docs/promises.md promises of the emulated API: a walk for each row, under its name. Its time and files: over-time.test.ts. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import type { ReferencePage } from '../../emulator/control/contract/reference.ts';
import type { PersonView } from '../../emulator/control/calls.ts';
import { defaultChoices } from '../../emulator/http/choices.ts';
import { createDoors } from '../people/support.ts';
import { useSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, upload } from '../support/world.ts';

const sandbox = useSandbox();
const strict = useSandbox({ choices: { ...defaultChoices, unknownFields: 'refuse', unknownUnsubscribe: 'accept' } });
const exact = useSandbox({ choices: { ...defaultChoices, answers: 'exact' } });
beforeEach(() => sandbox.reset());

/** Ada in the demo data, subscribed to marketing at both. */
const ada = { phone: '+15555550100', email: 'ada@example.com' };
const notesOf = async (answer: Awaited<ReturnType<Sandbox['call']>>) => (await answer.exchange()).notes;
const post = (path: string, json: unknown, on: Sandbox = sandbox) => on.call('POST', path, { json });
const raw = (json: string) => ({ raw: json, headers: { 'content-type': 'application/json' } });

async function ask(query: string, variables: object) {
  const { body } = await post('/graphql', { query, variables });
  return body as { data: Record<string, unknown>; errors?: readonly { message: string }[] };
}

test('A subscription belongs to one address, a type and a channel: what names, reads, ends or is sent for an address is about that address, by REST, GraphQL, the phone, the inbox, the window and the command line.', async () => {
  const doors = createDoors(sandbox);
  await doors.listen();
  const phone = '+15555550190';
  expect((await doors.subscribe({ phone, email: ada.email })).body).toMatchObject({
    subscriptionResponses: [
      { subscriptionCreationStatus: 'NEWLY_CREATED' },
      { subscriptionCreationStatus: 'PREVIOUSLY_CREATED' },
    ],
  });
  await doors.act(doors.latest(phone), { act: 'reply', text: 'STOP' });
  expect(doors.sent().map((event) => `${event.type} ${event.phone}`)).toEqual(
    ['sms.subscribed', 'sms.sent', 'sms.unsubscribed', 'sms.sent'].map((type) => `${type} ${phone}`),
  );
  expect(await doors.read({ phone })).toEqual(['MARKETING TEXT: false', 'MARKETING EMAIL: true']);
  expect(await doors.read({ phone: ada.phone })).toEqual(['MARKETING TEXT: true', 'MARKETING EMAIL: true']);
  expect((await doors.graphqlUser({ phone }))?.subscriptions).toContain(`${phone}: false`);
  // The window and the command line read this.
  const [person] = doors.people({ phone });
  const { subscriptions } = await act<PersonView>(sandbox, 'GET', `/control/people/${person?.id}`);
  expect(subscriptions.map(({ address, status }) => `${address} ${status}`)).toEqual([
    `${ada.phone} subscribed`,
    `${ada.email} subscribed`,
    `${phone} unsubscribed`,
  ]);
});

test('Nothing that was sent is ignored in silence: fields, parameters, bodies and digits are noted, with the name that was probably meant; `--unknown-fields refuse` refuses them.', async () => {
  const json = { user: { phone: ada.phone, emial: 'x' }, signUpSourceId: '100001' };
  const accepted = await post('/subscriptions', json);
  expect([accepted.status, await notesOf(accepted)]).toEqual([
    202,
    ['user.emial is not a field of this operation and was ignored. Did you mean user.email?'],
  ]);
  expect(await notesOf(await sandbox.call('GET', '/me?debug=1'))).toHaveLength(1);
  expect(await notesOf(await sandbox.call('DELETE', '/webhooks/1', { json }))).toHaveLength(1);
  const digits = '{"type":"Visit","user":{"email":"ada@example.com"},"properties":{"order":12345678901234567890}}';
  expect(await notesOf(await sandbox.call('POST', '/events/custom', raw(digits)))).toHaveLength(1);

  const refused = await post('/subscriptions', json, strict);
  expect([refused.status, refused.rule]).toEqual([400, 'input.unknown-field']);
  const twice = '{"type":"Visit","user":{"email":"grace@example.com","email":"ada@example.com"}}';
  expect(await notesOf(await sandbox.call('POST', '/events/custom', raw(twice)))).toHaveLength(1);
  expect((await strict.call('POST', '/events/custom', raw(twice))).rule).toBe('body.repeated-name');
});

test('A text is text, whatever it looks like, and a number that is too large becomes nothing else.', async () => {
  const set = (zip: string) =>
    sandbox.call('POST', '/attributes/custom', raw(`{"properties":{"zip":${zip}},"user":{"email":"${ada.email}"}}`));
  for (const zip of ['"02134"', '"K1A 0B1"', '"TRUE"']) expect((await set(zip)).status).toBe(200);
  expect((await set('2134')).rule).toBe('attributes.type-clash');
  expect((await set('1e400')).rule).toBe('body.number');
  const { body } = await sandbox.call('GET', '/attributes/custom', { query: { email: ada.email } });
  expect(body).toEqual([{ name: 'zip', value: 'TRUE' }]);
});

test('A tag says *documented* only where the specification says it, and the page of assumptions is whole.', async () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const counts = JSON.parse(read('test/contract/specification-sections.json')) as Readonly<Record<string, number>>;
  const assumptions = read('docs/assumptions.md');
  const { pages } = await act<{ pages: ReferencePage[] }>(sandbox, 'GET', '/control/reference');
  const rules = pages.filter(({ kind }) => kind === 'rule');
  expect(rules.length).toBeGreaterThan(150);
  for (const { id, source, provenance } of rules) {
    const [, section = '', note = '0'] = /section ([\d.]+)(?:, (\d+))?/.exec(source) ?? [];
    if (provenance === 'documented') expect(Number(note), id).toBeLessThanOrEqual(counts[section] ?? -1);
    else expect(assumptions).toContain(`| \`${id}\` |`);
  }
});

test('GraphQL’s schema decides what may be left out, and its errors use the words of its own request.', async () => {
  const view = `mutation ($input: SendProductViewEventInput!) {
    productViewEvent(input: $input) { products { productId productPrices { amount } } }
  }`;
  const products = [{ productId: 'a', productVariantId: 'b' }];
  expect(await ask(view, { input: { visitor: ada, products } })).toEqual(
    expect.objectContaining({ data: { productViewEvent: { products: [{ productId: 'a', productPrices: [] }] } } }),
  );
  const subscribe = 'mutation ($input: SubscribeInput!) { subscribe(input: $input) { subscribeResults { channel } } }';
  const { errors } = await ask(subscribe, { input: { user: ada } });
  expect(errors?.[0]?.message).toMatch(/^(?!.*signUpSourceId).*signupSourceId/);
});

test('Where the platform’s own text is known it is exact; advice is in the fix.', async () => {
  const locale = { language: 'en', country: 'US' };
  const answer = await post('/subscriptions', { user: ada, locale, signUpSourceId: '100001' });
  expect(answer.body).toEqual({
    message: 'Found both a locale and a sign up source id. Requests must have exclusively one of the two.',
  });
  expect((await answer.exchange()).refusal?.fix.say).toContain('Leave out locale');
});

test('An `externalEventId` is unique within company, type and user; a duplicate is dropped with a note, and answered with the first event.', async () => {
  const event = { externalEventId: 'e-1', user: { email: ada.email } };
  for (const type of ['Visit', 'Sale']) await post('/events/custom', { ...event, type, properties: { page: 1 } });
  const { events } = sandbox.emulator.deps.store;
  expect(events.size).toBe(2);
  const again = await post('/graphql', {
    query: 'mutation ($input: CreateCustomEventInput!) { createCustomEvent(input: $input) { properties } }',
    variables: { input: { ...event, type: 'Visit', properties: '{"page":2}' } },
  });
  expect(again.text).toContain(String.raw`{\"page\":1}`);
  expect((await notesOf(again)).join()).toContain('dropped as a duplicate');
  expect(events.size).toBe(2);
});

test('A merge of people says who was merged, and each address says where it came from.', async () => {
  const user = { phone: '+15555550101', email: 'grace@example.com' };
  const merge = await post('/events/custom', { type: 'Visit', user });
  expect((await notesOf(merge)).join()).toContain('(grace@example.com) was merged into person');
  await post('/identity-resolution/user-identifiers', { ...user, email: 'hopper@example.com', clientUserId: 'c-1' });
  const [one] = createDoors(sandbox).people(user);
  const { person } = await act<PersonView>(sandbox, 'GET', `/control/people/${one?.id}`);
  expect(person.addresses.map(({ value, from }) => [value, from.what])).toEqual([
    ['+15555550101', expect.stringContaining('demo')],
    ['grace@example.com', expect.stringContaining('demo')],
    ['hopper@example.com', 'POST /identity-resolution/user-identifiers'],
  ]);
});

test('Paths, currencies, required texts and sizes are read in one way, and tagged.', async () => {
  for (const path of ['/ME', '/me/']) expect((await sandbox.call('GET', path)).rule).toBe('request.unknown-path');
  const item = { productId: 'a', productVariantId: 'b', price: [{ value: 1, currency: 'ZZZ' }] };
  expect((await post('/events/ecommerce/purchase', { items: [item], user: ada })).status).toBe(400);
  const id = await upload(sandbox, ['a'], '');
  await sandbox.emulator.deps.clock.advance(0);
  const { body } = await sandbox.call('GET', `/product-catalog/uploads/${id}`);
  expect((body as { errors: { errorMessage: string }[] }).errors[0]?.errorMessage).toContain('name');
  const { pages } = await act<{ pages: ReferencePage[] }>(sandbox, 'GET', '/control/reference');
  const says = (rule: string) => pages.find((page) => page.id === rule);
  expect(says('catalog.line-too-long')).toMatchObject({
    provenance: 'assumed',
    says: expect.stringContaining('4,194,304'),
  });
});

test('Unsubscribing an unknown person is 404 or 202, as chosen, and the refusal says so.', async () => {
  const json = { user: { phone: '+15555559999' } };
  const refused = await post('/subscriptions/unsubscribe', json);
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('--unknown-unsubscribe accept')]);
  const accepted = await post('/subscriptions/unsubscribe', json, strict);
  expect([accepted.status, accepted.body]).toMatchObject([202, { subscriptionResponses: [] }]);
});

test('A path that is not an operation names the similar one, or the platform’s own that is not emulated, or none.', async () => {
  const said = async (method: string, path: string) => (await sandbox.call(method, path)).text;
  expect(await said('POST', '/subscriptions/unsubscrib')).toContain('POST /v1/subscriptions/unsubscribe');
  expect(await said('POST', '/text/send')).toContain('not emulated');
  expect(await said('GET', '/users/5')).toContain('None has a similar path.');
});

test('`--answers exact` answers as was observed, without a header of ours.', async () => {
  // With fetch, because these replies are not in our contract.
  const get = (path: string, authorization = '') => fetch(exact.emulator.apiUrl + path, { headers: { authorization } });
  const unauthorized = await get('/me');
  const unknown = await get('/nothing');
  expect([unauthorized.status, await unauthorized.text()]).toEqual([401, '']);
  expect(Object.keys((await unknown.json()) as object).join()).toBe('timestamp,path,status,error,requestId,message');
  for (const { headers } of [unauthorized, unknown, await get('/subscriptions', 'Bearer sandpiper-demo-key')])
    expect([...headers.keys()].filter((name) => /^x-sandbox|^www-auth/.test(name))).toEqual([]);
});

test('A refused host names the option that allows it, an empty one is refused, and OPTIONS says that there is no CORS.', async () => {
  // With a socket, because HTTP clients change this header.
  const asHost = async (host: string): Promise<string> => {
    const socket = connect(Number(new URL(sandbox.emulator.authUrl).port), '127.0.0.1');
    socket.end(`GET /v1/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
  expect(await asHost('localhost:9000')).toMatch(/^HTTP\/1\.1 403 .*--allow-host/s);
  expect(await asHost('')).toMatch(/^HTTP\/1\.1 40[03] /);
  const options = await sandbox.call('OPTIONS', '/subscriptions');
  expect([options.status, options.text]).toEqual([405, expect.stringContaining('no CORS')]);
});
