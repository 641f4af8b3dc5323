import { beforeEach, expect, test, vi } from 'vitest';
import type { HostNotice } from '../../electron/host-channels.ts';
import { answerHostCalls } from '../../electron/host-handlers.ts';
import type { Server } from '../../electron/server.ts';
import * as standIn from './stand-in.ts';

vi.mock('electron', () => import('./stand-in.ts'));

const { contextBridge, ipcMain, ipcRenderer, shell } = standIn;
const ours = { inspector: () => 'http://127.0.0.1:4748', auth: () => 'http://127.0.0.1:4747' };
const page = { url: 'http://127.0.0.1:4748/#/requests', parent: null };
const notice: HostNotice = { title: 'Sandpiper', body: 'A webhook was disabled.', route: '/webhooks/1?tab=keys' };

let done: string[] = [];
let dataDir: string | null = null;
beforeEach(() => {
  done = [];
  dataDir = '/home/dev/data';
  shell.revealed = [];
  ipcMain.handlers.clear();
  answerHostCalls({
    server: {
      addresses: () => ({ dataDir }),
      restart: () => {
        done.push('restart');
        return Promise.resolve(null);
      },
    } as unknown as Server,
    ours,
    notify: ({ title }) => {
      done.push(title);
      return true;
    },
  });
});

test('the page can make only these three calls', () => {
  expect([...ipcMain.handlers.keys()].toSorted()).toEqual([
    'host:notify',
    'host:restart-server',
    'host:show-data-file',
  ]);
});

test('the data file is shown in its folder; in memory there is none', async () => {
  expect(await ipcMain.invokeFrom(page, 'host:show-data-file')).toBe(true);
  expect(shell.revealed).toEqual(['/home/dev/data/state.json']);
  dataDir = null;
  expect(await ipcMain.invokeFrom(page, 'host:show-data-file')).toBe(false);
  expect(shell.revealed).toHaveLength(1);
});

test('the page notifies, and restarts the server', async () => {
  expect(await ipcMain.invokeFrom(page, 'host:notify', notice)).toBe(true);
  expect(await ipcMain.invokeFrom(page, 'host:restart-server')).toBeNull();
  expect(done).toEqual(['Sandpiper', 'restart']);
});

test.for([
  ['another origin', { url: 'https://evil.example/', parent: null }],
  ['the emulated API', { url: 'http://127.0.0.1:4747/integrations/oauth-install', parent: null }],
  ['a page that looks like ours', { url: 'http://127.0.0.1:4748.evil.example/', parent: null }],
  ['a file', { url: 'file:///tmp/x.html', parent: null }],
  ['the page shown while the server is stopped', { url: 'data:text/html,x', parent: null }],
  ['a frame in our page', { url: 'http://127.0.0.1:4748/', parent: page }],
  ['a frame without an address in our page', { url: 'about:srcdoc', parent: page }],
  ['a destroyed frame', null],
] as const)('%s is not answered', async ([, frame]) => {
  for (const [channel, ...input] of [
    ['host:show-data-file'],
    ['host:restart-server'],
    ['host:notify', notice],
  ] as const)
    await expect(ipcMain.invokeFrom(frame, channel, ...input)).rejects.toThrow('This page may not call');
  expect(done).toEqual([]);
  expect(shell.revealed).toEqual([]);
});

test('an unknown channel is not answered', async () => {
  for (const channel of ['host:open-link', 'host:read-file', 'ELECTRON_BROWSER_REQUIRE', ''])
    await expect(ipcMain.invokeFrom(page, channel)).rejects.toThrow('No handler');
});

test.for([
  ['host:notify', []],
  ['host:notify', ['a text']],
  ['host:notify', [null]],
  ['host:notify', [[notice]]],
  ['host:notify', [notice, notice]],
  ['host:notify', [{ ...notice, body: 7 }]],
  ['host:notify', [{ ...notice, body: 'x'.repeat(2_001) }]],
  ['host:notify', [{ ...notice, title: '' }]],
  ['host:notify', [{ ...notice, route: 'https://evil.example/' }]],
  ['host:notify', [{ ...notice, route: 'javascript:alert(1)' }]],
  ['host:notify', [{ ...notice, icon: '/etc/passwd' }]],
  ['host:notify', [{ title: 'a', body: 'b' }]],
  ['host:show-data-file', ['/etc']],
  ['host:restart-server', [{ port: 80 }]],
] as const)('%s with %j is refused', async ([channel, input]) => {
  await expect(ipcMain.invokeFrom(page, channel, ...input)).rejects.toThrow('does not accept these arguments');
  expect(done).toEqual([]);
  expect(shell.revealed).toEqual([]);
});

test('the page gets named functions and the platform, never ipcRenderer, and no event of it', async () => {
  await import('../../electron/preload.ts');
  const { host } = contextBridge.exposed;
  expect(Object.keys(contextBridge.exposed)).toEqual(['host']);
  expect(Object.keys(host ?? {}).toSorted()).toEqual([
    'notify',
    'onCommand',
    'platform',
    'restartServer',
    'showDataFile',
  ]);
  const { showDataFile, notify, restartServer, onCommand } = host as {
    readonly [name: string]: (...input: unknown[]) => unknown;
  };
  await showDataFile?.('/etc');
  await notify?.(notice, 'more');
  await restartServer?.();
  expect(ipcRenderer.invoked).toEqual([
    { channel: 'host:show-data-file', input: [] },
    { channel: 'host:notify', input: [notice] },
    { channel: 'host:restart-server', input: [] },
  ]);
  const heard: unknown[][] = [];
  const stop = onCommand?.((...input: unknown[]) => heard.push(input)) as () => unknown;
  ipcRenderer.emit('host:command', { sender: ipcRenderer }, { run: 'palette' });
  expect(stop()).toBeUndefined();
  ipcRenderer.emit('host:command', { sender: ipcRenderer }, { run: 'help' });
  expect(heard).toEqual([[{ run: 'palette' }]]);
});
