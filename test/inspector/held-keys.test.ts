import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startReceiver } from '../delivery/support.ts';
import { useInspector } from '../support/browser.ts';
import { palette, toast } from '../support/frame.ts';

const inspector = useInspector();

/** Holds a key until the page repeated it some times. */
async function hold(page: Page, key: string): Promise<void> {
  for (let left = 6; left > 0; left -= 1) await page.keyboard.down(key);
}

test('a key that is held delivers an event once more, and the next press once more again', async () => {
  const receiver = await startReceiver();
  const { control } = inspector.sandbox;
  const hook = { url: receiver.url, events: ['email.opened'] };
  const { id } = (await control('POST', '/control/webhooks', hook)).body as { id: string };
  await control('POST', '/control/trigger', { type: 'email.opened', to: id });
  const page = await inspector.open(`/webhooks/${encodeURIComponent(id)}`);
  const shown = page.getByRole('article', { name: 'Delivery' });
  await expect.poll(() => shown.innerText()).toMatch(/Your receiver answered 200/);
  await page.getByRole('grid', { name: /^Deliveries/ }).focus();
  await hold(page, 'r');
  await expect.poll(() => shown.getByRole('listitem').count()).toBe(2);
  await hold(page, 'r');
  await page.keyboard.up('r');
  await page.keyboard.press('r');
  await expect.poll(() => shown.getByRole('listitem').count()).toBe(3);
  expect(receiver.got).toHaveLength(3);
});

test('a key that is held replays a request once', async () => {
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('article', { name: 'Request' }).getByText('/v1/me').first().waitFor();
  await hold(page, 'r');
  await toast(page, /^Replayed/).waitFor();
  await hold(page, 'r');
  await page.keyboard.up('r');
  await page.keyboard.press('r');
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(3);
});

test('a key that is held goes on through a list', async () => {
  for (let left = 3; left > 0; left -= 1) await inspector.sandbox.call('GET', '/me');
  const [first] = inspector.sandbox.emulator.recorder.all();
  const page = await inspector.open('/requests');
  await page.getByRole('grid').first().focus();
  await hold(page, 'j');
  await expect.poll(() => page.url()).toContain(`#/requests/${first?.id}`);
});

test.each(['/try/getMe', '/try/graphql'])('Mod and Enter that are held send once: %s', async (path) => {
  const page = await inspector.open(path);
  await page.getByRole('button', { name: /^(?:Send|Run)/ }).waitFor();
  await page.keyboard.down('Control');
  await hold(page, 'Enter');
  await page.locator('a[href*="/requests/req_"]').first().waitFor();
  await hold(page, 'Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(2);
});

test('an Enter that is held on the button of the palette opens it, and runs no action', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  await page.getByRole('button', { name: /^Search or run a command/ }).focus();
  await hold(page, 'Enter');
  await palette(page).getByRole('combobox').waitFor();
  await palette(page).getByRole('option').first().waitFor();
  expect(page.url()).toMatch(/#\/requests$/);
});
