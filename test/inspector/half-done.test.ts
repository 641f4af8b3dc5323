import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectSeen, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'manual' });

/** The server refuses such calls of the page. */
async function refuse(page: Page, calls: string): Promise<void> {
  inspector.allowErrors(/507/);
  await intercept(page, calls, (route) => route.fulfill({ status: 507, json: { message: 'The disk is full.' } }));
}
const undo = (page: Page): Promise<void> => page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
const store = () => inspector.sandbox.emulator.deps.store;
const readOnlyApp = () => [...store().apps.all()].find(({ name }) => name === 'Read-only app');
const lacksScope = () => inspector.sandbox.call('GET', '/webhooks', { key: 'sandpiper-readonly-key' });

test('a scope that was granted for a replay that fails can be taken back with the undo of the toast', async () => {
  await lacksScope();
  const page = await inspector.open(`/apps/${readOnlyApp()?.id}`);
  await refuse(page, '**/control/send');
  await page.getByRole('button', { name: 'Grant and replay' }).click();
  await expectSeen(page.getByRole('alert').getByText('The disk is full.'));
  await expectSeen(toast(page, 'Granted webhooks:write, but the request was not replayed'));
  expect(readOnlyApp()?.scopes).toContain('webhooks:write');
  await undo(page);
  await expect.poll(() => readOnlyApp()?.scopes).not.toContain('webhooks:write');
});

test('a scope that was granted from a request whose replay fails can be taken back, too', async () => {
  const { id } = await (await lacksScope()).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await refuse(page, '**/control/send');
  await page.getByRole('button', { name: 'Grant and replay' }).click();
  await expectSeen(page.getByRole('alert').getByText('Not sent. The disk is full.'));
  await expectSeen(toast(page, 'Granted webhooks:write to “Read-only app”, but the request was not replayed'));
  await undo(page);
  await expect.poll(() => readOnlyApp()?.scopes).not.toContain('webhooks:write');
});

test('a reach that was allowed for a delivery that is not sent again can be taken back', async () => {
  const made = await inspector.sandbox.control('POST', '/control/webhooks', {
    url: 'http://10.255.255.1:9/hook',
    events: ['sms.subscribed'],
  });
  const hook = (made.body as { readonly id: string }).id;
  const json = { user: { phone: '+15555550123' }, signUpSourceId: '100001' };
  const { id } = await (await inspector.sandbox.call('POST', '/subscriptions', { json })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await refuse(page, '**/control/deliveries/*/redeliver');
  await page.getByRole('button', { name: 'Allow the host and send again' }).click();
  await expectSeen(toast(page, /^Allowed 10\.255\.255\.1:9.*, but it was not sent again$/));
  expect(store().webhooks.get(hook)?.reach).toBe('private');
  await undo(page);
  await expect.poll(() => store().webhooks.get(hook)?.reach).toBe('loopback');
});

test('after a lost reply the window says that the change may have been made', async () => {
  inspector.allowErrors(/Failed to load resource/);
  const page = await inspector.open('/offers');
  await intercept(page, /\/control\/offers$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'New', exact: true }).first().click();
  const sheet = page.getByRole('dialog', { name: 'New offer' });
  await sheet.getByLabel('Name', { exact: true }).fill('Half price');
  await sheet.getByRole('button', { name: 'Create the offer' }).click();
  const says = sheet.getByRole('alert').getByText('The server cannot be reached.');
  await expectSeen(says);
  expect(await says.innerText()).toContain('It may have done this nevertheless');
  const made = [...store().offers.all()].filter(
    ({ companyId, name }) => companyId === demoCompany && name === 'Half price',
  );
  expect(made).toHaveLength(1);
});

test('where the reply to a replay is lost, nothing says that it was not sent', async () => {
  inspector.allowErrors(/Failed to load resource/);
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await intercept(page, '**/control/send', (route) => route.abort());
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const says = page.getByRole('alert').getByText('The server cannot be reached.');
  await expectSeen(says);
  expect(await says.innerText()).not.toContain('Not sent');
});

test('where the reply to an export is lost, nothing says that something may have been changed', async () => {
  inspector.allowErrors(/Failed to load resource/);
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await intercept(page, '**/control/requests/har', (route) => route.abort());
  await page.getByRole('article', { name: 'Request' }).getByRole('button', { name: 'More for this request' }).click();
  await page.getByRole('menuitem', { name: 'Export as HAR, secrets masked' }).click();
  const says = page.getByText('The server cannot be reached.');
  await expectSeen(says);
  expect(await says.innerText()).not.toContain('may have done');
});
