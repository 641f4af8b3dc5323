/** The files of the record: which are read at a start, which are removed, and how they are numbered. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RequestSummary } from '../../emulator/control/calls.ts';
import { openRecordFiles, type RecordFiles } from '../../emulator/http/record/files.ts';
import { createClock } from '../../emulator/time/clock.ts';
import { copyAsKilled } from '../store/support.ts';
import { beginSlow } from '../support/slow-request.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { freshFolder, opened } from '../support/world.ts';

async function list({ control }: Sandbox): Promise<readonly RequestSummary[]> {
  const { requests } = (await control('GET', '/control/requests')).body as { requests: RequestSummary[] };
  return requests;
}

/** The files of a folder, from which what is older than 30 days is removed. */
function openFiles(
  dataDir: string,
  { wall = Date.now(), onProblem = expect.unreachable }: { wall?: number; onProblem?: (text: string) => void } = {},
): RecordFiles {
  const clock = { ...createClock(), wall: () => wall };
  const limits = { exchanges: 1_000, bytes: 1e9, days: 30 };
  const files = openRecordFiles({ dataDir, checkFolder: () => undefined, clock, limits, onProblem });
  if (!files) throw new Error('There are no files.');
  return files;
}

test('a file that is too old is removed only after the files were read', async () => {
  const folder = freshFolder();
  const sandbox = await opened({ dataDir: folder });
  await sandbox.call('GET', '/me');
  await sandbox.close();
  const [exchange] = await openFiles(folder).load();
  if (!exchange) throw new Error('Nothing was recorded.');

  const files = openFiles(folder, { wall: Date.now() + 45 * 86_400_000 });
  files.append(exchange);
  await files.close();
  const [oldest = '', ...others] = readdirSync(join(folder, 'requests')).toSorted();
  expect([oldest, others.length]).toEqual(['1.log', 1]);
  await files.load();
  await files.close();
  expect(readdirSync(join(folder, 'requests'))).toEqual(others);
});

test('requests that are cleared while the files are read do not prevent the start', async () => {
  const folder = freshFolder();
  const sandbox = await opened({ dataDir: folder });
  await sandbox.call('GET', '/me');
  await sandbox.close();
  const files = openFiles(folder);
  files.replace([]);
  await files.close();
  expect(await files.load()).toEqual([]);
});

test('a file of the record that cannot be read is told, and the others are read', async () => {
  const folder = freshFolder();
  const sandbox = await opened({ dataDir: folder });
  await sandbox.call('GET', '/me');
  await sandbox.close();
  mkdirSync(join(folder, 'requests/0.log'));
  writeFileSync(join(folder, 'requests/0.log/some'), 'text');

  const problems: string[] = [];
  const files = openFiles(folder, { onProblem: (text) => problems.push(text) });
  expect((await files.load()).map(({ operation }) => operation)).toEqual(['GET /me']);
  expect(problems.join('\n')).toMatch(/0\.log could not be read \(EISDIR.*Check the file/);
});

test.skipIf(process.platform !== 'linux')(
  'a full disk gets one file of the record, which is used when there is room',
  async () => {
    const folder = freshFolder();
    const sandbox = await opened({ dataDir: folder });
    await sandbox.call('GET', '/me');
    await sandbox.close();
    const problems: string[] = [];
    const files = openFiles(folder, { onProblem: (text) => problems.push(text) });
    const [exchange] = await files.load();
    if (!exchange) throw new Error('Nothing was recorded.');
    const record = async (): Promise<readonly string[]> => {
      files.append(exchange);
      await files.close();
      return readdirSync(join(folder, 'requests')).toSorted();
    };
    symlinkSync('/dev/full', join(folder, 'requests/2.log'));
    expect(await record()).toEqual(['1.log', '2.log']);
    expect(await record()).toEqual(['1.log', '2.log']);
    expect(problems).toEqual([expect.stringMatching(/ENOSPC.*kept in memory only\. Free some disk space\./)]);

    unlinkSync(join(folder, 'requests/2.log'));
    expect(await record()).toEqual(['1.log', '2.log']);
    expect(await openFiles(folder).load()).toHaveLength(2);
  },
);

test('cleared requests are gone after a kill that comes with the answer', async () => {
  const dataDir = freshFolder();
  const first = await opened({ dataDir });
  await first.call('GET', '/me');
  await first.close();
  // Removing all these files takes longer than an answer.
  const inRecord = (number: number): string => join(dataDir, 'requests', `${number}.log`);
  for (let number = 2; number <= 300; number++) copyFileSync(inRecord(1), inRecord(number));
  const second = await opened({ dataDir });
  await second.control('DELETE', '/control/requests');
  const killed = copyAsKilled(dataDir);
  expect(await list(await opened({ dataDir: killed }))).toEqual([]);
});

test('requests that a kill left in two files, as it came while others were deleted, are there once', async () => {
  const dataDir = freshFolder();
  const first = await opened({ dataDir });
  await first.call('GET', '/me');
  await first.close();
  copyFileSync(join(dataDir, 'requests/1.log'), join(dataDir, 'requests/2.log'));
  expect((await list(await opened({ dataDir }))).map(({ operation }) => operation)).toEqual(['GET /me']);
});

test('the requests that stay when one is deleted, or all are brought back, are there after a restart', async () => {
  const dataDir = freshFolder();
  const operations = async (sandbox: Sandbox): Promise<readonly (string | null)[]> =>
    (await list(sandbox)).map(({ operation }) => operation);
  const first = await opened({ dataDir });
  for (const path of ['/me', '/webhooks', '/me']) await first.call('GET', path);
  const [oldest] = await list(first);
  await first.control('POST', '/control/requests/delete', { ids: [oldest?.id] });
  await first.call('GET', '/me');
  const kept = ['GET /webhooks', 'GET /me', 'GET /me'];
  expect(await operations(first)).toEqual(kept);
  await first.close();

  const second = await opened({ dataDir });
  expect(await operations(second)).toEqual(kept);
  await second.control('DELETE', '/control/requests');
  await second.control('POST', '/control/undo');
  await second.close();
  expect(await operations(await opened({ dataDir }))).toEqual(kept);
});

test.skipIf(process.platform !== 'linux')('deleting a request on a full disk loses no other one', async () => {
  const dataDir = freshFolder();
  const first = await opened({ dataDir });
  await first.call('GET', '/me');
  await first.call('GET', '/webhooks');
  await first.close();
  const told: string[] = [];
  const second = await opened({ dataDir, onNotice: (text) => told.push(text) });
  const [gone] = await list(second);
  const full = Array.from({ length: 9 }, (_link, at) => join(dataDir, `requests/${at + 2}.log`));
  for (const path of full) symlinkSync('/dev/full', path);
  await second.control('POST', '/control/requests/delete', { ids: [gone?.id] });
  await second.close();
  for (const path of full) rmSync(path, { force: true });
  expect(told).toEqual([expect.stringMatching(/could not be written .*ENOSPC/)]);
  expect((await list(await opened({ dataDir }))).map(({ operation }) => operation)).toContain('GET /webhooks');
});

test('requests after a restart come after the earlier ones, also when a slow one was the first in its file', async () => {
  const folder = freshFolder();
  const requests = join(folder, 'requests');
  const first = await opened({ dataDir: folder });
  const slow = await beginSlow(first.emulator.apiUrl, '/subscriptions');
  const event = { type: 'Large', user: { email: 'ada@example.com' }, properties: { text: 'x'.repeat(900_000) } };
  for (let n = 0; n < 3; n += 1) await first.call('POST', '/events/custom', { json: event });
  // Then the next request begins a new file.
  const sizes = () => readdirSync(requests).reduce((sum, name) => sum + statSync(join(requests, name)).size, 0);
  await expect.poll(sizes, { interval: 20, timeout: 30_000 }).toBeGreaterThan(4 * 1024 * 1024);
  await slow.end({ user: { email: 'eve@example.com' }, signUpSourceId: '100001' });
  await first.call('GET', '/webhooks');
  await first.close();
  expect(readdirSync(requests)).toHaveLength(2);

  const second = await opened({ dataDir: folder });
  await second.call('GET', '/me');
  const recorded = await list(second);
  expect(recorded.map(({ operation }) => operation)).toEqual([
    'POST /subscriptions',
    ...Array.from({ length: 3 }, () => 'POST /events/custom'),
    'GET /webhooks',
    'GET /me',
  ]);
  expect(new Set(recorded.map(({ sequence }) => sequence)).size).toBe(6);
});
