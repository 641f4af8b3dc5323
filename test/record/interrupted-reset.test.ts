/** A kill in a reset leaves the old state with its record, or the new state without it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Reply } from '../../emulator/control/calls.ts';
import { bundleOf, workerUrl } from '../support/built.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened } from '../support/world.ts';

interface Kept {
  readonly requests: number;
  readonly activities: number;
  readonly webhooks: number;
}

/** How many requests, activities and webhooks the folder of a sandbox has. */
async function keptIn(sandbox: Sandbox): Promise<Kept> {
  const { counts } = await act<Reply<'GET /control/timeline'>>(sandbox, 'GET', '/control/timeline?limit=1');
  return { requests: counts.request, activities: counts.edit, webhooks: sandbox.emulator.deps.store.webhooks.size };
}

/** A folder with a webhook that was made by hand, and three requests in the record. */
async function usedFolder(): Promise<string> {
  const folder = freshFolder();
  const sandbox = await opened({ dataDir: folder });
  await act(sandbox, 'POST', '/control/webhooks', { url: 'http://127.0.0.1:1/hook', events: ['sms.subscribed'] });
  for (let n = 0; n < 3; n += 1) await sandbox.call('GET', '/me');
  expect(await keptIn(sandbox)).toEqual({ requests: 3, activities: 1, webhooks: 1 });
  await sandbox.close();
  return folder;
}

/** Resets the folder in a process that is killed when the state is replaced, before the record is. */
async function killInReset(folder: string): Promise<void> {
  const program = fileURLToPath(bundleOf('test/record/reset-child.ts'));
  const child = spawn(process.execPath, [program, folder, workerUrl().href], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}

test('a kill after a reset replaced the state leaves no request and no activity of the old state', async () => {
  const folder = await usedFolder();
  await killInReset(folder);
  const second = await opened({ dataDir: folder });
  expect(await keptIn(second)).toEqual({ requests: 0, activities: 0, webhooks: 0 });
  // What comes then stays, over a further start, too.
  await second.call('GET', '/me');
  await act(second, 'POST', '/control/webhooks', { url: 'http://127.0.0.1:1/hook', events: ['sms.subscribed'] });
  await second.close();
  expect(existsSync(join(folder, 'reset.json'))).toBe(false);
  const third = await opened({ dataDir: folder });
  expect(await keptIn(third)).toEqual({ requests: 1, activities: 1, webhooks: 1 });
});

test('a kill before a reset replaced the state leaves all of it, also after a later replacement', async () => {
  const folder = await usedFolder();
  // The mark as it is before the replacement: that of a copy in which the kill came after it.
  const killed = freshFolder();
  cpSync(folder, killed, { recursive: true });
  await killInReset(killed);
  cpSync(join(killed, 'reset.json'), join(folder, 'reset.json'));
  const second = await opened({ dataDir: folder });
  expect(await keptIn(second)).toEqual({ requests: 3, activities: 1, webhooks: 1 });
  // It replaces the state, and leaves the record.
  await act(second, 'POST', '/control/snapshots', { name: 'now' });
  await act(second, 'POST', '/control/snapshots/now/restore', {});
  await second.close();
  const third = await opened({ dataDir: folder });
  expect(await keptIn(third)).toMatchObject({ requests: 3, webhooks: 1 });
});
