import { BrowserWindow, nativeTheme, screen, type BrowserWindowConstructorOptions } from 'electron';
import { placeWindow, smallest, type Bounds } from './bounds.ts';
import type { HostCommand, HostEvents } from './host-channels.ts';
import { startAgain } from './menu.ts';
import { isOf } from './protection.ts';
import type { Server } from './server.ts';
import type { SettingsFile } from './settings.ts';

/** The one window. */
export interface MainWindow {
  /** Opens it, or brings it to the front. */
  show(): void;
  /**
   * Sends a command to the page; it waits while the page is loading. Without a page, a route waits for the next page.
   * An action is dropped: if it ran later, it would be a surprise.
   */
  tell(command: HostCommand): void;
  isFocused(): boolean;
  /** Loads a page that could not be loaded before the server was restarted. */
  serverChanged(): void;
  hide(): void;
}

/** Every protective option (docs/security.md, The desktop window), including Electron's current defaults. */
export function toWindowOptions(
  bounds: Bounds,
  { preload, devTools, platform }: { preload: string; devTools: boolean; platform: NodeJS.Platform },
): BrowserWindowConstructorOptions {
  return {
    ...bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'Sandpiper',
    // macOS has its menus on the screen, so the page's own bar can replace the title bar.
    ...(platform === 'darwin' ? { titleBarStyle: 'hiddenInset' as const } : {}),
    webPreferences: {
      preload,
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
      // The spell checker would download dictionaries from the network.
      spellcheck: false,
      devTools,
    },
  };
}

const commands: keyof HostEvents = 'host:command';
const colours = { light: '#ffffff', dark: '#191715' } as const;

/** The page that is shown while there is no server. */
const stoppedPage = `data:text/html;charset=utf-8,${encodeURIComponent(
  '<!doctype html><meta http-equiv="content-security-policy" content="default-src \'none\'"><title>Sandpiper</title>' +
    `<p>The server stopped. Choose “${startAgain}” in the menu “Server”; no acknowledged change is lost.`,
)}`;

export function createWindow({
  server,
  settings,
  preload,
  devTools,
  onClosed,
  onSessionEnd,
}: {
  readonly server: Server;
  readonly settings: SettingsFile;
  readonly preload: string;
  readonly devTools: boolean;
  readonly onClosed: () => void;
  /** Windows only: the person logs off, or the machine shuts down. */
  readonly onSessionEnd: () => void;
}): MainWindow {
  let window: BrowserWindow | null = null;
  /** The state of the inspector's page. */
  let page: 'none' | 'loading' | 'loaded' = 'none';
  let waiting: readonly HostCommand[] = [];

  function noPage(): void {
    page = 'none';
    waiting = waiting.filter((command) => 'go' in command);
  }

  function load(): void {
    const addresses = server.addresses();
    const isThere = server.isRunning() && addresses !== null;
    if (isThere) page = 'loading';
    else noPage();
    // The page takes the token out of its address at once (docs/decisions/0009-inspector-token.md).
    const address = isThere ? `${addresses.inspectorUrl}/#token=${encodeURIComponent(addresses.token)}` : stoppedPage;
    // `did-fail-load` reports errors.
    window?.loadURL(address).catch(() => {});
  }

  function open(): BrowserWindow {
    const displays = [
      screen.getPrimaryDisplay(),
      ...screen.getAllDisplays().filter(({ id }) => id !== screen.getPrimaryDisplay().id),
    ];
    const { bounds, maximized } = settings.get();
    const place = placeWindow(
      bounds,
      displays.map(({ workArea }) => workArea),
    );
    const opened = new BrowserWindow({
      ...toWindowOptions(place, { preload, devTools, platform: process.platform }),
      backgroundColor: colours[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
    });
    if (maximized) opened.maximize();
    opened.once('ready-to-show', () => opened.show());
    opened.on('close', () =>
      settings.change({ bounds: opened.getNormalBounds(), maximized: opened.isMaximized() || opened.isFullScreen() }),
    );
    opened.on('closed', () => {
      window = null;
      page = 'none';
      waiting = [];
      onClosed();
    });
    opened.on('session-end', onSessionEnd);
    const { webContents } = opened;
    webContents.on('did-finish-load', () => {
      if (!webContents.getURL().startsWith('http')) return;
      page = 'loaded';
      for (const command of waiting) webContents.send(commands, command);
      waiting = [];
    });
    webContents.on('did-fail-load', (_event, code, _reason, _address, isMainFrame) => {
      if (!isMainFrame || code === aborted) return;
      noPage();
      opened.loadURL(stoppedPage).catch(() => {});
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') load();
    });
    return opened;
  }

  return {
    show() {
      if (window) {
        if (window.isMinimized()) window.restore();
        window.show();
        window.focus();
        return;
      }
      window = open();
      load();
    },
    tell(command) {
      if (page === 'loaded') window?.webContents.send(commands, command);
      else if (page === 'loading' || 'go' in command) waiting = [...waiting, command];
    },
    isFocused: () => window?.isFocused() ?? false,
    serverChanged() {
      if (!window || !server.isRunning()) return;
      const isHere = isOf(server.addresses()?.inspectorUrl ?? null, window.webContents.getURL());
      if (page !== 'loaded' || !isHere) load();
    },
    hide: () => window?.hide(),
  };
}

/** Chromium's ERR_ABORTED: another page is loaded instead. */
const aborted = -3;
