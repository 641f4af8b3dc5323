import { Notification, app, session, shell } from 'electron';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultOptions } from '../emulator/options.ts';
import { startEmulator } from '../emulator/start-emulator.ts';
import { linkAmong, linkScheme, toRoute } from './deep-links.ts';
import { answerHostCalls, showDataFile } from './host-handlers.ts';
import { setMenus } from './menu.ts';
import { createNotifier } from './notifications.ts';
import { denyPermissions, mayOpen, protectPages, type Ours } from './protection.ts';
import { quitInOrder } from './quit.ts';
import { createServer, toMessage } from './server.ts';
import { openSettings } from './settings.ts';
import { askAfterFailedStart } from './start-dialog.ts';
import { takeStartOptions } from './start-options.ts';
import { createWindow } from './window.ts';

const say = (line: string): void => void process.stderr.write(`sandpiper: ${line}\n`);
/** Not available in production, unless requested at the start. */
const devTools = !app.isPackaged || app.commandLine.hasSwitch('devtools');

// Next to the data folder and with another name: on two systems both would be called Sandpiper.
if (!app.commandLine.hasSwitch('user-data-dir'))
  app.setPath('userData', join(app.getPath('appData'), 'sandpiper-window'));

// The id of the installed app's shortcuts (electron-builder.yml): without it Windows shows no notifications.
if (process.platform === 'win32') app.setAppUserModelId('dev.sandpiper.app');

// Not awaited here: Electron is ready only after this file has run to its end.
if (!app.requestSingleInstanceLock()) app.quit();
else run().catch(failToStart);

async function run(): Promise<void> {
  const options = takeStartOptions(process.env);
  const settings = openSettings(join(app.getPath('userData'), 'window.json'), say);
  const server = createServer({
    startEmulator,
    options: {
      ...defaultOptions,
      ...options,
      workerUrl: new URL('./catalog-worker.cjs', import.meta.url),
      uiDir: fileURLToPath(new URL('../renderer', import.meta.url)),
      onNotice: say,
    },
    onChange: () => {
      showMenus();
      window.serverChanged();
    },
    say,
  });
  const origin = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).origin);
  const ours: Ours = {
    inspector: () => origin(server.addresses()?.inspectorUrl),
    auth: () => origin(server.addresses()?.authUrl),
  };
  const openLink = (address: string): void => {
    if (mayOpen(address, ours)) shell.openExternal(address).catch((error: unknown) => say(toMessage(error)));
  };
  const window = createWindow({
    server,
    settings,
    preload: fileURLToPath(new URL('../preload/preload.cjs', import.meta.url)),
    devTools,
    onClosed: () => void (process.platform === 'darwin' || app.quit()),
    onSessionEnd: () => app.quit(),
  });
  const go = (route: string): void => {
    window.show();
    window.tell({ go: route });
  };
  const notifier = createNotifier({
    isWanted: () => Notification.isSupported() && !window.isFocused(),
    show: (title, body, onClick) => new Notification({ title, body }).on('click', onClick).show(),
    onClick: go,
  });
  const showMenus = (): void =>
    setMenus(
      {
        run: (name) => {
          window.show();
          window.tell({ run: name });
        },
        showDataFile: () => void showDataFile(server),
        restartServer: () => void restart(),
        openLink,
      },
      { platform: process.platform, devTools, isRunning: server.isRunning() },
    );

  /** Tries until the server runs, or the person cancels. */
  async function start(ports?: 'free'): Promise<void> {
    try {
      await server.start(ports);
    } catch (error) {
      say(toMessage(error));
      const choice = await askAfterFailedStart(error);
      if (choice === 'quit') app.quit();
      else await start(choice === 'free-ports' ? 'free' : undefined);
    }
  }
  async function restart(): Promise<void> {
    const problem = await server.restart();
    if (problem !== null) await start();
  }
  const openLinked = (link: string | null): void => {
    const route = link === null ? null : toRoute(link);
    if (route === null) window.show();
    else go(route);
  };

  protectPages(app, ours, openLink);
  quitInOrder(app, [() => window.hide(), () => notifier.stop(), () => server.stop()], say);
  process.on('uncaughtException', (error) => void server.fail(error));
  process.on('unhandledRejection', (error) => void server.fail(error));
  app.on('window-all-closed', () => {});
  let firstLink = linkAmong(process.argv);
  app.on('open-url', (event, link) => {
    event.preventDefault();
    if (app.isReady() && server.addresses()) openLinked(link);
    else firstLink = link;
  });
  await app.whenReady();
  // The parent process waits for this line, which shows that Electron runs.
  process.send?.('ready');
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  app.on('second-instance', (_event, argv) => openLinked(linkAmong(argv)));
  app.on('activate', () => window.show());
  denyPermissions(session.defaultSession, ours);
  answerHostCalls({ server, ours, notify: notifier.tell });
  showMenus();
  await start();
  if (!server.isRunning()) return;
  openLinked(firstLink);
  const { apiUrl, inspectorUrl } = server.addresses() ?? {};
  process.stdout.write(`Sandpiper is open: base URL ${apiUrl}, inspector ${inspectorUrl}. Ctrl+C ends it.\n`);
}

function failToStart(error: unknown): void {
  say(toMessage(error));
  app.exit(1);
}
