import type { Locator, Page } from 'playwright-core';
import { test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector({ pace: 'manual' });

/** The toast that tells what was done last. */
const toast = (page: Page): Locator => page.getByRole('status').filter({ has: page.locator('.toast') });

/** Deletes a sign-up unit in the window; its toast offers to undo that. */
async function deleteUnit(page: Page): Promise<void> {
  await goTo(page, '/sign-up-units/100003');
  await page.getByRole('region', { name: 'The selected sign-up unit' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete the unit' }).click();
  await toast(page).getByRole('button', { name: 'Undo' }).waitFor();
}

test('while one looks back, the undo of a toast says that nothing can be changed', async () => {
  inspector.allowErrors(/40[49] \(/);
  const page = await inspector.open();
  await deleteUnit(page);
  await goTo(page, '/timeline');
  await page.getByRole('slider', { name: 'Moment to look at' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('region', { name: 'Looking back' }).waitFor();
  await page.keyboard.press('Control+z');
  await expectSeen(toast(page).getByText('Not undone: Nothing can be changed while you look at an earlier moment.'));
});

test('the undo of a toast says that the server cannot be reached', async () => {
  inspector.allowErrors(/Failed to load resource|404/);
  const page = await inspector.open();
  await deleteUnit(page);
  await page.route('**/control/undo', (route) => route.abort());
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expectSeen(toast(page).getByText('Not undone: The server cannot be reached.'));
});
