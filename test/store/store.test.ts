import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { SignUpUnit } from '../../emulator/records.ts';
import { openStore, type Change, type Store } from '../../emulator/store/store.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandpiper-store-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const open = (dataDir: string | null, more: object = {}): Promise<Store> =>
  openStore({ dataDir, now: () => 1_795_000_000_000, ...more });

const unit = (id: string, name = id): SignUpUnit => ({
  id,
  companyId: 'c',
  name,
  language: 'en',
  country: 'US',
  type: 'MARKETING',
});
const put = (store: Store, ...ids: readonly string[]) =>
  store.transact(() => ids.map((id) => store.signUpUnits.put(unit(id))));
const ids = (store: Store): readonly string[] => [...store.signUpUnits.all()].map(({ id }) => id);
const files = (path: string): readonly string[] => readdirSync(path).toSorted();

/** Opens a copy of what a kill would leave: the files as they are, without the lock. */
async function afterKill(path: string): Promise<Store> {
  rmSync(join(path, 'lock'), { force: true });
  const store = await open(path);
  // A later kill takes its lock away, too.
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

test('a change is in the journal when the transaction returns, as one line', async () => {
  const path = folder();
  const store = await open(path);
  put(store, 'a', 'b');
  expect(readFileSync(join(path, 'journal-1.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(1);
  expect(ids(await afterKill(path))).toEqual(['a', 'b']);
});

test('a transaction that throws changes nothing: records, order, indexes and numbers are as before', async () => {
  const path = folder();
  const store = await open(path);
  onTestFinished(() => store.close());
  put(store, 'a', 'b', 'c');
  const byName = store.signUpUnits.index('byName', ({ name }) => [name]);
  const before = store.transact(() => store.nextNumber()).result;
  const document = JSON.stringify(store.toDocument());
  expect(() =>
    store.transact(() => {
      store.signUpUnits.delete('a');
      store.signUpUnits.put(unit('b', 'changed'));
      store.signUpUnits.put(unit('d'));
      store.nextNumber();
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(JSON.stringify(store.toDocument())).toBe(document);
  expect(ids(store)).toEqual(['a', 'b', 'c']);
  expect([byName.get('a').length, byName.get('changed').length, byName.get('d').length]).toEqual([1, 0, 0]);
  expect(store.transact(() => store.nextNumber()).result).toBe(before + 1);
});

test('an inner transaction joins the outer one; several changes of a record are reported as one', async () => {
  const store = await open(null);
  const told: (readonly Change[])[] = [];
  store.onCommit((changes) => told.push(changes));
  const { changes } = store.transact(() => {
    store.signUpUnits.put(unit('a', 'first'));
    store.transact(() => store.signUpUnits.put(unit('a', 'second')));
    store.signUpUnits.put(unit('b'));
    store.signUpUnits.delete('b');
  });
  expect(changes).toEqual([{ collection: 'signUpUnits', id: 'a', before: null, after: unit('a', 'second') }]);
  expect(told).toEqual([changes]);
});

test('records change and numbers are issued only inside a transaction, and its work is synchronous', async () => {
  const store = await open(null);
  expect(() => store.signUpUnits.put(unit('a'))).toThrow('inside store.transact');
  expect(() => store.nextNumber()).toThrow('inside store.transact');
  expect(() => store.transact(() => Promise.resolve())).toThrow('synchronous');
  expect(ids(store)).toEqual([]);
});

test('no number is issued twice, even after a delete and a restart', async () => {
  const path = folder();
  const first = await open(path);
  const number = first.transact(() => first.nextNumber()).result;
  await first.close();
  const second = await open(path);
  expect(second.transact(() => second.nextNumber()).result).toBe(number + 1);
  await second.close();
});

test('an incomplete last line is removed, not fatal, and reported', async () => {
  const path = folder();
  const store = await open(path);
  put(store, 'a');
  appendFileSync(join(path, 'journal-1.ndjson'), '{"n":9,"put":{"signUpUn');
  const reopened = await afterKill(path);
  expect(ids(reopened)).toEqual(['a']);
  expect(reopened.notices).toEqual([expect.stringContaining('was incomplete')]);
  put(reopened, 'b');
  expect(ids(await afterKill(path))).toEqual(['a', 'b']);
});

test('with garbage in the middle of a journal the lines before it are used, and the file is renamed', async () => {
  const path = folder();
  const store = await open(path);
  put(store, 'a');
  appendFileSync(join(path, 'journal-1.ndjson'), 'garbage\n');
  put(store, 'b');
  const reopened = await afterKill(path);
  expect(ids(reopened)).toEqual(['a']);
  expect(reopened.notices).toEqual([expect.stringMatching(/Line 2 of journal-1\.ndjson cannot be read/)]);
  expect(files(path).some((name) => name.startsWith('journal-1.corrupt-'))).toBe(true);
});

test.for([
  '',
  '{',
  '\ufeff{}',
  '[]',
  'null',
  '{"format":1}',
  '{"format":1,"sequence":0,"journal":1,"collections":{"pigeons":[]}}',
  '{"format":1,"sequence":0,"journal":1,"collections":{"users":[{}]}}',
  '{"format":1,"sequence":0,"journal":1,"collections":{"users":[{"id":"a"},{"id":"a"}]}}',
])('a state file that contains %j is renamed, and the last good one opened with the journal', async (text) => {
  const path = folder();
  const store = await open(path);
  put(store, 'a');
  await store.snapshot();
  put(store, 'b');
  await store.snapshot();
  put(store, 'c');
  writeFileSync(join(path, 'state.json'), text);
  const reopened = await afterKill(path);
  expect(ids(reopened)).toEqual(['a', 'b', 'c']);
  expect(reopened.notices.join(' ')).toMatch(
    /state\.json could not be read .* kept as state\.corrupt-.* last good copy was opened/,
  );
  const aside = files(path).find((name) => name.startsWith('state.corrupt-'));
  expect(readFileSync(join(path, aside ?? ''), 'utf8')).toBe(text);
});

test('a state of a newer format is refused and not touched', async () => {
  const path = folder();
  const text = '{"format":3,"sequence":0,"journal":1,"collections":{}}';
  writeFileSync(join(path, 'state.json'), text);
  await expect(open(path)).rejects.toMatchObject({
    code: 'newer-format',
    message: expect.stringContaining('format 3'),
  });
  expect(readFileSync(join(path, 'state.json'), 'utf8')).toBe(text);
  expect(existsSync(join(path, 'lock'))).toBe(false);
});

test('a snapshot has one record per line, and journals that are in both copies are removed', async () => {
  const path = folder();
  const store = await open(path, { lookBackBytes: 0 });
  onTestFinished(() => store.close());
  for (const id of ['a', 'b', 'c']) {
    put(store, id);
    await store.snapshot();
  }
  expect(files(path)).toEqual(['journal-3.ndjson', 'lock', 'state.json', 'state.previous.json']);
  expect(readFileSync(join(path, 'state.json'), 'utf8')).toContain(
    `\n${JSON.stringify(unit('a'))},\n${JSON.stringify(unit('b'))}`,
  );
});

test('what is written while a snapshot is saved is in the next journal', async () => {
  const path = folder();
  const store = await open(path);
  store.transact(() => {
    for (let n = 0; n < 5_000; n++) store.signUpUnits.put(unit(`u${n}`));
  });
  const saving = store.snapshot();
  await new Promise((resolve) => setImmediate(resolve));
  put(store, 'late');
  await saving;
  expect(ids(await afterKill(path)).at(-1)).toBe('late');
});

test('a snapshot is taken automatically after a number of lines', async () => {
  const path = folder();
  const store = await open(path, { snapshotAfterLines: 10 });
  // It may still be saving when the folder is removed.
  onTestFinished(() => store.close().catch(() => {}));
  for (let n = 0; n < 25; n++) put(store, `u${n}`);
  while (!existsSync(join(path, 'state.json'))) await new Promise((resolve) => setImmediate(resolve));
  expect(ids(await afterKill(path))).toHaveLength(25);
});

test('a second store on the folder is refused while the first is open; a lock of an ended process is taken over', async () => {
  const path = folder();
  const first = await open(path);
  await expect(open(path)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(`process ${process.pid}`),
  });
  put(first, 'a');
  await first.close();
  writeFileSync(join(path, 'lock'), '99999999');
  const second = await open(path);
  expect(ids(second)).toEqual(['a']);
  await second.close();
});

test('replacing everything is durable, notifies its listeners, and refuses an invalid state', async () => {
  const path = folder();
  const store = await open(path);
  put(store, 'a');
  let replaced = 0;
  store.onReplace(() => (replaced += 1));
  const byName = store.signUpUnits.index('byName', ({ name }) => [name]);
  await store.replace({ format: 2, sequence: 7, collections: { signUpUnits: [unit('x')] } });
  expect([ids(store), replaced, byName.get('a').length, byName.get('x').length]).toEqual([['x'], 1, 0, 1]);
  await expect(store.replace({ format: 2, sequence: 7, collections: { pigeons: [] } } as never)).rejects.toThrow(
    'no collection "pigeons"',
  );
  expect(ids(await afterKill(path))).toEqual(['x']);
});

test('hostile keys of records stay data', async () => {
  const path = folder();
  const store = await open(path);
  store.transact(() =>
    store.signUpUnits.put(
      JSON.parse(
        '{"id":"__proto__","companyId":"c","name":"constructor","language":"en","country":"US","type":"MARKETING","__proto__":{"polluted":true}}',
      ) as SignUpUnit,
    ),
  );
  const reopened = await afterKill(path);
  expect(ids(reopened)).toEqual(['__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('in memory nothing is written, and files are in a folder that is removed with the store', async () => {
  const store = await open(null);
  put(store, 'a');
  store.blobs.append('codes', 'x', 'text');
  const path = store.blobs.path('codes', 'x');
  expect(readFileSync(path, 'utf8')).toBe('text');
  await store.close();
  expect(existsSync(path)).toBe(false);
});

test.for(['../x', 'a/b', '..', '', '.', 'a\0b', 'x'.repeat(201)])('the blob name %j leads nowhere', async (name) => {
  const store = await open(null);
  onTestFinished(() => store.close());
  expect(() => store.blobs.path('codes', name)).toThrow('not a name for a blob');
  expect(() => store.blobs.path(name, 'x')).toThrow('not a name for a blob');
});

test('leftovers of an upload that was interrupted by a kill are removed at the next start', async () => {
  const path = folder();
  const store = await open(path);
  const temporary = store.blobs.createTemp('uploads');
  writeFileSync(temporary, 'half');
  await afterKill(path);
  expect(existsSync(temporary)).toBe(false);
});

test('files are readable only by their user', async () => {
  const path = join(folder(), 'data');
  const store = await open(path);
  put(store, 'a');
  store.blobs.append('codes', 'x', 'text');
  await store.close();
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, 'state.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, 'blobs', 'codes', 'x')).mode & 0o777).toBe(0o600);
});

test('any transactions, some of which throw, lead to the same state and the same index after a kill or a restart', async () => {
  const act = fc.oneof(
    fc.record({
      kind: fc.constant('put' as const),
      id: fc.integer({ min: 0, max: 9 }),
      name: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({ kind: fc.constant('delete' as const), id: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ kind: fc.constant('number' as const) }),
  );
  const transaction = fc.record({
    acts: fc.array(act, { maxLength: 6 }),
    throws: fc.boolean(),
    next: fc.constantFrom('go on', 'kill', 'restart', 'snapshot'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { maxLength: 12 }), async (transactions) => {
      const path = mkdtempSync(join(tmpdir(), 'sandpiper-store-'));
      let store = await open(path);
      try {
        for (const { acts, throws, next } of transactions) {
          const run = () =>
            store.transact(() => {
              for (const one of acts) {
                if (one.kind === 'put') store.signUpUnits.put(unit(`u${one.id}`, `n${one.name}`));
                else if (one.kind === 'delete') store.signUpUnits.delete(`u${one.id}`);
                else store.nextNumber();
              }
              if (throws) throw new Error('no');
            });
          if (throws) expect(run).toThrow('no');
          else run();
          const looks = (one: Store) => {
            const byName = one.signUpUnits.index('byName', ({ name }) => [name]);
            return JSON.stringify([one.toDocument(), [0, 1, 2, 3].map((n) => byName.get(`n${n}`))]);
          };
          const before = looks(store);
          if (next === 'snapshot') await store.snapshot();
          if (next === 'restart') await store.close();
          if (next === 'kill') rmSync(join(path, 'lock'));
          if (next === 'restart' || next === 'kill') store = await open(path);
          expect(looks(store)).toBe(before);
        }
      } finally {
        await store.close();
        rmSync(path, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
});
