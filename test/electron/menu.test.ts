import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import { toMenus, type MenuActs } from '../../electron/menu.ts';
import { keyTable } from '../../renderer/commands/key-table.ts';

vi.mock('electron', () => import('./stand-in.ts'));

function setUp(platform: NodeJS.Platform, { devTools = false, isRunning = true } = {}) {
  const done: string[] = [];
  const acts: MenuActs = {
    run: (name) => done.push(name),
    showDataFile: () => done.push('show data file'),
    restartServer: () => done.push('restart server'),
    openLink: (address) => done.push(address),
  };
  const items = flatten(toMenus(acts, { platform, devTools, isRunning }));
  return {
    items,
    /** What pressing an item does. */
    press(item: MenuItemConstructorOptions): string | undefined {
      done.length = 0;
      (item.click as () => void)();
      return done[0];
    },
  };
}

function flatten(items: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
}

test('a menu shows the key that the page handles, and does not take it from the page', () => {
  const { items, press } = setUp('linux');
  const keyed = items.filter(({ accelerator, click }) => accelerator && click);
  expect(keyed.length).toBeGreaterThan(10);
  for (const item of keyed) {
    const key = String(item.accelerator)
      .replace('CmdOrCtrl+', 'Mod+')
      .replace(/[A-Z]$/, (letter) => letter.toLowerCase());
    const row = keyTable.find(({ keys }) => keys.includes(key));
    const name = press(item);
    expect(row?.name, key).toBe(name);
    expect(item.registerAccelerator, key).toBe(false);
  }
});

test('no two items share a key', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const keys = setUp(platform).items.flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test('on macOS no letter is a menu shortcut, so that it can be typed', () => {
  const keys = setUp('darwin').items.flatMap(({ accelerator }) => accelerator ?? []);
  expect(keys.length).toBeGreaterThan(8);
  for (const key of keys) expect(key).toMatch(/^Cmd/);
});

test('DevTools are in a menu only if they may be opened', () => {
  const has = (devTools: boolean) => setUp('linux', { devTools }).items.some(({ role }) => role === 'toggleDevTools');
  expect([has(true), has(false)]).toEqual([true, false]);
});

test('each system has its own menu for settings and the end', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const { items, press } = setUp(platform);
    expect(items.filter(({ role }) => role === 'quit')).toHaveLength(1);
    const settings = items.filter((item) => item.click && press(item) === 'go.settings');
    expect(settings.length).toBeGreaterThanOrEqual(1);
  }
});
