import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { NewUploadView } from '../../emulator/control/protocol.ts';
import { demoCompany } from '../../emulator/demo.ts';
import { fullProduct, product, toFile, variant } from '../catalog/support.ts';
import { checkAccess, useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector({ pace: 'manual' });

const wrongLink = JSON.stringify(product('b', { link: 'shop.example/p/tee' }));
const mixed = toFile([product('a'), wrongLink, '{"id": "c", }', product('d')]);

const control = async <View>(method: string, path: string, json?: unknown): Promise<View> => {
  const { status, body } = await inspector.sandbox.control(method, path, json);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body as View;
};

/** A second upload in the same second of the clock is refused by the platform's limit, so each takes its own. */
async function initiate(validateOnly = false): Promise<string> {
  await inspector.sandbox.emulator.deps.clock.advance(1_000);
  const json = { companyId: demoCompany, validateOnly };
  return (await control<NewUploadView>('POST', '/control/uploads', json)).id;
}

async function upload(file: string, validateOnly = false): Promise<string> {
  const { emulator } = inspector.sandbox;
  const id = await initiate(validateOnly);
  const answer = await fetch(`${emulator.inspectorUrl}/control/uploads/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${emulator.token}` },
    body: file,
  });
  expect(answer.status).toBe(204);
  await emulator.deps.clock.advance(0);
  return id;
}

const move = (id: string, event: string) => control('POST', `/control/records/uploads/${id}/moves`, { event });
const stateOf = (id: string) => inspector.sandbox.emulator.deps.store.uploads.get(id)?.state;

async function saved(file: string): Promise<string> {
  const id = await upload(file);
  await move(id, 'checked');
  await move(id, 'save');
  return id;
}

const chosen = (page: Page): Locator => page.getByRole('region', { name: 'The chosen upload' });
const diagram = (page: Page): Locator => page.getByRole('group', { name: 'States' });
const press = (page: Page, verb: string) => diagram(page).getByRole('button', { name: verb }).click();

/** Lets a file fall into the window. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, body]) => {
      const data = new DataTransfer();
      data.items.add(new File([body ?? ''], fileName ?? ''));
      return data;
    },
    [name, text],
  );
  const target = page.getByRole('button', { name: 'Drop an ndjson file here' });
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  await target.dispatchEvent('drop', { dataTransfer: transfer });
}

test('a file dropped in goes through a real upload, and its errors are shown by line', async () => {
  const page = await inspector.open('/catalog');
  await page.getByText('No upload yet').waitFor();
  await drop(page, 'products.ndjson', mixed);
  await page.getByText('products.ndjson was sent').waitFor();
  await page.getByRole('heading', { name: 'products.ndjson' }).waitFor();
  await chosen(page).getByText('The file is checked').waitFor();
  await press(page, 'Finish the check');
  await chosen(page).getByText('2 products are good, 2 lines are not').waitFor();

  const errors = chosen(page).getByRole('grid', { name: 'Errors by line' });
  await errors.getByRole('row', { name: '2 /link shop.example/p/tee' }).click();
  const line = chosen(page).getByRole('region', { name: 'The line in error' });
  await line.getByText('Write https://shop.example/p/tee').waitFor();
  await line.getByText('"shop.example/p/tee"', { exact: true }).waitFor();
  expect(await line.locator('.wave').innerText()).toBe('"shop.example/p/tee"');
  await errors.getByRole('row', { name: /^3 the line/ }).click();
  await line.getByText('{"id": "c", }', { exact: true }).waitFor();
  expect(await line.locator('mark').innerText()).toBe('}');

  await chosen(page)
    .getByRole('tab', { name: /^Requests/ })
    .click();
  const requests = chosen(page).getByRole('list', { name: /^Requests about this upload/ });
  expect(await requests.getByRole('listitem').count()).toBe(2);
  await requests.getByRole('link', { name: /200 POST/ }).click();
  await expect.poll(() => page.url()).toContain('/requests/');
});

test('a file is chosen, sent to an upload that waits, and sent again through a new one', async () => {
  const page = await inspector.open('/catalog');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New upload' });
  await sheet.getByRole('switch', { name: 'validateOnly' }).click();
  await sheet.getByRole('button', { name: 'Initiate the upload' }).click();
  await chosen(page).getByText('It waits for its file').waitFor();
  await page.getByText('validateOnly false').waitFor();
  await page.getByRole('button', { name: 'Get link' }).click();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(link).toContain('/object-storage/catalog/');
  await chosen(page).getByText(`curl -T products.ndjson "${link}"`).waitFor();

  await chosen(page)
    .getByLabel('File of this upload')
    .setInputFiles({ name: 'shop.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(mixed) });
  await page.getByRole('heading', { name: 'shop.ndjson' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Run the file again' }).isEnabled()).toBe(true);
  // The platform takes one new upload a second.
  await inspector.sandbox.emulator.deps.clock.advance(1_000);
  await page.getByRole('button', { name: 'Run the file again' }).click();
  await page.getByText('The file was sent again').waitFor();
  const list = page.getByRole('grid', { name: 'Uploads, newest first' });
  await expect.poll(() => list.getByRole('row').count()).toBe(2);
  await expect.poll(() => list.getByRole('row', { name: /shop\.ndjson/ }).count()).toBe(2);
});

test('an upload is stepped by hand through every state, and closed moves say why', async () => {
  const waiting = await initiate();
  const page = await inspector.open(`/catalog/${waiting}`);
  await diagram(page).getByText('closed: no file has come yet: PUT it to uploadUrl').last().waitFor();
  expect(await diagram(page).getByRole('button', { name: 'Take the file' }).isDisabled()).toBe(true);
  await press(page, 'Expire the link');
  await chosen(page).getByText('The link takes no file any more').waitFor();
  expect(stateOf(waiting)).toBe('expired');

  const id = await upload(mixed);
  await page.getByRole('row', { name: /validating/ }).click();
  await chosen(page).getByText('The file is checked').waitFor();
  expect(await diagram(page).getByRole('button', { name: 'Save the catalog' }).isDisabled()).toBe(true);
  await press(page, 'Finish the check');
  await chosen(page).getByText('Nothing is saved before the next move.').waitFor();
  await chosen(page)
    .getByRole('tab', { name: /^What it would change/ })
    .click();
  await chosen(page).getByRole('region', { name: 'What saving would change' }).getByText('new').first().waitFor();
  await press(page, 'Fail the save');
  await chosen(page).getByText('Nothing was saved').waitFor();
  expect(stateOf(id)).toBe('save_failed');
  await press(page, 'Save the catalog');
  await page.getByText('The catalog was saved').first().waitFor();
  await chosen(page).getByText('2 products are saved; 2 lines in error were left out.').waitFor();
  expect(stateOf(id)).toBe('completed');
  await chosen(page).getByRole('tab', { name: 'History 5' }).click();
  const history = chosen(page).getByRole('list', { name: /^History/ });
  expect(await history.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/save failed → completed/),
    expect.stringMatching(/validated → save failed/),
    expect.stringMatching(/validating → validated/),
    expect.stringMatching(/initialized → validating/),
    expect.stringMatching(/initialized/),
  ]);
});

test('what the clock will do stands on its edge with the time', async () => {
  onTestFinished(async () => {
    await control('POST', '/control/clock', { freeze: false });
    await control('POST', '/control/pace', { pace: 'manual' });
  });
  await control('POST', '/control/pace', { pace: 'realistic' });
  await control('POST', '/control/clock', { freeze: true });
  const id = await upload(mixed);
  await inspector.sandbox.emulator.deps.clock.advance(2_000);
  const page = await inspector.open(`/catalog/${id}`);
  await diagram(page)
    .getByText(/or the clock,\s+in 15 s/)
    .last()
    .waitFor();
  await control('POST', '/control/clock', { advance: '15s' });
  await chosen(page).getByText('2 products are saved').waitFor();
});

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
  const detail = page.getByRole('region', { name: 'The chosen product' });
  await detail.getByText('Soft, and blue as the sea').waitFor();
  expect(await detail.getByRole('table').getByRole('row').count()).toBe(3);
  await detail.getByRole('row', { name: /hat-1-2 .*12\.50 USD 3 no/ }).waitFor();
  await detail.getByRole('tab', { name: 'Images 1' }).click();
  await detail.getByText('http://shop.example/a.png').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  // The address alone leads back to it.
  await page.reload();
  await detail.getByText('Soft, and blue as the sea').waitFor();
  await page.getByRole('textbox', { name: 'Search products by id or name' }).fill('nowhere');
  await page.getByText('No product is found').waitFor();
});

test('how far the check of a big file came is told while it goes on', async () => {
  const line = `${JSON.stringify(product('p', { description: 'x'.repeat(1_000) }))}\n`;
  const id = await initiate(true);
  const page = await inspector.open(`/catalog/${id}`);
  const seen = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const look = (): void => {
          const bar = document.querySelector('[role="progressbar"][aria-label="Checked"]');
          const says = bar?.getAttribute('aria-valuetext') ?? '';
          if (/ of /.test(says) && bar?.getAttribute('aria-valuenow') !== '100') resolve(says);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  const { emulator } = inspector.sandbox;
  await fetch(`${emulator.inspectorUrl}/control/uploads/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${emulator.token}` },
    body: line.repeat(70_000),
  });
  expect(await seen).toMatch(/^[\d.]+ MB of [\d.]+ MB \d+ %$/);
  await chosen(page).getByText('The file is checked').waitFor({ timeout: 15_000 });
});

test('ten thousand errors are listed, of which only those that are seen stand in the page', async () => {
  const id = await upload('x\n'.repeat(10_050), true);
  await move(id, 'checked');
  const page = await inspector.open(`/catalog/${id}`);
  await chosen(page).getByText('10,050 were found; the first 10,000 are listed.').waitFor();
  const rows = chosen(page).getByRole('grid').getByRole('row');
  expect(await rows.count()).toBeLessThan(60);
  await chosen(page).getByRole('rowgroup', { name: 'Errors' }).press('End');
  await chosen(page)
    .getByRole('row', { name: /^10,000 the line/ })
    .waitFor();
  await chosen(page).getByText('Line 10,000', { exact: true }).waitFor();
});

test('what the API says against a file is told in place', async () => {
  inspector.allowErrors(/409/);
  await control('POST', '/control/faults', { operation: 'POST /product-catalog/uploads', status: 503 });
  const page = await inspector.open('/catalog');
  await drop(page, 'products.ndjson', mixed);
  await page.getByRole('alert').getByText('was answered with 503').waitFor();
});

test('by keyboard alone an upload is chosen, moved on and its errors are read', async () => {
  await initiate();
  const id = await upload(mixed, true);
  const page = await inspector.open('/catalog');
  await page.getByRole('grid', { name: 'Uploads, newest first' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => page.url()).toContain(id);
  await page.keyboard.press('Enter');
  await expect.poll(() => chosen(page).evaluate((one) => one === document.activeElement)).toBe(true);
  await tabTo(page, diagram(page).getByRole('button', { name: 'Finish the check' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => stateOf(id)).toBe('validated');
  await chosen(page).getByText('It was only checked').waitFor();
  await tabTo(page, chosen(page).getByRole('rowgroup', { name: 'Errors' }));
  await page.keyboard.press('ArrowDown');
  await chosen(page).getByText('Line 3', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect
    .poll(() =>
      page.getByRole('grid', { name: 'Uploads, newest first' }).evaluate((one) => one === document.activeElement),
    )
    .toBe(true);
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
  const detail = page.getByRole('region', { name: 'The chosen product' });
  await detail.getByText('<b>x</b>').waitFor();
  await detail.getByRole('tab', { name: 'As uploaded' }).click();
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
});

test('the catalog can be used by everybody, wide and narrow', async () => {
  await saved(toFile([fullProduct('a')]));
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
  await page.getByRole('button', { name: 'Products', exact: true }).click();
  await page.getByRole('row').first().click();
  await page.getByRole('region', { name: 'The chosen product' }).waitFor();
  await checkAccess(page);
});
