import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { defaultChoices } from '../../emulator/http/choices.ts';
import type { App } from '../../emulator/records.ts';
import { consent, decide, demoApp, openConsent } from '../support/oauth.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
const strict = useSandbox({ choices: { ...defaultChoices, unknownFields: 'refuse' } });

const exchange = (form: Readonly<Record<string, string>>) =>
  sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    form: { grant_type: 'authorization_code', ...demoApp, ...form },
  });
const counts = () => {
  const { authorizationCodes, credentials } = sandbox.emulator.deps.store;
  return [authorizationCodes.size, credentials.size];
};

const changeApp = (change: Partial<App>) => {
  const { store } = sandbox.emulator.deps;
  const app = [...store.apps.all()].find(({ clientId }) => clientId === demoApp.client_id);
  if (!app) throw new Error('The demo world has no public app.');
  store.transact(() => store.apps.put({ ...app, ...change }));
};
const keyOf = (answer: { readonly body: unknown }) => (answer.body as { access_token: string }).access_token;
const statusOfMe = async (key: string) => (await sandbox.call('GET', '/me', { key })).status;
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

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
    id_token: expect.stringMatching(/^[A-Za-z0-9+/]{42}$/),
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

test('the fix for a scope that a token lacks begins with the app, if the app lacks it too', async () => {
  const key = keyOf(await exchange({ code: await consent(sandbox, { scope: 'webhooks:write' }) }));
  const fix = async () => {
    const refused = await sandbox.call('GET', '/subscriptions', { key, query: { email: 'ada@example.com' } });
    return (await refused.exchange()).refusal?.fix.say;
  };
  expect(await fix()).toMatch(/^Install the app/);
  changeApp({ scopes: ['webhooks:write'] });
  try {
    expect(await fix()).toMatch(/^Grant the scope subscriptions:read to the app "Demo public app", install it again/);
  } finally {
    await sandbox.reset();
  }
});

test('scopes may be joined by plus signs or commas', async () => {
  for (const scope of ['webhooks:write events:write', 'webhooks:write,events:write']) {
    const { answer } = await openConsent(sandbox, { scope });
    expect(answer.text).toContain('<code>webhooks:write</code>');
    expect(answer.text).toContain('<code>events:write</code>');
  }
});

test.for([
  'plain',
  '',
  'a\nb\r\nc\rd',
  '%41%2541',
  'ä ö/?&=#+%',
  '{"a":[1,"<b>"]}',
  '"><script>alert(1)</script>',
  ' '.repeat(3),
  'x'.repeat(2000),
])('state %j is returned unchanged', async (state) => {
  const redirect = await decide(sandbox, await openConsent(sandbox, { state }), 'approve');
  expect(new URL(redirect.headers.get('location') ?? '').searchParams.get('state')).toBe(state);
});

test('without a state none is returned', async () => {
  const redirect = await decide(sandbox, await openConsent(sandbox), 'approve');
  expect(new URL(redirect.headers.get('location') ?? '').searchParams.has('state')).toBe(false);
});

test('denying redirects with access_denied and creates no code', async () => {
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

test('a scope that the app does not have redirects with invalid_scope, in the characters of RFC 6749', async () => {
  const before = counts();
  const { answer } = await openConsent(sandbox, { scope: 'webhooks:write "every\\thing"ä', state: 's' });
  expect([answer.status, answer.rule]).toEqual([303, 'install.scope']);
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['invalid_scope', 's']);
  expect(searchParams.get('error_description')).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(counts()).toEqual(before);
});

test('a scope that the app lost while the page was open is not granted', async () => {
  await sandbox.reset();
  const page = await openConsent(sandbox, { scope: 'webhooks:write', state: 's' });
  changeApp({ scopes: ['events:write'] });
  const before = counts();
  const answer = await decide(sandbox, page, 'approve');
  expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_scope');
  expect(counts()).toEqual(before);
  await sandbox.reset();
});

test.for([
  [
    'https://app.example/callback?keep=1&keep=2',
    'https://app.example/callback?keep=1&keep=2&code=',
    'https://app.example',
  ],
  ['https://app.example/callback#part', /^https:\/\/app\.example\/callback\?code=.*#part$/, 'https://app.example'],
  ['http://[::1]:3000/callback', 'http://[::1]:3000/callback?code=', 'http:'],
  ['myapp://installed', 'myapp://installed?code=', 'myapp:'],
  ['https://app.example/ä b', 'https://app.example/%C3%A4%20b?code=', 'https://app.example'],
  ['https://a;sandbox/', 'https://a;sandbox/?code=', 'https:'],
  ['http://localhost:3000/callback', 'http://localhost:3000/callback?code=', 'http://localhost:* http://127.0.0.1:*'],
] as const)('the registered redirect URI %s is kept, and the form may lead there', async ([uri, location, source]) => {
  await sandbox.reset();
  changeApp({ redirectUris: [uri] });
  const page = await openConsent(sandbox, { redirect_uri: uri });
  const policy = page.answer.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toContain(`form-action 'self' ${source}`);
  const answer = await decide(sandbox, page, 'approve');
  expect(answer.headers.get('location')).toMatch(
    typeof location === 'string'
      ? new RegExp(`^${location.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`)
      : location,
  );
  await sandbox.reset();
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
  ['an invalid port', 'http://localhost:99999/callback', 400],
  ['nothing in it', '', 400],
] as const)('a redirect URI with %s', async ([, redirectUri, status]) => {
  const { answer } = await openConsent(sandbox, { redirect_uri: redirectUri });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('location')).toBeNull();
  if (status === 400) expect(answer.rule).toBe('install.redirect-uri');
});

test('a redirect URI on another port is noted, because the platform may refuse it', async () => {
  const notesOf = async (port: number) => {
    const { answer } = await openConsent(sandbox, { redirect_uri: `http://localhost:${port}/callback` });
    return (await answer.exchange()).notes.join();
  };
  expect([await notesOf(49_152), await notesOf(3_000)]).toEqual([
    expect.stringContaining('the platform may refuse it'),
    '',
  ]);
});

test.for([
  ['repeated', 'state=a&state=b', 'input.type'],
  ['repeated', 'client_id=b', 'input.type'],
  ['unknown', 'colour=red', 'input.unknown-field'],
] as const)('a parameter that is %s (%s) is shown on a page', async ([, more, rule]) => {
  const query = new URLSearchParams({ client_id: demoApp.client_id, redirect_uri: demoApp.redirect_uri });
  const answer = await strict.call('GET', `/integrations/oauth-install?${query}&${more}`, { key: null });
  expect([answer.status, answer.rule]).toEqual([400, rule]);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(answer.text).toContain('This app cannot be installed');
  expect((await answer.exchange()).refusal).toMatchObject({ rule });
});

test('an unknown or missing app is shown on a page and does not redirect', async () => {
  for (const client of ['nobody', '']) {
    const { answer } = await openConsent(sandbox, { client_id: client, redirect_uri: 'http://evil.com/' });
    expect([answer.status, answer.rule, answer.headers.get('location')]).toEqual([400, 'install.client-id', null]);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text, 'it says what to do').toContain(
      `Send the client_id of one of your public apps, such as that of &quot;Demo public app&quot;, ${demoApp.client_id}.`,
    );
    const explained = answer.headers.get('x-sandbox-explain') ?? '';
    expect(explained).toMatch(/#\/requests\/req_/);
    expect(answer.text, 'it leads to the request').toContain(`<a href="${explained}">`);
  }
});

test('the page escapes all input, and its policy allows no script and no frame', async () => {
  const attack = '"><script>alert(1)</script>';
  const { answer } = await openConsent(sandbox, { state: attack });
  expect(answer.text).not.toContain('<script');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('cache-control')).toBe('no-store');
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
  ['that the browser calls same-site only', { 'sec-fetch-site': 'same-site' }, {}],
  ['of a page on another port of this host', { origin: 'null', 'sec-fetch-site': 'same-site' }, {}],
  [
    'of a foreign origin that claims to be the same',
    { origin: 'https://evil.com', 'sec-fetch-site': 'same-origin' },
    {},
  ],
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

test('a form of another site is refused and creates no code, even if the browser follows it as a link', async () => {
  const before = counts();
  const page = await openConsent(sandbox);
  const form = { ...page.fields, decision: 'approve', company_id: Object.values(page.companies)[0] ?? '' };
  for (const [mode, rule] of [
    ['navigate', 'request.cross-site'],
    ['no-cors', 'request.cross-site'],
  ]) {
    // With node:http, because fetch sets the mode by itself.
    const sent = request(new URL('/integrations/oauth-install', sandbox.emulator.authUrl), {
      method: 'POST',
      headers: {
        cookie: page.cookie,
        origin: 'https://evil.example',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': mode,
      },
    }).end(new URLSearchParams(form).toString());
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, answer.headers['x-sandbox-rule']]).toEqual([403, rule]);
  }
  expect(counts()).toEqual(before);
});

test('a consent of one browser does not work with the cookie of another', async () => {
  const [mine, theirs] = [await openConsent(sandbox), await openConsent(sandbox)];
  const answer = await decide(sandbox, { ...mine, cookie: theirs.cookie }, 'approve');
  expect(answer.status).toBe(403);
});

test('of two install pages in one browser, the older one can still be approved', async () => {
  const older = await openConsent(sandbox);
  const newer = await sandbox.call('GET', '/integrations/oauth-install', {
    key: null,
    headers: { cookie: `other=1; ${older.cookie}; more=2` },
    query: { client_id: demoApp.client_id, redirect_uri: demoApp.redirect_uri },
  });
  const [cookie = ''] = (newer.headers.get('set-cookie') ?? '').split(';');
  expect((await decide(sandbox, { ...older, cookie }, 'approve')).status).toBe(303);
});

test('a browser sends the origin null with the form of a page without referrer, and is accepted', async () => {
  const page = await openConsent(sandbox);
  const answer = await sandbox.call('POST', '/integrations/oauth-install', {
    key: null,
    headers: { cookie: page.cookie, origin: 'null', 'sec-fetch-site': 'same-origin' },
    form: { ...page.fields, decision: 'approve', company_id: Object.values(page.companies)[0] ?? '' },
  });
  expect(answer.status).toBe(303);
});

test('the app’s name is escaped on the page', async () => {
  await sandbox.reset();
  changeApp({ name: '<img src=x onerror=alert(1)>' });
  const { answer } = await openConsent(sandbox);
  expect(answer.text).not.toContain('<img');
  expect(answer.text).toContain('&lt;img src=x');
  await sandbox.reset();
});

test('the cookie is only for the page', async () => {
  const { answer } = await openConsent(sandbox);
  expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/integrations; HttpOnly; SameSite=Lax$/);
});

test.for([
  [-1, 200],
  [0, 400],
  [1, 400],
] as const)(
  'a code expires two minutes after it was issued: %i ms later the exchange returns %i',
  async ([past, status]) => {
    const { clock } = sandbox.emulator.deps;
    clock.freeze(true);
    try {
      const code = await consent(sandbox);
      const before = counts();
      await clock.advance(2 * 60_000 + past);
      const answer = await exchange({ code });
      expect([answer.status, answer.rule]).toEqual([
        status,
        status === 200 ? null : 'oauth.invalid-grant.expired-code',
      ]);
      if (status === 400) expect(counts()).toEqual(before);
    } finally {
      clock.freeze(false);
    }
  },
);

test('a code that expires after the year 9999 works until then', async () => {
  const { clock } = sandbox.emulator.deps;
  clock.freeze(true);
  await clock.set(Date.parse('9999-12-31T23:58:30.000Z'));
  const codes = [await consent(sandbox), await consent(sandbox), await consent(sandbox)];
  const exchanged = async (at: number) => (await exchange({ code: codes[at] ?? '' })).rule;
  expect(await exchanged(0)).toBeNull();
  await clock.advance(119_999);
  expect(await exchanged(1)).toBeNull();
  await clock.advance(1);
  expect(await exchanged(2)).toBe('oauth.invalid-grant.expired-code');
});

test('a code is base64 of 24 hexadecimal digits', async () => {
  expect(Buffer.from(await consent(sandbox), 'base64').toString()).toMatch(/^[0-9a-f]{24}$/);
});

test('a repeated code revokes its token, and no other', async () => {
  const [code, otherCode] = [await consent(sandbox), await consent(sandbox)];
  const [key, otherKey] = [keyOf(await exchange({ code })), keyOf(await exchange({ code: otherCode }))];
  expect(await statusOfMe(key)).toBe(200);
  const again = await exchange({ code });
  expect([again.status, again.rule]).toEqual([400, 'oauth.invalid-grant.used-code']);
  expect(again.body).toEqual({
    error: 'invalid_grant',
    error_description: expect.stringContaining('already exchanged'),
  });
  expect((await again.exchange()).refusal?.rule).toBe('oauth.invalid-grant.used-code');
  expect((await sandbox.call('GET', '/me', { key })).rule).toBe('auth.revoked');
  expect(await statusOfMe(otherKey)).toBe(200);
});

test('another app cannot revoke a token by sending its code again', async () => {
  const code = await consent(sandbox);
  const key = keyOf(await exchange({ code }));
  expect((await exchange({ code, client_secret: 'guess' })).status).toBe(401);
  expect(await statusOfMe(key)).toBe(200);
});

test('a used code revokes its token even after its two minutes', async () => {
  const code = await consent(sandbox);
  const key = keyOf(await exchange({ code }));
  await sandbox.emulator.deps.clock.advance(3 * 60_000);
  expect((await exchange({ code })).rule).toBe('oauth.invalid-grant.used-code');
  expect(await statusOfMe(key)).toBe(401);
});

test('a refused exchange leaves the code usable', async () => {
  const code = await consent(sandbox);
  await exchange({ code, redirect_uri: 'http://localhost:3001/callback' });
  await exchange({ code, client_secret: 'guess' });
  expect((await exchange({ code })).status).toBe(200);
});

test('two companies install the app, and each gets its own token', async () => {
  const names = ['Sandpiper Supply Co.', 'Dunlin Outfitters'];
  for (const name of names) {
    const key = keyOf(await exchange({ code: await consent(sandbox, {}, name) }));
    expect((await sandbox.call('GET', '/me', { key })).body).toMatchObject({ companyName: name });
    const json = { url: 'http://localhost:3000/webhooks', events: ['sms.sent'] };
    expect((await sandbox.call('POST', '/webhooks', { key, json })).status).toBe(201);
    const { webhooks } = (await sandbox.call('GET', '/webhooks', { key })).body as { webhooks: unknown[] };
    expect(webhooks).toHaveLength(1);
  }
});

test('of two simultaneous exchanges of one code exactly one succeeds', async () => {
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

test.for(['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret'])(
  'without %s, or with it twice, the request is an invalid_request that names it',
  async (name) => {
    const full = { grant_type: 'authorization_code', ...demoApp, code: await consent(sandbox) };
    const before = counts();
    const form = Object.fromEntries(Object.entries(full).filter(([key]) => key !== name));
    const left = await sandbox.call('POST', '/authorization-codes/tokens', { key: null, form });
    expect([left.status, left.rule]).toEqual([400, 'oauth.invalid-request.missing']);
    expect(left.body).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining(`${name} is required`),
    });
    const twice = await sandbox.call('POST', '/authorization-codes/tokens', {
      key: null,
      raw: `${new URLSearchParams(full)}&${name}=again`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([twice.status, twice.rule]).toEqual([400, 'oauth.invalid-request.repeated']);
    expect(twice.body).toEqual({
      error: 'invalid_request',
      error_description: `${name} was sent 2 times. Send it once.`,
    });
    expect(counts()).toEqual(before);
  },
);

test('an exchange without a body names all missing fields', async () => {
  const { body } = await sandbox.call('POST', '/authorization-codes/tokens', { key: null });
  expect(body).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('grant_type, code, redirect_uri, client_id, client_secret are required'),
  });
});

test('an app may identify itself by HTTP Basic, which is noted', async () => {
  const { client_id, client_secret, redirect_uri } = demoApp;
  const call = async (secret: string) =>
    sandbox.call('POST', '/authorization-codes/tokens', {
      key: null,
      headers: basic(client_id, secret),
      form: { grant_type: 'authorization_code', redirect_uri, code: await consent(sandbox) },
    });
  const wrong = await call('guess');
  expect([wrong.status, wrong.rule]).toEqual([401, 'oauth.invalid-client.secret']);
  expect(wrong.headers.get('www-authenticate')).toBe('Basic realm="sandpiper"');
  const right = await call(client_secret);
  expect(right.status).toBe(200);
  expect((await right.exchange()).notes.join(' ')).toContain('HTTP Basic');
});

test('the token endpoint refuses JSON and says so', async () => {
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

test('a value that is cut in the description of an error ends in three dots', async () => {
  const boundary = 'a'.repeat(100);
  const answer = await sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    raw: `--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const { error_description: description } = answer.body as { error_description: string };
  expect(description).toMatch(/, not 'multipart\/form-data; boundary=a+'\.\.\./);
});

test('a bearer header on the exchange is ignored', async () => {
  const code = await consent(sandbox);
  const answer = await sandbox.call('POST', '/authorization-codes/tokens', {
    key: 'anything',
    form: { grant_type: 'authorization_code', ...demoApp, code },
  });
  expect(answer.status).toBe(200);
});

test('the description of an error has only the characters of RFC 6749', async () => {
  const form = {
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: 'http://localhost:3000/callback',
    client_id: 'café "x"',
    client_secret: 's',
  };
  const { body } = await exchange(form);
  const { error_description: description } = body as { error_description: string };
  expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

test('how the app identified itself is noted if it did not do so in the form alone', async () => {
  const notesOf = async (headers: Readonly<Record<string, string>>, more: Readonly<Record<string, string>>) => {
    const form = { grant_type: 'authorization_code', ...more };
    const answer = await sandbox.call('POST', '/authorization-codes/tokens', { form, key: null, headers });
    expect(answer.headers.has('www-authenticate')).toBe(answer.status === 401 && !('client_secret' in more));
    return (await answer.exchange()).notes.join();
  };
  const whole = { ...demoApp, client_secret: 'guess', code: 'c' };
  const { client_secret: _secret, ...secretless } = whole;
  expect(await notesOf({}, whole)).toBe('');
  expect(await notesOf(basic('c', 'd'), whole)).toContain('only the form was read');
  expect(await notesOf(basic('c', 'd'), secretless)).toContain('identified itself by HTTP Basic');
  expect(await notesOf({ authorization: `Basic ${btoa('no colon')}` }, whole), 'no credentials').toBe('');
});

test.each([
  ['accepted', ['Bearer sandpiper-demo-key', 'Bearer other'], 200],
  ['refused', ['Bearer other', 'Bearer sandpiper-demo-key'], 401],
] as const)('a second Authorization header is noted if the first one is %s', async (_is, [one, other], status) => {
  const headers = ['authorization', one, 'Authorization', other];
  const sent = request(`${sandbox.emulator.apiUrl}/me`, {
    headers: ['host', new URL(sandbox.emulator.apiUrl).host, ...headers],
  });
  const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  expect(answer.statusCode).toBe(status);
  expect(sandbox.emulator.recorder.all().at(-1)?.notes).toEqual([
    'The request has several Authorization headers; only the first was read.',
  ]);
});
