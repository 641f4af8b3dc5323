/**
 * Starts an emulator on a folder, publishes 1,000 events in one webhook's direction, prints each event id after it is
 * stored.
 */
import { apiCreative } from '../../emulator/delivery/payloads.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { startInChild } from '../support/child-emulator.ts';

const [dataDir = '', url = '', worker = ''] = process.argv.slice(2);
const { deps } = await startInChild(dataDir, worker);
const { store, users, deliveries } = deps;

store.transact(() => {
  store.webhooks.put({
    id: 'crash-webhook',
    companyId: demoCompany,
    appId: 'app',
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
});
const [user] = users.find(demoCompany, { phone: '+15555550100' });
if (!user) throw new Error('The demo world has no Ada.');
for (let n = 0; n < 1000; n += 1) {
  const { result } = store.transact(() =>
    deliveries.publish({
      type: 'sms.subscribed',
      about: {},
      user,
      details: { creative: apiCreative(`number ${n}`), subscription: { type: 'MARKETING' } },
    }),
  );
  process.stdout.write(`${result[0]?.eventId}\n`);
}
