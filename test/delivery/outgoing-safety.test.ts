import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { toTarget, zoneOf, type Resolve } from '../../emulator/delivery/target.ts';
import { createAuthority } from '../../emulator/production/authority.ts';
import type { Reach } from '../../emulator/records.ts';
import type { Clock } from '../../emulator/time/clock.ts';
import { createBench, sender, startRaw, startReceiver } from './support.ts';

const noNames: Resolve = (name) => Promise.reject(new Error(`${name} must not be resolved`));
const judged = (
  url: string,
  {
    reach = 'loopback',
    ownPorts = [],
    resolve = noNames,
  }: { reach?: Reach; ownPorts?: number[]; resolve?: Resolve } = {},
) => toTarget(url, { reach, ownPorts, resolve });

test.each([
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://127.0.0.1/',
  'not a url',
  '',
])('only http and https are delivered to: %s', async (url) => {
  await expect(judged(url, { reach: 'public' })).rejects.toThrow(/Only http|is not a URL/);
});

test('a URL with a user name or password is refused', async () => {
  for (const url of ['http://user@127.0.0.1/', 'http://user:pass@127.0.0.1/', 'http://:pass@127.0.0.1/'])
    await expect(judged(url)).rejects.toThrow('password');
});

test.each([
  'localhost',
  'localhost.',
  'app.localhost',
  '127.0.0.1',
  '127.9.9.9',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
])('%s is this machine, without a resolver', async (host) => {
  expect((await judged(`http://${host}:3000/`)).addresses.every((address) => zoneOf(address) === 'loopback')).toBe(
    true,
  );
});

test.each([
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '[fd12:3456::1]',
  '3232235777',
  '0xc0a80101',
  '[::ffff:10.0.0.1]',
])('%s is a private address and needs permission', async (host) => {
  await expect(judged(`http://${host}/`)).rejects.toThrow('private network');
  await expect(judged(`http://${host}/`, { reach: 'private' })).resolves.toBeTruthy();
  await expect(judged(`http://${host}/`, { reach: 'public' })).resolves.toBeTruthy();
});

test.each([
  '93.184.216.34',
  '[2606:4700::1111]',
  '[64:ff9b::5db8:d822]',
  '[::ffff:0:5db8:d822]',
  '[2002:5db8:d822::1]',
])('%s is a public address and needs further permission', async (host) => {
  for (const reach of ['loopback', 'private'] as const)
    await expect(judged(`http://${host}/`, { reach })).rejects.toThrow('public network');
  await expect(judged(`http://${host}/`, { reach: 'public' })).resolves.toBeTruthy();
});

test.each([
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '0xa9.254.0251.254',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[2002:a9fe:a9fe::]',
  '[64:ff9b::7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:0:10.0.0.1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[ff02::1]',
  '[::]',
  '0.0.0.0',
  '0',
  '224.0.0.1',
  '239.255.255.250',
  '255.255.255.255',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '[::ffff:168.63.129.16]',
  '[fd20:ce::254]',
  '[fd00:c1::a9fe:a9fe]',
  '[fd00:42::42]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
])('%s is never delivered to, whatever is allowed', async (host) => {
  await expect(judged(`http://${host}/`, { reach: 'public' })).rejects.toThrow('nothing is ever sent there');
});

test('a name with one forbidden address among good ones is refused', async () => {
  const resolve: Resolve = () => Promise.resolve(['93.184.216.34', '169.254.169.254']);
  await expect(judged('http://mixed.example/', { reach: 'public', resolve })).rejects.toThrow(
    'mixed.example (169.254.169.254)',
  );
  await expect(
    judged('http://zone.example/', { reach: 'public', resolve: () => Promise.resolve(['fe80::1%eth0']) }),
  ).rejects.toThrow('nothing is ever sent');
});

test('our own ports are refused for every name of this machine', async () => {
  for (const host of [
    'localhost',
    '127.0.0.1',
    '127.0.0.2',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'sandpiper.localhost',
    '2130706433',
  ]) {
    await expect(judged(`http://${host}:4748/control/reset`, { ownPorts: [4747, 4748] })).rejects.toThrow(
      "Sandpiper's own",
    );
  }
  await expect(
    judged('http://inside.example:4748/', { ownPorts: [4748], resolve: () => Promise.resolve(['127.0.0.1']) }),
  ).rejects.toThrow("Sandpiper's own");
  await expect(judged('http://127.0.0.1/', { ownPorts: [80] })).rejects.toThrow("Sandpiper's own");
});

test('a name that is not resolved in time fails the delivery, because the lookup counts towards its limit', async () => {
  const silent: Resolve = () => new Promise(() => {});
  const outcome = await sender({ resolve: silent, settings: { timeoutMs: 200 } })('http://silent.example/');
  expect(outcome).toMatchObject({
    refused: false,
    response: null,
    error: expect.stringContaining('not resolved within 0.2 s'),
  });
});

test('a slow lookup reduces the time for the reply', async () => {
  const receiver = await startReceiver(() => {});
  const slow: Resolve = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return ['127.0.0.1'];
  };
  const send = sender({ resolve: slow, settings: { timeoutMs: 3_000 } });
  const { durationMs, error } = await send(`http://slow.example:${receiver.port}/`);
  expect(error).toContain('No whole answer');
  // If the lookup did not count, the reply would have another three seconds.
  expect(durationMs).toBeLessThan(5_500);
});

test('a resolver with changing results is called once, and the checked address is used', async () => {
  const receiver = await startReceiver();
  let asked = 0;
  const resolve: Resolve = () => Promise.resolve([(asked += 1) === 1 ? '127.0.0.1' : '169.254.169.254']);
  const send = sender({ resolve });
  expect((await send(`http://flip.example:${receiver.port}/`)).response?.status).toBe(200);
  expect(asked).toBe(1);
  expect(receiver.got[0]?.headers.host).toBe(`flip.example:${receiver.port}`);
  const second = await send(`http://flip.example:${receiver.port}/`);
  expect(second).toMatchObject({ refused: true, response: null });
  expect(receiver.got.length).toBe(1);
});

test('a kept connection does not bypass the address check', async () => {
  const receiver = await startReceiver();
  let address = '127.0.0.1';
  const send = sender({ resolve: () => Promise.resolve([address]), settings: { timeoutMs: 300 } });
  await send(`http://name.example:${receiver.port}/`);
  address = '127.0.0.77';
  const other = await send(`http://name.example:${receiver.port}/`);
  expect(other.response).toBe(null);
  expect(receiver.got.length).toBe(1);
});

test('localhost reaches a receiver that listens on the other family only', async () => {
  const receiver = await startReceiver(undefined, '::1');
  expect((await sender()(`http://localhost:${receiver.port}/`)).error).toBe(null);
});

test.each([301, 302, 303, 307, 308])('a redirect (%s) is a failure, and is not followed', async (status) => {
  const target = await startReceiver();
  const receiver = await startReceiver((response) => {
    response.writeHead(status, { location: target.url });
    response.end();
  });
  const outcome = await sender()(receiver.url);
  expect(outcome.error).toContain('redirects are not followed');
  expect(target.got.length).toBe(0);
});

test('a slowly arriving reply is ended at the timeout', async () => {
  const url = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const drip = setInterval(() => socket.write('1\r\nx\r\n'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const outcome = await sender({ settings: { timeoutMs: 250 } })(url);
  expect(outcome.error).toContain('No whole answer within 0.25 s');
});

test('a missing reply is ended at the timeout', async () => {
  const outcome = await sender({ settings: { timeoutMs: 200 } })(await startRaw(() => {}));
  expect(outcome.error).toContain('No whole answer within 0.2 s');
});

/** A receiver in a thread of its own, which answers while this thread is stopped. */
async function startBeside() {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(
    `const { parentPort, workerData: state } = require('node:worker_threads');
    const server = require('node:http').createServer((request, response) => {
      parentPort.postMessage('got');
      Atomics.wait(state, 0, 0);
      response.end('in time', () => {
        Atomics.store(state, 1, 1);
        Atomics.notify(state, 1);
      });
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: state },
  );
  onTestFinished(() => void thread.terminate());
  const [port] = (await once(thread, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/`,
    got: once(thread, 'message'),
    stopUntilAnswered() {
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
      Atomics.wait(state, 1, 0);
    },
  };
}

test('an answer that came in time counts, although this process was stopped until the timeout was over', async () => {
  const receiver = await startBeside();
  const timeouts: (() => void)[] = [];
  const afterWall: Clock['afterWall'] = (_ms, fn) => {
    timeouts.push(fn);
    return () => {};
  };
  const outcome = sender({ afterWall })(receiver.url);
  await receiver.got;
  // As after a pause: timers are due before what came is read.
  await new Promise((resolve) => setTimeout(resolve));
  receiver.stopUntilAnswered();
  for (const timeout of timeouts) timeout();
  expect(await outcome).toMatchObject({ error: null, response: { status: 200, body: 'in time' } });
});

test.each([
  ['as long as its length says', 'content-length: 10'],
  ['in chunks', 'transfer-encoding: chunked'],
])('an answer that breaks off after its status is said to be one: %s', async (_how, header) => {
  const url = await startRaw((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`));
  });
  const { error, response } = await sender()(url);
  expect(error).toBe('The receiver answered 200, but closed the connection before the end of its answer (ECONNRESET).');
  expect(response).toBe(null);
});

test('an endless reply is read up to a limit, and its status counts', async () => {
  let sent = 0;
  const url = await startRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const block = 'y'.repeat(16 * 1024);
    const more = (): void => {
      for (let open = true; open && !socket.destroyed; sent += block.length)
        open = socket.write(`4000\r\n${block}\r\n`);
    };
    socket.on('drain', more);
    more();
  });
  const outcome = await sender()(url);
  expect(outcome).toMatchObject({ error: null, response: { status: 200 } });
  expect(outcome.response?.body.length).toBe(16 * 1024);
});

test('a closed port, a broken reply and an invalid name are each explained in a sentence', async () => {
  const gone = await startReceiver();
  await gone.close();
  expect((await sender()(gone.url)).error).toContain('Nothing listens at');
  expect((await sender()(await startRaw((socket) => socket.end('nonsense\r\n\r\n')))).error).toMatch(
    /^The answer is not valid HTTP \(HPE_/,
  );
  expect((await sender()(await startRaw((socket) => socket.once('data', () => socket.destroy())))).error).toContain(
    'closed the connection',
  );
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  expect((await sender({ resolve: () => Promise.reject(unknown) })('http://nowhere.example/')).error).toContain(
    'cannot be resolved',
  );
});

test('an answer that changes to another protocol is not waited for, and is named', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
  const outcome = await sender()(await startRaw((socket) => void socket.once('data', () => socket.write(switching))));
  expect(outcome).toMatchObject({
    error: 'The receiver answered 101; only 2xx counts as accepted.',
    response: { status: 101, headers: { upgrade: 'websocket' } },
  });
});

test('a connection that the receiver closed while it was idle is replaced without a failure', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const url = await startRaw((socket) => {
    closed = once(socket, 'close');
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  });
  const send = sender();
  for (let n = 0; n < 6; n += 1) {
    expect((await send(url)).error).toBe(null);
    await closed;
  }
});

test('an event is sent once in an attempt, also by a kept connection that the receiver then closes', async () => {
  const receiver = await startReceiver((response, _got, n) => (n === 1 ? response.end() : response.socket?.destroy()));
  const send = sender();
  expect((await send(receiver.url)).error).toBe(null);
  expect((await send(receiver.url)).error).toContain('closed the connection without an answer');
  expect(receiver.got.length).toBe(2);
});

test('an https address of a receiver that speaks http is explained', async () => {
  const receiver = await startReceiver();
  const { error } = await sender()(receiver.url.replace('http:', 'https:'));
  expect(error).toMatch(
    /^No TLS connection to https:.* \(EPROTO\)\. If the receiver speaks http, register an address with http:\/\/\.$/,
  );
});

test('a certificate of an unknown authority is explained, with how to trust it', async () => {
  const authority = await createAuthority(Date.now());
  const server = createTlsServer(await authority.issue(['localhost']));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { error } = await sender()(`https://localhost:${(server.address() as AddressInfo).port}/`);
  expect(error).toMatch(/^The certificate of https:\S+ is not trusted \([A-Z_]+\)\. .*NODE_EXTRA_CA_CERTS/);
});

test('too many headers in an answer, and a redirect to no address, are explained', async () => {
  const large = await startRaw((socket) =>
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`)),
  );
  expect((await sender()(large)).error).toBe('The headers of the answer are larger than 16 KB (HPE_HEADER_OVERFLOW).');
  const notModified = await startReceiver((response) => response.writeHead(304).end());
  expect((await sender()(notModified.url)).error).toBe('The receiver answered 304; only 2xx counts as accepted.');
});

test('a slow receiver does not delay the others', async () => {
  const slow = await startReceiver(() => {});
  const fast = await startReceiver();
  const { webhook, publish, store } = await createBench({
    settings: { timeoutMs: 60_000, concurrency: 10, concurrencyPerWebhook: 5 },
  });
  for (let n = 0; n < 4; n += 1) webhook(slow.url);
  webhook(fast.url);
  for (let n = 0; n < 40; n += 1) publish();
  await fast.count(40);
  // None of the slow ones has ended yet.
  const slowOnes = [...store.deliveries.all()].filter(({ url }) => url === slow.url);
  expect(slowOnes.every(({ attemptCount }) => attemptCount === 0)).toBe(true);
  const underWay = slowOnes.filter(({ state }) => state === 'delivering').length;
  expect(underWay).toBeGreaterThan(0);
  expect(underWay).toBeLessThanOrEqual(10);
});

test('the number of simultaneous sends stays within the limit', async () => {
  let underWay = 0;
  const most = new Map<string, number>();
  let mostOfAll = 0;
  const perUrl = new Map<string, number>();
  const receiver = await startReceiver((response, { url }) => {
    underWay += 1;
    perUrl.set(url, (perUrl.get(url) ?? 0) + 1);
    mostOfAll = Math.max(mostOfAll, underWay);
    most.set(url, Math.max(most.get(url) ?? 0, perUrl.get(url) ?? 0));
    setTimeout(() => {
      underWay -= 1;
      perUrl.set(url, (perUrl.get(url) ?? 0) - 1);
      response.end();
    }, 5);
  });
  const { webhook, publish, deliveries } = await createBench({
    settings: { concurrency: 6, concurrencyPerWebhook: 4 },
  });
  for (const name of ['a', 'b', 'c']) webhook(`${receiver.url}/${name}`);
  for (let n = 0; n < 30; n += 1) publish();
  await deliveries.settled();
  expect(receiver.got.length).toBe(90);
  expect(mostOfAll).toBe(6);
  expect(Math.max(...most.values())).toBeLessThanOrEqual(4);
});

test('an event after five rounds of deliveries is not sent, and a notice says so', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, deliveries, store } = await createBench();
  webhook(receiver.url);
  deliveries.withHops(4, () => publish());
  expect(deliveries.withHops(5, () => publish())).toBeUndefined();
  await deliveries.settled();
  expect(receiver.got.map(({ headers }) => headers['x-sandbox-hops'])).toEqual(['5']);
  expect([...store.platformNotices.all()].map(({ text }) => text).join()).toContain('A loop was cut');
});

test('a refused target fails at once and says what to allow', async () => {
  const { webhook, publish, deliveries, now } = await createBench();
  webhook('http://10.11.12.13/');
  const { id } = publish();
  await deliveries.settled();
  expect(now(id)).toMatchObject({ state: 'failed', attempts: [{ response: null }] });
  expect(now(id).attempts[0]?.error).toContain('reach "private"');
});
