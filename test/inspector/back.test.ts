/** What was searched, ordered and chosen in a view is found again with the browser's Back, and after a reload. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector();
const control = (method: string, path: string, json?: unknown) =>
  inspector.sandbox.control(method, `/control/${path}`, json);

async function goHomeAndBack(page: Page): Promise<void> {
  await goTo(page, '/');
  await page.goBack();
}

/** Whether the row that is chosen is within its list. */
const isRowSeen = (page: Page, list: string): Promise<boolean> =>
  page
    .getByRole('grid', { name: list })
    .locator('.row.on')
    .evaluateAll(([row]) => {
      const [box, whole] = [row?.getBoundingClientRect(), row?.closest('.rows')?.getBoundingClientRect()];
      return box !== undefined && whole !== undefined && box.top > whole.top - 1 && box.bottom < whole.bottom + 1;
    });

test.each([
  ['/offers', 'Search: Offers', 'spring', 'Offers', 1],
  ['/sign-up-units', 'Search: Sign-up units', '100004', 'Sign-up units', 1],
  ['/apps', 'Search: Apps and keys', 'read-only', 'Apps and keys', 1],
  ['/reference', 'Search: Reference', 'events/custom', 'Reference', 1],
])('the search of %s is in its address', async (path, field, text, list, count) => {
  const page = await inspector.open(path);
  const rows = page.getByRole('grid', { name: list }).getByRole('row');
  await page.getByLabel(field).fill(text);
  await expect.poll(() => rows.count()).toBe(count);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/\/[^/?]+\?search=/);
  const address = page.url();
  for (const leave of [goHomeAndBack, (one: Page) => one.reload()]) {
    await leave(page);
    await expect.poll(() => rows.count()).toBe(count);
    expect(await page.getByLabel(field).inputValue()).toBe(text);
    expect(page.url()).toBe(address);
  }
  await page.getByRole('grid', { name: list }).focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain('search');
});

test('a search that is cleared while its address is still on its way is not in the address', async () => {
  const page = await inspector.open('/offers');
  const rows = page.getByRole('grid', { name: 'Offers' }).getByRole('row');
  await rows.first().waitFor();
  const count = await rows.count();
  await page.getByLabel('Search: Offers').evaluate(async (field: HTMLInputElement) => {
    for (const text of ['spring', '']) {
      field.value = text;
      field.dispatchEvent(new Event('input'));
      await Promise.resolve();
      await Promise.resolve();
    }
  });
  await expect.poll(() => page.url()).not.toContain('search');
  await page.reload();
  await expect.poll(() => rows.count()).toBe(count);
  expect(await page.getByLabel('Search: Offers').inputValue()).toBe('');
});

test('the order of the timeline is in its address, and the chosen line is seen', async () => {
  for (let at = 0; at < 60; at += 1) await inspector.sandbox.call('GET', `/me?at=${at}`);
  const page = await inspector.open('/timeline');
  const byTime = page.getByRole('button', { name: 'By time' });
  await byTime.click();
  await expect.poll(() => page.url()).toContain('order=time');
  await page.getByRole('grid', { name: 'Timeline, newest first' }).focus();
  for (let at = 0; at < 45; at += 1) await page.keyboard.press('j');
  await expect.poll(() => page.url()).toMatch(/\/timeline\/\w+\?order=time/);
  await expect.poll(() => isRowSeen(page, 'Timeline, newest first')).toBe(true);
  for (const leave of [goHomeAndBack, (one: Page) => one.reload()]) {
    await leave(page);
    await expect.poll(() => isRowSeen(page, 'Timeline, newest first')).toBe(true);
    expect(await byTime.getAttribute('aria-pressed')).toBe('true');
  }
});

test('the chosen delivery is seen beside its detail', async () => {
  await control('POST', 'webhooks', { url: 'http://localhost:1/one', events: ['email.opened'] });
  for (let at = 0; at < 12; at += 1) await control('POST', 'trigger', { type: 'email.opened' });
  const { body } = await control('GET', 'deliveries');
  const [, , third] = (body as { readonly deliveries: readonly { readonly id: string }[] }).deliveries;
  const page = await inspector.open('/');
  await goTo(page, `/webhooks?delivery=${third?.id ?? ''}`);
  await expectSeen(page.getByRole('article', { name: 'Delivery' }));
  await expect.poll(() => isRowSeen(page, 'Deliveries, newest first')).toBe(true);
});

test('Back from a replay shows the refusal that was replayed', async () => {
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '5555550100' }, signUpSourceId: '100001' },
  });
  const page = await inspector.open('/requests');
  await page.getByRole('grid', { name: 'Requests, newest first' }).getByRole('row', { name: /400/ }).click();
  await page.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'Replay with this fix' }).waitFor();
  const refused = page.url();
  await page.keyboard.press('f');
  await expect.poll(() => page.url()).not.toBe(refused);
  await page.goBack();
  await expect.poll(() => page.url()).toBe(refused);
});
