import { expect, test } from 'vitest';
import { createRandom } from '../../emulator/random.ts';
import { freshFolder, opened } from '../support/world.ts';
import { toRequest, toTargets } from './fuzz.ts';
import { createInputs } from './inputs.ts';
import { send } from './send.ts';
import { readAll, readView } from './views.ts';

const ids = ['client-keys', 'webhooks', 'sign-up-units', 'attributes', 'records/offers', 'records/uploads'];
/** Edits are kept in memory, so that after a restart nothing can be undone and no entry names its edit. */
const leftOut = new Set(['moves', 'edit']);

test('whatever was done, after a restart and one more every view says what it said before', async () => {
  const dataDir = freshFolder();
  const inputs = createInputs(createRandom(6));
  let sandbox = await opened({ dataDir, pace: 'realistic' });
  const control = (path: string, json: object) =>
    send(sandbox.emulator, { method: 'POST', path: `/control/${path}`, json });
  const all = async (): Promise<ReadonlyMap<string, string>> => {
    await sandbox.emulator.recorder.loaded;
    await sandbox.emulator.deps.deliveries.settled();
    const requests = sandbox.emulator.recorder.all().flatMap(({ id }) => [`requests/${id}`, `requests/${id}/chain`]);
    return readAll(sandbox.emulator, { others: ['timeline?limit=500', 'snapshots', ...requests], leftOut });
  };
  const byHand: readonly (() => Promise<unknown>)[] = [
    () => control('clock', { advance: inputs.pick(['1m', '3h', '2d']) }),
    () => control('clock', { rewind: true }),
    () => control('undo', {}),
    () => control('redo', {}),
    () => control('snapshots', { name: 'saved', overwrite: true }),
    () => control('snapshots/saved/restore', { mode: inputs.pick(['replace', 'merge']) }),
    () => control('messages', { subscriber: { phone: '+15555550100' }, channel: 'TEXT', text: 'Sale' }),
    () => control('webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['sms.subscribed', 'sms.sent'] }),
    () => send(sandbox.emulator, { method: 'DELETE', path: '/control/requests' }),
  ];
  // Not by hand, so that no undo takes it back.
  sandbox.emulator.deps.clock.freeze(true);
  for (const path of ids) inputs.remember(await readView(sandbox.emulator, path), path.split('/').at(-1));
  const targets = toTargets(sandbox.emulator).filter(
    ({ method, path }) => method !== 'GET' && !path.startsWith('/control/'),
  );
  for (let act = 1; act <= 60; act += 1) {
    if (act % 3 === 0) await inputs.pick(byHand)();
    else inputs.remember((await send(sandbox.emulator, toRequest(inputs.pick(targets), inputs))).body);
    if (act % 20 > 0) continue;
    for (let restart = 1; restart <= 2; restart += 1) {
      const before = await all();
      await sandbox.close();
      sandbox = await opened({ dataDir, pace: 'realistic' });
      expect(await all()).toEqual(before);
    }
  }
});
