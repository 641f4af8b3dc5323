import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';
import { recordMany } from '../support/record-many.ts';

const inspector = useInspector({ record: { exchanges: 50_000, bytes: 512 * 1024 * 1024, days: 30 } });

const row = (page: Page, id: string | undefined) => page.locator(`.rowsin > [id="row-${id}"]`);
/** Whether the list shows the whole row: it is between the column heads and the end of the list. */
const isInSight = (page: Page, id: string | undefined): Promise<boolean> =>
  row(page, id).evaluate((element) => {
    const [of, list] = [element.getBoundingClientRect(), element.closest('.rows')?.getBoundingClientRect()];
    return list !== undefined && of.top >= list.top && of.bottom <= list.bottom;
  });

test.for([
  { width: 1024, height: 700 },
  { width: 1440, height: 900 },
])(
  'at $width px the link of an old request among 22,000 shows its row in the list, however old it is',
  async (size) => {
    recordMany(inspector.sandbox, 22_000);
    const { recorder } = inspector.sandbox.emulator;
    for (const age of [6_000, 15_000, 22_000]) {
      const id = recorder.all().at(-age)?.id;
      const page = await inspector.open(`/requests/${id}`, size);
      await page.getByRole('article', { name: 'Request' }).waitFor();
      await row(page, id).waitFor();
      await expect.poll(() => isInSight(page, id), { message: `${age} before the newest` }).toBe(true);
      expect(await row(page, id).getAttribute('aria-selected')).toBe('true');
    }
  },
);

test('the link of a request that the filter hides shows its row when the filter is cleared', async () => {
  recordMany(inspector.sandbox, 22_000);
  const id = inspector.sandbox.emulator.recorder.all().at(-15_000)?.id;
  const page = await inspector.open(`/requests/${id}?q=status:4xx`);
  await page.getByRole('article', { name: 'Request' }).waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await row(page, id).waitFor();
  await expect.poll(() => isInSight(page, id)).toBe(true);
});
