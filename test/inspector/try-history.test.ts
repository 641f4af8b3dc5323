import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';

const inspector = useInspector();
const latest = () => inspector.sandbox.emulator.recorder.all().at(-1);
const headerOf = (name: string): string | undefined => {
  const { requestHeaders = [] } = latest() ?? {};
  return requestHeaders[requestHeaders.indexOf(name) + 1];
};

async function send(page: Page): Promise<void> {
  const before = latest()?.id;
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => latest()?.id).not.toBe(before);
  await page.locator(`a[href$="/requests/${latest()?.id}"]`).waitFor();
}

async function addHeader(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill(name);
  await page.getByRole('textbox', { name: 'Value of header 1' }).fill(value);
}

/** Takes the example again, then what was sent last. */
async function chooseLatest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Example' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  const items = page.getByRole('list', { name: 'Sent from this window' }).getByRole('listitem');
  // The list follows the record of requests, a moment after the reply.
  await expect.poll(() => items.count()).toBe(inspector.sandbox.emulator.recorder.all().length);
  await items.first().getByRole('button').click();
}

const basic = `Basic ${Buffer.from('sandpiper-demo-client:secret').toString('base64')}`;

test('a choice of the history that takes no key leaves the key of the other operations', async () => {
  const page = await inspector.open('/try/createTokenViaAuthorizationCode');
  await addHeader(page, 'authorization', basic);
  await send(page);
  await chooseLatest(page);
  const value = page.getByRole('textbox', { name: 'Value of header 1' });
  await expect.poll(() => value.inputValue()).toBe(basic);
  await send(page);
  expect(headerOf('authorization')).toBe(basic);
  await page.getByRole('button', { name: /GET \/me$/ }).click();
  await page.getByRole('form', { name: 'GET /me' }).waitFor();
  await send(page);
  expect(latest()?.status).toBe(200);
});

test('a choice of the history keeps a credential that is not a key, and a content type of its own', async () => {
  const page = await inspector.open('/try/addSubscriptions');
  await addHeader(page, 'authorization', basic);
  await send(page);
  await chooseLatest(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'Value of header 1' }).inputValue()).toBe(basic);
  await send(page);
  expect(headerOf('authorization')).toBe(basic);
  await page.getByRole('button', { name: 'Remove header 1' }).click();
  await addHeader(page, 'content-type', 'text/plain');
  await send(page);
  await chooseLatest(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'Value of header 1' }).inputValue()).toBe('text/plain');
  await send(page);
  expect(headerOf('content-type')).toBe('text/plain');
  expect(headerOf('authorization')).toMatch(/^Bearer sandpiper-/);
});

test('a header of Try it is sent in UTF-8, and the history fills in its text', async () => {
  const page = await inspector.open('/try/getMe');
  await addHeader(page, 'x-name', 'José 🐦');
  await send(page);
  expect(latest()?.requestHeaders).toContain(Buffer.from('José 🐦').toString('latin1'));
  await chooseLatest(page);
  await expect.poll(() => page.getByRole('textbox', { name: 'Value of header 1' }).inputValue()).toBe('José 🐦');
});
