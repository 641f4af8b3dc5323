import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectGone, expectSeen, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';

const inspector = useInspector();
const noRoom = /This browser has no room for it/;

/** Leaves no room for more in what the browser keeps. Each piece is written once, and the last ones fill the last characters. */
const fillStorage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const fill = (name: string, length: number): boolean => {
      try {
        localStorage.setItem(`filler${name}`, 'x'.repeat(length));
        return true;
      } catch {
        return false;
      }
    };
    // Its name is there before, so that it can take the last characters.
    fill('', 0);
    for (let length = 2 ** 22; length >= 1; length /= 2) fill(`-${length}`, length);
    for (let length = 1; fill('', length); length += 1);
  });
const emptyStorage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const name of Object.keys(localStorage)) if (name.startsWith('filler')) localStorage.removeItem(name);
  });

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.keyboard.press('Enter');
}

test('a request for which the browser has no room is not saved, and the sheet says why', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  await page.getByRole('form', { name: 'POST /events/custom' }).waitFor();
  await fillStorage(page);
  await page.getByRole('button', { name: 'Save…' }).click();
  await saveAs(page, 'Mine');
  const sheet = page.getByRole('dialog', { name: 'Save this request' });
  await expectSeen(sheet.getByText(noRoom));
  await emptyStorage(page);
  await saveAs(page, 'Mine');
  await toast(page, 'Saved “Mine”').waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Saved' }).getByRole('button', { name: 'Mine', exact: true }).waitFor();
});

test('a filter for which the browser has no room is not saved as a view, and the sheet says why', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests?q=status:200');
  await page.getByRole('row').first().waitFor();
  await fillStorage(page);
  await page.getByRole('button', { name: 'More for this list' }).click();
  await page.getByRole('menuitem', { name: 'Save this filter as a view…' }).click();
  await saveAs(page, 'Fine');
  const sheet = page.getByRole('dialog', { name: 'Save this filter as a view' });
  await expectSeen(sheet.getByText(noRoom));
  await emptyStorage(page);
  await saveAs(page, 'Fine');
  await expectGone(sheet);
});

test('an input that is too large to be kept is said to be lost with a reload, and the others outlive it', async () => {
  const page = await inspector.open('/try/addCouponCodes');
  // Few codes, as long as those of a large file together.
  const codes = Array.from({ length: 2_200 }, (_, index) => `${index}-${'X'.repeat(1_000)}`);
  await page
    .getByLabel('Lines of a file as codes')
    .setInputFiles({ name: 'codes.txt', mimeType: 'text/plain', buffer: Buffer.from(codes.join('\n')) });
  await toast(page, /too large for this browser to keep: a reload takes it away/).waitFor();
  await page.getByRole('button', { name: /GET \/me$/ }).click();
  await page.getByRole('form', { name: 'GET /me' }).waitFor();
  await page.getByRole('button', { name: 'Add a header' }).click();
  const name = page.getByRole('textbox', { name: 'Name of header 1' });
  await name.fill('x-trace');
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe('x-trace');
});

test('a choice that the browser has no room for is said to last until a reload', async () => {
  const page = await inspector.open('/settings');
  const system = page.getByRole('button', { name: 'System' });
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor();
  await fillStorage(page);
  await system.click();
  await expectSeen(toast(page, /storage is full: what you choose here lasts until a reload/));
});
