import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Sandbox } from '../support/sandbox.ts';
import { freshFolder, opened } from '../support/world.ts';

const save = ({ control }: Sandbox, name: string) => control('POST', '/control/snapshots', { name });
const remove = ({ control }: Sandbox, name: string) => control('DELETE', `/control/snapshots/${name}`);

/** Files are opened by a few threads: as long as these are busy, each file that is read waits. */
const keepBusy = () => Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 60_000, 64, 'sha512')));

test('a list of snapshots leaves out the one that is deleted while it is made', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  for (const name of ['first', 'second']) await save(sandbox, name);
  const list = () => sandbox.control('GET', '/control/snapshots');
  const [, listed] = await Promise.all([keepBusy(), list(), remove(sandbox, 'first')]);
  expect(listed).toMatchObject({ status: 200, body: { snapshots: [{ name: 'second' }] } });
});

test('a snapshot that is deleted while it is read for a restore is not found', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  await save(sandbox, 'first');
  const restore = () => sandbox.control('POST', '/control/snapshots/first/restore');
  const [, restored] = await Promise.all([keepBusy(), restore(), remove(sandbox, 'first')]);
  expect(restored).toMatchObject({ status: 404, body: { message: expect.stringContaining('first') } });
});

test('a snapshot that is deleted as soon as it is there was saved', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  for (let round = 0; round < 4; round += 1) {
    const saving = { isOver: false };
    const removeUntilSaved = async (): Promise<void> => {
      while (!saving.isOver) await remove(sandbox, 'short');
    };
    const [saved] = await Promise.all([
      save(sandbox, 'short').finally(() => (saving.isOver = true)),
      removeUntilSaved(),
    ]);
    expect(saved).toMatchObject({ status: 201, body: { name: 'short', bytes: expect.any(Number) } });
    await remove(sandbox, 'short');
  }
});
