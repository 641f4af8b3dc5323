import { expect, test } from 'vitest';
import { checkAccess, expectSeen, useInspector } from '../support/browser.ts';

const inspector = useInspector();

test('a refusal leads to the page of its rule, and that to the operation and to who called it', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/subscriptions', { json: { user: { phone: '5555550100' }, signUpSourceId: '100001' } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' } });
  const page = await inspector.open('/requests?q=status:400');
  await page.locator('.rowsin > .row').first().click();
  await page.getByRole('link', { name: 'subscriptions.phone-e164' }).click();

  const detail = page.getByRole('region', { name: 'The selected page' });
  // The list is scrolled to it, too.
  await page.getByRole('grid', { name: 'Reference' }).getByText('subscriptions.phone-e164').waitFor();
  await detail.getByRole('heading', { name: 'subscriptions.phone-e164' }).waitFor();
  await detail.getByText('documented, specification section 4, Subscribe, 5').waitFor();
  expect(await detail.getByRole('region', { name: 'Refused requests' }).innerText()).toContain('1 request');

  await detail.getByRole('link', { name: 'POST /subscriptions', exact: true }).click();
  await detail.getByText('the scope subscriptions:write').waitFor();
  const callers = detail.getByRole('region', { name: 'Callers' });
  await expect.poll(() => callers.innerText()).toMatch(/2 requests, 1 of them refused.*all by Demo app/s);
  await detail.getByText("curl -X POST 'http://127.0.0.1:").waitFor();
  await detail
    .getByRole('row', { name: /^user\.phone .*E\.164/ })
    .first()
    .waitFor();
  await callers.getByRole('link', { name: '2 requests' }).click();
  await expect.poll(() => page.locator('.rowsin > .row').count()).toBe(2);
});

test('pages are searched by the names of their fields, narrowed to a kind, and found in the palette', async () => {
  const page = await inspector.open('/reference');
  const list = page.getByRole('grid', { name: 'Reference' });
  await list.getByText('GET /me').waitFor();
  await page.getByLabel('Search: Reference').fill('compareAtPrice');
  await expect.poll(() => list.getByRole('row').count()).toBe(0);
  await page.getByLabel('Search: Reference').fill('distributionStart');
  await list.getByText('POST /coupons/coupon-pool/{coupon-pool-id}/create').waitFor();
  await page.getByLabel('Search: Reference').fill('');
  await page.getByLabel('Kind of page').click();
  await page.getByRole('option', { name: 'Events' }).click();
  await expect.poll(() => list.getByRole('row').count()).toBe(11);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('deliveries.timeout');
  await page.getByRole('group', { name: 'Reference' }).getByText('deliveries.timeout').click();
  await page.getByRole('region', { name: 'The selected page' }).getByText('A receiver has').first().waitFor();
});

test('the reference is accessible in both themes', async () => {
  const page = await inspector.open('/reference/operation:POST%20%2Fsubscriptions');
  await page.getByRole('heading', { name: 'Its rules, besides those of all operations' }).waitFor();
  await checkAccess(page);
});

test('the pages are read with the keyboard alone', async () => {
  const page = await inspector.open('/reference');
  const title = page.getByRole('region', { name: 'The selected page' }).getByRole('heading', { level: 2 });
  await page.getByRole('grid', { name: 'Reference' }).getByText('GET /me').waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => title.innerText()).toBe('GET /me');
  await page.keyboard.press('j');
  await expect.poll(() => title.innerText()).toBe('GET /webhooks');
  await page.keyboard.press('/');
  await page.keyboard.type('sms.sent');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => title.innerText()).toBe('sms.sent');
});

test.each(['operation:POST /subscriptions', 'record:uploads'])(
  'in a window of 360 pixels the words in the tables of %s are not broken, and nothing scrolls sideways',
  async (id) => {
    const page = await inspector.open(`/reference/${encodeURIComponent(id)}`, { width: 360, height: 740 });
    const cells = page.locator('.rec-table td');
    await expectSeen(cells.first());
    expect(await page.locator('.rec-scroll').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    /** Words that are on two lines; a name that is longer than a line may be. */
    const broken = await cells.evaluateAll((all) =>
      all.flatMap((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          for (const word of node.nodeValue?.matchAll(/(?<=^| )[a-z]{3,12}(?= |$)/gi) ?? []) {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word[0]);
          }
        return found;
      }),
    );
    expect(broken).toEqual([]);
  },
);
