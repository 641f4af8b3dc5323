import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector();

/** As on a sheet of A4 without its margins. */
async function toPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 718, height: 1000 });
}

/** What is cut: it has more in it than it shows. */
const cutOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.app *')]
      .filter((one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY))
      .map((one) => one.className),
  );
const backgroundOf = (element: Locator): Promise<string> =>
  element.evaluate((one) => getComputedStyle(one).backgroundColor);

test('on paper a request is whole and light, without the frame and without buttons', async () => {
  const properties = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`property ${at}`, 'a value']));
  const user = { phone: '+15555550100' };
  await inspector.sandbox.call('POST', '/events/custom', { json: { type: 'Order Shipped', properties, user } });
  const page = await inspector.open('/requests');
  await page
    .getByRole('grid', { name: 'Requests, newest first' })
    .getByRole('row')
    .filter({ hasText: '/events/custom' })
    .click();
  await expectSeen(page.getByRole('region', { name: 'Bytes', exact: true }));
  await toPaper(page);
  await expectSeen(page.getByRole('article', { name: 'Request' }));
  await expect.poll(() => cutOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1000);
  for (const hidden of [
    page.getByRole('navigation').first(),
    page.getByRole('region', { name: 'Clock' }),
    page.getByRole('button', { name: 'Copy the body' }),
    page.getByRole('button', { name: 'Back to the list' }),
    page.getByRole('button', { name: 'Fold' }).first(),
    page.getByRole('grid', { name: 'Requests, newest first' }),
  ])
    expect(await hidden.isVisible()).toBe(false);
  expect(await backgroundOf(page.locator('main'))).toBe('rgb(255, 255, 255)');
});

test('on paper a record begins with its title, not with the bar that leads back to its list', async () => {
  const page = await inspector.open('/offers/54100');
  const title = page.getByRole('heading', { name: 'Winter welcome' });
  await expectSeen(title);
  await toPaper(page);
  await page.locator('.backbar').waitFor({ state: 'attached' });
  expect(await page.locator('.backbar').isVisible()).toBe(false);
  expect((await title.boundingBox())?.y).toBeLessThan(40);
});

test.each(['/timeline', '/requests'])('on paper the lines of %s follow one another', async (path) => {
  for (let count = 0; count < 50; count += 1) await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open(path);
  const rows = page
    .getByRole('grid')
    .getByRole('row')
    .filter({ hasText: /GET ?\/me/ });
  await expectSeen(rows.first());
  await toPaper(page);
  await expect.poll(() => cutOf(page)).toEqual([]);
  const tops = await rows.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  expect(tops.length).toBeGreaterThan(20);
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(new Set(tops).size).toBe(tops.length);
});

/** How many sheets of A4 a page is. */
async function sheetsOf(page: Page): Promise<number> {
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  return Math.max(...[...pdf.matchAll(/\/Count (\d+)/g)].map(([, count]) => Number(count)));
}

test('a long list and a long body are printed with what is scrolled out of sight', async () => {
  const { sandbox } = inspector;
  for (let at = 0; at < 60; at += 1)
    await sandbox.call('POST', '/webhooks', { json: { url: `http://localhost:1/hooks/${at}`, events: ['sms.sent'] } });
  const properties = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`property ${at}`, 'a value']));
  const user = { phone: '+15555550100' };
  const sent = await sandbox.call('POST', '/events/custom', { json: { type: 'Order Shipped', properties, user } });
  const { id } = await sent.exchange();
  const page = await inspector.open('/webhooks');
  const webhooks = page.getByRole('navigation', { name: 'Endpoints' }).getByRole('listitem');
  await expectSeen(webhooks.first());
  expect(await webhooks.count()).toBeLessThan(30);
  // 60 rows of 81 pixels; a sheet has 1123.
  expect(await sheetsOf(page)).toBeGreaterThan(4);
  expect(await webhooks.count()).toBeLessThan(30);
  await goTo(page, `/requests/${id}`);
  await expectSeen(page.getByRole('article', { name: 'Request' }).getByText('property 0'));
  // 900 lines of 19 pixels.
  expect(await sheetsOf(page)).toBeGreaterThan(14);
});

test('on paper all webhooks are in their list', async () => {
  for (let at = 0; at < 30; at += 1)
    await inspector.sandbox.call('POST', '/webhooks', {
      json: { url: `http://localhost:1/hooks/${at}`, events: ['sms.sent'] },
    });
  const page = await inspector.open('/webhooks');
  await expectSeen(page.locator('.wh-endpoint').first());
  await toPaper(page);
  await expect.poll(() => cutOf(page)).toEqual([]);
});

test.each(['/requests', '/offers/54100'])(
  'on wide paper what was opened in %s is alone, without its list',
  async (path) => {
    for (let at = 0; at < 30; at += 1) await inspector.sandbox.call('GET', `/me?at=${at}`);
    const page = await inspector.open(path);
    const list = page.getByRole('main').getByRole('grid').first();
    if (path === '/requests') await list.locator('.row').first().click();
    await expectSeen(page.locator('.detailpane h1, .detailpane h2').first());
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => list.isVisible()).toBe(false);
  },
);
