/*
 * A mock of `electron`, for both of its processes: only what the shell uses, with Electron's own behaviour where the shell depends on it. stand-in.test.ts checks its names against Electron's own types. It imports only Node and uses no syntax but types, so that the built bundles can be run with it, too.
 */
import { EventEmitter } from 'node:events';

type Listener = (...input: never[]) => unknown;
type Input = readonly unknown[];

/** An event with `preventDefault`, as most of Electron's have. */
export function createEvent<T extends object>(more: T): T & { defaultPrevented: boolean; preventDefault(): void } {
  return {
    ...more,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}

class StandInApp extends EventEmitter {
  isPackaged = false;
  holdsLock = true;
  paths: Record<string, string> = { appData: '/nowhere', userData: '/nowhere/app' };
  switches: readonly string[] = [];
  protocols: readonly string[] = [];
  exitCode: number | null = null;
  isGone = false;
  commandLine = { hasSwitch: (name: string): boolean => this.switches.includes(name) };
  requestSingleInstanceLock(): boolean {
    return this.holdsLock;
  }
  isReady(): boolean {
    return true;
  }
  whenReady(): Promise<void> {
    return Promise.resolve();
  }
  getPath(name: string): string {
    return this.paths[name] ?? '';
  }
  setPath(name: string, path: string): void {
    this.paths = { ...this.paths, [name]: path };
  }
  setAsDefaultProtocolClient(name: string): boolean {
    this.protocols = [...this.protocols, name];
    return true;
  }
  setAppUserModelId(): void {}
  /** As Electron does it: `before-quit` may prevent it; then every window is closed, then `will-quit` and `quit`. */
  quit(): void {
    if (this.isGone) return;
    const event = createEvent({});
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.isGone = true;
    for (const window of BrowserWindow.getAllWindows()) window.close();
    this.emit('will-quit', createEvent({}));
    this.emit('quit', createEvent({}), 0);
  }
  exit(code: number): void {
    this.exitCode = code;
    this.isGone = true;
  }
}

class StandInSession extends EventEmitter {
  permissionRequest: ((contents: unknown, name: string, answer: (yes: boolean) => void) => void) | null = null;
  permissionCheck: ((contents: unknown, name: string) => boolean) | null = null;
  devicePermission: ((details: unknown) => boolean) | null = null;
  setPermissionRequestHandler(handler: StandInSession['permissionRequest']): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: StandInSession['permissionCheck']): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: StandInSession['devicePermission']): void {
    this.devicePermission = handler;
  }
}

class StandInWebContents extends EventEmitter {
  url = '';
  sent: readonly { readonly channel: string; readonly input: Input }[] = [];
  windowOpen: ((details: { readonly url: string }) => { readonly action: string }) | null = null;
  setWindowOpenHandler(handler: StandInWebContents['windowOpen']): void {
    this.windowOpen = handler;
  }
  getURL(): string {
    return this.url;
  }
  send(channel: string, ...input: Input): void {
    this.sent = [...this.sent, { channel, input }];
  }
}

export class BrowserWindow extends EventEmitter {
  static #all: readonly BrowserWindow[] = [];
  static getAllWindows(): readonly BrowserWindow[] {
    return BrowserWindow.#all;
  }
  readonly options: Readonly<Record<string, unknown>>;
  readonly webContents = new StandInWebContents();
  loaded: readonly string[] = [];
  shown = 0;
  isHidden = true;
  focused = false;
  minimized = false;
  maximized = false;
  constructor(options: Readonly<Record<string, unknown>>) {
    super();
    this.options = options;
    BrowserWindow.#all = [...BrowserWindow.#all, this];
    app.emit('web-contents-created', createEvent({}), this.webContents);
  }
  /** The test decides whether it can be loaded: `finish` or `fail` of the last page. */
  loadURL(url: string): Promise<void> {
    this.loaded = [...this.loaded, url];
    this.webContents.url = url;
    this.emit('ready-to-show');
    return Promise.resolve();
  }
  finish(): void {
    this.webContents.emit('did-finish-load');
  }
  fail(code: number): void {
    this.webContents.emit('did-fail-load', createEvent({}), code, 'FAILED', this.webContents.url, true);
  }
  show(): void {
    this.shown += 1;
    this.isHidden = false;
  }
  hide(): void {
    this.isHidden = true;
  }
  focus(): void {
    this.focused = true;
  }
  isFocused(): boolean {
    return this.focused;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  restore(): void {
    this.minimized = false;
  }
  maximize(): void {
    this.maximized = true;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  isFullScreen(): boolean {
    return false;
  }
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    const { x, y, width, height } = this.options as ReturnType<BrowserWindow['getNormalBounds']>;
    return { x, y, width, height };
  }
  /** A listener of `close` may prevent it; else it is destroyed, and the last one emits an event. */
  close(): void {
    const event = createEvent({});
    this.emit('close', event);
    if (event.defaultPrevented) return;
    BrowserWindow.#all = BrowserWindow.#all.filter((one) => one !== this);
    this.emit('closed');
    if (BrowserWindow.#all.length > 0 || app.isGone) return;
    // Electron quits by itself only without a listener.
    if (!app.emit('window-all-closed')) app.quit();
  }
}

export class Notification extends EventEmitter {
  static shown: readonly Notification[] = [];
  static isSupported(): boolean {
    return true;
  }
  readonly options: { readonly title: string; readonly body: string };
  constructor(options: { readonly title: string; readonly body: string }) {
    super();
    this.options = options;
  }
  show(): void {
    Notification.shown = [...Notification.shown, this];
  }
}

export const app = new StandInApp();
export const session = { defaultSession: new StandInSession() };

interface MenuItem {
  readonly label?: string;
  readonly submenu?: readonly MenuItem[];
  readonly click?: () => void;
  readonly [name: string]: unknown;
}
export const Menu = {
  current: null as readonly MenuItem[] | null,
  buildFromTemplate: (template: readonly MenuItem[]): readonly MenuItem[] => template,
  setApplicationMenu(menu: readonly MenuItem[]): void {
    Menu.current = menu;
  },
};

interface Frame {
  readonly url: string;
  readonly parent: unknown;
}
export const ipcMain = {
  handlers: new Map<string, (event: { readonly senderFrame: Frame | null }, ...input: Input) => unknown>(),
  handle(channel: string, handler: Listener): void {
    // As in Electron: a second handler for a channel is an error.
    if (ipcMain.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    ipcMain.handlers.set(channel, handler as never);
  },
  /** Handles `ipcRenderer.invoke` of a frame. */
  async invokeFrom(senderFrame: Frame | null, channel: string, ...input: Input): Promise<unknown> {
    const handler = ipcMain.handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return handler({ senderFrame }, ...(structuredClone(input) as Input));
  },
};

export const shell = {
  opened: [] as string[],
  revealed: [] as string[],
  openExternal(address: string): Promise<void> {
    shell.opened.push(address);
    return Promise.resolve();
  },
  showItemInFolder(path: string): void {
    shell.revealed.push(path);
  },
};

export const dialog = {
  asked: [] as { readonly detail: string; readonly buttons: readonly string[] }[],
  /** The button that the person presses. */
  press: 'Quit',
  showMessageBox(options: { readonly detail: string; readonly buttons: readonly string[] }) {
    dialog.asked.push(options);
    return Promise.resolve({ response: options.buttons.indexOf(dialog.press), checkboxChecked: false });
  },
};

const display = { id: 1, workArea: { x: 0, y: 25, width: 1920, height: 1055 } };
export const screen = {
  displays: [display],
  getPrimaryDisplay: () => screen.displays[0],
  getAllDisplays: () => screen.displays,
};
export const nativeTheme = { shouldUseDarkColors: false };

export const contextBridge = {
  exposed: {} as Record<string, Record<string, unknown>>,
  exposeInMainWorld(name: string, api: Record<string, unknown>): void {
    contextBridge.exposed[name] = api;
  },
};
class StandInIpcRenderer extends EventEmitter {
  invoked: readonly { readonly channel: string; readonly input: Input }[] = [];
  invoke(channel: string, ...input: Input): Promise<unknown> {
    this.invoked = [...this.invoked, { channel, input }];
    return Promise.resolve(null);
  }
}
export const ipcRenderer = new StandInIpcRenderer();
