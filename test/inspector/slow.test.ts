import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, useInspector } from '../support/browser.ts';

const inspector = useInspector();

/** Delays the replies to some requests of the page, as on a slow machine, until it is called. */
async function holdBack(page: Page, pattern: RegExp): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const goTo = (page: Page, path: string): Promise<unknown> => page.goto(page.url().replace(/#.*/, `#${path}`));

test('keys that are pressed before the contract is loaded take effect afterwards', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/openapi\.json/);
  await goTo(page, '/try/getMe');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  release();
  await expectSeen(page.getByRole('form', { name: 'POST /webhooks' }));
});

test('keys that are pressed before the code of a view is loaded take effect afterwards', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/assets\/.*View-.*\.js/);
  await goTo(page, '/subscribers');
  await page.keyboard.press('j');
  release();
  const rows = page.getByRole('grid', { name: 'People, newest first' }).getByRole('row');
  await expect.poll(() => rows.nth(1).getAttribute('aria-selected')).toBe('true');
});

test('text typed into a search that is still loading appears in it, and does nothing else', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/records\/apps/);
  await goTo(page, '/apps');
  await page.keyboard.press('/');
  // Outside of a field n advances the clock.
  await page.keyboard.type('none');
  release();
  await expect.poll(() => page.getByRole('textbox', { name: 'Search: Apps and keys' }).inputValue()).toBe('none');
  expect(inspector.sandbox.emulator.deps.clock.mode()).toBe('real');
});

test('a click discards the waiting keys', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/openapi\.json/);
  await goTo(page, '/try/getMe');
  await page.keyboard.press('j');
  await page.getByRole('contentinfo').click({ position: { x: 2, y: 2 } });
  release();
  await page.getByRole('form', { name: 'GET /me' }).waitFor();
  expect(page.url()).toContain('/try/getMe');
});

test('a replay sends the selected request, not the one that is still shown', async () => {
  await inspector.sandbox.call('GET', '/webhooks');
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('article', { name: 'Request' }).getByText('/v1/me').first().waitFor();
  const before = inspector.sandbox.emulator.recorder.size;
  const release = await holdBack(page, /\/control\/requests\/req_/);
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  release();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(before + 1);
  expect(inspector.sandbox.emulator.recorder.all().at(-1)?.url).toContain('/v1/webhooks');
});

test.for([
  ['/subscribers', /\/control\/people\?/],
  ['/catalog', /\/control\/records\/uploads\?/],
] as const)(
  '%s shows its first row, and neither changes the address nor keeps a person from leaving',
  async ([path, reads]) => {
    await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
    const page = await inspector.open(path);
    await page.locator('[role="row"][aria-selected="true"]').waitFor();
    expect(new URL(page.url()).hash).toBe(`#${path}`);
    await goTo(page, '/');
    const release = await holdBack(page, reads);
    await goTo(page, path);
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    const releaseCode = await holdBack(page, /\/assets\/PrivacyView-.*\.js/);
    await page.getByRole('link', { name: 'Privacy' }).click();
    release();
    await page.locator('[role="row"][aria-selected="true"]').waitFor();
    releaseCode();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/privacy');
  },
);
