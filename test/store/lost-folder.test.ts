import { existsSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nextTurn } from '../../emulator/globals.ts';
import { readInstance } from '../../emulator/store/instance-file.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { act, addCodes, everything, opened } from '../support/world.ts';
import { copyAsKilled, newFolder } from './support.ts';

const said =
  /^The data folder .* was removed, renamed or replaced while Sandpiper ran, so nothing more is stored\. .*start it again\.$/;

// Windows removes no file that is open.
const removable = process.platform !== 'win32';

function subscribe({ emulator }: Sandbox, phone: string): Promise<Response> {
  return fetch(`${emulator.apiUrl}/subscriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ user: { phone }, signUpSourceId: '100001' }),
  });
}

/** A file that the server writes at that moment keeps the folder from being empty; so it is done again. */
const removeFolder = (path: string): void => rmSync(path, { recursive: true, maxRetries: 10 });

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const peopleIn = ({ emulator }: Sandbox): readonly string[] =>
  [...emulator.deps.store.users.all()].flatMap(({ addresses }) => addresses.map(({ value }) => value));

test.runIf(removable)('after the data folder was removed, no change is acknowledged, and why is said', async () => {
  const dataDir = newFolder();
  const sandbox = await startSandbox({ dataDir });
  expect((await subscribe(sandbox, '+15555550395')).status).toBe(202);
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  removeFolder(dataDir);
  const refused = await subscribe(sandbox, '+15555550396');
  expect([refused.status, await refused.json()]).toEqual([500, { message: expect.stringMatching(said) }]);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
  await expect(sandbox.close()).rejects.toThrow(said);
});

test.runIf(removable)('a disk that refuses for a reason of its own is to be checked: room would not help', async () => {
  const dataDir = newFolder();
  const sandbox = await startSandbox({ dataDir });
  // A link to itself, for a network disk that is gone: a test has none, and neither is a known refusal.
  const journal = join(dataDir, 'journal-2.ndjson');
  symlinkSync(journal, journal);
  await expect(sandbox.emulator.deps.store.snapshot()).resolves.toBeUndefined();
  const refused = await subscribe(sandbox, '+15555550395');
  expect([refused.status, await refused.json()]).toEqual([
    500,
    {
      message: expect.stringMatching(/ELOOP.*nothing was changed\. Check the data folder and its disk, then try again/),
    },
  ]);
  rmSync(journal);
  expect((await subscribe(sandbox, '+15555550395')).status).toBe(202);
  await sandbox.close();
});

test.runIf(removable)(
  'while the data folder has another name, no change is acknowledged, and all that was is in it',
  async () => {
    const dataDir = newFolder();
    const sandbox = await startSandbox({ dataDir });
    expect((await subscribe(sandbox, '+15555550395')).status).toBe(202);
    renameSync(dataDir, `${dataDir}-away`);
    const refused = await subscribe(sandbox, '+15555550396');
    expect([refused.status, await refused.json()]).toEqual([500, { message: expect.stringMatching(said) }]);
    renameSync(`${dataDir}-away`, dataDir);
    expect((await subscribe(sandbox, '+15555550397')).status).toBe(202);
    renameSync(dataDir, `${dataDir}-away`);
    await expect(sandbox.close()).rejects.toThrow(said);
    const people = peopleIn(await opened({ dataDir: copyAsKilled(`${dataDir}-away`) }));
    expect(people).toEqual(expect.arrayContaining(['+15555550395', '+15555550397']));
    expect(people).not.toContain('+15555550396');
  },
);

test.runIf(removable)(
  'what another server stores in a folder that was made again is not replaced by the first one',
  async () => {
    const dataDir = newFolder();
    const first = await startSandbox({ dataDir });
    await subscribe(first, '+15555550394');
    removeFolder(dataDir);
    const second = await startSandbox({ dataDir });
    expect((await subscribe(second, '+15555550395')).status).toBe(202);
    expect((await subscribe(first, '+15555550396')).status).toBe(500);
    for (const path of ['/control/save', '/control/reset'])
      expect(await first.control('POST', path, path.endsWith('reset') ? { world: 'demo' } : {})).toMatchObject({
        status: 507,
        body: { message: expect.stringMatching(said) },
      });
    await act(second, 'POST', '/control/snapshots', { name: 'kept' });
    for (const [method, path] of [
      ['POST', '/control/snapshots'],
      ['DELETE', '/control/snapshots/kept'],
    ] as const)
      expect((await first.control(method, path, method === 'POST' ? { name: 'mine' } : undefined)).status).toBe(507);
    expect(readdirSync(join(dataDir, 'snapshots'))).toEqual(['kept.json']);
    await expect(first.close()).rejects.toThrow(said);
    expect(readInstance(dataDir)?.localInspectorUrl).toBe(second.emulator.inspectorUrl);
    await second.close();
    const people = peopleIn(await opened({ dataDir }));
    expect(people).toContain('+15555550395');
    expect(people).not.toContain('+15555550396');
  },
);

test.runIf(removable)('a folder that was made again gets no request and no activity of the first server', async () => {
  const dataDir = newFolder();
  const first = await startSandbox({ dataDir });
  await act(first, 'POST', '/control/clock', { advance: '1h' });
  await expect.poll(() => textOf(join(dataDir, 'activities.ndjson'))).toContain('\n');
  removeFolder(dataDir);
  const second = await startSandbox({ dataDir });
  await first.call('GET', '/me');
  await first.call('GET', '/mine');
  await first.control('POST', '/control/clock', { advance: '2h' });
  await expect(first.close()).rejects.toThrow(said);
  await second.call('GET', '/me');
  await second.close();
  const third = await startSandbox({ dataDir });
  onTestFinished(() => third.close());
  const { requests } = await act<{ readonly requests: readonly { readonly url: string }[] }>(
    third,
    'GET',
    '/control/requests',
  );
  expect(requests.map(({ url }) => url)).toEqual(['/v1/me']);
  expect(existsSync(join(dataDir, 'activities.ndjson'))).toBe(false);
});

test.runIf(removable)('a first change after the folder was removed is refused, too', async () => {
  const dataDir = newFolder();
  await (await startSandbox({ dataDir })).close();
  const sandbox = await startSandbox({ dataDir });
  await sandbox.emulator.deps.store.snapshot();
  removeFolder(dataDir);
  expect(await (await subscribe(sandbox, '+15555550396')).json()).toEqual({ message: expect.stringMatching(said) });
  await expect(sandbox.close()).rejects.toThrow(said);
});

test.runIf(removable)('a server that only reads says at its end that its folder is gone', async () => {
  const dataDir = newFolder();
  const sandbox = await startSandbox({ dataDir });
  await sandbox.emulator.deps.store.snapshot();
  removeFolder(dataDir);
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  await expect(sandbox.close()).rejects.toThrow(said);
});

test.runIf(removable)('at its end it leaves what another server keeps in the folder for an undo', async () => {
  const dataDir = newFolder();
  const first = await startSandbox({ dataDir });
  removeFolder(dataDir);
  const second = await opened({ dataDir });
  await addCodes(second, ['ONE', 'TWO']);
  const { files } = everything(second);
  await act(second, 'POST', '/control/reset', { world: 'demo' });
  await expect(first.close()).rejects.toThrow(said);
  await act(second, 'POST', '/control/undo', {});
  expect(everything(second).files).toEqual(files);
});

test('a reset that comes to its end after the server is not told as a lost folder', async () => {
  const dataDir = newFolder();
  const told: string[] = [];
  const sandbox = await startSandbox({ dataDir, onNotice: (text) => told.push(text) });
  await sandbox.call('GET', '/me');
  const { recorder, deps } = sandbox.emulator;
  const { replace } = deps.store;
  let goOn = (): void => {};
  const isReplaced = new Promise<void>((replaced) => {
    Object.assign(deps.store, {
      // As on a busy machine: the new state is stored, and its call goes on when the server has ended.
      async replace(...input: Parameters<typeof replace>) {
        await replace(...input);
        replaced();
        await new Promise<void>((resolve) => (goOn = resolve));
      },
    });
  });
  const unanswered = expect(act(sandbox, 'POST', '/control/reset', { world: 'demo' })).rejects.toThrow('fetch failed');
  await isReplaced;
  await sandbox.close();
  await unanswered;
  goOn();
  await expect.poll(() => recorder.all()).toEqual([]);
  // What it writes after that has been tried then.
  await nextTurn();
  expect(told).toEqual([]);
});
