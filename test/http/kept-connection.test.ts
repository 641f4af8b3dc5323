import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

interface Answer {
  readonly status: number;
  readonly localPort: number;
}

/** Sends a request by the agent's one connection. */
function send(agent: Agent, path: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  const url = `${sandbox.emulator.apiUrl}${path}`;
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: body === '' ? 'GET' : 'POST', headers }, (response) => {
      const localPort = response.socket.localPort ?? 0;
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, localPort }));
    });
    sent.on('error', reject).end(body);
  });
}

const authorized = { authorization: 'Bearer sandpiper-demo-key' };

test.each([
  { name: '1 KB', size: 1024 },
  { name: '64 KB', size: 64 * 1024 },
  { name: '900 KB', size: 900 * 1024 },
])('a request that is refused before its body of $name is read leaves the connection usable', async ({ size }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'x'.repeat(size), user: { phone: '+15555550100' } });

  const refused = await send(agent, '/events/custom', json, body);
  const next = await send(agent, '/me', authorized);
  const written = await send(agent, '/events/custom', { ...json, ...authorized }, body);

  expect([refused.status, next.status, written.status]).toEqual([401, 200, 200]);
  expect(new Set([refused, next, written].map(({ localPort }) => localPort)).size).toBe(1);
});

test('a body that arrives byte by byte is read whole', async () => {
  const url = `${sandbox.emulator.apiUrl}/events/custom`;
  const headers = { ...authorized, 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'Byte by byte', user: { phone: '+15555550100' } });
  const status = await new Promise<number>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).setNoDelay(true);
    const writeFrom = (at: number): void => {
      if (at === body.length) return void sent.end();
      sent.write(body[at], () => writeFrom(at + 1));
    };
    writeFrom(0);
  });
  expect(status).toBe(200);
});
