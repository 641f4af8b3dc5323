import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { App } from '../../emulator/records.ts';
import type { Store } from '../../emulator/store/store.ts';
import { newFolder, now, open, openAsKilled } from './support.ts';

const app = (id: string, scopes: readonly string[]): App => ({
  id,
  companyId: 'c1',
  kind: 'private',
  name: 'Nest',
  scopes,
  redirectUris: [],
  clientId: null,
  clientSecret: null,
});
const scopesOf = (store: Store, id: string): readonly string[] => store.apps.get(id)?.scopes ?? [];
const long = (count: number): string[] => Array.from({ length: count }, (_, at) => `scope ${at} ${'.'.repeat(1_000)}`);

test('a record whose list got one more item is written with that item, not with the whole list', async () => {
  const folder = newFolder();
  const store = await open(folder);
  store.transact(() => store.apps.put(app('a', long(20))));
  store.transact(() => store.apps.put(app('a', [...scopesOf(store, 'a'), 'one more'])));
  const [, last = ''] = readFileSync(join(folder, 'journal-1.ndjson'), 'utf8').split('\n');
  expect(last.length).toBeLessThan(500);
  const killed = await openAsKilled(folder);
  expect(scopesOf(killed, 'a')).toEqual([...long(20), 'one more']);
});

test('lists that grow, shrink and are replaced are the same after a kill, a save and a look back', async () => {
  const act = fc.record({
    does: fc.constantFrom('add', 'drop', 'shift', 'replace', 'delete', 'delete and put', 'undo'),
    id: fc.constantFrom('a', 'b'),
    next: fc.constantFrom('go on', 'go on', 'kill', 'save'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 24 }), async (acts) => {
      let time = now();
      const folder = newFolder();
      const options = { now: () => time };
      let store = await open(folder, options);
      const seen: { readonly at: number; readonly apps: readonly App[] }[] = [];
      for (const { does, id, next } of acts) {
        const scopes = scopesOf(store, id);
        const { changes } = store.transact(() => {
          if (does.startsWith('delete')) store.apps.delete(id);
          if (does === 'delete') return;
          if (does === 'add') store.apps.put(app(id, [...scopes, 'w', 'x', 'y', `z${scopes.length}`]));
          else if (does === 'drop') store.apps.put(app(id, scopes.slice(0, -2)));
          else if (does === 'shift') store.apps.put(app(id, scopes.slice(1)));
          else store.apps.put(app(id, does === 'replace' ? scopes.toReversed() : [...scopes, 'again']));
        });
        const [{ before } = { before: null }] = changes;
        if (does === 'undo' && before) store.transact(() => store.apps.put(before as App));
        seen.push({ at: time, apps: [...store.apps.all()] });
        if (next === 'save') await store.snapshot();
        if (next === 'kill') store = await openAsKilled(store.dataDir ?? '', options);
        expect([...store.apps.all()]).toEqual(seen.at(-1)?.apps);
        time += 1_000;
      }
      for (const { at, apps } of seen) {
        const records = (await store.past.at(at))?.records.apps ?? [];
        expect(records.toSorted(byId)).toEqual(apps.toSorted(byId));
      }
    }),
    { numRuns: 40 },
  );
});

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1);
