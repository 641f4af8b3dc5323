/** Whatever is in a menu, it stays in the window, and all of it can be reached. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, expectGone, expectSeen, useInspector } from '../support/browser.ts';

const inspector = useInspector({ pace: 'manual' });
const smallest = { width: 320, height: 256 };

/** It is all in the window; what does not fit scrolls up and down, and not sideways. */
async function expectInside(page: Page, box: Locator): Promise<void> {
  await expectSeen(box);
  const view = page.viewportSize() ?? { width: 0, height: 0 };
  const { left, top, right, bottom, isWide } = await box.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom, isWide: element.scrollWidth > element.clientWidth };
  });
  expect([left >= 0, top >= 0, right <= view.width + 1, bottom <= view.height + 1, isWide]).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
}
async function addCompanies(count: number): Promise<void> {
  const long = `A shop with a long name ${'and more of it '.repeat(9)}`.trim();
  for (const name of [long, ...Array.from({ length: count }, (_, n) => `Shop ${n}`)])
    await inspector.sandbox.control('POST', '/control/companies', { name });
}

test.each([{ width: 1280, height: 800 }, smallest])(
  'the last of fifty companies, and the way to another one, are reached with the mouse at $width×$height',
  async (size) => {
    await addCompanies(50);
    const page = await inspector.open('/', size);
    await page.getByTitle(/^Company: /).click();
    const menu = page.getByRole('menu');
    await expectInside(page, menu);
    await menu.getByRole('menuitemradio', { name: 'Shop 49' }).click();
    await page.getByTitle('Company: Shop 49').click();
    await menu.hover();
    await page.mouse.wheel(0, 10_000);
    const other = menu.getByRole('menuitem', { name: 'Another company…' });
    await expect
      .poll(async () => ((await other.boundingBox())?.y ?? 9_999) + ((await other.boundingBox())?.height ?? 0))
      .toBeLessThanOrEqual(size.height);
  },
);

test('the columns of Requests are all in the window at 400 % zoom', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests', smallest);
  await page.getByRole('button', { name: 'Columns' }).click();
  await expectInside(page, page.getByRole('menu'));
});

test('the options of a field, with the search over them, are in the window at 400 % zoom', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/try/getMe', smallest);
  const choice = page.getByRole('combobox').first();
  await choice.scrollIntoViewIfNeeded();
  await choice.click();
  await expectInside(page, page.locator('.selectlist'));
});

test('an address without a break does not widen the list of what can be undone', async () => {
  await inspector.sandbox.control('POST', '/control/webhooks', {
    url: `http://localhost:19998/${'x'.repeat(1_500)}`,
    events: ['email.opened'],
  });
  const page = await inspector.open('/');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('menuitem', { name: /xxxx/ }).waitFor();
  await expectInside(page, page.getByRole('menu'));
});

test('the words in the menu of a snapshot begin at one edge', async () => {
  await inspector.sandbox.control('POST', '/control/snapshots', { name: 'old', overwrite: true });
  const page = await inspector.open('/snapshots');
  await page.getByRole('button', { name: 'More for old' }).click();
  const words = page.getByRole('menuitem').locator('> span');
  await expectSeen(words.first());
  const edges = await words.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  expect(edges).toEqual(edges.map(() => edges[0]));
});

test('a Space within a name that is typed in a menu is part of the name, and presses nothing', async () => {
  for (const name of ['Shop one', 'Shop two']) await inspector.sandbox.control('POST', '/control/companies', { name });
  const page = await inspector.open('/');
  await page.getByTitle(/^Company: /).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await menu.locator(':focus').waitFor();
  // All at once: a menu begins a new name after a while.
  await Promise.all([...'shop t'].map((key) => page.keyboard.press(key)));
  await expectSeen(menu.getByRole('menuitemradio', { name: 'Shop two' }).and(page.locator(':focus')));
  await page.keyboard.press('Escape');
  await expectSeen(page.getByTitle('Company: Sandpiper Supply Co.'));
});

test.each([
  ['Tab', 'button', 'Search or run a command'],
  ['Shift+Tab', 'link', 'Sandpiper'],
] as const)('%s in a menu closes it, and goes on from the button of the menu', async (key, role, name) => {
  const page = await inspector.open('/');
  await page.getByTitle(/^Company: /).press('Enter');
  const menu = page.getByRole('menu');
  await expectSeen(menu.locator(':focus'));
  await page.keyboard.press(key);
  await expectSeen(page.getByRole(role, { name, exact: true }).and(page.locator(':focus')));
  await expectGone(menu);
});

test('Tab in the menu of a request closes it, and goes on from the list', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  const list = page.getByRole('grid', { name: /^Requests/ });
  await list.focus();
  await page.keyboard.press('j');
  await expectSeen(list.getByRole('row', { selected: true }));
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu');
  // The menu itself has the focus as long as it waits for its lines.
  await expectSeen(menu.and(page.locator(':focus-within')));
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expectSeen(list.and(page.locator(':focus')));
  await expectGone(menu);
});

test.each([
  ['/try/getMe', 'API key', ''],
  ['/faults', 'Operation', 'GET /me'],
])(
  'on %s, Tab in the options of %s chooses the highlighted one and returns to the field',
  async (path, label, typed) => {
    const page = await inspector.open(path);
    const field = page.getByRole('combobox', { name: new RegExp(`^${label}: `) });
    await field.press('Enter');
    await expectSeen(page.locator('.selectlist :focus'));
    await page.keyboard.type(typed);
    if (typed === '') await page.keyboard.press('ArrowDown');
    const option = page.locator('.option[data-highlighted]');
    await expectSeen(option);
    const name = (await option.locator('span').first().innerText()).trim();
    await page.keyboard.press('Tab');
    await expectGone(page.locator('.selectlist'));
    await expectSeen(field.and(page.locator(':focus')));
    expect(await field.innerText()).toBe(name);
  },
);

test('a search over options is a combobox of them, and what it does not find is announced', async () => {
  const page = await inspector.open('/faults');
  await page.getByRole('combobox', { name: /^Operation: / }).press('Enter');
  const search = page.getByRole('combobox', { name: 'Search: Operation' });
  await search.fill('GET /me');
  expect(await search.getAttribute('aria-controls')).toBe(await page.getByRole('listbox').getAttribute('id'));
  await expectSeen(page.getByRole('option', { name: 'GET /me' }));
  await search.fill('nowhere');
  await expectSeen(page.getByRole('status').getByText('Nothing matches “nowhere”.'));
  await checkAccess(page, '.selectlist');
});
