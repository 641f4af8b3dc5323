import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createControlClient } from '../../emulator/control/client/control-client.ts';

/** A client of a server that answers like this, which gives it up after a short time. */
async function clientOf(answer: RequestListener, patience: { readonly quietMs: number; readonly answerMs: number }) {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((ended) => server.close(ended));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createControlClient({ url, token: 'any', patience });
}

const head = { 'x-sandbox-version': '0.1.0', 'content-type': 'application/json' };

test('a call to a server that accepts the connection but answers nothing ends with a sentence', async () => {
  const client = await clientOf(() => undefined, { quietMs: 20, answerMs: 20 });
  const says = new RegExp(`^${client.url} takes too long to answer: the Sandpiper there is stopped or too busy`);
  await expect(client.call('GET /control/clock')).rejects.toThrow(says);
  await expect(client.stream(new AbortController().signal).next()).rejects.toThrow(says);
});

test('an answer may take long if the server answers other requests meanwhile', async () => {
  let asked = 0;
  let finish = (): void => {};
  const client = await clientOf(
    ({ method }, response) => {
      if (method === 'POST') finish = () => void response.writeHead(200, head).end('{"paused":true}');
      else response.writeHead(200, head).end('{}', () => ++asked === 3 && finish());
    },
    { quietMs: 20, answerMs: 60_000 },
  );
  expect(await client.send('POST', '/control/clock', { advance: '1000d' })).toEqual({ paused: true });
  expect(asked).toBe(3);
});
