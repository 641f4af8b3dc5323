import { text as readText } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { copyOf, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { holdBack, letCome } from '../support/hold-back.ts';
import { tabTo } from '../support/keyboard.ts';
import { product, toFile, variant, type Json } from '../catalog/support.ts';
import { chosen, diagram, drop, mixed, press, useCatalog } from './catalog-support.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'manual' });
const { control, initiate, move, sendTo, stateOf, upload } = useCatalog(inspector);

test('a dropped file is sent by a real upload, and its errors are shown by line', async () => {
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
  await line.getByText('Line 2 link is "shop.example/p/tee"').waitFor();
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

test('the X-ray of a file shows errors by cause, and its mechanical errors are fixed and sent with one click', async () => {
  const prices = (currencyCode: string): Json => ({
    variants: [variant(currencyCode, { prices: [{ currencyCode, amount: '0' }] })],
  });
  const id = await upload(
    toFile([
      product('a', prices('usd')),
      product('b', prices('eur')),
      product('c', { name: '' }),
      product('d', prices('USD')),
    ]),
  );
  await move(id, 'checked');
  const page = await inspector.open(`/catalog/${id}`);
  await chosen(page).getByRole('tab', { name: 'X-ray' }).click();
  const causes = chosen(page).getByRole('region', { name: 'Errors by cause' });
  await causes.getByText('2 can be fixed').click();
  await causes.getByText(/Write EUR/).waitFor();
  await causes.getByText('needs you').waitFor();
  const saving = chosen(page).getByRole('region', { name: 'What saving would do' });
  await saving.getByText('1 new', { exact: true }).waitFor();
  await chosen(page)
    .getByText(/^1 variant with no price but 0/)
    .waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    causes.getByRole('button', { name: 'Download fixed' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${id}-fixed.ndjson`);
  const fixed = await readText(await download.createReadStream());
  expect([...fixed.matchAll(/"currencyCode":"(\w+)"/g)].map(([, code]) => code).slice(0, 2)).toEqual(['USD', 'EUR']);

  await inspector.sandbox.emulator.deps.clock.advance(1_000);
  await causes.getByRole('button', { name: 'Fix 2 lines and send' }).click();
  await page.getByText('The fixed file was sent').waitFor();
  await press(page, 'Finish the check');
  await chosen(page).getByText('3 products are good, 1 line is not').waitFor();
  expect(page.url()).not.toContain(id);
});

test('a file is chosen, sent to an upload that waits, and sent again through a new one', async () => {
  const page = await inspector.open('/catalog');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New upload' });
  await sheet.getByRole('switch', { name: 'validateOnly' }).click();
  await sheet.getByRole('button', { name: 'Initiate the upload' }).click();
  await chosen(page).getByText('It waits for its file').waitFor();
  await page.getByText('validateOnly false').waitFor();
  const link = await copyOf(page, () => page.getByRole('button', { name: 'Get link' }).click());
  expect(link).toContain('/object-storage/catalog/');
  await chosen(page).getByText(`curl -T products.ndjson "${link}"`).waitFor();

  await chosen(page)
    .getByLabel('File of this upload')
    .setInputFiles({ name: 'shop.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(mixed) });
  await page.getByRole('heading', { name: 'shop.ndjson' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Send the file again' }).isEnabled()).toBe(true);
  // The platform accepts one new upload per second.
  await inspector.sandbox.emulator.deps.clock.advance(1_000);
  await page.getByRole('button', { name: 'Send the file again' }).click();
  await page.getByText('The file was sent again').waitFor();
  const list = page.getByRole('grid', { name: 'Uploads, newest first' });
  await expect.poll(() => list.getByRole('row').count()).toBe(2);
  await expect.poll(() => list.getByRole('row', { name: /shop\.ndjson/ }).count()).toBe(2);
});

test('an upload is moved by hand through every state, and impossible moves say why', async () => {
  const waiting = await initiate();
  const page = await inspector.open(`/catalog/${waiting}`);
  await diagram(page).getByText('closed: no file has arrived yet: PUT it to uploadUrl').last().waitFor();
  expect(await diagram(page).getByRole('button', { name: 'Receive the file' }).isDisabled()).toBe(true);
  await press(page, 'Expire the link');
  await chosen(page).getByText('The link no longer accepts a file').waitFor();
  expect(stateOf(waiting)).toBe('expired');

  const id = await upload(mixed);
  await page.getByRole('row', { name: /validating/ }).click();
  await chosen(page).getByText('The file is checked').waitFor();
  expect(await diagram(page).getByRole('button', { name: 'Save the catalog' }).isDisabled()).toBe(true);
  await press(page, 'Finish the check');
  await chosen(page).getByText('Nothing is saved yet.').waitFor();
  await chosen(page)
    .getByRole('tab', { name: /^What it would change/ })
    .click();
  await chosen(page).getByRole('grid', { name: 'What saving would change' }).getByText('new').first().waitFor();
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
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await chosen(page).getByText('Nothing was saved').waitFor();
  expect(stateOf(id)).toBe('save_failed');
});

test('moves by the clock are on their edges, with the time', async () => {
  onTestFinished(async () => {
    await control('POST', '/control/clock', { freeze: false });
    await control('POST', '/control/pace', { pace: 'manual' });
  });
  await control('POST', '/control/pace', { pace: 'realistic' });
  await control('POST', '/control/clock', { freeze: true });
  const id = await initiate();
  await sendTo(id, mixed);
  await inspector.sandbox.emulator.deps.clock.advance(2_000);
  const page = await inspector.open(`/catalog/${id}`);
  await diagram(page)
    .getByText(/or the clock,\s+in 15 s/)
    .last()
    .waitFor();
  await control('POST', '/control/clock', { advance: '15s' });
  await expectSeen(chosen(page).getByText('2 products are saved'));
});

test('an error of the API about a file is shown in place', async () => {
  inspector.allowErrors(/409/);
  await control('POST', '/control/faults', { operation: 'POST /product-catalog/uploads', status: 503 });
  const page = await inspector.open('/catalog');
  await drop(page, 'products.ndjson', mixed);
  await expectSeen(page.getByRole('alert').getByText('was answered with 503'));
});

test('a file that the object store refuses is explained by the rule and the recorded request', async () => {
  inspector.allowErrors(/409/);
  const page = await inspector.open('/catalog');
  // Another client is quicker. Not with `times`, with which the browser lets the request go before the handler has ended.
  let other: Promise<void> | null = null;
  await intercept(page, '**/control/uploads/*/file', async (route) => {
    const [, id = ''] = /uploads\/([^/]+)\/file/.exec(route.request().url()) ?? [];
    await (other ??= sendTo(id, mixed));
    await route.continue();
  });
  await drop(page, 'products.ndjson', mixed);
  const banner = page.getByRole('alert').filter({ hasText: 'The PUT was answered with 409' });
  await expectSeen(banner.getByText('objects.stored', { exact: true }));
  await banner.getByRole('link', { name: 'Why' }).click();
  await expect.poll(() => page.url()).toContain('/requests/');
  await expectSeen(page.getByText('objects.stored', { exact: true }).first());
});

test('a file is sent to its end while another view is shown, which says so', async () => {
  const page = await inspector.open('/catalog');
  const release = await holdBack(page, /\/control\/uploads\/\w+\/file/);
  await drop(page, 'products.ndjson', mixed);
  await chosen(page).getByText('It waits for its file').waitFor();
  await page.getByText('Sending products.ndjson').waitFor();
  const id = page.url().replace(/.*\//, '');
  await goTo(page, '/requests');
  release();
  const toast = page.getByRole('status');
  await expectSeen(toast.getByText('products.ndjson was sent'));
  expect(stateOf(id)).toBe('validating');
  await toast.getByRole('button', { name: 'Show' }).click();
  await chosen(page).getByText('The file is checked').waitFor();
});

test('a file that cannot be sent is reported in the view that is shown then', async () => {
  inspector.allowErrors(/409/);
  const page = await inspector.open('/catalog');
  const release = await holdBack(page, /\/control\/uploads\/\w+\/file/);
  await drop(page, 'products.ndjson', mixed);
  await page.getByText('Sending products.ndjson').waitFor();
  await expect.poll(() => page.url()).toMatch(/catalog\/\w/);
  await sendTo(page.url().replace(/.*\//, ''), mixed);
  await goTo(page, '/requests');
  release();
  await expectSeen(page.getByRole('status').getByText('products.ndjson was not sent: The PUT was answered with 409'));
});

test('who comes back to a file that is being sent can stop it', async () => {
  const page = await inspector.open('/catalog');
  await holdBack(page, /\/control\/uploads\/\w+\/file/);
  await drop(page, 'products.ndjson', mixed);
  await chosen(page).getByText('It waits for its file').waitFor();
  const id = page.url().replace(/.*\//, '');
  await goTo(page, '/requests');
  await goTo(page, '/catalog');
  await page.getByRole('button', { name: 'Stop sending' }).click();
  await expectSeen(page.getByRole('alert').getByText('Sending was stopped.'));
  await expectGone(page.getByText('Sending products.ndjson'));
  expect(stateOf(id)).toBe('initialized');
});

test('who chooses another upload while a new one is made stays there', async () => {
  const first = await upload(mixed);
  const second = await upload(mixed);
  const page = await inspector.open(`/catalog/${first}`);
  const rows = page.getByRole('grid', { name: 'Uploads, newest first' }).getByRole('row');
  const calls = [
    [/\/control\/uploads\/\w+\/again/, () => page.getByRole('button', { name: 'Send the file again' }).click()],
    [/\/control\/uploads$/, () => drop(page, 'products.ndjson', mixed)],
  ] as const;
  for (const [index, [pattern, act]] of calls.entries()) {
    await inspector.sandbox.emulator.deps.clock.advance(1_000);
    await expect.poll(() => page.url()).toContain(first);
    const release = await holdBack(page, pattern);
    await act();
    await rows.nth(index).click();
    await expect.poll(() => page.url()).toContain(second);
    await letCome(page, pattern, release);
    await expect.poll(() => rows.count()).toBe(3 + index);
    expect(page.url()).toContain(second);
    await rows.nth(2 + index).click();
  }
});

test('with the keyboard alone an upload is selected, moved and its errors are read', async () => {
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
  await tabTo(page, chosen(page).getByRole('grid', { name: 'Errors by line' }));
  await page.keyboard.press('ArrowDown');
  await chosen(page).getByText('Line 3', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect
    .poll(() =>
      page.getByRole('grid', { name: 'Uploads, newest first' }).evaluate((one) => one === document.activeElement),
    )
    .toBe(true);
});

test('an empty file has one error, about the file and no line of it', async () => {
  const id = await upload('');
  const page = await inspector.open(`/catalog/${id}`);
  const errors = chosen(page).getByRole('grid', { name: 'Errors by line' });
  await errors.getByRole('row', { name: /^the file The file contains no product/ }).waitFor();
  const line = chosen(page).getByRole('region', { name: 'The line in error' });
  await line.getByText('Send one product per line.').waitFor();
  await line.getByText('catalog.empty-file').waitFor();
  expect(await line.innerText()).not.toMatch(/line 1/i);
  // It is no higher than its one row.
  expect((await errors.boundingBox())?.height).toBeLessThan(40);
});
