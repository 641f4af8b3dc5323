import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { postChunked } from '../support/chunked.ts';
import { askPalette, toast } from '../support/frame.ts';
import { holdBack, letCome } from '../support/hold-back.ts';
import { recordMany } from '../support/record-many.ts';
import { grid, rows } from './requests-support.ts';

const inspector = useInspector();

const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selected requests' });

async function four(): Promise<Page> {
  for (const path of ['/me', '/webhooks', '/me', '/webhooks']) await inspector.sandbox.call('GET', path);
  const page = await inspector.open('/requests');
  await expect.poll(() => rows(page).count()).toBe(4);
  return page;
}

test('several requests are selected with Ctrl and Shift, then replayed, pinned and let go', async () => {
  const page = await four();
  await rows(page).nth(0).click();
  expect(await bar(page).count()).toBe(0);
  await rows(page)
    .nth(2)
    .click({ modifiers: ['Control'] });
  await bar(page).getByText('2 selected').waitFor();
  await rows(page)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  expect(await page.evaluate(() => getSelection()?.toString()), 'no text is selected').toBe('');
  await bar(page).getByText('3 selected').waitFor();
  await bar(page).getByRole('button', { name: 'Pin' }).click();
  await page.getByRole('button', { name: 'Pinned 3' }).waitFor();
  await bar(page).getByRole('button', { name: 'Replay 3' }).click();
  await toast(page, '3 requests replayed').waitFor();
  await expect.poll(() => rows(page).count()).toBe(7);
  await page.keyboard.press('Escape');
  await expect.poll(() => bar(page).count()).toBe(0);
});

test('a second press of “Replay 4” before the answers sends nothing twice', async () => {
  const page = await four();
  await rows(page).nth(0).click();
  await rows(page)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  const asked: string[] = [];
  page.on('request', (request) => void (/reveal=/.test(request.url()) && asked.push(request.url())));
  const release = await holdBack(page, /reveal=/);
  await bar(page).getByRole('button', { name: 'Replay 4' }).dblclick();
  release();
  await toast(page, '4 requests replayed').waitFor();
  expect(new Set(asked).size).toBe(4);
  expect(asked).toHaveLength(4);
  expect(inspector.sandbox.emulator.recorder.size).toBe(8);
});

test('a row that is selected while others are sent again is not said to be left out', async () => {
  const page = await four();
  await rows(page).nth(2).click();
  await rows(page)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  const release = await holdBack(page, /reveal=/);
  await bar(page).getByRole('button', { name: 'Replay 2' }).click();
  await rows(page)
    .nth(0)
    .click({ modifiers: ['Control'] });
  await bar(page).getByText('3 selected').waitFor();
  release();
  await expectSeen(toast(page, /^2 requests replayed$/));
});

test('a request whose body was not read is not sent again without it', async () => {
  await postChunked(inspector.sandbox, '/webhooks', 'sandpiper-readonly-key', ' '.repeat(100_000));
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  await rows(page).nth(1).click();
  await expect.poll(() => page.getByRole('button', { name: 'Replay', exact: true }).isDisabled()).toBe(true);
  await rows(page)
    .nth(0)
    .click({ modifiers: ['Shift'] });
  await bar(page).getByRole('button', { name: 'Replay 2' }).click();
  await toast(page, '1 request replayed; 1 not, as their bodies were not kept completely').waitFor();
  expect(inspector.sandbox.emulator.recorder.size).toBe(3);
});

test('with the keyboard too; two of them are compared', async () => {
  const page = await four();
  await page.keyboard.press('j');
  await grid(page).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await bar(page).getByText('2 selected').waitFor();
  await bar(page).getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('article', { name: 'Comparison' }).waitFor();
  expect(page.url()).toContain('with=');
});

test('selected requests that a filter hides are neither counted nor deleted, and are selected again without it', async () => {
  const page = await four();
  await rows(page).nth(0).click();
  await rows(page)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  await bar(page).getByText('4 selected').waitFor();
  const filter = page.getByRole('combobox', { name: 'Filter' });
  await filter.fill('path:nothing ');
  await expectGone(bar(page));
  await filter.fill('path:me ');
  await bar(page).getByText('2 selected').waitFor();
  await bar(page).getByRole('button', { name: 'Replay 2' }).waitFor();
  await filter.fill('');
  await bar(page).getByText('4 selected').waitFor();
  await filter.fill('path:me ');
  await bar(page).getByText('2 selected').waitFor();
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await toast(page, '2 requests deleted').waitFor();
  expect(inspector.sandbox.emulator.recorder.size).toBe(2);
});

test('a comparison says which of the two is pinned, also when they change places, and when neither is', async () => {
  const page = await four();
  await rows(page).nth(0).click();
  await rows(page)
    .nth(1)
    .click({ modifiers: ['Control'] });
  await bar(page).getByRole('button', { name: 'Compare' }).click();
  const comparison = page.getByRole('article', { name: 'Comparison' });
  const sides = comparison.locator('.cmpname');
  await comparison.getByRole('heading', { name: 'Two requests compared' }).waitFor();
  await expect.poll(() => sides.allInnerTexts()).toEqual(['the other one', 'this one']);
  await comparison.getByRole('button', { name: 'Close' }).click();

  await rows(page).nth(3).click();
  const detail = page.getByRole('article', { name: 'Request' });
  // Until then it shows the request before, and its button would pin that one.
  await detail.getByRole('heading', { name: '/me' }).waitFor();
  await detail.getByRole('button', { name: 'Pin', exact: true }).click();
  await rows(page).nth(0).click();
  await page.keyboard.press('x');
  await comparison.getByRole('heading', { name: 'Compared with the pinned request' }).waitFor();
  await expect.poll(() => sides.allInnerTexts()).toEqual(['pinned', 'this one']);
  await comparison.getByRole('button', { name: 'Swap' }).click();
  await expect.poll(() => sides.allInnerTexts()).toEqual(['the other one', 'pinned']);
});

test('the name of a compared request ends before its status', async () => {
  const page = await four();
  await rows(page).nth(1).click();
  await page.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'Pin', exact: true }).click();
  await rows(page).nth(0).click();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Swap' }).click();
  const name = page.getByRole('article', { name: 'Comparison' }).getByText('the other one');
  await name.waitFor();
  const ends = await name.evaluate((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    const next = one.nextElementSibling?.getBoundingClientRect().left ?? 0;
    return next - text.getBoundingClientRect().right;
  });
  expect(ends).toBeGreaterThan(0);
});

test('selected requests are deleted, and undo brings them back to their places', async () => {
  const page = await four();
  const names = (): Promise<readonly string[]> => rows(page).locator('.path').allInnerTexts();
  const before = await names();
  await rows(page).nth(1).click();
  await rows(page)
    .nth(2)
    .click({ modifiers: ['Control'] });
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await toast(page, '2 requests deleted').waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(await bar(page).count()).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => rows(page).count()).toBe(4);
  expect(await names()).toEqual(before);
});

test('a paused list loses what is deleted, keeps the rest, and gets it back with undo', async () => {
  const page = await four();
  await page.getByRole('button', { name: 'Pause' }).click();
  await inspector.sandbox.call('GET', '/me');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  const erase = async (first: number, last: number): Promise<void> => {
    await rows(page).nth(first).click();
    await rows(page)
      .nth(last)
      .click({ modifiers: ['Shift'] });
    await bar(page).getByRole('button', { name: 'Delete' }).click();
  };
  await erase(2, 3);
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.keyboard.press('Control+z');
  await expect.poll(() => rows(page).count()).toBe(4);
  // The newest of them, too.
  await erase(0, 1);
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => rows(page).count()).toBe(5);
});

test('a right click offers what can be done with the request, with the keys, or with all selected ones', async () => {
  const page = await four();
  await rows(page).nth(1).click({ button: 'right' });
  const menu = page.getByRole('menu', { name: 'The selected request' });
  const replay = menu.getByRole('menuitem', { name: /^Replay this request/ });
  await replay.waitFor();
  await menu.getByRole('menuitem', { name: /^Copy this request: as curl/ }).waitFor();
  await replay.click();
  await toast(page, 'Replayed: 200').waitFor();
  await expect.poll(() => rows(page).count()).toBe(5);

  await rows(page).nth(1).click();
  await rows(page)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  await rows(page).nth(2).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Delete 3 requests' }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.keyboard.press('Control+z');
  await expect.poll(() => rows(page).count()).toBe(5);

  // With the keyboard alone, too.
  await grid(page).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+F10');
  await menu.getByRole('menuitem', { name: /^Replay this request/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem');
  await page.keyboard.press('Escape');
  await expect.poll(() => menu.count()).toBe(0);
});

/** A refused request and an accepted one, with the newest one, GET /me, in the detail. */
async function refusedAndTwo(): Promise<{ page: Page; menu: Locator; lines: Locator }> {
  await inspector.sandbox.call('GET', '/webhooks');
  await inspector.sandbox.call('POST', '/subscriptions', { json: { user: { phone: '(555) 555-0123' } } });
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  await rows(page).nth(0).click();
  await page.getByRole('article', { name: 'Request' }).getByText('/v1/me').first().waitFor();
  const menu = page.getByRole('menu', { name: 'The selected request' });
  return { page, menu, lines: menu.getByRole('menuitem') };
}
const ofRequest = /\/control\/requests\/req_/;

test('the menu of a request that is still being read has all of its lines, and keeps them and its place', async () => {
  const { page, menu, lines } = await refusedAndTwo();
  const release = await holdBack(page, ofRequest);
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+F10');
  await expectSeen(lines.first().getByText('Replay this request with its smallest fix'));
  await expectSeen(lines.first().and(page.locator(':focus')));
  const look = async (): Promise<unknown> => [await lines.allInnerTexts(), await menu.boundingBox()];
  const before = await look();
  await letCome(page, ofRequest, release);
  expect(await look()).toEqual(before);
  await page.keyboard.press('Enter');
  await expectSeen(toast(page, /^Replayed with the fix/));
});

test('what is chosen in the menu of a request that is still being read is done to this request', async () => {
  const { page, menu, lines } = await refusedAndTwo();
  const release = await holdBack(page, ofRequest);
  await rows(page).nth(2).click({ button: 'right' });
  await lines.getByText('Replay this request', { exact: true }).click();
  await expectGone(menu);
  release();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(4);
  expect(inspector.sandbox.emulator.recorder.all().at(-1)?.url).toContain('/v1/webhooks');
});

test('a fix that cannot be sent is not offered, and its key says why', async () => {
  await inspector.sandbox.call('GET', '/nothing-like-it');
  const page = await inspector.open('/requests');
  await rows(page).first().click();
  await page.getByRole('article', { name: 'Request' }).getByText('Smallest fix').waitFor();
  await page.keyboard.press('f');
  await expectSeen(page.getByRole('alert').getByText('Only you can make its fix.'));
  await page.keyboard.press('Shift+F10');
  const line = page.getByRole('menuitem', { name: /^Replay this request with its smallest fix/ });
  await expectSeen(line.getByText('Only you can make its fix.'));
  expect(await line.getAttribute('aria-disabled')).toBe('true');
});

test('pins are the same in each window, and stay after a reload, also of a request before the newest 10,000', async () => {
  const page = await four();
  const pinned = (where: Page): Locator => where.getByRole('button', { name: 'Pinned 1' });
  await rows(page).nth(1).click();
  const pin = page.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'Pin', exact: true });
  await pin.click();
  await pinned(page).waitFor();
  recordMany(inspector.sandbox, 10_000, { url: '/v1/newer' });
  const beside = await page.context().newPage();
  await beside.goto(page.url());
  await pinned(beside).click();
  await expectSeen(rows(beside).getByText('/me'));
  await beside.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'Unpin' }).click();
  await expectSeen(page.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'Pin', exact: true }));
});

test('pins go with their requests, and come back with an undo', async () => {
  const page = await four();
  const pinned = (count: number): Locator => page.getByRole('button', { name: `Pinned ${count}` });
  await rows(page).nth(1).click();
  await page.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'Pin', exact: true }).click();
  await pinned(1).waitFor();
  await askPalette(page, 'clear the recorded');
  await page.keyboard.press('Enter');
  await pinned(0).waitFor({ state: 'attached' });
  await page.keyboard.press('Control+z');
  await expectSeen(pinned(1));
});

test('while two requests are compared, the menu and the keys of the chosen one act on it', async () => {
  const { sandbox } = inspector;
  const idOf = async (path: string): Promise<string> => (await (await sandbox.call('GET', path)).exchange()).id;
  const [one, other] = [await idOf('/me'), await idOf('/webhooks')];
  const both = `/requests/${one}?with=${other}`;
  const page = await inspector.open(both);
  const comparison = page.getByRole('article', { name: 'Comparison' });
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expectSeen(comparison.getByText('They differ'));
  await rows(page).nth(1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy this request: the link to it' }).click();
  await expectSeen(toast(page, 'Copied as a link'));
  expect(await copied()).toContain(`#/requests/${one}`);
  await expectGone(comparison);

  await goTo(page, both);
  await expectSeen(comparison.getByText('They differ'));
  await page.keyboard.press('c');
  await expectSeen(toast(page, 'Copied as curl'));
  expect(await copied()).toContain('/v1/me');

  await goTo(page, both);
  await expectSeen(comparison.getByText('They differ'));
  await page.keyboard.press('r');
  await expectSeen(toast(page, 'Replayed: 200'));
  await expect.poll(() => rows(page).count()).toBe(3);
});
