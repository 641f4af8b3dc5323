import { expect, test } from 'vitest';
import { createRandom } from '../../emulator/random.ts';
import { useSandbox } from '../support/sandbox.ts';
import { toRequest, toTargets } from './fuzz.ts';
import { createInputs } from './inputs.ts';
import { send } from './send.ts';

const sandbox = useSandbox({ pace: 'realistic' });

/** What a view says that depends on when it is read, or on what can be done by hand. */
const leftOut = new Set(['moves']);
const ids = ['client-keys', 'webhooks', 'sign-up-units', 'attributes', 'records/offers', 'records/uploads'];
const lists = ['attributes', 'deliveries?limit=1000', 'messages?limit=1000', 'sign-up-units', 'webhooks'];
const kinds = ['subscriptions', 'events', 'attribute-values', 'uploads', 'offers', 'privacy-requests'];

const get = async (path: string): Promise<unknown> =>
  (await send(sandbox.emulator, { method: 'GET', path: `/control/${path}` })).body;

/** What the views say of everything: lists, records, and each person with all that happened to them. */
async function readAll(): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>();
  const read = async (path: string): Promise<unknown> => {
    const body = await get(path);
    said.set(
      path,
      JSON.stringify(body, (key, value: unknown) => (leftOut.has(key) ? undefined : value)),
    );
    return body;
  };
  for (const path of lists) await read(path);
  for (const kind of kinds) await read(`records/${kind}?limit=1000`);
  const { records } = (await read('records/users')) as { readonly records: readonly { readonly id: string }[] };
  for (const { id } of records) {
    await read(`people/${id}`);
    await read(`people/${id}/history`);
  }
  return said;
}

test('whatever was done since, after going back and on in other ways every view says what it said then', async () => {
  const inputs = createInputs(createRandom(6));
  const control = (path: string, json: object) =>
    send(sandbox.emulator, { method: 'POST', path: `/control/${path}`, json });
  for (const path of ids) inputs.remember(await get(path), path.split('/').at(-1));
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
    const { now } = (await get('clock')) as { readonly now: string };
    seen.push({ at: now, said: await readAll() });
    await control('clock', { advance: '1d' });
    // Now and then the acts that follow begin at an earlier moment, so that they give its ids to other records.
    const earlier = inputs.pick(seen);
    if (act % 20 > 0) continue;
    expect((await control('timeline/back', { at: earlier.at })).status).toBe(200);
    expect(await readAll()).toEqual(earlier.said);
    await control('clock', { advance: '1h' });
  }
});
