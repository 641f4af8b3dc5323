import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundleOf, workerUrl } from '../support/built.ts';
import { startSandbox } from '../support/sandbox.ts';
import { hearErrors } from '../support/told-errors.ts';
import { createBench, startReceiver } from './support.ts';
import { openStore } from '../../emulator/store/store.ts';

test('after kill -9 with 1,000 running deliveries each arrives at least once, with the same event id', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-crash-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  let restarted = false;
  const receiver = await startReceiver((response, _got, n) => {
    if (n <= 400) response.end();
    // The rest gets no reply, so that the kill interrupts running sends.
    else if (restarted) response.end();
  });
  const child = spawn(
    process.execPath,
    [fileURLToPath(bundleOf('test/delivery/crash-child.ts')), dataDir, receiver.url, workerUrl().href],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  hearErrors(child.stderr);
  const promised: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => promised.push(line));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await receiver.count(405);
  while (promised.length < 1000) await new Promise((resolve) => lines.once('line', resolve));
  child.kill('SIGKILL');
  await ended;

  const seen = new Set(receiver.got.map(({ headers }) => String(headers['webhook-id'])));
  expect(seen.size).toBeLessThan(1000);
  restarted = true;
  const { emulator, close } = await startSandbox({ dataDir });
  onTestFinished(close);
  await emulator.deps.deliveries.settled();

  const arrived = new Set(receiver.got.map(({ headers }) => String(headers['webhook-id'])));
  expect(promised.filter((id) => !arrived.has(id))).toEqual([]);
  const kept = [...emulator.deps.store.deliveries.all()];
  expect(kept.map(({ eventId }) => eventId)).toEqual(promised);
  expect(kept.filter(({ state }) => state !== 'delivered')).toEqual([]);
  const events = kept.flatMap(({ history }) => history.map(({ event }) => event));
  expect(events.filter((event) => event === 'interrupted').length).toBeGreaterThan(0);
});

test('a send that was interrupted by a stop continues at the next start, as do retries that fell due meanwhile', async () => {
  let open = false;
  const receiver = await startReceiver((response, _got, n) => {
    if (n === 1) response.writeHead(500).end();
    else if (open) response.end();
  });
  const store = await openStore({ dataDir: null, now: Date.now });
  const first = await createBench({ store, settings: { closeGraceMs: 10 } });
  first.webhook(receiver.url);
  const retrying = first.publish();
  await first.deliveries.settled();
  const underWay = first.publish();
  await receiver.count(2);
  await first.deliveries.close();
  expect(first.now(underWay.id).state).toBe('delivering');
  open = true;
  const second = await createBench({
    store,
    clockState: { offsetMs: 3_600_000, frozenAt: null, rate: 1, anchor: new Date().toISOString() },
  });
  await receiver.count(4);
  await second.deliveries.settled();
  expect(second.now(retrying.id).state).toBe('delivered');
  expect(second.now(underWay.id)).toMatchObject({ state: 'delivered', eventId: underWay.eventId });
});
