import { expect, test } from 'vitest';
import { expectSeen, useInspector } from '../support/browser.ts';
import { beginProbe, endProbe, heapOf } from '../support/page-load.ts';
import { recordMany } from '../support/record-many.ts';

const recorded = 100_000;
const inspector = useInspector({ record: { exchanges: recorded, bytes: 512 * 1024 * 1024, days: 30 } });

/** Every tenth failed. */
function record(count: number, url?: string): void {
  const statusOf = (left: number): number => (left % 10 === 0 ? 500 : 200);
  recordMany(inspector.sandbox, count, { ...(url === undefined ? {} : { url }), statusOf });
}

/** A thousand per second for some time, as even as the timer. */
async function stream(ms: number): Promise<number> {
  const began = performance.now();
  let sent = 0;
  for (let passed = 0; passed < ms; passed = performance.now() - began) {
    const due = Math.floor(passed) - sent;
    record(due);
    sent += due;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return sent;
}

test('with 100,000 recorded requests and a thousand more per second the list stays light, current and in place', async () => {
  record(recorded);
  const page = await inspector.open('/requests', { motion: true });
  const rows = page.locator('.rowsin > .row');
  await rows.first().waitFor();
  await page.getByText('90,000 older requests are not listed.').waitFor({ state: 'attached' });
  await rows.nth(2).click();
  const chosen = await page.getByRole('row', { selected: true }).getAttribute('id');
  await expect.poll(() => page.url()).toContain(chosen?.replace('row-', '/requests/'));

  await stream(1_000);
  const before = await heapOf(page);
  await beginProbe(page);
  const sent = await stream(3_000);
  const load = await endProbe(page);
  const after = await heapOf(page);

  expect(sent).toBeGreaterThan(2_500);
  expect(load.mostRows).toBeLessThanOrEqual(150);
  expect(after / before).toBeLessThan(1.5);
  expect(page.url()).toContain(chosen?.replace('row-', '/requests/'));

  // The selected one is far down now, and is found again.
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.locator(`#${chosen}`).waitFor();
  expect(await page.getByRole('row', { selected: true }).getAttribute('id')).toBe(chosen);
});

test('a list that was paused before a flood still shows what it showed', async () => {
  record(50, '/v1/webhooks');
  const page = await inspector.open('/requests');
  await page.locator('.rowsin > .row').first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  // More than are listed.
  record(11_000);
  await page.getByRole('button', { name: /^\d+,\d+ new$/ }).waitFor();
  const shown = await page.locator('.rowsin > .row .path').allInnerTexts();
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.every((path) => path.includes('/webhooks'))).toBe(true);
});

test('requests that come before the browser has told of the scrolling move no row that a key chose', async () => {
  record(200);
  const page = await inspector.open('/requests');
  await page.locator('.rowsin > .row').nth(20).click();
  await page.evaluate(() => {
    window.addEventListener('scroll', (event) => event.stopImmediatePropagation(), { capture: true });
  });
  for (let turn = 0; turn < 25; turn += 1) await page.keyboard.press('j');
  const top = (): Promise<number> => page.getByRole('grid', { name: /^Requests/ }).evaluate((list) => list.scrollTop);
  await expect.poll(top).toBeGreaterThan(100);
  record(20);
  await expectSeen(page.getByRole('button', { name: '20 new', exact: true }));
});

test('older requests are listed page by page, and a filter searches them', async () => {
  record(5, '/v1/the-first');
  record(10_000);
  const page = await inspector.open('/requests?q=path:the-first');
  await page.getByText('The filter hides 10,000 requests').waitFor();
  await page.getByText('5 older requests were not searched.').waitFor();
  await page.getByRole('button', { name: 'Search older ones' }).click();
  await expect.poll(() => page.locator('.rowsin > .row').count()).toBe(5);
});
