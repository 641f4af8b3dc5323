/** After time went back, or another state was restored, what was taken back explains nothing that is there now. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  ChainView,
  DeliveryDetailView,
  PersonHistoryView,
  TimelineView,
  WebhookLineView,
} from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { freshFolder, opened } from '../support/world.ts';

const subscribe = async (sandbox: Sandbox, phone: string): Promise<string> =>
  (
    await (
      await sandbox.call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } })
    ).exchange()
  ).id;

const get = async <View>(sandbox: Sandbox, path: string): Promise<View> =>
  (await sandbox.control('GET', `/control/${path}`)).body;

const post = async (sandbox: Sandbox, path: string, json: object): Promise<void> =>
  expect((await sandbox.control('POST', `/control/${path}`, json)).status).toBeLessThan(300);

/** Ways to take back what was done since `begin`. */
const ways: {
  readonly [how: string]: {
    begin(sandbox: Sandbox): Promise<void>;
    takeBack(sandbox: Sandbox, at: string): Promise<void>;
  };
} = {
  'a rewind': {
    begin: (sandbox) => post(sandbox, 'clock', { advance: '1h' }),
    takeBack: (sandbox) => post(sandbox, 'clock', { rewind: true }),
  },
  'the undo of an advance': {
    begin: (sandbox) => post(sandbox, 'clock', { advance: '1h' }),
    takeBack: (sandbox) => post(sandbox, 'undo', {}),
  },
  'a restored snapshot': {
    begin: (sandbox) => post(sandbox, 'snapshots', { name: 'before' }),
    takeBack: (sandbox) => post(sandbox, 'snapshots/before/restore', { mode: 'replace' }),
  },
  'going back to a moment': {
    begin: (sandbox) => post(sandbox, 'clock', { advance: '1h' }),
    takeBack: (sandbox, at) => post(sandbox, 'timeline/back', { at }),
  },
};

async function begun(how: string, dataDir: string | null = null) {
  const sandbox = await opened({ dataDir, pace: 'realistic' });
  await post(sandbox, 'clock', { freeze: true });
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/hooks', events: ['sms.subscribed'] } });
  const kept = await subscribe(sandbox, '+15555550177');
  const { now } = await get<{ readonly now: string }>(sandbox, 'clock');
  await ways[how]?.begin(sandbox);
  const gone = await subscribe(sandbox, '+15555550123');
  await sandbox.call('POST', '/attributes/custom', {
    json: { user: { phone: '+15555550123' }, properties: { colour: 'blue' } },
  });
  await sandbox.call('POST', '/attributes/custom', {
    json: { user: { phone: '+15555550177' }, properties: { colour: 'red' } },
  });
  return { sandbox, kept, gone, now };
}

const newestDelivery = async (sandbox: Sandbox): Promise<DeliveryDetailView> => {
  const { deliveries } = await get<{ deliveries: readonly { readonly id: string }[] }>(sandbox, 'deliveries');
  return get(sandbox, `deliveries/${deliveries.at(-1)?.id}`);
};

const historyOf = async (sandbox: Sandbox, phone: string): Promise<PersonHistoryView['entries']> => {
  const query = `companyId=${encodeURIComponent(demoCompany)}&search=${encodeURIComponent(phone)}`;
  const { people } = await get<{ people: readonly { readonly id: string }[] }>(sandbox, `people?${query}`);
  return (await get<PersonHistoryView>(sandbox, `people/${people[0]?.id}/history`)).entries;
};

const takenBack = async (sandbox: Sandbox): Promise<readonly string[]> =>
  (await get<TimelineView>(sandbox, 'timeline?kind=request')).groups
    .filter(({ isTakenBack }) => isTakenBack)
    .map(({ id }) => id);

for (const how of Object.keys(ways))
  test(`after ${how}, who and what comes new is explained by its own requests, although it has the ids of others`, async () => {
    const { sandbox, kept, gone, now } = await begun(how);
    await ways[how]?.takeBack(sandbox, now);
    const own = await subscribe(sandbox, '+15555550199');

    const delivery = await newestDelivery(sandbox);
    expect(delivery.cause?.requestId).toBe(own);
    const { requests } = await get<{ requests: readonly { readonly id: string }[] }>(
      sandbox,
      `records/deliveries/${delivery.id}/requests`,
    );
    expect(requests.map(({ id }) => id)).toEqual([own]);

    const history = await historyOf(sandbox, '+15555550199');
    expect(new Set(history.map(({ cause }) => cause?.requestId))).toEqual(new Set([own]));
    expect(history.map(({ says }) => says).join()).not.toContain('colour');
    expect((await historyOf(sandbox, '+15555550177')).map(({ says }) => says).join()).not.toContain('colour');

    expect(await get<ChainView>(sandbox, `requests/${gone}/chain`)).toMatchObject({
      isTakenBack: true,
      deliveries: [],
      later: [],
    });
    for (const id of [kept, own])
      expect(await get<ChainView>(sandbox, `requests/${id}/chain`)).toMatchObject({
        isTakenBack: false,
        deliveries: [{ type: 'sms.subscribed' }],
      });
    expect(await takenBack(sandbox)).toContain(gone);
    expect(await takenBack(sandbox)).not.toContain(kept);
    expect(await takenBack(sandbox)).not.toContain(own);
  });

test('after the undo of a restored snapshot, what it had taken back explains the records again', async () => {
  const { sandbox, gone } = await begun('a restored snapshot');
  await post(sandbox, 'snapshots/before/restore', { mode: 'replace' });
  const other = await subscribe(sandbox, '+15555550199');
  await post(sandbox, 'undo', {});
  expect((await newestDelivery(sandbox)).cause?.requestId).toBe(gone);
  expect((await historyOf(sandbox, '+15555550123')).map(({ says }) => says)).toContain('colour set to blue');
  expect(await takenBack(sandbox)).toEqual([other]);
});

test('what was taken back stays so after a restart', async () => {
  const dataDir = freshFolder();
  const { sandbox, gone, kept } = await begun('a rewind', dataDir);
  await post(sandbox, 'clock', { rewind: true });
  await sandbox.close();
  const again = await opened({ dataDir, pace: 'realistic' });
  const own = await subscribe(again, '+15555550199');
  expect((await newestDelivery(again)).cause?.requestId).toBe(own);
  expect(await takenBack(again)).toContain(gone);
  expect(await takenBack(again)).not.toContain(kept);
});

test('requests that come after the record was cleared and the emulator was restarted count, although numbers begin again', async () => {
  const dataDir = freshFolder();
  const { sandbox } = await begun('a rewind', dataDir);
  await post(sandbox, 'clock', { rewind: true });
  expect((await sandbox.control('DELETE', '/control/requests')).status).toBe(204);
  await sandbox.close();
  const again = await opened({ dataDir, pace: 'realistic' });
  for (let number = 1; number <= 6; number += 1) await subscribe(again, `+1555555019${number}`);
  expect(await takenBack(again)).toEqual([]);
  await again.close();
  expect(await takenBack(await opened({ dataDir, pace: 'realistic' }))).toEqual([]);
});

test('requests that come after a kill that lost the newest of the record count, although they get the numbers of those', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir, pace: 'realistic' });
  await subscribe(sandbox, '+15555550177');
  await post(sandbox, 'clock', { advance: '1h' });
  const gone = await subscribe(sandbox, '+15555550123');
  await expect.poll(() => readFileSync(join(dataDir, 'requests/1.log'), 'latin1')).toContain(gone);
  const folder = freshFolder();
  cpSync(join(dataDir, 'requests'), folder, { recursive: true });
  for (let number = 1; number <= 3; number += 1) await subscribe(sandbox, `+1555555012${number}`);
  await post(sandbox, 'clock', { rewind: true });
  await sandbox.close();
  rmSync(join(dataDir, 'requests'), { recursive: true });
  cpSync(folder, join(dataDir, 'requests'), { recursive: true });
  const again = await opened({ dataDir, pace: 'realistic' });
  for (let number = 1; number <= 4; number += 1) await subscribe(again, `+1555555019${number}`);
  expect(await takenBack(again)).toEqual([gone]);
  await again.close();
  expect(await takenBack(await opened({ dataDir, pace: 'realistic' }))).toEqual([gone]);
});

test('no recorded request explains an imported state, and a merged one changes nothing of that', async () => {
  const { sandbox, kept } = await begun('a rewind');
  const file = await get<object>(sandbox, 'export?secrets=true');
  await post(sandbox, 'import?mode=merge', file);
  expect(await takenBack(sandbox)).toEqual([]);
  await post(sandbox, 'import?mode=replace', file);
  expect(await takenBack(sandbox)).toContain(kept);
  expect((await newestDelivery(sandbox)).cause).toBeNull();
  const { webhooks } = await get<{ webhooks: readonly WebhookLineView[] }>(sandbox, 'webhooks');
  expect(webhooks.map(({ cause }) => cause)).toEqual(webhooks.map(() => null));
});

test('what was done by hand after a snapshot is taken back with it, and names no one who has the same id', async () => {
  const { sandbox } = await begun('a restored snapshot');
  await post(sandbox, 'messages', { subscriber: { phone: '+15555550123' }, channel: 'TEXT', text: 'Sale' });
  await post(sandbox, 'snapshots/before/restore', { mode: 'replace' });
  await subscribe(sandbox, '+15555550199');
  const { groups } = await get<TimelineView>(sandbox, 'timeline');
  const composed = groups.find(({ says }) => says.startsWith('You sent a text'));
  expect(composed).toMatchObject({ isTakenBack: true, links: [], followerCount: 0 });
});
