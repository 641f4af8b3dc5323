/** What a kill in the middle of a jump of time leaves. */
import { expect, onTestFinished, test } from 'vitest';
import type { ClockView } from '../../emulator/control/calls.ts';
import { copyAsKilled, open } from '../store/support.ts';
import { callAt, failingReceiver } from '../support/look-back.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened } from '../support/world.ts';

const day = 86_400_000;

/** An emulator with a delivery that is tried again for three days. */
async function withRetries(): Promise<Sandbox> {
  const sandbox = await opened({ dataDir: freshFolder() });
  const url = await failingReceiver();
  await act(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: '+15555550199' }, signUpSourceId: '100001' } });
  await sandbox.emulator.deps.deliveries.settled();
  return sandbox;
}

/** Advances by 90 days; returns what a kill leaves that comes with the first change after a day, and when that is. */
async function killInJump({ emulator, control }: Sandbox): Promise<{ readonly folder: string; readonly at: number }> {
  const { store, clock } = emulator.deps;
  const end = clock.now() + day;
  const killed: { readonly folder: string; readonly at: number }[] = [];
  const stop = store.onCommit(() => {
    if (killed.length === 0 && clock.now() > end)
      killed.push({ folder: copyAsKilled(store.dataDir ?? ''), at: clock.now() });
  });
  onTestFinished(stop);
  await control('POST', '/control/clock', { advance: '90d' });
  const [first] = killed;
  if (!first) throw new Error('Nothing was written after a day.');
  return first;
}

test.for([true, false])(
  'after a kill in the middle of a jump, time goes on from the newest change, not from before it (frozen: %s)',
  async (frozen) => {
    const sandbox = await withRetries();
    await act(sandbox, 'POST', '/control/clock', { freeze: frozen });
    const { folder, at } = await killInJump(sandbox);

    const notices: string[] = [];
    const again = await startSandbox({ dataDir: folder, onNotice: (text) => notices.push(text) });
    onTestFinished(() => again.close());
    const { now, frozenAt } = await act<ClockView>(again, 'GET', '/control/clock');
    expect(Date.parse(now)).toBeGreaterThanOrEqual(at);
    expect(Date.parse(now)).toBeLessThan(at + day);
    expect(frozenAt).toBe(frozen ? new Date(at).toISOString() : null);
    expect(notices).toEqual([expect.stringContaining(`Time goes on from the last change`)]);
  },
);

test('a kill before a jump changes anything leaves the clock as it was, and no mark of the jump', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const { store } = sandbox.emulator.deps;
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const killed: string[] = [];
  const { frozenAt } = sandbox.emulator.deps.clock.state();
  onTestFinished(
    store.onCommit(() => {
      if (killed.length === 0) killed.push(copyAsKilled(store.dataDir ?? ''));
    }),
  );
  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  const [dataDir = ''] = killed;
  const left = await open(copyAsKilled(dataDir));
  expect(left.settings.get('clock')?.value).toMatchObject({ isJumping: true });
  const notices: string[] = [];
  const again = await opened({ dataDir, onNotice: (text) => notices.push(text) });
  const { value } = again.emulator.deps.store.settings.get('clock') ?? {};
  expect(value).not.toHaveProperty('isJumping');
  expect(value).toMatchObject({ frozenAt });
  expect(notices).toEqual([]);
});

test('what was before a killed jump can be looked back at as it was', async () => {
  const sandbox = await withRetries();
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const before = { at: sandbox.emulator.deps.clock.now(), answer: await sandbox.control('GET', '/control/deliveries') };
  const { folder } = await killInJump(sandbox);
  const again = await opened({ dataDir: folder });
  const earlier = await callAt(again.emulator, '/control/deliveries', new Date(before.at).toISOString());
  expect(earlier).toEqual(before.answer);
  expect(await again.control('GET', '/control/deliveries')).not.toEqual(before.answer);
});

test('a clock that was set back before a kill stays there', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const { clock, store } = sandbox.emulator.deps;
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const { now } = await act<ClockView>(sandbox, 'POST', '/control/clock', { set: '2026-03-01T12:00:00.000Z' });
  expect(clock.now()).toBe(Date.parse(now));
  const again = await opened({ dataDir: copyAsKilled(store.dataDir ?? '') });
  expect(await act(again, 'GET', '/control/clock')).toMatchObject({ now });
});
