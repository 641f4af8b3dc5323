import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createControlClient } from '../../emulator/control/client/control-client.ts';

const head = { 'x-sandbox-version': '0.1.0', 'content-type': 'application/json' };

/** The address of a server that answers like this. */
async function addressOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((ended) => server.close(ended));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a call does not fail where the server closes connections that did nothing for a while', async () => {
  const used = new Set<Socket>();
  const address = await addressOf(({ socket }, response) => {
    if (used.has(socket)) return void socket.destroy();
    used.add(socket);
    response.writeHead(200, head).end('{"paused":true}');
  });
  const client = createControlClient({ url: `http://${address}`, token: 'any' });
  for (let call = 0; call < 3; call++)
    expect(await client.send('POST', '/control/clock', {})).toEqual({ paused: true });
});

test.each(['DELETE', 'POST'])('the body of a %s arrives', async (method) => {
  const address = await addressOf(async (request, response) => {
    const sent = await text(request);
    response.writeHead(200, head).end(sent);
  });
  const client = createControlClient({ url: `http://${address}`, token: 'any' });
  expect(await client.send(method, '/control/faults', { reason: 'café' })).toEqual({ reason: 'café' });
});

test('an https address where no TLS is spoken is reported in one line', async () => {
  const address = await addressOf((_request, response) => response.writeHead(200, head).end('{}'));
  const client = createControlClient({ url: `https://${address}`, token: 'any' });
  await expect(client.call('GET /control/clock')).rejects.toThrow(
    `No Sandpiper answers at https://${address} (what is there does not speak TLS as it should: try http://). Start one`,
  );
});

test('a token that no header can have is reported as that, not as a Sandpiper that does not answer', async () => {
  const address = await addressOf((_request, response) => response.writeHead(200, head).end('{}'));
  const client = createControlClient({ url: `http://${address}`, token: 'wb43DKYc…' });
  await expect(client.call('GET /control/clock')).rejects.toThrow(
    /^The token has a character that no token has\. Copy/,
  );
});
