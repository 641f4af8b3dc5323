import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createControlClient } from '../../emulator/control/client/control-client.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';
import { report } from './harness.ts';

const count = 10_000;

/**
 * Measures an advance of 30 days over 10,000 retries to a receiver that hangs: the whole work, and the longest turn of
 * the loop.
 */
export async function benchAdvance(): Promise<void> {
  let answers = true;
  const receiver = createServer((request, response) => {
    request.resume();
    if (answers) request.on('end', () => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  const workerUrl = new URL('../../emulator/features/catalog/check/worker.ts', import.meta.url);
  const emulator = await startEmulator({ ...defaultOptions, port: 0, inspectorPort: 0, dataDir, workerUrl });
  try {
    const { clock, deliveries } = emulator.deps;
    const client = createControlClient({ url: emulator.inspectorUrl, token: emulator.token });
    clock.freeze(true);
    const { id: webhookId } = await client.call('POST /control/webhooks', { body: { url, events: ['sms.sent'] } });
    const one = { type: 'sms.sent', companyId: demoCompany, webhookId, url, body: '{}', why: 'A bench sent it.' };
    deliveries.enqueue(
      Array.from({ length: count }, (_one, n) => ({ ...one, eventId: `evt_${n}`, reach: 'loopback' })),
    );
    await deliveries.settled();
    answers = false;
    const longestTurn = watchTurns();
    const began = process.cpuUsage();
    const { firedCount } = await client.call('POST /control/clock', { body: { advance: '30d' } });
    const took = toMs(process.cpuUsage(began));
    const held = longestTurn();
    const what = `advance 30d over ${firedCount} things due, to a receiver that hangs`;
    report(`${what}, against 2 s of processor time`, took / 2000, { atMost: 1 }, `${took.toFixed(0)} ms`);
    report(`the longest turn of the loop meanwhile, against 50 ms`, held / 50, { atMost: 1 }, `${held.toFixed(0)} ms`);
  } finally {
    await emulator.close();
    receiver.closeAllConnections();
    receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Measures the turns of the loop in processor time, so that the result is the same on a busy machine. The function that
 * it returns ends this, and returns the longest turn in ms.
 */
function watchTurns(): () => number {
  let isOver = false;
  let longest = 0;
  let last = process.cpuUsage();
  const look = (): void => {
    longest = Math.max(longest, toMs(process.cpuUsage(last)));
    last = process.cpuUsage();
    if (!isOver) setImmediate(look);
  };
  look();
  return () => {
    isOver = true;
    return longest;
  };
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
