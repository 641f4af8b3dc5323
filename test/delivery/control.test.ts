import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import type {
  DeliveriesView,
  DeliveryView,
  EventPreviewView,
  EventTypeView,
  GymView,
  SignatureCheckView,
  WebhookLineView,
  WebhookView,
} from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Delivery, Webhook } from '../../emulator/records.ts';
import { useSandbox } from '../support/sandbox.ts';
import { startReceiver } from './support.ts';

const sandbox = useSandbox();

type Shown = Webhook & { readonly standardSecret: string };
interface Triggered {
  readonly eventId: string;
  readonly payload: {
    readonly subscriber: object;
    readonly message?: { readonly text: string };
    readonly timestamp: number;
  };
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly deliveries: readonly Delivery[];
  readonly note: string | null;
}

async function control<T>(
  method: string,
  path: string,
  json?: unknown,
): Promise<{ status: number; body: T & { message: string } }> {
  return sandbox.control(method, path, json) as Promise<{ status: number; body: never }>;
}

async function register(url: string, events: readonly string[] = ['sms.sent']): Promise<Shown> {
  const { body } = await sandbox.call('POST', '/webhooks', { json: { url, events } });
  const { webhooks } = (await control<{ webhooks: Shown[] }>('GET', '/control/webhooks')).body;
  const own = webhooks.find(({ id }) => id === (body as { id: string }).id);
  if (!own) throw new Error('The control API does not list the webhook.');
  return own;
}

async function drop(...webhooks: readonly Shown[]): Promise<void> {
  for (const { id } of webhooks) await control('DELETE', `/control/webhooks/${id}`);
}

test('a triggered event reaches every webhook that lists it, and the answer of each receiver comes back', async () => {
  const receiver = await startReceiver((response, _got, n) => {
    response.statusCode = n === 1 ? 200 : 500;
    response.end(`answer ${n}`);
  });
  const hooks = [
    await register(receiver.url),
    await register(receiver.url),
    await register(receiver.url, ['email.opened']),
  ];
  const { status, body } = await control<Triggered>('POST', '/control/trigger', {
    type: 'sms.sent',
    payload: { message: { text: 'hello' } },
  });
  expect(status).toBe(200);
  expect(body.payload.message?.text).toBe('hello');
  expect(body.deliveries.map(({ state }) => state).sort()).toEqual(['delivered', 'retrying']);
  expect(body.deliveries.map(({ attempts }) => attempts[0]?.response?.body).sort()).toEqual(['answer 1', 'answer 2']);
  expect(receiver.got.map((got) => got.body)).toEqual([body.body, body.body]);
  await drop(...hooks);
});

test('a triggered event is signed like a real one, with the key that the control API shows', async () => {
  const receiver = await startReceiver();
  const hook = await register(receiver.url);
  await control('POST', '/control/trigger', { type: 'sms.sent', to: hook.id });
  const got = receiver.got[0];
  expect(
    new StandardWebhook(hook.standardSecret).verify(got?.body ?? '', got?.headers as Record<string, string>),
  ).toBeTruthy();
  await drop(hook);
});

test('a dry run shows the bytes and sends nothing', async () => {
  const receiver = await startReceiver();
  const hook = await register(receiver.url);
  const { body } = await control<Triggered>('POST', '/control/trigger', {
    type: 'sms.sent',
    to: hook.id,
    dryRun: true,
    payload: { timestamp: 1632945178104 },
  });
  expect(body.deliveries).toEqual([]);
  expect(JSON.parse(body.body)).toEqual(body.payload);
  expect(new StandardWebhook(hook.standardSecret).verify(body.body, body.headers)).toEqual(body.payload);
  expect(receiver.got.length).toBe(0);
  await drop(hook);
});

test('an event type names the channel of the sent message that it is about', async () => {
  const { types } = (await control<{ types: readonly EventTypeView[] }>('GET', '/control/event-types')).body;
  expect(Object.fromEntries(types.map(({ type, channel }) => [type, channel]))).toMatchObject({
    'sms.message_link_click': 'TEXT',
    'email.opened': 'EMAIL',
    'sms.inbound_message': null,
    'email.unsubscribed': null,
  });
});

test('an event can be fired at any address, once, signed with the test key', async () => {
  const receiver = await startReceiver((response) => {
    response.statusCode = 500;
    response.end();
  });
  const { testStandardSecret } = (await control<{ testStandardSecret: string }>('GET', '/control/event-types')).body;
  const { body } = await control<Triggered>('POST', '/control/trigger', {
    type: 'email.opened',
    to: receiver.url,
    subscriber: { email: 'ada@example.com' },
  });
  expect(body.deliveries).toMatchObject([
    { state: 'failed', webhookId: null, attempts: [{ response: { status: 500 } }] },
  ]);
  expect(body.payload.subscriber).toMatchObject({ email: 'ada@example.com', phone: '+15555550100' });
  const got = receiver.got[0];
  expect(
    new StandardWebhook(testStandardSecret).verify(got?.body ?? '', got?.headers as Record<string, string>),
  ).toBeTruthy();
});

test.each([
  [{ payload: { timestamp: 'yesterday' } }, '/timestamp'],
  [{ payload: { subscriber: { phone: 5 } } }, '/subscriber/phone'],
  [{ payload: { subscription: 'MARKETING' } }, '/subscription'],
  [{ payload: { subscription: { type: 'marketing' } } }, '/subscription/type'],
  [{ payload: { creativ: {} } }, '/creativ'],
  [{ payload: { type: 'sms.sent' } }, '/type'],
  [{ subscriber: { phone: '+15559999999' } }, 'Sandpiper Supply Co. has no subscriber with "+15559999999". '],
  [{ subscriber: {} }, 'has no address'],
  [{ messageId: 'x' }, 'is not about a message'],
  [{ to: 'nothing-such' }, 'neither the id of a webhook nor a URL'],
  [{ to: 'localhost:3000/hooks' }, 'Did you mean http://localhost:3000/hooks?'],
  [{ companyId: 'unknown' }, 'There is no company unknown'],
  [{ type: 'SMS.subscribed' }, 'case counts'],
])('an invalid value is refused by name, and nothing is sent: %j', async (wrong, named) => {
  const before = sandbox.emulator.deps.store.deliveries.size;
  const { status, body } = await control<object>('POST', '/control/trigger', {
    type: 'sms.subscribed',
    to: 'http://127.0.0.1:9/',
    ...wrong,
  });
  expect(status).toBe(400);
  expect(body.message).toContain(named);
  expect(sandbox.emulator.deps.store.deliveries.size).toBe(before);
});

test('an event without a listening webhook says so', async () => {
  const { body } = await control<Triggered>('POST', '/control/trigger', { type: 'custom_attribute.set' });
  expect(body.deliveries).toEqual([]);
  expect(body.note).toContain('lists custom_attribute.set');
});

test('the ports of the emulator itself are refused as targets', async () => {
  const { inspectorUrl, apiUrl } = sandbox.emulator;
  for (const url of [inspectorUrl, apiUrl, inspectorUrl.replace('127.0.0.1', 'localhost')]) {
    const { body } = await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent', to: url });
    expect(body.deliveries).toMatchObject([{ state: 'failed' }]);
    expect(body.deliveries[0]?.attempts[0]?.error).toContain("Sandpiper's own");
  }
});

test('the list of deliveries is filtered by state, webhook and event, and one is shown whole', async () => {
  const receiver = await startReceiver();
  const hook = await register(receiver.url);
  const { eventId, deliveries } = (await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent' })).body;
  const list = async (query: string) =>
    (await control<{ total: number; deliveries: Delivery[] }>('GET', `/control/deliveries?${query}`)).body;
  const found = await list(`webhookId=${hook.id}&state=delivered&eventId=${eventId}`);
  expect(found).toMatchObject({
    total: 1,
    deliveries: [
      {
        id: deliveries[0]?.id,
        eventId,
        type: 'sms.sent',
        webhookId: hook.id,
        state: 'delivered',
        nextAttemptAt: null,
        attempts: [{ status: 200 }],
      },
    ],
  });
  expect(await list(`webhookId=${hook.id}&state=failed`)).toMatchObject({ total: 0 });
  const one = await control<Delivery & { moves: object[] }>('GET', `/control/deliveries/${found.deliveries[0]?.id}`);
  expect(one.body).toMatchObject({
    attempts: [{ response: { status: 200, body: 'ok' } }],
    history: [{ to: 'queued' }, { to: 'delivering' }, { to: 'delivered' }],
  });
  expect(one.body.moves).toContainEqual(expect.objectContaining({ event: 'redeliver', open: true }));
  expect((await control('GET', '/control/deliveries/none')).status).toBe(404);
  await drop(hook);
});

test('a delivery is sent again by hand, but not while its webhook is disabled', async () => {
  const receiver = await startReceiver();
  const hook = await register(receiver.url);
  const [delivery] = (await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent' })).body.deliveries;
  expect((await control('POST', `/control/deliveries/${delivery?.id}/redeliver`)).status).toBe(202);
  await receiver.count(2);
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await sandbox.emulator.deps.deliveries.settled();
  await control('POST', `/control/webhooks/${hook.id}`, { disabled: true });
  const refused = await control('POST', `/control/deliveries/${delivery?.id}/redeliver`);
  expect(refused.status).toBe(409);
  expect(refused.body.message).toContain('is disabled');
  expect((await control('POST', '/control/deliveries/none/redeliver')).status).toBe(404);
  expect((await control<{ count: number }>('POST', '/control/deliveries/redeliver-failed')).body.count).toBeTypeOf(
    'number',
  );
  await drop(hook);
});

test('what failed is sent again of one company and of one type of event, and nothing else', async () => {
  let isBroken = true;
  const receiver = await startReceiver((response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end();
  });
  const [company, other] = [...sandbox.emulator.deps.store.companies.all()];
  for (const companyId of [company?.id, other?.id])
    for (const type of ['sms.sent', 'email.opened'])
      await control('POST', '/control/trigger', { type, companyId, to: receiver.url });
  await control('POST', '/control/clock', { advance: '4d' });
  isBroken = false;
  const again = async (wanted: object): Promise<readonly Delivery[]> =>
    (
      await control<{ deliveries: readonly Delivery[] }>('POST', '/control/deliveries/redeliver-failed', wanted)
    ).body.deliveries.filter(({ url }) => url.startsWith(receiver.url));
  expect(await again({ companyId: other?.id, type: 'email.opened' })).toMatchObject([
    { companyId: other?.id, type: 'email.opened' },
  ]);
  expect(await again({ companyId: other?.id })).toMatchObject([{ companyId: other?.id, type: 'sms.sent' }]);
  expect(await again({})).toHaveLength(2);
});

test('a webhook is created, changed, given a new key and deleted by hand', async () => {
  const made = await control<Shown>('POST', '/control/webhooks', {
    url: 'http://10.0.0.9/',
    events: ['email.opened', 'email.opened'],
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    events: ['email.opened'],
    reach: 'loopback',
    disabledAt: null,
    companyId: 'MDc6Q29tcGFueTI',
  });
  expect((await control<Shown>('POST', `/control/webhooks/${made.body.id}`, { reach: 'private' })).body).toMatchObject({
    reach: 'private',
    url: 'http://10.0.0.9/',
  });
  const rotated = (await control<Shown>('POST', `/control/webhooks/${made.body.id}/rotate`, { overlap: '1h' })).body;
  expect(rotated.signingKey).not.toBe(made.body.signingKey);
  expect(rotated.previousKey?.key).toBe(made.body.signingKey);
  const advice = (rotated.previousKey as WebhookView['previousKey'])?.advice;
  expect(advice).toContain('webhook-signature has a signature of each key');
  expect(advice).toContain('x-attentive-hmac-sha256 has only one value, that of the new key');
  expect((await control('POST', `/control/webhooks/${made.body.id}/rotate`, { overlap: 'soon' })).status).toBe(400);
  expect(
    (await control('POST', '/control/webhooks', { url: 'http://localhost/', events: ['sms.Subscribed'] })).status,
  ).toBe(400);
  expect((await control('DELETE', `/control/webhooks/${made.body.id}`)).status).toBe(204);
  expect((await control('DELETE', `/control/webhooks/${made.body.id}`)).status).toBe(404);
});

test('a webhook made by hand for a company, without an app, is one of its first app, which sees it', async () => {
  const other = sandbox.emulator.deps.store.companies.records().find(({ id }) => id !== demoCompany);
  const seenBy = async (key: string) => {
    const { body } = await sandbox.call('GET', '/webhooks', { key });
    return (body as { webhooks: { id: string }[] }).webhooks.map(({ id }) => id);
  };
  for (const [companyId, key] of [
    [demoCompany, 'sandpiper-demo-key'],
    [other?.id, 'sandpiper-other-key'],
  ] as const) {
    const hook = { url: 'http://localhost:1/', events: ['sms.sent'], companyId };
    const made = (await control<Shown>('POST', '/control/webhooks', hook)).body;
    expect(made).toMatchObject({ companyId });
    expect(await seenBy(key)).toContain(made.id);
    await drop(made);
  }
});

test('an app that is not of the company is refused at the value that names it', async () => {
  const hook = { url: 'http://localhost:1/', events: ['sms.sent'] };
  const placeOf = async (more: object) =>
    (await control<{ refusal: { place: object } }>('POST', '/control/webhooks', { ...hook, ...more })).body.refusal
      .place;
  expect(await placeOf({ appId: 'none' })).toEqual({ in: 'body', at: '/appId' });
  expect(await placeOf({ companyId: 'none' })).toEqual({ in: 'body', at: '/companyId' });
});

test('the built-in receiver shows a delivery, replies as configured, and needs no token', async () => {
  const { url, running } = (
    await control<{ url: string; running: boolean }>('POST', '/control/receiver', { status: 503, delayMs: 5 })
  ).body;
  expect(running).toBe(true);
  const first = await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent', to: url });
  expect(first.body.deliveries[0]?.attempts[0]?.response).toMatchObject({ status: 503, body: first.body.body });
  await control('POST', '/control/receiver', { status: 204, echo: false });
  const second = await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent', to: url });
  expect(second.body.deliveries).toMatchObject([{ state: 'delivered' }]);
  const { received } = (
    await control<{ received: { body: string; headers: Record<string, string> }[] }>('GET', '/control/receiver')
  ).body;
  expect(received.map(({ body }) => body)).toEqual([first.body.body, second.body.body]);
  expect(received[0]?.headers['webhook-id']).toBe(first.body.eventId);
  expect((await control('DELETE', '/control/receiver')).status).toBe(204);
  expect((await control('GET', '/control/receiver')).body).toMatchObject({ running: false, url: null, received: [] });
});

test('the built-in receiver closes connections, or refuses them at the address that it has, until it is to answer again', async () => {
  interface Seen {
    readonly url: string;
    readonly received: readonly { readonly status: number | null }[];
  }
  const behave = (behaviour: object) => control<Seen>('POST', '/control/receiver', behaviour);
  const { url } = (await behave({ connection: 'reset' })).body;
  const fire = async () => {
    const { body } = await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent', to: url });
    const id = body.deliveries[0]?.id;
    const error = body.deliveries[0]?.attempts[0]?.error;
    return { error, failure: (await control<{ connectionFailure: unknown }>('GET', `/control/deliveries/${id}`)).body };
  };
  expect(await fire()).toMatchObject({
    error: expect.stringContaining('closed the connection without an answer') as string,
    failure: { connectionFailure: 'reset' },
  });
  expect((await control<Seen>('GET', '/control/receiver')).body.received).toMatchObject([{ status: null }]);

  expect((await behave({ connection: 'refused' })).body.url).toBe(url);
  expect(await fire()).toMatchObject({
    error: expect.stringContaining('Nothing listens at') as string,
    failure: { connectionFailure: 'refused' },
  });

  expect((await behave({ connection: 'answered' })).body.url).toBe(url);
  expect(await fire()).toMatchObject({ error: null, failure: { state: 'delivered', connectionFailure: null } });
  expect((await behave({ connection: 'lost' })).status).toBe(400);
  await control('DELETE', '/control/receiver');
});

test('the gym sends the same plan for the same seed, and every event completely at least once', async () => {
  const receiver = await startReceiver();
  interface Gym {
    events: { eventId: string; sent: number; accepted: number }[];
    steps: {
      event: number;
      delayMs: number;
      cutAt: number | null;
      batch: number;
      status: number | null;
      error: string | null;
    }[];
  }
  const run = async (seed: number) =>
    (
      await control<Gym>('POST', '/control/gym', {
        to: receiver.url,
        seed,
        count: 8,
        acts: ['duplicate', 'reorder', 'cut', 'concurrent'],
      })
    ).body;
  const [one, same, other] = [await run(7), await run(7), await run(8)];
  const plan = ({ steps }: Gym) => steps.map(({ event, delayMs, cutAt, batch }) => [event, delayMs, cutAt, batch]);
  expect(plan(one)).toEqual(plan(same));
  expect(plan(one)).not.toEqual(plan(other));
  for (const { accepted } of one.events) expect(accepted).toBeGreaterThan(0);
  expect(one.events.some(({ accepted }) => accepted > 1)).toBe(true);
  const cut = one.steps.filter(({ cutAt }) => cutAt !== null);
  expect(cut.length).toBeGreaterThan(0);
  for (const { status, error } of cut) expect([status, error]).toEqual([null, expect.stringContaining('cut')]);
  const whole = [one, same, other].flatMap(({ steps }) => steps.filter(({ cutAt }) => cutAt === null));
  expect(receiver.got.length).toBe(whole.length);
  const order = one.steps.filter(({ cutAt }) => cutAt === null).map(({ event }) => event);
  expect(order).not.toEqual([...order].sort((a, b) => a - b));
});

test('every act of the gym is done at least once, whatever the seed, and an act that needs more events is refused', async () => {
  const receiver = await startReceiver();
  const run = async (acts: readonly string[] | undefined, count: number, seed: number) =>
    (await control<GymView>('POST', '/control/gym', { to: receiver.url, acts, count, seed })).body;
  for (const seed of [1, 2, 3, 4, 5]) {
    expect((await run(['duplicate'], 1, seed)).steps.length).toBeGreaterThan(1);
    expect((await run(['cut'], 1, seed)).steps.map(({ cutAt }) => cutAt)).toEqual([expect.any(Number), null]);
    expect((await run(['reorder'], 2, seed)).steps.map(({ event }) => event)).toEqual([1, 0]);
    expect((await run(['concurrent'], 2, seed)).steps.map(({ batch }) => batch)).toEqual([1, 1]);
    expect((await run(['delay'], 1, seed)).steps[0]?.delayMs).toBeGreaterThan(0);
  }
  expect((await run(['concurrent', 'duplicate'], 1, 1)).acts).toEqual(['concurrent', 'duplicate']);
  expect((await run(undefined, 1, 1)).acts).toEqual(['duplicate', 'delay', 'concurrent', 'cut']);
  const sent = receiver.got.length;
  const refused = await control<{ message: string }>('POST', '/control/gym', {
    to: receiver.url,
    acts: ['duplicate', 'reorder'],
    count: 1,
  });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    '"reorder" needs at least 2 events, and 1 is sent. Send 2 or more, or leave "reorder" out.',
  ]);
  expect(receiver.got.length).toBe(sent);
});

test('which clock receivers see is a setting', async () => {
  expect((await control<{ time: string }>('POST', '/control/webhook-time', { time: 'virtual' })).body.time).toBe(
    'virtual',
  );
  expect((await control('POST', '/control/webhook-time', { time: 'lunar' })).status).toBe(400);
  await control('POST', '/control/webhook-time', { time: 'wall' });
});

test('a preview shows the bytes, the targets and where a payload does not fit, and sends nothing', async () => {
  const receiver = await startReceiver();
  const hook = await register(receiver.url);
  const whole = await control<EventPreviewView>('POST', '/control/trigger/preview', { type: 'sms.sent' });
  expect(whole.body.targets.map(({ webhookId }) => webhookId)).toEqual([hook.id]);
  expect(whole.body.misfit).toBeNull();
  const { company, ...rest } = whole.body.payload as { company: object };
  const cut = await control<EventPreviewView>('POST', '/control/trigger/preview', {
    type: 'sms.sent',
    payload: { ...rest, timestamp: 'soon' },
    whole: true,
    eventId: whole.body.eventId,
  });
  expect(company).toBeTruthy();
  expect(cut.body.eventId).toBe(whole.body.eventId);
  expect(cut.body.body).not.toContain('company');
  expect(cut.body.misfit).toEqual({ pointer: '/company', says: 'it is missing' });
  expect(receiver.got).toEqual([]);
  const refused = await control('POST', '/control/trigger', { type: 'sms.sent', payload: rest, whole: true });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('/company')]);
  const { body } = await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent', eventId: 'evt_chosen' });
  expect(receiver.got[0]?.headers['webhook-id']).toBe('evt_chosen');
  expect(body.eventId).toBe('evt_chosen');
  await drop(hook);
});

test.for([
  ['sms.sent', { timestamp: 'soon' }, 'it must be a whole number, not "soon"'],
  ['sms.sent', { message: { channel: 'EMAIL' } }, 'it must be "TEXT", not "EMAIL"'],
  [
    'sms.subscribed',
    { subscription: { type: 'marketing' } },
    'it must be MARKETING or TRANSACTIONAL or CHECKOUT_ABANDONED, not "marketing"',
  ],
] as const)('what does not fit in a payload of %s is told in plain words: %j', async ([type, payload, says]) => {
  const { body } = await control<EventPreviewView>('POST', '/control/trigger/preview', { type, payload });
  expect(body.misfit?.says).toBe(says);
});

test('a webhook shows the request that created it and its deliveries; a list counts all states', async () => {
  const receiver = await startReceiver((response, _got, n) => {
    response.statusCode = n === 1 ? 200 : 500;
    response.end();
  });
  const hook = await register(receiver.url);
  for (let turn = 0; turn < 2; turn += 1)
    await control('POST', '/control/trigger', { type: 'sms.sent', to: hook.id, subscriber: { phone: '+15555550100' } });
  const { webhooks } = (await control<{ webhooks: WebhookLineView[] }>('GET', '/control/webhooks')).body;
  const line = webhooks.find(({ id }) => id === hook.id);
  expect(line?.cause?.operation).toBe('POST /webhooks');
  expect(line?.deliveries.latest.map(({ state }) => state)).toEqual(['delivered', 'retrying']);
  expect(line?.deliveries.counts).toMatchObject({ delivered: 1, retrying: 1, failed: 0 });
  const listed = await control<DeliveriesView>(
    'GET',
    `/control/deliveries?webhookId=${encodeURIComponent(hook.id)}&state=retrying&companyId=${encodeURIComponent(hook.companyId)}`,
  );
  expect(listed.body.counts).toMatchObject({ delivered: 1, retrying: 1 });
  expect(listed.body.deliveries.map(({ about, state }) => [about, state])).toEqual([['+15555550100', 'retrying']]);
  const id = listed.body.deliveries[0]?.id ?? '';
  const { plan, nextAttemptAt } = (await control<DeliveryView>('GET', `/control/deliveries/${id}`)).body;
  expect(plan[0]).toBe(nextAttemptAt);
  const days = (Date.parse(plan.at(-1) ?? '') - Date.parse(plan[0] ?? '')) / 86_400_000;
  expect(days).toBeGreaterThan(2);
  expect(days).toBeLessThanOrEqual(3);
  await drop(hook);
});

test('a delivery that is refused for its target says how far its webhook would have to reach', async () => {
  const hook = await register('http://10.1.2.3/hook');
  const { body } = await control<{ deliveries: DeliveryView[] }>('POST', '/control/trigger', {
    type: 'sms.sent',
    to: hook.id,
  });
  expect(body.deliveries.map(({ state, asksReach }) => [state, asksReach])).toEqual([['failed', 'private']]);
  await drop(hook);
});

test('changing a webhook and its key can be undone', async () => {
  const hook = await register('http://127.0.0.1:9/before');
  await control('POST', `/control/webhooks/${hook.id}`, { url: 'http://127.0.0.1:9/after', disabled: true });
  await control('POST', `/control/webhooks/${hook.id}/rotate`);
  const now = async () =>
    (await control<{ webhooks: Shown[] }>('GET', '/control/webhooks')).body.webhooks.find(({ id }) => id === hook.id);
  expect((await now())?.previousKey?.key).toBe(hook.signingKey);
  const { undone } = (await control<{ undone: string }>('POST', '/control/undo', {})).body;
  expect(undone).toBe('The webhook to http://127.0.0.1:9/after got a new signing key.');
  await control('POST', '/control/undo', {});
  expect(await now()).toMatchObject({
    url: hook.url,
    disabledAt: null,
    signingKey: hook.signingKey,
    previousKey: null,
  });
  await drop(hook);
});

test('the control API says which step of a signature differs from what was sent', async () => {
  const receiver = await startReceiver();
  const hook = await register(receiver.url);
  const fired = await control<Triggered>('POST', '/control/trigger', { type: 'sms.sent', to: hook.id });
  const deliveryId = fired.body.deliveries[0]?.id;
  const ask = (json: object) =>
    control<SignatureCheckView>('POST', '/control/signature/check', { deliveryId, ...json });
  const right = await ask({ signature: receiver.got[0]?.headers['x-attentive-hmac-sha256'] });
  expect(right.body).toMatchObject({ matches: true, scheme: 'x-attentive-hmac-sha256' });
  const pretty = JSON.stringify(JSON.parse(fired.body.body), null, 2);
  const wrong = await ask({ signature: createHmac('sha256', hook.signingKey).update(pretty).digest('hex') });
  expect(wrong.body.steps.filter(({ state }) => state === 'differs').map(({ step }) => step)).toEqual(['Body']);
  for (const [key, name] of [
    ['sandpiper-demo-key', 'the API key of the app Demo app'],
    ['sandpiper-demo-secret', 'the client secret of the app Demo public app'],
  ] as const) {
    const taken = await ask({ signature: createHmac('sha256', key).update(fired.body.body).digest('hex') });
    expect(taken.body.steps.filter(({ state }) => state === 'differs')).toEqual([
      {
        step: 'Key',
        state: 'differs',
        says: `The receiver used ${name}.`,
        fix: 'Take the signing key of this webhook.',
      },
    ]);
  }
  expect((await ask({ deliveryId: 'dlv_none', signature: 'x' })).status).toBe(400);
  expect((await control('POST', '/control/signature/check', { signature: 'x' })).status).toBe(400);
  await drop(hook);
});

test('of many API keys each is known where it was taken for the signing key', async () => {
  onTestFinished(() => sandbox.reset());
  const secrets = Array.from({ length: 51 }, (_, n) => `made-key-${n}`);
  for (const secret of secrets) await control('POST', '/control/credentials', { companyId: demoCompany, secret });
  const sent = { body: '{}' };
  for (const secret of secrets.filter((_, at) => at % 25 === 0)) {
    const signature = createHmac('sha256', secret).update(sent.body).digest('hex');
    const { body } = await control<SignatureCheckView>('POST', '/control/signature/check', { sent, signature });
    expect(body.steps.find(({ state }) => state === 'differs')?.says).toMatch(
      /^The receiver used the API key of the app /,
    );
  }
});
