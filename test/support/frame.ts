import type { Locator, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import type { ClockView } from '../../emulator/control/calls.ts';
import { expectGone, type Inspector } from './browser.ts';

/** The clock bar of a page. */
export const clockBar = (page: Page): Locator => page.getByRole('region', { name: 'Clock' });

/** The notice in which the page reports what it has done. */
export const toast = (page: Page, text: RegExp | string): Locator => page.getByRole('status').getByText(text);

export const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Search or run a command' });

/** Chooses an option in a select box whose label begins with this text. */
export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${label}`) }).click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Opens the palette and types a text. */
export async function askPalette(page: Page, text: string): Promise<void> {
  // The key would close a palette that is still open.
  await expectGone(palette(page));
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type(text);
}

export async function clockOf({ sandbox }: Inspector): Promise<ClockView> {
  return (await sandbox.control('GET', '/control/clock')).body;
}

/** Goes back to real time after each test, for tests that move time and do not reset. */
export function useRealTimeAfterEach(inspector: Inspector): void {
  afterEach(async () => {
    if ((await clockOf(inspector)).mode === 'real') return;
    await inspector.sandbox.control('POST', '/control/clock', { real: true });
  });
}

/** Makes something that waits for the clock at pace realistic: it starts after 5 s, and ends later. */
export async function requestDeletion({ sandbox }: Inspector): Promise<string> {
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  return (body as { id: string }).id;
}
