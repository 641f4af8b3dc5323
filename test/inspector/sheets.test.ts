import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { checkAccess, expectGone, goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector();

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const newOf = (what: string) => async (page: Page) => {
  await button('New')(page);
  await page.getByRole('menuitem', { name: what, exact: true }).click();
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
    action: 'Create the webhook',
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

const store = () => inspector.sandbox.emulator.deps.store;
const control = (method: string, path: string, json?: unknown) =>
  inspector.sandbox.control(method, `/control/${path}`, json);
const createWebhook = async (url: string): Promise<string> => {
  const { body } = await control('POST', 'webhooks', { url, events: ['email.opened'] });
  return (body as { readonly id: string }).id;
};

test('an edit sends only what was changed in the sheet, so that what another window changed meanwhile stays', async () => {
  const app = [...store().apps.all()].find(({ name }) => name === 'Read-only app');
  const page = await inspector.open(`/apps/${app?.id}`);
  await button('Edit')(page);
  await control('POST', `apps/${app?.id}/scopes`, { scope: 'subscriptions:read', held: false });
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Reads only');
  await button('Save the app')(page);
  await page.getByText('The app “Reads only” was changed').waitFor();
  expect(store().apps.get(app?.id ?? '')?.scopes).not.toContain('subscriptions:read');

  await page.getByRole('row', { name: /company/ }).click();
  await page.getByText('Records of this company').waitFor();
  await button('Edit')(page);
  await control('POST', `companies/${demoCompany}`, { contactEmail: 'new@example.com' });
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Sandpiper');
  await button('Save the company')(page);
  await page.getByText('The company “Sandpiper” was changed').waitFor();
  expect(store().companies.get(demoCompany)?.contactEmail).toBe('new@example.com');
});

test('a list that two windows change at once keeps both changes, and the open sheet shows the other one', async () => {
  const app = [...store().apps.all()].find(({ name }) => name === 'Read-only app');
  const page = await inspector.open(`/apps/${app?.id}`);
  await button('Edit')(page);
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('checkbox', { name: 'offers:write' }).check();
  await control('POST', `apps/${app?.id}/scopes`, { scope: 'subscriptions:read', held: false });
  await expect.poll(() => sheet.getByRole('checkbox', { name: 'subscriptions:read' }).isChecked()).toBe(false);
  expect(await sheet.getByRole('checkbox', { name: 'offers:write' }).isChecked()).toBe(true);
  await button('Save the app')(page);
  await page.getByText('The app “Read-only app” was changed').waitFor();
  const scopes = store().apps.get(app?.id ?? '')?.scopes;
  expect(scopes).toContain('offers:write');
  expect(scopes).not.toContain('subscriptions:read');

  const id = await createWebhook('http://localhost:3999/hooks');
  await goTo(page, `/webhooks/${encodeURIComponent(id)}`);
  await button('Edit')(page);
  await sheet.getByRole('checkbox', { name: 'sms.subscribed' }).check();
  await control('POST', `webhooks/${encodeURIComponent(id)}`, { events: ['email.opened', 'sms.sent'] });
  await expect.poll(() => sheet.getByRole('checkbox', { name: 'sms.sent' }).isChecked()).toBe(true);
  await sheet.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed localhost:3999/hooks').waitFor();
  expect(store().webhooks.get(id)?.events.toSorted()).toEqual(['email.opened', 'sms.sent', 'sms.subscribed']);
});

test('redirect URIs that two windows change at once keep both changes', async () => {
  const redirectUris = ['http://localhost:1/stays', 'http://localhost:1/goes'];
  const { body } = await control('POST', 'apps', {
    companyId: demoCompany,
    kind: 'public',
    name: 'P',
    scopes: [],
    redirectUris,
  });
  const { id } = body as { readonly id: string };
  const page = await inspector.open(`/apps/${id}`);
  await button('Edit')(page);
  const field = page.getByRole('dialog').getByLabel('Redirect URIs');
  await field.fill(['http://localhost:1/mine', ...redirectUris].join('\n'));
  await control('POST', `apps/${id}`, { redirectUris: ['http://localhost:1/stays', 'http://localhost:1/theirs'] });
  await page.getByText('http://localhost:1/theirs', { exact: true }).waitFor();
  await button('Save the app')(page);
  await page.getByText('The app “P” was changed').waitFor();
  expect(store().apps.get(id)?.redirectUris).toEqual(
    ['mine', 'stays', 'theirs'].map((name) => `http://localhost:1/${name}`),
  );
});

test('a webhook that is deleted while its sheet is open is not created again', async () => {
  inspector.allowErrors(/404 \(/);
  const id = await createWebhook('http://localhost:3999/hooks');
  const page = await inspector.open(`/webhooks/${encodeURIComponent(id)}`);
  await button('Edit')(page);
  const sheet = page.getByRole('dialog', { name: 'Edit the webhook' });
  await control('DELETE', `webhooks/${encodeURIComponent(id)}`);
  await page.getByText('No webhook yet').waitFor();
  await sheet.getByLabel('Address').fill('http://localhost:3999/other');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByText('There is no webhook').waitFor();
  expect(store().webhooks.size).toBe(0);
});

test('a sheet saves the record for which it was opened, whichever the browser’s Back selects', async () => {
  const [one, other] = [await createWebhook('http://localhost:1/one'), await createWebhook('http://localhost:1/other')];
  const page = await inspector.open(`/webhooks/${encodeURIComponent(one)}`);
  await goTo(page, `/webhooks/${encodeURIComponent(other)}`);
  await page.getByRole('region', { name: 'Webhook to localhost:1/other' }).waitFor();
  await button('Edit')(page);
  await page.goBack();
  await page.getByRole('region', { name: 'Webhook to localhost:1/one' }).waitFor();
  await page.getByRole('dialog').getByLabel('Address').fill('http://localhost:1/changed');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => store().webhooks.get(other)?.url).toBe('http://localhost:1/changed');
  expect(store().webhooks.get(one)?.url).toBe('http://localhost:1/one');
});

test('saving without a change closes the sheet, and is not a change', async () => {
  const webhook = await createWebhook('http://localhost:3999/hooks');
  const app = [...store().apps.all()][0]?.id;
  const undoable = async () =>
    ((await control('GET', 'undo')).body as { readonly undo: readonly unknown[] }).undo.length;
  const before = await undoable();
  const page = await inspector.open('/');
  for (const place of [
    `webhooks/${encodeURIComponent(webhook)}`,
    'offers/54100',
    'sign-up-units/100001',
    `attributes/${encodeURIComponent(`${demoCompany}:favorite color`)}`,
    `apps/${app}`,
    `apps/${encodeURIComponent(demoCompany)}`,
  ]) {
    await goTo(page, `/${place}`);
    await button('Edit')(page);
    const sheet = page.getByRole('dialog');
    await sheet.locator('[type="submit"]').click();
    await expectGone(sheet);
  }
  expect(await undoable()).toBe(before);
});

test('in a small window the reason of a refusal is in sight, below its field or at the end of the sheet', async () => {
  inspector.allowErrors(/400 \(/);
  const page = await inspector.open(await personWith('ada@example.com'), { width: 720, height: 450 });
  const sheet = page.getByRole('dialog');
  const expectInSight = async (text: RegExp): Promise<void> => {
    const said = sheet.getByRole('alert').filter({ hasText: text });
    await said.waitFor();
    const isInSight = async (): Promise<boolean> => {
      const [box, foot] = [await said.boundingBox(), await sheet.locator('footer').boundingBox()];
      return box !== null && foot !== null && box.y + box.height <= foot.y;
    };
    await expect.poll(isInSight).toBe(true);
  };
  await button('Set an attribute')(page);
  await sheet.getByLabel('Name', { exact: true }).fill('x'.repeat(300));
  await sheet.getByLabel('Value, string').fill('x');
  await sheet.getByRole('button', { name: 'Set the attribute' }).click();
  await expectInSight(/x{20}/);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await goTo(page, '/webhooks');
  await button('New webhook')(page);
  await sheet.getByLabel('Address').fill('http://localhost:3999/hooks');
  await sheet.getByRole('button', { name: 'None' }).click();
  await sheet.getByRole('button', { name: 'Create the webhook' }).click();
  await expectInSight(/event/);
});

test('an address of a company cannot be emptied, and a webhook without address or events says what is missing', async () => {
  inspector.allowErrors(/400 \(/);
  const page = await inspector.open(`/apps/${encodeURIComponent(demoCompany)}`);
  await button('Edit')(page);
  const sheet = page.getByRole('dialog');
  for (const field of ['Contact email', 'Domain']) {
    await sheet.getByLabel(field, { exact: true }).fill('');
    await sheet.getByRole('button', { name: 'Save the company' }).click();
    await expect.poll(() => sheet.getByLabel(field, { exact: true }).getAttribute('aria-invalid')).toBe('true');
  }
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await goTo(page, '/webhooks');
  await button('New webhook')(page);
  await sheet.getByRole('button', { name: 'Create the webhook' }).click();
  await expect.poll(() => sheet.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
  await sheet.getByLabel('Address').fill('http://localhost:3999/hooks');
  await sheet.getByRole('button', { name: 'None' }).click();
  await sheet.getByRole('button', { name: 'Create the webhook' }).click();
  await sheet.getByRole('alert').getByText('event').waitFor();
});
