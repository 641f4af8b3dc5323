import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBodyReader } from '../../emulator/http/body/body.ts';
import { Incoming } from '../../emulator/http/body/incoming.ts';
import { saveWorld } from '../../emulator/declared-world/save.ts';
import { createUsers } from '../../emulator/people/users.ts';
import { createClock } from '../../emulator/time/clock.ts';
import type { StateDocument, Store } from '../../emulator/store/store.ts';
import { emptyDocument, openStore } from '../../emulator/store/store.ts';
import { withMaskedSecrets, withNewSecrets } from '../../emulator/world/secrets.ts';

const many = 20_000;

/** How often the event loop gets a turn while work runs that waits for nothing else. */
async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work();
  clearImmediate(next);
  return turns;
}

async function inMemory(): Promise<Store> {
  return openStore({ dataDir: null, now: () => 0 });
}

function large(): StateDocument {
  const settings = Array.from({ length: many }, (_one, n) => ({ id: `setting-${n}`, value: n }));
  return { ...emptyDocument(), collections: { settings } as StateDocument['collections'] };
}

test('a large state is checked in slices before it takes its place', async () => {
  const store = await inMemory();
  // Once through the records to check them, once to find the greatest number, once to index them.
  expect(await turnsDuring(() => store.replace(large()))).toBeGreaterThanOrEqual((3 * many) / 1_000 - 5);
  expect(store.settings.size).toBe(many);
});

test('the secrets of a large state are masked, and replaced, in slices', async () => {
  const store = await inMemory();
  const { collections } = large();
  const { definitions } = store;
  expect(await turnsDuring(() => withMaskedSecrets(definitions, collections))).toBeGreaterThanOrEqual(many / 1_000 - 2);
  expect(await turnsDuring(() => withNewSecrets(definitions, collections, () => undefined))).toBeGreaterThanOrEqual(
    many / 1_000 - 2,
  );
});

test('between the copies of the parts of a large body the event loop gets turns', async () => {
  const clock = createClock();
  onTestFinished(() => clock.close());
  const readBody = createBodyReader(clock);
  const sent = Buffer.alloc(24 * 1024 * 1024, 'sand');
  let [turns, turnsAtEnd, isWhole] = [0, 0, false];
  const receive = async (request: Incoming): Promise<void> => {
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (chunk === null) turnsAtEnd = turns;
      return push(chunk, encoding);
    };
    const bytes = await readBody(request, sent.length, () => {});
    turnsAtEnd = turns - turnsAtEnd;
    isWhole = bytes.equals(sent);
  };
  const server = createServer({ IncomingMessage: Incoming }, async (request: Incoming, response) => {
    await receive(request);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method: 'POST', body: sent });
  clearImmediate(next);
  expect(isWhole).toBe(true);
  expect(turnsAtEnd).toBeGreaterThanOrEqual(5);
});

test('a world with many subscribers is saved in slices', async () => {
  const { clock, faults, store } = await peopleInMemory(3_000);
  const catalog = { products: async () => ({ count: () => 0 }) };
  let count = 0;
  const turns = await turnsDuring(async () => {
    const { world } = await saveWorld({ store, clock, pace: 'instant', faults, catalog });
    count = world.subscribers?.length ?? 0;
  });
  expect(count).toBe(3_000);
  expect(turns).toBeGreaterThanOrEqual(6);
});

test('a saved world says how many saved products it leaves out', async () => {
  const { clock, faults, store } = await peopleInMemory(1);
  store.transact(() => {
    for (const id of ['a', 'b']) store.companies.put({ id, name: id, domain: `${id}.example`, contactEmail: '' });
  });
  const catalog = { products: async (id: string) => ({ count: () => (id === 'a' ? 3 : 0) }) };
  const { leftOut } = await saveWorld({ store, clock, pace: 'instant', faults, catalog });
  expect(leftOut).toContain('3 saved products of catalogs');
});

async function peopleInMemory(wanted: number) {
  const clock = createClock();
  onTestFinished(() => clock.close());
  const store = await inMemory();
  const from = { by: 'demo', what: 'a test', requestId: null } as const;
  const users = createUsers(store);
  store.transact(() => {
    for (let n = 0; n < wanted; n++) users.findOrMake('company', {}, { at: '2026-11-20T00:00:00.000Z', from });
  });
  return { clock, faults: [], store };
}
