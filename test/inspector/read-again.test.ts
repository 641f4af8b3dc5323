import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'manual' });

test('states and moves that could not be read are there when everything is read again', async () => {
  inspector.allowErrors(/507/);
  const page = await inspector.open('/requests');
  const calls = /\/control\/(?:machines|openapi\.json)/;
  const refuse = (): Promise<unknown> => intercept(page, calls, (route) => route.fulfill({ status: 507, json: {} }));
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const [upload] = inspector.sandbox.emulator.deps.store.uploads.all();
  await inspector.sandbox.control('POST', '/control/snapshots', { name: 'now', overwrite: true });
  for (const [path, wanted] of [
    [`/catalog/${upload?.id}`, page.getByRole('group', { name: 'States' })],
    [`/reference/${encodeURIComponent('operation:GET /me')}`, page.getByRole('button', { name: 'Try it' })],
  ] as const) {
    await refuse();
    const refused = page.waitForResponse(calls);
    await goTo(page, path);
    await (await refused).finished();
    expect(await wanted.count()).toBe(0);
    await page.unroute(calls);
    await inspector.sandbox.control('POST', '/control/snapshots/now/restore', {});
    await expectSeen(wanted);
  }
});

/** The stream, and one request that is read whole. */
const lost = /\/control\/(?:stream|requests\/\w)/;
async function loseServer(page: Page): Promise<() => Promise<void>> {
  inspector.allowErrors(/ERR_CONNECTION_REFUSED/);
  await intercept(page, lost, (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.getByText(/^Connection lost at/).waitFor();
  return () => page.unroute(lost);
}

test('a request, or two to compare, that were chosen while the server was away are there when it is back', async () => {
  for (const at of [1, 2]) await inspector.sandbox.call('GET', `/me?round=${at}`);
  const page = await inspector.open('/requests');
  const rows = page.getByRole('grid', { name: /^Requests/ }).locator('.rowsin > .row');
  const find = async (): Promise<() => Promise<void>> => {
    const comeBack = await loseServer(page);
    await expect.poll(() => rows.count()).toBe(2);
    return comeBack;
  };
  let comeBack = await find();
  await rows.nth(1).click();
  await page.getByText('The server cannot be reached just now').waitFor();
  await comeBack();
  await expectSeen(page.getByRole('article', { name: 'Request' }).getByRole('heading', { name: /round=1/ }));

  comeBack = await find();
  await rows.nth(0).click();
  await rows.nth(1).click({ modifiers: ['Control'] });
  await page.getByRole('toolbar', { name: 'Selected requests' }).getByRole('button', { name: 'Compare' }).click();
  await page.getByText('These two cannot be compared').waitFor();
  await comeBack();
  await expectSeen(page.getByRole('region', { name: 'Differences' }));
});
