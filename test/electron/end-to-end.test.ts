import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';

/** The one test with a real Electron. It downloads nothing: without one it is skipped, and says why. */
const runtime = findElectron();

let folder = '';
beforeAll(() => {
  if ('lacks' in runtime) return console.warn(`The tests with a real Electron are skipped: ${runtime.lacks}`);
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-electron-'));
});
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

/** The app of one test, with its window open. */
async function open({ skip, onTestFinished }: TestContext): Promise<{
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly dataDir: string;
}> {
  if ('lacks' in runtime) return skip(`no real Electron here: ${runtime.lacks}`);
  const place = mkdtempSync(join(folder, 'user-'));
  const dataDir = join(place, 'data');
  const options = {
    port: 0,
    inspectorPort: 0,
    host: '127.0.0.1',
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
  const app = await _electron.launch({
    executablePath: runtime.binary,
    // Without its sandbox only in a container, where everything is root.
    args: [builtApp(), `--user-data-dir=${join(place, 'profile')}`, ...(isRoot() ? ['--no-sandbox'] : [])],
    env: { ...toStrings(personEnvironment()), SANDPIPER_OPTIONS: JSON.stringify(options) },
  });
  onTestFinished(() => app.close());
  const page = await app.firstWindow();
  await page.getByText('Listening', { exact: true }).waitFor();
  return { app, page, dataDir };
}

test('in a real Electron the page has no Node, runs no inline script and has the shell’s few functions', async (context) => {
  const { page } = await open(context);
  const found = await page.evaluate(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inline = true';
    document.head.append(script);
    return {
      node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in window),
      inline: 'inline' in window,
      host: Object.keys(window.host).sort(),
      address: location.href,
    };
  })()`);
  expect(found).toEqual({
    node: [],
    inline: false,
    host: ['notify', 'onCommand', 'platform', 'restartServer', 'showDataFile'],
    address: expect.not.stringContaining('a-token-of-the-test'),
  });
});

test('in a real Electron the page cannot navigate, open windows or get permissions', async (context) => {
  const { app, page } = await open(context);
  const before = page.url();
  await page.evaluate(`location.href = 'file:///etc/passwd'`);
  await page.evaluate(`location.href = 'https://example.com/'`);
  expect(await page.evaluate(`window.open('https://example.com/') === null`)).toBe(true);
  expect(await page.evaluate(`Notification.requestPermission()`)).toBe('denied');
  expect(new URL(page.url()).origin).toBe(new URL(before).origin);
  expect(app.windows()).toHaveLength(1);
});

test('in a real Electron a menu acts in the page, and a second start comes to the front', async (context) => {
  const { app, page } = await open(context);
  await app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    items.find(({ label }) => label === 'Webhooks')?.click();
  });
  await expect.poll(() => new URL(page.url()).hash).toBe('#/webhooks');
  await app.evaluate(({ app: shell }) => {
    shell.emit('second-instance', {}, ['sandpiper', 'sandpiper://requests'], '/');
  });
  await expect.poll(() => new URL(page.url()).hash).toBe('#/requests');
});

test('in a real Electron quitting ends the server cleanly', async (context) => {
  const { app, dataDir } = await open(context);
  const closed = app.waitForEvent('close');
  await app.evaluate(({ app: shell }) => shell.quit());
  await closed;
  expect(readdirSync(dataDir)).not.toContain('lock');
});

function findElectron(): { readonly binary: string } | { readonly lacks: string } {
  const { env, platform } = process;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return { lacks: 'there is no display.' };
  const packageDir = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const pathFile = join(packageDir, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron';
  const binary = join(env['ELECTRON_OVERRIDE_DIST_PATH'] || join(packageDir, 'dist'), name);
  return existsSync(binary) ? { binary } : { lacks: `${binary} is not there; "npx install-electron" fetches it.` };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function toStrings(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
