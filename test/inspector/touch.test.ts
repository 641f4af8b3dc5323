/** By touch, where nothing hovers, what a pointer would show is shown. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { goTo, useInspector } from '../support/browser.ts';

const inspector = useInspector();

const opacityOf = (one: Locator): Promise<string> => one.evaluate((element) => getComputedStyle(element).opacity);

test('what copies an identity of a person, or a code of an offer, is seen where nothing hovers', async () => {
  const { call, emulator } = inspector.sandbox;
  await call('POST', '/coupons/coupon-pool/54102/create', { json: { codes: ['ONE'] } });
  const { users } = emulator.deps.store;
  const ada = [...users.all()].find(({ addresses }) => addresses.some(({ value }) => value === '+15555550100'));
  const page = await inspector.open(`/subscribers/${encodeURIComponent(ada?.id ?? '')}`);
  const ofPhone = page.getByRole('button', { name: 'Copy phone', exact: true });
  const ofCode = page.getByRole('button', { name: 'Copy ONE', exact: true });
  expect(await opacityOf(ofPhone)).toBe('0');
  await goTo(page, '/offers/54102');
  expect(await opacityOf(ofCode)).toBe('0');
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await expect.poll(() => opacityOf(ofCode)).toBe('1');
  await page.goBack();
  expect(await opacityOf(ofPhone)).toBe('1');
});
