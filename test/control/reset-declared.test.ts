import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened } from '../support/world.ts';

test('a reset to a declared world that has mistakes by now is refused with each of them, and changes nothing', async () => {
  const world = join(freshFolder(), 'world.yaml');
  writeFileSync(world, 'companies:\n  - name: Shop\n');
  const sandbox = await startSandbox({ world });
  onTestFinished(() => sandbox.close());
  writeFileSync(world, 'companies:\n  - name: Shop\n    nmae: Other\n');
  const { store } = sandbox.emulator.deps;
  const before = JSON.stringify(store.toDocument());
  expect(await sandbox.control('POST', '/control/reset', { world: 'start' })).toMatchObject({
    status: 400,
    body: {
      message: expect.stringMatching(/world\.yaml:3: .*"nmae"/),
      refusal: {
        rule: 'world.declared',
        place: { in: 'body', at: '/world' },
        facts: { problems: [{ line: 3, field: 'companies[0].nmae' }] },
      },
    },
  });
  expect(JSON.stringify(store.toDocument())).toBe(before);
});

test.for([
  ['a pace that the declared world says comes back with', 'manual', 'manual'],
  ['a pace that was set by hand stays after', undefined, 'realistic'],
] as const)('%s a reset to it', async ([, declared, expected]) => {
  const sandbox = await opened({
    world: { companies: [{ name: 'Shop' }], ...(declared && { clock: { pace: declared } }) },
  });
  await act(sandbox, 'POST', '/control/pace', { pace: 'realistic' });
  await act(sandbox, 'POST', '/control/reset', { world: 'start' });
  expect(await act(sandbox, 'GET', '/control/clock')).toMatchObject({ pace: expected });
});
