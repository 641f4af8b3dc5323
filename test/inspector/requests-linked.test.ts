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

test('the link of an old request among 20,100 shows its row in the list, wide or narrow, however old it is', async () => {
  recordMany(inspector.sandbox, 20_100);
  const { recorder } = inspector.sandbox.emulator;
  const [wide, narrow] = [
    { width: 1440, height: 900 },
    { width: 1024, height: 700 },
  ];
  // Of those that are listed at first, of the next page, and of the one after it.
  const ages = [6_000, 15_000, 20_100];
  for (const [age, size] of ages.flatMap((one) => [[one, wide] as const, [one, narrow] as const])) {
    const id = recorder.all().at(-age)?.id;
    const page = await inspector.open(`/requests/${id}`, size);
    await page.getByRole('article', { name: 'Request' }).waitFor();
    await row(page, id).waitFor();
    const message = `${age} before the newest, at ${size.width} px`;
    await expect.poll(() => isInSight(page, id), { message }).toBe(true);
    expect(await row(page, id).getAttribute('aria-selected'), message).toBe('true');
  }
});

test('the link of a request that the filter hides shows its row when the filter is cleared', async () => {
  recordMany(inspector.sandbox, 12_000);
  const id = inspector.sandbox.emulator.recorder.all().at(-11_000)?.id;
  const page = await inspector.open(`/requests/${id}?q=status:4xx`);
  await page.getByRole('article', { name: 'Request' }).waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await row(page, id).waitFor();
  await expect.poll(() => isInSight(page, id)).toBe(true);
});
