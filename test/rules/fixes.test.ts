import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RefusalView } from '../../emulator/control/calls.ts';
import { applyFix } from './apply-fix.ts';
import { consent, demoApp } from '../support/oauth.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

async function fixOf(path: string, json: object): Promise<RefusalView['fix'] | undefined> {
  const answer = await sandbox.call('POST', path, { json });
  return (await answer.exchange()).refusal?.fix;
}

const signUp = { signUpSourceId: '100001' };
const operations: readonly (readonly [path: string, body: (kind: 'phone' | 'email', value: string) => object])[] = [
  ['/subscriptions', (kind, value) => ({ user: { [kind]: value }, ...signUp })],
  ['/events/custom', (kind, value) => ({ type: 'Visit', user: { [kind]: value } })],
  ['/identity-resolution/user-identifiers', (kind, value) => ({ clientUserId: 'c-1', [kind]: value })],
  ['/privacy/delete-request', (kind, value) => ({ [kind === 'phone' ? 'subscriberPhone' : 'subscriberEmail']: value })],
];

/** That every operation's fix sends what was meant, or, where that is not clear, changes nothing by itself. */
async function expectMeant(kind: 'phone' | 'email', sent: string, meant: string | null): Promise<void> {
  for (const [path, body] of operations) {
    const fix = await fixOf(path, body(kind, sent));
    const edits = meant === null ? [] : [expect.objectContaining({ op: 'set', value: meant })];
    expect([path, fix?.edits]).toEqual([path, edits]);
  }
}

const phones: readonly (readonly [sent: string, meant: string | null])[] = [
  ['(555) 555-0142', '+15555550142'],
  ['1 555 555 0142', '+15555550142'],
  ['0044 20 7946 0958', '+442079460958'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['tel:+1-555-555-0142;ext=22', '+15555550142'],
  ['+1555555014２', '+15555550142'],
  ['\u202a+15555550142\u202c', '+15555550142'],
  ['+1555\u00ad5550142', '+15555550142'],
  ['020 7946 0958', null],
  ['7911123456', null],
  ['2125551', null],
  ['13800138000', null],
  ['555-0142', null],
  ['call me', null],
];

test.each(phones)('every operation reads the phone %j as %j, and invents none', (sent, meant) =>
  expectMeant('phone', sent, meant),
);

const emails: readonly (readonly [sent: string, meant: string | null])[] = [
  [' carl@example.com', 'carl@example.com'],
  ['carl@example.com\n', 'carl@example.com'],
  ['carl@@example.com', 'carl@example.com'],
  ['Carl <carl@example.com>', 'carl@example.com'],
  ['mailto:carl@example.com', 'carl@example.com'],
  ['mailto:carl@example.com?subject=Hello', 'carl@example.com'],
  ['\u200bcarl@example.com', 'carl@example.com'],
  ['carl@exam\u200dple.com\ufeff', 'carl@example.com'],
  ['carl jones@example.com', null],
  ['carl @example.com', null],
  ['carl', null],
  ['carl@example', null],
];

test.each(emails)('every operation reads the email %j as %j, and invents none', (sent, meant) =>
  expectMeant('email', sent, meant),
);

test.each([
  'sandpiper-other-key',
  'Token sandpiper-other-key',
  'Bearer:sandpiper-other-key',
  'apikey="sandpiper-other-key"',
  'Bearer "sandpiper-other-key"',
  "Bearer 'sandpiper-other-key'",
  'Bearer <sandpiper-other-key>',
  'Bearer [sandpiper-other-key]',
  'Bearer {sandpiper-other-key}',
  'Bearer (sandpiper-other-key)',
  'Bearer `sandpiper-other-key`',
  String.raw`Bearer \"sandpiper-other-key\"`,
])(
  'a key that is sent as %s is sent as a bearer token by the fix, not replaced by that of another company',
  async (authorization) => {
    const answer = await sandbox.call('GET', '/me', { key: null, headers: { authorization } });
    expect((await answer.exchange()).refusal?.fix.edits).toEqual([
      { op: 'set', place: { in: 'header', at: 'authorization' }, value: 'Bearer sandpiper-other-key' },
    ]);
  },
);

test.for([
  ['Bearer $API_KEY', 'has "$API_KEY" itself'],
  ['Bearer ${API_KEY}', 'has "${API_KEY}" itself'],
  ['Bearer {{apiKey}}', 'has "{{apiKey}}" itself'],
  ['Bearer {{ api key }}', 'has "{{ api key }}" itself'],
  ['Bearer <token>', 'has "<token>" itself'],
  ['Bearer %API_KEY%', 'has "%API_KEY%" itself'],
  ['Bearer YOUR_API_KEY', 'has "YOUR_API_KEY" itself'],
  ['Bearer undefined', 'has "undefined" where'],
  ['Bearer null', 'has "null" where'],
  ['Bearer None', 'has "None" where'],
  ['Bearer ', 'has nothing where'],
] as const)('a variable that was not replaced by its value is named: %s', async ([authorization, says]) => {
  const answer = await sandbox.call('GET', '/me', { key: null, headers: { authorization } });
  const { refusal } = await answer.exchange();
  expect([answer.status, refusal?.message]).toEqual([401, expect.stringContaining(says)]);
  expect(refusal?.fix.say).toMatch(/^Let the variable be replaced by its value\. /);
});

test.for(['Bearer <sk9live8key7>', 'Bearer $ecret1key', 'Bearer undefinedkey'])(
  'what may be a real key is not repeated: %s',
  async (authorization) => {
    const answer = await sandbox.call('GET', '/me', { key: null, headers: { authorization } });
    expect((await answer.exchange()).refusal?.message).not.toContain(authorization.slice(7));
  },
);

test('for a revoked token of an app the fix is to install it again, not the key of another app', async () => {
  const code = await consent(sandbox);
  const form = { grant_type: 'authorization_code', code, ...demoApp };
  const exchange = () => sandbox.call('POST', '/authorization-codes/tokens', { key: null, form });
  const { access_token: key } = (await exchange()).body as { access_token: string };
  await exchange(); // a code that is sent again revokes its token
  const { refusal } = await (await sandbox.call('GET', '/me', { key })).exchange();
  expect(refusal?.rule).toBe('auth.revoked');
  expect(refusal?.fix).toEqual({ say: expect.stringMatching(/^Install the app ".+" again, /) as string, edits: [] });
});

test('the fix for a revoked key sends another one of its company, if there is one', async () => {
  const { control, emulator } = sandbox;
  const company = (await control('POST', '/control/companies', { name: 'Plover' })).body as { key: string };
  const revoked = emulator.deps.store.credentials.index('bySecret', ({ secret }) => [secret]).get(company.key)[0];
  await control('DELETE', `/control/credentials/${revoked?.id}`);
  const refusal = async (): Promise<unknown> =>
    (await (await sandbox.call('GET', '/me', { key: company.key })).exchange()).refusal;
  expect(await refusal()).toMatchObject({ rule: 'auth.revoked', fix: { edits: [] } });
  const own = { companyId: revoked?.companyId, kind: 'private', name: 'Own', scopes: ['subscriptions:read'] };
  const { key } = (await control('POST', '/control/apps', own)).body as { key: string };
  expect(await refusal()).toMatchObject({ fix: { edits: [{ op: 'set', value: `Bearer ${key}` }] } });
});

test.for([
  ['9876543210', 'If this is a number of the US or Canada, send "+19876543210".'],
  ['1 555 555 0142', 'If this is a number of the US or Canada, send "+15555550142".'],
  ['447911123456', 'If this number begins with its country code, send "+447911123456".'],
  ['00447911123456', 'Send "+447911123456".'],
  ['+44 7911 123456', 'Send "+447911123456".'],
] as const)('the fix of the phone %s has its condition: %s', async ([sent, say]) => {
  for (const [path, body] of operations) expect((await fixOf(path, body('phone', sent)))?.say).toBe(say);
  const { refusal } = await (await sandbox.call('GET', '/attributes/custom', { query: { phone: sent } })).exchange();
  expect(refusal?.fix.say).toBe(say.replace(/\.$/, ' there.'));
});

test('a phone that is moved to its place is sent under its condition too', async () => {
  const fix = await fixOf('/events/custom', { type: 'Visit', Phone: '9876543210' });
  const say = 'If this is a number of the US or Canada, send {"phone":"+19876543210"} as user.';
  expect(fix).toMatchObject({ say, edits: [{ op: 'remove' }, { op: 'set', value: { phone: '+19876543210' } }] });
});

test.for([
  ['phone', '\u202a+15555550142\u202c', String.raw`"\u202a+15555550142\u202c"`],
  ['email', '\u200bcarl@example.com', String.raw`"\u200bcarl@example.com"`],
] as const)('a message shows the characters of a %s that are not seen', async ([kind, sent, shown]) => {
  for (const [path, body] of operations) {
    const refused = await sandbox.call('POST', path, { json: body(kind, sent) });
    expect((await refused.exchange()).refusal?.message).toContain(shown);
  }
  const { refusal } = await (await sandbox.call('GET', '/attributes/custom', { query: { [kind]: sent } })).exchange();
  expect(refusal?.message).toContain(shown);
});

test('a phone and an email of two people are not reduced to one of them', async () => {
  const fix = async (email: string) => {
    const query = { phone: '+15555550100', email };
    return (await (await sandbox.call('GET', '/attributes/custom', { query })).exchange()).refusal?.fix.edits;
  };
  expect(await fix('ada@example.com')).toEqual([{ op: 'remove', place: { in: 'query', at: 'email' } }]);
  expect(await fix('grace@example.com')).toEqual([]);
  expect(await fix('nobody@example.com')).toEqual([]);
});

const attribute = JSON.stringify({ properties: { word: 'café' }, user: { email: 'ada@example.com' } });
test.each([
  ['compressed without a word about it', gzipSync(attribute), {}],
  ['compressed in another way than it says', gzipSync(attribute), { 'content-encoding': 'br' }],
  ['not compressed although it says so', Buffer.from(attribute), { 'content-encoding': 'gzip' }],
  ['in UTF-16', Buffer.from(`\ufeff${attribute}`, 'utf16le'), {}],
  ['in ISO 8859-1', Buffer.from(attribute, 'latin1'), {}],
])('the fix of a body that is %s sends what was meant', async (_how, raw, more) => {
  const request = {
    method: 'POST',
    path: '/attributes/custom',
    raw,
    headers: { 'content-type': 'application/json', ...more },
  };
  const refused = await sandbox.call(request.method, request.path, request);
  const fixed = applyFix(request, (await refused.exchange()).refusal?.fix.edits ?? []);
  expect(refused.rule).toMatch(/^body\./);
  expect((await sandbox.call(fixed.method, fixed.path, fixed)).status).toBe(200);
  const answer = await sandbox.call('GET', '/attributes/custom', { query: { email: 'ada@example.com' } });
  expect(answer.body).toContainEqual({ name: 'word', value: 'café' });
});

test.for([
  ['\ufeff{"type":"Visit"}', 'U+FEFF is where a value is expected, at line 1, column 1'],
  ['{\u00a0"type":"Visit"}', 'U+00A0 is where a field name in double quotes or } is expected'],
  ['{"type":\u201cVisit\u201d}', '"\u201cVisit\u201d}" is where a value is expected'],
] as const)('a character that is not seen is named where it breaks the JSON %j', async ([raw, says]) => {
  const headers = { 'content-type': 'application/json' };
  const { body } = await sandbox.call('POST', '/events/custom', { raw, headers });
  expect((body as { message: string }).message.replaceAll('\\"', '"')).toContain(says);
});

test('for a parameter that is sent twice the fix is to send it once, also with two values', async () => {
  const twice = async (query: string) => {
    const answer = await sandbox.call('GET', `/attributes/custom?${query}`);
    return [(answer.body as { message: string }).message, (await answer.exchange()).refusal?.fix];
  };
  const said = 'The query parameter email was sent 2 times. Send it once.';
  expect(await twice('email=ada@example.com&email=grace@example.com')).toEqual([
    said,
    { say: 'Send it once.', edits: [] },
  ]);
  const place = { in: 'query', at: 'email' };
  const edits = [{ op: 'set', place, value: 'ada@example.com' }];
  expect(await twice('email=ada@example.com&email=ada@example.com')).toMatchObject([said, { edits }]);
});

test('the older name of an event type is told the present one, by the message and by the fix', async () => {
  const json = { url: 'http://localhost:3000/hooks', events: ['phone.subscribed', 'email.opened'] };
  const refused = await sandbox.call('POST', '/webhooks', { json });
  expect((refused.body as { message: string }).message).toContain('Did you mean "sms.subscribed"?');
  const place = { in: 'body', at: '/events' };
  expect((await fixOf('/webhooks', json))?.edits).toEqual([
    { op: 'set', place, value: ['sms.subscribed', 'email.opened'] },
  ]);
});

test('the fix for a null leaves the field out, so that it means what was meant', async () => {
  const user = { email: 'ada@example.com' };
  for (const [path, json, at] of [
    ['/subscriptions/unsubscribe', { user, subscriptions: null }, '/subscriptions'],
    ['/subscriptions', { user, ...signUp, externalIdentifiers: null }, '/externalIdentifiers'],
    ['/subscriptions', { user, ...signUp, locale: null }, '/locale'],
    [
      '/identity-resolution/user-identifiers',
      { ...user, clientUserId: 'c', customIdentifiers: null },
      '/customIdentifiers',
    ],
    [
      '/subscriptions',
      { user, ...signUp, externalIdentifiers: { customIdentifiers: null } },
      '/externalIdentifiers/customIdentifiers',
    ],
  ] as const)
    expect((await fixOf(path, json))?.edits).toEqual([{ op: 'remove', place: { in: 'body', at } }]);
});

test.for([
  ['/subscriptions', (customIdentifiers: unknown) => ({ ...signUp, externalIdentifiers: { customIdentifiers } })],
  ['/identity-resolution/user-identifiers', (customIdentifiers: unknown) => ({ customIdentifiers })],
  ['/events/custom', (customIdentifiers: unknown) => ({ externalIdentifiers: { customIdentifiers } })],
] as const)(
  '%s names the value in a map of identifiers that is not a text, and its fix sends the text',
  async ([path, of]) => {
    const email = 'ada@example.com';
    const toJson = (customIdentifiers: unknown) =>
      path === '/events/custom'
        ? { type: 'Visit', user: { email, ...of(customIdentifiers) } }
        : { ...(path === '/subscriptions' ? { user: { email } } : { email }), ...of(customIdentifiers) };
    const { message } = (await sandbox.call('POST', path, { json: toJson({ a: '1', b: 5 }) })).body as {
      message: string;
    };
    expect(message).toContain('customIdentifiers.b must be text or null, not 5.');
    const edit = (await fixOf(path, toJson({ a: '1', b: 5 })))?.edits[0];
    expect(edit).toMatchObject({ op: 'set', value: '5' });
    const wrong = (await sandbox.call('POST', path, { json: toJson('a') })).body as { message: string };
    expect(wrong.message).toMatch(/customIdentifiers must be a list or an object(?: or null)?, not "a"\.$/);
  },
);

test('a message names only types that are accepted, not those that another rule refuses', async () => {
  const user = { email: 'ada@example.com' };
  for (const [path, json, wanted] of [
    ['/subscriptions', { user, ...signUp, locale: null }, 'locale must be an object, not null.'],
    ['/events/custom', { type: 'Visit', user, properties: 5 }, 'properties must be an object or null, not 5.'],
    ['/events/custom', { type: 'Visit', user, occurredAt: {} }, 'occurredAt must be text or null, not {}.'],
  ] as const)
    expect((await sandbox.call('POST', path, { json })).body).toMatchObject({ message: wanted });
});

test('a value that was sent as a text keeps its meaning', async () => {
  const user = { email: 'ada@example.com' };
  const valueOf = async (path: string, json: object) => (await fixOf(path, json))?.edits[0];
  expect(await valueOf('/product-catalog/uploads', { validateOnly: 'false' })).toMatchObject({ value: false });
  expect(await valueOf('/subscriptions', { user, ...signUp, singleOptIn: 'true' })).toMatchObject({ value: true });
  const { body } = await sandbox.control('POST', '/control/faults', { operation: '*', status: '503' });
  expect((body as { refusal: RefusalView }).refusal.fix.edits[0]).toMatchObject({ value: 503 });
});

test('an identifier at another place is moved, not invented', async () => {
  const path = '/identity-resolution/user-identifiers';
  for (const json of [{ externalIdentifiers: { clientUserId: 'c-7' } }, { clientUserID: 'c-7' }])
    expect((await fixOf(path, { phone: '+15555550142', ...json }))?.edits).toContainEqual({
      op: 'set',
      place: { in: 'body', at: '/clientUserId' },
      value: 'c-7',
    });
  expect((await fixOf(path, { phone: '+15555550142', email: 'carl@example.com' }))?.edits).toEqual([]);
});

test('a fix that renames keeps every value', async () => {
  const user = { email: 'ada@example.com' };
  const long = 'n'.repeat(201);
  const made = Object.fromEntries([
    ['__proto__', 'Ferrari'],
    ['year', 2022],
  ]);
  for (const [path, json, values] of [
    ['/events/custom', { type: 'Visit', user, properties: { 'a{': 1, 'a}': 2, a: 3 } }, [1, 2, 3]],
    ['/attributes/custom', { user, properties: { attribute: 'keep', '': 'x' } }, ['keep', 'x']],
    ['/attributes/custom', { user, properties: { [long.slice(0, 196)]: 'keep', [long]: 'x' } }, ['keep', 'x']],
    ['/events/custom', { type: 'Visit', user, properties: made }, [2022, 'Ferrari']],
  ] as const) {
    const request = { method: 'POST', path, json };
    const refused = await sandbox.call('POST', path, request);
    const { refusal } = await refused.exchange();
    const fixed = applyFix(request, refusal?.fix.edits ?? []);
    expect(Object.values((fixed.json as { properties: object }).properties).toSorted()).toEqual(values);
  }
});

test('the fix of an unknown path keeps the parameters that were sent', async () => {
  for (const [path, meant] of [
    ['/webhooks/MDc6V2ViaG9vazE/', '/v1/webhooks/MDc6V2ViaG9vazE'],
    ['/Coupons/coupon-pool/54101/create', '/v1/coupons/coupon-pool/54101/create'],
  ] as const) {
    const answer = await sandbox.call('PUT', path);
    const fix = (await answer.exchange()).refusal?.fix;
    expect(fix?.edits).toContainEqual({ op: 'set', place: { in: 'path', at: '' }, value: meant });
  }
});

test('an empty parameter of a query is read as left out, by every operation', async () => {
  for (const path of ['/attributes/custom', '/subscriptions'])
    for (const query of ['phone=&email=ada@example.com', 'phone=%2B15555550100&email='])
      expect((await sandbox.call('GET', `${path}?${query}`)).status).toBe(200);
});

test('the dates of codes are read as they were meant, and fixed so that the offer takes them', async () => {
  const fixFor = (offer: number, json: object) =>
    fixOf(`/coupons/coupon-pool/${offer}/create`, { codes: [`FIX-${offer}`], ...json });
  const undated = await fixFor(54_102, { distributionStop: '2027-01-01T00:00:00Z' });
  expect(undated?.say).toBe('Leave distributionStart and distributionStop out.');
  const days = await fixFor(54_100, { distributionStart: '2027-01-01', distributionStop: '2027-02-01' });
  expect(days?.edits.map((edit) => ('value' in edit ? edit.value : null))).toEqual([
    '2027-01-01T00:00:00.000Z',
    '2027-02-01T00:00:00.000Z',
  ]);
  const spaced = await fixFor(54_100, {
    distributionStart: '2027-01-01 08:00:00',
    distributionStop: '2027-01-01 24:00',
  });
  expect(spaced?.edits.map((edit) => ('value' in edit ? edit.value : null))).toEqual([
    '2027-01-01T08:00:00.000Z',
    '2027-01-02T00:00:00.000Z',
  ]);
});

const times: readonly (readonly [sent: string | number, meant: string])[] = [
  ['2026-01-05 10:00:00Z', '2026-01-05T10:00:00.000Z'],
  [' 2026-01-05 10:00:00 +02:00', '2026-01-05T08:00:00.000Z'],
  ['2026-01-05 10:00:00 UTC', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
  ['20260105', '2026-01-05T00:00:00.000Z'],
  ['2026-01-05T24:00:00Z', '2026-01-06T00:00:00.000Z'],
  ['1764237600', '2025-11-27T10:00:00.000Z'],
  [1_764_237_600, '2025-11-27T10:00:00.000Z'],
  [1_764_237_600.25, '2025-11-27T10:00:00.250Z'],
  [1_764_237_600_000, '2025-11-27T10:00:00.000Z'],
];

test.each(times)('the time %j of an event is read as %s by the fix, which is accepted', async (occurredAt, meant) => {
  const json = { type: 'Visit', user: { email: 'ada@example.com' }, occurredAt };
  const edits = (await fixOf('/events/custom', json))?.edits;
  expect(edits).toEqual([{ op: 'set', place: { in: 'body', at: '/occurredAt' }, value: meant }]);
  expect((await sandbox.call('POST', '/events/custom', { json: { ...json, occurredAt: meant } })).status).toBe(200);
});

test.each([
  'yesterday',
  '2026-02-31',
  '2026-01-05T24:30:00Z',
  '2021-W13-2T14:38:29Z',
  '2021-089T14:38:29Z',
  '2021-03-30T14Z',
  '2021-03-30T14.5Z',
  '2021-03-30T23:59:60Z',
  12,
])('what the time %j of an event means is not clear, so its fix invents none', async (occurredAt) => {
  const json = { type: 'Visit', user: { email: 'ada@example.com' }, occurredAt };
  expect(await fixOf('/events/custom', json)).toMatchObject({
    say: expect.stringContaining('leave occurredAt out') as string,
    edits: [],
  });
});

test.for([
  ['2027-02-29T08:00:00Z', 'there is no day 2027-02-29'],
  ['2100-02-29T08:00:00.000Z', 'there is no day 2100-02-29'],
  ['20270230T080000Z', 'there is no day 2027-02-30'],
  ['2027-13-01', 'there is no day 2027-13-01'],
  ['2027-02-28T24:30:00Z', 'there is no hour 24'],
  ['2027-02-28T23:60:00Z', 'there is no minute 60'],
  ['2016-12-31T23:59:60Z', 'there is no second 60'],
  ['2027-02-28T08:00:00+24:00', 'there is no offset +24:00'],
] as const)('a time that does not exist, %s, is named: %s', async ([time, says]) => {
  const user = { email: 'ada@example.com' };
  const messages = await Promise.all(
    [
      ['/events/custom', { type: 'Visit', user, occurredAt: time }],
      ['/events/ecommerce/product-view', { user, items: [], occurredAt: time }],
      ['/coupons/coupon-pool/54100/create', { codes: ['A'], distributionStart: time, distributionStop: time }],
    ].map(async ([path, json]) => (await sandbox.call('POST', String(path), { json })).text),
  );
  messages.push(JSON.stringify((await sandbox.control('POST', '/control/clock', { set: time })).body));
  for (const message of messages) expect(message).toContain(`is not an ISO 8601 time: ${says}.`);
});

test('the end of a day as 24:00 is not said not to exist: the fix sends the begin of the next day', async () => {
  const json = { type: 'Visit', user: { email: 'ada@example.com' }, occurredAt: '2026-11-28T24:00:00Z' };
  const refused = await sandbox.call('POST', '/events/custom', { json });
  expect(refused.text).toContain('is not in a form of ISO 8601 that is read');
  expect((await refused.exchange()).refusal?.fix.edits).toMatchObject([{ value: '2026-11-29T00:00:00.000Z' }]);
});

test.for<readonly [phone: string, says: string]>([
  ['+1', 'It has 1 digit: send 7 to 15'],
  ['+123456', 'It has 6 digits: send 7 to 15'],
  ['+1234567890123456', 'It has 16 digits: send 7 to 15'],
  ['+0555555010', 'No country code begins with 0: send the number with its country code'],
  ['+1 (555)', 'without spaces or separators'],
])('what is wrong with the phone %s is said wherever it is sent: %s', async ([phone, says]) => {
  const answers = await Promise.all([
    sandbox.call('POST', '/events/custom', { json: { type: 'Visit', user: { phone } } }),
    sandbox.call('POST', '/subscriptions', { json: { user: { phone }, ...signUp } }),
    sandbox.call('GET', '/subscriptions', { query: { phone } }),
    sandbox.call('GET', '/attributes/custom', { query: { phone } }),
    sandbox.call('POST', '/identity-resolution/user-identifiers', { json: { phone, clientUserId: 'c' } }),
    sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: phone } }),
  ]);
  for (const { text } of answers) expect(text).toContain(says);
});

test.for([
  ['GET', '/mee', ['path']],
  ['POST', '/me/', ['method', 'path']],
  ['DELETE', '/webhook/1', ['path']],
] as const)('the fix of %s %s changes nothing but what is wrong of it', async ([method, path, places]) => {
  const refusal = (await (await sandbox.call(method, path, {})).exchange()).refusal;
  expect(refusal?.rule).toBe('request.unknown-path');
  expect(refusal?.fix.edits.map(({ op, ...edit }) => [op, 'place' in edit && edit.place.in])).toEqual(
    places.map((place) => ['set', place]),
  );
});

test('JSON for the token exchange is sent again as a form, field by field', async () => {
  const json = { grant_type: 'authorization_code', code: 'c', client_id: 'i', client_secret: 's', redirect_uri: 'r' };
  const request = { method: 'POST', path: '/authorization-codes/tokens', json };
  const refused = await sandbox.call('POST', request.path, request);
  expect(refused.rule).toBe('body.content-type');
  const fixed = applyFix(request, (await refused.exchange()).refusal?.fix.edits ?? []);
  const answer = await sandbox.call('POST', fixed.path, fixed);
  expect(answer.text).not.toContain('required');
  expect(answer.rule).not.toBe('body.content-type');
});

test.for([
  ['application/graphql', '{ viewer { installedApplication { id } } }', '/graphql', '"query"'],
  ['text/plain', 'hello', '/events/custom', '"Order Shipped"'],
  ['application/x-www-form-urlencoded', 'type=a&user=b', '/events/custom', '"Order Shipped"'],
  ['application/json; charset=utf-16', Buffer.from('{"type":"a"}', 'utf16le'), '/events/custom', '"Order Shipped"'],
] as const)(
  'for a body in %s that is not JSON the fix says what to send, and changes no header alone',
  async (sent) => {
    const [type, raw, path, part] = sent;
    const refused = await sandbox.call('POST', path, { raw, headers: { 'content-type': type } });
    expect(refused.rule).toBe('body.content-type');
    const { refusal } = await refused.exchange();
    expect([refusal?.fix.edits, refusal?.fix.say]).toEqual([[], expect.stringContaining(part)]);
    expect(refusal?.message).toContain(', and the body is not JSON in UTF-8. Send JSON with');
  },
);

test('a repeated field of a form is named as that, however often it is repeated', async () => {
  const raw = `${'a=1&'.repeat(120)}${'code=c&'.repeat(25)}grant_type=authorization_code`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await sandbox.call('POST', '/authorization-codes/tokens', { raw, headers });
  expect(answer.text).toContain('code was sent 25 times');
});

test('a null in a list is left out, and a currency keeps its letters', async () => {
  const webhook = { url: 'http://localhost:3000/webhooks', events: ['sms.sent', null] };
  expect((await fixOf('/webhooks', webhook))?.edits).toEqual([
    { op: 'remove', place: { in: 'body', at: '/events/1' } },
  ]);
  const price = [{ value: 1, currency: 'eur' }];
  const items = [{ productId: 'A', productVariantId: 'B', price }];
  const fix = await fixOf('/events/ecommerce/purchase', { items, user: { email: 'ada@example.com' } });
  expect(fix?.edits[0]).toMatchObject({ value: 'EUR' });
});

test.for(['/subscriptions', '/attributes/custom'])(
  'a raw plus sign in the email of GET %s is told, and kept by the fix',
  async (path) => {
    const answer = await sandbox.call('GET', `${path}?email=ada+test@example.com`);
    expect((answer.body as { message: string }).message).toContain('encode it as %2B');
    expect((await answer.exchange()).refusal?.fix.edits).toEqual([
      { op: 'set', place: { in: 'query', at: 'email' }, value: 'ada+test@example.com' },
    ]);
  },
);

const visit = { type: 'Visit', user: { email: 'ada@example.com' }, properties: { isNew: true, at: null } };
test.for([
  `{'type': 'Visit', 'user': {'email': 'ada@example.com'}, 'properties': {'isNew': True, 'at': None}}`,
  `{type:"Visit", user: {email:"ada@example.com"}, properties: {isNew: true, at: null,},}`,
  `{"type":"Visit" /* why */,\n"user":{"email":"ada@example.com"},"properties":{"isNew":true "at":null}`,
  JSON.stringify(JSON.stringify(visit)),
])('the fix of %s sends all of it', async (raw) => {
  const request = { method: 'POST', path: '/events/custom', raw, headers: { 'content-type': 'application/json' } };
  const refused = await sandbox.call('POST', request.path, request);
  const fixed = applyFix(request, (await refused.exchange()).refusal?.fix.edits ?? []);
  expect(fixed.json ?? JSON.parse(String(fixed.raw))).toEqual(visit);
});

test.for(['{"type":"Visit","at":NaN}', '{"type":"Visit","a":01}', '{"type":"Visit"} {"type":"Sale"}', 'type=Visit'])(
  'no fix of %s sends a part of it',
  async (raw) => {
    const answer = await sandbox.call('POST', '/events/custom', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.rule).toBe('body.json');
    expect((await answer.exchange()).refusal?.fix.edits).toEqual([]);
  },
);

test.for([
  ['/events/custom', 'properties', { type: 'Visit', user: { phone: '+15555550100' } }],
  ['/graphql', 'variables', { query: '{ __typename }' }],
] as const)(
  'the empty list that PHP makes of an empty array becomes an empty object: %s %s',
  async ([path, name, body]) => {
    const json = { ...body, [name]: [] };
    const fix = await fixOf(path, json);
    expect(fix?.edits).toEqual([{ op: 'set', place: { in: 'body', at: `/${name}` }, value: {} }]);
    const request = applyFix({ method: 'POST', path, json }, fix?.edits ?? []);
    expect((await sandbox.call('POST', path, request)).status).toBe(200);
  },
);

test('variables that are sent as the JSON text of an object become the object', async () => {
  const fix = await fixOf('/graphql', { query: '{ __typename }', variables: '{"phone":"+15555550100"}' });
  expect(fix?.edits).toEqual([
    { op: 'set', place: { in: 'body', at: '/variables' }, value: { phone: '+15555550100' } },
  ]);
});
