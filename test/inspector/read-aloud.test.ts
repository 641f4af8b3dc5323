/** What a screen reader is told, as Chromium's own tree of names has it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector();

/** Each name that the browser gives to a screen reader, after its role: `link: POST /webhooks`. */
async function readNames(page: Page): Promise<readonly string[]> {
  const devTools = await page.context().newCDPSession(page);
  const { nodes } = await devTools.send('Accessibility.getFullAXTree');
  await devTools.detach();
  return nodes.flatMap(({ ignored, role, name }) => (ignored ? [] : `${role?.value}: ${name?.value}`));
}

test('a path that is cut in parts for the eye is read as one word', async () => {
  const { sandbox } = inspector;
  const url = 'http://localhost:9/some/long/path/hook';
  expect((await sandbox.call('POST', '/webhooks', { json: { url, events: ['sms.sent'] } })).status).toBe(201);
  const shown = 'localhost:9/some/long/path/hook';
  const create = '/coupons/coupon-pool/{coupon-pool-id}/create';
  await sandbox.call('GET', '/coupons/54100/abc?x=1');
  const places: readonly (readonly [path: string, ...names: readonly RegExp[]])[] = [
    ['/', /^link: 404 GET \/coupons\/54100\/abc\?x=1 /, new RegExp(`^link: ${shown}$`)],
    ['/requests', /^gridcell: GET \/coupons\/54100\/abc\?x=1$/, new RegExp(`^gridcell: ${shown}$`)],
    ['/webhooks', new RegExp(`^button: ${shown} `)],
    ['/try', new RegExp(`^button: .*POST ${create}$`)],
    ['/reference', new RegExp(`^gridcell: POST ${create}$`)],
  ];
  const page = await inspector.open();
  for (const [path, ...names] of places) {
    await goTo(page, path);
    for (const name of names)
      await expect
        .poll(async () => (await readNames(page)).filter((one) => name.test(one)), { message: name.source })
        .not.toEqual([]);
  }

  await goTo(page, '/requests');
  await page.getByRole('row', { name: 'GET /coupons/54100/abc?x=1' }).click();
  await expect.poll(() => readNames(page)).toContain('heading: /v1/coupons/54100/abc?x=1');
  await goTo(page, '/apps');
  await page.getByRole('row', { name: 'Demo app' }).click();
  await expect.poll(() => readNames(page)).toContain(`cell: POST ${create}`);
});

test('a path that is cut in parts is selected and copied once', async () => {
  await inspector.sandbox.call('GET', '/coupons/54100/abc?x=1');
  const page = await inspector.open('/requests');
  await page.getByRole('row', { name: 'GET /coupons/54100/abc?x=1' }).click();
  const heading = page.getByRole('heading', { name: '/v1/coupons/54100/abc?x=1' });
  await heading.selectText();
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('/v1/coupons/54100/abc?x=1');
});
