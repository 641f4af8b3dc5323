/** Where only one pane has room, every act can be reached, and what happens is seen. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { act } from '../support/world.ts';

const inspector = useInspector({ pace: 'manual' });
const phone = { width: 390, height: 844 };

async function createWebhook(): Promise<void> {
  const events = ['email.opened', 'sms.subscribed'];
  await act(inspector.sandbox, 'POST', '/control/webhooks', { url: 'http://localhost:3000/hooks', events });
}
const isInWindow = (page: Page, name: string): Promise<boolean> =>
  page.getByRole('button', { name, exact: true }).evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

test.each([phone, { width: 700, height: 900 }])(
  'at $width pixels a webhook is edited, rotated and deleted beside its deliveries',
  async (size) => {
    await createWebhook();
    const page = await inspector.open('/webhooks', size);
    await page
      .getByRole('navigation', { name: 'Endpoints' })
      .getByRole('button', { name: /localhost:3000/ })
      .click();
    await expectSeen(page.getByText('Nothing has been delivered yet'));
    await page.getByText('About this webhook').click();
    const facts = page.getByRole('region', { name: 'Webhook to localhost:3000/hooks' });
    await facts.getByRole('button', { name: 'Rotate key' }).click();
    await toast(page, /^Rotated the key/).waitFor();
    await facts.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await facts.getByRole('button', { name: 'More for this webhook' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectSeen(page.getByText('No webhook yet'));
  },
);

test('the form of an operation keeps Send in the window, and the view moves to the answer', async () => {
  const page = await inspector.open('/try/addSubscriptions', phone);
  await page.getByRole('form').waitFor();
  expect(await isInWindow(page, 'Send')).toBe(true);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = page.getByRole('region', { name: 'Answer' }).getByText(/^Accepted/);
  await answer.waitFor();
  await expect.poll(() => answer.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
});

test.each([
  ['/webhooks', /no delivery yet/, 'button'],
  ['/offers', /Winter welcome/, 'row'],
  ['/requests', /\/me/, 'row'],
  ['/subscribers', /555 0100/, 'row'],
] as const)('Back shows the list of %s again, and then the view before', async (path, name, role) => {
  await createWebhook();
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/', phone);
  await goTo(page, path);
  const line = page.getByRole('main').getByRole(role, { name }).first();
  for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await line.click();
    await expectGone(line);
    await leave();
    await line.waitFor();
    expect(new URL(page.url()).hash).toBe(`#${path}`);
  }
  await page.goBack();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/');
});

test('the sheet with the screens of a person takes the focus, and gives it back to its button', async () => {
  const mail = { subscriber: { email: 'ada@example.com' }, channel: 'EMAIL', subject: 'Low tide', text: 'Hello' };
  await act(inspector.sandbox, 'POST', '/control/messages', mail);
  const page = await inspector.open('/subscribers', phone);
  await page.getByRole('row', { name: /555 0100/ }).click();
  const hasFocus = (name: string): Promise<boolean> =>
    page.getByRole('button', { name, exact: true }).evaluate((one) => one === document.activeElement);
  for (const close of [
    () => page.getByRole('button', { name: 'Close', exact: true }).click(),
    async () => {
      await page.getByRole('button', { name: 'Inbox', exact: true }).click();
      await page.getByRole('button', { name: /Low tide/ }).click();
      await page.getByRole('region', { name: 'Inbox, simulated' }).getByText('· opened').waitFor();
      await page.keyboard.press('Escape');
    },
  ]) {
    await page.getByRole('button', { name: 'Screens', exact: true }).click();
    await expect.poll(() => hasFocus('Phone')).toBe(true);
    await close();
    await expect.poll(() => hasFocus('Screens')).toBe(true);
  }
});

test('the list of deliveries is as high as its rows, up to about a half', async () => {
  await createWebhook();
  const fire = () => act(inspector.sandbox, 'POST', '/control/trigger', { type: 'email.opened' });
  await fire();
  const page = await inspector.open('/webhooks?delivery=&all=1', phone);
  const rows = page.getByRole('grid', { name: 'Deliveries, newest first' });
  const heightOf = (): Promise<number> => rows.evaluate((one) => one.clientHeight);
  await page.getByRole('article', { name: 'Delivery' }).waitFor();
  await expect.poll(heightOf).toBe(30);
  for (let at = 0; at < 30; at += 1) await fire();
  await expect.poll(heightOf).toBeGreaterThan(112);
  expect(await heightOf()).toBeLessThan(phone.height / 2);
});

test('the head of the list is there after a record was read to its end under a message', async () => {
  const page = await inspector.open('/offers', phone);
  await page.getByRole('button', { name: 'New' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('An offer');
  await page.keyboard.press('Enter');
  await toast(page, /An offer/).waitFor();
  await expectSeen(page.getByRole('region', { name: 'The selected offer' }));
  const stage = page.locator('.stage');
  await stage.evaluate((one) => one.scrollTo({ top: one.scrollHeight }));
  expect(await stage.evaluate((one) => one.scrollTop)).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expectSeen(page.getByRole('heading', { name: 'Offers', level: 1 }));
  await expect.poll(() => stage.evaluate((one) => one.scrollTop)).toBe(0);
  await toast(page, /An offer/).waitFor();
});
