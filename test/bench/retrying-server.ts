/* An emulator in a separate process, with 10,000 deliveries to the given URL, which does not accept them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiCreative } from '../../emulator/delivery/payloads.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { defaultOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';

const url = process.argv[2] ?? '';
const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
const workerUrl = new URL('../../emulator/features/catalog/check/worker.ts', import.meta.url);
const { apiUrl, deps, close } = await startEmulator({
  ...defaultOptions,
  port: 0,
  inspectorPort: 0,
  dataDir,
  workerUrl,
});
const { store, users, deliveries, clock } = deps;
store.transact(() => {
  for (const n of [1, 2, 3, 4, 5]) {
    store.webhooks.put({
      id: `bench-${n}`,
      companyId: demoCompany,
      appId: 'bench',
      url,
      events: ['sms.subscribed'],
      signingKey: 'key',
      previousKey: null,
      createdAt: new Date().toISOString(),
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      reach: 'loopback',
    });
  }
});
const [user] = users.find(demoCompany, { phone: '+15555550100' });
if (!user) throw new Error('The demo world has no Ada.');
for (let n = 0; n < 2000; n += 1) {
  store.transact(() =>
    deliveries.publish({
      type: 'sms.subscribed',
      about: {},
      user,
      details: { creative: apiCreative('API'), subscription: { type: 'MARKETING' } },
    }),
  );
}
await deliveries.settled();
clock.freeze(true);
clock.rate(60);
// "retry" lets time run, so that retries fall due continuously; "rest" stops it, and running sends end.
process.stdin.on('data', (line) => {
  const retry = String(line).startsWith('retry');
  clock.freeze(!retry);
  if (!retry) void deliveries.settled().then(() => process.stdout.write('settled\n'));
});
process.stdout.write(`${JSON.stringify({ apiUrl, dataDir })}\n`);
process.once('SIGTERM', () => {
  const attempts = [...store.deliveries.all()].reduce((sum, one) => sum + one.attemptCount, 0);
  process.stdout.write(`${attempts}\n`);
  void close().then(() => {
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(0);
  });
});
