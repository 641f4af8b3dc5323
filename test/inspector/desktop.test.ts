import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HostCommand } from '../../electron/host-channels.ts';
import { toMenus } from '../../electron/menu.ts';
import { expectSeen, newContext, useInspector } from '../support/browser.ts';
import { builtInspector } from '../support/built.ts';
import { useRealTimeAfterEach } from '../support/frame.ts';
import { freePorts } from '../support/free-port.ts';
import { startSandbox } from '../support/sandbox.ts';

vi.mock('electron', () => import('../electron/stand-in.ts'));

const inspector = useInspector();
useRealTimeAfterEach(inspector);

/** What the preload would add to the page, reporting calls to the test. */
interface StandInHost {
  send(command: HostCommand): void;
  readonly told: readonly unknown[];
}
declare global {
  interface Window {
    standIn: StandInHost;
  }
}

/** Adds `window.host` to a page from its next load on, like electron/preload.ts. */
function addHost(page: Page, platform = 'linux'): Promise<unknown> {
  return page.addInitScript((name) => {
    const told: unknown[] = [];
    const listeners = new Set<(command: HostCommand) => void>();
    window.standIn = { told, send: (command) => listeners.forEach((listener) => listener(command)) };
    Object.assign(window, {
      host: {
        platform: name,
        onCommand(listener: (command: HostCommand) => void) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        notify: (notice: unknown) => Promise.resolve(told.push(notice) > 0),
        showDataFile: () => Promise.resolve(false),
        restartServer: () => (window as unknown as { restart(): Promise<string | null> }).restart(),
      },
    });
  }, platform);
}

async function openInShell(path: string, platform?: string): Promise<Page> {
  const page = await inspector.open(path);
  await addHost(page, platform);
  await page.reload();
  await page.getByRole('contentinfo').getByText('Listening', { exact: true }).waitFor();
  return page;
}

/** Sends a command as a menu does, and lets the page draw. */
const send = (page: Page, command: HostCommand): Promise<void> =>
  page.evaluate(async (one) => {
    window.standIn.send(one);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, command);

/** The names of the page's actions that the menus run, with the key that each shows. */
function menuCommands(): readonly { readonly name: string; readonly key: string | undefined }[] {
  let ran = '';
  const acts = { run: (name: string) => (ran = name), showDataFile() {}, restartServer() {}, openLink() {} };
  const state = { platform: 'linux', devTools: false, isRunning: true } as const;
  const items = toMenus({ ...acts, run: (name) => void acts.run(name) }, state).flatMap(({ submenu }) =>
    Array.isArray(submenu) ? submenu : [],
  );
  return items.flatMap(({ click, accelerator }) => {
    ran = '';
    (click as (() => void) | undefined)?.();
    return ran === '' ? [] : [{ name: ran, key: accelerator as string | undefined }];
  });
}

test('the page knows every command of the menus', async () => {
  const page = await openInShell('/');
  const commands = menuCommands();
  expect(commands.length).toBeGreaterThan(30);
  for (const { name } of commands) {
    await send(page, { run: name });
    expect(await page.getByText('There is no “').count(), name).toBe(0);
  }
  // The message of a command that is answered late takes the place of this one.
  const refused = async (): Promise<number> => {
    await send(page, { run: 'no.such.thing' });
    return page.getByText('There is no “no.such.thing” here.').count();
  };
  await expect.poll(refused).toBe(1);
});

test('a menu’s number is the number of the sidebar', async () => {
  const page = await openInShell('/');
  /** The address to which an action leads from the settings. */
  async function leadsTo(act: () => Promise<unknown>): Promise<string> {
    await send(page, { go: '/settings' });
    await expect.poll(() => page.url()).toMatch(/#\/settings$/);
    await act();
    await expect.poll(() => page.url()).not.toMatch(/#\/settings$/);
    return new URL(page.url()).hash;
  }
  for (const { name, key } of menuCommands().filter((command) => /^CmdOrCtrl\+\d$/.test(command.key ?? ''))) {
    const byMenu = await leadsTo(() => send(page, { run: name }));
    expect(await leadsTo(() => page.keyboard.press(`Control+${key?.at(-1)}`)), name).toBe(byMenu);
  }
});

test('the menu opens the palette, and says why an action cannot be done now', async () => {
  const page = await openInShell('/');
  await send(page, { run: 'clock.real' });
  await page.getByText('Back to real time: time is real').waitFor();
  await send(page, { run: 'palette' });
  await expectSeen(page.getByRole('dialog', { name: 'Search or run a command' }));
});

test('a link opens its record and changes nothing', async () => {
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await openInShell('/');
  const before = inspector.sandbox.emulator.recorder.size;
  await send(page, { go: `/requests/${id}` });
  await page.getByRole('grid', { name: 'Requests' }).waitFor();
  expect(new URL(page.url()).hash).toContain(`/requests/${id}`);
  expect(inspector.sandbox.emulator.recorder.size).toBe(before);
  await send(page, { go: '/no/such/place' });
  await expect.poll(() => new URL(page.url()).hash).toBe('#/');
});

test('notifications are sent to the system only after they are turned on', async () => {
  const page = await openInShell('/settings?q=Notifications');
  const { feed } = inspector.sandbox.emulator.deps;
  const told = (): Promise<readonly unknown[]> => page.evaluate(() => window.standIn.told);
  const text = 'A webhook was disabled after three days.';
  feed.publish({ type: 'notice', level: 'warning', text: 'before' });
  // The event of the second request was published after that notice was sent.
  for (const count of ['1', '2']) {
    await inspector.sandbox.call('GET', '/me');
    await page.getByRole('link', { name: 'Requests' }).getByText(count, { exact: true }).waitFor();
  }
  const box = page.getByRole('switch', { name: 'Notifications' });
  await box.click();
  await expect.poll(() => box.isChecked()).toBe(true);
  feed.publish({ type: 'notice', level: 'warning', text });
  await expect.poll(told).toEqual([{ title: 'Sandpiper', body: text, route: '/problems' }]);
});

test('only on macOS the page makes room for the system’s window controls', async () => {
  const indent = async (platform: string): Promise<number> => {
    const page = await openInShell('/', platform);
    const box = await page.getByRole('banner').getByText('Sandpiper', { exact: true }).boundingBox();
    return box?.x ?? 0;
  };
  const [linux, windows, mac] = [await indent('linux'), await indent('win32'), await indent('darwin')];
  expect(windows).toBe(linux);
  expect(mac - linux).toBeGreaterThan(50);
});

test('a stopped server is started again from the window, which then misses nothing', async () => {
  const start = { uiDir: builtInspector(), token: 'a-token', ...(await freePorts()) };
  let sandbox = await startSandbox(start);
  const context = await newContext();
  onTestFinished(async () => {
    await context.close();
    await sandbox.close();
  });
  const page = await context.newPage();
  await addHost(page);
  const { inspectorUrl } = sandbox.emulator;
  const answers: (() => Promise<string | null>)[] = [
    () => Promise.resolve('Port 4747 on 127.0.0.1 is in use by another program.'),
    async () => {
      sandbox = await startSandbox(start);
      return null;
    },
  ];
  await page.exposeFunction('restart', () => answers.shift()?.());
  await page.goto(`${inspectorUrl}/#token=a-token`);
  await page.getByText('Listening', { exact: true }).waitFor();
  await sandbox.close();
  const restart = page.getByRole('button', { name: 'Restart the server' });
  await page.getByText(/^The server stopped at .* No acknowledged change is lost\.$/).waitFor();
  await restart.click();
  await page.getByRole('alert').getByText('Port 4747 on 127.0.0.1 is in use by another program.').waitFor();
  await restart.click();
  await page.getByText('Connected again.').waitFor();
  await sandbox.call('GET', '/me');
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await expectSeen(page.getByRole('grid', { name: 'Requests' }).getByRole('row').filter({ hasText: 'GET' }));
});
