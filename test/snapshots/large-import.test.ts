import { expect, test } from 'vitest';
import type { User } from '../../emulator/records.ts';
import { toSnapshot, type Snapshot } from '../../emulator/world/format.ts';
import { readSavedLines, writeSavedLines } from '../../emulator/features/catalog/saved/transfer.ts';
import { longestShare } from '../support/turns.ts';
import { act, freshFolder, opened, upload } from '../support/world.ts';

const wanted = 8 * 1024 * 1024;

/** A snapshot of so many bytes: many people with unlike ids and addresses. */
function enlarged(file: Snapshot): Buffer {
  const users = (file.collections.users ?? []) as readonly User[];
  const [one] = users;
  if (!one) throw new Error('The snapshot has no person.');
  const text = JSON.stringify(one);
  const more = Array.from({ length: Math.ceil(wanted / text.length) }, (_one, n): User => ({
    ...one,
    id: `${one.id}${n}`,
    externalId: 90_000_000 + n,
    addresses: one.addresses.map((address) => ({
      ...address,
      value: address.channel === 'TEXT' ? `+1${2_000_000_000 + n}` : `person${n}@example.com`,
    })),
  }));
  return Buffer.from(JSON.stringify({ ...file, collections: { ...file.collections, users: [...users, ...more] } }));
}

test('while a large state is imported, kept, restored and exported other requests get their turn: no step takes long', async () => {
  const sandbox = await opened({ dataDir: freshFolder() });
  const { inspectorUrl, token, deps } = sandbox.emulator;
  const body = enlarged(await act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true'));
  const send = async (method: string, path: string, sent?: string | Buffer): Promise<void> => {
    const answer = await fetch(`${inspectorUrl}/control/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(sent === undefined ? {} : { body: sent as Uint8Array<ArrayBuffer> | string }),
    });
    expect(answer.ok, path).toBe(true);
    for await (const _ of answer.body ?? []);
  };
  let saved = 0;
  const shares = [
    await longestShare(0.3, () => send('POST', 'import', body)),
    await longestShare(0.3, () => send('POST', 'snapshots', `{"name":"large-${++saved}"}`)),
    await longestShare(0.3, () => send('POST', 'snapshots/large-1/restore', '{}')),
    await longestShare(0.3, () => send('GET', 'export')),
  ];
  expect(deps.store.users.size).toBeGreaterThan(10_000);
  expect(Math.max(...shares), shares.join(', ')).toBeLessThan(0.3);
});

test('while a file with many uploads is checked other requests get their turn', async () => {
  const sandbox = await opened();
  await upload(sandbox, ['a']);
  const file = await act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true');
  const [one] = file.collections.uploads ?? [];
  const ids = Array.from({ length: 5_000 }, (_one, n) => `upload-${n}`);
  const many = {
    ...file,
    collections: { ...file.collections, uploads: ids.map((id) => ({ ...one, id })) },
    files: ids.map((id) => ({ kind: 'uploads', id, lines: [] })),
  };
  const { store } = sandbox.emulator.deps;
  let checked: Snapshot | null = null;
  const share = await longestShare(0.3, async () => (checked = await toSnapshot(many, store.definitions)));
  expect(checked).toMatchObject({ files: { length: ids.length } });
  expect(share).toBeLessThan(0.3);
});

test('the lines of a large saved catalog are read in slices', async () => {
  const dir = freshFolder();
  const lines = Array.from({ length: 20_000 }, (_line, n) =>
    JSON.stringify({ id: `p${n}`, name: `Product ${n}`, link: 'https://shop.example', variants: [{ id: `v${n}` }] }),
  );
  await writeSavedLines(dir, lines);
  let read: readonly string[] | null = null;
  const share = await longestShare(0.5, async () => (read = await readSavedLines(dir)));
  expect(read).toEqual([...lines, '']);
  expect(share).toBeLessThan(0.5);
});
