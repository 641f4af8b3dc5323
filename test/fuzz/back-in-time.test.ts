import { expect, test } from 'vitest';
import { createRandom } from '../../emulator/random.ts';
import { useSandbox } from '../support/sandbox.ts';
import { toRequest, toTargets } from './fuzz.ts';
import { createInputs } from './inputs.ts';
import { send } from './send.ts';
import { readAll, readView } from './views.ts';

const sandbox = useSandbox({ pace: 'realistic' });

/** What a view says that depends on when it is read, or on what can be done by hand. */
const leftOut = new Set(['moves']);
const ids = ['client-keys', 'webhooks', 'sign-up-units', 'attributes', 'records/offers', 'records/uploads'];

test('whatever was done since, after going back and on in other ways every view says what it said then', async () => {
  const inputs = createInputs(createRandom(6));
  const control = (path: string, json: object) =>
    send(sandbox.emulator, { method: 'POST', path: `/control/${path}`, json });
  const all = () => readAll(sandbox.emulator, { leftOut });
  for (const path of ids) inputs.remember(await readView(sandbox.emulator, path), path.split('/').at(-1));
  const targets = toTargets(sandbox.emulator).filter(
    ({ method, path }) => method !== 'GET' && !path.startsWith('/control/'),
  );
  await control('clock', { freeze: true });
  const seen: { readonly at: string; readonly said: ReadonlyMap<string, string> }[] = [];
  for (let act = 1; act <= 60; act += 1) {
    const { body, status } = await send(sandbox.emulator, toRequest(inputs.pick(targets), inputs));
    if (status < 400) inputs.remember(body);
    if (act % 10 > 0) continue;
    await sandbox.emulator.deps.deliveries.settled();
    const { now } = (await readView(sandbox.emulator, 'clock')) as { readonly now: string };
    seen.push({ at: now, said: await all() });
    await control('clock', { advance: '1d' });
    // Now and then the acts that follow begin at an earlier moment, so that they give its ids to other records.
    const earlier = inputs.pick(seen);
    if (act % 20 > 0) continue;
    expect((await control('timeline/back', { at: earlier.at })).status).toBe(200);
    expect(await all()).toEqual(earlier.said);
    await control('clock', { advance: '1h' });
  }
});
