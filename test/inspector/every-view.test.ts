import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { goTo, useInspector } from '../support/browser.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector({ pace: 'manual' });

/** The entries of the sidebar: name and address. */
async function sectionsOf(page: Page): Promise<readonly { readonly title: string; readonly href: string }[]> {
  const links = await page.getByRole('navigation', { name: 'Sections' }).getByRole('link').all();
  return Promise.all(
    links.map(async (link) => ({
      // The number of waiting items follows a colon.
      title: ((await link.getAttribute('aria-label')) ?? '').replace(/:.*/, ''),
      href: (await link.getAttribute('href')) ?? '',
    })),
  );
}

/** Whether something is cut off at the side, where it cannot be scrolled to. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function visit(page: Page, look: (title: string) => Promise<void>): Promise<void> {
  const sections = await sectionsOf(page);
  expect(sections.length).toBeGreaterThan(10);
  for (const { title, href } of sections) {
    await goTo(page, href.replace(/^.*#/, ''));
    await expect.poll(() => page.title()).toContain(title);
    await expect
      .poll(() => page.getByRole('main').getByRole('heading', { level: 1 }).count(), { message: title })
      .toBe(1);
    await look(title);
  }
}

test.each([
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 720, height: 450 }, // 1440×900 at 200 %
])('every empty view is readable at $width×$height', async (size) => {
  await inspector.sandbox.control('POST', '/control/reset', { world: 'empty' });
  const page = await inspector.open('/', size);
  await visit(page, async (title) => {
    expect(await overflowOf(page), `${title} must not be wider than the window`).toBeLessThanOrEqual(0);
  });
});

test('no captured text runs as code in any view', async () => {
  const { call, control } = inspector.sandbox;
  const user = { phone: '+15555550155', email: 'x@example.com' };
  const headers = { 'x-note': encodeURIComponent(xss) };
  await call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' }, headers });
  await call('POST', '/attributes/custom', { json: { user, properties: { [xss.slice(0, 200)]: xss } } });
  await call('POST', '/events/custom', { json: { type: xss, user, properties: { [xss]: xss } } });
  await call('POST', '/webhooks', { json: { url: `http://127.0.0.1:9/${xss}`, events: ['sms.sent', xss] } });
  await call('POST', '/webhooks', {
    json: { url: 'http://127.0.0.1:9/"><svg/onload=window.__xss=1>', events: ['sms.sent'] },
  });
  await call('POST', '/privacy/delete-request', { json: { subscriberEmail: xss } });
  await call('GET', `/subscriptions?phone=${encodeURIComponent(xss)}`);
  await call('POST', '/graphql', { json: { query: xss } });
  await control('POST', '/control/messages', {
    subscriber: { phone: user.phone },
    channel: 'TEXT',
    text: xss,
    force: true,
  });
  await control('POST', '/control/messages', {
    subscriber: { email: user.email },
    channel: 'EMAIL',
    subject: xss,
    text: xss,
    html: xss,
    force: true,
  });
  const upload = (await call('POST', '/product-catalog/uploads', { json: {} })).body as { uploadUrl: string };
  await fetch(upload.uploadUrl, {
    method: 'PUT',
    body: `${JSON.stringify({ id: xss, name: xss, link: xss })}\n${xss}\n`,
  });

  const page = await inspector.open('/');
  await visit(page, async (title) => {
    // The first entry of a list is opened, too.
    const row = page.getByRole('main').locator('[role="row"], [role="option"], li a, tr').first();
    if (await row.isVisible()) await row.click({ timeout: 2_000 }).catch(() => {});
    expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss), title).toBeUndefined();
  });
});

test('what the browser kept in another shape, as another version may, leaves no view blank', async () => {
  const page = await inspector.open('/');
  // Every view keeps something at its first visit.
  await visit(page, async () => {});
  for (const text of ['{"a":1}', '[{"id":1,"name":"a"}]', '7', '{not JSON']) {
    const count = await page.evaluate((kept) => {
      let changed = 0;
      for (const storage of [localStorage, sessionStorage])
        for (const name of Object.keys(storage))
          if (name !== 'sandpiper.token') {
            storage.setItem(name, kept);
            changed += 1;
          }
      return changed;
    }, text);
    expect(count).toBeGreaterThan(10);
    await page.reload();
    await page.getByText('Listening', { exact: true }).waitFor();
    await visit(page, async () => {});
  }
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('200').first().waitFor();
});
