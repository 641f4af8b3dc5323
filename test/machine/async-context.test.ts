import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAsyncContext } from '../../emulator/world/async-context.ts';

test('calls that run at the same time read their own values, and a call in a call its own', async () => {
  const context = createAsyncContext<string>();
  const read = async (): Promise<readonly unknown[]> => {
    const first = context.current();
    await setImmediate();
    const inner = await context.run(`in ${String(first)}`, async () => context.current());
    return [first, inner, context.current()];
  };
  const all = await Promise.all([context.run('one', read), context.run('two', read), read()]);
  expect(all).toEqual([
    ['one', 'in one', 'one'],
    ['two', 'in two', 'two'],
    [undefined, 'in undefined', undefined],
  ]);
});

// Later versions need no switching off, and what is left running may keep the value.
test.runIf(Number.parseInt(process.versions.node) < 24)(
  'what a call leaves running when it fails does not keep the context switched on',
  async () => {
    const context = createAsyncContext<string>();
    let seen: Promise<unknown> = Promise.resolve('never asked');
    const left = new Promise<void>((goOn) => {
      void context
        .run('call', async () => {
          seen = setImmediate()
            .then(() => setImmediate())
            .then(() => context.current());
          throw new Error('failed');
        })
        .catch(() => goOn());
    });
    await left;
    expect(await seen).toBeUndefined();
  },
);
