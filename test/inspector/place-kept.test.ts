/** What arrives does not move what is being read, neither while the tab is shown nor while it was hidden. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectSeen, useInspector } from '../support/browser.ts';
import { hideForLong, setHidden, stream } from '../support/hidden-tab.ts';
import { nextFrame } from '../support/hold-back.ts';
import { knownAt } from '../support/people.ts';
import { recordMany } from '../support/record-many.ts';

const inspector = useInspector({ pace: 'manual' });
const ada = { phone: '+15555550100', email: 'ada@example.com' };

/** Makes people known, one after the other, by email. */
function meet(name: string, count: number): void {
  const { store, users } = inspector.sandbox.emulator.deps;
  store.transact(() => {
    for (let n = 0; n < count; n += 1)
      users.findOrMake(demoCompany, { email: `${name}${n}@example.com` }, knownAt('2026-01-01T00:00:00.000Z'));
  });
}

async function setAttribute(value: string): Promise<void> {
  const json = { user: ada, properties: { season: value } };
  expect((await inspector.sandbox.call('POST', '/attributes/custom', { json })).status).toBe(200);
}
async function setMany(name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await setAttribute(`${name} ${n}`);
}

/** Opens a view of which the tab can be hidden. */
async function openApart(path: string): Promise<Page> {
  const page = await inspector.open(path, { apart: true });
  await page.clock.install();
  return page;
}

/** Hides the tab for long, and shows it again after what happens meanwhile. */
async function hideDuring(page: Page, happens: () => unknown): Promise<void> {
  await hideForLong(page);
  await happens();
  const back = page.waitForRequest(stream);
  await setHidden(page, false);
  await back;
}

const scrollTo = (box: Locator, top: number): Promise<void> =>
  box.evaluate((one, to) => one.scrollTo({ top: to }), top);
const topOf = async (row: Locator): Promise<number> => (await row.boundingBox())?.y ?? 0;
const countOf = (list: Locator): Promise<number> => list.evaluate((one) => Number(one.getAttribute('aria-rowcount')));

/** Checks that a row of the list stays where it is drawn, chosen and with the focus, while this many more arrive. */
async function expectStill(list: Locator, name: RegExp, arrive: () => unknown, more: number): Promise<void> {
  const row = list.getByRole('row', { name });
  await row.click();
  await expect.poll(() => row.getAttribute('aria-selected')).toBe('true');
  await nextFrame(list.page());
  const [before, top, focused] = [await countOf(list), await topOf(row), await focusedIn(list)];
  await arrive();
  await expect.poll(() => countOf(list)).toBe(before + more);
  await nextFrame(list.page());
  expect(await topOf(row)).toBe(top);
  expect(await row.getAttribute('aria-selected')).toBe('true');
  expect(await focusedIn(list)).toBe(focused);
}
const focusedIn = (list: Locator): Promise<boolean> => list.evaluate((one) => one.contains(document.activeElement));

test('the person under the eyes stays there when others become known, shown or hidden, also by more than was read', async () => {
  meet('early', 300);
  const page = await openApart('/subscribers');
  const list = page.getByRole('grid', { name: 'People, newest first' });
  await expectSeen(list.getByRole('row').first());
  await scrollTo(list, 52 * 140 + 7);
  await expectStill(list, /^early155@/, () => meet('late', 3), 3);
  await expectStill(list, /^early155@/, () => hideDuring(page, () => meet('later', 170)), 170);
});

test('the key for the next person counts from the chosen one, also out of sight and after others became known', async () => {
  meet('early', 300);
  const page = await inspector.open('/subscribers');
  const list = page.getByRole('grid', { name: 'People, newest first' });
  await list.getByRole('row', { name: /^early297@/ }).click();
  await scrollTo(list, 52 * 200);
  await expectSeen(list.getByRole('row', { name: /^early95@/ }));
  const before = await countOf(list);
  meet('late', 3);
  await expect.poll(() => countOf(list)).toBe(before + 3);
  await page.keyboard.press('j');
  await expectSeen(page.getByRole('article', { name: 'early296@example.com' }));
});

test('the delivery under the eyes stays there when others are queued, shown or hidden', async () => {
  const webhook = { url: 'http://127.0.0.1:9/', events: ['custom_attribute.set'] };
  await inspector.sandbox.call('POST', '/webhooks', { json: webhook });
  await setMany('early', 50);
  const page = await openApart('/webhooks');
  const list = page.getByRole('grid', { name: 'Deliveries, newest first' });
  await expect.poll(() => countOf(list)).toBe(51);
  await scrollTo(list, 307);
  const id = await list.getByRole('row').nth(14).getAttribute('id');
  const row = list.locator(`#${id}`);
  await row.click();
  for (const arrive of [() => setMany('late', 3), () => hideDuring(page, () => setMany('later', 7))]) {
    const [before, top] = [await countOf(list), await topOf(row)];
    await arrive();
    await expect.poll(() => countOf(list)).toBeGreaterThan(before + 2);
    await nextFrame(page);
    expect(await topOf(row)).toBe(top);
    expect(await row.getAttribute('aria-selected')).toBe('true');
  }
});

test('the entry of a history under the eyes stays there when something happens', async () => {
  await setMany('early', 60);
  const page = await inspector.open('/subscribers');
  await page.getByRole('row', { name: /0100/ }).click();
  const box = page.getByRole('region', { name: 'Facts and history' });
  const entries = box.getByRole('region', { name: 'History' }).getByRole('listitem');
  await expectSeen(entries.filter({ hasText: 'early 59' }).first());
  await box.evaluate((one) => one.scrollTo({ top: one.scrollHeight - one.clientHeight - 300 }));
  const entry = entries.filter({ hasText: 'early 15' }).filter({ hasText: 'early 14' });
  await expectSeen(entry);
  await nextFrame(page);
  const changes = async (): Promise<number> =>
    Number((await box.getByRole('button', { name: /^Changes/ }).innerText()).replace(/\D+/, ''));
  const [top, before] = [await topOf(entry), await changes()];
  await setMany('late', 3);
  await expect.poll(changes).toBe(before + 3);
  await nextFrame(page);
  expect(await topOf(entry)).toBe(top);
});

test('earlier texts stay in sight on the simulated phone when something about the person changes, or another text comes', async () => {
  const compose = (text: string) =>
    inspector.sandbox.control('POST', '/control/messages', { subscriber: { phone: ada.phone }, channel: 'TEXT', text });
  for (let n = 0; n < 16; n += 1) await compose(`A text about the tide, number ${n}, long enough for two lines`);
  const page = await inspector.open('/subscribers');
  await page.getByRole('row', { name: /0100/ }).click();
  const thread = page.getByRole('log', { name: 'Texts' });
  const isAtEnd = (): Promise<boolean> =>
    thread.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 40);
  await expectSeen(thread.getByText('number 15'));
  await expect.poll(isAtEnd).toBe(true);
  await scrollTo(thread, 90);
  await setAttribute('autumn');
  await expectSeen(page.getByText('autumn').first());
  await nextFrame(page);
  expect(await thread.evaluate((one) => one.scrollTop)).toBe(90);
  await compose('The newest text');
  await thread.getByText('The newest text').waitFor({ state: 'attached' });
  await nextFrame(page);
  expect(await thread.evaluate((one) => one.scrollTop)).toBe(90);
  await page.getByRole('button', { name: 'HELP', exact: true }).click();
  await expect.poll(isAtEnd).toBe(true);
  await compose('The very newest text');
  await thread.getByText('The very newest text').waitFor({ state: 'attached' });
  await expect.poll(isAtEnd).toBe(true);
});

test('the entry that was chosen in the timeline stays in the detail when more arrive than are listed, until it is gone', async () => {
  recordMany(inspector.sandbox, 130, { url: '/v1/me?early' });
  const page = await openApart('/timeline');
  const list = page.getByRole('grid', { name: 'Timeline, newest first' });
  await list.getByRole('row').nth(4).click();
  const detail = page.getByRole('article', { name: 'Request' });
  const link = (): Promise<string | null> =>
    detail.getByRole('link', { name: 'Open the request' }).getAttribute('href');
  await expectSeen(detail);
  const before = await link();
  await hideDuring(page, () => recordMany(inspector.sandbox, 150, { url: '/v1/me?late' }));
  await expectSeen(page.getByRole('button', { name: 'All 280' }));
  await nextFrame(page);
  expect(await link()).toBe(before);
  await inspector.sandbox.reset();
  await expectSeen(page.getByText('This entry is not listed'));
});

test('a list of requests is as it was left when the tab is shown again: place, choice, marks, filter, pause and focus', async () => {
  recordMany(inspector.sandbox, 600, { statusOf: (left) => (left % 2 === 0 ? 404 : 200) });
  const page = await openApart('/requests?q=status:404');
  const list = page.getByRole('grid', { name: 'Requests, newest first' });
  await expectSeen(list.getByRole('row').first());
  await scrollTo(list, 1_507);
  await nextFrame(page);
  await list.getByRole('row').nth(12).click();
  await list
    .getByRole('row')
    .nth(14)
    .click({ modifiers: ['Control'] });
  await page.getByRole('button', { name: /^Pause/ }).click();
  await list.focus();
  const seen = (): Promise<unknown> =>
    list.evaluate((one) => ({
      place: one.scrollTop,
      rows: [...one.querySelectorAll('.row')].map(({ id, className }) => `${id} ${className}`).toSorted(),
      isFocused: document.activeElement === one,
      address: location.hash,
    }));
  await nextFrame(page);
  const before = await seen();
  await hideDuring(page, () => recordMany(inspector.sandbox, 50, { statusOf: () => 404 }));
  await expectSeen(page.getByRole('button', { name: '50 new' }));
  expect(await seen()).toEqual(before);
});
