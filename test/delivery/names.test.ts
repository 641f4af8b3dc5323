import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createResolve } from '../../emulator/delivery/resolve.ts';
import { createBench, startReceiver } from './support.ts';

/**
 * A DNS server that resolves good.example to this machine, reports unknown.example as missing, and does not reply to
 * other names.
 */
async function startDns(): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const name = query.toString('latin1');
    const known = name.includes('\x04good');
    if (!known && !name.includes('\x07unknown')) return;
    const end = query.indexOf(0, 12) + 5;
    const isIPv4 = query.readUInt16BE(end - 4) === 1;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(known && isIPv4 ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
    server.send(Buffer.concat([head, query.subarray(12, end), ...(known && isIPv4 ? [record] : [])]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${server.address().port}`;
}

test('twenty names whose DNS server does not reply do not delay a delivery to a good one', async () => {
  const receiver = await startReceiver();
  const resolve = createResolve({ servers: [await startDns()] });
  const { store, webhook, publish } = await createBench({ resolve });
  for (let n = 0; n < 20; n += 1) webhook(`http://silent${n}.example:9/`);
  webhook(`http://good.example:${receiver.port}/`);
  publish();
  await receiver.count(1);
  // None of the others has been given up yet.
  const others = [...store.deliveries.all()].filter(({ url }) => url.includes('silent'));
  expect(others.map(({ attempts }) => attempts.length)).toEqual(Array.from({ length: 20 }, () => 0));
});

test('the hosts file comes before DNS, and the system resolver is used for other names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-hosts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const hostsFile = join(folder, 'hosts');
  writeFileSync(hostsFile, '# mine\n127.0.0.9 shop.test Good.example # again\n::1 shop.test\n');
  const resolve = createResolve({
    hostsFile,
    servers: [await startDns()],
    lookup: (name) => Promise.resolve(name === 'unknown.example' ? ['127.0.0.7'] : []),
  });
  expect(await resolve('shop.test')).toEqual(['127.0.0.9', '::1']);
  expect(await resolve('good.example')).toEqual(['127.0.0.9']);
  expect(await resolve('unknown.example')).toEqual(['127.0.0.7']);
});
