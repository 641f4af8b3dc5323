import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Reply } from '../../emulator/control/calls.ts';
import type { Exchange } from '../../emulator/http/record/exchange.ts';
import type { Delivery, DeliveryAttempt, InboundEvent, User, Webhook } from '../../emulator/records.ts';
import { toIso } from '../../emulator/time/duration.ts';
import { recordMany } from '../support/record-many.ts';
import { startSandbox, useSandbox } from '../support/sandbox.ts';
import { longestShare } from '../support/turns.ts';

const many = 5_000;

// Checking a reply takes one long turn, which is only there in tests.
const sandbox = useSandbox({ checkReplies: false });

test.each([
  ['filtered by the test that sent them', 'GET', '/control/requests?test=checkout'],
  // Has parts of a header in another order: each request is decoded.
  ['searched in their headers', 'GET', '/control/body-search?in=headers&text=pays:test'],
  ['exported as an archive', 'POST', '/control/requests/har'],
  ['searched in the timeline', 'GET', '/control/timeline?text=zebra'],
])(
  'while many recorded requests are %s, other requests get their turn: no step takes long',
  async (_how, method, path) => {
    await sandbox.reset();
    recordMany(sandbox, many, { headers: ['x-sandbox-test', 'pays'] });
    const { inspectorUrl, token } = sandbox.emulator;
    const share = await longestShare(0.25, async () => {
      const answer = await fetch(inspectorUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect(answer.status).toBe(200);
      for await (const _ of answer.body ?? []);
    });
    expect(share).toBeLessThan(0.25);
  },
);

/** The facts of requests each of which made one of the records. */
const thatMade =
  (collection: 'deliveries' | 'webhooks', records: readonly (Delivery | Webhook)[]) =>
  (left: number): Pick<Exchange, 'companyId' | 'changes'> => {
    const after = records[left - 1] as Delivery | Webhook;
    return { companyId: after.companyId, changes: [{ collection, id: after.id, before: null, after, ordinal: left }] };
  };

/** How long the longest step of a call of the control API is, as a part of all. */
function longestStepOf(path: string): Promise<number> {
  const { inspectorUrl, token } = sandbox.emulator;
  return longestShare(0.25, async () => {
    const answer = await fetch(inspectorUrl + path, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    await answer.text();
  });
}

test.each([
  ['the history of a person', (id: string) => `/control/people/${id}/history`],
  ['a person', (id: string) => `/control/people/${id}`],
  ['the list of requests that changed a person', (id: string) => `/control/records/users/${id}/requests`],
])('while %s is read, with many recorded requests about them, other requests get their turn', async (_what, toPath) => {
  await sandbox.reset();
  const { store } = sandbox.emulator.deps;
  const json = { type: 'Looked', user: { phone: '+15555550123' } };
  const { changes } = await (await sandbox.call('POST', '/events/custom', { json })).exchange();
  const event = store.events.get(changes.find(({ kind }) => kind === 'events')?.id ?? '') as InboundEvent;
  const user = store.users.get(event.userId) as User;
  const more = Array.from({ length: many }, (_, at): InboundEvent => ({ ...event, id: `evt_more_${at}` }));
  store.transact(() => more.forEach(store.events.put));
  recordMany(sandbox, many, {
    factsOf: (left) => ({
      companyId: user.companyId,
      changes: [
        { collection: 'users', id: user.id, before: user, after: user, ordinal: 0 },
        {
          collection: 'events',
          id: `evt_more_${left - 1}`,
          before: null,
          after: more[left - 1] ?? null,
          ordinal: left,
        },
      ],
    }),
  });
  expect(await longestStepOf(toPath(user.id))).toBeLessThan(0.25);
});

test.each([
  ['the chain of a request', (id: string) => `/control/requests/${id}/chain`],
  ['the whole timeline of a request', (id: string) => `/control/timeline?cause=${id}`],
])('while %s is read, with many deliveries at that time, other requests get their turn', async (_what, toPath) => {
  await sandbox.reset();
  const { store } = sandbox.emulator.deps;
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:1/hook', events: ['sms.subscribed'] });
  const json = { user: { phone: '+15555550177' }, signUpSourceId: '100001' };
  const { id } = await (await sandbox.call('POST', '/subscriptions', { json })).exchange();
  await expect.poll(() => store.deliveries.records()[0]?.attempts).toHaveLength(1);
  const first = store.deliveries.records()[0] as Delivery;
  const [attempt] = first.attempts as readonly [DeliveryAttempt];
  // As if the receiver took a minute for each. The others began later, so that every request is a call of theirs.
  const long = { ...attempt, durationMs: 60_000 };
  const attempts = [{ ...long, wallAt: toIso(Date.parse(attempt.wallAt) + 1) }];
  const more = Array.from({ length: many }, (_, at): Delivery => ({ ...first, id: `dlv_more_${at}`, attempts }));
  store.transact(() => [{ ...first, attempts: [long] }, ...more].forEach(store.deliveries.put));
  recordMany(sandbox, many, { factsOf: thatMade('deliveries', more) });
  expect(await longestStepOf(toPath(id))).toBeLessThan(0.25);
});

test('while many webhooks are listed, each made by a recorded request, other requests get their turn', async () => {
  await sandbox.reset();
  const { store } = sandbox.emulator.deps;
  const { body } = await sandbox.control('POST', '/control/webhooks', {
    url: 'http://127.0.0.1:1/hook',
    events: ['sms.subscribed'],
  });
  const first = store.webhooks.get((body as Reply<'POST /control/webhooks'>).id) as Webhook;
  const more = Array.from({ length: many }, (_, at): Webhook => ({ ...first, id: `webhook_more_${at}` }));
  store.transact(() => more.forEach(store.webhooks.put));
  recordMany(sandbox, many, { factsOf: thatMade('webhooks', more) });
  expect(await longestStepOf('/control/webhooks')).toBeLessThan(0.25);
});

const spaces = ' '.repeat(20_000_000);

test.each([
  ['of spaces only', () => spaces, 'body.json'],
  ['that is open after many spaces', () => `{"sandpiper":[${spaces}}`, 'body.json'],
  ['that ends after many line breaks', () => `{"sandpiper":1,${'\n'.repeat(20_000_000)}`, 'body.json'],
  ['of one long text', () => `{"sandpiper":"${spaces}`, 'body.json'],
  ['of an object with millions of names', () => manyNames(), 'body.too-many-names'],
])('while a large body %s is refused, other requests get their turn', async (_what, make, rule) => {
  const { inspectorUrl, token } = sandbox.emulator;
  const body = gzipSync(make(), { level: 1 });
  const share = await longestShare(0.3, async () => {
    const answer = await fetch(`${inspectorUrl}/control/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body,
    });
    expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([400, rule]);
    await answer.text();
  });
  expect(share).toBeLessThan(0.3);
});

function manyNames(): string {
  const names: string[] = [];
  for (let at = 0; at < 3_000_000; at += 1) names.push(`"${at}x":1`);
  return `{${names.join()}}`;
}

test('requests that newer ones push out of the record while an archive is made are whole in it', async () => {
  const small = await startSandbox({ record: { exchanges: 2_000, bytes: 64 * 1024 * 1024, days: 30 } });
  recordMany(small, 2_000);
  const record = (): void => {
    recordMany(small, 1_000);
    next = setImmediate(record);
  };
  let next = setImmediate(record);
  const { body } = await small.control('POST', '/control/requests/har', {});
  clearImmediate(next);
  await small.close();
  const { log } = body as Reply<'POST /control/requests/har'>;
  const entries = log.entries as readonly { readonly request: { readonly headers: readonly unknown[] } }[];
  expect(entries).toHaveLength(2_000);
  expect(entries.filter(({ request }) => request.headers.length === 0)).toEqual([]);
});

test('who still reads a request that is no longer recorded does not disturb those that come', async () => {
  const small = await startSandbox({ record: { exchanges: 10, bytes: 64 * 1024 * 1024, days: 30 } });
  const { recorder } = small.emulator;
  recordMany(small, 10);
  const [first] = recorder.all();
  recordMany(small, 3_000);
  expect(first?.requestHeaders).toEqual([]);
  first?.hold();
  first?.letGo();
  recordMany(small, 3_000);
  expect(recorder.all().map(({ requestHeaders }) => requestHeaders.length)).toEqual(Array(10).fill(2));
  await small.close();
});

test('a list of none has only its count', async () => {
  await sandbox.reset();
  recordMany(sandbox, 3);
  const lists = ['requests', 'messages', 'deliveries'] as const;
  for (const name of lists) {
    const { body } = await sandbox.control('GET', `/control/${name}?limit=0`);
    expect((body as Record<string, unknown>)[name], name).toEqual([]);
  }
  expect((await sandbox.control('GET', '/control/requests?limit=0')).body).toMatchObject({ total: 3, requests: [] });
});
