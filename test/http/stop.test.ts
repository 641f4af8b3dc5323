/** A server that stops answers what it has begun, for a moment. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { discardIdleMs } from '../../emulator/net/conversation.ts';
import { freshFolder } from '../support/world.ts';
import { beginSlow } from '../support/slow-request.ts';
import { startSandbox } from '../support/sandbox.ts';

test('a request that is being handled when the server stops is answered', async () => {
  const sandbox = await startSandbox();
  const headers = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };
  const sent = request(`${sandbox.emulator.apiUrl}/product-catalog/uploads`, {
    method: 'POST',
    headers: { ...headers, 'x-sandbox-fault': 'delay=300ms,after', expect: '100-continue' },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  // The server has begun to handle it.
  await once(sent, 'continue');
  sent.end('{}');
  const [[answer]] = await Promise.all([answered, sandbox.close()]);
  answer.resume();
  expect(answer.statusCode).toBe(200);
});

test('the stream of a server that stops ends with a message that says so, after all that happened', async () => {
  const sandbox = await startSandbox();
  const { inspectorUrl, token } = sandbox.emulator;
  const stream = await fetch(`${inspectorUrl}/control/stream`, { headers: { authorization: `Bearer ${token}` } });
  await sandbox.call('GET', '/me');
  await sandbox.close();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(chunk);
  } catch {
    // The stream has no end of its own.
  }
  const types = [...text.matchAll(/^data: \{"type":"(\w+)"/gm)].map(([, type]) => type);
  expect([types.includes('requests'), types.at(-1)]).toEqual([true, 'end']);
});

test('a request that does not end does not prevent a stop, nor does an open stream', async () => {
  const sandbox = await startSandbox();
  const { apiUrl, inspectorUrl, token } = sandbox.emulator;
  const slow = await beginSlow(apiUrl, '/subscriptions');
  const stream = await fetch(`${inspectorUrl}/control/stream`, { headers: { authorization: `Bearer ${token}` } });
  onTestFinished(() => stream.body?.cancel().catch(() => {}));
  await sandbox.close();
  await expect(slow.end({})).rejects.toThrow(/hang up|ECONNRESET|EPIPE/);
});

test('a client that does not send the rest of a refused body does not delay a stop', async () => {
  const sandbox = await startSandbox();
  const { hostname, port } = new URL(sandbox.emulator.apiUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /v1/events/custom HTTP/1.1\r\nhost: ${hostname}:${port}\r\n`);
  socket.write('connection: close\r\ncontent-length: 100\r\n\r\nonly this');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('HTTP/1.1 401');
  const idle = setTimeout(discardIdleMs, 'was waited for');
  expect(await Promise.race([sandbox.close(), idle])).toBe(undefined);
});

test('a stop waits for what a request of the window does, even if its client has disconnected', async () => {
  const dataDir = freshFolder();
  const sandbox = await startSandbox({ dataDir });
  const { inspectorUrl, token } = sandbox.emulator;
  const sent = request(`${inspectorUrl}/control/snapshots`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' },
  });
  sent.on('error', () => {});
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.end(JSON.stringify({ name: 'last' }));
  await once(sent, 'finish');
  sent.destroy();
  await sandbox.close();
  expect(readdirSync(join(dataDir, 'snapshots'))).toEqual(['last.json']);
});
