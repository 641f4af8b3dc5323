/** The record of requests survives the process: separate files, limited, private, written in the background. */
import { appendFileSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RequestView, RequestSummary } from '../../emulator/control/calls.ts';
import { serve, stop as kill } from '../support/process.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { freshFolder, opened } from '../support/world.ts';

const list = async (sandbox: Sandbox): Promise<readonly RequestSummary[]> =>
  ((await sandbox.control('GET', '/control/requests')).body as { requests: RequestSummary[] }).requests;

const refused = { user: { phone: '555' }, signUpSourceId: '100001' };

test('a refused request is there after a restart, explained as before', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  const before = await (await first.call('POST', '/subscriptions', { json: refused })).exchange();
  await first.close();

  const second = await opened({ dataDir: folder });
  const after = (await second.control('GET', `/control/requests/${before.id}?reveal=true`)).body as RequestView;
  expect(after).toEqual(before);
  expect(after.refusal).toMatchObject({ fix: { say: expect.any(String) as string } });
});

test('a refusal that an earlier version recorded without facts has none, and the rest of it', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  const call = await first.call('POST', '/subscriptions', { json: refused, key: 'sandpiper-readonly-key' });
  const before = await call.exchange();
  expect(before.refusal?.facts).toMatchObject({ needed: ['subscriptions:write'] });
  await first.close();

  const [name = ''] = readdirSync(join(folder, 'requests'));
  const path = join(folder, 'requests', name);
  const entry = readFileSync(path, 'utf8');
  const [head = '', json = ''] = entry.split('\n');
  const [length = '', ...bodies] = head.split(' ');
  const facts = json.slice(0, Number(length));
  const older = facts.replace(`"facts":${JSON.stringify(before.refusal?.facts)},`, '');
  expect(older.length).toBeLessThan(facts.length);
  const rest = entry.slice(head.length + 1 + facts.length);
  writeFileSync(path, `${[Buffer.byteLength(older), ...bodies].join(' ')}\n${older}${rest}`);

  const second = await opened({ dataDir: folder });
  const after = (await second.control('GET', `/control/requests/${before.id}?reveal=true`)).body as RequestView;
  expect(after.refusal).toEqual({ ...before.refusal, facts: {} });
});

test('the changes and all bytes of an accepted request are there after a restart', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  const raw = '{"user": {"phone":"+15555550177"},\n\t"signUpSourceId":"100001"}';
  const before = await (
    await first.call('POST', '/subscriptions', { raw, headers: { 'content-type': 'application/json' } })
  ).exchange();
  expect(before.changes.length).toBeGreaterThan(0);
  await first.close();

  const second = await opened({ dataDir: folder });
  const after = (await second.control('GET', `/control/requests/${before.id}?reveal=true`)).body as RequestView;
  expect(after).toEqual(before);
  expect(after.request.body?.data).toBe(raw);
});

test('a body that is not text keeps its bytes over a restart', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  const raw = Buffer.from([0x7b, 0xff, 0x00, 0x0a, 0x0d, 0x7d]);
  const { id } = await (
    await first.call('POST', '/subscriptions', { raw, headers: { 'content-type': 'application/json' } })
  ).exchange();
  await first.close();

  const second = await opened({ dataDir: folder });
  const { request } = (await second.control('GET', `/control/requests/${id}`)).body as RequestView;
  expect(Buffer.from(request.body?.data ?? '', 'base64')).toEqual(raw);
});

test('a request from before a restart can be sent again as it was', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  const { id } = await (await first.call('POST', '/subscriptions', { json: refused })).exchange();
  await first.close();

  const second = await opened({ dataDir: folder });
  const { request } = (await second.control('GET', `/control/requests/${id}?reveal=true`)).body as RequestView;
  const { headers, body } = request;
  const { body: sent } = await second.control('POST', '/control/send', {
    method: 'POST',
    path: '/v1/subscriptions',
    headers,
    body: { encoding: body?.encoding, data: body?.data },
  });
  expect(sent).toMatchObject({ status: 400 });
});

test('a kill loses at most the last moments of the record', async () => {
  const folder = freshFolder();
  const served = await serve(['--data', folder]);
  const call = () => fetch(`${served.apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
  await call();
  const written = () => readdirSync(join(folder, 'requests')).map((name) => statSync(join(folder, 'requests', name)));
  await expect.poll(() => written().some(({ size }) => size > 0), { interval: 20, timeout: 30_000 }).toBe(true);
  await call();
  await kill(served, 'SIGKILL');

  const kept = await list(await opened({ dataDir: folder }));
  expect(kept[0]).toMatchObject({ operation: 'GET /me', status: 200 });
  expect(kept.length).toBeLessThanOrEqual(2);
});

test('later requests come after the earlier ones, each with its own id', async () => {
  const folder = freshFolder();
  for (let run = 0; run < 3; run += 1) {
    const sandbox = await opened({ dataDir: folder });
    await sandbox.call('GET', '/me');
    await sandbox.call('GET', '/webhooks');
    await sandbox.close();
  }
  const requests = await list(await opened({ dataDir: folder }));
  expect(requests.map(({ operation }) => operation)).toEqual(
    Array.from({ length: 3 }, () => ['GET /me', 'GET /webhooks']).flat(),
  );
  expect(new Set(requests.map(({ id }) => id)).size).toBe(6);
  expect(requests.map(({ sequence }) => sequence)).toEqual(
    requests.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  );
});

test('the files of the record are readable only by their user', async () => {
  const folder = freshFolder();
  const sandbox = await opened({ dataDir: folder });
  await sandbox.call('GET', '/me');
  await sandbox.close();
  const requests = join(folder, 'requests');
  expect(statSync(requests).mode & 0o777).toBe(0o700);
  const names = readdirSync(requests);
  expect(names).toHaveLength(1);
  for (const name of names) expect(statSync(join(requests, name)).mode & 0o777).toBe(0o600);
});

test('half an entry at the end of a file, as a kill leaves it, loses only itself', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  await first.call('GET', '/me');
  await first.call('GET', '/webhooks');
  await first.close();
  const [name = ''] = readdirSync(join(folder, 'requests'));
  const path = join(folder, 'requests', name);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 20));

  const second = await opened({ dataDir: folder });
  expect((await list(second)).map(({ operation }) => operation)).toEqual(['GET /me']);
  await second.call('GET', '/attributes/custom', { query: { email: 'ada@example.com' } });
  await second.close();
  const third = await opened({ dataDir: folder });
  expect((await list(third)).map(({ operation }) => operation)).toEqual(['GET /me', 'GET /attributes/custom']);
});

test('garbage in a file of the record does not prevent the start', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  await first.call('GET', '/me');
  await first.close();
  const [name = ''] = readdirSync(join(folder, 'requests'));
  appendFileSync(join(folder, 'requests', name), Buffer.from('99999999 1 1\n{"id":'));
  writeFileSync(join(folder, 'requests', '999999.log'), 'no record at all');

  const second = await opened({ dataDir: folder });
  expect((await list(second)).map(({ operation }) => operation)).toEqual(['GET /me']);
});

test('only the newest requests within the limit are there after a restart', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  for (let n = 0; n < 12; n += 1) await first.call('GET', '/me', { query: { n: String(n) } });
  await first.close();
  const second = await opened({ dataDir: folder, record: { exchanges: 5, bytes: 1024 * 1024, days: 30 } });
  expect((await list(second)).map(({ url }) => url)).toEqual(
    [7, 8, 9, 10, 11].map((n) => expect.stringContaining(`n=${n}`) as string),
  );
});

test('only the newest requests within the limit of bytes are there after a restart', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  for (let n = 0; n < 12; n += 1)
    await first.call('GET', '/me', { query: { n: String(n) }, headers: { 'x-large': 'x'.repeat(8_000) } });
  await first.close();
  const second = await opened({ dataDir: folder, record: { exchanges: 1_000, bytes: 50_000, days: 30 } });
  const urls = (await list(second)).map(({ url }) => url);
  expect(urls.length).toBeLessThan(7);
  expect(urls.at(-1)).toContain('n=11');
});

test('requests older than the limit of days are gone after a restart', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  for (const path of ['/me', '/webhooks', '/product-catalog/uploads']) await first.call('GET', path);
  await first.close();

  // As if the first two were sent three days, and one day, earlier: a time has as many digits.
  const [name = ''] = readdirSync(join(folder, 'requests'));
  const path = join(folder, 'requests', name);
  let days = 5;
  const older = readFileSync(path, 'latin1').replaceAll(/(?<="wallAt":)\d{13}/g, (at) => {
    days = Math.max(0, days - 2);
    return String(Number(at) - days * 86_400_000);
  });
  writeFileSync(path, older, 'latin1');

  const second = await opened({ dataDir: folder, record: { exchanges: 1_000, bytes: 1024 * 1024, days: 2 } });
  expect((await list(second)).map(({ operation }) => operation)).toEqual([
    'GET /webhooks',
    'GET /product-catalog/uploads',
  ]);
});

test('cleared requests are gone after a restart, those after the clearing are not', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  await first.call('GET', '/me');
  await first.control('DELETE', '/control/requests');
  await first.call('GET', '/webhooks');
  await first.close();
  const second = await opened({ dataDir: folder });
  expect((await list(second)).map(({ operation }) => operation)).toEqual(['GET /webhooks']);
});

test('the token of a data folder stays the same over a restart, and is readable only by its user', async () => {
  const folder = freshFolder();
  const first = await opened({ dataDir: folder });
  const { token } = first.emulator;
  await first.close();
  expect(statSync(join(folder, 'control-token')).mode & 0o777).toBe(0o600);
  const second = await opened({ dataDir: folder });
  expect(second.emulator.token).toBe(token);
  expect((await opened({ dataDir: freshFolder() })).emulator.token).not.toBe(token);
});

test('headers and URLs count towards the memory limit of recorded requests', async () => {
  const sandbox = await opened({ dataDir: freshFolder(), record: { exchanges: 1_000, bytes: 100_000, days: 30 } });
  for (let n = 0; n < 40; n += 1) await sandbox.call('GET', '/me', { headers: { 'x-large': 'x'.repeat(8_000) } });
  expect((await list(sandbox)).length).toBeLessThan(13);
});

test('notes count towards the limit of bytes', async () => {
  const sandbox = await opened({ dataDir: freshFolder(), record: { exchanges: 1_000, bytes: 100_000, days: 30 } });
  const subscription = { user: { phone: '+15555550178' }, signUpSourceId: '100001', ['x'.repeat(16_000)]: 1 };
  for (let n = 0; n < 10; n += 1) await sandbox.call('POST', '/subscriptions', { json: subscription });
  // Each has the name in its body and in a note.
  expect((await list(sandbox)).length).toBeLessThan(4);
});
