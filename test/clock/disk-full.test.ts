import { expect, onTestFinished, test } from 'vitest';
import type { ClockChangeView, ClockView, RequestView } from '../../emulator/control/calls.ts';
import { command } from '../support/command.ts';
import { onFullDisk } from '../support/full-disk.ts';
import { startSandbox } from '../support/sandbox.ts';

test
  .runIf(process.platform === 'linux')
  .for([
    { advance: '1h' },
    { set: '2031-01-31T12:00:00Z' },
    { set: '2021-01-31T12:00:00Z' },
    { freeze: false },
    { rate: 60 },
    { real: true },
  ])('a clock move that cannot be stored (%j) is refused, and nothing moves', async (move) => {
  const sandbox = await onFullDisk();
  const { clock } = sandbox.emulator.deps;
  const fired: string[] = [];
  clock.at('due', clock.now() + 1000, 'something due', () => void fired.push('due'));
  const seen = async (): Promise<unknown> => {
    const { mode, now, rate, frozenAt, upcomingCount } = (await sandbox.control('GET', '/control/clock'))
      .body as ClockView;
    const undo = await sandbox.control('GET', '/control/undo');
    return { mode, now, rate, frozenAt, upcomingCount, undo: undo.body, fired: [...fired] };
  };
  const before = await seen();
  const answer = await sandbox.control('POST', '/control/clock', move);
  expect(answer).toMatchObject({
    status: 507,
    body: { refusal: { rule: 'control.store' }, message: expect.stringMatching(/ENOSPC.*Free some disk space/) },
  });
  expect(await seen()).toEqual(before);

  sandbox.makeRoom();
  expect((await sandbox.control('POST', '/control/clock', move)).status).toBe(200);
});

/** A sandbox with an upload that expires while its disk is full, and a time after that. */
async function untilAfterFullDisk() {
  const sandbox = await onFullDisk();
  const { clock, store } = sandbox.emulator.deps;
  sandbox.makeRoom();
  await sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const [upload] = store.uploads.all();
  const due = Date.parse(upload?.expiresAt ?? '');
  clock.at('full', due - 1000, 'the disk becomes full', sandbox.fill);
  clock.at('room', due + 1000, 'the disk has room again', sandbox.makeRoom);
  const stateNow = () => store.uploads.get(upload?.id ?? '')?.state;
  return { ...sandbox, stateNow, due, after: new Date(due + 2000).toISOString() };
}

test.runIf(process.platform === 'linux')(
  'an advance over a while in which the disk was full says how much could not be stored, and why',
  async () => {
    const { control, stateNow, after } = await untilAfterFullDisk();
    const { status, body } = await control('POST', '/control/clock', { set: after });
    const { firedCount, putOff } = body as ClockChangeView;
    expect({ status, firedCount, putOff }).toEqual({
      status: 200,
      firedCount: 3,
      putOff: { count: 1, time: false, says: expect.stringMatching(/ENOSPC.*Free some disk space/) },
    });
    await expect.poll(stateNow, { timeout: 10_000 }).toBe('expired');
    const later = (await control('POST', '/control/clock', { advance: '1s' })).body as ClockChangeView;
    expect(later.putOff).toBeNull();
  },
);

test.runIf(process.platform === 'linux')(
  'an advance that ends on a full disk says what it did and could not store, and its time is stored as soon as there is room',
  async () => {
    const { control, makeRoom, emulator, after, due } = await untilAfterFullDisk();
    const { clock, store } = emulator.deps;
    clock.cancel('room');
    const { status, body } = await control('POST', '/control/clock', { set: after });
    const { now, firedCount, putOff, rewind } = body as ClockChangeView;
    expect({ status, now, firedCount, putOff, rewind }).toEqual({
      status: 200,
      now: after,
      firedCount: 2,
      putOff: { count: 1, time: true, says: expect.stringMatching(/ENOSPC.*Free some disk space/) },
      rewind: expect.objectContaining({ code: 'clock.set' }),
    });
    expect(store.settings.get('clock')?.value).toMatchObject({ isJumping: true });
    makeRoom();
    await expect.poll(() => store.settings.get('clock')?.value, { timeout: 10_000 }).toEqual(clock.state());
    expect(clock.now()).toBeGreaterThan(due);
  },
);

test.runIf(process.platform === 'linux')(
  'the command that advances over a while in which the disk was full says so, and does not end as a success',
  async () => {
    const { emulator, after } = await untilAfterFullDisk();
    const there = ['--url', emulator.inspectorUrl, '--token', emulator.token];
    const { code, stdout } = await command('advance', '--to', after, ...there);
    expect(stdout).toMatch(/^One of them could not be stored, and is tried again each second\. .*ENOSPC/m);
    expect(code).toBe(1);
  },
);

test.runIf(process.platform === 'linux')('the command says it, too, if the new time could not be stored', async () => {
  const { emulator, after } = await untilAfterFullDisk();
  emulator.deps.clock.cancel('room');
  const there = ['--url', emulator.inspectorUrl, '--token', emulator.token];
  const { code, stdout } = await command('advance', '--to', after, ...there);
  expect(stdout).toMatch(
    /^One of them and the new time could not be stored, and are tried again each second\. .*ENOSPC/m,
  );
  expect(code).toBe(1);
});

test.runIf(process.platform === 'linux')(
  'a time that could not be stored is stored at the end, if the disk has room by then',
  async () => {
    const { emulator, control, close, makeRoom, after } = await untilAfterFullDisk();
    emulator.deps.clock.cancel('room');
    expect((await control('POST', '/control/clock', { set: after })).body).toMatchObject({ putOff: { time: true } });
    makeRoom();
    await close();
    const again = await startSandbox({ dataDir: emulator.dataDir });
    onTestFinished(() => again.close());
    expect((await again.control('GET', '/control/clock')).body).toMatchObject({ now: after });
  },
);

test.runIf(process.platform === 'linux').for([
  ['REST', '/subscriptions', { user: { phone: '+15555550190' }, signUpSourceId: '100001' }],
  [
    'GraphQL',
    '/graphql',
    {
      query:
        'mutation { subscribe(input: { user: { phone: "+15555550190" }, signupSourceId: "100001" }) { __typename } }',
    },
  ],
] as const)(
  'a write by %s that cannot be stored says that the disk is full, and nothing of it is there',
  async ([, path, json]) => {
    const sandbox = await onFullDisk();
    const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
    const answer = await fetch(sandbox.emulator.apiUrl + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    // 507 is not in the platform's contract.
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringMatching(/ENOSPC.*Free some disk space/)]);
    const id = answer.headers.get('x-sandbox-explain')?.split('/').at(-1);
    const { refusal } = (await sandbox.control('GET', `/control/requests/${id}`)).body as RequestView;
    expect(refusal).toMatchObject({ rule: 'store.unsaved', fix: { say: expect.stringContaining('disk space') } });
    expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);

    sandbox.makeRoom();
    const again = await sandbox.call('POST', path, { json });
    expect(again.status).toBeLessThan(300);
    expect(again.text).not.toContain('error');
  },
);
