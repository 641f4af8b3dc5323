import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { RefusalView, TimelineMomentView } from '../../emulator/control/calls.ts';
import { applyFix } from '../rules/apply-fix.ts';
import { callAt, failingReceiver, readAll } from '../support/look-back.ts';
import { useSandbox } from '../support/sandbox.ts';
import { act, opened, subscribe, upload } from '../support/world.ts';

const sandbox = useSandbox({ pace: 'realistic' });
afterEach(() => sandbox.reset());

const readAt = (path: string, at: string, of?: { readonly method?: string; readonly body?: object }) =>
  callAt(sandbox.emulator, path, at, of);

const now = async (): Promise<string> =>
  ((await sandbox.control('GET', '/control/clock')).body as { readonly now: string }).now;

test('what a reading call answers of an earlier moment equals what it answered then', async () => {
  await sandbox.control('POST', '/control/clock', { freeze: true });
  const url = await failingReceiver();
  const acts: readonly (() => Promise<unknown>)[] = [
    () => sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed', 'sms.sent'] }),
    () => subscribe(sandbox, '+15555550123'),
    () => sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550123' } }),
    () => subscribe(sandbox, '+15555550124'),
    () => sandbox.control('POST', '/control/clock', { advance: '2d' }),
    () => subscribe(sandbox, '+15555550123'),
    () => sandbox.control('POST', '/control/clock', { advance: '30d' }),
  ];
  const seen: { readonly at: string; readonly answers: readonly unknown[] }[] = [];
  for (const act of acts) {
    await act();
    await sandbox.emulator.deps.deliveries.settled();
    seen.push({ at: await now(), answers: await readAll((path) => sandbox.control('GET', path)) });
    await sandbox.control('POST', '/control/clock', { advance: '1s' });
  }
  // The last first, and one of them twice: what is kept of one moment is not shown of another.
  for (const { at, answers } of [...seen.toReversed(), ...seen.slice(2, 3)])
    expect(await readAll((path) => readAt(path, at)), at).toEqual(answers);
  expect(await readAll((path) => sandbox.control('GET', path))).toEqual(seen.at(-1)?.answers);
});

test('whom a deletion request matched at an earlier moment is shown after they are deleted', async () => {
  await subscribe(sandbox, '+15555550123');
  const { body } = await sandbox.call('POST', '/privacy/delete-request', {
    json: { subscriberPhone: '+15555550123' },
  });
  const path = `/control/privacy-requests/${(body as { readonly id: string }).id}/people`;
  const at = await now();
  const matched = (await sandbox.control('GET', path)).body;
  expect(matched).toMatchObject({ people: [{ phones: ['+15555550123'] }] });
  await sandbox.control('POST', '/control/clock', { advance: '40d' });
  expect((await sandbox.control('GET', path)).body).toEqual({ people: [] });
  expect((await readAt(path, at)).body).toEqual(matched);
});

test('nothing is changed while looking back, and an unknown moment says which one is the first', async () => {
  const at = await now();
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  const refused = await readAt('/control/webhooks', at, {
    method: 'POST',
    body: { url: 'http://127.0.0.1:9/x', events: ['sms.sent'] },
  });
  expect(refused.status).toBe(409);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
  const early = await readAt('/control/messages', '2001-01-01T00:00:00.000Z');
  expect(early).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/the earliest known moment is/) },
  });
  expect((await readAt('/control/messages', 'yesterday')).status).toBe(400);
});

test('the move of a diagram is closed at an earlier moment, and says why', async () => {
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  const { id } = body as { readonly id: string };
  const at = await now();
  const view = (await readAt(`/control/records/privacy-requests/${id}`, at)).body as {
    readonly state: string;
    readonly moves: readonly { readonly open: boolean; readonly why: string }[];
  };
  expect(view.state).toBe('received');
  expect(view.moves.every(({ open, why }) => !open && why.includes('an earlier moment'))).toBe(true);
});

test('going back makes an earlier moment the present, can be undone, and keeps the requests', async () => {
  await sandbox.control('POST', '/control/clock', { freeze: true });
  await subscribe(sandbox, '+15555550123');
  const at = await now();
  const then = await readAll((path) => sandbox.control('GET', path));
  await sandbox.control('POST', '/control/clock', { advance: '3d' });
  await subscribe(sandbox, '+15555550124');
  const later = await readAll((path) => sandbox.control('GET', path));
  const requests = sandbox.emulator.recorder.size;

  const moment = (await sandbox.control('GET', `/control/timeline/moment?at=${at}`)).body as TimelineMomentView;
  const people = moment.counts.find(({ kind }) => kind === 'users');
  expect((people?.is ?? 0) - (people?.was ?? 0)).toBe(1);

  const { status, body } = await sandbox.control('POST', '/control/timeline/back', { at });
  expect([status, body]).toEqual([200, { at, from: expect.any(String), hasOtherProducts: false }]);
  expect(await now()).toBe(at);
  expect(await readAll((path) => sandbox.control('GET', path))).toEqual(then);
  expect(sandbox.emulator.recorder.size).toBe(requests);

  await sandbox.control('POST', '/control/undo', {});
  expect(await readAll((path) => sandbox.control('GET', path))).toEqual(later);
  // Of the state that came back, its past is known too.
  expect(await readAll((path) => readAt(path, at))).toEqual(then);
});

test('time runs on from the moment that was gone back to, and a catalog that was saved since is told', async () => {
  const own = await opened();
  const { clock } = own.emulator.deps;
  const timeNow = () => new Date(clock.now()).toISOString();
  await act(own, 'POST', '/control/pace', { pace: 'realistic' });
  const at = timeNow();
  await act(own, 'POST', '/control/clock', { advance: '1d' });
  await upload(own, ['a']);
  await act(own, 'POST', '/control/clock', { advance: '1d' });
  const saved = timeNow();
  await act(own, 'POST', '/control/clock', { advance: '1d' });
  const look = (when: string) => act<TimelineMomentView>(own, 'GET', `/control/timeline/moment?at=${when}`);
  expect([(await look(at)).hasOtherProducts, (await look(saved)).hasOtherProducts]).toEqual([true, false]);
  expect(await act(own, 'POST', '/control/timeline/back', { at })).toMatchObject({ hasOtherProducts: true });
  expect(await act(own, 'GET', '/control/clock')).toMatchObject({ mode: 'virtual', pace: 'realistic' });
  expect(clock.now() - Date.parse(at)).toBeLessThan(86_400_000);
  await expect.poll(() => clock.now()).toBeGreaterThan(Date.parse(at));
});

test('a fork keeps an earlier moment as a snapshot, and changes nothing else', async () => {
  await sandbox.control('POST', '/control/clock', { freeze: true });
  await subscribe(sandbox, '+15555550123');
  const at = await now();
  const then = await readAll((path) => sandbox.control('GET', path));
  await sandbox.control('POST', '/control/clock', { advance: '3d' });
  await subscribe(sandbox, '+15555550124');
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  const { status, body } = await sandbox.control('POST', '/control/timeline/fork', { at, name: 'before-the-second' });
  expect([status, body]).toEqual([201, expect.objectContaining({ name: 'before-the-second', savedAt: at })]);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
  await sandbox.control('POST', '/control/snapshots/before-the-second/restore', {});
  expect(await readAll((path) => sandbox.control('GET', path))).toEqual(then);
  expect(await now()).toBe(at);
});

test('after time was set back the first moment that is known is before it, so its refusal can be followed', async () => {
  await sandbox.control('POST', '/control/clock', { set: '2020-01-31T12:00:00Z' });
  const request = { method: 'GET', path: '/control/timeline/moment', query: { at: '2019-12-31T12:00:00.000Z' } };
  const look = ({ path, query }: { readonly path: string; readonly query?: Readonly<Record<string, string>> }) =>
    sandbox.control('GET', `${path}?${new URLSearchParams(query)}`);
  const { refusal } = (await look(request)).body as { readonly refusal: RefusalView };
  expect([refusal.rule, refusal.message]).toEqual([
    'time.forgotten',
    expect.stringContaining(' is 2020-01-31T12:00:0'),
  ]);
  expect((await look(applyFix(request, refusal.fix.edits))).status).toBe(200);
});

test('a fork replaces a snapshot of the same name only if asked, as its refusal proposes', async () => {
  await sandbox.control('POST', '/control/snapshots', { name: 'twice' });
  onTestFinished(async () => void (await sandbox.control('DELETE', '/control/snapshots/twice')));
  await sandbox.control('POST', '/control/clock', { freeze: true });
  const at = await now();
  const request = { method: 'POST', path: '/control/timeline/fork', json: { at, name: 'twice' } };
  const refused = await sandbox.control(request.method, request.path, request.json);
  const { refusal } = refused.body as { readonly refusal: RefusalView };
  expect([refused.status, refusal.rule]).toEqual([409, 'snapshots.taken']);
  const fixed = applyFix(request, refusal.fix.edits);
  const { status, body } = await sandbox.control(fixed.method, fixed.path, fixed.json);
  expect([status, body]).toEqual([201, expect.objectContaining({ name: 'twice', savedAt: at })]);
});

test('a call looks at no moment that is still to come', async () => {
  const at = '2999-12-31T12:00:00.000Z';
  expect(await readAt('/control/records/users', at)).toMatchObject({
    status: 400,
    body: { refusal: { rule: 'time.future', place: { in: 'header', at: 'x-sandbox-at' } } },
  });
});
