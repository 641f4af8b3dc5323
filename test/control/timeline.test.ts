import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { TimelineGroupView, TimelineSpreadView, TimelineView } from '../../emulator/control/calls.ts';
import { RecordedExchange } from '../../emulator/http/record/recorded-exchange.ts';
import { startSandbox, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox({ pace: 'manual' });
afterEach(() => sandbox.reset());

async function timeline(query: { readonly [name: string]: string } = {}): Promise<TimelineView> {
  const { status, body } = await sandbox.control('GET', `/control/timeline?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return body;
}

const receiver = (status: number): Promise<string> => receiverOf((response) => void response.writeHead(status).end());

async function receiverOf(answer: (response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

async function subscribe(phone: string): Promise<string> {
  const json = { user: { phone }, signUpSourceId: '100001' };
  const answer = await sandbox.call('POST', '/subscriptions', { json });
  expect(answer.status).toBe(202);
  return (await answer.exchange()).id;
}

const says = (groups: readonly TimelineGroupView[]): readonly string[] => groups.map((group) => group.says);

test('a request heads its group, with the text and the delivery that it led to', async () => {
  const url = await receiver(200);
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const id = await subscribe('+15555550123');
  await expect.poll(async () => (await timeline({ cause: id })).groups[0]?.followers.at(-1)?.state).toBe('delivered');

  const { groups, total } = await timeline({ cause: id });
  expect(total).toBe(1);
  const [group] = groups;
  expect(group).toMatchObject({ id, kind: 'request', status: 202, cause: null, section: null });
  expect(group?.says).toBe('POST /subscriptions by Demo app: +15555550123 subscribed to MARKETING by text, new person');
  expect(group?.links.map(({ kind, text }) => [kind, text])).toEqual([
    ['requests', 'POST /subscriptions'],
    ['users', '+15555550123'],
  ]);
  expect(group?.kinds).toEqual(['request', 'change', 'delivery', 'message']);
  const [message, delivery] = group?.followers ?? [];
  expect(message?.says).toMatch(/^Text to \+15555550123: “/);
  expect(delivery).toMatchObject({
    kind: 'delivery',
    says: `sms.subscribed to ${url}`,
    state: 'delivered',
    status: 200,
  });
});

test('what a person, a fault and the developer did are each in the stream, newest first', async () => {
  await subscribe('+15555550123');
  const message = [...sandbox.emulator.deps.store.messages.all()].at(-1);
  await sandbox.control('POST', '/control/faults', { operation: 'POST /subscriptions', status: 429 });
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: '+15555550124' }, signUpSourceId: '100001' } });
  await sandbox.control('POST', `/control/messages/${message?.id}/acts`, { act: 'reply', text: 'STOP' });
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/x', events: ['sms.sent'] });

  const { groups, counts } = await timeline();
  expect(groups.map(({ kind }) => kind)).toEqual(['edit', 'person', 'fault', 'fault', 'request']);
  const [edit, person, answered, fault] = groups;
  expect(edit?.says).toContain('http://127.0.0.1:9/x');
  expect(person?.says).toBe(
    '+15555550123 replied “STOP”: Ended the MARKETING subscription by TEXT at +15555550123. Sent the text that confirms it.',
  );
  expect(person?.followers.map((entry) => entry.says)).toContainEqual(expect.stringMatching(/^Text to \+15555550123/));
  expect(person?.followers.map((entry) => entry.says)).not.toContainEqual(person?.says);
  expect(answered).toMatchObject({ status: 429, kinds: ['request', 'fault'] });
  expect(fault?.says).toMatch(/^You set a fault: /);
  expect(counts).toMatchObject({ request: 2, fault: 2, person: 1, edit: 1 });
});

test('a move by hand is told with the word for its record', async () => {
  const json = { subscriberEmail: 'ada@example.com' };
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json });
  const { id } = body as { readonly id: string };
  await sandbox.control('POST', `/control/records/privacy-requests/${id}/moves`, { event: 'start' });
  expect(says((await timeline()).groups)[0]).toBe(`You moved the privacy request ${id} by hand: start`);
});

test('a filter finds a person, a kind, a rule, a webhook and words', async () => {
  const url = await receiver(200);
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const id = await subscribe('+15555550123');
  await subscribe('+15555550124');
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: 'x' }, signUpSourceId: '100001' } });

  expect(says((await timeline({ person: '+15555550123' })).groups)).toEqual([
    'POST /subscriptions by Demo app: +15555550123 subscribed to MARKETING by text, new person',
  ]);
  expect((await timeline({ webhook: url })).groups.map(({ kind }) => kind)).toEqual(['request', 'request', 'edit']);
  expect((await timeline({ kind: 'edit' })).total).toBe(1);
  expect((await timeline({ kind: 'edit,request' })).total).toBe(4);
  const [refused] = (await timeline({ failed: 'true' })).groups;
  expect(refused?.tone).toBe('warning');
  const rule = /refused by (\S+)/.exec(refused?.says ?? '')?.[1] ?? '';
  expect((await timeline({ rule })).groups.map((group) => group.id)).toEqual([refused?.id]);
  expect((await timeline({ text: '0123 SUBSCRIBED' })).groups.map((group) => group.id)).toEqual([id]);
  expect((await timeline({ text: 'no such words' })).total).toBe(0);
});

test('each link says where the sentence names its record, also if the same words come before', async () => {
  await subscribe('+15555550123');
  const message = [...sandbox.emulator.deps.store.messages.all()].at(-1);
  await sandbox.control('POST', `/control/messages/${message?.id}/acts`, { act: 'reply', text: 'STOP' });
  await sandbox.control('POST', '/control/messages', {
    subscriber: { phone: '+15555550123' },
    channel: 'TEXT',
    text: 'Sale',
    force: true,
  });
  const url = await receiver(200);
  const made = await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const { id: to }: { readonly id: string } = made.body;
  await sandbox.control('POST', '/control/trigger', { type: 'sms.subscribed', to });

  const { groups } = await timeline();
  const entries = groups.flatMap((group) => [group, ...group.followers]);
  const linked = entries.flatMap(({ says: sentence, links }) =>
    links.map(({ from, text, kind }) => ({ kind, text, there: sentence.slice(from, from + text.length) })),
  );
  expect(new Set(linked.map(({ kind }) => kind))).toEqual(new Set(['requests', 'users', 'deliveries', 'webhooks']));
  for (const { text, there } of linked) expect(there).toBe(text);
  const sent = entries.find(({ says: sentence }) => sentence === 'You sent a text to +15555550123');
  expect(sent?.links).toMatchObject([{ kind: 'users', text: '+15555550123', from: 'You sent a text to '.length }]);
});

test('a notice is found by the records that it is about, whatever its text says', async () => {
  const url = 'http://127.0.0.1:9/notice';
  const made = await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.sent'] });
  const webhook: { readonly id: string } = made.body;
  const store = sandbox.emulator.deps.store;
  const [user] = store.users.all();
  const about = [
    { kind: 'webhooks', id: webhook.id },
    { kind: 'users', id: user?.id ?? '' },
    { kind: 'uploads', id: 'upl_1' },
  ];
  const notice = { companyId: null, at: '2026-11-22T12:00:00.000Z', level: 'warning' } as const;
  store.transact(() => {
    store.platformNotices.put({ ...notice, id: 'ntc_1', text: 'A loop was cut.', about });
    store.platformNotices.put({ ...notice, id: 'ntc_2', text: `A sentence with ${url} and upl_1.` });
  });

  for (const query of [{ webhook: url }, { person: user?.id ?? '' }, { upload: 'upl_1' }]) {
    const { groups } = await timeline(query);
    expect(says(groups).filter((one) => one.startsWith('A '))).toEqual(['A loop was cut.']);
  }
});

test('cursors page down and up through everything, each cause once', async () => {
  for (let index = 0; index < 25; index++) await sandbox.call('GET', '/me');
  const all = (await timeline({ limit: '500' })).groups.map(({ id }) => id);
  expect(all).toHaveLength(25);

  const down: TimelineGroupView[] = [];
  for (let page = await timeline({ limit: '10' }); ;) {
    down.push(...page.groups);
    if (!page.hasOlder) break;
    page = await timeline({ limit: '10', before: down.at(-1)?.cursor ?? '' });
    expect(page.hasNewer).toBe(true);
  }
  expect(down.map(({ id }) => id)).toEqual(all);

  const up = await timeline({ limit: '10', after: down[20]?.cursor ?? '' });
  expect(up.groups.map(({ id }) => id)).toEqual(all.slice(10, 20));
  expect([up.hasNewer, up.hasOlder]).toEqual([true, true]);
  await sandbox.call('GET', '/me');
  const newer = await timeline({ after: all.length > 0 ? (down[0]?.cursor ?? '') : '' });
  expect(newer.groups).toHaveLength(1);
  expect(newer.hasNewer).toBe(false);

  const refused = await sandbox.control('GET', '/control/timeline?before=nowhere');
  expect(refused.status).toBe(400);
});

test('a retry is counted in the move of the clock in which it began, also if its answer comes later', async () => {
  const held: ServerResponse[] = [];
  let count = 0;
  const url = await receiverOf((response) => {
    count += 1;
    if (count === 1) response.writeHead(500).end();
    else held.push(response);
  });
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const id = await subscribe('+15555550123');
  const stateOf = async () =>
    (await timeline({ cause: id })).groups[0]?.followers.find(({ kind }) => kind === 'delivery')?.state;
  await expect.poll(stateOf).toBe('retrying');
  await sandbox.control('POST', '/control/clock', { advance: '1m' });
  await expect.poll(() => held.length).toBe(1);
  held[0]?.end();
  await expect.poll(stateOf).toBe('delivered');
  const move = (await timeline({ kind: 'clock' })).groups.find((group) => group.move !== null);
  expect(move?.move?.result.map(({ says }) => says)).toEqual(['1 retry to 1 receiver']);
});

test('a move of the clock is a section: its result heads what happened in it, and can be narrowed to', async () => {
  const [bad, good] = [await receiver(500), await receiver(200)];
  await sandbox.control('POST', '/control/webhooks', { url: bad, events: ['sms.subscribed'] });
  await sandbox.control('POST', '/control/webhooks', { url: good, events: ['sms.subscribed'] });
  const id = await subscribe('+15555550123');
  await expect
    .poll(async () => (await timeline({ cause: id })).groups[0]?.followers.map(({ state }) => state))
    .toContain('retrying');
  const before = (await sandbox.control('GET', '/control/clock')).body as { readonly now: string };
  await sandbox.control('POST', '/control/pace', { pace: 'realistic' });
  await sandbox.control('POST', '/control/clock', { advance: '12h' });
  await subscribe('+15555550124');
  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  await sandbox.control('POST', '/control/clock', { advance: '30d' });

  const move = (await timeline({ kind: 'clock' })).groups.find((group) => group.move !== null);
  expect(move?.says).toBe('You advanced the clock by 30 d');
  expect(Date.parse(move?.move?.to ?? '') - Date.parse(before.now)).toBeGreaterThanOrEqual(30 * 86_400_000);
  const result = move?.move?.result.map((part) => part.says) ?? [];
  expect(result).toContainEqual(expect.stringMatching(/^\d+ retries to 1 receiver$/));
  expect(result).toContainEqual('1 webhook disabled');
  expect(result).toContainEqual('1 privacy request is processed');

  const section = (await timeline({ section: move?.id ?? '' })).groups;
  expect(section[0]?.id).toBe(move?.id);
  const retries = section.find((group) => group.says.includes('retries to'));
  expect(retries?.says).toBe(result.find((part) => part.includes('retries'))?.replace('1 receiver', bad));
  const times = (await timeline({ cause: retries?.id ?? '' })).groups[0]?.followers.map(({ at }) => at) ?? [];
  expect(times.length).toBeGreaterThan(5);
  expect(times).toEqual(times.toSorted());
  expect(section.map((group) => group.says)).toContainEqual(
    expect.stringMatching(/^Privacy request \S+ went from .* to processed$/),
  );
  expect(section.map((group) => group.says)).toContainEqual(
    expect.stringMatching(/was disabled: nothing was accepted/),
  );

  // The chain of the request has every attempt, however late.
  const whole = (await timeline({ cause: id })).groups[0];
  expect(whole?.followers.filter(({ says: text }) => /attempt \d+$/.test(text)).length).toBeGreaterThan(5);

  await sandbox.control('POST', '/control/clock', { rewind: true });
  const undone = (await timeline({ kind: 'clock' })).groups.find((group) => group.id === move?.id);
  expect(undone?.isTakenBack).toBe(true);
});

test('what an edit was is marked when it is undone, and when it is done again', async () => {
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/x', events: ['sms.sent'] });
  const edit = async (): Promise<TimelineGroupView | undefined> =>
    (await timeline({ kind: 'edit' })).groups.findLast(({ kind }) => kind === 'edit');
  expect((await edit())?.isTakenBack).toBe(false);
  const { undo } = (await sandbox.control('GET', '/control/undo')).body as { readonly undo: readonly { id: string }[] };
  expect((await edit())?.edit).toBe(undo[0]?.id);
  await sandbox.control('POST', '/control/undo', {});
  expect((await edit())?.isTakenBack).toBe(true);
  await sandbox.control('POST', '/control/redo', {});
  expect((await edit())?.isTakenBack).toBe(false);
});

test('the spread counts what happened over time, and what of it failed', async () => {
  const spread = async (): Promise<TimelineSpreadView> =>
    (await sandbox.control('GET', '/control/timeline/spread?bars=10')).body;
  expect(await spread()).toEqual({ from: null, to: null, earliest: expect.any(String), bars: [] });
  await sandbox.call('GET', '/me');
  await sandbox.control('POST', '/control/clock', { advance: '9d' });
  await sandbox.call('GET', '/nowhere');
  const { bars } = await spread();
  expect(bars).toHaveLength(10);
  expect([bars[0]?.count, bars.at(-1)?.count, bars.at(-1)?.failed]).toEqual([1, 2, 1]);
});

test('what was done by hand outlives a restart, and a file that ends in half a line', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-timeline-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await startSandbox({ dataDir });
  await first.control('POST', '/control/clock', { advance: '2d' });
  await first.close();
  appendFileSync(join(dataDir, 'activities.ndjson'), '{"id":"act_half');

  const second = await startSandbox({ dataDir });
  onTestFinished(() => second.close());
  await second.control('POST', '/control/faults', { operation: 'GET /me', status: 401 });
  const { groups } = (await second.control('GET', '/control/timeline')).body as TimelineView;
  expect(says(groups)).toEqual([expect.stringMatching(/^You set a fault/), 'You advanced the clock by 2 d']);
  expect(groups[1]?.move?.result).toEqual([]);
});

test('the changes of a recorded request are decoded once, however often the timeline is read', async () => {
  for (let index = 0; index < 5; index++) await subscribe(`+1555555012${index}`);
  await timeline({ limit: '1' });
  const changes = vi.spyOn(RecordedExchange.prototype, 'changes', 'get');
  onTestFinished(() => changes.mockRestore());
  await timeline({ limit: '1' });
  const again = changes.mock.calls.length;
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: '+15555550129' }, signUpSourceId: '100001' } });
  changes.mockClear();
  expect((await timeline({ limit: '1' })).total).toBe(6);
  // Once more than a reading without a change, in which only the one that is shown is decoded.
  expect(changes.mock.calls.length).toBe(again + 1);
});

test('only what may be about a person, a webhook, an upload or a rule is decoded to find it', async () => {
  for (let index = 0; index < 3; index++) await subscribe(`+1555555012${index}`);
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: 'x' }, signUpSourceId: '100001' } });
  await timeline();
  const decoded = (['changes', 'refusal', 'requestHeaders'] as const).map((name) =>
    vi.spyOn(RecordedExchange.prototype, name, 'get'),
  );
  onTestFinished(() => void vi.restoreAllMocks());
  const nowhere = [{ person: 'nobody' }, { webhook: 'http://nowhere' }, { upload: 'no-upload' }, { rule: 'no-rule' }];
  for (const query of nowhere) expect((await timeline(query)).total).toBe(0);
  const { body } = await sandbox.control('GET', '/control/body-search?in=headers&text=no:where');
  expect(body).toMatchObject({ ids: [] });
  expect(decoded.flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('a request is decoded for the first search by text only', async () => {
  for (let index = 0; index < 3; index++) await subscribe(`+1555555012${index}`);
  expect((await timeline({ text: '5550121 subscribed' })).total).toBe(1);
  const decoded = vi.spyOn(RecordedExchange.prototype, 'changes', 'get');
  onTestFinished(() => void vi.restoreAllMocks());
  for (const text of ['nowhere', 'text to', 'new person']) await timeline({ text, limit: '0' });
  expect(decoded).not.toHaveBeenCalled();
});

test('a request is found by the name that its app has now', async () => {
  await subscribe('+15555550123');
  const { store } = sandbox.emulator.deps;
  const app = store.apps.records().find(({ name }) => name === 'Demo app');
  expect((await timeline({ text: 'by demo app: +15555550123' })).total).toBe(1);
  const { status } = await sandbox.control('POST', `/control/apps/${app?.id}`, { name: 'Checkout' });
  expect(status).toBe(200);
  expect((await timeline({ text: 'by demo app: +15555550123' })).total).toBe(0);
  expect((await timeline({ text: 'by checkout: +15555550123' })).total).toBe(1);
});

test('a person is found however a request wrote them', async () => {
  await subscribe('+15555550123');
  await sandbox.call('GET', '/subscriptions?phone=%2B15555550123');
  const headers = { 'content-type': 'application/json' };
  const send = (user: string): Promise<unknown> =>
    sandbox.call('POST', '/events/custom', { raw: `{"type":"","user":${user}}`, headers });
  await send('{"phone":"\\u002b15555550123"}');
  await send('{"clientUserId":"É\\"lan 1"}');
  const found = async (person: string): Promise<number> => (await timeline({ person })).total;
  expect([await found('+15555550123'), await found('é"LAN 1'), await found('É"lan')]).toEqual([3, 1, 0]);
});
