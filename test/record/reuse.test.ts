/** The memory of recorded requests is used again: none of them ever has bytes of another one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RequestSummary, RequestView } from '../../emulator/control/calls.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

const folders: string[] = [];
const running: Sandbox[] = [];

afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(exchanges: number, dataDir: string | null): Promise<Sandbox> {
  const sandbox = await startSandbox({ dataDir, record: { exchanges, bytes: 1e9, days: 30 } });
  running.push(sandbox);
  return sandbox;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  folders.push(folder);
  return folder;
}

/** 20 KB that say which request they are of. */
const textOf = (number: number): string => `${number} `.repeat(10_000).slice(0, 20_000);

async function send({ call }: Sandbox, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const json = { type: `Event ${number}`, properties: { text: textOf(number) }, user: { email: 'ada@example.com' } };
    expect((await call('POST', '/events/custom', { json })).status).toBe(200);
  }
}

/** The number of each recorded event, where its body and its changes say so. */
async function numbersIn({ control }: Sandbox): Promise<readonly number[]> {
  const { requests } = (await control('GET', '/control/requests?limit=1000')).body as { requests: RequestSummary[] };
  const found: number[] = [];
  for (const { id } of requests) {
    const { request, changes } = (await control('GET', `/control/requests/${id}?reveal=true`)).body as RequestView;
    const sent = JSON.parse(request.body?.data ?? '{}') as { type: string; properties: { text: string } };
    const number = Number(sent.type.split(' ')[1]);
    expect(sent.properties.text).toBe(textOf(number));
    expect(JSON.stringify(changes)).toContain(textOf(number));
    found.push(number);
  }
  return found;
}

test('the newest of many requests have their own bodies and changes, in memory and after a restart', async () => {
  const folder = makeFolder();
  const first = await start(40, folder);
  await send(first, 300);
  const newest = Array.from({ length: 40 }, (_one, at) => 260 + at);
  expect(await numbersIn(first)).toEqual(newest);
  await running.pop()?.close();

  // The files have more of them: also those that were dropped before they were written.
  const second = await start(1_000, folder);
  const found = await numbersIn(second);
  expect(found.slice(-40)).toEqual(newest);
  expect(found.length).toBeGreaterThan(60);
});

test('requests that were cleared have their own bodies when that is undone after many others', async () => {
  const sandbox = await start(40, null);
  await send(sandbox, 60);
  const { requests } = (await sandbox.control('GET', '/control/requests')).body as { requests: RequestSummary[] };
  const ids = requests.slice(-20).map(({ id }) => id);
  await sandbox.control('POST', '/control/requests/delete', { ids });
  for (let number = 0; number < 15; number++) await sandbox.call('GET', '/me');
  expect((await sandbox.control('POST', '/control/undo', {})).status).toBe(200);
  const back = await Promise.all(
    ids.map(async (id) => (await sandbox.control('GET', `/control/requests/${id}?reveal=true`)).body as RequestView),
  );
  expect(back.map(({ request }) => (JSON.parse(request.body?.data ?? '{}') as { type: string }).type)).toEqual(
    Array.from(ids, (_id, at) => `Event ${40 + at}`),
  );
});
