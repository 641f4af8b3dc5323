import { expect, test } from 'vitest';
import type { User } from '../../emulator/records.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { act, opened } from '../support/world.ts';

const wanted = 16 * 1024 * 1024;

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

test('while a large state is imported other requests get their turn: no step of it takes long', async () => {
  const sandbox = await opened();
  const { inspectorUrl, token, deps } = sandbox.emulator;
  const body = enlarged(await act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true'));
  const steps: number[] = [];
  let before = process.cpuUsage();
  // Processor time, not real time: other programs on a busy machine do not count.
  const step = (): void => {
    const { user, system } = process.cpuUsage(before);
    steps.push(user + system);
    before = process.cpuUsage();
    next = setImmediate(step);
  };
  let next = setImmediate(step);
  const answer = await fetch(`${inspectorUrl}/control/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body as Uint8Array<ArrayBuffer>,
  });
  clearImmediate(next);
  expect([answer.status, await answer.json()]).toMatchObject([200, { mode: 'replace' }]);
  expect(deps.store.users.size).toBeGreaterThan(20_000);
  const share = Math.max(...steps) / steps.reduce((sum, one) => sum + one, 0);
  expect(share).toBeLessThan(0.3);
});
