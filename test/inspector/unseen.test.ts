/** What others sent is read as it was sent: no character hides or turns around what is beside it, and copies are exact. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectSeen, useInspector } from '../support/browser.ts';

const inspector = useInspector();
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
