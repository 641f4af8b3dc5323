/** What is filled in a sheet is not lost by the first Escape, a press beside it, or another view. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector();
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

test('what is filled in a sheet is not lost by leaving its view: the sheet stays, and says what to do', async () => {
  const page = await inspector.open('/requests');
  await page.getByRole('link', { name: /^Offers/ }).click();
  await page.getByRole('row', { name: /Winter welcome/ }).click();
  await button('Edit')(page);
  const sheet = page.getByRole('dialog', { name: 'Edit the offer' });
  await sheet.getByLabel('Name', { exact: true }).fill('Half typed');
  await page.goBack();
  await sheet.getByText('“Cancel”, or Esc once more, discards what you filled in.').waitFor();
  expect(await sheet.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: /keys/i }).waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await expect.poll(() => page.url()).toContain('#/requests');
});

async function expectKeptOnce(page: Page, sheet: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await expectSeen(sheet.getByText('“Cancel”, or Esc once more, discards what you filled in.'));
  await page.keyboard.press('Escape');
  await expectGone(sheet);
}

test('the first Escape, or a press beside it, keeps a filled sheet and says so; the second closes it, and an empty one closes at once', async () => {
  const page = await inspector.open('/offers');
  const sheet = page.getByRole('dialog', { name: 'New offer' });
  const stays = sheet.getByText('“Cancel”, or Esc once more, discards what you filled in.');
  await button('New')(page);
  await page.keyboard.press('Escape');
  await expectGone(sheet);

  await button('New')(page);
  await sheet.getByLabel('Name', { exact: true }).fill('Half typed');
  await page.keyboard.press('Escape');
  await stays.waitFor();
  expect(await sheet.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
  await checkAccess(page, 'dialog');
  await page.keyboard.press('Escape');
  await expectGone(sheet);

  await button('New')(page);
  await sheet.getByLabel('Name', { exact: true }).fill('Half typed');
  await page.mouse.click(5, 5);
  await stays.waitFor();
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await expectGone(sheet);
});

test('a choice from a list, a switch and a press of None are kept by the first Escape, too; an opened list is not a choice', async () => {
  const page = await inspector.open('/offers');
  const sheet = page.getByRole('dialog', { name: 'New offer' });
  const list = sheet.getByRole('listbox');
  await button('New')(page);
  await sheet.getByRole('combobox').click();
  await list.waitFor();
  await page.keyboard.press('Escape');
  await expectGone(list);
  await page.keyboard.press('Escape');
  await expectGone(sheet);

  await button('New')(page);
  await sheet.getByRole('combobox').click();
  await list.waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expectGone(list);
  await expectKeptOnce(page, sheet);

  await button('New')(page);
  await sheet.getByRole('switch').click();
  await expectKeptOnce(page, sheet);

  await goTo(page, '/apps');
  await button('New')(page);
  await page.getByRole('menuitem', { name: 'App', exact: true }).click();
  const app = page.getByRole('dialog', { name: 'New app' });
  await app.getByRole('button', { name: 'None' }).click();
  await expectKeptOnce(page, app);
});
