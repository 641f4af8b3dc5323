import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';
import { holdBack } from '../support/hold-back.ts';

const inspector = useInspector();

test.for([
  ['/timeline', /\/control\/timeline\?/],
  ['/webhooks', /\/control\/webhooks\?/],
  ['/webhooks', /\/control\/deliveries\?/],
  ['/subscribers', /\/control\/people\?/],
  ['/catalog', /\/control\/records\/uploads\?/],
  ['/catalog?show=products', /\/control\/catalog\/\w+\/products\?/],
  ['/offers', /\/control\/records\/offers\?/],
] as const)('%s says that a list is being read, until it is there: %s', async ([path, reads]) => {
  const page = await inspector.open();
  const release = await holdBack(page, reads);
  await goTo(page, path);
  const reading = page.getByRole('status').filter({ hasText: 'The list is being read.' });
  // Both lists of the webhooks may be on their way.
  await expectSeen(reading.first());
  expect(await reading.first().locator('.skel').count()).toBeGreaterThan(4);
  release();
  await expect.poll(() => reading.count()).toBe(0);
});

test.for([
  ['/subscribers', /\/control\/people\?.*search=a/, 'Search by phone, email or id', 'People, newest first'],
  ['/timeline', /\/control\/timeline\?.*text=a/, 'Filter', 'Timeline, newest first'],
] as const)(
  '%s marks the rows of the search before as such, until the present one is answered',
  async ([path, reads, field, list]) => {
    await inspector.sandbox.call('GET', '/me');
    const page = await inspector.open(path);
    const rows = page.getByRole('grid', { name: list });
    await expectSeen(rows);
    expect(await rows.getAttribute('aria-busy')).toBe(null);
    const release = await holdBack(page, reads);
    const ground = (): Promise<string> => rows.evaluate((one) => getComputedStyle(one).backgroundColor);
    const usual = await ground();
    await page.getByLabel(field).fill('a');
    await expect.poll(() => rows.getAttribute('aria-busy')).toBe('true');
    await expect.poll(ground).not.toBe(usual);
    await page.emulateMedia({ forcedColors: 'active' });
    await expect.poll(() => rows.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('dashed');
    await page.emulateMedia({ forcedColors: 'none' });
    release();
    await expect.poll(() => rows.getAttribute('aria-busy')).toBe(null);
    expect(await ground()).toBe(usual);
  },
);

/** By WCAG: of the ground that a list is on, and of what is around it. */
const contrastOf = (list: Locator): Promise<number> =>
  list.evaluate((one) => {
    // Before the list is marked it has no ground.
    if (getComputedStyle(one).backgroundColor === 'rgba(0, 0, 0, 0)') return 1;
    const luminanceOf = (element: Element): number => {
      const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []).map(
        (text) => (Number(text) / 255) ** 2.2,
      );
      return 0.05 + 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [ground, around] = [luminanceOf(one), luminanceOf(one.closest('.main') ?? one)];
    return Math.max(ground, around) / Math.min(ground, around);
  });

test.for(['light', 'dark'] as const)(
  'the ground of the rows of the search before is seen in %s',
  async (colorScheme) => {
    const page = await inspector.open('/subscribers', { colorScheme });
    const rows = page.getByRole('grid', { name: 'People, newest first' });
    await expectSeen(rows);
    const release = await holdBack(page, /\/control\/people\?.*search=a/);
    await page.getByLabel('Search by phone, email or id').fill('a');
    await expect.poll(() => rows.getAttribute('aria-busy')).toBe('true');
    await expect.poll(() => contrastOf(rows)).toBeGreaterThan(1.12);
    expect(await contrastOf(rows)).toBeLessThan(1.5);
    release();
  },
);

test('requests, and the receivers of Home, are not called missing while they load', async () => {
  await inspector.sandbox.call('GET', '/me');
  const webhook = { url: 'http://localhost:1/hooks', events: ['sms.sent'] };
  await inspector.sandbox.call('POST', '/webhooks', { json: webhook });
  const page = await inspector.open('/requests');
  const releaseRequests = await holdBack(page, /\/control\/requests\?/);
  await page.reload();
  await expectSeen(page.getByRole('status').filter({ hasText: 'The list is being read.' }));
  expect(await page.getByText('No request has arrived').count()).toBe(0);
  releaseRequests();
  await expectSeen(page.getByRole('grid', { name: 'Requests, newest first' }).getByRole('row').first());
  const releaseWebhooks = await holdBack(page, /\/control\/webhooks\?/);
  await goTo(page, '/');
  const receivers = page.getByRole('region', { name: /^Receivers/ });
  await expectSeen(receivers);
  expect(await receivers.getByText('No webhook is registered').count()).toBe(0);
  releaseWebhooks();
  await expectSeen(receivers.getByRole('link', { name: /hooks/ }).first());
});

test('a list that is searched is not marked any longer than it is read when a record of it is deleted', async () => {
  const page = await inspector.open('/offers');
  const rows = page.getByRole('grid', { name: 'Offers' });
  const count = (): Promise<number> => rows.getByRole('row').count();
  await expect.poll(count).toBe(4);
  await page.getByLabel('Search: Offers').fill('active');
  await inspector.sandbox.control('DELETE', '/control/offers/54102');
  await expect.poll(count).toBe(3);
  await expect.poll(() => rows.getAttribute('aria-busy')).toBe(null);
});

test.for([
  ['/offers', /\/control\/records\/offers\?/, 'Offers'],
  ['/attributes', /\/control\/attributes\?/, 'Attributes'],
  ['/sign-up-units', /\/control\/sign-up-units\?/, 'Sign-up units'],
  ['/apps', /\/control\/records\/apps\?/, 'Apps and keys'],
] as const)(
  '%s marks the rows of the company before until those of the present one are there',
  async ([path, reads, list]) => {
    const page = await inspector.open(path);
    // Hidden where the present company has none.
    const rows = page.getByRole('grid', { name: list, includeHidden: true });
    await expectSeen(rows);
    const release = await holdBack(page, reads);
    await page.getByTitle('Company: Sandpiper Supply Co.').click();
    await page.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
    await expect.poll(() => rows.getAttribute('aria-busy')).toBe('true');
    release();
    await expect.poll(() => rows.getAttribute('aria-busy')).toBe(null);
  },
);

test.for(['light', 'dark'] as const)(
  'the webhooks of the company before are on a ground that is seen in %s until those of the present one are there',
  async (colorScheme) => {
    await inspector.sandbox.control('POST', '/control/webhooks', {
      url: 'http://localhost:1/one',
      events: ['sms.sent'],
    });
    const page = await inspector.open('/webhooks', { colorScheme });
    const list = page.getByRole('navigation', { name: 'Endpoints' });
    await expectSeen(list);
    expect(await contrastOf(list)).toBe(1);
    const release = await holdBack(page, /\/control\/webhooks\?/);
    await page.getByTitle('Company: Sandpiper Supply Co.').click();
    await page.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
    await expect.poll(() => list.getAttribute('aria-busy')).toBe('true');
    await expect.poll(() => contrastOf(list)).toBeGreaterThan(1.12);
    release();
    await expect.poll(() => list.getAttribute('aria-busy')).toBe(null);
  },
);

test('the hits of an earlier filter of the timeline are not shown while those of the present one are read', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/timeline');
  const filter = page.getByRole('combobox', { name: 'Filter' });
  await filter.fill('GET');
  const hits = page.getByText(/^\d+ hits?$/);
  await expectSeen(hits);
  const release = await holdBack(page, /\/control\/timeline\?.*none/);
  await filter.fill('none');
  await hits.waitFor({ state: 'hidden' });
  release();
  await expectSeen(page.getByText('0 hits', { exact: true }));
});

test('a screen reader is told what a filter or a search finds, not each time that something else comes in', async () => {
  const { call } = inspector.sandbox;
  await call('GET', '/me');
  const page = await inspector.open('/requests');
  // What is said is removed after two seconds, which a busy machine would look for too late.
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const status = document.querySelector('.filterbox [role="status"]');
    if (!status) throw new Error('The filter has no status.');
    new MutationObserver(() => said.push(status.textContent)).observe(status, {
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
  const said = (): Promise<string[]> => page.evaluate(() => (window as unknown as { said: string[] }).said);
  await page.getByRole('combobox', { name: 'Filter' }).fill('GET');
  await expect.poll(said).toEqual(['Found: 1 of 1', '']);
  await call('GET', '/me');
  await expectSeen(page.getByText('2 of 2', { exact: true }));
  expect(await said()).toHaveLength(2);
  for (const [path, field, foot] of [
    ['/subscribers', 'Search by phone, email or id', /^\d+ (?:people|match|matches)$/],
    ['/offers', 'Search', /^\d+ (?:of \d+ )?offers$/],
  ] as const) {
    await goTo(page, path);
    const counts = page.locator('.listfoot').filter({ hasText: foot });
    expect(await counts.getAttribute('aria-live')).toBe('off');
    await page.getByLabel(field).first().fill('1');
    await expectSeen(page.locator('.listfoot[aria-live="polite"]'));
  }
});

test('the rows of a list of records come where they were announced', async () => {
  const page = await inspector.open();
  const release = await holdBack(page, /\/control\/records\/offers\?/);
  await goTo(page, '/offers');
  const reading = page.getByRole('status').filter({ hasText: 'The list is being read.' });
  await expectSeen(reading);
  const announced = await reading.boundingBox();
  release();
  const rows = page.getByRole('grid', { name: 'Offers' });
  await expectSeen(rows);
  // There is a line above them.
  expect(Math.abs(((await rows.boundingBox())?.y ?? 0) - (announced?.y ?? 0))).toBeLessThan(2);
});

test.for([
  ['/subscribers', /\/control\/people\?/, 'No one is selected'],
  ['/catalog?show=products', /\/control\/catalog\/\w+\/products\?/, 'No product is selected'],
] as const)('%s asks for no selection while nothing is listed', async ([path, reads, asks]) => {
  const page = await inspector.open();
  await holdBack(page, reads);
  await goTo(page, path);
  await expectSeen(page.getByRole('status').filter({ hasText: 'The list is being read.' }));
  expect(await page.getByText(asks).count()).toBe(0);
});
