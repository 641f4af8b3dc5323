import { expect, test } from 'vitest';
import { checkAccess, useInspector } from '../support/browser.ts';
import { askPalette, palette, useRealTimeAfterEach } from '../support/frame.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector({ pace: 'realistic' });
useRealTimeAfterEach(inspector);

test('the palette runs an action, and remembers it', async () => {
  const page = await inspector.open('/');
  await askPalette(page, 'dark');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await expect.poll(() => palette(page).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await expect.poll(() => palette(page).getByRole('option').first().textContent()).toContain('Theme: dark');
});

test('the palette finds requests, records, settings and operations', async () => {
  await inspector.sandbox.call('GET', '/me', { key: null });
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' },
  });
  const page = await inspector.open('/');
  await askPalette(page, '401 /me');
  await palette(page).getByRole('option', { name: '401 GET /me' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/#\/requests\/req_/);
  await askPalette(page, '5550177');
  await palette(page).getByRole('option', { name: 'Subscriber +15555550177' }).click();
  await expect.poll(() => page.url()).toContain('#/subscribers/');
  await askPalette(page, 'rate limits');
  await palette(page).getByRole('group', { name: 'Settings' }).getByText('--rate-limits').waitFor();
  await palette(page).getByRole('textbox').fill('delete-request');
  await palette(page).getByRole('group', { name: 'Operations' }).getByText('POST /privacy/delete-request').waitFor();
  await palette(page).getByRole('textbox').fill('>subscriptions');
  await expect.poll(() => palette(page).getByRole('group', { name: 'Operations' }).count()).toBe(0);
});

test('hostile names are text in the palette, in the company switch and in the status bar', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const [offer] = store.offers.all();
  const [company] = store.companies.all();
  if (!offer || !company) throw new Error('The demo world has an offer and a company.');
  store.transact(() => {
    store.offers.put({ ...offer, name: xss });
    store.companies.put({ ...company, name: xss });
  });
  const page = await inspector.open('/');
  await askPalette(page, 'window.__xss');
  await palette(page).getByRole('group', { name: 'Records' }).getByText('onerror').waitFor();
  await palette(page).getByRole('textbox').fill(xss);
  await palette(page).getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByTitle(/^Company: /).click();
  await page.getByRole('menuitemradio').first().waitFor();
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
});

test('the palette is accessible in both themes', async () => {
  const page = await inspector.open('/requests');
  await askPalette(page, 'p');
  await palette(page).getByRole('group', { name: 'Records' }).waitFor();
  await checkAccess(page);
});
