import { expect, test } from 'vitest';
import type { FoundView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

async function search(q: string): Promise<readonly FoundView[]> {
  const [company] = sandbox.emulator.deps.store.companies.all();
  const answer = await sandbox.control(
    'GET',
    `/control/companies/${company?.id}/search?${new URLSearchParams({ q }).toString()}`,
  );
  return (answer.body as { found: readonly FoundView[] }).found;
}

test('records are found by their name, their id and further marks, in any case', async () => {
  const [offer] = sandbox.emulator.deps.store.offers.all();
  const [user] = sandbox.emulator.deps.store.users.all();
  expect((await search((offer?.name ?? '').toUpperCase())).map(({ kind, id }) => [kind, id])).toContainEqual([
    'offers',
    offer?.id,
  ]);
  const phone = user?.addresses[0]?.value ?? '';
  expect((await search(phone)).map(({ id }) => id)).toContain(user?.id);
});

test('a person is found by a phone number as people write it', async () => {
  const user = [...sandbox.emulator.deps.store.users.all()].find(({ addresses }) =>
    addresses[0]?.value.startsWith('+1'),
  );
  const [, area, prefix, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(user?.addresses[0]?.value ?? '') ?? [];
  for (const phone of [`(${area}) ${prefix}-${line}`, `+1 ${area} ${prefix} ${line}`, `${area}.${prefix}.${line}`])
    expect((await search(phone)).map(({ id }) => id)).toContain(user?.id);
});

test('every word must be there', async () => {
  const [offer] = sandbox.emulator.deps.store.offers.all();
  expect(await search(`${offer?.name} nowhere-to-be-found`)).toEqual([]);
});

test('many records of one kind do not hide the others', async () => {
  const found = await search('s');
  for (const kind of new Set(found.map((one) => one.kind)))
    expect(found.filter((one) => one.kind === kind).length).toBeLessThanOrEqual(5);
  expect(new Set(found.map((one) => one.kind)).size).toBeGreaterThan(2);
});

test('another company does not find them', async () => {
  const { id } = (await sandbox.control('POST', '/control/companies', { name: 'Curlew' })).body as {
    readonly id: string;
  };
  const answer = await sandbox.control('GET', `/control/companies/${id}/search?q=ada`);
  expect(answer.body).toEqual({ found: [] });
});
