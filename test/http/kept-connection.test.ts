import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { opened } from '../support/world.ts';

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

/** Sends all bytes before it reads anything, as many clients do; then what came, until `isWhole`. */
function sendThenRead(bytes: string, isWhole: (text: string, hasEnded: boolean) => boolean): Promise<string> {
  const { hostname, port } = new URL(sandbox.emulator.apiUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).on('error', reject).pause();
    onTestFinished(() => void socket.destroy());
    socket.write(bytes, () => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (isWhole(text, false)) resolve(text);
      });
      socket.on('end', () => {
        if (isWhole(text, true)) resolve(text);
      });
      socket.resume();
    });
  });
}
const headOf = (first: string, more: readonly string[] = []): string =>
  [
    `${first} HTTP/1.1`,
    `host: ${new URL(sandbox.emulator.apiUrl).host}`,
    `authorization: ${authorized.authorization}`,
    ...more,
    '',
    '',
  ].join('\r\n');
const sized = (megabytes: number): string => {
  const size = megabytes * 1024 * 1024;
  return (
    headOf('POST /v1/events/custom', ['content-type: application/json', `content-length: ${size}`]) + 'x'.repeat(size)
  );
};

test('a client that sends a body that is too large to its end gets the refusal, and its connection stays usable', async () => {
  const text = await sendThenRead(sized(8) + headOf('GET /v1/me'), (answers) => answers.includes('HTTP/1.1 200'));
  expect(text).toMatch(/^HTTP\/1\.1 413 .*x-sandbox-rule: body\.too-large.*HTTP\/1\.1 200 /s);
});

test('of a body that is far too large 64 MB are read, then the connection is closed', async () => {
  await expect(sendThenRead(sized(80), () => false)).rejects.toThrow(/EPIPE|ECONNRESET/);
});

test.for([
  { first: 'POST /v1/events/custom', type: 'application/json', status: 413 },
  { first: 'POST /v1/nope', type: 'application/json', status: 404 },
  { first: 'PUT /object-storage/catalog/none.ndjson', type: 'application/x-ndjson', status: 403 },
])(
  'a client that asks for its connection to be closed gets the $status of $first after its large body, then the end',
  async ({ first, type, status }) => {
    const size = 20 * 1024 * 1024;
    const head = headOf(first, ['connection: close', `content-type: ${type}`, `content-length: ${size}`]);
    const text = await sendThenRead(head + 'x'.repeat(size), (_text, hasEnded) => hasEnded);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*connection: close`, 'is'));
  },
);

test('a sandbox that is closed does not wait for the rest of a body that it has refused', async () => {
  const { emulator } = await opened();
  const { host, hostname, port } = new URL(emulator.apiUrl);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => {});
  const sending = setInterval(() => socket.write('x'), 100);
  onTestFinished(() => {
    clearInterval(sending);
    socket.destroy();
  });
  socket.write(`POST /v1/nope HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: 1000000\r\n\r\n`);
  await once(socket.resume(), 'end');
  await expect(emulator.close()).resolves.toBeUndefined();
}, 30_000);

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
