import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { act, addCodes, everything, freshFolder, opened } from '../support/world.ts';

test('during a reset each key of the demo data is accepted at any time', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const { store } = sandbox.emulator.deps;
  store.transact(() => {
    for (let at = 0; at < 5_000; at++) store.settings.put({ id: `filler ${at}`, value: 'x'.repeat(200) });
  });
  const asking = new AbortController();
  const asked = (async () => {
    const statuses = new Set<number>();
    while (!asking.signal.aborted) statuses.add((await sandbox.call('GET', '/me')).status);
    return [...statuses];
  })();
  for (let round = 0; round < 5; round++) await act(sandbox, 'POST', '/control/reset', { world: 'demo' });
  asking.abort();
  expect(await asked).toEqual([200]);
});

test('requests that come once everything is reset stay recorded', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await sandbox.call('GET', '/me');
  for (let round = 0; round < 5; round++) {
    await act(sandbox, 'POST', '/control/reset', { world: 'demo' });
    const asking = new AbortController();
    const asked = (async () => {
      // In an empty store no key is known.
      let refused = 0;
      while (!asking.signal.aborted) refused += (await sandbox.call('GET', '/me')).status === 401 ? 1 : 0;
      return refused;
    })();
    await act(sandbox, 'POST', '/control/reset', { world: 'empty' });
    asking.abort();
    const answered = await asked;
    const { recorder } = sandbox.emulator;
    await expect.poll(() => recorder.all().filter(({ status }) => status === 401).length).toBe(answered);
  }
});

test.skipIf(process.platform !== 'linux')(
  'a reset that the disk refuses changes nothing, and says what to do',
  async () => {
    const dataDir = freshFolder();
    const sandbox = await opened({ dataDir });
    await addCodes(sandbox, ['A']);
    await sandbox.call('POST', '/subscriptions', { json: { user: { email: 'mine@example.com' } } });
    const before = everything(sandbox);
    const requests = sandbox.emulator.recorder.all().length;
    symlinkSync('/dev/full', join(dataDir, 'state.json.tmp'));
    const { status, body } = await sandbox.control('POST', '/control/reset', { world: 'empty' });
    expect(status).toBe(507);
    expect(JSON.stringify(body)).not.toContain('Internal error');
    expect(JSON.stringify(body)).toContain('nothing was replaced');
    expect(everything(sandbox)).toEqual(before);
    expect(sandbox.emulator.recorder.all()).toHaveLength(requests);
    expect((await act<{ undo: unknown[] }>(sandbox, 'GET', '/control/undo')).undo).toEqual([]);
    expect((await sandbox.call('GET', '/me')).status).toBe(200);
    await act(sandbox, 'POST', '/control/reset', { world: 'empty' });
    expect((await sandbox.call('GET', '/me')).status).toBe(401);
  },
);
