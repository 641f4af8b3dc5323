/** Looking back over an end of the process: what is in the files of the data folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { TimelineMomentView } from '../../emulator/control/calls.ts';
import { createRandom } from '../../emulator/random.ts';
import { copyAsKilled, newFolder } from '../store/support.ts';
import { bundleOf, workerUrl } from '../support/built.ts';
import { callAt, failingReceiver, readAll } from '../support/look-back.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { hearErrors } from '../support/told-errors.ts';
import { subscribe } from '../support/world.ts';

interface Seen {
  readonly at: string;
  readonly answers: readonly unknown[];
}

async function start(dataDir: string): Promise<Sandbox> {
  const sandbox = await startSandbox({ dataDir, pace: 'realistic' });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const nowOf = async (sandbox: Sandbox): Promise<string> =>
  ((await sandbox.control('GET', '/control/clock')).body as { readonly now: string }).now;

/** What there is now; then a second passes. */
async function see(sandbox: Sandbox): Promise<Seen> {
  await sandbox.emulator.deps.deliveries.settled();
  const seen = { at: await nowOf(sandbox), answers: await readAll((path) => sandbox.control('GET', path)) };
  await sandbox.control('POST', '/control/clock', { advance: '1s' });
  return seen;
}

async function expectAll(sandbox: Sandbox, all: readonly Seen[]): Promise<void> {
  for (const { at, answers } of all)
    expect(await readAll((path) => callAt(sandbox.emulator, path, at)), at).toEqual(answers);
}

const moment = async (sandbox: Sandbox, at: string) =>
  (await sandbox.control('GET', `/control/timeline/moment?at=${at}`)).body as TimelineMomentView;

test('after many random acts, restarts and kills, every moment is answered as it was then', async () => {
  const seed = Math.floor(Math.random() * 1e9);
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  let folder = newFolder();
  let sandbox = await start(folder);
  await sandbox.control('POST', '/control/clock', { freeze: true });
  const url = await failingReceiver();
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed', 'sms.sent'] });
  const phone = (): string => `+1555555${1_000 + Math.floor(random() * 8)}`;
  const acts: readonly (() => Promise<unknown>)[] = [
    () => subscribe(sandbox, phone()),
    () => subscribe(sandbox, phone()),
    () => sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: phone() } }),
    () => sandbox.control('POST', '/control/clock', { advance: pick(['10m', '2d', '31d']) }),
    () => sandbox.control('POST', '/control/save', {}),
    async () => {
      await sandbox.close();
      sandbox = await start(folder);
    },
    async () => {
      const copy = copyAsKilled(folder);
      await sandbox.close();
      folder = copy;
      sandbox = await start(folder);
    },
  ];
  const seen: Seen[] = [];
  for (let n = 0; n < 24; n++) {
    await pick(acts)();
    seen.push(await see(sandbox));
  }
  await expectAll(sandbox, seen).catch((error: unknown) => {
    throw new Error(`With the seed ${seed}`, { cause: error });
  });
});

test('after a kill one looks at an earlier moment, goes back to it, and forks it; undo takes that back', async () => {
  const folder = newFolder();
  const program = fileURLToPath(bundleOf('test/store/serve-child.ts'));
  const child = spawn(process.execPath, [program, folder, workerUrl().href], { stdio: ['ignore', 'pipe', 'pipe'] });
  hearErrors(child.stderr);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { apiUrl, inspectorUrl } = JSON.parse(line.toString()) as { apiUrl: string; inspectorUrl: string };
  const token = readFileSync(join(folder, 'control-token'), 'utf8').trim();
  const send = async (url: string, bearer: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const answer = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
    return answer.status === 204 ? null : answer.json();
  };
  const control = (path: string, body?: object) => send(inspectorUrl + path, token, body);
  const join1 = (phone: string) =>
    send(`${apiUrl}/subscriptions`, 'sandpiper-demo-key', { user: { phone }, signUpSourceId: '100001' });
  await control('/control/clock', { freeze: true });
  await join1('+15555550123');
  const { now: at } = (await control('/control/clock')) as { now: string };
  const then = await readAll(async (path) => ({ body: await control(path) }));
  await control('/control/clock', { advance: '3d' });
  await join1('+15555550124');
  child.kill('SIGKILL');
  await once(child, 'close');

  const sandbox = await start(folder);
  const later = await readAll((path) => sandbox.control('GET', path));
  await expectAll(sandbox, [{ at, answers: then }]);
  const people = (await moment(sandbox, at)).counts.find(({ kind }) => kind === 'users');
  expect((people?.is ?? 0) - (people?.was ?? 0)).toBe(1);

  await sandbox.control('POST', '/control/timeline/fork', { at, name: 'before' });
  expect((await sandbox.control('POST', '/control/timeline/back', { at })).status).toBe(200);
  expect(await readAll((path) => sandbox.control('GET', path))).toEqual(then);
  await sandbox.control('POST', '/control/undo', {});
  expect(await readAll((path) => sandbox.control('GET', path))).toEqual(later);
  await sandbox.control('POST', '/control/snapshots/before/restore', {});
  expect(await readAll((path) => sandbox.control('GET', path))).toEqual(then);
});

test('what was before a moment that was gone back to is known after a restart, and what was after it is not', async () => {
  const folder = newFolder();
  const first = await start(folder);
  await first.control('POST', '/control/clock', { freeze: true });
  const before = await see(first);
  await subscribe(first, '+15555550123');
  const target = await see(first);
  await first.control('POST', '/control/clock', { advance: '3d' });
  await subscribe(first, '+15555550124');
  const gone = await see(first);
  await first.control('POST', '/control/timeline/back', { at: target.at });
  await first.close();
  const second = await start(folder);
  await expectAll(second, [before, target]);
  await second.control('POST', '/control/clock', { advance: '10d' });
  expect(await readAll((path) => callAt(second.emulator, path, gone.at))).toEqual(target.answers);
});

test('a reset begins a new past, and leaves nothing of the old one in the folder', async () => {
  const folder = newFolder();
  const first = await start(folder);
  await subscribe(first, '+15555550199');
  await first.control('POST', '/control/save', {});
  await subscribe(first, '+15555550198');
  await first.control('POST', '/control/save', {});
  const { at } = await see(first);
  await first.reset();
  await first.close();
  const second = await start(folder);
  expect(await callAt(second.emulator, '/control/messages', at)).toMatchObject({ status: 400 });
  const files = readdirSync(folder).filter((name) => /^(?:state|journal|checkpoint)/.test(name));
  expect(files.filter((name) => readFileSync(join(folder, name), 'utf8').includes('+1555555019'))).toEqual([]);
});

test('a folder of an older version opens, and says from when on one can look back', async () => {
  const folder = newFolder();
  const first = await start(folder);
  await subscribe(first, '+15555550123');
  const { at } = await see(first);
  await first.close();
  // As an older version left them: without times, and without what led to the state.
  for (const name of readdirSync(folder).filter((one) => /^(?:state|journal).*json$/.test(one))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const older = text.replaceAll(/"t":\d+,"line":\d+,|"at":\d+,"past":\[[\d,[\]]*\],|,"crc":"[0-9a-f]{8}"/g, '');
    expect(older.length).toBeLessThan(text.length);
    writeFileSync(join(folder, name), older);
  }
  const second = await start(folder);
  const opened = await nowOf(second);
  const refused = await callAt(second.emulator, '/control/messages', at);
  expect(refused).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/the earliest known moment is/) },
  });
  const { earliest } = await moment(second, opened);
  expect(Date.parse(earliest)).toBeGreaterThan(Date.parse(at));
  expect(Date.parse(earliest)).toBeLessThanOrEqual(Date.parse(opened));
  await second.control('POST', '/control/clock', { freeze: true });
  const seen = await see(second);
  await second.close();
  await expectAll(await start(folder), [seen]);
});

test('only its user can read what is kept for looking back', async () => {
  const folder = newFolder();
  const sandbox = await start(folder);
  const { at } = await see(sandbox);
  for (const phone of ['+15555550181', '+15555550182', '+15555550183']) {
    await subscribe(sandbox, phone);
    await sandbox.control('POST', '/control/save', {});
  }
  // Going back keeps the state files that it replaces, if they are all that is known of that time.
  await sandbox.reset();
  await subscribe(sandbox, '+15555550184');
  const { at: target } = await see(sandbox);
  await sandbox.control('POST', '/control/timeline/back', { at: target });
  expect(Date.parse(target)).toBeGreaterThan(Date.parse(at));
  const kept = readdirSync(folder).filter((name) => name.startsWith('checkpoint-'));
  expect(kept).toHaveLength(1);
  for (const name of kept) expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe('600');
  expect(existsSync(join(folder, 'state.json'))).toBe(true);
});
