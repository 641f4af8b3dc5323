import { beforeEach, expect, test } from 'vitest';
import type {
  AttributeLineView,
  AttributeValuesView,
  CodesView,
  DatesView,
  DoneView,
  NewCompanyView,
  NewKeyView,
  PrivacyMatchesView,
  RefusalView,
  UnitLineView,
  UnitPeopleView,
} from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { consent, demoApp } from '../support/oauth.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox({ pace: 'manual' });
beforeEach(() => sandbox.reset());

async function act<View>(method: 'POST' | 'DELETE', path: string, json?: unknown): Promise<View> {
  const { status, body } = await sandbox.control(method, `/control/${path}`, json);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

async function refused(method: 'POST' | 'DELETE', path: string, json?: unknown): Promise<readonly [number, string]> {
  const { status, body } = await sandbox.control(method, `/control/${path}`, json);
  return [status, (body as { message: string }).message];
}

async function read<View>(path: string): Promise<View> {
  const { status, body } = await sandbox.control('GET', `/control/${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function undo(): Promise<string> {
  return (await act<{ undone: string }>('POST', 'undo', {})).undone;
}

const ids = async (kind: string): Promise<readonly string[]> =>
  (await read<{ records: { id: string }[] }>(`records/${kind}?limit=1000`)).records.map(({ id }) => id);

const subscribe = { user: { phone: '+15555550177' }, signUpSourceId: '100001' };

test('a private app may call exactly what its scopes allow, and its key follows when they change', async () => {
  const { id, key } = await act<NewKeyView>('POST', 'apps', {
    companyId: demoCompany,
    kind: 'private',
    name: 'Reader',
    scopes: ['subscriptions:read'],
  });
  const call = async (): Promise<readonly number[]> => [
    (await sandbox.call('GET', '/subscriptions', { key, query: { phone: '+15555550100' } })).status,
    (await sandbox.call('POST', '/subscriptions', { key, json: subscribe })).status,
  ];
  expect(await call()).toEqual([200, 403]);
  await act('POST', `apps/${id}`, { scopes: ['subscriptions:write'] });
  expect(await call()).toEqual([403, 202]);
  expect(await undo()).toBe('The app “Reader” was changed.');
  expect(await call()).toEqual([200, 403]);
});

test('undoing the creation of an app revokes its key', async () => {
  const before = await ids('credentials');
  const { key, says } = await act<NewKeyView>('POST', 'apps', {
    companyId: demoCompany,
    kind: 'private',
    name: 'Short-lived',
    scopes: [],
  });
  expect((await sandbox.call('GET', '/me', { key })).status).toBe(200);
  expect(await undo()).toBe(says);
  expect((await sandbox.call('GET', '/me', { key })).status).toBe(401);
  expect(await ids('credentials')).toEqual(before);
});

test('the first company of an empty store is undone too, though the only one cannot be deleted', async () => {
  await act('POST', 'reset', { world: 'empty' });
  const { id, says } = await act<NewKeyView>('POST', 'companies', { name: 'Curlew' });
  expect(await refused('DELETE', `companies/${id}`)).toEqual([409, expect.stringContaining('the only company')]);
  expect(await undo()).toBe(says);
  expect([await ids('companies'), await ids('apps')]).toEqual([[], []]);
});

test('a deleted app is restored with its keys and webhooks', async () => {
  const [app = ''] = await ids('apps');
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://localhost:9/hook', events: ['sms.sent'] } });
  const before = [await ids('credentials'), await ids('webhooks')].map((all) => [...all].sort());
  await act('DELETE', `apps/${app}`);
  expect((await sandbox.call('GET', '/me')).status).toBe(401);
  expect(await ids('webhooks')).toEqual([]);
  await undo();
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  expect([await ids('credentials'), await ids('webhooks')].map((all) => [...all].sort())).toEqual(before);
});

test('a rotated key works, earlier ones no longer; undo reverses that', async () => {
  const [app = ''] = await ids('apps');
  const { key } = await act<NewKeyView>('POST', `apps/${app}/keys`, { replaces: true });
  const statuses = async () => [
    (await sandbox.call('GET', '/me', { key })).status,
    (await sandbox.call('GET', '/me')).status,
  ];
  expect(await statuses()).toEqual([200, 401]);
  await undo();
  expect(await statuses()).toEqual([401, 200]);
});

test('a further key works in addition to the others, and an existing one is refused', async () => {
  const [app = ''] = await ids('apps');
  const { key } = await act<NewKeyView>('POST', `apps/${app}/keys`, { secret: 'my-second-key' });
  expect(key).toBe('my-second-key');
  expect((await sandbox.call('GET', '/me', { key })).status).toBe(200);
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  expect(await refused('POST', `apps/${app}/keys`, { secret: 'my-second-key' })).toEqual([
    400,
    expect.stringMatching(/already has this key/),
  ]);
});

test('a public app has a client id and secret, which lists mask and only a reveal shows', async () => {
  const { id, key } = await act<NewKeyView>('POST', 'apps', {
    companyId: demoCompany,
    kind: 'public',
    name: 'Installable',
    scopes: ['events:write'],
    redirectUris: ['http://localhost:3000/callback'],
  });
  expect(key).toBeNull();
  const { record } = await read<{ record: { clientId: string; clientSecret: string } }>(`records/apps/${id}`);
  const { secret } = await read<{ secret: string }>(`apps/${id}/secret`);
  expect(record.clientSecret).toBe(`…${secret.slice(-4)}`);
  const page = await sandbox.call('GET', '/integrations/oauth-install', {
    key: null,
    query: { client_id: record.clientId, redirect_uri: demoApp.redirect_uri },
  });
  expect([page.status, page.text.includes('Installable')]).toEqual([200, true]);
  await act('POST', `apps/${id}/secret`);
  expect((await read<{ secret: string }>(`apps/${id}/secret`)).secret).not.toBe(secret);
  expect(await refused('POST', `apps/${id}/keys`, {})).toEqual([409, expect.stringMatching(/public app/)]);
});

test.each([
  ['without a redirect URI', 'public', [], /at least one redirect URI/],
  ['with a relative one', 'public', ['/callback'], /absolute/],
  ['with a fragment', 'public', ['http://localhost/x#y'], /fragment/],
  ['with a script', 'public', ['javascript:alert(1)'], /cannot be a redirect URI/],
  ['private with one', 'private', ['http://localhost/x'], /has no redirect URIs/],
] as const)('no app is made %s', async (_case, kind, redirectUris, says) => {
  const before = await ids('apps');
  const wanted = { companyId: demoCompany, kind, name: 'X', scopes: [], redirectUris };
  expect(await refused('POST', 'apps', wanted)).toEqual([400, expect.stringMatching(says)]);
  expect(await ids('apps')).toEqual(before);
});

test('a second company is created with its own key, sees nothing of the first, and can be undone', async () => {
  const { id, key } = await act<NewCompanyView>('POST', 'companies', { name: 'Curlew & Co.' });
  expect(key).toMatch(/^curlew-co-[0-9a-z]{10}$/);
  expect((await sandbox.call('GET', '/me', { key })).text).toContain('Curlew & Co.');
  expect((await sandbox.call('GET', '/subscriptions', { key, query: { phone: '+15555550100' } })).status).toBe(404);
  await act('POST', `companies/${id}`, { name: 'Curlew Coffee' });
  expect((await sandbox.call('GET', '/me', { key })).text).toContain('Curlew Coffee');
  await undo();
  expect(await undo()).toBe('The company “Curlew & Co.” was created.');
  expect((await sandbox.call('GET', '/me', { key })).status).toBe(401);
  expect(await ids('companies')).toHaveLength(2);
});

test('the letters of a name with accents are kept in what is made of it', async () => {
  const { key } = await act<NewCompanyView>('POST', 'companies', { name: 'Crème Brûlée' });
  expect(key).toMatch(/^creme-brulee-[0-9a-z]{10}$/);
  await undo();
});

test('a deleted company is restored with all its records; the last one cannot be deleted', async () => {
  const kinds = ['companies', 'apps', 'credentials', 'users', 'subscriptions', 'offers', 'sign-up-units'];
  const all = async () => Promise.all(kinds.map(async (kind) => [...(await ids(kind))].sort()));
  const before = await all();
  await act('DELETE', `companies/${demoCompany}`);
  expect((await sandbox.call('GET', '/me')).status).toBe(401);
  expect(await ids('users')).toEqual([]);
  const [last = ''] = await ids('companies');
  expect(await refused('DELETE', `companies/${last}`)).toEqual([409, expect.stringMatching(/only company/)]);
  await undo();
  expect(await all()).toEqual(before);
});

test('with a company, what other companies installed of its app goes too, and a snapshot of the rest can be restored', async () => {
  const code = await consent(sandbox, {}, 'Dunlin Outfitters');
  const form = { grant_type: 'authorization_code', code, ...demoApp };
  const { body } = await sandbox.call('POST', '/authorization-codes/tokens', { key: null, form });
  const { access_token: key } = body as { access_token: string };
  const json = { url: 'http://localhost:3000/webhooks', events: ['sms.sent'] };
  expect((await sandbox.call('POST', '/webhooks', { key, json })).status).toBe(201);

  await act('DELETE', `companies/${demoCompany}`);
  expect((await sandbox.call('GET', '/me', { key })).status).toBe(401);
  expect(await ids('webhooks')).toEqual([]);
  await act('POST', 'snapshots', { name: 'rest' });
  await act('POST', 'snapshots/rest/restore', {});
  expect(await undo()).toContain('was restored');
  await undo();
  expect((await sandbox.call('GET', '/me', { key })).body).toMatchObject({ companyName: 'Dunlin Outfitters' });
});

test('a created offer accepts codes from the API, and its codes can be searched', async () => {
  const { id } = await act<DoneView>('POST', 'offers', {
    companyId: demoCompany,
    name: 'Autumn',
    window: 'never-expire',
  });
  const upload = { json: { codes: ['AUTUMN-1', 'AUTUMN-2', 'LATE-1'] } };
  expect((await sandbox.call('POST', `/coupons/coupon-pool/${id}/create`, upload)).status).toBe(202);
  const codes = await read<CodesView>(`offers/${id}/codes?q=autumn&limit=1&offset=1`);
  expect([codes.total, codes.codes.map(({ code }) => code)]).toEqual([2, ['AUTUMN-2']]);
  expect(await read<CodesView>(`offers/${id}/codes`)).toMatchObject({ total: 3 });
});

test('an offer can be closed to uploads, and renamed without losing what it received meanwhile', async () => {
  const { id } = await act<DoneView>('POST', 'offers', { companyId: demoCompany, name: 'A', window: 'never-expire' });
  await act('POST', `offers/${id}`, { name: 'B', apiUploads: false });
  expect((await sandbox.call('POST', `/coupons/coupon-pool/${id}/create`, { json: { codes: ['X'] } })).status).toBe(
    403,
  );
  await act('POST', `offers/${id}`, { apiUploads: true });
  await sandbox.call('POST', `/coupons/coupon-pool/${id}/create`, { json: { codes: ['X'] } });
  await undo();
  expect(await read(`records/offers/${id}`)).toMatchObject({
    state: 'SYNCING',
    record: { name: 'B', apiUploads: false, codeCount: 1 },
  });
});

test('a deleted offer is restored with its codes, and the clock moves it again', async () => {
  await act('POST', 'pace', { pace: 'realistic' });
  const { id } = await act<DoneView>('POST', 'offers', { companyId: demoCompany, name: 'A', window: 'never-expire' });
  await sandbox.call('POST', `/coupons/coupon-pool/${id}/create`, { json: { codes: ['X'] } });
  await act('DELETE', `offers/${id}`);
  expect(JSON.stringify(await read('clock'))).not.toContain(`offer ${id}`);
  await undo();
  expect(await read<CodesView>(`offers/${id}/codes`)).toMatchObject({ total: 1 });
  await act('POST', 'clock', { advance: '1d' });
  expect(await read(`records/offers/${id}`)).toMatchObject({ state: 'ACTIVE' });
});

test('dates are checked as for an upload, and nothing is uploaded', async () => {
  const json = {
    codes: ['A'],
    distributionStart: '2027-01-01T00:00:00Z',
    distributionStop: '2027-01-10T00:00:00Z',
  };
  await sandbox.call('POST', '/coupons/coupon-pool/54100/create', { json });
  const judge = (start: string, stop: string) =>
    read<DatesView>(`offers/54100/dates?start=2027-01-${start}T00:00:00Z&stop=2027-01-${stop}T00:00:00Z`);
  expect(await judge('10', '20')).toEqual({ accepted: true, refusal: null });
  expect(await judge('01', '10')).toMatchObject({ accepted: true });
  expect(await judge('05', '20')).toMatchObject({ accepted: false, refusal: { rule: 'offers.range-overlap' } });
  expect(await read('offers/54100/dates')).toMatchObject({ refusal: { rule: 'offers.distribution-type' } });
  expect(await ids('offer-uploads')).toHaveLength(1);
});

test('a sign-up unit makes a locale valid, a second one makes it ambiguous', async () => {
  const json = {
    user: { phone: '+4915112345678' },
    locale: { language: 'de', country: 'DE' },
    subscriptionType: 'MARKETING',
  };
  const call = async () => (await sandbox.call('POST', '/subscriptions', { json })).status;
  const unit = { companyId: demoCompany, language: 'de', country: 'DE', type: 'MARKETING' };
  expect(await call()).toBe(400);
  const { id, says } = await act<DoneView>('POST', 'sign-up-units', unit);
  expect(says).toBe('The sign-up unit “API de-DE marketing” was created.');
  expect(await call()).toBe(202);
  await act('POST', 'sign-up-units', unit);
  expect(await call()).toBe(400);
  await undo();
  const changed = await act<DoneView>('POST', `sign-up-units/${id}`, { country: 'AT' });
  expect(changed.says).toBe('The sign-up unit “API de-AT marketing” was changed.');
  expect(await call()).toBe(400);
  await act('DELETE', `sign-up-units/${id}`);
  await undo();
  await undo();
  expect(await call()).toBe(202);
});

test.each([
  [{ language: 'DE' }, /lower-case/],
  [{ country: 'Germany' }, /upper-case/],
])('a sign-up unit of %o is refused', async (wrong, says) => {
  const unit = { companyId: demoCompany, language: 'de', country: 'DE', type: 'MARKETING', ...wrong };
  expect(await refused('POST', 'sign-up-units', unit)).toEqual([400, expect.stringMatching(says)]);
});

test('an attribute with fixed values is enforced by the API, and any value is accepted without them', async () => {
  const { id } = await act<DoneView>('POST', 'attributes', {
    companyId: demoCompany,
    name: 'shoe size/EU',
    type: 'number',
    values: ['41', '42'],
  });
  const set = async (value: string) => {
    const json = { user: { phone: '+15555550100' }, properties: { 'shoe size/EU': value } };
    const answer = await sandbox.call('POST', '/attributes/custom', { json });
    return [answer.status, answer.rule];
  };
  expect(await set('43')).toEqual([400, 'attributes.fixed-values']);
  expect(await set('42')).toEqual([200, null]);
  await act('POST', `attributes/${encodeURIComponent(id)}`, { values: null });
  expect(await set('43')).toEqual([200, null]);
  expect(await refused('POST', `attributes/${encodeURIComponent(id)}`, { type: 'boolean' })).toEqual([
    409,
    expect.stringMatching(/"43"/),
  ]);
  await act('DELETE', `attributes/${encodeURIComponent(id)}`);
  expect(await ids('attribute-values')).toEqual([]);
  await undo();
  expect(await ids('attribute-values')).toHaveLength(1);
});

test.each([
  ['a taken name', { name: 'favorite color' }, 409, /already/],
  ['an empty name', { name: '  ' }, 400, /needs a name/],
  ['a name of 201 characters', { name: 'x'.repeat(201) }, 400, /at most 200/],
  ['an empty set', { values: [] }, 400, /set is empty/],
  ['a value of another type', { type: 'number', values: ['1', 'two'] }, 400, /"two" is not a number/],
] as const)('an attribute with %s is refused', async (_case, wrong, status, says) => {
  const fields = { companyId: demoCompany, name: 'size', type: 'string', values: null, ...wrong };
  expect(await refused('POST', 'attributes', fields)).toEqual([status, expect.stringMatching(says)]);
});

test.each([
  ['companies', 'accounts.name', { name: 'x'.repeat(5_000) }],
  ['apps', 'accounts.name', { kind: 'private', name: 'x'.repeat(5_000), scopes: [] }],
  ['offers', 'offers.name', { name: 'x'.repeat(5_000), window: 'never-expire' }],
  ['attributes', 'attributes.ui-name-length', { name: 'x'.repeat(5_000), type: 'string' }],
] as const)('the limit of a name is that of its rule, however long it is: %s', async (kind, rule, fields) => {
  const owner = kind === 'companies' ? {} : { companyId: demoCompany };
  const answer = await sandbox.control('POST', `/control/${kind}`, { ...owner, ...fields });
  expect(answer).toMatchObject({ status: 400, body: { refusal: { rule } } });
});

test('a deletion request shows whom it matches, what it deleted, and which request created it', async () => {
  const made = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectEmail: 'ada@example.com' } });
  const { id } = made.body as { id: string };
  const { people } = await read<PrivacyMatchesView>(`privacy-requests/${id}/people`);
  expect(people).toMatchObject([{ emails: ['ada@example.com'], kept: { subscriptions: 2, 'short-links': 0 } }]);
  for (const event of ['start', 'finish']) await act('POST', `records/privacy-requests/${id}/moves`, { event });
  const { history } = await read<{ history: { why: string }[] }>(`records/privacy-requests/${id}`);
  expect(history.at(-1)?.why).toBe('1 person was deleted, with 2 addresses, 2 subscriptions.');
  expect((await read<PrivacyMatchesView>(`privacy-requests/${id}/people`)).people).toEqual([]);
  const { requests } = await read<{ requests: { operation: string }[] }>(`records/privacy-requests/${id}/requests`);
  expect(requests.map(({ operation }) => operation)).toEqual(['POST /privacy/delete-request']);
});

test('units and attributes count the people who have them', async () => {
  const unit = async () => {
    const { units } = await read<{ units: UnitLineView[] }>(`sign-up-units?companyId=${demoCompany}`);
    return units.map(({ id, subscribed, unsubscribed }) => [id, subscribed, unsubscribed]);
  };
  expect((await unit())[0]).toEqual(['100001', 5, 0]);
  await sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user: { email: 'grace@example.com' } } });
  expect((await unit())[0]).toEqual(['100001', 4, 1]);
  const through = await read<UnitPeopleView>('sign-up-units/100001/people');
  expect([through.total, through.people[0]]).toMatchObject([5, { name: 'grace@example.com', status: 'unsubscribed' }]);

  for (const [phone, color] of [
    ['+15555550100', 'red'],
    ['+15555550101', 'red'],
    ['+15555550103', 'blue'],
  ])
    await sandbox.call('POST', '/attributes/custom', {
      json: { user: { phone }, properties: { 'favorite color': color } },
    });
  const { attributes } = await read<{ attributes: AttributeLineView[] }>(`attributes?companyId=${demoCompany}`);
  expect(attributes).toMatchObject([{ name: 'favorite color', people: 3 }]);
  const id = encodeURIComponent(`${demoCompany}:favorite color`);
  await act('POST', `attributes/${id}`, { values: ['red', 'green'] });
  const { values } = await read<AttributeValuesView>(`attributes/${id}/values`);
  expect(values.map(({ value, people, taken }) => [value, people, taken])).toEqual([
    ['red', 2, true],
    ['blue', 1, false],
    ['green', 0, true],
  ]);
  expect(values[0]?.some.map(({ name }) => name)).toEqual(['+15555550101', '+15555550100']);
});

test('an unknown id gets 404 in a path and 400 in a body, where it is, and nothing is added to undo', async () => {
  const before = (await read<{ undo: unknown[] }>('undo')).undo.length;
  for (const path of ['apps/x', 'offers/1', 'sign-up-units/1', 'attributes/x', 'companies/x'])
    expect((await refused('DELETE', path))[0], path).toBe(404);
  const inBody = {
    status: 400,
    body: { refusal: { rule: 'control.unknown-id', place: { in: 'body', at: '/companyId' } } },
  };
  for (const [path, json] of [
    ['offers', { name: 'A', window: 'never-expire' }],
    ['sign-up-units', { language: 'en', country: 'US', type: 'MARKETING' }],
    ['attributes', { name: 'A', type: 'string' }],
    ['apps', { kind: 'private', name: 'A', scopes: [] }],
  ] as const)
    expect(await sandbox.control('POST', `/control/${path}`, { companyId: 'x', ...json }), path).toMatchObject(inBody);
  expect((await read<{ undo: unknown[] }>('undo')).undo).toHaveLength(before);
});

test('a text that is too short or of another form is told what is wanted, with an example that is taken', async () => {
  const { control } = sandbox;
  const webhook = { url: 'http://127.0.0.1:9/', events: ['sms.sent'] };
  const short = await control('POST', '/control/webhooks', { ...webhook, signingKey: 'abc' });
  expect(short).toMatchObject({
    status: 400,
    body: {
      message: 'signingKey must have at least 8 characters; it has 3.',
      refusal: { fix: { say: 'Send a value such as "my-signing-key" there.' } },
    },
  });
  const taken = await control('POST', '/control/webhooks', { ...webhook, signingKey: 'my-signing-key' });
  expect(taken.status).toBe(201);
  const form = await control('GET', '/control/requests?status=9xx');
  expect(form).toMatchObject({
    status: 400,
    body: {
      message: 'The query parameter status must be like "4xx" (pattern ^[1-5](?:xx|[0-9]{2})$), not "9xx".',
      refusal: { fix: { say: 'Send a value such as "4xx" there.' } },
    },
  });
  expect((await control('GET', '/control/requests?status=4xx')).status).toBe(200);
});

test('a misspelt field of a call is named with the one that was meant and those that there are, before the one that is missing then', async () => {
  const refused = async (path: string, json: object) => {
    const { status, body } = await sandbox.control('POST', path, json);
    const { message, refusal } = body as { readonly message: string; readonly refusal: RefusalView };
    return { status, message, edits: refusal.fix.edits };
  };
  expect(await refused('/control/companies', { name: 'Q', domian: 'q.example' })).toEqual({
    status: 400,
    message: 'There is no domian in this call. Did you mean domain? It takes name, domain, contactEmail.',
    edits: [
      { op: 'remove', place: { in: 'body', at: '/domian' } },
      { op: 'set', place: { in: 'body', at: '/domain' }, value: 'q.example' },
    ],
  });
  expect((await refused('/control/pace', { pce: 'instant' })).message).toMatch(
    /no pce .* mean pace\? It takes pace\.$/,
  );
  expect((await refused('/control/pace', { pace: 'instant', colour: 'red' })).message).toBe(
    'There is no colour in this call. It takes pace.',
  );
  const told = { subscriber: { phone: '+15555550100', mail: 'ada@example.com' }, channel: 'TEXT', text: 'x' };
  expect((await refused('/control/messages', told)).message).toMatch(
    /^There is no subscriber\.mail in this call\. Did you mean subscriber\.email\? subscriber takes phone, email/,
  );
  expect((await refused('/control/messages', { phone: '+15555550100', text: 'x' })).message).toMatch(
    /^There is no phone in this call\. It takes .*\bsubscriber\b/,
  );
});
