import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { TimelineView } from '../../emulator/control/calls.ts';
import { createRandom } from '../../emulator/random.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { freshFolder, opened } from '../support/world.ts';

/** What a step takes its values from. */
interface Dice {
  pick<T>(from: readonly T[]): T;
  idOf(records: readonly { readonly id: string }[]): string;
  phone(): string;
}

type Step = (sandbox: Sandbox, dice: Dice) => Promise<unknown>;

/** Some are refused, depending on those before. The first ones are taken more often. */
const steps: readonly Step[] = [
  ({ call }, { phone }) =>
    call('POST', '/subscriptions', { json: { user: { phone: phone() }, signUpSourceId: '100001' } }),
  ({ call }, { phone }) => call('POST', '/privacy/delete-request', { json: { subscriberPhone: phone() } }),
  ({ control, emulator: { deps } }, { pick, idOf }) =>
    control('POST', `/control/messages/${idOf(deps.store.messages.records())}/acts`, {
      act: 'reply',
      text: pick(['YES', 'STOP', 'HELP']),
    }),
  ({ control }, { pick }) => control('POST', '/control/clock', { advance: pick(['30s', '6m', '3h', '8d']) }),
  ({ control, emulator: { deps } }, { idOf }) =>
    control('POST', `/control/deliveries/${idOf(deps.store.deliveries.records())}/redeliver`, {}),
  ({ call }, { phone }) => call('POST', '/subscriptions/unsubscribe', { json: { user: { phone: phone() } } }),
  ({ call }, { phone }) => call('POST', '/events/custom', { json: { type: 'Looked', user: { phone: phone() } } }),
  ({ control }) => control('POST', '/control/faults', { operation: 'POST /subscriptions', status: 429 }),
  async ({ control }, { pick }) => {
    await control('POST', '/control/undo', {});
    if (pick([true, false])) await control('POST', '/control/redo', {});
  },
  ({ control, emulator: { recorder } }, { idOf }) =>
    control('POST', '/control/requests/delete', { ids: [idOf(recorder.all())] }),
  async ({ control }, { pick }) => {
    await control('DELETE', '/control/requests');
    if (pick([true, true, false])) await control('POST', '/control/undo', {});
  },
];

const queries = [
  'limit=500',
  'limit=20&failed=true',
  'kind=delivery,change',
  'person=%2B15555550101',
  'webhook=bad',
  'text=subscribed',
];

async function timelinesOf({ control, emulator: { deps, recorder } }: Sandbox): Promise<readonly TimelineView[]> {
  const isUnderWay = (): boolean =>
    deps.store.deliveries.records().some(({ state }) => state === 'queued' || state === 'delivering');
  await expect.poll(isUnderWay).toBe(false);
  await recorder.loaded;
  const causes = recorder.all().slice(-3);
  const read = async (query: string): Promise<TimelineView> => {
    const { status, body } = await control('GET', `/control/timeline?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const views: TimelineView[] = [];
  for (const query of [...queries, ...causes.map(({ id }) => `cause=${id}`)]) views.push(await read(query));
  const { body: spread } = await control('GET', '/control/timeline/spread?bars=7');
  return [...views, spread];
}

/** What can be undone is not known after a restart, and one can look back a little less far. */
const toText = (views: readonly TimelineView[]): string =>
  JSON.stringify(views, (name, value: unknown) => (name === 'edit' || name === 'earliest' ? null : value));

/** All records, settings included, as text. */
const recordsOf = ({ emulator: { deps } }: Sandbox): string => JSON.stringify(deps.store.toDocument().collections);

test.for([1, 2])(
  'the records and a timeline that was read again and again are, to the byte, what a restarted server reads: steps of seed %d',
  async (seed) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/good' ? 200 : 500).end();
      request.resume();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const random = createRandom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const idOf = (records: readonly { readonly id: string }[]): string => pick(records)?.id ?? 'none';
    const phone = (): string => pick(['+15555550101', '+15555550102', '+15555550103']);
    const dataDir = freshFolder();
    for (let start = 0; start < 2; start += 1) {
      const sandbox = await opened({ dataDir, pace: 'manual' });
      await sandbox.control('POST', '/control/clock', { freeze: true });
      for (const url of [`${receiver}/good`, `${receiver}/bad`])
        await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed', 'sms.sent'] });
      let views: readonly TimelineView[] = [];
      for (let step = 0; step < 32; step += 1) {
        await pick([...steps, ...steps.slice(0, 5)])(sandbox, { pick, idOf, phone });
        if (step % 8 === 7) views = await timelinesOf(sandbox);
      }
      const records = recordsOf(sandbox);
      await sandbox.close();
      const again = await opened({ dataDir, pace: 'manual' });
      expect(recordsOf(again)).toBe(records);
      expect(toText(await timelinesOf(again))).toBe(toText(views));
      await again.close();
    }
  },
);
