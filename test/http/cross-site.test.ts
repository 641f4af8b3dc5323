/** A page that the developer visits cannot change anything here, and cannot push requests out of the record. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { defaultChoices } from '../../emulator/http/choices.ts';
import type { RequestView } from '../../emulator/control/calls.ts';
import { startSandbox, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

/** As a browser sends it for a page of `origin` that posts with mode no-cors. */
const fromPage = (origin: string) => ({
  headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin, 'content-type': 'application/json' },
});

test('a page of another site is refused, and its request has no effect', async () => {
  const before = [...sandbox.emulator.deps.store.events.all()].length;
  const json = { type: 'Spam', user: { email: 'ada@example.com' } };
  const answer = await sandbox.call('POST', '/events/custom', { json, ...fromPage('https://evil.example') });
  expect(answer).toMatchObject({ status: 403, rule: 'request.cross-site' });
  expect([...sandbox.emulator.deps.store.events.all()].length).toBe(before);
});

test('only the first request of a site is recorded, with the number of later ones', async () => {
  await sandbox.control('DELETE', '/control/requests');
  for (let n = 0; n < 30; n += 1) {
    const answer = await sandbox.call('POST', '/events/custom', { raw: 'spam', ...fromPage('https://spam.example') });
    expect(answer.status).toBe(403);
  }
  const recorded = sandbox.emulator.recorder.all();
  expect(recorded).toHaveLength(1);
  const { body } = await sandbox.control('GET', `/control/requests/${recorded[0]?.id}`);
  expect((body as RequestView).notes).toEqual(['29 later requests of this site were also refused, and not recorded.']);
});

test('after the record was cleared the next request of a site is recorded again', async () => {
  const post = () => sandbox.call('POST', '/events/custom', { raw: 'spam', ...fromPage('https://again.example') });
  await post();
  await sandbox.control('DELETE', '/control/requests');
  await post();
  await post();
  expect(sandbox.emulator.recorder.all().map(({ status }) => status)).toEqual([403]);
});

test('requests of a 51st site are recorded once the others are no longer in the record', async () => {
  const own = await startSandbox();
  onTestFinished(own.close);
  const post = (n: number) => own.call('POST', '/events/custom', { raw: 'spam', ...fromPage(`https://s${n}.example`) });
  for (let n = 0; n < 51; n += 1) await post(n);
  expect(own.emulator.recorder.size).toBe(50);
  await own.control('DELETE', '/control/requests');
  await post(50);
  expect(own.emulator.recorder.size).toBe(1);
});

test('requests of a server, a command line and the same site are accepted', async () => {
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  expect((await sandbox.call('GET', '/me', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
  expect((await sandbox.call('GET', '/me', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
});

test.for([
  ['a form that it sends by itself', 'POST', '/v1/events/custom', 'document'],
  ['a form in a frame', 'POST', '/v1/events/custom', 'iframe'],
  ['a form to the install page', 'POST', '/integrations/oauth-install', 'document'],
  ['a frame', 'GET', '/v1/me', 'iframe'],
  ['a frame of the install page', 'GET', '/integrations/oauth-install', 'iframe'],
  ['a window that it opens again and again', 'GET', '/v1/me', 'document'],
] as const)('a page of another site cannot fill the record with %s', async ([, method, path, dest]) => {
  await sandbox.control('DELETE', '/control/requests');
  for (let n = 0; n < 5; n += 1) {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest };
    // With node:http, because fetch sets the mode by itself.
    const sent = request(sandbox.emulator.authUrl + path, {
      method,
      headers: { ...headers, origin: `https://${dest}-${method.toLowerCase()}.example` },
    }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, answer.headers['x-sandbox-rule']]).toEqual([403, 'request.cross-site']);
  }
  expect(sandbox.emulator.recorder.all().length).toBeLessThanOrEqual(1);
});

/** As Safari before 16.4 sends it, which has no Sec-Fetch-Site. */
const olderBrowser = {
  'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/16.3 Safari/605.1.15',
};

/** With node:http, because fetch sets such headers by itself. */
async function sendAs(headers: Readonly<Record<string, string>>, path = '/v1/me', method = 'GET') {
  const sent = request(sandbox.emulator.authUrl + path, { method, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode, rule: answer.headers['x-sandbox-rule'] };
}

test.for([
  ['POST', { origin: 'https://older.example' }, 'origin'],
  ['POST', { origin: 'null' }, 'origin'],
  ['GET', { referer: 'https://older-image.example/page' }, 'referer'],
] as const)(
  'a page of another site is refused in a browser without Sec-Fetch-Site, too: %s %j',
  async ([method, from, at]) => {
    await sandbox.control('DELETE', '/control/requests');
    const before = sandbox.emulator.deps.store.events.size;
    const path = method === 'POST' ? '/v1/events/custom' : '/v1/me';
    for (let n = 0; n < 5; n += 1)
      expect(await sendAs({ ...olderBrowser, ...from }, path, method)).toEqual({
        status: 403,
        rule: 'request.cross-site',
      });
    expect(sandbox.emulator.deps.store.events.size).toBe(before);
    expect(sandbox.emulator.recorder.all().length).toBeLessThanOrEqual(1);
    for (const { refusal } of sandbox.emulator.recorder.all()) expect(refusal?.place).toEqual({ in: 'header', at });
  },
);

test('pages of this server, links to the install page, and clients that are not browsers are not refused for their Origin or Referer', async () => {
  const { authUrl } = sandbox.emulator;
  const unauthorized = { status: 401, rule: 'auth.missing' };
  expect(await sendAs({ ...olderBrowser, origin: authUrl, referer: `${authUrl}/` })).toEqual(unauthorized);
  expect(await sendAs({ 'user-agent': 'my-server/1.0', origin: 'https://shop.example' })).toEqual(unauthorized);
  const query = 'client_id=sandpiper-demo-client&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fcallback';
  const link = await sendAs(
    { ...olderBrowser, referer: 'https://shop.example/' },
    `/integrations/oauth-install?${query}`,
  );
  expect(link.status).toBe(200);
});

test('a link on another site leads to the install page', async () => {
  const url = new URL('/integrations/oauth-install', sandbox.emulator.authUrl);
  url.search = String(
    new URLSearchParams({ client_id: 'sandpiper-demo-client', redirect_uri: 'http://localhost:3000/callback' }),
  );
  // With node:http, because fetch sets this header by itself.
  const sent = request(url, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(200);
});

test('in answers that are exact, no refusal of a page has a header of ours', async () => {
  const exact = await startSandbox({ choices: { ...defaultChoices, answers: 'exact' } });
  onTestFinished(() => exact.close());
  for (let n = 0; n < 2; n += 1) {
    const answer = await exact.call('GET', '/me', fromPage('https://spam.example'));
    expect([answer.status, [...answer.headers.keys()].filter((name) => name.startsWith('x-sandbox'))]).toEqual([
      403,
      [],
    ]);
  }
});
