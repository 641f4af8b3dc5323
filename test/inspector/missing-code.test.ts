/** The code of a view cannot be loaded: the server was updated since the page was opened, or is away. */
import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector();
const updated = 'could not be loaded: Sandpiper may have been updated since this page was opened.';

test('a view whose code the server no longer has says so, and is opened by a reload', async () => {
  inspector.allowErrors(/404|dynamically imported module/);
  const page = await inspector.open('/requests', { apart: true });
  const code = /\/assets\/OffersView-.*\.js/;
  await intercept(page, code, (route) => route.fulfill({ status: 404 }));
  const link = page.getByRole('link', { name: 'Offers' });
  await link.click();
  await expectSeen(toast(page, `Offers ${updated}`));
  await page.unroute(code);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expectSeen(page.getByRole('heading', { level: 1, name: 'Offers' }));
  expect(page.url()).toMatch(/#\/offers$/);
});

test('a part of a view whose code the server no longer has says so', async () => {
  inspector.allowErrors(/404|dynamically imported module/);
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`, { apart: true });
  await intercept(page, /\/assets\/(?:RequestEditor|editor)-.*\.js/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expectSeen(toast(page, `A part of this view ${updated}`));
  // The keys, which wait for the editor, work in another view.
  await goTo(page, '/');
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expectSeen(page.getByRole('heading', { level: 1, name: 'Timeline' }));
  expect(page.url()).toContain('#/timeline');
});

test('while the server cannot be reached, a view that was not opened before says so, and is there once it is back', async () => {
  inspector.allowErrors(/ERR_|404|dynamically imported module/);
  const page = await inspector.open('/requests', { apart: true });
  await intercept(page, /\/control\/stream/, (route) => route.abort('connectionrefused'));
  await intercept(page, /\/assets\/OffersView-.*\.js/, (route) => route.abort('connectionrefused'));
  await page.reload();
  await expectSeen(page.getByText(/^Connection lost at /));
  await page.getByRole('link', { name: 'Offers' }).click();
  await expectSeen(toast(page, /because the server cannot be reached\. Try again when it is back\.$/));
  await page.unroute(/\/control\/stream/);
  await page.unroute(/\/assets\/OffersView-.*\.js/);
  await expectSeen(page.getByText('Listening', { exact: true }));
  await page.getByRole('link', { name: 'Offers' }).click();
  const view = page.getByRole('heading', { level: 1, name: 'Offers' });
  const reload = page.getByRole('button', { name: 'Reload the page' });
  // Newer versions of Chromium load the code again; older ones keep the failure until the page is reloaded.
  await expectSeen(view.or(reload));
  if (await reload.isVisible()) await reload.click();
  await expectSeen(view);
  expect(page.url()).toMatch(/#\/offers$/);
});
