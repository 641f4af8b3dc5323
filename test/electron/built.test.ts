import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { hearErrors } from '../support/told-errors.ts';
import { runShell, writeStandIn, type Shell } from './support.ts';

let folder = '';
const cleanUps: (() => unknown)[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-shell-'));
  writeStandIn(join(folder, 'dist'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

interface WindowState {
  readonly loaded: readonly string[];
  readonly sent: readonly { readonly channel: string; readonly input: readonly unknown[] }[];
  readonly focused: boolean;
  readonly isHidden: boolean;
  readonly options: { readonly webPreferences: { readonly preload: string; readonly devTools: boolean } };
}
interface Place {
  readonly appData: string;
  readonly dataDir: string;
}

function newPlace(): Place {
  const appData = mkdtempSync(join(tmpdir(), 'sandpiper-shell-user-'));
  cleanUps.push(() => rmSync(appData, { recursive: true, force: true }));
  return { appData, dataDir: join(appData, 'data') };
}

function launch({ appData, dataDir }: Place, env: NodeJS.ProcessEnv = {}): Shell {
  const options = {
    port: 0,
    inspectorPort: 0,
    host: '127.0.0.1',
    publicUrl: null,
    publicInspectorUrl: null,
    dataDir,
    seed: null,
    world: null,
    pace: 'instant',
    rateLimits: 'off',
    choices: { unknownFields: 'note', unknownUnsubscribe: 'refuse', answers: 'helpful' },
    record: { exchanges: 100, bytes: 1_000_000, days: 30 },
    token: 'a-token-of-the-test',
    allowHosts: [],
  };
  const shell = runShell(join(folder, 'dist'), builtApp(), {
    STAND_IN_APP_DATA: appData,
    SANDPIPER_OPTIONS: JSON.stringify(options),
    ...env,
  });
  cleanUps.push(async () => {
    shell.process.kill('SIGKILL');
    await shell.ended;
  });
  return shell;
}

/** Starts the app and waits for its window. */
async function openShell(place: Place, env?: NodeJS.ProcessEnv): Promise<Shell> {
  const shell = launch(place, env);
  await expect.poll(() => shell.act<readonly WindowState[]>('windows').then(({ length }) => length)).toBe(1);
  return shell;
}

async function windowOf(shell: Shell): Promise<WindowState> {
  const [window] = await shell.act<readonly WindowState[]>('windows');
  if (!window) throw new Error('There is no window.');
  return window;
}
const originOf = async (shell: Shell): Promise<string> => new URL((await windowOf(shell)).loaded[0] ?? '').origin;
const withToken = { authorization: 'Bearer a-token-of-the-test' };
const addressesOf = async (shell: Shell): Promise<{ readonly apiUrl: string; readonly authUrl: string }> =>
  (await fetch(`${await originOf(shell)}/control/health`, { headers: withToken })).json() as never;
const asDemo = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };

test('the built app opens a window on the inspector, which its own server serves with its policy', async () => {
  const place = newPlace();
  const shell = await openShell(place);
  expect(shell.isReady()).toBe(true);
  const { loaded, options } = await windowOf(shell);
  expect(loaded).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=a-token-of-the-test$/)]);
  const answer = await fetch(loaded[0] ?? '');
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'/,
  );
  expect(await answer.text()).toContain('<div id="app">');
  expect(existsSync(options.webPreferences.preload)).toBe(true);
  expect(await shell.act('environment')).not.toContain('SANDPIPER_OPTIONS');
  // Chromium's profile has a folder next to the data folder, never the same.
  expect(await shell.act('paths')).toMatchObject({ userData: join(place.appData, 'sandpiper-window') });
});

test('acknowledged changes from before the window was closed are there at the next start, and no process is left', async () => {
  const place = newPlace();
  const first = await openShell(place);
  const { apiUrl } = await addressesOf(first);
  const body = JSON.stringify({ url: 'http://localhost:3000/kept', events: ['sms.sent'] });
  expect((await fetch(`${apiUrl}/webhooks`, { method: 'POST', headers: asDemo, body })).status).toBe(201);
  first.act('close').catch(() => {});
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(place.dataDir)).not.toContain('lock');
  expect(readdirSync(place.dataDir)).not.toContain('control.json');
  const second = await openShell(place);
  const kept = await fetch(`${(await addressesOf(second)).apiUrl}/webhooks`, { headers: asDemo });
  expect(await kept.text()).toContain('http://localhost:3000/kept');
});

test.for(['throw', 'reject'])(
  'a failure (%s) stops the server, not the window; the page starts it again',
  async (how) => {
    const shell = await openShell(newPlace());
    await shell.act('finish');
    const origin = await originOf(shell);
    await shell.act('fail', how);
    await expect.poll(() => shell.act<readonly string[]>('labels')).toContain('Start the Server Again');
    expect(await shell.act('windows')).toHaveLength(1);
    await expect(fetch(origin)).rejects.toThrow('fetch failed');
    expect(await shell.act('ask', 'host:restart-server')).toBeNull();
    expect((await fetch(`${origin}/control/health`, { headers: withToken })).status).toBe(200);
    expect(await shell.act('labels')).toContain('Restart the Server');
  },
);

test('the menu restarts the server', async () => {
  const shell = await openShell(newPlace());
  const origin = await originOf(shell);
  await fetch(`${(await addressesOf(shell)).apiUrl}/me`, { headers: asDemo });
  const requests = async () => {
    const answer = await fetch(`${origin}/control/requests`, { headers: withToken });
    return ((await answer.json()) as { readonly requests: readonly unknown[] }).requests.length;
  };
  expect(await requests()).toBe(1);
  // A stream ends with the server that sends it.
  const stream = await fetch(`${origin}/control/stream`, { headers: withToken });
  await shell.act('press', 'Restart the Server');
  await stream.text().catch(() => '');
  await expect.poll(() => requests().catch(() => 0)).toBe(1);
});

test('a second start brings the window to the front, and its link only navigates', async () => {
  const shell = await openShell(newPlace());
  await shell.act('finish');
  await shell.act('secondInstance', '/usr/bin/sandpiper', 'sandpiper://requests/req_1');
  await shell.act('secondInstance', '/usr/bin/sandpiper', 'sandpiper://requests/req_1/replay');
  await shell.act('secondInstance', '/usr/bin/sandpiper');
  await shell.act('openUrl', 'sandpiper://webhooks');
  const { focused, sent } = await windowOf(shell);
  expect(focused).toBe(true);
  expect(sent.map(({ input }) => input)).toEqual([[{ go: '/requests/req_1' }], [{ go: '/webhooks' }]]);
});

test('a second instance ends at once, and never touches the data', async () => {
  const place = newPlace();
  const shell = launch(place, { STAND_IN_LOCK: 'taken' });
  expect(await shell.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(shell.isReady()).toBe(false);
  expect(existsSync(place.dataDir)).toBe(false);
});

test('a packaged app has no DevTools, and takes the links', async () => {
  const packaged = await openShell(newPlace(), { STAND_IN_PACKAGED: 'yes' });
  expect((await windowOf(packaged)).options.webPreferences.devTools).toBe(false);
  expect(await packaged.act('protocols')).toEqual(['sandpiper']);
  const fromSource = await openShell(newPlace());
  expect((await windowOf(fromSource)).options.webPreferences.devTools).toBe(true);
  expect(await fromSource.act('protocols')).toEqual([]);
});

test('the install page of our server opens in the browser; links in payloads open nothing', async () => {
  const shell = await openShell(newPlace());
  const install = `${(await addressesOf(shell)).authUrl}/integrations/oauth-install`;
  expect(await shell.act('opens', 'ms-msdt:/id PCWDiagnostic')).toEqual({ answer: { action: 'deny' }, opened: [] });
  expect(await shell.act('opens', install)).toEqual({ answer: { action: 'deny' }, opened: [install] });
});

test('options that cannot be read start nothing, in one line', async () => {
  const shell = launch(newPlace(), { SANDPIPER_OPTIONS: '{"port":"80"}' });
  const { code, stderr } = await shell.ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^sandpiper: SANDPIPER_OPTIONS .*\n$/);
});

test('“sandpiper open” starts the built app with its options, and ends it with everything written', async () => {
  const { appData, dataDir } = newPlace();
  const cli = spawn(
    process.execPath,
    [join(builtApp(), 'bin/sandpiper.cjs'), 'open', '--port', '0', '--inspector-port', '0', '--data', dataDir],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...personEnvironment(),
        DISPLAY: ':9',
        ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'dist'),
        STAND_IN_APP_DATA: appData,
      },
    },
  );
  cleanUps.push(() => cli.kill('SIGKILL'));
  hearErrors(cli.stderr);
  let stdout = '';
  cli.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await expect.poll(() => stdout).toMatch(/^Sandpiper is open: base URL http:\S+\/v1, .*\n$/);
  expect(readdirSync(dataDir)).toContain('lock');
  cli.kill('SIGTERM');
  const [code] = (await once(cli, 'close')) as [number];
  expect(code).toBe(0);
  expect(readdirSync(dataDir)).not.toContain('lock');
});

test('the built preload needs only Electron, and gives the page its named functions', () => {
  const code = readFileSync(join(builtApp(), 'out/preload/preload.cjs'), 'utf8');
  const asked: string[] = [];
  const exposed: [string, object][] = [];
  const need = (name: string): object => {
    asked.push(name);
    return {
      contextBridge: { exposeInMainWorld: (key: string, api: object) => exposed.push([key, api]) },
      ipcRenderer: {},
    };
  };
  // As Electron runs it: a script with `require`, not a module.
  // oxlint-disable-next-line no-new-func
  new Function('require', 'exports', 'module', code)(need, {}, {});
  expect(asked).toEqual(['electron']);
  expect(exposed.map(([key, api]) => [key, Object.keys(api).toSorted()])).toEqual([
    ['host', ['notify', 'onCommand', 'platform', 'restartServer', 'showDataFile']],
  ]);
});
