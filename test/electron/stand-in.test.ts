import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const types = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'electron.d.ts'),
  'utf8',
);

/** The text of a class or interface of Electron's types. */
function declarationOf(name: string): string {
  const [, rest = ''] = types.split(new RegExp(`\\n  (?:class|interface) ${name} .*\\{\\n`));
  return rest.split(/\n {2}\}\n/)[0] ?? '';
}

/** What the mock offers of each, as the shell uses it. */
const used: { readonly [name: string]: readonly string[] } = {
  App: [
    'isPackaged',
    'commandLine',
    'requestSingleInstanceLock',
    'isReady',
    'whenReady',
    'getPath',
    'setPath',
    'setAsDefaultProtocolClient',
    'setAppUserModelId',
    'quit',
    'exit',
    "'before-quit'",
    "'will-quit'",
    "'quit'",
    "'window-all-closed'",
    "'web-contents-created'",
    "'second-instance'",
    "'open-url'",
    "'activate'",
  ],
  Session: [
    'setPermissionRequestHandler',
    'setPermissionCheckHandler',
    'setDevicePermissionHandler',
    "'will-download'",
  ],
  WebContents: [
    'setWindowOpenHandler',
    'getURL',
    'send',
    "'did-finish-load'",
    "'did-fail-load'",
    "'render-process-gone'",
    "'will-navigate'",
    "'will-frame-navigate'",
    "'will-redirect'",
    "'will-attach-webview'",
  ],
  BrowserWindow: [
    'webContents',
    'loadURL',
    'show',
    'hide',
    'focus',
    'isFocused',
    'isMinimized',
    'restore',
    'maximize',
    'isMaximized',
    'isFullScreen',
    'getNormalBounds',
    'close',
    "'ready-to-show'",
    "'close'",
    "'closed'",
  ],
  Notification: ['isSupported', 'show', "'click'"],
  Menu: ['buildFromTemplate', 'setApplicationMenu'],
  IpcMain: ['handle'],
  Shell: ['openExternal', 'showItemInFolder'],
  Dialog: ['showMessageBox'],
  Screen: ['getPrimaryDisplay', 'getAllDisplays'],
  NativeTheme: ['shouldUseDarkColors'],
  ContextBridge: ['exposeInMainWorld'],
  IpcRenderer: ['invoke', "'on'", "'off'"].map((name) => name.replaceAll("'", '')),
};

test.for(Object.entries(used))('Electron’s own %s has everything that the mock has', ([name, members]) => {
  const declaration = declarationOf(name);
  const missing = members.filter(
    (member) =>
      !(member.startsWith("'")
        ? declaration.includes(`event: ${member}`)
        : new RegExp(`^    (?:static |readonly )*${member}[(:<?]`, 'm').test(declaration)),
  );
  expect(missing).toEqual([]);
});
