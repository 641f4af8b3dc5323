/** In every list Home, End and the page keys choose a row, like the arrow keys, and the list shows it. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectSeen, useInspector } from '../support/browser.ts';
import { recordMany } from '../support/record-many.ts';
import { product, toFile } from '../catalog/support.ts';
import { useCatalog } from './catalog-support.ts';

const inspector = useInspector({ pace: 'manual' });
const { initiate, saved } = useCatalog(inspector);
const control = (method: string, path: string, json?: unknown) =>
  inspector.sandbox.control(method, `/control/${path}`, json);
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The number of the chosen row, as screen readers count it, and whether all of it is inside the list. */
async function chosenIn(list: Locator): Promise<readonly [row: string | null, isInside: boolean]> {
  const row = list.locator('.row[aria-selected="true"]');
  if ((await row.count()) !== 1) return [null, false];
  return row.evaluate((element) => {
    const [inner, outer] = [element, element.closest('[role="grid"]')!].map((one) => one.getBoundingClientRect());
    return [element.getAttribute('aria-rowindex'), inner!.top >= outer!.top - 1 && inner!.bottom <= outer!.bottom + 1];
  });
}

/** A list with more rows than fit, and for the longest ones more than are read at once. */
const lists: readonly (readonly [path: string, name: RegExp, fill: () => unknown])[] = [
  ['/requests', /^Requests/, () => recordMany(inspector.sandbox, 300)],
  ['/timeline', /^Timeline/, () => Promise.all(numbers(60).map(() => inspector.sandbox.call('GET', '/me')))],
  [
    '/webhooks',
    /^Deliveries/,
    async () => {
      await control('POST', 'webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.opened'] });
      for (let left = 40; left > 0; left -= 1) await control('POST', 'trigger', { type: 'email.opened' });
    },
  ],
  [
    '/subscribers',
    /^People/,
    async () => {
      for (const number of numbers(250)) {
        const user = { email: `person-${number}@example.com` };
        await inspector.sandbox.call('POST', '/attributes/custom', { json: { user, properties: { size: 'm' } } });
      }
    },
  ],
  [
    '/catalog',
    /^Uploads/,
    async () => {
      for (let left = 40; left > 0; left -= 1) await initiate();
    },
  ],
  [
    '/catalog?show=products',
    /^Saved products/,
    () => saved(toFile(numbers(250).map((number) => product(`p-${number}`)))),
  ],
  [
    '/offers',
    /^Offers/,
    async () => {
      for (const number of numbers(40))
        await control('POST', 'offers', { companyId: demoCompany, name: `Offer ${number}`, window: 'never-expire' });
    },
  ],
];

test.each(lists)('in the list of %s Home, End and the page keys choose a row and show it', async (path, name, fill) => {
  await fill();
  const page: Page = await inspector.open(path);
  const list = page.getByRole('grid', { name });
  await list.locator('.row').nth(5).waitFor();
  await list.focus();
  const count = await list.getAttribute('aria-rowcount');
  await page.keyboard.press('End');
  await expect.poll(() => chosenIn(list)).toEqual([count, true]);
  await page.keyboard.press('PageUp');
  await expect.poll(async () => Number((await chosenIn(list))[0])).toBeLessThan(Number(count) - 2);
  await page.keyboard.press('Home');
  const first = await list.evaluate((box) =>
    box.querySelector('[role="columnheader"]') || box.getAttribute('aria-owns') ? '2' : '1',
  );
  await expect.poll(() => chosenIn(list)).toEqual([first, true]);
  await page.keyboard.press('PageDown');
  await expect.poll(async () => Number((await chosenIn(list))[0])).toBeGreaterThan(3);
  expect(await list.evaluate((box) => box === document.activeElement)).toBe(true);
});

test('Shift with End or Home selects all requests from the chosen one to the last or the first', async () => {
  recordMany(inspector.sandbox, 30);
  const page = await inspector.open('/requests');
  const list = page.getByRole('grid', { name: /^Requests/ });
  await list.locator('.row').nth(4).click();
  await page.keyboard.press('Shift+End');
  await expectSeen(page.getByText('26 selected'));
  await page.keyboard.press('Shift+Home');
  await expectSeen(page.getByText('30 selected'));
});
