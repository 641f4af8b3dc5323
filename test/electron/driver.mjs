// Runs the main file of an app with the mock of Electron, and executes commands that a test sends as messages.
import * as electron from 'electron';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { app, BrowserWindow, Menu, ipcMain, shell } = electron;
const folder = process.argv[2];
app.paths = { appData: process.env.STAND_IN_APP_DATA, userData: join(process.env.STAND_IN_APP_DATA, 'default') };
app.holdsLock = process.env.STAND_IN_LOCK !== 'taken';
app.isPackaged = process.env.STAND_IN_PACKAGED === 'yes';
// Electron's process then ends, even with open handles.
app.on('quit', () => process.exit(0));
const leave = app.exit.bind(app);
app.exit = (code) => {
  leave(code);
  process.exit(code);
};

// As Electron does on systems that have signals.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => app.quit());

const page = () => BrowserWindow.getAllWindows()[0];
const frame = () => ({ url: new URL('/', page().loaded[0]).href, parent: null });
const items = (menu) => menu.flatMap((item) => [item, ...items(item.submenu ?? [])]);
const acts = {
  windows: () =>
    BrowserWindow.getAllWindows().map(({ options, loaded, webContents, shown, focused, isHidden }) => ({
      options,
      loaded,
      sent: webContents.sent,
      shown,
      focused,
      isHidden,
    })),
  labels: () => items(Menu.current).flatMap(({ label }) => label ?? []),
  press: (label) =>
    items(Menu.current)
      .find((item) => item.label === label)
      .click(),
  finish: () => page().finish(),
  close: () => page().close(),
  ask: (channel, ...input) => ipcMain.invokeFrom(frame(), channel, ...input),
  opens: (url) => ({ answer: page().webContents.windowOpen({ url }), opened: shell.opened }),
  secondInstance: (...argv) => app.emit('second-instance', {}, argv, '/'),
  openUrl: (url) => app.emit('open-url', electron.createEvent({}), url),
  fail: (how) => {
    if (how === 'reject') void Promise.reject(new Error('a promise no one waited for'));
    else
      setTimeout(() => {
        throw new Error('an unexpected failure');
      });
  },
  paths: () => app.paths,
  protocols: () => app.protocols,
  environment: () => Object.keys(process.env),
  quit: () => app.quit(),
};

process.on('message', async ({ id, name, input }) => {
  try {
    const value = await acts[name](...input);
    process.send({ id, value: value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null') });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});

const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
await import(pathToFileURL(join(folder, main)).href);
