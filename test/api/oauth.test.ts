import { expect, test } from 'vitest';
import { consent, decide, demoApp, openConsent } from '../support/oauth.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

const exchange = (form: Readonly<Record<string, string>>) =>
  sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    form: { grant_type: 'authorization_code', ...demoApp, ...form },
  });
const counts = () => {
  const { authorizationCodes, credentials } = sandbox.emulator.deps.store;
  return [authorizationCodes.size, credentials.size];
};

test('an app is installed: consent, code, token, and the token works for the company that was chosen', async () => {
  const page = await openConsent(sandbox, { state: 'xyz', scope: 'webhooks:write subscriptions:read' });
  expect(page.answer.status).toBe(200);
  expect(page.answer.text).toContain('Install Demo public app?');
  expect(page.answer.text).toContain('webhooks:write');
  const redirect = await decide(sandbox, page, 'approve', 'Dunlin Outfitters');
  expect(redirect.status).toBe(303);
  const location = new URL(redirect.headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe(demoApp.redirect_uri);
  expect(location.searchParams.get('state')).toBe('xyz');
  expect(location.searchParams.get('authorizationCode')).toBe(location.searchParams.get('code'));

  const answer = await exchange({ code: location.searchParams.get('code') ?? '' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^\S{42}$/),
    id_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 900,
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { access_token: key } = answer.body as { access_token: string };
  expect((await sandbox.call('GET', '/me', { key })).body).toMatchObject({
    companyName: 'Dunlin Outfitters',
    applicationName: 'Demo public app',
  });
  expect((await sandbox.call('GET', '/webhooks', { key })).status).toBe(200);
  expect(
    (await sandbox.call('POST', '/events/custom', { key, json: { type: 'x', user: { phone: '+15555550100' } } })).rule,
  ).toBe('auth.scope');
});

test('without a scope the app gets all of its own', async () => {
  const { access_token: key } = (await exchange({ code: await consent(sandbox) })).body as { access_token: string };
  const answer = await sandbox.call('POST', '/events/custom', {
    key,
    json: { type: 'x', user: { phone: '+15555550100' } },
  });
  expect(answer.status).toBe(200);
});

test('scopes may be joined by plus signs or commas', async () => {
  for (const scope of ['webhooks:write events:write', 'webhooks:write,events:write']) {
    const { answer } = await openConsent(sandbox, { scope });
    expect(answer.text).toContain('<code>webhooks:write</code>');
    expect(answer.text).toContain('<code>events:write</code>');
  }
});

test.for(['plain', 'ä ö/?&=#+%', '{"a":[1,"<b>"]}', '"><script>alert(1)</script>', ' '.repeat(3), 'x'.repeat(2000)])(
  'state %j comes back untouched',
  async (state) => {
    const redirect = await decide(sandbox, await openConsent(sandbox, { state }), 'approve');
    expect(new URL(redirect.headers.get('location') ?? '').searchParams.get('state')).toBe(state);
  },
);

test('without a state none comes back', async () => {
  const redirect = await decide(sandbox, await openConsent(sandbox), 'approve');
  expect(new URL(redirect.headers.get('location') ?? '').searchParams.has('state')).toBe(false);
});

test('denying leads back with access_denied and makes no code', async () => {
  const before = counts();
  const redirect = await decide(sandbox, await openConsent(sandbox, { state: 's' }), 'deny');
  const { searchParams } = new URL(redirect.headers.get('location') ?? '');
  expect([searchParams.get('error'), searchParams.get('state'), searchParams.has('code')]).toEqual([
    'access_denied',
    's',
    false,
  ]);
  expect(counts()).toEqual(before);
});

test('a scope that the app does not have leads back with invalid_scope', async () => {
  const { answer } = await openConsent(sandbox, { scope: 'everything', state: 's' });
  expect(answer.status).toBe(303);
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['invalid_scope', 's']);
});

test.for([
  ['another port of this machine', 'http://localhost:49152/callback', 200],
  ['another loopback name', 'http://127.0.0.1:3000/callback', 400],
  ['another path', 'http://localhost:3000/callback/more', 400],
  ['an added query', 'http://localhost:3000/callback?a=1', 400],
  ['a fragment', 'http://localhost:3000/callback#x', 400],
  ['another scheme', 'https://localhost:3000/callback', 400],
  ['a user name', 'http://localhost:3000@evil.com/callback', 400],
  ['another host', 'http://evil.com/callback', 400],
  ['a look-alike', 'http://localhost:3000.evil.com/callback', 400],
  ['a script', 'javascript:alert(1)', 400],
  ['dots in the path', 'http://localhost:3000/x/../callback', 400],
  ['upper case', 'http://LOCALHOST:3000/callback', 400],
] as const)('a redirect URI with %s', async ([, redirectUri, status]) => {
  const { answer } = await openConsent(sandbox, { redirect_uri: redirectUri });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('location')).toBeNull();
  if (status === 400) expect(answer.rule).toBe('install.redirect-uri');
});

test('an unknown app, or none, is told on a page and redirects nobody', async () => {
  for (const client of ['nobody', '']) {
    const { answer } = await openConsent(sandbox, { client_id: client, redirect_uri: 'http://evil.com/' });
    expect([answer.status, answer.rule, answer.headers.get('location')]).toEqual([400, 'install.client-id', null]);
    expect(answer.headers.get('content-type')).toContain('text/html');
  }
});

test('the page escapes what came from outside, and its policy allows no script and no frame', async () => {
  const attack = '"><script>alert(1)</script>';
  const { answer } = await openConsent(sandbox, { state: attack });
  expect(answer.text).not.toContain('<script');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self' http://localhost:3000");
  const refused = await openConsent(sandbox, { client_id: attack });
  expect(refused.answer.text).not.toContain('<script');
});

test.for([
  ['without the cookie', { cookie: '' }, {}],
  ['with a wrong token', {}, { csrf_token: 'f'.repeat(64) }],
  ['without a token', {}, { csrf_token: '' }],
  ['with another redirect URI than was shown', {}, { redirect_uri: 'http://localhost:9/callback' }],
  ['with another state than was shown', {}, { state: 'swapped' }],
  ['with another scope than was shown', {}, { scope: 'events:write' }],
  ['from another origin', { origin: 'https://evil.com' }, {}],
  ['from the null origin', { origin: 'null' }, {}],
  ['across sites', { 'sec-fetch-site': 'cross-site' }, {}],
] as const)('a consent %s is refused and makes no code', async ([, headers, form]) => {
  const before = counts();
  const page = await openConsent(sandbox, { state: 's', scope: 'webhooks:write' });
  const answer = await sandbox.call('POST', '/integrations/oauth-install', {
    key: null,
    headers: { cookie: page.cookie, origin: sandbox.emulator.authUrl, ...headers },
    form: { ...page.fields, decision: 'approve', company_id: Object.values(page.companies)[0] ?? '', ...form },
  });
  expect([answer.status, answer.rule, answer.headers.get('location')]).toEqual([403, 'install.consent-token', null]);
  expect(counts()).toEqual(before);
});

test('a consent of one browser does not work with the cookie of another', async () => {
  const [mine, theirs] = [await openConsent(sandbox), await openConsent(sandbox)];
  const answer = await decide(sandbox, { ...mine, cookie: theirs.cookie }, 'approve');
  expect(answer.status).toBe(403);
});

test('the cookie is for the page alone', async () => {
  const { answer } = await openConsent(sandbox);
  expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/integrations; HttpOnly; SameSite=Lax$/);
});

test('a code works just before its two minutes are over, and no longer at their end', async () => {
  const { clock } = sandbox.emulator.deps;
  clock.freeze(true);
  try {
    const [good, late] = [await consent(sandbox), await consent(sandbox)];
    await clock.advance(2 * 60_000 - 1);
    expect((await exchange({ code: good })).status).toBe(200);
    await clock.advance(1);
    expect((await exchange({ code: late })).body).toMatchObject({ error: 'invalid_grant' });
  } finally {
    clock.freeze(false);
  }
});

test('of two exchanges of one code at once exactly one wins', async () => {
  const code = await consent(sandbox);
  const answers = await Promise.all([exchange({ code }), exchange({ code }), exchange({ code })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
});

test.for([
  ['a missing code', { code: '' }, 400, 'invalid_request'],
  ['a wrong secret', { client_secret: 'guess' }, 401, 'invalid_client'],
  ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
  ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['an unknown code', { code: 'MTQ0NjJkZmQ5OTM2NDE1ZTZjNGZmZjI3' }, 400, 'invalid_grant'],
  ['another redirect URI', { redirect_uri: 'http://localhost:3000/other' }, 400, 'invalid_grant'],
] as const)(
  'the token endpoint tells of %s as RFC 6749 does, and gives no token',
  async ([, change, status, error]) => {
    const code = await consent(sandbox);
    const before = counts();
    const answer = await exchange({ code, ...change });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.stringMatching(/.{10}/) });
    expect(counts()).toEqual(before);
  },
);

test('a field left out or sent twice is an invalid_request that names it', async () => {
  const left = await sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    form: { grant_type: 'authorization_code' },
  });
  expect(left.body).toEqual({
    error: 'invalid_request',
    error_description: expect.stringContaining('code is required'),
  });
  const twice = await sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    raw: `${new URLSearchParams({ grant_type: 'authorization_code', code: 'a', ...demoApp })}&code=b`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([twice.status, (twice.body as { error: string }).error]).toEqual([400, 'invalid_request']);
});

test('JSON is not what the token endpoint reads, and it says so', async () => {
  const answer = await sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    json: { grant_type: 'authorization_code' },
  });
  expect(answer.status).toBe(415);
  expect(answer.body).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('application/x-www-form-urlencoded'),
  });
});

test('a bearer header on the exchange is ignored', async () => {
  const code = await consent(sandbox);
  const answer = await sandbox.call('POST', '/authorization-codes/tokens', {
    key: 'anything',
    form: { grant_type: 'authorization_code', ...demoApp, code },
  });
  expect(answer.status).toBe(200);
});
