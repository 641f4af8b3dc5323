import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClockChangeView, ClockView, PaceView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { consent, demoApp } from '../support/oauth.ts';
import { startSandbox, useSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, addCodes, everything, freshFolder, opened, productNames, upload } from '../support/world.ts';

const start = '2026-03-01T12:00:00.000Z';
const later = (seconds: number): string => new Date(Date.parse(start) + seconds * 1000).toISOString();

const change = (sandbox: Sandbox, json: unknown) => act<ClockChangeView>(sandbox, 'POST', '/control/clock', json);
const clock = (sandbox: Sandbox) => act<ClockView>(sandbox, 'GET', '/control/clock');

/** An emulator at pace realistic whose time is frozen at `start`. */
async function frozen(options: Parameters<typeof opened>[0] = {}): Promise<Sandbox> {
  const sandbox = await opened({ pace: 'realistic', ...options });
  await change(sandbox, { freeze: true });
  await change(sandbox, { set: start });
  return sandbox;
}

async function requestDeletion(sandbox: Sandbox, phone = '+15555550100'): Promise<string> {
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: phone } });
  return (body as { id: string }).id;
}

const stateOf = (sandbox: Sandbox, id: string) => sandbox.emulator.deps.store.privacyRequests.get(id)?.state;

test('advancing fires what falls due in due order, and returns it', async () => {
  const sandbox = await frozen();
  const id = await requestDeletion(sandbox);
  await addCodes(sandbox, ['A']);
  const { upcoming } = await clock(sandbox);
  expect(upcoming.map(({ kind, at }) => [kind, at])).toEqual([
    ['privacy-requests', later(5)],
    ['offers', later(5)],
  ]);
  const { fired, firedCount, now, mode } = await change(sandbox, { advance: '30d' });
  expect(fired.map(({ kind, id: of, at }) => [kind, of, at])).toEqual([
    ['privacy-requests', id, later(5)],
    ['offers', '54102', later(5)],
    ['privacy-requests', id, later(15)],
  ]);
  expect([firedCount, now, mode]).toEqual([3, later(30 * 86_400), 'frozen']);
  expect(stateOf(sandbox, id)).toBe('processed');
  expect(sandbox.emulator.deps.store.privacyRequests.get(id)?.processingEndedAt).toBe(later(15));
});

test('a catalog is checked and saved when its time comes, within one advance', async () => {
  const sandbox = await frozen();
  const id = await upload(sandbox, ['a', 'b']);
  await change(sandbox, { advance: '1h' });
  const { state, history } = sandbox.emulator.deps.store.uploads.get(id) ?? {};
  expect(state).toBe('completed');
  expect(history?.map(({ to, at }) => [to, at])).toEqual([
    ['initialized', start],
    ['validating', start],
    ['validated', later(2)],
    ['completed', later(17)],
  ]);
  expect(Object.keys(await productNames(sandbox, demoCompany))).toEqual(['a', 'b']);
});

test('an authorization code ends after two minutes of virtual time', async () => {
  const sandbox = await frozen();
  const exchange = async (advance: string) => {
    const code = await consent(sandbox);
    await change(sandbox, { advance });
    const { status } = await sandbox.call('POST', '/authorization-codes/tokens', {
      key: null,
      form: { grant_type: 'authorization_code', code, ...demoApp },
    });
    return status;
  };
  expect(await exchange('119s')).toBe(200);
  expect(await exchange('121s')).toBe(400);
});

/** The relevant part of a state: random ids are replaced by their order, and the clock's own settings are removed. */
function comparable(sandbox: Sandbox): string {
  const { collections } = sandbox.emulator.deps.store.toDocument();
  const settings = (collections.settings ?? []).filter(({ id }) => id !== 'clock' && id !== 'upload-link-secret');
  const requests = (collections.privacyRequests ?? []).map(({ id }) => id);
  const text = JSON.stringify({
    ...collections,
    settings,
    uploads: collections.uploads?.map((one) => ({ ...one, etag: '' })),
  });
  return requests.reduce((replaced, id, at) => replaced.replaceAll(id, `request ${at}`), text);
}

test('advance(a) then advance(b) equals advance(a + b)', async () => {
  const sandbox = await frozen();
  await sandbox.control('POST', '/control/snapshots', { name: 'start' });
  const run = async (steps: readonly number[]): Promise<string> => {
    await sandbox.control('POST', '/control/snapshots/start/restore', {});
    await requestDeletion(sandbox);
    await addCodes(sandbox, ['A', 'B']);
    await upload(sandbox, ['a']);
    for (const step of steps) await change(sandbox, { advance: `${step}s` });
    return comparable(sandbox);
  };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }), async (a, b) => {
      expect(await run([a, b])).toBe(await run([a + b]));
    }),
    { numRuns: 5 },
  );
});

test('rewinding to before an advance gives the same bytes, of the state and of every file', async () => {
  const sandbox = await frozen({ dataDir: freshFolder() });
  await addCodes(sandbox, ['A']);
  await upload(sandbox, ['a']);
  await change(sandbox, { advance: '1m' });
  await upload(sandbox, ['a', 'b'], 'Coat');
  await requestDeletion(sandbox);
  await clock(sandbox);
  await sandbox.emulator.deps.clock.advance(0);
  const before = everything(sandbox);
  const { upcoming } = await clock(sandbox);

  await change(sandbox, { advance: '30d' });
  await addCodes(sandbox, ['B', 'C']);
  await upload(sandbox, ['c']);
  await change(sandbox, { freeze: false });
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).not.toBe(before.state);

  const { rewound, now, mode } = await change(sandbox, { rewind: true });
  expect(rewound?.says).toContain('advanced by 30 d');
  expect([now, mode]).toEqual([later(60), 'frozen']);
  expect(everything(sandbox)).toEqual(before);
  const due = (list: ClockView['upcoming']) => list.filter(({ at }) => at > now);
  expect(due((await clock(sandbox)).upcoming)).toEqual(due(upcoming));

  await addCodes(sandbox, ['B']);
  await change(sandbox, { advance: '1m' });
  expect(await productNames(sandbox, demoCompany)).toEqual({ a: 'Coat', b: 'Coat' });
});

test('timers set after an advance are removed when it is rewound', async () => {
  const sandbox = await frozen();
  await change(sandbox, { advance: '1d' });
  await upload(sandbox, ['a']);
  const { upcoming } = await change(sandbox, { advance: '3s' });
  expect(upcoming.map(({ kind }) => kind)).toContain('uploads');
  await change(sandbox, { rewind: true });
  await change(sandbox, { rewind: true });
  expect((await clock(sandbox)).upcoming.filter(({ at }) => at > start)).toEqual([]);
});

test('time made real again is real to the millisecond, fires what fell due, and can be rewound', async () => {
  const sandbox = await frozen();
  await requestDeletion(sandbox);
  await change(sandbox, { rate: 60 });
  const { mode, offsetMs, rate, fired } = await change(sandbox, { real: true });
  expect({ mode, offsetMs, rate }).toEqual({ mode: 'real', offsetMs: 0, rate: 1 });
  expect(fired.map(({ kind }) => kind)).toContain('privacy-requests');
  expect(await change(sandbox, { rewind: true })).toMatchObject({ mode: 'frozen', now: start, rate: 60 });
});

test('rewinding twice goes back two advances, and a third time is refused', async () => {
  const sandbox = await opened();
  await change(sandbox, { freeze: true });
  const { now } = await clock(sandbox);
  await change(sandbox, { advance: '1d' });
  await change(sandbox, { advance: '2d' });
  expect(Date.parse((await change(sandbox, { rewind: true })).now) - Date.parse(now)).toBe(86_400_000);
  expect((await change(sandbox, { rewind: true })).now).toBe(now);
  expect(await sandbox.control('POST', '/control/clock', { rewind: true })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('nothing to rewind to') },
  });
});

test('the clock and its timers survive a restart', async () => {
  const dataDir = freshFolder();
  const first = await startSandbox({ dataDir, pace: 'realistic' });
  await change(first, { freeze: true });
  await change(first, { set: start });
  const id = await requestDeletion(first);
  const before = await clock(first);
  await first.close();

  const second = await opened({ dataDir, pace: 'realistic' });
  const after = await clock(second);
  expect([after.mode, after.now]).toEqual(['frozen', start]);
  expect(after.upcoming).toEqual(before.upcoming);
  await change(second, { advance: '15s' });
  expect(stateOf(second, id)).toBe('processed');
});

test('a rate and an offset survive a restart, and time passes meanwhile', async () => {
  const dataDir = freshFolder();
  const first = await startSandbox({ dataDir });
  await change(first, { set: start });
  await change(first, { rate: 1000 });
  await first.close();
  const { rate, mode, now } = await clock(await opened({ dataDir }));
  expect([rate, mode]).toEqual([1000, 'virtual']);
  expect(now > later(1)).toBe(true);
});

test('an unreadable clock is reported, and time is real', async () => {
  const dataDir = freshFolder();
  const first = await startSandbox({ dataDir });
  const { store } = first.emulator.deps;
  store.transact(() => store.settings.put({ id: 'clock', value: { offsetMs: 'soon' } }));
  await first.close();
  const notices: string[] = [];
  const second = await opened({ dataDir, onNotice: (text) => notices.push(text) });
  expect((await clock(second)).mode).toBe('real');
  expect(notices.join()).toContain('The stored clock cannot be read');
});

const sandbox = useSandbox();

test.each([
  [{}, 'exactly one'],
  [{ advance: '1d', freeze: true }, 'not advance and freeze.'],
  [{ advance: 'soon' }, '"soon" is not a duration'],
  [{ advance: '-1d' }, '"-1d" is not a duration'],
  [{ advance: '999999999999d' }, '"999999999999d" is too long'],
  [{ advance: '99999000d' }, 'Time cannot go so far'],
  [{ set: 'tomorrow' }, '"tomorrow" is not an ISO 8601 time'],
  [{ set: '2026-02-30T00:00:00Z' }, 'not an ISO 8601 time'],
  [{ set: '2026-02-30' }, 'not an ISO 8601 time'],
  [{ set: '2026-02-28' }, '"2026-02-28" has no time of day. Write it like 2026-02-28T00:00:00Z.'],
  [
    { set: '2026-02-28 09:30:15 UTC' },
    '"2026-02-28 09:30:15 UTC" is not an ISO 8601 time. Write it like 2026-02-28T09:30:15Z.',
  ],
  [{ set: '2026-02-28 09:30' }, '"2026-02-28 09:30" is not an ISO 8601 time. Write it like 2026-02-28T09:30:00Z.'],
  [{ set: '2026-02-28 25:30' }, '"2026-02-28 25:30" is not an ISO 8601 time such as 2026-01-31T12:00:00Z.'],
  [{ rate: 0 }, 'rate 0'],
  [{ rate: 2e6 }, 'rate 2000000'],
  [{ rewind: false }, 'rewind'],
  [{ freeze: 'yes' }, 'freeze'],
  [{ forward: '1d' }, 'forward'],
])('POST /control/clock %j is refused and leaves time as it was', async (json, message) => {
  const answer = await sandbox.control('POST', '/control/clock', json);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  expect(await clock(sandbox)).toMatchObject({ mode: 'real', offset: '0ms', rewind: null });
});

test('a pace set by hand moves waiting records, and survives a restart unless the start names another', async () => {
  const dataDir = freshFolder();
  const first = await startSandbox({ dataDir, pace: 'manual' });
  await change(first, { freeze: true });
  const id = await requestDeletion(first);
  await change(first, { advance: '30d' });
  expect(stateOf(first, id)).toBe('received');
  const { pace, delays } = await act<PaceView>(first, 'POST', '/control/pace', { pace: 'instant' });
  expect([pace, delays['privacy.start']]).toEqual(['instant', 0]);
  await change(first, { advance: '0' });
  expect(stateOf(first, id)).toBe('processed');
  expect((await first.control('POST', '/control/pace', { pace: 'fast' })).status).toBe(400);
  await first.close();

  const second = await startSandbox({ dataDir, pace: 'manual' });
  expect(await act(second, 'GET', '/control/pace')).toMatchObject({ pace: 'instant' });
  await second.close();
  const third = await opened({ dataDir, pace: 'realistic' });
  expect(await act(third, 'GET', '/control/pace')).toMatchObject({ pace: 'realistic' });
});

test('at the last moment that a clock can show, what waits for later is shown as due then', async () => {
  const sandbox = await opened({ pace: 'realistic' });
  await sandbox.emulator.deps.clock.set(8_640_000_000_000_000);
  await requestDeletion(sandbox);
  const { now, upcoming } = await clock(sandbox);
  const last = '+275760-09-13T00:00:00.000Z';
  expect([now, upcoming.map(({ at }) => at)]).toEqual([last, [last]]);
});

test('near the last moment the API goes on, and each time that it names is a date', async () => {
  const sandbox = await opened({ pace: 'realistic' });
  const id = await requestDeletion(sandbox);
  await sandbox.emulator.deps.clock.set(8_640_000_000_000_000 - 2_000);
  const begun = await sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  expect(begun).toMatchObject({ status: 200, body: { expires: '+275760-09-13T00:00:00.000Z' } });
  const later = await requestDeletion(sandbox);
  for (const one of [id, later])
    expect(await sandbox.control('GET', `/control/records/privacy-requests/${one}`)).toMatchObject({ status: 200 });
});

test.for(['1969-06-01T00:00:00.000Z', '+100002-11-28T21:24:15.981Z'])(
  'at %s time can be set to what the clock shows, and an upload takes its file',
  async (moment) => {
    const sandbox = await opened({ pace: 'instant' });
    await change(sandbox, { freeze: true });
    await sandbox.emulator.deps.clock.set(Date.parse(moment));
    const { now } = await clock(sandbox);
    expect(await change(sandbox, { set: now })).toMatchObject({ now: moment });
    const { body } = await sandbox.call('POST', '/product-catalog/uploads', { json: {} });
    expect((await fetch((body as { uploadUrl: string }).uploadUrl, { method: 'PUT', body: 'x' })).status).toBe(200);
  },
);

test('a clock that was stored as before the first moment shows that one', async () => {
  const dataDir = freshFolder();
  const first = await opened({ dataDir });
  const value = { offsetMs: -1e17, frozenAt: null, rate: 1, anchor: start };
  first.emulator.deps.store.transact(() => first.emulator.deps.store.settings.put({ id: 'clock', value }));
  await first.close();
  expect(await clock(await opened({ dataDir }))).toMatchObject({ now: '-271821-04-20T00:00:00.000Z' });
});

test('the offset is shown as the developer entered it', async () => {
  const sandbox = await opened();
  await change(sandbox, { advance: '30d' });
  expect(await clock(sandbox)).toMatchObject({ mode: 'virtual', offset: '30d' });
});
