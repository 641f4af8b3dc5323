import { expect, test } from 'vitest';
import { fullProduct, product, toFile, variant } from '../catalog/support.ts';
import { checkAccess, useInspector } from '../support/browser.ts';
import { xss } from '../support/xss.ts';
import { chosen, diagram, drop, mixed, press, useCatalog } from './catalog-support.ts';

const inspector = useInspector({ pace: 'manual' });
const { initiate, move, saved, sendTo, upload } = useCatalog(inspector);

test('saved products are searched, and shown with variants, prices and images that are not loaded', async () => {
  const many = Array.from({ length: 250 }, (_, at) => product(`p-${at}`, { name: `Tide tee ${at}` }));
  const hat = {
    ...fullProduct('hat-1'),
    name: 'Red Hat',
    variants: [variant('hat-1-1'), variant('hat-1-2', { availableForPurchase: false })],
  };
  await saved(toFile([...many, hat]));
  const page = await inspector.open('/catalog');
  await page.getByRole('button', { name: 'Products', exact: true }).click();
  const list = page.getByRole('grid', { name: /^Saved products/ });
  await page.getByText('251 products').waitFor();
  expect(await list.getByRole('row').count()).toBeLessThan(60);
  await list.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await list.getByRole('row', { name: /Tide tee 249/ }).waitFor();
  await page.getByRole('textbox', { name: 'Search products by id or name' }).fill('red h');
  await page.getByText('1 product found').waitFor();
  await list.getByRole('row', { name: /Red Hat/ }).click();
  const detail = page.getByRole('region', { name: 'The selected product' });
  await detail.getByText('Soft, and blue as the sea').waitFor();
  expect(await detail.getByRole('table').getByRole('row').count()).toBe(3);
  await detail.getByRole('row', { name: /hat-1-2 .*12\.50 USD 3 no/ }).waitFor();
  await detail.getByRole('tab', { name: 'Images 1' }).click();
  await detail.getByText('http://shop.example/a.png').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  // The address alone opens it again.
  await page.reload();
  await detail.getByText('Soft, and blue as the sea').waitFor();
  await page.getByRole('textbox', { name: 'Search products by id or name' }).fill('nowhere');
  await page.getByText('No product found').waitFor();
});

test('rows of products with short names begin and end at the same places', async () => {
  await saved(toFile(['a', 'b', 'c', 'd'].map((id) => product(id, { name: id }))));
  const page = await inspector.open('/catalog?show=products');
  const rows = page.getByRole('grid', { name: /^Saved products/ }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(4);
  const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
  expect(new Set(boxes.map((box) => `${box?.x} ${box?.width}`)).size).toBe(1);
});

const bigLine = `${JSON.stringify(product('p', { description: 'x'.repeat(1_000) }))}\n`;

/** A line whose many errors take long to find, so that a busy page sees the check before it is over. */
const slowLine = `${JSON.stringify({
  ...product('p', { name: '', link: 'none' }),
  variants: Array.from({ length: 12 }, (_, at) => ({
    id: `v${at}`,
    name: 5,
    prices: 'x',
    lastUpdated: 'x',
    link: 'x',
  })),
})}\n`;

test('the check of a big file shows its progress, and is cancelled, which says that the file was not checked', async () => {
  const id = await initiate(true);
  const page = await inspector.open(`/catalog/${id}`);
  // In the page, at the first progress of the check, which then takes many seconds.
  const seen = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const look = (): void => {
          const bar = document.querySelector('[role="progressbar"][aria-label="Checked"]');
          const says = bar?.getAttribute('aria-valuetext') ?? '';
          const button = [...document.querySelectorAll('button')].find((one) => /Cancel the check/.test(one.innerText));
          if (!button || !/ of /.test(says) || bar?.getAttribute('aria-valuenow') === '100')
            return void requestAnimationFrame(look);
          button.click();
          resolve(says);
        };
        look();
      }),
  );
  await sendTo(id, slowLine.repeat(70_000));
  expect(await seen).toMatch(/^[\d.]+ MB of [\d.]+ MB \d+ % · [\d,]+ lines · [\d,]+ errors/);
  await chosen(page).getByText('The file was not checked').waitFor();
  const { report } = inspector.sandbox.emulator.deps.store.uploads.get(id) ?? {};
  expect(report?.issues.map(({ errorType }) => errorType)).toEqual(['catalog.check-cancelled']);
});

test('the check of a big file ends with all of it checked', async () => {
  const id = await initiate(true);
  const page = await inspector.open(`/catalog/${id}`);
  // Progress is told for every 8 MB.
  await sendTo(id, bigLine.repeat(9_000));
  await chosen(page).getByText('The file is checked').waitFor();
  const bar = page.getByRole('progressbar', { name: 'Checked' });
  await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('100');
});

test('ten thousand errors are listed, of which only the visible ones are in the page', async () => {
  const id = await upload('x\n'.repeat(10_050), true);
  await move(id, 'checked');
  const page = await inspector.open(`/catalog/${id}`);
  await chosen(page).getByText('10,050 were found; the first 10,000 are listed.').waitFor();
  const rows = chosen(page).getByRole('grid').getByRole('row');
  expect(await rows.count()).toBeLessThan(60);
  await chosen(page).getByRole('grid', { name: 'Errors by line' }).press('End');
  await chosen(page)
    .getByRole('row', { name: /^10,000 the line/ })
    .waitFor();
  await chosen(page).getByText('Line 10,000', { exact: true }).waitFor();
});

test('names of files, lines and products stay text', async () => {
  const hostile = product(xss.slice(0, 200), {
    name: xss.slice(0, 200),
    description: xss.slice(0, 900),
    tags: ['<b>x</b>'],
  });
  await saved(toFile([hostile]));
  const page = await inspector.open('/catalog');
  await page.getByRole('grid', { name: 'Uploads, newest first' }).waitFor();
  await inspector.sandbox.emulator.deps.clock.advance(1_000);
  await drop(
    page,
    '"><img src=x onerror=window.__xss=1>.ndjson',
    `${JSON.stringify({ id: xss, link: xss })}\n${xss}\n`,
  );
  await page.getByRole('heading', { name: '"><img src=x' }).waitFor();
  await chosen(page).getByText('The file is checked').waitFor();
  await press(page, 'Finish the check');
  await chosen(page)
    .getByRole('row', { name: /^2 the line/ })
    .click();
  await chosen(page).getByText('Line 2', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Products', exact: true }).click();
  await page.getByRole('row', { name: '<script>' }).click();
  const detail = page.getByRole('region', { name: 'The selected product' });
  await detail.getByText('<b>x</b>').waitFor();
  await detail.getByRole('tab', { name: 'As uploaded' }).click();
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
});

test('uploads are accessible, wide and narrow', async () => {
  const id = await upload(mixed);
  await move(id, 'checked');
  const page = await inspector.open(`/catalog/${id}`);
  await chosen(page)
    .getByRole('row', { name: /^2 \/link/ })
    .waitFor();
  await checkAccess(page);
  await page.setViewportSize({ width: 1024, height: 700 });
  await diagram(page).getByRole('list', { name: 'Moves' }).getByRole('button', { name: 'Save the catalog' }).waitFor();
  await checkAccess(page);
});

test('saved products are accessible', async () => {
  await saved(toFile([fullProduct('a')]));
  const page = await inspector.open('/catalog?show=products');
  await page.getByRole('row').first().click();
  await page.getByRole('region', { name: 'The selected product' }).waitFor();
  await checkAccess(page);
});
