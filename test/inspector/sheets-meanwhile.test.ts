/** What happens elsewhere while a sheet is open changes neither whom it is for, nor what was filled in. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { holdBack, letCome } from '../support/hold-back.ts';

const inspector = useInspector();
const store = () => inspector.sandbox.emulator.deps.store;
const control = (method: string, path: string, json?: unknown) =>
  inspector.sandbox.control(method, `/control/${path}`, json);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

const personAt = (address: string) =>
  [...store().users.all()].find(({ addresses }) => addresses.some(({ value }) => value === address));
const ada = '+15555550100';
const other = '+15555550104';
const adasPlace = (): string => `/subscribers/${encodeURIComponent(personAt(ada)?.id ?? '')}`;
const othersPlace = (): string => `/subscribers/${encodeURIComponent(personAt(other)?.id ?? '')}`;
const shows = (page: Page, person: string) => page.getByRole('heading', { name: person, exact: true });

/** A page with the other person, and Ada one step back. */
async function openOther(): Promise<Page> {
  const page = await inspector.open(adasPlace());
  await expectSeen(shows(page, '+1 555 555 0100'));
  await goTo(page, othersPlace());
  await expectSeen(shows(page, '+1 555 555 0104'));
  return page;
}
async function goBack(page: Page): Promise<void> {
  await page.goBack();
  // Behind the dialog no role finds it.
  await page.locator('article.sub-detail[aria-label="+1 555 555 0100"]').waitFor();
}

test('a deletion is requested of the person for whom its sheet was opened, also after Back selected another one', async () => {
  const page = await openOther();
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Request deletion…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Request the deletion of +1 555 555 0104' });
  await expectSeen(sheet);
  await goBack(page);
  await sheet.getByRole('button', { name: 'Request deletion' }).click();
  await expectSeen(page.getByText('Deletion requested'));
  expect([...store().privacyRequests.all()].map(({ subjectPhone }) => subjectPhone)).toEqual([other]);
});

test('an attribute is set of the person for whom its sheet was opened, also after Back selected another one', async () => {
  const page = await openOther();
  await button(page, 'Set an attribute').click();
  const sheet = page.getByRole('dialog', { name: 'Set an attribute of +1 555 555 0104' });
  await sheet.getByLabel('Name', { exact: true }).fill('shoe');
  await sheet.getByLabel('Value, string').fill('42');
  await goBack(page);
  await page.keyboard.press('Enter');
  await expectSeen(page.getByText('shoe set to 42'));
  const values = [...store().attributeValues.all()].filter(({ name }) => name === 'shoe');
  expect(values.map(({ userId }) => userId)).toEqual([personAt(other)?.id]);
});

test('a number for an attribute that is deleted meanwhile creates it as a number again, not as a text', async () => {
  const { body } = await control('POST', 'attributes', {
    companyId: demoCompany,
    name: 'age',
    type: 'number',
    values: null,
  });
  const page = await inspector.open(adasPlace());
  await button(page, 'Set an attribute').click();
  const sheet = page.getByRole('dialog', { name: 'Set an attribute of +1 555 555 0100' });
  const choice = sheet.getByRole('combobox', { name: 'Attribute' });
  await choice.click();
  const option = page.getByRole('option', { name: /^age/ });
  await option.click();
  await sheet.getByLabel('Value, number').fill('42');
  await control('DELETE', `attributes/${encodeURIComponent((body as { readonly id: string }).id)}`);
  await choice.click();
  await expectGone(option);
  await page.keyboard.press('Escape');
  await sheet.getByLabel('Value, number').press('Enter');
  await expectSeen(page.getByText('age set to 42').first());
  const found = [...store().attributeDefinitions.all()].find(({ name }) => name === 'age');
  expect(found?.type).toBe('number');
});

test('a message to a person who is deleted meanwhile is still there, and is refused with the reason', async () => {
  inspector.allowErrors(/40[04] \(/);
  const page = await inspector.open(adasPlace());
  await button(page, 'Send a message').click();
  const sheet = page.getByRole('dialog', { name: 'Compose to +1 555 555 0100' });
  await sheet.getByLabel('Text', { exact: true }).fill('Half typed');
  await inspector.sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: ada } });
  await control('POST', 'clock', { advance: '31d' });
  expect(personAt(ada)).toBeUndefined();
  await page.getByText('No one has this id').waitFor();
  expect(await sheet.getByLabel('Text', { exact: true }).inputValue()).toBe('Half typed');
  await sheet.getByRole('button', { name: 'Send the text' }).click();
  await expectSeen(sheet.getByRole('alert').getByText(`No person has "${ada}"`));
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await expectGone(sheet);
});

test('a sheet whose key is gone by the time it is sent says so, and sends nothing without a key', async () => {
  inspector.allowErrors(/404 \(/);
  const page = await inspector.open(adasPlace());
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Request deletion…' }).click();
  const sheet = page.getByRole('dialog', { name: /^Request the deletion of / });
  for (const { id } of store().credentials.all()) await control('DELETE', `credentials/${encodeURIComponent(id)}`);
  await page.getByRole('button', { name: /^No API key of this company has attributes:write/ }).waitFor();
  await sheet.getByRole('button', { name: 'Request deletion' }).click();
  await expectSeen(sheet.getByText(/^No API key of this company has privacy_requests:write/));
  expect(inspector.sandbox.emulator.recorder.all()).toEqual([]);
});

const edits = [
  ['/subscribers', 'Send a message', /^Compose to /],
  ['/subscribers', 'Set an attribute', /^Set an attribute of /],
  ['/offers', 'Edit', 'Edit the offer'],
  ['/sign-up-units', 'Edit', 'Edit the sign-up unit'],
  ['/attributes', 'Edit', /^Edit “/],
  ['/apps', 'Edit', 'Edit the company'],
  ['/webhooks', 'Edit', 'Edit the webhook'],
] as const;

test.each(edits)(
  'in %s, a reset closes the sheet of “%s”: its record may be another one then',
  async (at, by, title) => {
    await inspector.sandbox.call('POST', '/attributes/custom', {
      json: { properties: { shoe: '42' }, user: { phone: ada } },
    });
    const webhook = { companyId: demoCompany, url: 'http://127.0.0.1:9/hooks', events: ['sms.subscribed'] };
    const { body } = await control('POST', 'webhooks', webhook);
    const page = await inspector.open(at === '/webhooks' ? `${at}/${(body as { readonly id: string }).id}` : at);
    if (at !== '/webhooks') await page.keyboard.press('j');
    await button(page, by).click();
    const sheet = page.getByRole('dialog', { name: title });
    await expectSeen(sheet);
    await inspector.sandbox.reset();
    await expectSeen(page.getByText('All records were replaced, so the sheet about one of them was closed.'));
    await expectGone(sheet);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  },
);

test.each(['/offers', '/subscribers'])(
  'in %s, a reset closes the open menu of a record, which may be another one then',
  async (at) => {
    const page = await inspector.open(at);
    await page.keyboard.press('j');
    await button(page, 'More').click();
    const menu = page.getByRole('menu');
    await expectSeen(menu);
    await inspector.sandbox.reset();
    await expectGone(menu);
  },
);

test('a form for a new record stays filled in when all records are replaced', async () => {
  const page = await inspector.open('/offers');
  await button(page, 'New').click();
  const name = page.getByRole('dialog', { name: 'New offer' }).getByLabel('Name', { exact: true });
  await name.fill('Half price');
  const [first] = store().offers.all();
  await control('DELETE', `offers/${first?.id}`);
  await expectGone(page.getByText(first?.name ?? '', { exact: true }));
  await inspector.sandbox.reset();
  await page
    .getByText(first?.name ?? '', { exact: true })
    .first()
    .waitFor();
  expect(await name.inputValue()).toBe('Half price');
});

const news = [
  ['/offers', 'New', 'New offer', 'Name', 'Half price', 'The offer “Half price” was created'],
  [
    '/sign-up-units',
    'New',
    'New sign-up unit',
    'Name, optional',
    'At the till',
    'The sign-up unit “At the till” was created',
  ],
  ['/webhooks', 'New webhook', 'New webhook', 'Address', 'http://127.0.0.1:9/hooks', 'Created the webhook'],
  ['/subscribers', 'New', 'New subscriber', 'Phone', '+15555550177', 'Subscribed +15555550177'],
] as const;

test.each(news)(
  'in %s, a form whose company is gone after a reset makes its record for the company that is shown then',
  async (at, by, title, field, text, says) => {
    const { body } = await control('POST', 'companies', { name: 'Lapwing Ltd' });
    const companyId = (body as { readonly id: string }).id;
    await control('POST', 'sign-up-units', { companyId, name: 'Till', type: 'MARKETING' });
    const page = await inspector.open(at);
    await page.getByTitle('Company: Sandpiper Supply Co.').click();
    await page.getByRole('menuitemradio', { name: 'Lapwing Ltd' }).click();
    await expectSeen(page.getByTitle('Company: Lapwing Ltd'));
    await button(page, by).click();
    const sheet = page.getByRole('dialog', { name: title });
    await sheet.getByLabel(field, { exact: true }).fill(text);
    await inspector.sandbox.reset();
    await page.getByTitle('Company: Sandpiper Supply Co.').waitFor();
    await sheet.locator('button[type="submit"]:enabled:not([aria-disabled="true"])').click();
    await expectSeen(page.getByText(says));
    await expectGone(sheet);
  },
);

test('a form for a new webhook whose app is gone after a reset shows the first app, and makes the webhook for it', async () => {
  await control('POST', 'apps', { companyId: demoCompany, kind: 'private', name: 'Till', scopes: ['webhooks:write'] });
  const page = await inspector.open('/webhooks');
  await button(page, 'New webhook').click();
  const sheet = page.getByRole('dialog', { name: 'New webhook' });
  await sheet.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/hooks');
  const app = sheet.getByRole('combobox', { name: 'App' });
  await app.click();
  await page.getByRole('option', { name: 'Till' }).click();
  await expectSeen(app.getByText('Till'));
  await inspector.sandbox.reset();
  await expectSeen(app.getByText('Demo app'));
  await sheet.getByRole('button', { name: 'Create the webhook' }).click();
  await expectSeen(page.getByText('Created the webhook'));
  const demoApp = [...store().apps.all()].find(({ name }) => name === 'Demo app');
  expect([...store().webhooks.all()].map(({ appId }) => appId)).toEqual([demoApp?.id]);
});

test('a list of requests that is cleared elsewhere closes no sheet, and keeps a reply that was typed on the phone', async () => {
  const message = { companyId: demoCompany, subscriber: { phone: ada }, channel: 'TEXT', text: 'Hello' };
  await control('POST', 'messages', message);
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open(adasPlace());
  const reply = page.getByLabel(/^Reply as /);
  await reply.fill('Half typed');
  await button(page, 'Send a message').click();
  const sheet = page.getByRole('dialog', { name: 'Compose to +1 555 555 0100' });
  await expectSeen(sheet);
  const requests = page.locator('nav a[href="#/requests"]');
  await requests.getByText('1', { exact: true }).waitFor();
  await control('DELETE', 'requests');
  await requests.getByText('1', { exact: true }).waitFor({ state: 'detached' });
  await expectSeen(sheet);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  expect(await reply.inputValue()).toBe('Half typed');
});

test('a list of requests that is cleared elsewhere selects no one where no one was selected', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/subscribers');
  await button(page, 'More').waitFor();
  await page.keyboard.press('Escape');
  await expectSeen(page.getByText('No one is selected'));
  await control('DELETE', 'requests');
  const requests = page.locator('nav a[href="#/requests"]');
  await requests.getByText('1', { exact: true }).waitFor({ state: 'detached' });
  const user = { phone: '+15555550777' };
  await inspector.sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await page.getByText('+1 555 555 0777').waitFor();
  await expectSeen(page.getByText('No one is selected'));
});

test('a button with an icon alone that can no longer do anything looks so, and does not light up under the pointer', async () => {
  const page = await inspector.open(adasPlace());
  const adds = button(page, 'Set an attribute');
  await expectSeen(adds);
  const look = (): Promise<readonly string[]> =>
    page
      .getByRole('region', { name: 'Attributes' })
      .locator('header button')
      .evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]);
  const before = await look();
  for (const { id } of store().credentials.all()) await control('DELETE', `credentials/${encodeURIComponent(id)}`);
  const off = page.getByRole('button', { name: /^No API key of this company has attributes:write/ });
  await expectSeen(off);
  const after = await look();
  expect(after[0]).not.toBe(before[0]);
  await off.hover();
  expect(await look()).toEqual(after);
});

test('each window has a company of its own; a new window starts with the one that was chosen last', async () => {
  const page = await inspector.open('/offers');
  const beside = await inspector.open('/offers', { beside: page });
  await expectSeen(page.getByTitle('Company: Sandpiper Supply Co.'));
  await button(page, 'New').click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Half price');
  await beside.getByTitle('Company: Sandpiper Supply Co.').click();
  await beside.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
  await expectSeen(beside.getByTitle('Company: Dunlin Outfitters'));
  await expectSeen((await inspector.open('/offers', { beside: page })).getByTitle('Company: Dunlin Outfitters'));
  await page.getByRole('button', { name: 'Create the offer' }).click();
  await expectSeen(page.getByText('The offer “Half price” was created'));
  const made = [...store().offers.all()].find(({ name }) => name === 'Half price');
  expect(made?.companyId).toBe(demoCompany);
  await page.reload();
  await expectSeen(page.getByTitle('Company: Sandpiper Supply Co.'));
});

test('what is filled in for a company that is deleted meanwhile is not created in another one', async () => {
  inspector.allowErrors(/40[04] \(/);
  const page = await inspector.open('/offers');
  await page.getByTitle('Company: Sandpiper Supply Co.').click();
  await page.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
  const dunlin = [...store().companies.all()].find(({ name }) => name === 'Dunlin Outfitters')?.id ?? '';
  await button(page, 'New').click();
  const sheet = page.getByRole('dialog', { name: 'New offer' });
  await sheet.getByLabel('Name', { exact: true }).fill('Half price');
  await control('DELETE', `companies/${encodeURIComponent(dunlin)}`);
  await page.getByTitle('Company: Sandpiper Supply Co.').waitFor();
  await sheet.getByRole('button', { name: 'Create the offer' }).click();
  await expectSeen(sheet.getByRole('alert').getByText(dunlin));
  expect([...store().offers.all()].map(({ name }) => name)).not.toContain('Half price');
});

test('the address of the built-in receiver does not replace one that is typed while it starts', async () => {
  const page = await inspector.open('/webhooks');
  await button(page, 'New webhook').click();
  const sheet = page.getByRole('dialog', { name: 'New webhook' });
  const address = sheet.getByLabel('Address', { exact: true });
  const starting = /\/control\/receiver$/;
  const release = await holdBack(page, starting);
  await sheet.getByRole('button', { name: /^Built-in/ }).click();
  await address.fill('http://localhost:4000/mine');
  await letCome(page, starting, release);
  expect(await address.inputValue()).toBe('http://localhost:4000/mine');
});

test('the name of the next snapshot stays that is typed while one is saved', async () => {
  const page = await inspector.open('/snapshots');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('one');
  const saving = /\/control\/snapshots$/;
  const release = await holdBack(page, saving);
  await button(page, 'Save').click();
  await name.fill('another');
  release();
  await expectSeen(page.getByText('Snapshot “one” saved'));
  expect(await name.inputValue()).toBe('another');
});

test('the person who is chosen while a new subscriber is looked for stays chosen', async () => {
  const page = await inspector.open(adasPlace());
  await button(page, 'New').click();
  const sheet = page.getByRole('dialog', { name: 'New subscriber' });
  await sheet.getByLabel('Phone', { exact: true }).fill('+15555550177');
  const finding = /\/control\/people\?.*0177/;
  const release = await holdBack(page, finding);
  const asked = page.waitForRequest(finding);
  await sheet.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await asked;
  await goTo(page, othersPlace());
  await expectSeen(shows(page, '+1 555 555 0104'));
  await letCome(page, finding, release);
  expect(decodeURIComponent(page.url())).toContain(decodeURIComponent(othersPlace()));
});

test('what a receiver did under stress is not shown below another target', async () => {
  const page = await inspector.open('/webhooks?panel=gym');
  const target = page.getByRole('combobox', { name: /^Send/ });
  const result = page.getByRole('region', { name: 'What happened' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expectSeen(result);
  await target.click();
  await page.getByRole('option', { name: 'to another address' }).click();
  await expectGone(result);
});

test('what is sent is what a sheet shows: while it is saved nothing in it changes, and the field keeps the focus', async () => {
  const page = await inspector.open('/offers');
  await button(page, 'New').click();
  const sheet = page.getByRole('dialog', { name: 'New offer' });
  const name = sheet.getByLabel('Name', { exact: true });
  await name.fill('Sprnig');
  const saving = /\/control\/offers$/;
  const release = await holdBack(page, saving);
  const asked = page.waitForRequest(saving);
  await page.keyboard.press('Enter');
  await asked;
  await page.keyboard.type('!');
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText('!');
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  await sheet.getByRole('switch').click();
  expect(await name.inputValue()).toBe('Sprnig');
  expect(await sheet.getByRole('switch').getAttribute('aria-checked')).toBe('true');
  release();
  await expectGone(sheet);
});

test('after a refusal the field can be changed at once', async () => {
  inspector.allowErrors(/400 \(/);
  const page = await inspector.open('/offers');
  await button(page, 'New').click();
  const sheet = page.getByRole('dialog', { name: 'New offer' });
  await page.keyboard.press('Enter');
  await expectSeen(sheet.getByRole('alert').getByText(/name/i));
  await page.keyboard.type('Spring');
  await page.keyboard.press('Enter');
  await expectSeen(page.getByText('The offer “Spring” was created'));
});
