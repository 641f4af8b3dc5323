import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleOf } from '../support/built.ts';
import { startSandbox } from '../support/sandbox.ts';
import { act, addCodes } from '../support/world.ts';
import { refusedStart } from './serve.ts';
import { newFolder } from './support.ts';

// Everything is open to root, so the server runs as another user then; others may not open what has no mode.
const user = process.getuid?.() === 0 ? 65534 : undefined;

/** A folder of that user with one of everything. */
async function usedFolder(): Promise<string> {
  const folder = newFolder();
  const sandbox = await startSandbox({ dataDir: folder });
  for (const name of ['one', 'two']) await act(sandbox, 'POST', '/control/snapshots', { name });
  await act(sandbox, 'POST', '/control/companies', { name: 'Heron' });
  await addCodes(sandbox, ['A']);
  await sandbox.close();
  if (user === undefined) return folder;
  for (const path of [dirname(folder), folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(path.startsWith('/') ? path : join(folder, path), user, user);
  return folder;
}

test
  .skipIf(process.platform === 'win32')
  .for(['control-token', 'activities.ndjson', 'requests/1.log', 'requests', 'snapshots', 'blobs', 'blobs/codes'])(
  'a folder in which %s may not be used is refused in one sentence with what to do',
  async (name) => {
    const folder = await usedFolder();
    chmodSync(join(folder, name), 0);
    expect(await refusedStart(folder, user)).toContain(
      `The data folder ${folder} cannot be opened (this user may not use "${name}" in it). Give it to this user, choose another folder with --data, or use --memory.`,
    );
  },
);

/** Opens the folder in a process of that user, after all code is there, and prints what it says and lists. */
const lister = `
  const [store, dataDir, user] = process.argv.slice(1);
  const { openStore } = await import(store);
  if (user) process.setgroups([]), process.setgid(+user), process.setuid(+user);
  const opened = await openStore({ dataDir, now: () => 1_795_185_509_000 });
  const names = (await opened.snapshots.list()).map(({ name }) => name);
  console.log(JSON.stringify({ notices: opened.notices, names }));
  await opened.close();`;

test.skipIf(process.platform === 'win32')(
  'a kept snapshot that may not be read is told at the start and left out of the list',
  async () => {
    const folder = await usedFolder();
    const path = join(folder, 'snapshots', 'one.json');
    chmodSync(path, 0);
    const words = ['--input-type=module', '-e', lister, bundleOf('emulator/store/store.ts').href, folder];
    const { stdout, stderr } = spawnSync(process.execPath, [...words, `${user ?? ''}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      names: ['two'],
      notices: [`This user may not use ${path}, so it is not listed. Give the file to this user.`],
    });
  },
);
