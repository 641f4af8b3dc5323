import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Setting } from '../../emulator/records.ts';
import { openStore, type Store } from '../../emulator/store/store.ts';
import { now, setting } from './support.ts';

type Step =
  | { readonly kind: 'put'; readonly id: string; readonly value: string }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'number' }
  | { readonly kind: 'nested'; readonly throws: boolean; readonly steps: readonly Step[] };

type Act =
  | { readonly kind: 'transact'; readonly throws: boolean; readonly steps: readonly Step[] }
  | { readonly kind: 'snapshot' | 'restart' | 'kill' }
  | { readonly kind: 'replace'; readonly records: readonly Setting[] };

/** A simple model of a store: a map that is copied before each transaction. */
interface Model {
  records: Map<string, Setting>;
  sequence: number;
}

const ids = ['a', 'b', 'c', 'd', '__proto__'];
const words = ['red', 'blue', 'red blue'];
const id = fc.constantFrom(...ids);
const value = fc.constantFrom(...words);
const { steps } = fc.letrec<{ step: Step; steps: readonly Step[] }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 6 }),
  step: fc.oneof(
    { maxDepth: 2 },
    fc.record({ kind: fc.constant('put' as const), id, value }),
    fc.record({ kind: fc.constant('delete' as const), id }),
    fc.record({ kind: fc.constant('number' as const) }),
    fc.record({ kind: fc.constant('nested' as const), throws: fc.boolean(), steps: tie('steps') }),
  ),
}));
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('transact' as const), throws: fc.boolean(), steps }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('snapshot' as const, 'restart' as const, 'kill' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      records: fc.uniqueArray(fc.record({ id, value }), { selector: (record) => record.id }),
    }),
  },
);

function inModel(model: Model, throws: boolean, of: readonly Step[]): void {
  const before = { records: new Map(model.records), sequence: model.sequence };
  for (const step of of) {
    if (step.kind === 'put') model.records.set(step.id, setting(step.id, step.value));
    else if (step.kind === 'delete') model.records.delete(step.id);
    else if (step.kind === 'number') model.sequence += 1;
    else inModel(model, step.throws, step.steps);
  }
  if (throws) Object.assign(model, before);
}

function inStore(store: Store, throws: boolean, of: readonly Step[]): void {
  const work = () =>
    store.transact(() => {
      for (const step of of) {
        if (step.kind === 'put') store.settings.put(setting(step.id, step.value));
        else if (step.kind === 'delete') store.settings.delete(step.id);
        else if (step.kind === 'number') store.nextNumber();
        else inStore(store, step.throws, step.steps);
      }
      if (throws) throw new Error('no');
    });
  if (throws) expect(work).toThrow('no');
  else work();
}

const wordsOf = (record: Setting): readonly string[] => String(record.value).split(' ');

function compare(store: Store, model: Model): void {
  const records = [...model.records.values()];
  expect(store.toDocument()).toMatchObject({ sequence: model.sequence, collections: { settings: records } });
  const index = store.settings.index('words', wordsOf);
  for (const word of ['red', 'blue', 'green'])
    expect(index.get(word)).toEqual(records.filter((record) => wordsOf(record).includes(word)));
  for (const one of ids) expect(store.settings.get(one)).toEqual(model.records.get(one));
  expect(store.settings.size).toBe(records.length);
}

test('after any operations in any order, the store has the same content as a plain map, even when opened again', async () => {
  const folders = mkdtempSync(join(tmpdir(), 'sandpiper-store-'));
  const left: Store[] = [];
  let folder = '';
  const open = (): Promise<Store> => openStore({ dataDir: folder, now });
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        folder = mkdtempSync(join(folders, 'run-'));
        const model: Model = { records: new Map(), sequence: 0 };
        let store = await open();
        for (const one of acts) {
          if (one.kind === 'transact') {
            inModel(model, one.throws, one.steps);
            inStore(store, one.throws, one.steps);
          } else if (one.kind === 'snapshot') await store.snapshot();
          else if (one.kind === 'replace') {
            const { records } = one;
            Object.assign(model, { records: new Map(records.map((record) => [record.id, record])), sequence: 3 });
            await store.replace({ format: 2, sequence: 3, collections: { settings: records } });
          } else {
            if (one.kind === 'restart') await store.close();
            else {
              // The files as they are now, without a last save; the old store stays open until the end.
              left.push(store);
              const copy = mkdtempSync(join(folders, 'run-'));
              cpSync(folder, copy, { recursive: true });
              rmSync(join(copy, 'lock'));
              folder = copy;
            }
            store = await open();
          }
          compare(store, model);
        }
        await store.close();
        store = await open();
        compare(store, model);
        expect(store.notices).toEqual([]);
        await store.close();
      }),
      { numRuns: 80 },
    );
  } finally {
    for (const store of left) await store.close();
    rmSync(folders, { recursive: true, force: true });
  }
});
