import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { createBench, startReceiver } from './support.ts';

const sandbox = useSandbox();

test('a receiver whose handler causes the event again is stopped after a few rounds, and a notice says so', async () => {
  let rounds = 0;
  // A handler that passes the hop count on, as a proxying client does, and sets another attribute for each event.
  const receiver = createServer((request, response) => {
    rounds += 1;
    const hops = request.headers['x-sandbox-hops'];
    fetch(`${sandbox.emulator.apiUrl}/attributes/custom`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sandpiper-demo-key',
        'content-type': 'application/json',
        'x-sandbox-hops': String(hops),
      },
      body: JSON.stringify({ user: { phone: '+15555550100' }, properties: { round: `r${rounds}` } }),
    }).then(
      () => response.end(),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const { port } = receiver.address() as { port: number };
    await sandbox.call('POST', '/webhooks', {
      json: { url: `http://127.0.0.1:${port}/`, events: ['custom_attribute.set'] },
    });
    await sandbox.call('POST', '/attributes/custom', {
      json: { user: { phone: '+15555550100' }, properties: { round: 'r0' } },
    });
    await sandbox.emulator.deps.deliveries.settled();
    expect(rounds).toBeGreaterThan(1);
    expect(rounds).toBeLessThan(10);
    const { notices } = (await sandbox.control('GET', '/control/notices')).body as { notices: { text: string }[] };
    expect(notices.map(({ text }) => text).join('\n')).toMatch(/loop/i);
    expect(lastNotes()).toEqual([
      'custom_attribute.set was not sent: 5 deliveries in a row led to this request (x-sandbox-hops).',
    ]);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

const lastNotes = (): readonly string[] => sandbox.emulator.recorder.all().at(-1)?.notes ?? [];

const setAttribute = (phone: string, round: string, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.emulator.apiUrl}/attributes/custom`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ user: { phone }, properties: { round } }),
  });

const notices = async (): Promise<string> => {
  const { body } = await sandbox.control('GET', '/control/notices');
  return (body as { notices: { text: string }[] }).notices.map(({ text }) => text).join('\n');
};

async function listen(url: string): Promise<string> {
  const { body } = await sandbox.call('POST', '/webhooks', { json: { url, events: ['custom_attribute.set'] } });
  return (body as { id: string }).id;
}

test.each(['before it answers', 'after it answered'])(
  'a handler that drops the hop count and calls the API %s is stopped, too',
  async (when) => {
    let rounds = 0;
    let calls: Promise<unknown> = Promise.resolve();
    const receiver = await startReceiver((response) => {
      rounds += 1;
      if (when === 'after it answered') response.end();
      if (rounds < 1_500) calls = setAttribute('+15555550100', `${when} ${rounds}`).finally(() => response.end());
      else response.end();
    });
    const id = await listen(receiver.url);
    await setAttribute('+15555550100', when);
    for (let seen = -1; seen !== rounds;) {
      seen = rounds;
      await sandbox.emulator.deps.deliveries.settled();
      await calls;
    }
    expect(rounds).toBeGreaterThan(500);
    expect(rounds).toBeLessThan(1_100);
    expect(await notices()).toContain(`was delivered to ${receiver.url}, or right after`);
    expect(lastNotes().join()).toContain(
      `custom_attribute.set was not sent to ${receiver.url}: more than 1,000 in a row`,
    );
    await sandbox.control('DELETE', `/control/webhooks/${id}`);
  },
);

test('a burst about many people is delivered completely, and so is one about a person whose calls say that no delivery caused them', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, deliveries, ada, store } = await createBench();
  webhook(receiver.url);
  for (let n = 0; n < 1_000; n += 1) {
    publish({ user: { ...ada, id: `person-${n % 500}` } });
    if (n % 10 === 0) await receiver.count(Math.max(1, n - 20));
  }
  for (let n = 0; n < 300; n += 1) {
    deliveries.withHops(0, () => publish());
    await receiver.count(1_000 + n);
  }
  await deliveries.settled();
  expect(receiver.got.length).toBe(1_300);
  expect([...store.platformNotices.all()]).toEqual([]);
});

test('a client that waits for each delivery before it calls again is not taken for a loop: two hundred events about one person arrive', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, store } = await createBench();
  webhook(receiver.url);
  for (let n = 1; n <= 200; n += 1) {
    publish();
    await receiver.count(n);
  }
  expect([...store.platformNotices.all()]).toEqual([]);
});

test.each(['forward', 'back'])(
  'a move of the clock %s ends every chain, so that a nightly job is not taken for one',
  async (way) => {
    const receiver = await startReceiver();
    const { webhook, publish, clock, store } = await createBench({ settings: { maxChain: 2 } });
    webhook(receiver.url);
    for (let night = 1; night <= 10; night += 1) {
      await (way === 'forward' ? clock.advance(86_400_000) : clock.set(clock.now() - 86_400_000));
      publish();
      await receiver.count(night);
    }
    expect([...store.platformNotices.all()]).toEqual([]);
  },
);

test('a reset ends every chain: a hundred tests that each reset and cause the same event once get all of them', async () => {
  const receiver = await startReceiver();
  for (let n = 1; n <= 110; n += 1) {
    await sandbox.reset();
    await listen(receiver.url);
    await setAttribute('+15555550100', `test ${n}`);
    await sandbox.emulator.deps.deliveries.settled();
    expect(receiver.got.length, await notices()).toBe(n);
  }
});
