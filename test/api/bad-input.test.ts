import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { applyFix } from '../rules/apply-fix.ts';
import { useSandbox, type CallOptions } from '../support/sandbox.ts';

const sandbox = useSandbox();
const asJson = { 'content-type': 'application/json' };
const hook = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
const raw = (text: string | Buffer, headers: Record<string, string> = asJson): CallOptions => ({ raw: text, headers });

interface Case {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly options: CallOptions;
  readonly status: number;
  readonly rule: string;
  /** What the message must say. */
  readonly says: string;
}

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));

const cases: readonly Case[] = [
  {
    what: 'malformed JSON',
    options: raw('{"url": "http://localhost/",\n "events": ["sms.sent",]}'),
    status: 400,
    rule: 'body.json',
    says: 'line 2, column',
  },
  {
    what: 'JSON that ends early',
    options: raw('{"url": "http://localh'),
    status: 400,
    rule: 'body.json',
    says: 'position',
  },
  { what: 'two JSON values', options: raw('{} {}'), status: 400, rule: 'body.json', says: 'position 3' },
  { what: 'single quotes', options: raw("{'url': 1}"), status: 400, rule: 'body.json', says: 'line 1, column 2' },
  { what: 'a comment', options: raw('{"url": /* here */ 1}'), status: 400, rule: 'body.json', says: 'position' },
  {
    what: 'a byte-order mark',
    options: raw(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')])),
    status: 400,
    rule: 'body.json',
    says: 'position 0',
  },
  { what: 'an empty body', options: raw(''), status: 400, rule: 'body.missing', says: 'needs a body' },
  { what: 'a JSON scalar', options: raw('42'), status: 400, rule: 'input.type', says: 'must be an object' },
  { what: 'null', options: raw('null'), status: 400, rule: 'input.type', says: 'must be an object' },
  { what: 'a list', options: raw('[]'), status: 400, rule: 'input.type', says: 'must be an object' },
  {
    what: 'no content type',
    options: { raw: Buffer.from(JSON.stringify(hook)) },
    status: 415,
    rule: 'body.content-type',
    says: 'content-type: application/json',
  },
  {
    what: 'a wrong content type',
    options: raw(JSON.stringify(hook), { 'content-type': 'text/plain' }),
    status: 415,
    rule: 'body.content-type',
    says: 'text/plain',
  },
  {
    what: 'a charset that is not UTF-8',
    options: raw(JSON.stringify(hook), { 'content-type': 'application/json; charset=latin1' }),
    status: 415,
    rule: 'body.content-type',
    says: 'UTF-8',
  },
  {
    what: 'invalid UTF-8',
    options: raw(Buffer.from('{"url":"caf\u00e9"}', 'latin1')),
    status: 400,
    rule: 'body.utf-8',
    says: 'position 11',
  },
  {
    what: 'a body over the limit',
    options: raw(`{"url":"${'x'.repeat(1024 * 1024)}"}`),
    status: 413,
    rule: 'body.too-large',
    says: '1,048,576 bytes',
  },
  {
    what: 'a gzip bomb',
    options: raw(bomb, { ...asJson, 'content-encoding': 'gzip' }),
    status: 413,
    rule: 'body.too-large',
    says: '1,048,576 bytes',
  },
  {
    what: 'broken gzip',
    options: raw('not gzip', { ...asJson, 'content-encoding': 'gzip' }),
    status: 415,
    rule: 'body.content-encoding',
    says: 'cannot be decompressed',
  },
  {
    what: 'an unknown encoding',
    options: raw('{}', { ...asJson, 'content-encoding': 'compress' }),
    status: 415,
    rule: 'body.content-encoding',
    says: 'gzip, deflate or br',
  },
  {
    what: 'JSON nested too deep',
    options: raw(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`),
    status: 400,
    rule: 'body.depth',
    says: '64 deep',
  },
  {
    what: 'a hundred thousand brackets',
    options: raw('['.repeat(100_000)),
    status: 400,
    rule: 'body.depth',
    says: '64 deep',
  },
  {
    what: 'a key __proto__',
    options: raw('{"url":"http://localhost/","events":["sms.sent"],"__proto__":{"polluted":true}}'),
    status: 400,
    rule: 'body.unsafe-key',
    says: '__proto__',
  },
  {
    what: 'a key __proto__ in escapes',
    options: raw(String.raw`{"a":[{"\u005f\u005fproto__":1}]}`),
    status: 400,
    rule: 'body.unsafe-key',
    says: '__proto__',
  },
  {
    what: 'a wrong type',
    options: { json: { url: 7, events: ['sms.sent'] } },
    status: 400,
    rule: 'input.type',
    says: 'url must be text',
  },
  {
    what: 'null for a text',
    options: { json: { url: null, events: ['sms.sent'] } },
    status: 400,
    rule: 'input.type',
    says: 'not null',
  },
  {
    what: 'a URL of another scheme',
    options: { json: { ...hook, url: 'ftp://example.com' } },
    status: 400,
    rule: 'input.format',
    says: 'http or https',
  },
  {
    what: 'a URL with a password',
    options: { json: { ...hook, url: 'http://me:secret@localhost/' } },
    status: 400,
    rule: 'input.format',
    says: 'without a user name',
  },
  ...['\u001b[31m', '\r\nx: 1', '\t', '\u0000'].map((control) => ({
    what: `a URL with ${JSON.stringify(control)}`,
    options: { json: { ...hook, url: `http://localhost:3000/a${control}` } },
    status: 400,
    rule: 'input.format',
    says: 'or control characters',
  })),
  {
    what: 'an event type in upper case',
    options: { json: { ...hook, events: ['SMS.SENT'] } },
    status: 400,
    rule: 'webhooks.event-type',
    says: 'sms.sent',
  },
  {
    what: 'an unknown path',
    path: '/subscription',
    options: { json: {} },
    status: 404,
    rule: 'request.unknown-path',
    says: 'POST /v1/subscriptions',
  },
  {
    what: 'a path in other case',
    method: 'GET',
    path: '/ME',
    options: {},
    status: 404,
    rule: 'request.unknown-path',
    says: 'GET /v1/me',
  },
  {
    what: 'a path with a slash at its end',
    method: 'GET',
    path: '/me/',
    options: {},
    status: 404,
    rule: 'request.unknown-path',
    says: 'GET /v1/me',
  },
  {
    what: 'an unknown path of 1,900 characters, which is cut in the message',
    method: 'GET',
    path: `/${'a'.repeat(1_900)}`,
    options: {},
    status: 404,
    rule: 'request.unknown-path',
    says: `GET /v1/${'a'.repeat(195)}…. None has a similar path.`,
  },
  {
    what: 'version 2',
    method: 'GET',
    path: '/../v2/me',
    options: {},
    status: 404,
    rule: 'request.not-emulated',
    says: 'GET /v2/me',
  },
  {
    what: 'a wrong method',
    method: 'PATCH',
    path: '/webhooks',
    options: { json: {} },
    status: 405,
    rule: 'request.method',
    says: 'GET, POST',
  },
  {
    what: 'both phone and email',
    method: 'GET',
    path: '/attributes/custom',
    options: { query: { phone: '+15555550100', email: 'ada@example.com' } },
    status: 400,
    rule: 'attributes.one-identifier',
    says: 'email',
  },
  {
    what: 'a 201-character attribute name',
    path: '/attributes/custom',
    options: { json: { user: { phone: '+15555550100' }, properties: { ['x'.repeat(201)]: 'y' } } },
    status: 400,
    rule: 'attributes.name-length',
    says: '200',
  },
  {
    what: 'an array attribute value',
    path: '/attributes/custom',
    options: { json: { user: { phone: '+15555550100' }, properties: { sizes: ['S', 'M'] } } },
    status: 400,
    rule: 'attributes.array-value',
    says: 'array',
  },
];

test.for(cases)(
  '$what gets $status by $rule, and changes nothing',
  async ({ method = 'POST', path = '/webhooks', options, status, rule, says }) => {
    const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
    const answer = await sandbox.call(method, path, options);
    expect([answer.status, answer.rule], answer.text).toEqual([status, rule]);
    expect((answer.body as { message: string }).message).toContain(says);
    expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
);

test.each([
  ['/webhooks', 201],
  ['/events/ecommerce/purchase', 200],
  ['/events/custom', 200],
  ['/attributes/custom', 200],
  ['/subscriptions', 202],
  ['/subscriptions/unsubscribe', 202],
  ['/coupons/coupon-pool/54100/create', 202],
  ['/graphql', 200],
])('the example of a body that %s is told to send is whole, and accepted', async (path, status) => {
  onTestFinished(() => sandbox.reset());
  const sayOf = async (options: CallOptions) => {
    const refusal = (await (await sandbox.call('POST', path, options)).exchange()).refusal;
    return `${refusal?.message} ${refusal?.fix.say}`;
  };
  const told = [await sayOf({}), await sayOf(raw('5')), await sayOf(raw('x', { 'content-type': 'text/plain' }))];
  const examples = told.map((text) => /(?:such as|for example) (\{.*\})/.exec(text)?.[1]);
  expect(new Set(examples).size, told.join('\n')).toBe(1);
  expect((await sandbox.call('POST', path, raw(examples[0] ?? ''))).status).toBe(status);
});

const phone = '+15555550100';
const locale = { language: 'en', country: 'US' };
test.each([
  ['/subscriptions', { user: { phone }, signupSourceId: '100003' }, { user: { phone }, signUpSourceId: '100003' }],
  [
    '/subscriptions',
    { user: { phone }, locale, subscription_type: 'MARKETING' },
    { user: { phone }, locale, subscriptionType: 'MARKETING' },
  ],
  ['/identity-resolution/user-identifiers', { clientUserId: 'c', Phone: phone }, { clientUserId: 'c', phone }],
  ['/subscriptions/unsubscribe', { user: { Phone: phone } }, { user: { phone } }],
  ['/privacy/delete-request', { subscriberphone: '+15555550199' }, { subscriberPhone: '+15555550199' }],
  [
    '/events/custom',
    { type: 'Visit', user: { e_mail: 'ada@example.com' } },
    { type: 'Visit', user: { email: 'ada@example.com' } },
  ],
  ['/subscriptions/unsubscribe', { user: { phone: '', Phone: phone } }, { user: { phone } }],
  ['/subscriptions/unsubscribe', { user: { phoneNumber: phone } }, { user: { phone } }],
  ['/subscriptions', { user: { phone }, sourceId: '100003' }, { user: { phone }, signUpSourceId: '100003' }],
  ['/privacy/delete-request', { phone: '+15555550199' }, { subscriberPhone: '+15555550199' }],
  [
    '/events/custom',
    { type: 'Visit', user: { clientUserId: 'c-1' } },
    { type: 'Visit', user: { externalIdentifiers: { clientUserId: 'c-1' } } },
  ],
  [
    '/privacy/delete-request',
    { subscriberPhone: null, subscriberphone: '+15555550199' },
    { subscriberPhone: '+15555550199' },
  ],
  ['/events/custom', { type: 'Visit', user: { Phone: phone, PHONE: phone } }, null],
  // Renamed, it would be missing as before.
  ['/subscriptions/unsubscribe', { user: { Phone: '' } }, null],
])('%s: where what is missing has another name, as in %j, the fix renames it', async (path, json, meant) => {
  onTestFinished(() => sandbox.reset());
  const refused = await sandbox.call('POST', path, { json });
  const edits = (await refused.exchange()).refusal?.fix.edits ?? [];
  expect(refused.status).toBe(400);
  expect(applyFix({ method: 'POST', path, json }, edits).json).toEqual(meant ?? json);
  if (meant) expect((await sandbox.call('POST', path, { json: meant })).status).toBeLessThan(300);
});

test.each(['/attributes/custom', '/subscriptions'])('GET %s: the fix renames a misspelt parameter', async (path) => {
  const refused = await sandbox.call('GET', path, { query: { Email: 'ada@example.com' } });
  const { fix } = (await refused.exchange()).refusal ?? {};
  expect(applyFix({ method: 'GET', path, query: { Email: 'ada@example.com' } }, fix?.edits ?? []).query).toEqual({
    email: 'ada@example.com',
  });
});

test('405 names the methods in Allow', async () => {
  expect((await sandbox.call('DELETE', '/webhooks')).headers.get('allow')).toBe('GET, POST');
});

test('a body of exactly the limit is read, one byte more is not', async () => {
  const padded = (bytes: number) => {
    const text = JSON.stringify({ ...hook, pad: '' });
    return raw(text.replace('"pad":""', `"pad":"${'x'.repeat(bytes - text.length)}"`));
  };
  expect((await sandbox.call('POST', '/webhooks', padded(1024 * 1024))).status).toBe(201);
  expect((await sandbox.call('POST', '/webhooks', padded(1024 * 1024 + 1))).status).toBe(413);
});

test('a raw plus in ?phone= is read as a plus, and noted', async () => {
  const answer = await sandbox.call('GET', '/subscriptions?phone=+15555550100');
  expect(answer.status).toBe(200);
  expect((await answer.exchange()).notes).toEqual([expect.stringContaining('%2B')]);
  const encoded = await sandbox.call('GET', '/subscriptions?phone=%2B15555550100');
  expect((await encoded.exchange()).notes).toEqual([]);
});

test.each(['%20%2B15555550100', '%20%2015555550100', '%2B%2B15555550100'])(
  'a ?phone=%s that is not a raw plus is refused as it was sent',
  async (sent) => {
    const answer = await sandbox.call('GET', `/subscriptions?phone=${sent}`);
    const { refusal, notes } = await answer.exchange();
    expect([answer.rule, refusal?.value, notes]).toEqual(['subscriptions.phone-e164', decodeURIComponent(sent), []]);
  },
);

test('gzip, deflate and br bodies within the limit are read', async () => {
  const answer = await sandbox.call(
    'POST',
    '/webhooks',
    raw(gzipSync(JSON.stringify(hook)), { ...asJson, 'content-encoding': 'gzip' }),
  );
  expect(answer.status).toBe(201);
});

test('a body with millions of errors is refused at the first of them', async () => {
  const raw = `{"codes":[${','.repeat(8 * 1024 * 1024)}]}`;
  const answer = await sandbox.call('POST', '/coupons/coupon-pool/54102/create', {
    raw,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer).toMatchObject({ status: 400, rule: 'body.json' });
  expect(answer.text).toContain('line 1, column 11');
  // A text of this size is not repeated with a repair.
  expect((await answer.exchange()).refusal?.fix.edits).toEqual([]);
});

const event = { type: 'Many', user: { phone: '+15555550100' } };
const unknownNames = Object.fromEntries(Array.from({ length: 20_000 }, (_name, at) => [`x${at}`, at]));
const identifiers = (from: number) =>
  Array.from({ length: 15_000 }, (_identifier, at) => ({ name: 'loyaltyId', value: `L-${from + at}` }));

test.each([
  ['20,000 unknown names', '/events/custom', { json: { ...event, ...unknownNames } }, 200],
  ['20,000 unknown names beside a query', '/graphql', { json: { query: '{ __typename }', ...unknownNames } }, 200],
  [
    'an event type 20,000 times',
    '/webhooks',
    { json: { ...hook, events: Array(20_000).fill('sms.unsubscribed') } },
    201,
  ],
  [
    'a name 30,000 times in a form',
    '/authorization-codes/tokens',
    { raw: 'a&'.repeat(30_000), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    400,
  ],
  [
    '15,000 identifiers of a person who has as many',
    '/identity-resolution/user-identifiers',
    { json: { clientUserId: 'many', customIdentifiers: identifiers(15_000) } },
    202,
  ],
] satisfies readonly (readonly [string, string, CallOptions, number])[])(
  'a body with %s is answered in a moment, with few notes',
  async (_what, path, options, status) => {
    await sandbox.call('POST', '/identity-resolution/user-identifiers', {
      json: { clientUserId: 'many', customIdentifiers: identifiers(0) },
    });
    const before = process.cpuUsage();
    const answer = await sandbox.call('POST', path, options);
    const { user, system } = process.cpuUsage(before);
    expect(answer.status).toBe(status);
    // Of the processor, as others may use the machine. It took two to four seconds, and grew with the square of the length.
    expect((user + system) / 1_000).toBeLessThan(1_000);
    expect(sandbox.emulator.recorder.all().at(-1)?.notes.length).toBeLessThan(30);
  },
);

test('of many ignored fields the first 20 are named', async () => {
  const answer = await sandbox.call('POST', '/events/custom', { json: { ...event, ...unknownNames } });
  const { notes } = await answer.exchange();
  expect(notes.filter((note) => note.includes('was ignored'))).toHaveLength(20);
  expect(notes).toContain('No more than 20 ignored fields are named; there may be others.');
});
