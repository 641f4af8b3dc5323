import { expect, onTestFinished, test } from 'vitest';
import type { RecordKindView } from '../../emulator/control/calls.ts';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import { countedSections } from '../../renderer/section-list.ts';
import { useSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened } from '../support/world.ts';

const sandbox = useSandbox();

type Page = {
  readonly total: number;
  readonly records: readonly { readonly id: string; readonly [key: string]: unknown }[];
};

test('GET /control/health says that it is ready and counts its records', async () => {
  const { status, body } = await sandbox.control('GET', '/control/health');
  expect(status).toBe(200);
  expect(body).toMatchObject({ ready: true, clock: 'real', dataDir: null, records: { companies: 2 } });
});

test('after all records were replaced health tells of another world, and of the same one while they only change', async () => {
  const dataDir = freshFolder();
  const seen: string[] = [];
  const look = async (one: Sandbox) => {
    const { world } = await act<{ readonly world: string }>(one, 'GET', '/control/health');
    if (!seen.includes(world)) seen.push(world);
    return seen.indexOf(world);
  };
  let own = await opened({ dataDir });
  expect(await look(own)).toBe(0);
  await act(own, 'POST', '/control/attributes', { companyId: demoCompany, name: 'size', type: 'string', values: null });
  await act(own, 'POST', '/control/clock', { advance: '1d' });
  await act(own, 'DELETE', '/control/requests');
  expect(await look(own)).toBe(0);
  await act(own, 'POST', '/control/reset', { world: 'demo' });
  expect(await look(own)).toBe(1);
  await own.close();
  own = await opened({ dataDir });
  expect(await look(own)).toBe(1);
  await act(own, 'POST', '/control/snapshots', { name: 'one' });
  await act(own, 'POST', '/control/snapshots/one/restore', {});
  expect(await look(own)).toBe(2);
  await act(own, 'POST', '/control/undo');
  expect(await look(own)).toBe(3);
  expect([await look(await opened()), await look(await opened())]).toEqual([4, 5]);
});

test('the demo data has the keys that people put into their .env', async () => {
  const records = async (kind: string) =>
    ((await sandbox.control('GET', `/control/records/${kind}`)).body as Page).records;
  expect(await records('sign-up-units')).toMatchObject([
    { id: '100001', language: 'en', country: 'US', type: 'MARKETING' },
    { id: '100002', language: 'en', country: 'US', type: 'TRANSACTIONAL' },
    { id: '100003', language: 'fr', country: 'CA', type: 'MARKETING' },
    { id: '100004', language: 'fr', country: 'CA', type: 'MARKETING' },
  ]);
  expect((await records('offers')).map(({ id }) => id)).toEqual(['54100', '54101', '54102', '54103', '90001']);
  expect(await records('attribute-definitions')).toMatchObject([
    { name: 'favorite color', values: ['blue', 'green', 'red'], origin: 'ui' },
  ]);
  expect(
    (await records('users')).some(
      ({ addresses }) =>
        (addresses as { value: string }[]).map(({ value }) => value).join() === '+15555550100,ada@example.com',
    ),
  ).toBe(true);
});

test('secrets are masked in records', async () => {
  const { text } = { text: JSON.stringify((await sandbox.control('GET', '/control/records/credentials')).body) };
  expect(text).not.toContain('sandpiper-demo-key');
  expect(JSON.stringify((await sandbox.control('GET', '/control/records/apps')).body)).not.toContain(
    'sandpiper-demo-secret',
  );
});

test('a page of records says how many there are', async () => {
  const { body } = await sandbox.control('GET', '/control/records/offers?offset=1&limit=2');
  expect((body as Page).total).toBe(5);
  expect((body as Page).records.map(({ id }) => id)).toEqual(['54101', '54102']);
  const own = await sandbox.control('GET', '/control/records/offers?offset=1&limit=2&companyId=MDc6Q29tcGFueTI');
  expect(own.body).toEqual({ ...(body as Page), total: 4 });
  const none = await sandbox.control('GET', `/control/records/attribute-definitions?companyId=${otherCompany}`);
  expect(none.body).toEqual({ kind: 'attribute-definitions', total: 0, records: [] });
});

test('the newest records of a kind are read by how many', async () => {
  const { body } = await sandbox.control('GET', '/control/records/offers?last=2');
  expect((body as Page).total).toBe(5);
  expect((body as Page).records.map(({ id }) => id)).toEqual(['54103', '90001']);
  const own = await sandbox.control('GET', '/control/records/offers?last=2&companyId=MDc6Q29tcGFueTI');
  expect((own.body as Page).records.map(({ id }) => id)).toEqual(['54102', '54103']);
  const all = await sandbox.control('GET', '/control/records/offers?last=9');
  expect((all.body as Page).records).toHaveLength(5);
});

test('the records of a kind are searched by every word of a text, with how many there are', async () => {
  const search = async (query: string): Promise<unknown> => {
    const { body } = await sandbox.control('GET', `/control/records/offers?${query}`);
    return { total: (body as Page).total, ids: (body as Page).records.map(({ id }) => id) };
  };
  expect(await search('search=ACTIVE%20offer&last=2')).toEqual({ total: 5, ids: ['54103', '90001'] });
  expect(await search('search=active&offset=1&limit=1')).toEqual({ total: 5, ids: ['54101'] });
  expect(await search('search=active&companyId=MDc6Q29tcGFueTI')).toMatchObject({ total: 4 });
  expect(await search('search=54102%20active')).toEqual({ total: 1, ids: ['54102'] });
  expect(await search('search=54102%20nothing')).toEqual({ total: 0, ids: [] });
  expect(await search('search=%20')).toMatchObject({ total: 5 });
});

test('a day in a name is found as it is written, and a phone by its digits', async () => {
  onTestFinished(() => sandbox.reset());
  const offer = { name: 'From 2026-12-01 on', window: 'never-expire', companyId: demoCompany };
  const { body } = await sandbox.control('POST', '/control/offers', offer);
  const { id } = body as { readonly id: string };
  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  const found = async (kind: string, search: string): Promise<readonly object[]> =>
    ((await sandbox.control('GET', `/control/records/${kind}?search=${encodeURIComponent(search)}`)).body as Page)
      .records;
  expect(await found('offers', '2026-12-01')).toMatchObject([{ id }]);
  expect(await found('privacy-requests', '+1 (555) 555-0100')).toMatchObject([{ subjectPhone: '+15555550100' }]);
  const inCompany = await sandbox.control('GET', `/control/companies/${demoCompany}/search?q=2026-12-01`);
  expect(inCompany.body).toMatchObject({ found: [{ kind: 'offers', id }] });
});

test('an unknown kind and an unknown record are 404s that list what exists', async () => {
  expect(await sandbox.control('GET', '/control/records/pigeons')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('sign-up-units') },
  });
  expect(await sandbox.control('GET', '/control/records/offers/1')).toMatchObject({ status: 404 });
});

test('a record that moves shows its state, its moves and its history', async () => {
  const { body } = await sandbox.control('GET', '/control/records/offers/54100');
  expect(body).toMatchObject({ record: { id: '54100' }, state: 'ACTIVE', history: [{ to: 'ACTIVE' }] });
});

test('reset restores the demo data, or leaves nothing', async () => {
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://localhost:3000/', events: ['sms.sent'] } });
  expect((await sandbox.control('POST', '/control/reset', { world: 'demo' })).status).toBe(204);
  expect((await sandbox.call('GET', '/webhooks')).body).toEqual({ webhooks: [] });
  expect((await sandbox.control('POST', '/control/reset', { world: 'empty' })).status).toBe(204);
  expect((await sandbox.call('GET', '/me')).rule).toBe('auth.unknown');
  expect((await sandbox.control('GET', '/control/records/companies')).body).toEqual({
    kind: 'companies',
    total: 0,
    records: [],
  });
  await sandbox.reset();
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
});

test('reset refuses an unknown world', async () => {
  expect((await sandbox.control('POST', '/control/reset', { world: 'mars' })).status).toBe(400);
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
});

test('a created credential works at once with its scopes, and no longer once revoked', async () => {
  const companies = (await sandbox.control('GET', '/control/records/companies')).body as Page;
  const created = await sandbox.control('POST', '/control/credentials', {
    companyId: companies.records[1]?.id,
    name: 'My app',
    scopes: ['webhooks:write'],
  });
  expect(created.status).toBe(201);
  const { id, secret: key } = created.body as { id: string; secret: string };
  expect((await sandbox.call('GET', '/me', { key })).body).toMatchObject({
    applicationName: 'My app',
    companyName: 'Dunlin Outfitters',
  });
  expect((await sandbox.call('GET', '/webhooks', { key })).status).toBe(200);
  expect((await sandbox.call('GET', '/product-catalog/uploads', { key })).rule).toBe('auth.scope');
  expect((await sandbox.control('DELETE', `/control/credentials/${id}`)).status).toBe(204);
  expect((await sandbox.call('GET', '/me', { key })).rule).toBe('auth.revoked');
});

test('an existing key, or one for an unknown company, is refused and nothing is created', async () => {
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  const taken = await sandbox.control('POST', '/control/credentials', {
    companyId: 'MDc6Q29tcGFueTI',
    secret: 'sandpiper-demo-key',
  });
  expect(taken).toMatchObject({ status: 400, body: { message: expect.stringContaining('already has this key') } });
  expect((await sandbox.control('POST', '/control/credentials', { companyId: 'nobody' })).status).toBe(400);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test('each kind of record says what it is called, where the inspector shows one, and whether it is about people', async () => {
  const { kinds } = (await sandbox.control('GET', '/control/record-kinds')).body as { kinds: readonly object[] };
  expect(kinds).toContainEqual({
    kind: 'users',
    one: 'person',
    many: 'people',
    shownAt: '/subscribers/{id}',
    aboutPeople: true,
    open: [],
  });
  expect(kinds).toContainEqual(expect.objectContaining({ kind: 'settings', shownAt: null, aboutPeople: false }));
  expect(kinds).toContainEqual(expect.objectContaining({ kind: 'offers', open: ['SYNCING'] }));
});

test('a kind that is counted beside a section is shown by this section', async () => {
  const { body } = await sandbox.control('GET', '/control/record-kinds');
  const shown = new Map(
    (body as { kinds: readonly RecordKindView[] }).kinds.map(({ kind, shownAt }) => [kind, shownAt]),
  );
  expect(countedSections.map(({ counts }) => [counts, shown.get(counts)])).toEqual(
    countedSections.map(({ counts, path }) => [counts, path.replace(':id?', '{id}')]),
  );
});
