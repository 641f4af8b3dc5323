import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, useInspector } from '../support/browser.ts';

const inspector = useInspector();

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const newOf = (what: string) => async (page: Page) => {
  await button('New')(page);
  await page.getByRole('menuitem', { name: what }).click();
};
const fill =
  (...fields: readonly (readonly [label: string, value: string])[]) =>
  async (sheet: Locator): Promise<void> => {
    for (const [label, value] of fields) await sheet.getByLabel(label, { exact: true }).fill(value);
  };

interface Case {
  readonly at: string;
  open(page: Page): Promise<void>;
  /** Of the sheet. */
  readonly title: string;
  /** The first control, which has the cursor when the sheet opens. */
  readonly first: string | RegExp;
  /** Makes one value wrong. */
  fill(sheet: Locator): Promise<void>;
  readonly action: string;
  /** Of the field with the wrong value. */
  readonly field: string;
  readonly says: RegExp;
}

const personWith = async (address: string): Promise<string> => {
  const users = [...inspector.sandbox.emulator.deps.store.users.all()];
  const found = users.find(({ addresses }) => addresses.some(({ value }) => value === address));
  return `/subscribers/${encodeURIComponent(found?.id ?? '')}`;
};

const cases: readonly Case[] = [
  {
    at: '/offers',
    open: button('New'),
    title: 'New offer',
    first: 'Name',
    fill: fill(['Name', ' ']),
    action: 'Create the offer',
    field: 'Name',
    says: /name/i,
  },
  {
    at: '/sign-up-units',
    open: button('New'),
    title: 'New sign-up unit',
    first: 'Language',
    fill: fill(['Country', 'usa']),
    action: 'Create the unit',
    field: 'Country',
    says: /usa/,
  },
  {
    at: '/attributes',
    open: button('New'),
    title: 'New attribute',
    first: 'Name',
    fill: fill(['Name', 'favorite color']),
    action: 'Create the attribute',
    field: 'Name',
    says: /favorite color/,
  },
  {
    at: '/apps',
    open: newOf('App'),
    title: 'New app',
    first: 'private',
    fill: fill(['Name', ' ']),
    action: 'Create the app',
    field: 'Name',
    says: /name/i,
  },
  {
    at: '/apps',
    open: newOf('Company'),
    title: 'New company',
    first: 'Name',
    fill: fill(['Name', ' ']),
    action: 'Create the company',
    field: 'Name',
    says: /name/i,
  },
  {
    at: '/webhooks',
    open: button('New webhook'),
    title: 'New webhook',
    first: 'Address',
    fill: fill(['Address', 'nowhere']),
    action: 'Create webhook',
    field: 'Address',
    says: /nowhere/,
  },
  {
    at: '/subscribers',
    open: button('New'),
    title: 'New subscriber',
    first: 'Phone',
    fill: fill(['Phone', '5550100']),
    action: 'Subscribe',
    field: 'Phone',
    says: /E\.164/,
  },
  {
    at: 'ada@example.com',
    open: button('Set an attribute'),
    title: 'Set an attribute',
    first: 'Attribute',
    fill: fill(['Name', 'x'.repeat(300)], ['Value, string', 'x']),
    action: 'Set the attribute',
    field: 'Value, string',
    says: /x{20}/,
  },
  {
    at: 'ada@example.com',
    open: button('Send a message'),
    title: 'Compose to',
    first: /./,
    fill: fill(['Text', '']),
    action: 'Send the text',
    field: 'Text',
    says: /Write a text first/,
  },
  {
    at: '+15555550104',
    open: button('Send a message'),
    title: 'Compose to',
    first: /./,
    fill: fill(['Subject', 'Hello'], ['Text, for readers without HTML', 'Hello']),
    action: 'Send the email',
    field: 'Send anyway',
    says: /not subscribed/,
  },
];

test.each(cases)(
  '“$title” opens with the cursor in its first field, and shows a refused value at that field',
  async (one) => {
    inspector.allowErrors(/40[09] \(/);
    const page = await inspector.open(one.at.startsWith('/') ? one.at : await personWith(one.at));
    await one.open(page);
    const sheet = page.getByRole('dialog', { name: one.title });
    await sheet.waitFor();
    const focused = sheet.locator(':focus');
    await expect.poll(() => focused.count()).toBe(1);
    if (typeof one.first === 'string')
      expect(
        await focused.evaluate((element) => [
          element.getAttribute('aria-label'),
          element.textContent,
          (element as HTMLInputElement).labels?.[0]?.textContent,
        ]),
      ).toContain(one.first);
    await one.fill(sheet);
    await sheet.getByRole('button', { name: one.action, exact: true }).click();
    const field = sheet.getByLabel(one.field, { exact: true });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.getAttribute('aria-describedby');
    expect(await sheet.locator(`[id="${described}"]`).innerText()).toMatch(one.says);
    // Once, at the field, which has the cursor.
    await expect.poll(() => sheet.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(1);
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    if (one.at === '/offers') await checkAccess(page);
  },
);

test('the name of a snapshot that cannot be one is refused at its field', async () => {
  inspector.allowErrors(/400 \(/);
  const page = await inspector.open('/snapshots');
  const form = page.getByRole('form', { name: 'Save a snapshot' });
  await form.getByLabel('Name', { exact: true }).fill('../up');
  await form.getByRole('button', { name: 'Save' }).click();
  const field = form.getByLabel('Name', { exact: true });
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await form.getByText('"../up" is not a name for a snapshot').waitFor();
  expect(await form.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(1);
});
