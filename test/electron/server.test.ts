import type { App } from 'electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { quitInOrder } from '../../electron/quit.ts';
import { createServer, type Server } from '../../electron/server.ts';
import { askAfterFailedStart } from '../../electron/start-dialog.ts';
import { defaultOptions, type EmulatorOptions } from '../../emulator/options.ts';
import { startEmulator } from '../../emulator/start-emulator.ts';
import { workerUrl } from '../support/built.ts';
import * as standIn from './stand-in.ts';

vi.mock('electron', () => import('./stand-in.ts'));

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function setUp(options: Partial<EmulatorOptions> = {}) {
  const said: string[] = [];
  const changes: boolean[] = [];
  const server: Server = createServer({
    startEmulator,
    options: { ...defaultOptions, port: 0, inspectorPort: 0, dataDir: null, workerUrl: workerUrl(), ...options },
    onChange: () => changes.push(server.isRunning()),
    say: (line) => said.push(line),
  });
  cleanUps.push(() => server.stop());
  return { server, said, changes };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'desktop-'));
  cleanUps.push(() => rmSync(path, { recursive: true, force: true }));
  return join(path, 'data');
}

const asDemo = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };
async function makeWebhook(server: Server, url: string): Promise<number> {
  const body = JSON.stringify({ url, events: ['sms.sent'] });
  return (await fetch(`${server.addresses()?.apiUrl}/webhooks`, { method: 'POST', headers: asDemo, body })).status;
}
async function webhookUrls(server: Server): Promise<readonly string[]> {
  const answer = await fetch(`${server.addresses()?.apiUrl}/webhooks`, { headers: asDemo });
  return ((await answer.json()) as { webhooks: { url: string }[] }).webhooks.map(({ url }) => url);
}
const isReached = async (server: Server): Promise<boolean> => {
  const { inspectorUrl = '', token = '' } = server.addresses() ?? {};
  try {
    return (await fetch(`${inspectorUrl}/control/health`, { headers: { authorization: `Bearer ${token}` } })).ok;
  } catch {
    return false;
  }
};

test('a restart keeps ports, token and records, so that the page connects again by itself', async () => {
  const { server, changes } = setUp({ dataDir: folder() });
  await server.start();
  const before = server.addresses();
  expect(await makeWebhook(server, 'http://localhost:3000/kept')).toBe(201);
  expect(await server.restart()).toBeNull();
  expect(server.addresses()).toEqual(before);
  expect(await webhookUrls(server)).toEqual(['http://localhost:3000/kept']);
  expect(changes).toEqual([true, false, true]);
});

test('simultaneous restarts run one after the other', async () => {
  const { server } = setUp();
  await server.start();
  expect(await Promise.all([server.restart(), server.restart(), server.start()])).toEqual([null, null, undefined]);
  expect(await isReached(server)).toBe(true);
});

test('an error ends the server but not the app; it can be started again', async () => {
  const { server, said, changes } = setUp();
  await server.start();
  await server.fail(new Error('something unexpected'));
  expect(await isReached(server)).toBe(false);
  expect(changes).toEqual([true, false]);
  expect(said.join()).toContain('something unexpected');
  expect(await server.restart()).toBeNull();
  expect(await isReached(server)).toBe(true);
});

test('a busy port is explained, and free ones are used if the person chooses so', async () => {
  const busy = createTcpServer().listen(0, '127.0.0.1');
  cleanUps.push(() => busy.close());
  await new Promise((resolve) => busy.once('listening', resolve));
  const { port } = busy.address() as { port: number };
  const { server } = setUp({ port });
  const problem = await server.start().then(
    () => null,
    (error: Error) => error,
  );
  expect(problem?.message).toContain(`Port ${port}`);
  standIn.dialog.press = 'Use Free Ports';
  expect(await askAfterFailedStart(problem)).toBe('free-ports');
  expect(standIn.dialog.asked.at(-1)).toMatchObject({
    detail: problem?.message,
    buttons: ['Use Free Ports', 'Try Again', 'Quit'],
  });
  await server.start('free');
  expect(await isReached(server)).toBe(true);
});

test('a data folder in use is explained, and other ports are not offered for it', async () => {
  const dataDir = folder();
  const first = setUp({ dataDir }).server;
  await first.start();
  const second = setUp({ dataDir }).server;
  const problem = await second.start().then(
    () => null,
    (error: Error) => error,
  );
  standIn.dialog.press = 'Quit';
  expect(await askAfterFailedStart(problem)).toBe('quit');
  expect(standIn.dialog.asked.at(-1)).toMatchObject({ detail: problem?.message, buttons: ['Try Again', 'Quit'] });
  expect(problem?.message).toContain(dataDir);
  expect(await isReached(first)).toBe(true);
});

test('quitting waits until everything is written: what was acknowledged is there at the next start', async () => {
  const dataDir = folder();
  const { server } = setUp({ dataDir });
  await server.start();
  const urls = Array.from({ length: 10 }, (_, index) => `http://localhost:3000/${index}`);
  const { app } = standIn;
  const ended: string[] = [];
  app.on('quit', () => ended.push('quit'));
  quitInOrder(
    app as unknown as App,
    [
      () => ended.push('window'),
      async () => {
        await server.stop();
        ended.push('server');
      },
    ],
    (line) => ended.push(line),
  );
  for (const url of urls) expect(await makeWebhook(server, url)).toBe(201);
  const quitted = new Promise((resolve) => app.once('quit', resolve));
  // The menu, Ctrl+C and the system may all request it at once.
  app.quit();
  app.quit();
  expect(app.isGone).toBe(false);
  await quitted;
  expect(ended).toEqual(['window', 'server', 'quit']);
  const next = setUp({ dataDir }).server;
  await next.start();
  expect((await webhookUrls(next)).toSorted()).toEqual(urls.toSorted());
});

test('a failing or hanging step does not prevent quitting', async () => {
  const app = new (standIn.app.constructor as new () => typeof standIn.app)();
  const said: string[] = [];
  const quitted = new Promise((resolve) => app.once('quit', resolve));
  quitInOrder(
    app as unknown as App,
    [
      () => {
        throw new Error('the disk is full');
      },
      () => new Promise(() => {}),
    ],
    (line) => said.push(line),
    20,
  );
  // Electron keeps its process while windows exist; here nothing else does.
  const alive = setInterval(() => {}, 1_000);
  app.quit();
  await quitted;
  clearInterval(alive);
  expect(said).toEqual(['Sandpiper could not stop cleanly: the disk is full']);
});
