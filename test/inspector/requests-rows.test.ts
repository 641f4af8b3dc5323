import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { copyOf, expectSeen, useInspector } from '../support/browser.ts';
import { beginSlow } from '../support/slow-request.ts';
import { intercept } from '../support/intercept.ts';
import { detail, grid, paths, rows } from './requests-support.ts';

const inspector = useInspector();

const cells = (row: Locator): Promise<readonly string[]> => row.getByRole('gridcell').allTextContents();
const phone = '+15555550123';
const json = { user: { phone }, signUpSourceId: '100001' };
const { call, control } = {
  call: (...input: Parameters<typeof inspector.sandbox.call>) => inspector.sandbox.call(...input),
  control: (...input: Parameters<typeof inspector.sandbox.control>) => inspector.sandbox.control(...input),
};

test('a method with its path is copied as one line', async () => {
  await call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/requests');
  await rows(page).first().click();
  const line = 'POST /product-catalog/uploads';
  for (const [select, copied] of [
    [rows(page).first().locator('.req'), line],
    [detail(page).getByRole('heading', { name: 'uploads' }), '/v1/product-catalog/uploads'],
  ] as const) {
    await select.evaluate((one) => getSelection()?.selectAllChildren(one));
    expect(await copyOf(page, () => page.keyboard.press('Control+c'))).toBe(copied);
  }
});

test('a row says what was asked, about whom, what it did or which rule refused it, and when on the clock', async () => {
  await control('POST', '/control/clock', { set: '2027-03-04T10:20:30Z' });
  await call('POST', '/subscriptions', { json });
  await call('POST', '/subscriptions', { json: { ...json, user: { phone: '15555550123' } } });
  const page = await inspector.open('/requests');
  const [refused, accepted] = [rows(page).nth(0), rows(page).nth(1)];
  await accepted.waitFor();
  expect((await cells(accepted)).slice(1, 5)).toEqual([
    '202',
    expect.stringMatching(/^POST\s*\/subscriptions$/),
    phone,
    expect.stringContaining('subscribed to MARKETING by text'),
  ]);
  expect((await cells(refused)).slice(3, 5)).toEqual(['15555550123', 'subscriptions.phone-e164']);
  // One clock in the row, the detail and the bar; the real time is in the tooltip.
  const time = accepted.getByRole('gridcell').last();
  expect(await time.innerText()).toMatch(/^10:2\d:\d\d$/);
  expect(await time.getAttribute('title')).toContain(`${new Date().toISOString().slice(0, 10)}T`);
  await accepted.click();
  await detail(page)
    .getByText(await time.innerText(), { exact: true })
    .waitFor();
});

test('GraphQL operations and files are called by their names', async () => {
  await call('POST', '/graphql', { json: { query: 'query WhoAmI { viewer { __typename } }' } });
  const { body } = await call('POST', '/product-catalog/uploads', { json: { validateOnly: true } });
  const { uploadId, uploadUrl } = body as { uploadId: string; uploadUrl: string };
  await fetch(uploadUrl, { method: 'PUT', body: '{"id":"p-1"}\n' });
  const page = await inspector.open('/requests');
  await rows(page).nth(2).waitFor();
  const [, , name, about, did] = await cells(rows(page).nth(0));
  expect([name?.replace(/\s+/, ' '), about, did]).toEqual(['PUT upload', uploadId, 'received a file of 13 bytes']);
  expect((await cells(rows(page).nth(2)))[2]?.replace(/\s+/, ' ')).toBe('GQL WhoAmI');
});

test('an answer of 200 that tells of a refusal is not green', async () => {
  await call('POST', '/graphql', { json: { query: 'query { noSuchField }' } });
  await call('GET', '/me');
  const page = await inspector.open('/requests');
  await rows(page).nth(1).waitFor();
  const colourOf = (of: Locator): Promise<string> => of.evaluate((cell) => getComputedStyle(cell).color);
  const status = (nth: number): Locator => rows(page).nth(nth).getByRole('gridcell').nth(1);
  expect(await status(1).innerText()).toBe('200');
  expect(await colourOf(status(1))).not.toBe(await colourOf(status(0)));
});

test('requests that the window sent are marked, and listed apart', async () => {
  await call('GET', '/webhooks');
  const page = await inspector.open('/requests');
  await rows(page).first().click();
  await page.keyboard.press('r');
  await expect.poll(() => rows(page).count()).toBe(2);
  await rows(page).first().getByText('a replay').waitFor({ state: 'attached' });
  const quick = page.getByRole('group', { name: 'Quick filters' });
  await quick.getByRole('button', { name: 'From the window 1' }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.reload();
  await rows(page).first().getByText('a replay').waitFor({ state: 'attached' });
});

test.for([1024, 1440, 1920])(
  'at %i px no row is wider than the list, and a path that is cut ends with a mark',
  async (width) => {
    await call('POST', `/coupons/coupon-pool/54100/create`, { json: {} });
    await call('GET', `/product-catalog/uploads/${'x'.repeat(120)}`);
    await call('GET', `/subscriptions?phone=%2B${'1'.repeat(100)}`);
    const page = await inspector.open('/requests', { width, height: 800 });
    await rows(page).nth(2).waitFor();
    const cut = await grid(page).evaluate((list) =>
      [...list.querySelectorAll('.row, .row *')].flatMap((part) => {
        const style = getComputedStyle(part);
        const isCut = part.scrollWidth > part.clientWidth + 1 && style.overflowX === 'hidden' && part.clientWidth > 1;
        return isCut && style.textOverflow !== 'ellipsis' ? [part.className] : [];
      }),
    );
    expect(cut).toEqual([]);
    expect(await grid(page).evaluate((list) => list.scrollWidth - list.clientWidth)).toBeLessThanOrEqual(0);
  },
);

test.for([419.6, 420.4, 499.6, 500.4])('in a list of %d pixels each cell of a row has a column', async (px) => {
  await call('GET', '/me');
  const page = await inspector.open('/requests');
  await rows(page).first().waitFor();
  await page.locator('.listhold').evaluate((list, width) => (list.style.cssText += `;width:${width}px`), px);
  const shape = await rows(page)
    .first()
    .evaluate((row) => ({
      columns: getComputedStyle(row).gridTemplateColumns.split(' ').length,
      lines: getComputedStyle(row).gridTemplateRows.split(' ').length,
      cells: [...row.children].filter((cell) => getComputedStyle(cell).display !== 'none').length,
    }));
  // In two lines, one cell is below another.
  expect(shape.cells).toBe(shape.columns + shape.lines - 1);
});

test('a list without a chosen row shows its focus with a line, not with a ring around it', async () => {
  await call('GET', '/me');
  const page = await inspector.open('/requests');
  await rows(page).first().waitFor();
  await page.getByRole('separator', { name: /Width of the list/ }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => grid(page).evaluate((list) => list === document.activeElement)).toBe(true);
  const shadow = await grid(page).evaluate((list) => getComputedStyle(list).boxShadow);
  expect(shadow).toMatch(/0px 2px 0px 0px inset/);
});

test('the steps that followed a request are set in columns, deliveries too, and an id stays on one line', async () => {
  await control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['sms.subscribed'] });
  const { id } = await (await call('POST', '/subscriptions', { json })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const steps = detail(page).getByRole('list').filter({ hasText: 'person created' }).locator(':scope > li');
  await steps.filter({ hasText: 'sms.subscribed' }).first().waitFor();
  expect(await steps.evaluateAll((all) => all.map((step) => getComputedStyle(step).display))).not.toContain(
    'list-item',
  );
  const heights = await detail(page)
    .locator('.idtext')
    .evaluateAll((ids) => ids.map((one) => one.clientHeight));
  expect(Math.max(...heights)).toBeLessThan(24);
});

const begin = (path: string) => beginSlow(inspector.sandbox.emulator.apiUrl, path);

test('a request that ends after later ones is listed where it began, and found by its body', async () => {
  const slow = await begin('/webhooks');
  await call('GET', '/me');
  const page = await inspector.open('/requests');
  await expect.poll(() => paths(page)).toEqual(['/me']);
  await page.getByRole('combobox', { name: 'Filter' }).fill('body:"planted-slow-4911" ');
  await page.getByText('The filter hides').waitFor();
  await slow.end({ url: 'planted-slow-4911' });
  await expect.poll(() => paths(page)).toEqual(['/webhooks']);
  await page.getByRole('combobox', { name: 'Filter' }).fill('');
  await expect.poll(() => paths(page)).toEqual(['/me', '/webhooks']);
});

test('a request that ends while the page is not connected is listed afterwards, and counted', async () => {
  inspector.allowErrors(/ERR_CONNECTION_REFUSED/);
  const slow = await begin('/webhooks');
  await call('GET', '/me');
  const page = await inspector.open('/requests');
  const stream = /\/control\/stream/;
  await intercept(page, stream, (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.getByText(/^Connection lost at/).waitFor();
  await expect.poll(() => paths(page)).toEqual(['/me']);
  await slow.end({ url: 'http://localhost:3000/' });
  await page.unroute(stream);
  await page.getByText('Connected again. 1 request arrived in the meantime.').waitFor();
  await expect.poll(() => paths(page)).toEqual(['/me', '/webhooks']);
});

test('a request that ends while the page connects again is counted, too', async () => {
  inspector.allowErrors(/ERR_CONNECTION_REFUSED/);
  const slow = await begin('/webhooks');
  await call('GET', '/me');
  const page = await inspector.open('/requests');
  let isOff = true;
  await intercept(page, /\/control\/stream/, async (route) => {
    if (isOff) return route.abort('connectionrefused');
    // The page has just asked how many it missed.
    await slow.end({ url: 'http://localhost:3000/' });
    return route.continue();
  });
  await page.reload();
  await page.getByText(/^Connection lost at/).waitFor();
  isOff = false;
  await expectSeen(page.getByText('Connected again. 1 request arrived in the meantime.'));
});

test('a row that comes is tinted for a moment, also where it takes the element of one that is no longer drawn', async () => {
  const page = await inspector.open('/requests', { motion: true, apart: true, height: 420 });
  const tinted = await page.evaluateHandle(() => {
    const texts: (string | null)[] = [];
    document.addEventListener('animationstart', ({ target }) => texts.push((target as Element).textContent));
    return texts;
  });
  const isTinted = async (name: string) => (await tinted.jsonValue()).some((text) => text?.includes(name));
  // To a page whose clock is ahead of the server, what comes is old.
  await page.clock.setFixedTime(Date.now() + 60_000);
  for (let n = 0; n < 20; n += 1) {
    await call('GET', `/me?old=${n}.`);
    await expectSeen(rows(page).filter({ hasText: `old=${n}.` }));
  }
  expect(await isTinted('old=')).toBe(false);
  // However late it is drawn, it is new.
  await page.clock.setFixedTime(Date.now());
  for (let n = 0; n < 20; n += 1) {
    await call('GET', `/me?new=${n}.`);
    await expect.poll(() => isTinted(`new=${n}.`)).toBe(true);
  }
  await expect.poll(() => page.locator('.row.arrive').count()).toBe(0);
});
