import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Addresses, Server } from '../../electron/server.ts';
import type { WindowSettings } from '../../electron/settings.ts';
import { createWindow, toWindowOptions, type MainWindow } from '../../electron/window.ts';
import * as standIn from './stand-in.ts';

vi.mock('electron', () => import('./stand-in.ts'));

const { BrowserWindow, screen } = standIn;
const addresses: Addresses = {
  apiUrl: 'http://127.0.0.1:4747/v1',
  authUrl: 'http://127.0.0.1:4747',
  inspectorUrl: 'http://127.0.0.1:4748',
  token: 'a/b',
  dataDir: null,
};
const page = 'http://127.0.0.1:4748/#token=a%2Fb';

let state: { running: boolean; addresses: Addresses; settings: WindowSettings; closed: number; ended: number };
let window: MainWindow;
beforeEach(() => {
  state = { running: true, addresses, settings: { bounds: null, maximized: false }, closed: 0, ended: 0 };
  window = createWindow({
    server: { isRunning: () => state.running, addresses: () => state.addresses } as Server,
    settings: { get: () => state.settings, change: (part) => void (state.settings = { ...state.settings, ...part }) },
    preload: '/app/preload.cjs',
    devTools: false,
    onClosed: () => (state.closed += 1),
    onSessionEnd: () => (state.ended += 1),
  });
});
afterEach(() => {
  for (const one of BrowserWindow.getAllWindows()) one.close();
});
const opened = () => {
  const [one, ...more] = BrowserWindow.getAllWindows();
  if (!one || more.length > 0) throw new Error(`There are ${BrowserWindow.getAllWindows().length} windows.`);
  return one;
};

test('the page is kept in the sandbox, without Node, and its safety is never turned off', () => {
  const place = { x: 0, y: 0, width: 800, height: 600 };
  const options = toWindowOptions(place, { preload: '/app/preload.cjs', devTools: false, platform: 'linux' });
  expect(options.webPreferences).toEqual({
    preload: '/app/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
  });
  window.show();
  expect(opened().options['webPreferences']).toEqual(options.webPreferences);
});

test('the window shows the inspector of the control server, with the token in the fragment', () => {
  window.show();
  expect(opened().loaded).toEqual([page]);
  expect(opened().shown).toBe(1);
});

test('showing it again brings the same window to the front, out of the dock too', () => {
  window.show();
  const one = opened();
  one.minimized = true;
  window.show();
  expect(opened()).toBe(one);
  expect({ minimized: one.minimized, focused: one.focused }).toEqual({ minimized: false, focused: true });
  expect(one.loaded).toHaveLength(1);
});

test('commands to the page wait until it is loaded, and arrive in order', () => {
  window.tell({ go: '/requests/req_1' });
  window.show();
  window.tell({ run: 'palette' });
  expect(opened().webContents.sent).toEqual([]);
  opened().finish();
  window.tell({ run: 'help' });
  expect(opened().webContents.sent).toEqual([
    { channel: 'host:command', input: [{ go: '/requests/req_1' }] },
    { channel: 'host:command', input: [{ run: 'palette' }] },
    { channel: 'host:command', input: [{ run: 'help' }] },
  ]);
});

test('an action chosen while the server is stopped is not done when it is back, and a route is opened', () => {
  window.show();
  state.running = false;
  window.tell({ run: 'clock.30d' });
  opened().fail(-102);
  window.tell({ run: 'reset.demo' });
  window.tell({ go: '/webhooks' });
  opened().finish();
  window.tell({ run: 'reset.demo' });
  state.running = true;
  window.serverChanged();
  window.tell({ run: 'palette' });
  opened().finish();
  expect(opened().webContents.sent.map(({ input }) => input)).toEqual([[{ go: '/webhooks' }], [{ run: 'palette' }]]);
});

test('what a closed window was asked for is not done in the next one', () => {
  window.show();
  window.tell({ go: '/webhooks' });
  window.tell({ run: 'reset.demo' });
  opened().close();
  window.show();
  opened().finish();
  expect(opened().webContents.sent).toEqual([]);
});

test('the end of a session in Windows is passed on', () => {
  window.show();
  expect(state.ended).toBe(0);
  opened().emit('session-end', {});
  expect(state.ended).toBe(1);
});

test('its place is stored when it is closed, and used again', () => {
  screen.displays = [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } }];
  state.settings = { bounds: { x: 100, y: 50, width: 1000, height: 700 }, maximized: true };
  window.show();
  expect(opened().options).toMatchObject({ x: 100, y: 50, width: 1000, height: 700 });
  expect(opened().isMaximized()).toBe(true);
  opened().maximized = false;
  opened().close();
  expect(state).toMatchObject({
    closed: 1,
    settings: { bounds: { x: 100, y: 50, width: 1000, height: 700 }, maximized: false },
  });
  window.show();
  expect(opened().isMaximized()).toBe(false);
});

test('the displays are tried with the main one first', () => {
  screen.displays = [
    { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } },
    { id: 2, workArea: { x: 1920, y: 0, width: 1920, height: 1080 } },
  ];
  state.settings = { bounds: { x: 2000, y: 50, width: 1000, height: 700 }, maximized: false };
  window.show();
  expect(opened().options).toMatchObject({ x: 2000, y: 50 });
});

test('while the server is stopped a page that fails to load says so, and the inspector is loaded when the server is back', () => {
  window.show();
  opened().finish();
  state.running = false;
  opened().fail(-102);
  expect(opened().loaded.at(-1)).toMatch(/^data:text\/html/);
  expect(decodeURIComponent(opened().loaded.at(-1) ?? '')).toContain(
    'The server stopped. Choose “Start the Server Again” in the menu “Server”',
  );
  opened().finish();
  window.serverChanged();
  expect(opened().loaded).toHaveLength(2);
  state.running = true;
  window.serverChanged();
  expect(opened().loaded.at(-1)).toBe(page);
});

test('a load that is replaced by another one is not an error', () => {
  window.show();
  opened().fail(-3);
  expect(opened().loaded).toHaveLength(1);
});

test('a loaded page stays as it is when its server is back: it reconnects by itself', () => {
  window.show();
  opened().finish();
  window.serverChanged();
  expect(opened().loaded).toHaveLength(1);
});

test('a server on another port is another page', () => {
  window.show();
  opened().finish();
  state.addresses = { ...addresses, inspectorUrl: 'http://127.0.0.1:5000' };
  window.serverChanged();
  expect(opened().loaded.at(-1)).toBe('http://127.0.0.1:5000/#token=a%2Fb');
});

test('a page whose process crashed is loaded again, with its token', () => {
  window.show();
  opened().finish();
  opened().webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  expect(opened().loaded).toEqual([page, page]);
});
