import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';

const inspector = useInspector();

const grid = (page: Page): Locator => page.getByRole('grid', { name: /^Requests/ });
const column = (page: Page, name: string): Locator => page.getByRole('columnheader', { name, exact: true });
const header = (page: Page, name: string): Locator => column(page, name).getByRole('button');
const line = (page: Page, name: string): Locator => page.getByRole('separator', { name: `Width of ${name}` });
const titles = (page: Page): Promise<readonly string[]> => page.locator('.col > button').allInnerTexts();
const statuses = (page: Page): Promise<readonly string[]> => grid(page).locator('.row > .st').allInnerTexts();
const paths = (page: Page): Promise<readonly string[]> => grid(page).locator('.row .path').allInnerTexts();
const sort = (page: Page, name: string): Promise<string | null> => column(page, name).getAttribute('aria-sort');
const menuButton = (page: Page): Locator => page.getByRole('button', { name: 'Columns' });
const choice = (page: Page, name: string): Locator => page.getByRole('menuitemcheckbox', { name });
const call = (path: string, key?: string | null) =>
  inspector.sandbox.call('GET', path, key === undefined ? {} : { key });

/** 200 /me, 403 /webhooks, 401 /me, 404 /nowhere: in this order. */
async function four(): Promise<void> {
  await call('/me');
  await call('/webhooks', 'sandpiper-readonly-key');
  await call('/me', null);
  await call('/nowhere');
}
const arrived = ['404', '401', '403', '200'];

test('columns are chosen with the mouse, several at once, and stay chosen', async () => {
  await four();
  const page = await inspector.open('/requests');
  await expect.poll(() => titles(page)).toEqual(['Status', 'Request', 'About', 'What it did', 'Time']);
  await menuButton(page).click();
  await choice(page, 'Took').click();
  await choice(page, 'Key').click();
  await choice(page, 'About').click();
  await expect.poll(() => choice(page, 'Request').isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  const chosen = ['Status', 'Request', 'What it did', 'Key', 'Took', 'Time'];
  await expect.poll(() => titles(page)).toEqual(chosen);
  await expect.poll(() => grid(page).getByRole('gridcell').filter({ hasText: 'Read-only app' }).count()).toBe(1);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(chosen);
  await header(page, 'Status').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await expect.poll(() => titles(page)).toEqual(['Status', 'Request', 'About', 'What it did', 'Time']);
  await menuButton(page).click();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Reset columns' }).isDisabled()).toBe(true);
});

test('a header sorts one way, the other way, and then as the requests came', async () => {
  await four();
  const page = await inspector.open('/requests');
  await expect.poll(() => statuses(page)).toEqual(arrived);
  expect(await sort(page, 'Time')).toBe('descending');
  await header(page, 'Status').click();
  await expect.poll(() => statuses(page)).toEqual(['404', '403', '401', '200']);
  expect([await sort(page, 'Status'), await sort(page, 'Time')]).toEqual(['descending', 'none']);
  await header(page, 'Status').click();
  await expect.poll(() => statuses(page)).toEqual(['200', '401', '403', '404']);
  await page.reload();
  await expect.poll(() => statuses(page)).toEqual(['200', '401', '403', '404']);
  await page.getByRole('grid', { name: 'Requests by status, ascending' }).waitFor();
  await header(page, 'Status').click();
  await expect.poll(() => statuses(page)).toEqual(arrived);
  expect(await sort(page, 'Time')).toBe('descending');
  await header(page, 'Time').click();
  await expect.poll(() => statuses(page)).toEqual(arrived.toReversed());
  await header(page, 'Time').click();
  await expect.poll(() => statuses(page)).toEqual(arrived);
});

test('in another order a new request comes in where it belongs, and the chosen row and keys follow the order', async () => {
  await four();
  const page = await inspector.open('/requests');
  await header(page, 'Status').click();
  await expect.poll(() => statuses(page)).toEqual(['404', '403', '401', '200']);
  await call('/webhooks', 'sandpiper-readonly-key');
  await expect.poll(() => statuses(page)).toEqual(['404', '403', '403', '401', '200']);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const chosen = grid(page).getByRole('row', { selected: true });
  expect(await chosen.locator('.st').innerText()).toBe('403');
  // Of equal ones the newest is first.
  const newest = inspector.sandbox.emulator.recorder.all().at(-1)?.id;
  expect(await chosen.getAttribute('id')).toBe(`row-${newest}`);
});

test('a sorted list that was scrolled does not move, and counts what is new', async () => {
  for (let count = 0; count < 60; count += 1) await call('/me');
  const page = await inspector.open('/requests');
  await header(page, 'Request').click();
  await grid(page).hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(() => grid(page).evaluate((box) => box.scrollTop)).toBeGreaterThan(200);
  await call('/a-first-one');
  await page.getByRole('button', { name: '1 new' }).click();
  await expect.poll(() => paths(page).then(([first]) => first)).toContain('/a-first-one');
});

test('a list that was scrolled begins at its top in a new order', async () => {
  for (let count = 0; count < 60; count += 1) await call('/me');
  await call('/a-first-one');
  const page = await inspector.open('/requests');
  const scrolled = (): Promise<number> => grid(page).evaluate((box) => box.scrollTop);
  await grid(page).hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(scrolled).toBeGreaterThan(200);
  await header(page, 'Request').click();
  await expect.poll(scrolled).toBe(0);
  await expect.poll(() => paths(page).then(([first]) => first)).toContain('/a-first-one');
});

test('a column is resized by dragging its line, and a double click resets it', async () => {
  await four();
  const page = await inspector.open('/requests');
  const width = async (name: string): Promise<number> => Math.round((await column(page, name).boundingBox())!.width);
  const drag = async (name: string, by: number): Promise<void> => {
    const box = (await line(page, name).boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + by / 2, box.y + 8);
    await page.mouse.move(box.x + box.width / 2 + by, box.y + 8);
    await page.mouse.up();
  };
  const [request, about, time] = [await width('Request'), await width('About'), await width('Time')];
  await drag('Request', -60);
  expect(await width('Request')).toBe(request - 60);
  await drag('About', 40);
  expect(await width('About')).toBeGreaterThan(about + 39);
  expect(await width('Request')).toBe(request - 60);
  // What is right of the column that takes the rest grows to the left.
  await drag('Time', -30);
  expect(await width('Time')).toBe(time + 30);
  expect(await sort(page, 'Time')).toBe('descending');
  const row = grid(page).locator('.row').first();
  expect((await row.locator('.age').boundingBox())!.width).toBeCloseTo(time + 30, 0);
  await page.reload();
  await expect.poll(() => width('Time')).toBe(time + 30);
  expect(await width('Request')).toBe(request - 60);
  await line(page, 'Time').dblclick();
  await expect.poll(() => width('Time')).toBe(time);
});

test('columns are chosen, sorted and resized with the keyboard alone', async () => {
  await four();
  const page = await inspector.open('/requests');
  await expect.poll(() => statuses(page)).toEqual(arrived);
  await tabTo(page, header(page, 'Status'));
  await page.keyboard.press('Enter');
  await expect.poll(() => sort(page, 'Status')).toBe('descending');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => header(page, 'Request').evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  const own = line(page, 'Request');
  await expect.poll(() => own.evaluate((one) => one === document.activeElement)).toBe(true);
  const value = async (): Promise<number> => Number(await own.getAttribute('aria-valuenow'));
  const before = await value();
  await page.keyboard.press('ArrowRight');
  await expect.poll(value).toBe(before + 16);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(value).toBe(before - 16);
  await page.keyboard.press('Enter');
  await expect.poll(value).toBe(before);
  await page.keyboard.press('Tab');
  await expect.poll(() => menuButton(page).evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await choice(page, 'Status').waitFor();
  await page.keyboard.type('took');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(() => titles(page)).toContain('Took');
  await expect.poll(() => menuButton(page).evaluate((one) => one === document.activeElement)).toBe(true);
});

test('what the storage holds of another version breaks nothing', async () => {
  await four();
  const page = await inspector.open('/requests');
  await page.evaluate(() =>
    localStorage.setItem(
      'sandpiper.requests.columns',
      '{"shown":["gone","status"],"widths":{},"sort":{"by":"gone","direction":"ascending"}}',
    ),
  );
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['Status', 'Request']);
  await expect.poll(() => statuses(page)).toEqual(arrived);
});

test('the head and the menu of columns are accessible', async () => {
  await four();
  const page = await inspector.open('/requests');
  await header(page, 'Status').click();
  await checkAccess(page);
  await menuButton(page).click();
  await choice(page, 'Took').click();
  await checkAccess(page, '[role="menu"]');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1024, height: 700 });
  await checkAccess(page);
});
