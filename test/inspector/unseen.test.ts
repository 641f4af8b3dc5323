/** What others sent is read as it was sent: no character hides or turns around what is beside it, and copies are exact. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { product, toFile, variant } from '../catalog/support.ts';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';
import { startReceiver } from '../delivery/support.ts';
import { useCatalog } from './catalog-support.ts';

const inspector = useInspector({ pace: 'manual' });
const { saved, upload } = useCatalog(inspector);
const hidden = 'spring\u202Egnp\u200B.exe';

/** What is written out in it, in sight. */
const writtenOut = (within: Locator): Promise<readonly string[]> =>
  within.locator('.unseen').evaluateAll((all) =>
    all.flatMap((one) => {
      const { content } = getComputedStyle(one, '::before');
      return one.getBoundingClientRect().width > 0 ? [content] : [];
    }),
  );
const both = [String.raw`"\\u202e"`, String.raw`"\\u200b"`];

test('a name with a mark that turns text around is read as it is, in lists, heads, sentences and the undo menu', async () => {
  const body = { companyId: demoCompany, name: hidden, window: 'never-expire' };
  const made = await inspector.sandbox.control('POST', '/control/offers', body);
  const page = await inspector.open(`/offers/${(made.body as { readonly id: string }).id}`);
  const heading = page.getByRole('heading', { name: /spring/ });
  await expectSeen(heading);
  expect(await writtenOut(heading)).toEqual(both);
  expect(await heading.textContent()).toBe(hidden);
  expect(await writtenOut(page.locator('.rec-title', { hasText: 'spring' }))).toEqual(both);
  const undo = page.getByRole('button', { name: /^Undo/ });
  // What is only heard has it written out, too.
  for (const named of [page.locator('.rec-title', { hasText: /^spring/ }), undo])
    expect(await named.getAttribute('aria-label')).toContain(String.raw`spring\u202egnp\u200b.exe`);
  await undo.click();
  const line = page.getByRole('menuitem', { name: /spring/ });
  await expectSeen(line);
  expect(await writtenOut(line)).toEqual(both);
});

test('in a name that is written from right to left, what is written out still begins with its backslash', async () => {
  const body = { companyId: demoCompany, name: 'مرحبا\u202E', window: 'never-expire' };
  const made = await inspector.sandbox.control('POST', '/control/offers', body);
  const page = await inspector.open(`/offers/${(made.body as { readonly id: string }).id}`);
  const mark = page.getByRole('heading', { name: /مرحبا/ }).locator('.unseen');
  await mark.waitFor({ state: 'attached' });
  const direction = (of: Locator): Promise<string> => of.evaluate((one) => getComputedStyle(one).direction);
  expect(await direction(mark.locator('..'))).toBe('rtl');
  expect(await direction(mark)).toBe('ltr');
});

test('a tooltip writes such a mark out', async () => {
  const body = { companyId: demoCompany, name: 'autumn\u202Egnp'.repeat(12), window: 'never-expire' };
  const made = await inspector.sandbox.control('POST', '/control/offers', body);
  const page = await inspector.open(`/offers/${(made.body as { readonly id: string }).id}`);
  const titled = page.locator('[title*="gnp"]').first();
  await titled.hover();
  await expect.poll(() => titled.getAttribute('title')).toContain(String.raw`autumn\u202egnp`);
});

test('a body with such a mark shows it where it is, and what is selected and copied has the mark itself', async () => {
  const properties = { hidden };
  const answer = await inspector.sandbox.call('POST', '/events/custom', {
    json: { type: 'Cart', user: { phone: '+15555550100' }, properties },
  });
  const { id } = await answer.exchange();
  const page = await inspector.open(`/requests/${id}`);
  const line = page.getByRole('group', { name: 'Request body' }).locator('.cl', { hasText: '"hidden"' });
  await expectSeen(line);
  expect(await writtenOut(line)).toEqual(both);
  const selected = await line.locator('.js').evaluate((value) => {
    getSelection()?.selectAllChildren(value);
    return getSelection()?.toString();
  });
  expect(selected).toBe(JSON.stringify(hidden));
});

test('a name from right to left changes neither the order of a sentence nor that of a key and its value', async () => {
  const name = 'عرض';
  await inspector.sandbox.control('POST', '/control/offers', { companyId: demoCompany, name, window: 'never-expire' });
  const json = { type: 'Cart', user: { phone: '+15555550100' }, properties: { [name]: 'خريف' } };
  const { id } = await (await inspector.sandbox.call('POST', '/events/custom', { json })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const line = page.getByRole('group', { name: 'Request body' }).locator('.cl', { hasText: name });
  await expectSeen(line);
  const leftOf = async (one: Locator): Promise<number> => (await one.boundingBox())?.x ?? 0;
  expect(await leftOf(line.locator('.jk').last())).toBeLessThan(await leftOf(line.locator('.js')));
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expectSeen(page.getByRole('menuitem', { name: new RegExp(name) }).locator('bdi', { hasText: name }));
});

test('tabs and line breaks of a body are laid out, not written out', async () => {
  const raw = '{\n\t"type": "Cart",\n\t"user": { "phone": "+15555550100" }\n}';
  const { id } = await (await inspector.sandbox.call('POST', '/events/custom', { raw })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  const body = page.getByRole('group', { name: 'Request body' });
  await page.getByText('Raw', { exact: true }).click();
  await expectSeen(body.locator('.cl', { hasText: '"phone"' }));
  expect(await writtenOut(body)).toEqual([]);
});

test('what a receiver was sent and answered is read as it is, and the end of a line is only that', async () => {
  const { url } = await startReceiver((response) => response.end(`Not here:\r\n${hidden}\r\nEnd`));
  await inspector.sandbox.call('POST', '/webhooks', { json: { url, events: ['custom_attribute.set'] } });
  const json = { user: { phone: '+15555550100' }, properties: { favorite: hidden } };
  await inspector.sandbox.call('POST', '/attributes/custom', { json });
  await inspector.sandbox.emulator.deps.clock.advance(1_000);
  const page = await inspector.open('/webhooks');
  await page
    .getByRole('grid', { name: /^Deliveries/ })
    .getByText('custom_attribute.set')
    .click();
  const [sent, answered] = [/^Sent/, /^Answered/].map((name) => page.getByRole('group', { name }).locator('pre'));
  await expectSeen(answered!);
  expect(await writtenOut(answered!)).toEqual(both);
  expect(await writtenOut(sent!)).toEqual(both);
});

test('where such a mark is written out, its line is as high as any other, and the text in it as low', async () => {
  for (const name of ['winter sale', 'winter\u202Egnp'])
    await inspector.sandbox.control('POST', '/control/offers', {
      companyId: demoCompany,
      name,
      window: 'never-expire',
    });
  const page = await inspector.open('/offers');
  const titles = page.locator('.rec-title', { hasText: /^winter/ });
  await expect.poll(() => titles.count()).toBe(2);
  const [one, other] = await titles.evaluateAll((all) =>
    all.map((title) => {
      const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
      while (!texts.nextNode()?.textContent) continue;
      const letters = new Range();
      letters.selectNodeContents(texts.currentNode);
      const { top, height } = title.getBoundingClientRect();
      return { height, text: letters.getBoundingClientRect().top - top };
    }),
  );
  expect(one).toEqual(other);
});

/** Texts in sight that have such a mark as it is, which hides it or turns round what follows; simulated screens may. */
const asTheyAre = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { parentElement } = text;
      if (!parentElement?.checkVisibility() || parentElement.closest('.unseen, .sub-screen')) continue;
      if (/[\u202E\u200B]/.test(text.textContent ?? '')) found.push(parentElement.outerHTML.slice(0, 200));
    }
    return found;
  });

test('in no view such a mark is as it is: requests and what they did, codes, products, wrong lines, webhooks, the palette', async () => {
  const { call, control } = inspector.sandbox;
  const user = { phone: '+15555550100' };
  await call('POST', '/webhooks', { json: { url: `http://127.0.0.1:9/${hidden}`, events: ['sms.sent'] } });
  await call('POST', '/coupons/coupon-pool/54102/create', { json: { codes: [hidden] } });
  await control('POST', '/control/companies', { name: 'autumn\u202Egnp' });
  const idOf = async (path: string, json: unknown): Promise<string> =>
    (await (await call('POST', path, { json })).exchange()).id;
  const set = await idOf('/attributes/custom', { user, properties: { [hidden]: hidden } });
  const event = await idOf('/events/custom', { type: hidden, user, properties: {} });
  const refused = await idOf('/subscriptions', { user: { phone: hidden }, signUpSourceId: '100001' });
  const images = [{ src: 'https://shop.example/a.png', variantIds: [hidden] }];
  const named = { name: hidden, description: hidden, tags: [hidden], images };
  await saved(toFile([product(hidden, { ...named, variants: [variant(hidden, { name: hidden })] })]));
  const wrong = await upload(toFile([product('a', { link: hidden }), `{"${hidden}`]));
  const page = await inspector.open('/');
  const views: readonly (readonly [path: string, shown: string])[] = [
    ['/', '.latest .unseen'],
    [`/requests/${set}`, '.lead .unseen'],
    [`/requests/${event}`, '.lead .unseen'],
    [`/requests/${refused}`, '.fix'],
    ['/offers/54102', '.of-codes .unseen'],
    ['/webhooks', '.wh-url .unseen'],
    ['/catalog?show=products', '.paged-list .unseen'],
    [`/catalog/${wrong}`, '.cat-issues .unseen'],
  ];
  for (const [path, shown] of views) {
    await goTo(page, path);
    await page.locator(shown).first().waitFor({ state: 'attached' });
    const row = page.locator('.paged-list .row, .wh-endpoint').first();
    if (await row.isVisible()) {
      await row.click();
      await page.locator('.detailpane h2 .unseen, .wh-facts h2 .unseen').first().waitFor({ state: 'attached' });
      const images = page.getByRole('tab', { name: /^Images/ });
      if (await images.isVisible()) await images.click();
    }
    expect(await asTheyAre(page), path).toEqual([]);
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('autumn');
  await page.locator('.pi .unseen').first().waitFor({ state: 'attached' });
  expect(await asTheyAre(page), 'the palette').toEqual([]);
});

test.each([
  ['a blank', ' ', String.raw`\x20`],
  ['a tab', '\t', String.raw`\x09`],
  ['many blanks', ' '.repeat(30), String.raw`\x20`.repeat(30)],
])('an attribute whose name is %s is seen in the list and in its head', async (_what, name, shown) => {
  const json = { properties: { [name]: 'x' }, user: { email: 'ada@example.com' } };
  expect((await inspector.sandbox.call('POST', '/attributes/custom', { json })).status).toBe(200);
  const page = await inspector.open('/attributes');
  const cell = page.getByRole('gridcell', { name: shown, exact: true });
  await expectSeen(cell);
  const ofEach = shown.match(/\\x../g)?.map((one) => `"\\${one}"`);
  expect(await writtenOut(cell)).toEqual(ofEach);
  await cell.click();
  const heading = page.getByRole('region', { name: 'The selected attribute' }).getByRole('heading').first();
  await expect.poll(() => writtenOut(heading)).toEqual(ofEach);
});
