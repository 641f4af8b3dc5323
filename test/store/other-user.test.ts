import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
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
  .skipIf(user === undefined)
  .for(['control-token', 'activities.ndjson', 'requests/1.log', 'requests', 'snapshots', 'blobs', 'blobs/codes'])(
  'a folder in which %s is another user’s is refused in one sentence with what to do',
  async (name) => {
    const folder = await usedFolder();
    const path = join(folder, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
    chownSync(path, 0, 0);
    expect(await refusedStart(folder, user)).toContain(
      `The data folder ${folder} cannot be opened (this user may not use "${name}" in it). Give it to this user, choose another folder with --data, or use --memory.`,
    );
  },
);

test.skipIf(user === undefined)('a folder that this user may not make is to be made for it', async () => {
  const folder = newFolder();
  chmodSync(dirname(folder), 0o755);
  expect(await refusedStart(folder, user)).toMatch(
    /cannot be written \(EACCES.*mkdir.*\)\. Make it for this user, choose another one with --data, or use --memory\./,
  );
});

test.skipIf(process.platform === 'win32')(
  'files of this user that no one may write are opened, and may be written again',
  async () => {
    const folder = await usedFolder();
    const names = ['state.json', 'control-token', 'activities.ndjson', 'blobs'];
    for (const name of names) chmodSync(join(folder, name), 0o400);
    expect(JSON.parse(listed(folder))).toEqual({ names: ['one', 'two'], notices: [] });
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o600, name).toBe(0o600);
  },
);

/** Opens the folder, or a store in memory, in a process of that user, after all code is there, and prints what it says and lists. */
const lister = `
  const [store, dataDir, user] = process.argv.slice(1);
  const { openStore } = await import(store);
  if (user) process.setgroups([]), process.setgid(+user), process.setuid(+user);
  const opened = await openStore({ dataDir: dataDir || null, now: () => 1_795_185_509_000 });
  const names = (await opened.snapshots.list()).map(({ name }) => name);
  console.log(JSON.stringify({ notices: opened.notices, names }));
  await opened.close();`;

function listed(folder: string | null, env: NodeJS.ProcessEnv = {}): string {
  const words = ['--input-type=module', '-e', lister, bundleOf('emulator/store/store.ts').href, folder ?? ''];
  const { stdout, stderr } = spawnSync(process.execPath, [...words, `${user ?? ''}`], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(stderr).toBe('');
  return stdout;
}

test.skipIf(process.platform === 'win32')(
  'a kept snapshot that may not be read is told at the start and left out of the list',
  async () => {
    const folder = await usedFolder();
    const path = join(folder, 'snapshots', 'one.json');
    chmodSync(path, 0);
    expect(JSON.parse(listed(folder))).toEqual({
      names: ['two'],
      notices: [`This user may not read ${path}, so it is not listed. Give the file to this user.`],
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'a store in memory opens where users may make temporary folders, and not see those of others',
  () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1333);
    expect(JSON.parse(listed(null, { TMPDIR: folder }))).toEqual({ names: [], notices: [] });
    chmodSync(folder, 0o700);
  },
);
