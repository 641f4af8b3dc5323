import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

test('a receiver whose handler causes the event again is cut off after a few rounds, and a notice says so', async () => {
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
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});
