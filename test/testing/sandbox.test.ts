import { createHmac } from 'node:crypto';
import { afterEach, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import {
  createSandbox,
  type EventType,
  type Sandbox,
  type SandboxOptions,
  type SandboxReceiver,
} from 'sandpiper/testing';
import { createControlClient } from '../../emulator/control/client/control-client.ts';
import type { EventType as KnownEventType } from '../../emulator/contract/event-schemas.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

async function start(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  open.push(sandbox);
  return sandbox;
}

function call(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(sandbox.apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const subscribe = (sandbox: Sandbox, phone: string): Promise<Response> =>
  call(sandbox, 'POST', '/subscriptions', { user: { phone }, signUpSourceId: '100001' });

test('the addresses, the key and the variables of env lead to the same platform', async () => {
  const sandbox = await start();
  expect((await call(sandbox, 'GET', '/me')).status).toBe(200);
  const graphql = await fetch(sandbox.graphqlUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect(await graphql.json()).toMatchObject({ data: { __typename: expect.any(String) } });
  expect(sandbox.env).toEqual({
    SANDPIPER_API_URL: sandbox.apiUrl,
    SANDPIPER_AUTH_URL: sandbox.authUrl,
    SANDPIPER_GRAPHQL_URL: sandbox.graphqlUrl,
    SANDPIPER_INSPECTOR_URL: sandbox.inspectorUrl,
    SANDPIPER_TOKEN: sandbox.token,
    SANDPIPER_API_KEY: sandbox.key,
    SANDPIPER_CLIENT_ID: 'sandpiper-demo-client',
    SANDPIPER_CLIENT_SECRET: 'sandpiper-demo-secret',
  });
  const { ready, dataDir } = await sandbox.control.call('GET /control/health');
  expect([ready, dataDir]).toEqual([true, null]);
  expect(await sandbox.control.get('/control/health')).toMatchObject({ ready, dataDir });
});

test('simultaneous sandboxes share nothing', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  await Promise.all(['+15555550190', '+15555550191'].map((phone) => subscribe(one, phone)));
  await one.clock.advance('30d');
  expect(one.requests()).toHaveLength(2);
  expect(other.requests()).toEqual([]);
  expect(Date.parse(one.clock.now()) - Date.parse(other.clock.now())).toBeGreaterThan(29 * 86_400_000);
});

test('requests are filtered by method, path, operation, status, rule or a function', async () => {
  const sandbox = await start();
  await call(sandbox, 'GET', '/me?verbose=1');
  await subscribe(sandbox, '+15555550190');
  await subscribe(sandbox, 'nonsense');
  const count = (...filter: Parameters<Sandbox['requests']>): number => sandbox.requests(...filter).length;
  expect(count()).toBe(3);
  expect(count({ method: 'get' })).toBe(1);
  expect(count({ path: '/me' })).toBe(1);
  expect(count({ path: '/v1/me', method: 'POST' })).toBe(0);
  expect(count({ path: /^\/v1\/sub/ })).toBe(2);
  expect(count({ operation: 'POST /subscriptions' })).toBe(2);
  expect(count({ status: '4xx' })).toBe(1);
  expect(count({ status: 400 })).toBe(1);
  const [refused] = sandbox.requests({ status: 400 });
  expect(count({ rule: refused!.rule! })).toBe(1);
  expect(count(({ sent }) => (sent as { user?: { phone?: string } })?.user?.phone === '+15555550190')).toBe(1);
  expect(() => sandbox.requests({ url: '/me' } as never)).toThrow('no "url"');
});

test('a recorded request shows what was sent and answered, parsed', async () => {
  const sandbox = await start();
  await subscribe(sandbox, '+15555550190');
  expect(sandbox.requests()[0]).toMatchObject({
    path: '/v1/subscriptions',
    sent: { user: { phone: '+15555550190' }, signUpSourceId: '100001' },
    answered: expect.any(Object),
    status: 202,
  });
  expect(sandbox.requests()[0]?.request.headers).toContainEqual(['authorization', 'Bearer sandpiper-demo-key']);
});

test('waitForRequest resolves for an earlier and for a later request', async () => {
  const sandbox = await start();
  await call(sandbox, 'GET', '/me');
  const first = await sandbox.waitForRequest({ operation: 'GET /me' });
  const second = sandbox.waitForRequest({ operation: 'GET /me' }, { after: first });
  const early = await Promise.race([second, Promise.resolve('nothing yet')]);
  expect(early).toBe('nothing yet');
  await call(sandbox, 'GET', '/me');
  expect((await second).sequence).toBeGreaterThan(first.sequence);
});

test('a wait for a request that never arrives lists what arrived instead', async () => {
  const sandbox = await start();
  const waiting = sandbox.waitForRequest({ operation: 'GET /me' }, { timeoutMs: 30 });
  await expect(waiting).rejects.toThrow(
    'There was no request with operation "GET /me" within 30 ms. No request came at all',
  );
  await subscribe(sandbox, 'nonsense');
  await expect(sandbox.waitForRequest({ path: '/me' }, { timeoutMs: 30 })).rejects.toThrow(
    /One request came:\n {2}400 {2}POST \/v1\/subscriptions {2}[a-z0-9.-]+: /,
  );
});

test('a frozen clock does not stop a timeout', async () => {
  const sandbox = await start();
  await sandbox.clock.freeze();
  await expect(sandbox.waitForRequest({ path: '/me' }, { timeoutMs: 30 })).rejects.toThrow('within 30 ms');
});

test('a function that throws fails the wait', async () => {
  const sandbox = await start();
  const waiting = sandbox.waitForRequest(() => {
    throw new Error('the filter itself is broken');
  });
  waiting.catch(() => {});
  await call(sandbox, 'GET', '/me');
  await expect(waiting).rejects.toThrow('the filter itself is broken');
});

test('waitForDelivery resolves when the first attempt is over, and for a state when it is reached', async () => {
  const sandbox = await start();
  const receiver = await sandbox.receiver();
  const webhook = await sandbox.control.createWebhook({ url: receiver.url, events: ['sms.subscribed'] });
  receiver.answerWith({ status: 500 }, { status: 204 });
  const waiting = sandbox.waitForDelivery({ type: 'sms.subscribed', webhookId: webhook.id });
  await subscribe(sandbox, '+15555550190');
  const retrying = await waiting;
  expect(retrying).toMatchObject({ state: 'retrying', attemptCount: 1 });
  await sandbox.clock.advance('1m');
  const delivered = await sandbox.waitForDelivery({ eventId: retrying.eventId, state: 'delivered' });
  expect(delivered.attempts.map(({ response }) => response?.status)).toEqual([500, 204]);
  expect(receiver.received).toHaveLength(2);
});

test('waitForDelivery with after resolves only for a later delivery, with a reset in between for any', async () => {
  const sandbox = await start();
  const receiver = await sandbox.receiver();
  const fire = () => sandbox.trigger({ type: 'sms.sent', to: receiver.url });
  await fire();
  const first = await sandbox.waitForDelivery({ type: 'sms.sent' });
  const second = sandbox.waitForDelivery({ type: 'sms.sent' }, { after: first });
  expect(await Promise.race([second, Promise.resolve('nothing yet')])).toBe('nothing yet');
  await fire();
  expect(sandbox.deliveries().map(({ id }) => id)).toEqual([first.id, (await second).id]);
  await expect(sandbox.waitForDelivery({}, { after: await second, timeoutMs: 30 })).rejects.toThrow(
    `There was no delivery of any kind after ${(await second).id} within 30 ms.`,
  );
  await sandbox.reset();
  await fire();
  expect((await sandbox.waitForDelivery({}, { after: first })).eventId).not.toBe(first.eventId);
});

test('a wait for a missing delivery says why', async () => {
  const sandbox = await start();
  const wait = (): Promise<unknown> => sandbox.waitForDelivery({ type: 'email.opened' }, { timeoutMs: 30 });
  await expect(wait()).rejects.toThrow('because there is no webhook yet');
  const receiver = await sandbox.receiver();
  await sandbox.control.createWebhook({ url: receiver.url, events: ['sms.subscribed'] });
  await expect(wait()).rejects.toThrow(`The webhooks list:\n  ${receiver.url}: sms.subscribed`);
  receiver.answerWith({ status: 500 });
  await sandbox.trigger({ type: 'sms.subscribed' });
  await expect(wait()).rejects.toThrow(/There is one:\n {2}retrying, next at \S+Z {2}sms\.subscribed to .*500/);
});

test('a receiver collects exact bytes, replies as configured, and next returns each request once', async () => {
  const sandbox = await start();
  const receiver = await sandbox.receiver();
  receiver.answerWith({ status: 202, headers: { 'x-seen': 'yes' }, body: 'first' }, { status: 200, body: 'then' });
  await sandbox.control.createWebhook({
    url: `${receiver.url}/hook`,
    events: ['email.opened'],
    signingKey: 'a-key-of-mine',
  });
  const sent = await sandbox.trigger({ type: 'email.opened' });
  expect(sent.deliveries[0]?.attempts[0]?.response).toMatchObject({ status: 202, body: 'first' });
  const first = await receiver.next({ type: 'email.opened', path: '/hook', method: 'post' });
  expect(first.body).toBe(sent.body);
  expect(first.json).toMatchObject({ type: 'email.opened' });
  expect(first.headers['x-attentive-hmac-sha256']).toBe(
    createHmac('sha256', 'a-key-of-mine').update(first.raw).digest('hex'),
  );
  const second = receiver.next();
  await sandbox.trigger({ type: 'email.opened' });
  expect(await second).not.toBe(first);
  await expect(receiver.next({}, { timeoutMs: 30 })).rejects.toThrow(/It received 2.*taken by an earlier next/s);
});

test('every record is listed, however many there are, and a filter says how many of the newest', async () => {
  const sandbox = await start();
  const send = (type: string) => call(sandbox, 'POST', '/events/custom', { type, user: { phone: '+15555550100' } });
  const before = (await sandbox.control.records('events')).length;
  const types = Array.from({ length: 1_050 }, (_, at) => `Visit ${at}`);
  for (let at = 0; at < types.length; at += 50) await Promise.all(types.slice(at, at + 50).map(send));
  const events = await sandbox.control.records('events');
  expect(events).toHaveLength(before + types.length);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);

  const subscriber = { phone: '+15555550100' };
  for (const text of ['one', 'two']) await sandbox.control.compose({ subscriber, channel: 'TEXT', text, force: true });
  expect(await sandbox.control.messages({ limit: 1 })).toMatchObject([{ text: 'two' }]);
});

test('a snapshot restores the state, and a fault applies as requested', async () => {
  const sandbox = await start();
  await sandbox.snapshot.save('before');
  await subscribe(sandbox, '+15555550190');
  const people = async (): Promise<number> => (await sandbox.control.records('users')).length;
  const after = await people();
  await sandbox.snapshot.restore('before');
  expect(await people()).toBe(after - 1);
  await sandbox.fault({ operation: 'GET /me', status: 503, retryAfter: 7 });
  const refused = await call(sandbox, 'GET', '/me');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7']);
  expect((await call(sandbox, 'GET', '/me')).status).toBe(200);
});

test('reset restores the data, clears requests and faults, and time is real again', async () => {
  const sandbox = await start();
  await sandbox.clock.advance('30d');
  await sandbox.clock.freeze();
  await subscribe(sandbox, '+15555550190');
  await sandbox.fault({ operation: '*', status: 500, times: 5 });
  await sandbox.reset();
  expect(sandbox.requests()).toEqual([]);
  expect((await call(sandbox, 'GET', '/me')).status).toBe(200);
  const people = await sandbox.control.records<{ readonly createdAt: string }>('users');
  expect(people).toHaveLength(5);
  expect(people.filter(({ createdAt }) => Date.parse(createdAt) > Date.now())).toEqual([]);
  expect(Math.abs(Date.parse(sandbox.clock.now()) - Date.now())).toBeLessThan(5_000);
  expect(await sandbox.control.clock()).toMatchObject({ mode: 'real' });
});

test('a reset is undone by the id that its answer has, and redone', async () => {
  const sandbox = await start();
  const { undo } = await sandbox.control.answer('POST /control/reset', { body: { world: 'empty' } });
  expect(undo?.code).toBe('world.reset');
  expect(await sandbox.control.undo(undo?.id)).toMatchObject({ id: undo?.id, code: 'world.reset' });
  expect(await sandbox.control.records('companies')).toHaveLength(2);
  expect(await sandbox.control.redo()).toMatchObject({ id: undo?.id });
  expect(await sandbox.control.records('companies')).toEqual([]);
});

test('a rewind is done again with all that came after the jump', async () => {
  const sandbox = await start();
  const [company] = await sandbox.control.records<{ readonly id: string }>('companies');
  await sandbox.clock.advance('30d');
  const ahead = Date.parse(sandbox.clock.now());
  await sandbox.reset('empty');
  await sandbox.clock.rewind();
  expect(await sandbox.control.records('companies')).toContainEqual(company);
  expect((await sandbox.control.undoList()).redo).toMatchObject([{ code: 'clock.advanced', later: 1 }]);
  expect(await sandbox.control.redo()).toMatchObject({ code: 'clock.advanced', later: 1 });
  expect(await sandbox.control.records('companies')).toEqual([]);
  expect(await sandbox.control.undo()).toMatchObject({ code: 'world.reset' });
  expect(await sandbox.control.records('companies')).toContainEqual(company);
  expect((await sandbox.control.clock()).offsetMs).toBeGreaterThan(29 * 86_400_000);
  expect(Date.parse((await sandbox.control.clock()).now)).toBeGreaterThanOrEqual(ahead);
});

test('options choose the data, the pace and the limits, also after a reset', async () => {
  const sandbox = await start({ world: 'empty', pace: 'manual', rateLimits: 'real' });
  const settings = async () => [(await sandbox.control.clock()).pace, (await sandbox.control.limits()).mode];
  expect(await sandbox.control.records('companies')).toEqual([]);
  expect(await settings()).toEqual(['manual', 'real']);
  await sandbox.control.setPace('realistic');
  await sandbox.control.setLimits('off');
  await sandbox.reset();
  expect(await settings()).toEqual(['manual', 'real']);
  expect(await sandbox.control.records('companies')).toEqual([]);
  await sandbox.reset('demo');
  expect((await call(sandbox, 'GET', '/me')).status).toBe(200);
});

test('webhooks show the real time, or with an option the time of the clock, also after a reset', async () => {
  const toYear = async (sandbox: Sandbox): Promise<number> => {
    await sandbox.clock.set('2040-01-02T00:00:00Z');
    const receiver = await sandbox.receiver();
    await sandbox.trigger({ type: 'sms.sent', to: receiver.url });
    const { timestamp } = (await receiver.next()).json as { timestamp: number };
    return new Date(timestamp).getUTCFullYear();
  };
  expect(await toYear(await start())).toBeLessThan(2040);
  const sandbox = await start({ webhookTime: 'virtual' });
  expect(await toYear(sandbox)).toBe(2040);
  await sandbox.reset();
  expect(await toYear(sandbox)).toBe(2040);
  await expect(createSandbox({ webhookTime: 'real' as never })).rejects.toThrow('webhookTime');
});

test('an option that is undefined is not given, as from a variable that is not set', async () => {
  // The types forbid it only where the compiler is told to tell the two apart.
  const unset = undefined as never;
  const { inspectorUrl, token } = await start({ unknownFields: unset, unknownUnsubscribe: unset, answers: unset });
  const { start: options } = await createControlClient({ url: inspectorUrl, token }).call('GET /control/settings');
  expect(options.choices).toEqual({ unknownFields: 'note', unknownUnsubscribe: 'refuse', answers: 'helpful' });
});

test('decideInstall returns the callback to which the browser is redirected', async () => {
  const sandbox = await start();
  const install = new URL(`${sandbox.authUrl}/integrations/oauth-install`);
  install.search = new URLSearchParams({
    client_id: 'sandpiper-demo-client',
    redirect_uri: 'http://localhost:4999/callback',
    state: 'a&b',
  }).toString();
  const approved = new URL(await sandbox.decideInstall(install.href, { company: 'Dunlin Outfitters' }));
  expect(approved.origin).toBe('http://localhost:4999');
  expect(approved.searchParams.get('state')).toBe('a&b');
  expect(approved.searchParams.get('code')).toMatch(/./);
  const { port } = new URL(sandbox.authUrl);
  const local = install.href.replace('127.0.0.1', 'localhost');
  expect(new URL(local).host).toBe(`localhost:${port}`);
  expect(new URL(await sandbox.decideInstall(local)).searchParams.get('code')).toMatch(/./);
  const denied = new URL(await sandbox.decideInstall(install.href, { approve: false }));
  expect(denied.searchParams.get('error')).toBe('access_denied');
  await expect(sandbox.decideInstall(install.href, { company: 'Nobody' })).rejects.toThrow('Sandpiper Supply Co.');
  install.searchParams.set('client_id', 'unknown');
  await expect(sandbox.decideInstall(install.href)).rejects.toThrow('refused with 400');
});

test('closing ends waits with an explanation, and may be repeated', async () => {
  const sandbox = await start();
  const waiting = sandbox.waitForRequest({ path: '/me' });
  await sandbox.close();
  await sandbox.close();
  await expect(waiting).rejects.toThrow('closed while waiting for request with path "/me"');
  await expect(sandbox.waitForRequest({ path: '/me' })).rejects.toThrow('The sandbox is closed');
});

test('a wait that a test forgot is a warning with its place when the sandbox is closed, and no error', async () => {
  const unhandled: unknown[] = [];
  const hear = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const sandbox = await start({ pace: 'manual' });
  const receiver = await sandbox.receiver();
  const made = await call(sandbox, 'POST', '/privacy/delete-request', { subjectEmail: 'ada@example.com' });
  const { id } = (await made.json()) as { id: string };
  void sandbox.waitForRequest({ operation: 'GET /me' });
  void sandbox.waitForDelivery({ type: 'sms.sent' });
  void sandbox.waitForState('privacy-requests', id, 'processed');
  void receiver.next();
  await sandbox.close();
  await expect(receiver.next()).rejects.toThrow('The receiver is closed');
  await expect.poll(() => warnings).toHaveLength(1);
  expect(unhandled).toEqual([]);
  expect(warnings[0]?.message).toBe(
    'The sandbox was closed while waiting for request with operation "GET /me". Was it awaited?',
  );
  expect((warnings[0] as Error & { detail: string }).detail).toContain('sandbox.test.ts:');
});

test('after the end every call says that the sandbox is closed, also one that was under way', async () => {
  const sandbox = await start();
  const underWay = sandbox.control.records('companies').catch((error: unknown) => (error as Error).message);
  await sandbox.close();
  expect([
    'The sandbox is closed, and this call was still under way. Was it awaited?',
    expect.any(Array),
  ]).toContainEqual(await underWay);
  for (const use of [
    () => sandbox.clock.advance('1d'),
    () => sandbox.control.get('/control/clock'),
    () => sandbox.reset(),
    () => sandbox.decideInstall(`${sandbox.authUrl}/integrations/oauth-install`),
  ])
    await expect(use()).rejects.toThrow('The sandbox is closed. Create another one with createSandbox.');
});

test('a receiver that is started while the sandbox closes is closed too, and none is started later', async () => {
  const sandbox = await start();
  const starting = sandbox.receiver();
  const [receiver] = await Promise.all([starting, sandbox.close()]);
  await expect(fetch(receiver.url)).rejects.toThrow('fetch failed');
  await expect(sandbox.receiver()).rejects.toThrow('The sandbox is closed.');
});

test('the event types that the library names are those of the emulator', () => {
  expectTypeOf<EventType>().toEqualTypeOf<KnownEventType>();
});

test.for([
  [{ pace: 'slow' }, 'pace of createSandbox cannot be "slow". Available: instant, realistic, manual.'],
  [
    { paec: 'manual' },
    'createSandbox has no "paec". Did you mean "pace"? Available: pace, world, rateLimits, webhookTime, unknownFields, unknownUnsubscribe, answers.',
  ],
  [{ world: 'nothing' }, 'world of createSandbox cannot be "nothing". Available: demo, empty.'],
  [
    { world: null },
    'world of createSandbox cannot be null. It takes demo, empty, the path of a world file, or a world',
  ],
  [
    null,
    'createSandbox takes an object with pace, world, rateLimits, webhookTime, unknownFields, unknownUnsubscribe, answers, not null',
  ],
  [5, 'answers, not 5.'],
  [[], 'answers, not [].'],
  [() => {}, 'answers, not [Function'],
] as const)('options that there are not are refused with the nearest: %j', async ([options, message]) => {
  await expect(createSandbox(options as never)).rejects.toThrow(message);
});

test('a wait for an unknown operation, type or state is refused at once', async () => {
  const sandbox = await start();
  await expect(sandbox.waitForRequest({ operation: 'POST /subscription' as never })).rejects.toThrow(
    'operation of a filter of requests cannot be "POST /subscription". Did you mean "POST /subscriptions"?',
  );
  await expect(sandbox.waitForDelivery({ type: 'sms.send' as never })).rejects.toThrow('Did you mean "sms.sent"?');
  await expect(sandbox.waitForState('uploads', 'up_1', 'complete' as never)).rejects.toThrow(
    'Did you mean "completed"?',
  );
  await expect(sandbox.waitForState('upload' as never, 'up_1', 'completed' as never)).rejects.toThrow(
    'Did you mean "uploads"?',
  );
});

const milliseconds = 'It takes a number of milliseconds from 0 to 2147483647.';

test.for<readonly [(sandbox: Sandbox, receiver: SandboxReceiver, wrong: never) => unknown, unknown, string]>([
  [(s, _, wrong) => s.waitForRequest({}, wrong), { timeout: 50 }, 'a wait has no "timeout". Did you mean'],
  [
    (s, _, wrong) => s.waitForRequest(wrong),
    { path: '/v1/me', timeoutMs: 50 },
    'a filter of requests has no "timeoutMs". A wait takes it as its second argument: { timeoutMs: 10_000 }.',
  ],
  [
    (s, _, wrong) => s.waitForDelivery(wrong),
    { timeoutMs: 50 },
    'a filter of deliveries has no "timeoutMs". A wait takes it',
  ],
  [
    (_, receiver, wrong) => receiver.next(wrong),
    { timeoutMs: 50 },
    'a filter of a receiver has no "timeoutMs". A wait takes it',
  ],
  [(s, _, wrong) => s.waitForDelivery({}, wrong), { timeoutMS: 50 }, 'Did you mean "timeoutMs"?'],
  [(s, _, wrong) => s.waitForRequest({}, wrong), 50, 'a wait takes an object with timeoutMs, after, not 50.'],
  [(s, _, wrong) => s.waitForRequest({}, wrong), { afterr: {} }, 'Did you mean "after"?'],
  [(s, _, wrong) => s.waitForRequest({}, wrong), { after: 5 }, 'It takes a request that was recorded.'],
  [(s, _, wrong) => s.waitForDelivery({}, wrong), { after: { id: 'dlv_1' } }, 'It takes a delivery.'],
  [(_, receiver, wrong) => receiver.next({}, wrong), { timeoutMs: Infinity }, `cannot be Infinity. ${milliseconds}`],
  [(s, _, wrong) => s.waitForState('uploads', 'up_1', 'completed', wrong), { timeoutMs: 2 ** 31 }, milliseconds],
  [(s, _, wrong) => s.waitForDelivery({}, wrong), { timeoutMs: -5 }, milliseconds],
  [(s, _, wrong) => s.waitForDelivery({}, wrong), { timeoutMs: '50' }, milliseconds],
  [(s, _, wrong) => s.waitForRequest(wrong), undefined, 'a filter of requests takes an object with method, path'],
  [(s, _, wrong) => s.waitForRequest(wrong), /me/, 'rule, not /me/.'],
  [(s, _, wrong) => s.requests(wrong), null, 'rule, not null.'],
  [(s, _, wrong) => s.requests(wrong), { status: '4XX' }, 'It takes a status such as 429, or a class such as "4xx".'],
  [(s, _, wrong) => s.requests(wrong), { status: 40 }, 'status of a filter of requests cannot be 40.'],
  [(s, _, wrong) => s.requests(wrong), { rule: 'auth.scop' }, 'Did you mean "auth.scope"?'],
  [(s, _, wrong) => s.requests(wrong), { method: 'GETT' }, 'It takes a method of HTTP such as GET.'],
  [(s, _, wrong) => s.requests(wrong), { path: 5 }, 'It takes a path such as /me, or a RegExp.'],
  [(s, _, wrong) => s.deliveries(wrong), { eventId: 5 }, 'eventId of a filter of deliveries cannot be 5.'],
  [(_, receiver, wrong) => receiver.next(wrong), { type: 'email.opend' }, 'Did you mean "email.opened"?'],
  [(s, _, wrong) => s.waitForState(wrong, wrong, wrong), undefined, 'kind of waitForState cannot be undefined.'],
  [
    (s, _, wrong) => s.waitForState('uploads', wrong, 'completed'),
    undefined,
    'id of waitForState cannot be undefined.',
  ],
  [(s, _, wrong) => s.decideInstall('http://localhost/', wrong), { approved: false }, 'Did you mean "approve"?'],
  [(s, _, wrong) => s.decideInstall('http://localhost/', wrong), { approve: 'false' }, 'It takes true or false.'],
  [(s, _, wrong) => s.decideInstall('http://localhost/', wrong), { compny: 'A' }, 'Did you mean "company"?'],
  [
    (s, _, wrong) => s.decideInstall(wrong),
    'localhost',
    'It takes the address of the install page, or one that leads there.',
  ],
  [(s) => s.decideInstall('http://127.0.0.1:1/'), null, 'Nothing answers at http://127.0.0.1:1/, or where it leads.'],
  [(s, _, wrong) => s.reset(wrong), 'demoo', 'world of reset cannot be "demoo". Did you mean "demo"?'],
  [(s, _, wrong) => s.control.call(wrong, wrong), '/control/clock', 'Did you mean "GET /control/clock"?'],
  [(s, _, wrong) => s.control.get(wrong), 'control/clock', 'It takes a path such as /control/clock.'],
  [(s, _, wrong) => s.control.call('GET /control/clock', wrong), { body: {} }, 'It takes nothing.'],
  [(s, _, wrong) => s.control.call('GET /control/clock', wrong), { qeury: {} }, 'Did you mean "query"?'],
  [(s, _, wrong) => s.snapshot.restore(wrong), {}, 'name of POST /control/snapshots/{name}/restore cannot be {}.'],
  [(s, _, wrong) => s.control.record('uploads', wrong), undefined, 'It takes a text that is not empty.'],
  [(s) => s.control.record('uploads', ''), undefined, 'It takes a text that is not empty.'],
  [(s, _, wrong) => s.reset(wrong), { world: 'demo' }, "cannot be { world: 'demo' }. Available: demo, empty."],
])('%s with %j is refused at once with what it takes', async ([use, wrong, message]) => {
  const sandbox = await start();
  const receiver = await sandbox.receiver();
  const using = async (): Promise<unknown> => use(sandbox, receiver, wrong as never);
  await expect(using()).rejects.toThrow(message);
  expect(await sandbox.control.records('companies')).toHaveLength(2);
});

test.for([
  [[{ statusCode: 500 }], 'an answer of answerWith has no "statusCode". Did you mean "status"?'],
  [[500], 'an answer of answerWith takes an object with status, headers, body, delayMs, not 500.'],
  [[null], 'not null.'],
  [[[{ status: 500 }, {}]], 'not [ { status: 500 }, {} ].'],
  [[{ status: 99 }], 'It takes a status from 200 to 599.'],
  [[{ body: { ok: true } }], 'It takes a text, such as JSON.stringify gives.'],
  [[{ headers: { 'no space': 'yes' } }], 'It takes an object of header names and texts.'],
  [[{ delayMs: Infinity }], milliseconds],
  [[], 'answerWith takes an answer or several'],
] as const)('a receiver refuses the answers %j, and answers as before', async ([answers, message]) => {
  const sandbox = await start();
  const receiver = await sandbox.receiver();
  receiver.answerWith({ status: 204 });
  expect(() => receiver.answerWith(...(answers as never as [object]))).toThrow(message);
  expect((await fetch(receiver.url)).status).toBe(204);
});

test('a record is waited for until it is in a state', async () => {
  const sandbox = await start({ pace: 'manual' });
  const made = await call(sandbox, 'POST', '/privacy/delete-request', { subjectEmail: 'ada@example.com' });
  const { id } = (await made.json()) as { id: string };
  const processed = sandbox.waitForState('privacy-requests', id, 'processed', { timeoutMs: 60_000 });
  await sandbox.control.move('privacy-requests', id, 'start');
  await sandbox.control.move('privacy-requests', id, 'finish');
  expect(await processed).toMatchObject({ state: 'processed', record: { id } });
  await expect(sandbox.waitForState('privacy-requests', id, 'processing', { timeoutMs: 1 })).rejects.toThrow(
    'It is "processed".',
  );
});

test('the error of a wait for a state says what each move of the record waits for', async () => {
  const sandbox = await start({ pace: 'realistic' });
  await sandbox.clock.freeze();
  const made = await call(sandbox, 'POST', '/privacy/delete-request', { subjectEmail: 'ada@example.com' });
  const { id } = (await made.json()) as { id: string };
  const due = (await sandbox.control.record('privacy-requests', id)).moves.find(
    ({ event }) => event === 'start',
  )?.dueAt;
  await expect(sandbox.waitForState('privacy-requests', id, 'processed', { timeoutMs: 1 })).rejects.toThrow(
    `It is "received". Its moves:
  start, to "processing": by hand, or by the clock at ${due}
  finish, to "processed": not possible, only in state "processing"`,
  );
  const upload = await call(sandbox, 'POST', '/product-catalog/uploads', { validateOnly: false });
  const { uploadId } = (await upload.json()) as { uploadId: string };
  await expect(sandbox.waitForState('uploads', uploadId, 'validating', { timeoutMs: 1 })).rejects.toThrow(
    'fileReceived, to "validating": not possible, no file has arrived yet: PUT it to uploadUrl',
  );
});

test('the error of a wait at a receiver says which events are sent to it, and which were not delivered', async () => {
  const sandbox = await start();
  const receiver = await sandbox.receiver();
  const wait = () => receiver.next({ type: 'sms.subscribed' }, { timeoutMs: 1 });
  await expect(wait()).rejects.toThrow('It received nothing at all.\nNo webhook has its address.');
  await sandbox.control.createWebhook({ url: receiver.url, events: ['email.opened'] });
  await expect(wait()).rejects.toThrow(`The webhooks with its address list:\n  ${receiver.url}: email.opened`);
  receiver.answerWith({ status: 500 });
  await sandbox.trigger({ type: 'email.opened', to: receiver.url });
  await expect(wait()).rejects.toThrow(/Not delivered:\n {2}retrying, next at \S+Z {2}email\.opened to .*answered 500/);
});

test('the error of a wait for an event that was not sent because of a loop says so', async () => {
  const sandbox = await createSandbox();
  onTestFinished(() => sandbox.close());
  const receiver = await sandbox.receiver();
  await sandbox.control.createWebhook({ url: receiver.url, events: ['custom_attribute.set'] });
  await fetch(`${sandbox.apiUrl}/attributes/custom`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json', 'x-sandbox-hops': '5' },
    body: JSON.stringify({ user: { phone: '+15555550100' }, properties: { size: 'M' } }),
  });
  const reason = /A loop was cut: 5 deliveries in a row led to one another, so custom_attribute\.set was not sent/;
  await expect(receiver.next({}, { timeoutMs: 1 })).rejects.toThrow(reason);
  await expect(sandbox.waitForDelivery({ type: 'custom_attribute.set' }, { timeoutMs: 1 })).rejects.toThrow(reason);
});

test('time is accelerated and real again, a key is rotated, and the gym reports what was accepted', async () => {
  const sandbox = await start();
  expect(await sandbox.clock.rate(60)).toMatchObject({ rate: 60 });
  expect(await sandbox.clock.real()).toMatchObject({ mode: 'real', rate: 1 });
  const receiver = await sandbox.receiver();
  const webhook = await sandbox.control.createWebhook({ url: receiver.url, events: ['sms.sent'] });
  const rotated = await sandbox.control.rotate(webhook.id, '1h');
  expect(rotated.signingKey).not.toBe(webhook.signingKey);
  const { events } = await sandbox.control.gym({ to: webhook.id, count: 2, acts: ['duplicate'] });
  expect(events.map(({ accepted }) => accepted >= 1)).toEqual([true, true]);
});

test('the result of an act names its source', async () => {
  const sandbox = await start();
  const message = await sandbox.control.compose({
    subscriber: { phone: '+15555550100' },
    channel: 'TEXT',
    text: 'Sale: https://shop.example.com/',
  });
  const acted = await sandbox.control.act(message.id, { act: 'click' });
  expect(acted).toMatchObject({ published: ['sms.message_link_click'], impliedBy: 'specification' });
});

test('many sandboxes in one process cause no warning about leaking listeners', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error): void => void warnings.push(warning);
  process.on('warning', listen);
  try {
    for (let count = 0; count < 12; count += 1) {
      const sandbox = await start();
      await sandbox.snapshot.save('held');
    }
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', listen);
  }
  expect(warnings.map(({ message }) => message)).toEqual([]);
});
