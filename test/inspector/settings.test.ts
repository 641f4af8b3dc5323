import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkAccess, copyOf, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { checkCopiedCommand } from './settings-support.ts';
import { tabTo } from '../support/keyboard.ts';
import { settingNames } from '../../renderer/parts/setting-names.ts';
import type { LimitsView, PaceView, SettingsView } from '../../emulator/control/calls.ts';
import { xss } from '../support/xss.ts';

const publicUrl = 'http://localhost:8080';
const record = { exchanges: 20_000, bytes: 64 * 1024 * 1024, days: 1 };
const folder = await mkdtemp(join(tmpdir(), "sandpiper-da ta's-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const inspector = useInspector({ pace: 'realistic', allowHosts: [xss], publicUrl, record, dataDir: folder });
const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const read = async <View>(path: string): Promise<View> => (await inspector.sandbox.control('GET', path)).body;

test('theme, contrast, row height and zone apply at once, and after a reload', async () => {
  const page = await inspector.open('/settings');
  const root = (): Promise<unknown> => page.evaluate('({ ...document.documentElement.dataset })');
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByRole('switch', { name: 'More contrast' }).click();
  await page.getByRole('button', { name: 'Dense' }).click();
  await page.getByRole('button', { name: 'Local', exact: true }).click();
  const expected = { theme: 'dark', contrast: 'more', rows: 'dense' };
  expect(await root()).toMatchObject(expected);
  await page.reload();
  await page.getByRole('switch', { name: 'More contrast', checked: true }).waitFor();
  expect(await root()).toMatchObject(expected);
  await page.getByRole('button', { name: 'Local', pressed: true }).waitFor();
});

test.each([
  ['Dense', 26],
  ['Roomy', 36],
] as const)(
  '%s rows of requests, the timeline and deliveries follow one another every %i pixels',
  async (name, height) => {
    for (let sent = 0; sent < 3; sent += 1) {
      await inspector.sandbox.call('GET', '/me');
      const event = { type: 'email.opened', to: 'http://127.0.0.1:9/', subscriber: { email: 'ada@example.com' } };
      await inspector.sandbox.control('POST', '/control/trigger', event);
    }
    const page = await inspector.open('/settings');
    await page.getByRole('button', { name, exact: true }).click();
    for (const path of ['/requests', '/timeline', '/webhooks']) {
      await goTo(page, path);
      const row = (at: number) => page.locator('.rowsin > .row').nth(at).boundingBox();
      await page.locator('.rowsin > .row').nth(2).waitFor();
      const [first, second] = [await row(0), await row(1)];
      expect([first?.height, (second?.y ?? 0) - (first?.y ?? 0)], path).toEqual([height, height]);
    }
  },
);

test('the pace and the clock of webhooks are set on the server, explained, and undone', async () => {
  const page = await inspector.open('/settings');
  const delays = page.getByRole('group', { name: 'Delays' });
  await delays.getByText('15 s').first().waitFor();
  await page.getByRole('group', { name: 'Pace' }).last().getByRole('button', { name: 'Manual', exact: true }).click();
  await delays.getByText('by hand').waitFor();
  expect(await delays.getByText('by hand').count(), 'of all steps at once').toBe(1);
  expect((await read<PaceView>('/control/pace')).pace).toBe('manual');
  await page.getByRole('button', { name: 'Virtual', exact: true }).click();
  await page.getByText('Webhooks show the virtual clock').waitFor();
  expect((await read<SettingsView>('/control/settings')).webhookTime).toBe('virtual');
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await read<SettingsView>('/control/settings')).webhookTime).toBe('wall');
  await page
    .getByRole('group', { name: 'Pace' })
    .last()
    .getByRole('button', { name: 'Realistic', exact: true })
    .click();
  await delays.getByText('15 s').first().waitFor();
});

test('the rate limits are switched on, and undo switches them off', async () => {
  const page = await inspector.open('/settings');
  const mode = async () => (await read<LimitsView>('/control/limits')).mode;
  await page
    .getByRole('group', { name: 'Rate limits' })
    .last()
    .getByRole('button', { name: 'Real', exact: true })
    .click();
  await page.getByText('Rate limits switched on').waitFor();
  expect(await mode()).toBe('real');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(mode).toBe('off');
});

test('settings that need a restart say so, with the command', async () => {
  const { start } = await read<SettingsView>('/control/settings');
  const page = await inspector.open('/settings');
  const row = page.getByRole('group', { name: 'Port of the API' });
  await row.getByText(String(start.port), { exact: true }).waitFor();
  await row.getByText(`npx sandpiper serve --port ${start.port}`).waitFor();
  const copy = await copyOf(page, () => row.getByRole('button', { name: 'Copy: At start' }).click());
  expect(copy).toBe(`npx sandpiper serve --port ${start.port}`);
  await page.getByText('npx sandpiper serve --record-requests 20000').waitFor();
});

test('the public addresses and the world file are shown, with the option and the variable that set them', async () => {
  const page = await inspector.open('/settings');
  for (const [title, ...texts] of [
    ['Public address of the API', publicUrl, `npx sandpiper serve --public-url ${publicUrl}`, 'SANDPIPER_PUBLIC_URL'],
    ['Public address of the inspector', 'where it listens', 'SANDPIPER_PUBLIC_INSPECTOR_URL'],
    ['World file', 'none', 'npx sandpiper serve --world world.yaml', 'SANDPIPER_WORLD'],
  ] as const)
    for (const text of texts)
      await page.getByRole('group', { name: title }).getByText(text, { exact: true }).first().waitFor();
  await page.getByRole('textbox', { name: 'Search settings' }).fill('SANDPIPER_PUBLIC_URL');
  await expect.poll(() => page.locator('.set-row:visible').count()).toBe(1);
});

test('beside a choice are the commands for this choice', async () => {
  // As the folder is not the default one, a command has to name it.
  const found = (words: string): string => `npx sandpiper ${words} --data ${inShell(folder)}`;
  const page = await inspector.open('/settings');
  // A reset keeps these settings, so the last ones are those of the start.
  for (const [title, choice, ...commands] of [
    ['Pace', 'Manual', found('pace manual'), 'npx sandpiper serve --pace manual'],
    ['Pace', 'Realistic', found('pace realistic'), 'npx sandpiper serve --pace realistic'],
    ['Rate limits', 'Real', found('limits real'), 'npx sandpiper serve --rate-limits real'],
    ['Rate limits', 'Off', found('limits off'), 'npx sandpiper serve --rate-limits off'],
  ] as const) {
    const row = page.locator(`.set-row[aria-label="${title}"]`);
    await row.getByRole('button', { name: choice, exact: true }).click();
    for (const command of commands) await expectSeen(row.getByText(command, { exact: true }));
  }
});

test('commands that are copied run in a shell as they are', async () => {
  const page = await inspector.open('/settings');
  const wordsOf = async (title: string): Promise<readonly string[]> => {
    const row = page.locator(`.set-row[aria-label="${title}"]`);
    const command = await copyOf(page, () => row.getByRole('button', { name: 'Copy: At start' }).click());
    const env = { ...process.env, SANDPIPER_TOKEN: 'a secret' };
    return execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8', env })
      .trimEnd()
      .split('\n');
  };
  expect(await wordsOf('Data folder')).toEqual(['npx', 'sandpiper', 'serve', '--data', folder]);
  expect(await wordsOf('Further host names')).toEqual(['npx', 'sandpiper', 'serve', '--allow-host', xss]);
  expect(await wordsOf('Control token')).toEqual(['npx', 'sandpiper', 'serve', '--token', 'a secret']);
  expect(await wordsOf('Pace')).toEqual(['npx', 'sandpiper', 'serve', '--pace', 'realistic']);
  expect(await wordsOf('Rate limits')).toEqual(['npx', 'sandpiper', 'serve', '--rate-limits', 'off']);
});

test('a command that is copied finds this emulator by its folder', async () => {
  await checkCopiedCommand(inspector);
});

test('a value is copied as the server takes it, and where there is none nothing can be copied', async () => {
  const page = await inspector.open('/settings');
  for (const [title, text] of [
    ['How many requests are recorded', '20000'],
    ['Memory for recorded requests', '64'],
    ['How long requests are recorded', '1'],
    ['Public address of the API', publicUrl],
  ] as const)
    expect(await copyOf(page, () => page.getByRole('button', { name: `Copy: ${title}`, exact: true }).click())).toBe(
      text,
    );
  for (const title of ['World file', 'Public address of the inspector', 'Seed of an empty store'])
    expect(await page.getByRole('button', { name: `Copy: ${title}`, exact: true }).count(), title).toBe(0);
});

test('the control token is said to be kept in the data folder', async () => {
  const page = await inspector.open('/settings');
  await expectSeen(page.getByRole('group', { name: 'Control token' }).getByText(/once, and kept in the data folder/));
});

test('choices about unknown behaviour of the platform are shown, with the option that changes them', async () => {
  const page = await inspector.open('/settings');
  for (const [title, line] of [
    ['Unknown fields', 'npx sandpiper serve --unknown-fields note'],
    ['Unsubscribing an unknown person', 'npx sandpiper serve --unknown-unsubscribe refuse'],
    ['How errors are answered', 'npx sandpiper serve --answers helpful'],
  ] as const) {
    await expect.poll(() => page.getByRole('group', { name: title }).textContent()).toContain(line);
  }
});

test('settings are searched by name, meaning and command, and the search is in the address', async () => {
  const page = await inspector.open('/settings');
  const search = page.getByRole('textbox', { name: 'Search settings' });
  await search.fill('--data');
  await page.getByRole('group', { name: 'Data folder' }).waitFor();
  await page.getByRole('group', { name: 'Theme' }).first().waitFor({ state: 'detached' });
  expect(page.url()).toContain('q=--data');
  await search.fill('freeze');
  await page.getByRole('button', { name: 'Change: Freeze or unfreeze the clock' }).waitFor();
  await search.fill('no such thing');
  await page.getByText('No setting has “no such thing”').waitFor();
  await search.press('Escape');
  await page.getByRole('group', { name: 'Theme' }).first().waitFor();
});

test('every setting that the palette names is found under that name', async () => {
  const page = await inspector.open('/settings');
  const search = page.getByRole('textbox', { name: 'Search settings' });
  // Notifications are those of the desktop window.
  for (const { title } of settingNames.filter((one) => one.title !== 'Notifications')) {
    await search.fill(title);
    await expect
      .poll(() => page.locator('.set-row:visible, .set-found:visible').count(), { message: title })
      .toBeGreaterThan(0);
  }
});

test('a key is changed by pressing it, works at once, reports conflicts, and is reset', async () => {
  const page = await inspector.open('/settings');
  await page.getByRole('button', { name: 'Change: These keys' }).click();
  await page.getByText('Press a key, or Esc').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('alert').getByText('Ctrl K is already used: Search, or run a command.').waitFor();
  await page.getByRole('button', { name: 'Change: These keys' }).click();
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'Reset: These keys' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Reset: These keys' }).waitFor();
  await page.keyboard.press('h');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reset all keys' }).click();
  await expectGone(page.getByRole('button', { name: 'Reset: These keys' }));
});

test('another key for “Next” keeps its arrow, a section takes two keys, and Alt is refused', async () => {
  const page = await inspector.open('/settings');
  const change = (does: string) => page.getByRole('button', { name: `Change: ${does}`, exact: true });
  const keys = (does: string) =>
    page
      .locator('.set-key')
      .filter({ has: change(does) })
      .locator('kbd');
  await change('Next').click();
  await page.keyboard.press('n');
  await expect.poll(() => keys('Next').allInnerTexts()).toEqual(['N', '↓']);
  await change('Go to Home').click();
  await page.keyboard.press('z');
  await expectSeen(page.getByText('Z, then another key, or Enter for Z alone'));
  await page.keyboard.press('z');
  await expect.poll(() => keys('Go to Home').allInnerTexts()).toEqual(['Z', 'Z', 'Ctrl', '1']);
  expect(page.url()).toContain('#/settings');
  await change('Go to Requests').click();
  await page.keyboard.press('q');
  await page.keyboard.press('Enter');
  await expect.poll(() => keys('Go to Requests').allInnerTexts()).toEqual(['Q', 'Ctrl', '2']);
  await change('Freeze or unfreeze the clock').click();
  await page.keyboard.press('Alt+q');
  await expectSeen(page.getByRole('alert').getByText('Alt cannot be part of a key.'));
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await expect.poll(() => page.url()).toMatch(/#\/$/);
});

test('the focus is not lost with the button that resets a key, or all of them', async () => {
  const page = await inspector.open('/settings');
  const focused = page.locator(':focus');
  for (const [reset, next] of [
    ['Reset: These keys', 'Change: These keys'],
    ['Reset all keys', 'Change: Search, or run a command'],
  ] as const) {
    await page.getByRole('button', { name: 'Change: These keys' }).click();
    await page.keyboard.press('h');
    await page.getByRole('button', { name: reset }).press('Enter');
    await expectGone(page.getByRole('button', { name: reset }));
    await expect.poll(() => focused.getAttribute('aria-label')).toBe(next);
  }
});

test('a key that another row has meanwhile is not reset to, until that one has another', async () => {
  const page = await inspector.open('/settings');
  const bind = async (does: string, key: string): Promise<void> => {
    await page.getByRole('button', { name: `Change: ${does}`, exact: true }).click();
    await page.keyboard.press(key);
    await expectSeen(page.getByRole('button', { name: `Reset: ${does}`, exact: true }));
  };
  await bind('Next', 'n');
  await bind('Pin or unpin', 'j');
  await page.getByRole('button', { name: 'Reset: Next', exact: true }).click();
  await expectSeen(page.getByRole('alert').getByText('J is already used: Pin or unpin.'));
  await page.getByRole('button', { name: 'Reset: Pin or unpin' }).click();
  await page.getByRole('button', { name: 'Reset: Next', exact: true }).click();
  await expectGone(page.getByRole('button', { name: 'Reset: Next', exact: true }));
  await expectGone(page.getByText('J is already used'));
});

test('buttons and texts name a key as it is bound now, and as it is called on this keyboard', async () => {
  const page = await inspector.open('/try/getMe');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await send.getByText('Ctrl ⏎').waitFor();
  expect(await send.getAttribute('aria-keyshortcuts')).toBe('Control+Enter');

  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'platform', { value: 'MacIntel' });
    localStorage.setItem('sandpiper.keys', JSON.stringify({ 'list.next': ['n'], 'list.filter': ['q'] }));
  });
  await page.reload();
  await send.getByText('⌘ ⏎').waitFor();
  expect(await send.getAttribute('aria-keyshortcuts')).toBe('Meta+Enter');
  await page.getByRole('link', { name: 'Offers' }).click();
  await page.getByText('Select one on the left, or press N.').waitFor();
  await page.getByRole('main').getByText('Q', { exact: true }).waitFor();
});

test('a setting is found and changed with the keyboard alone', async () => {
  const page = await inspector.open('/settings');
  await page.keyboard.press('/');
  await page.keyboard.type('row height');
  await tabTo(page, page.getByRole('button', { name: 'Roomy' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.documentElement.dataset.rows')).toBe('roomy');
});

test('the view is accessible, and shows the options of the server as text', async () => {
  const page = await inspector.open('/settings');
  await page.getByRole('group', { name: 'Further host names' }).getByText('onerror').first().waitFor();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('who goes into a field while a row waits for a key types there, and changes no key', async () => {
  const page = await inspector.open('/settings');
  await page.getByRole('button', { name: 'Change: These keys' }).click();
  await page.getByText('Press a key, or Esc').waitFor();
  const search = page.getByRole('textbox', { name: 'Search settings' });
  await search.click();
  await expectGone(page.getByText('Press a key, or Esc'));
  await page.keyboard.type('zoom');
  expect(await search.inputValue()).toBe('zoom');
  await search.fill('');
  await page.getByRole('button', { name: 'Change: These keys' }).waitFor();
  expect(await page.getByRole('button', { name: 'Reset all keys' }).count()).toBe(0);
});

test('requests that are recorded for one day are said to be kept for 1 day', async () => {
  const page = await inspector.open('/settings');
  const kept = page.getByRole('group', { name: 'How long requests are recorded' });
  await expectSeen(kept.getByText('1 day', { exact: true }));
});
