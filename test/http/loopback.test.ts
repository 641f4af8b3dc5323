/** `localhost` is 127.0.0.1 to some clients and ::1 to others: both servers listen on both. */
import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { bind } from '../../emulator/net/bind.ts';
import { startSandbox } from '../support/sandbox.ts';

const has = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));
const isWithoutIpv6 = !has('::1');

const portOf = (url: string): number => Number(new URL(url).port);

/** The reply to a GET at one address. */
async function get(
  host: string,
  port: number,
  path: string,
): Promise<{ readonly status: number; readonly body: string }> {
  const sent = request({
    host,
    port,
    path,
    agent: false,
    headers: { authorization: 'Bearer sandpiper-demo-key' },
  }).end();
  const [reply] = await once(sent, 'response');
  return { status: reply.statusCode, body: await text(reply) };
}

/** What listens at a port of ::1 only. */
async function occupy(port: number): Promise<number> {
  const other = createServer((_request, response) => void response.end()).listen({ host: '::1', port });
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  return (other.address() as AddressInfo).port;
}

test.skipIf(isWithoutIpv6).for(['127.0.0.1', '::1', 'localhost'])(
  'a start with --host %s replies at 127.0.0.1 and at ::1, at the API and at the inspector',
  async (host) => {
    const sandbox = await startSandbox({ host });
    onTestFinished(sandbox.close);
    const { apiUrl, inspectorUrl } = sandbox.emulator;
    for (const address of ['127.0.0.1', '::1']) {
      expect(await get(address, portOf(apiUrl), '/v1/me')).toMatchObject({ status: 200 });
      expect(await get(address, portOf(inspectorUrl), '/control/health')).toMatchObject({ status: 401 });
    }
    expect(sandbox.emulator.recorder.all()).toHaveLength(2);
  },
);

test.skipIf(isWithoutIpv6)(
  'after the end neither address is listened on, and an open connection to ::1 is closed',
  async () => {
    const sandbox = await startSandbox();
    const port = portOf(sandbox.emulator.apiUrl);
    const kept = request({ host: '::1', port, path: '/v1/me', agent: new Agent({ keepAlive: true }) }).end();
    const [[socket], [reply]] = await Promise.all([once(kept, 'socket'), once(kept, 'response')]);
    await text(reply);
    const closed = once(socket, 'close');
    await sandbox.close();
    await closed;
    for (const address of ['127.0.0.1', '::1'])
      await expect(get(address, port, '/v1/me')).rejects.toThrow('ECONNREFUSED');
  },
);

test.skipIf(isWithoutIpv6)(
  'a port that another program has on ::1 is refused, as localhost would lead some clients there',
  async () => {
    const port = await occupy(0);
    await expect(startSandbox({ port })).rejects.toThrow(
      `Port ${port} on ::1 is in use by another program. Stop it, or choose another port with --port (0 takes any free one).`,
    );
    await expect(get('127.0.0.1', port, '/v1/me')).rejects.toThrow('ECONNREFUSED');
  },
);

test('where the system has no IPv6, --host ::1 is refused as an address that the machine does not have', async () => {
  const refused = Object.assign(new Error('listen EAFNOSUPPORT'), { code: 'EAFNOSUPPORT' });
  const server = createServer();
  server.listen = () => {
    queueMicrotask(() => server.emit('error', refused));
    return server;
  };
  await expect(bind(server, '::1', 0, '--port')).rejects.toThrow('This machine has no address ::1. Choose another');
});

// Windows keeps ranges of ports for other programs, also high ones.
test.for([
  [80, 'Choose one above 1023 with --port.'],
  [
    4747,
    process.platform === 'win32'
      ? 'Choose another with --port (0 takes any free one); "netsh interface ipv4 show excludedportrange tcp"'
      : /Choose another with --port \(0 takes any free one\)\.$/,
  ],
] as const)('a port that the system refuses, %i, is said with what to do', async ([port, fix]) => {
  await expect(bind(refusedWith('EACCES'), '127.0.0.1', port, '--port')).rejects.toThrow(fix);
});

test.each(['EMFILE', 'ENFILE'])('that the system opens no more files (%s) is said with what to do', async (code) => {
  await expect(bind(refusedWith(code), '127.0.0.1', 0, '--port')).rejects.toThrow(
    `No port can be opened, as the system allows no more open files and connections (${code}). Close some, or raise the limit of open files (ulimit -n).`,
  );
});

/** A server whose port the system refuses. */
function refusedWith(code: string): Server {
  const server = createServer();
  server.listen = () => {
    const error = Object.assign(new Error(`listen ${code}`), { code });
    process.nextTick(() => server.emit('error', error));
    return server;
  };
  return server;
}
