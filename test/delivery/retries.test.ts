import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextAttemptAt, toRetryAfter } from '../../emulator/delivery/schedule.ts';
import { deliverySettings } from '../../emulator/delivery/settings.ts';
import { createBench, path, startReceiver } from './support.ts';

const hour = 3_600_000;

test('a 2xx delivers, and the log has both sides of the attempt with its timing', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(202, { 'x-mine': 'yes' });
    response.end('taken');
  });
  const { webhook, publish, deliveries, now } = await createBench();
  webhook(receiver.url);
  const delivery = publish();
  expect(delivery.state).toBe('queued');
  await deliveries.settled();
  const after = now(delivery.id);
  expect(path(after)).toEqual(['queued', 'delivering', 'delivered']);
  expect(receiver.got[0]?.body).toBe(after.body);
  const [attempt] = after.attempts;
  expect(attempt).toMatchObject({
    error: null,
    request: { url: receiver.url },
    response: { status: 202, body: 'taken', headers: { 'x-mine': 'yes' } },
  });
  expect(attempt?.durationMs).toBeGreaterThan(0);
  for (const [name, value] of Object.entries(attempt?.request.headers ?? {}))
    expect(receiver.got[0]?.headers[name]).toBe(value);
});

test('a long answer is kept as it is until another attempt follows, and is cut then', async () => {
  const answers = ['😀'.repeat(1_500), 'x'.repeat(2_000), 'y'.repeat(2_001)];
  const receiver = await startReceiver((response, _got, n) => {
    response.statusCode = 500;
    response.end(answers[n - 1]);
  });
  const { webhook, publish, deliveries, clock, now } = await createBench();
  webhook(receiver.url);
  const delivery = publish();
  const kept = (): readonly (string | undefined)[] => now(delivery.id).attempts.map(({ response }) => response?.body);
  await deliveries.settled();
  expect(kept()).toEqual([answers[0]]);
  await clock.advance(60_000);
  expect(kept()).toEqual([`${'😀'.repeat(999)}…`, answers[1], answers[2]]);
});

test.each([304, 410, 500])('an answer other than 2xx, such as %i, is retried for three days', async (status) => {
  const receiver = await startReceiver((response) => {
    response.statusCode = status;
    response.end();
  });
  const { webhook, publish, clock, now } = await createBench();
  webhook(receiver.url);
  const delivery = publish();
  await clock.advance(72 * hour);
  const after = now(delivery.id);
  expect(after.state).toBe('failed');
  const startedAt = Date.parse(after.attempts[0]?.at ?? '');
  const waits = after.attempts.map(({ at }) => Math.round((Date.parse(at) - startedAt) / 1000));
  const sums = [0, 5, 35, 155, 755, 4355, 15_155, 36_755, 79_955, 123_155, 166_355, 209_555, 252_755];
  expect(waits.length).toBe(sums.length);
  for (const [at, sum] of sums.entries()) expect(Math.abs((waits[at] ?? 0) - sum)).toBeLessThanOrEqual(at + 1);
  expect(receiver.got.length).toBe(13);
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([after.eventId]));
  expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
});

test('many steps of time have the same result as one', async () => {
  const histories = [];
  for (const steps of [[72 * hour], [4000, 1500, 40 * 60_000, 5 * hour, 67 * hour]]) {
    const receiver = await startReceiver((response, _got, n) => {
      response.statusCode = n % 5 === 4 ? 200 : 503;
      response.end();
    });
    const { webhook, publish, clock, now } = await createBench({
      clockState: { offsetMs: 0, frozenAt: '2030-01-01T00:00:00.000Z', rate: 1, anchor: '2030-01-01T00:00:00.000Z' },
    });
    webhook(receiver.url);
    const delivery = publish();
    for (const step of steps) await clock.advance(step);
    histories.push(now(delivery.id).history.map(({ at, to, why }) => [at, to, why]));
  }
  expect(histories[0]).toEqual(histories[1]);
  expect(histories[0]?.at(-1)?.[1]).toBe('delivered');
});

test('a waiting delivery shows its next time', async () => {
  const receiver = await startReceiver((response) => {
    response.statusCode = 500;
    response.end();
  });
  const { webhook, publish, deliveries, now, clock } = await createBench();
  webhook(receiver.url);
  const { id } = publish();
  await deliveries.settled();
  const { state, nextAttemptAt: next } = now(id);
  expect(state).toBe('retrying');
  const wait = Date.parse(next ?? '') - clock.now();
  expect(wait).toBeGreaterThan(3000);
  expect(wait).toBeLessThanOrEqual(6000);
  expect(deliveries.lifecycle.moves(now(id)).find(({ event }) => event === 'retry')).toMatchObject({
    open: true,
    dueAt: next,
  });
});

test('deliveries that are due together are sent together, and time waits for them', async () => {
  let underWay = 0;
  let most = 0;
  const receiver = await startReceiver((response, _got, n) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay -= 1;
      response.statusCode = n <= 8 ? 500 : 200;
      response.end();
    }, 20);
  });
  const { webhook, publish, clock, store } = await createBench();
  webhook(receiver.url);
  for (let n = 0; n < 8; n += 1) publish();
  await clock.advance(60_000);
  expect([...store.deliveries.all()].map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'delivered'));
  expect(most).toBeGreaterThan(1);
});

test('Retry-After is respected, in seconds and as a date', async () => {
  for (const [asked, expected] of [
    ['120', 120],
    [new Date(Date.now() + 300_000).toUTCString(), 300],
  ] as const) {
    const receiver = await startReceiver((response) => {
      response.writeHead(503, { 'retry-after': asked });
      response.end();
    });
    const { webhook, publish, deliveries, now, clock } = await createBench();
    webhook(receiver.url);
    const { id } = publish();
    await deliveries.settled();
    const wait = (Date.parse(now(id).nextAttemptAt ?? '') - clock.now()) / 1000;
    expect(wait).toBeGreaterThan(expected - 3);
    expect(wait).toBeLessThanOrEqual(expected + 1);
  }
});

test.each([
  [{ status: 429, 'retry-after': '7' }, 'retrying', / It asked for a pause of 7 s\.$/],
  [
    { status: 503, 'retry-after': '345600' },
    'failed',
    / It asked for a pause of 345600 s\. The next attempt would come after the three days in which it is tried\.$/,
  ],
] as const)('an attempt says what became of its delivery: %o', async ({ status, ...headers }, state, said) => {
  const receiver = await startReceiver((response) => response.writeHead(status, headers).end());
  const { webhook, publish, deliveries, now } = await createBench();
  webhook(receiver.url);
  const { id } = publish();
  await deliveries.settled();
  expect(now(id)).toMatchObject({ state, attempts: [{ error: expect.stringMatching(said) }] });
});

test('the last attempt may come exactly three days after the first, and not a second later', () => {
  const failure = { attempts: 1, startedAt: 0, retryAfterMs: null };
  const [step] = deliverySettings.retryDelaysMs;
  const last = 72 * hour - step;
  expect(nextAttemptAt({ ...failure, now: last }, deliverySettings)).toBe(72 * hour);
  expect(nextAttemptAt({ ...failure, now: last + 1 }, deliverySettings)).toBe(null);
});

test('the schedule never tries before its time, never after three days, and ends', () => {
  const failure = fc.record({
    now: fc.integer({ min: 0, max: 80 * hour }),
    attempts: fc.integer({ min: 1, max: 40 }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 100 * hour })),
  });
  fc.assert(
    fc.property(failure, (one) => {
      const next = nextAttemptAt({ ...one, startedAt: 0 }, deliverySettings);
      if (next === null) return;
      expect(next).toBeGreaterThanOrEqual(one.now + 5000);
      expect(next).toBeGreaterThanOrEqual(one.now + (one.retryAfterMs ?? 0));
      expect(next).toBeLessThanOrEqual(72 * hour);
      expect(next % 1000).toBe(0);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 15_000 }), { minLength: 40, maxLength: 40 }), (durations) => {
      let now = 0;
      let attempts = 0;
      for (const duration of durations) {
        attempts += 1;
        const next = nextAttemptAt(
          { attempts, startedAt: 0, now: now + duration, retryAfterMs: null },
          deliverySettings,
        );
        if (next === null) break;
        now = next;
      }
      expect(attempts).toBe(13);
    }),
  );
});

test('a Retry-After that is neither seconds nor a date is ignored', () => {
  const wall = Date.parse('2026-05-01T10:00:00Z');
  for (const text of ['Fri, 01 May 2026 10:00:30 GMT', 'Friday, 01-May-26 10:00:30 GMT', 'Fri May  1 10:00:30 2026'])
    expect(toRetryAfter(text, wall), text).toBe(30_000);
  expect(toRetryAfter('Fri, 01 May 2026 09:00:00 GMT', wall)).toBe(0);
  for (const text of [undefined, '', '-5', '1.5', 'soon', '2026-05-01', '99999999999999'])
    expect(toRetryAfter(text, wall)).toBe(null);
});

test('three days without one accepted delivery disable the webhook; an accepted one restarts the count', async () => {
  let accept = false;
  const receiver = await startReceiver((response) => {
    response.statusCode = accept ? 200 : 500;
    response.end();
  });
  const { webhook, webhookNow, publish, clock, deliveries, store } = await createBench();
  const { id } = webhook(receiver.url);
  publish();
  await clock.advance(48 * hour);
  expect(webhookNow(id)).toMatchObject({ disabledAt: null });
  accept = true;
  publish();
  await deliveries.settled();
  expect(webhookNow(id).failingSince).toBe(null);
  accept = false;
  const lost = publish();
  await deliveries.settled();
  deliveries.lifecycle.fire(lost.id, 'abandon', { by: 'hand' });
  await clock.advance(71 * hour);
  expect(webhookNow(id).disabledAt).toBe(null);
  publish();
  await clock.advance(2 * hour);
  expect(webhookNow(id).disabledReason).toContain('nothing was accepted since');
  expect([...store.platformNotices.all()].length).toBe(1);
});

test('a webhook that accepted nothing in all attempts of a delivery is disabled with the last one', async () => {
  const receiver = await startReceiver((response) => void response.writeHead(500).end());
  const { webhook, webhookNow, publish, clock, now } = await createBench();
  const { id } = webhook(receiver.url);
  const delivery = publish();
  await clock.advance(72 * hour);
  expect(now(delivery.id)).toMatchObject({ state: 'failed', attemptCount: 13 });
  const [first] = now(delivery.id).attempts;
  expect(webhookNow(id)).toMatchObject({ disabledReason: `nothing was accepted since ${first?.at}` });
});

test('a delivery that fails to the end leaves a webhook enabled that accepted another one meanwhile', async () => {
  let accept = false;
  const receiver = await startReceiver((response) => void response.writeHead(accept ? 200 : 500).end());
  const { webhook, webhookNow, publish, clock, deliveries, now } = await createBench();
  const { id } = webhook(receiver.url);
  const delivery = publish();
  await clock.advance(24 * hour);
  accept = true;
  publish();
  await deliveries.settled();
  accept = false;
  await clock.advance(48 * hour);
  expect(now(delivery.id)).toMatchObject({ state: 'failed', attemptCount: 13 });
  expect(webhookNow(id)).toMatchObject({ disabledAt: null });
});

test('a delivery that fails because the receiver asks for a pause of days leaves the webhook enabled', async () => {
  const receiver = await startReceiver((response, _got, n) => {
    response.writeHead(503, n === 1 ? {} : { 'retry-after': '345600' }).end();
  });
  const { webhook, webhookNow, publish, clock, now } = await createBench();
  const { id } = webhook(receiver.url);
  const delivery = publish();
  await clock.advance(60_000);
  expect(now(delivery.id)).toMatchObject({ state: 'failed', attemptCount: 2 });
  expect(webhookNow(id)).toMatchObject({ disabledAt: null });
});

test('deliveries of a disabled webhook are paused, continue when it is enabled, and are cancelled when it is deleted', async () => {
  const receiver = await startReceiver((response) => {
    response.statusCode = 500;
    response.end();
  });
  const { webhook, webhookNow, publish, deliveries, now, store, clock } = await createBench();
  const { id } = webhook(receiver.url);
  const delivery = publish();
  await deliveries.settled();
  store.transact(() => store.webhooks.put({ ...webhookNow(id), disabledAt: new Date(clock.now()).toISOString() }));
  expect(now(delivery.id).state).toBe('paused');
  expect(publish()).toBeUndefined();
  await clock.advance(10 * hour);
  expect(receiver.got.length).toBe(1);
  store.transact(() => store.webhooks.put({ ...webhookNow(id), disabledAt: null }));
  await deliveries.settled();
  expect(path(now(delivery.id))).toEqual([
    'queued',
    'delivering',
    'retrying',
    'paused',
    'queued',
    'delivering',
    'retrying',
  ]);
  store.transact(() => store.webhooks.delete(id));
  expect(now(delivery.id).state).toBe('failed');
});

test('a failed delivery is sent again with the same event id and the same bytes, and has three days again', async () => {
  let status = 500;
  const receiver = await startReceiver((response) => {
    response.statusCode = status;
    response.end();
  });
  const { webhook, webhookNow, publish, deliveries, now, clock, store } = await createBench();
  const { id: webhookId } = webhook(receiver.url);
  const { id } = publish();
  await clock.advance(72 * hour);
  expect(now(id).state).toBe('failed');
  status = 200;
  store.transact(() => store.webhooks.put({ ...webhookNow(webhookId), disabledAt: null }));
  publish();
  await deliveries.settled();
  status = 500;
  expect(deliveries.redeliverFailed().sent).toHaveLength(1);
  await deliveries.settled();
  expect(now(id)).toMatchObject({ state: 'retrying', seriesAttempts: 1, attemptCount: 14 });
  status = 204;
  deliveries.redeliver(id);
  await deliveries.settled();
  expect(now(id).state).toBe('delivered');
  deliveries.redeliver(id);
  await deliveries.settled();
  const sent = receiver.got.filter(({ headers }) => headers['webhook-id'] === now(id).eventId);
  expect(sent).toHaveLength(16);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
});

test('at most thirty attempts are kept', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, deliveries, now } = await createBench();
  webhook(receiver.url);
  const { id } = publish();
  for (let n = 0; n < 34; n += 1) {
    await deliveries.settled();
    deliveries.redeliver(id);
  }
  await deliveries.settled();
  expect(now(id)).toMatchObject({ attemptCount: 35 });
  expect(now(id).attempts).toHaveLength(30);
});

test('finished deliveries beyond the number that is kept go, the oldest first; one that is still to be sent stays', async () => {
  const receiver = await startReceiver((response, _got, n) => {
    response.statusCode = n === 1 ? 500 : 200;
    response.end();
  });
  const { store, webhook, publish, deliveries } = await createBench({
    settings: { ...deliverySettings, keptDeliveries: 10 },
  });
  webhook(receiver.url);
  const sent = [];
  for (let count = 0; count < 25; count += 1) {
    sent.push(publish().id);
    await deliveries.settled();
    // Looked for only when there are a tenth too many.
    expect(store.deliveries.size).toBe(Math.min(count + 1, 10 + (count % 2)));
  }
  expect([...store.deliveries.all()].map(({ id }) => id)).toEqual([sent[0], ...sent.slice(-9)]);
  expect(store.deliveries.get(sent[0] ?? '')?.state).toBe('retrying');
});

test('a reverted transaction sends nothing', async () => {
  const receiver = await startReceiver();
  const { webhook, deliveries, store, publish } = await createBench();
  webhook(receiver.url);
  expect(() =>
    store.transact(() => {
      publish();
      throw new Error('no');
    }),
  ).toThrow('no');
  publish();
  await deliveries.settled();
  expect(receiver.got.length).toBe(1);
  expect(store.deliveries.size).toBe(1);
});

test('an advance requested by a receiver before its reply is done, and then its reply counts', async () => {
  const bench = await createBench();
  let advanced: Promise<unknown> | null = null;
  const receiver = await startReceiver((response) => {
    advanced ??= bench.clock.advance(1000);
    void advanced.then(() => response.end());
  });
  bench.webhook(receiver.url);
  const { id } = bench.publish();
  await bench.clock.advance(60_000);
  await receiver.count(1);
  await advanced;
  await bench.deliveries.settled();
  expect(path(bench.now(id))).toEqual(['queued', 'delivering', 'delivered']);
});
