/** What has the keyboard focus keeps it while an act is under way, and after it. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { holdBack } from '../support/hold-back.ts';

const inspector = useInspector({ pace: 'manual' });
const control = (method: string, path: string, json?: unknown) =>
  inspector.sandbox.control(method, `/control/${path}`, json);
const isFocused = (one: Locator): Promise<boolean> => one.evaluate((element) => element === document.activeElement);

test('the button of a sheet has the focus while it sends and after a refusal, and sends nothing twice', async () => {
  inspector.allowErrors(/503 \(/);
  await control('POST', 'faults', { operation: 'POST /subscriptions', status: 503 });
  const page = await inspector.open('/subscribers');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New subscriber' });
  await sheet.getByLabel('Phone', { exact: true }).fill('+15555550177');
  const sent: string[] = [];
  page.on('request', (request) => void (/\/control\/send/.test(request.url()) && sent.push(request.url())));
  const release = await holdBack(page, /\/control\/send/);
  const button = sheet.getByRole('button', { name: 'Subscribe', exact: true });
  // Once the sign-up units are read.
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  expect(await isFocused(button)).toBe(true);
  await page.keyboard.press('Enter');
  await sheet.getByLabel('Phone', { exact: true }).press('Enter');
  await button.focus();
  release();
  await expectSeen(sheet.getByRole('alert').filter({ hasText: /\S/ }));
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
  expect(await isFocused(button)).toBe(true);
  expect(sent).toHaveLength(1);
});

test('after “Undo” of a message is pressed by keyboard, what had the focus before has it again', async () => {
  const page = await inspector.open('/faults');
  const set = page.getByRole('button', { name: 'Set this fault' });
  await set.focus();
  await page.keyboard.press('Enter');
  await expectSeen(toast(page, /^Fault set: /));
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused(set)).toBe(true);
});

/** As by http from another machine: there the browser has no clipboard API. */
const withoutClipboard = (page: Page): Promise<void> =>
  page.evaluate(() => void Object.defineProperty(navigator, 'clipboard', { value: undefined }));
/** What a paste brings. */
async function pasted(page: Page, field: Locator): Promise<string> {
  await field.fill('');
  await field.press('Control+v');
  return field.inputValue();
}

test('without a clipboard API a text is copied by keyboard, which is announced, and the button keeps the focus', async () => {
  const page = await inspector.open('/offers');
  await withoutClipboard(page);
  const button = page.getByRole('contentinfo').getByTitle('Copy the base URL');
  await button.focus();
  // Both are there for 1.5 s.
  const said = page.getByRole('status').getByText('Copied', { exact: true });
  const seen = Promise.all([expectSeen(page.getByTitle('Copied')), said.waitFor({ state: 'attached' })]);
  await page.keyboard.press('Enter');
  await seen;
  expect(await isFocused(page.getByRole('contentinfo').getByTitle(/^(?:Copied|Copy the base URL)$/))).toBe(true);
  const { apiUrl } = inspector.sandbox.emulator;
  expect(await pasted(page, page.getByRole('textbox', { name: 'Search: Offers' }))).toBe(apiUrl);
});

test('a text that the browser does not copy is not called copied', async () => {
  const page = await inspector.open('/offers');
  await withoutClipboard(page);
  await page.evaluate(() => void Object.assign(document, { execCommand: () => false }));
  await page.getByRole('contentinfo').getByTitle('Copy the base URL').click();
  await expectSeen(toast(page, /^Not copied\. This browser does not let the page copy\./));
  expect(await page.getByTitle('Copied', { exact: true }).count()).toBe(0);
});

test('a tab panel has the name of its tab, also of several words', async () => {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const [upload] = inspector.sandbox.emulator.deps.store.uploads.all();
  const page = await inspector.open('/');
  await goTo(page, `/catalog/${upload?.id}`);
  await page.getByRole('tab', { name: 'What it would change' }).click();
  await expectSeen(page.getByRole('tabpanel', { name: 'What it would change' }));
});
