/** What happens elsewhere while a sheet is open changes neither whom it is for, nor what was filled in. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';

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
  await page.getByRole('menuitem', { name: 'Request deletion' }).click();
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
