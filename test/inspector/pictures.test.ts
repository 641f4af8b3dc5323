/** What was seen in the pictures of the contact sheets, and must not be seen there again. */
import type { Locator } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';

const inspector = useInspector({ pace: 'manual' });
beforeEach(() => inspector.sandbox.reset());

const control = (path: string, json: unknown) => inspector.sandbox.control('POST', path, json);
const isCut = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => element.scrollWidth > element.clientWidth + 1);

test('a selected row has a ring only while the keys are in its list', async () => {
  const page = await inspector.open('/offers/54100');
  const row = page.locator('.rec-list .row.on');
  const ring = (): Promise<string> => row.evaluate((element) => getComputedStyle(element).boxShadow);
  await row.waitFor();
  expect(await ring()).toBe('none');
  await page.keyboard.press('j');
  await expect.poll(ring).toContain('inset');
});

test('the line that the detail of the timeline is about is marked, also before one is chosen', async () => {
  await inspector.sandbox.call('GET', '/me');
  await inspector.sandbox.call('GET', '/me', { key: 'wrong' });
  const page = await inspector.open('/timeline');
  const marked = page.getByRole('grid', { name: 'Timeline, newest first' }).locator('.row.on');
  await marked.getByText('auth.unknown').waitFor();
  await page.locator('.tdetail').getByText('auth.unknown').first().waitFor();
  expect(await marked.count()).toBe(1);
});

test('Home names whom the latest requests were about, and says the same faults once', async () => {
  const json = { user: { email: 'grace@example.com' }, signUpSourceId: '100001' };
  await inspector.sandbox.call('POST', '/subscriptions', { json });
  for (const every of [7, 8]) await control('/control/faults', { operation: 'GET /me', delay: '2s', every });
  for (const every of [2, 3, 4, 5, 6])
    await control('/control/faults', { operation: 'GET /me', delay: `${every}ms`, every });
  const page = await inspector.open('/');
  const latest = page.getByRole('region', { name: 'Latest requests' });
  await latest.getByRole('link', { name: /grace@example.com/ }).waitFor();
  await latest.getByText(/^(now|\d+ s ago)$/).waitFor();
  const on = page.getByRole('region', { name: /In effect/ });
  await on.getByText('2 × GET /me: delay 2 s', { exact: true }).waitFor();
  await on.getByText('and 1 more', { exact: true }).waitFor();
  expect(await on.getByRole('listitem').count()).toBe(5);
});

test('of many timers Home says that it lists the next ones only', async () => {
  const { store, clock } = inspector.sandbox.emulator.deps;
  await inspector.sandbox.call('GET', '/me');
  clock.freeze(true);
  await control('/control/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.opened'] });
  const subscriber = { email: 'ada@example.com' };
  for (let sent = 0; sent < 101; sent += 1) await control('/control/trigger', { type: 'email.opened', subscriber });
  await expect.poll(() => [...store.deliveries.all()].filter(({ state }) => state === 'retrying').length).toBe(101);
  const page = await inspector.open('/');
  await page
    .getByRole('region', { name: /Falls due/ })
    .getByText(/^the next \d+ of 10\d, on/)
    .waitFor();
  await page
    .getByRole('region', { name: /Receivers/ })
    .getByText('retrying, 101 waiting')
    .waitFor();
  clock.freeze(false);
});

test('beside the form to fire an event a delivery still says whom it is about', async () => {
  await control('/control/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.opened'] });
  await control('/control/trigger', { type: 'email.opened', subscriber: { email: 'ada@example.com' } });
  const page = await inspector.open('/webhooks?fire=1');
  const about = page.locator('.wh-rows .row .wh-about');
  await about.waitFor();
  expect(await about.textContent()).toBe('ada@example.com');
  expect(await isCut(about)).toBe(false);
});

test('where nothing was delivered the command fits: none without a company, an address without a webhook', async () => {
  const page = await inspector.open('/webhooks');
  await page.getByText('npx sandpiper trigger email.opened --to http://localhost:3000/hooks --wait --url …').waitFor();
  await control('/control/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['sms.sent'] });
  await page.getByText('npx sandpiper trigger sms.sent --wait --url …').waitFor();
  await inspector.sandbox.emulator.reset('empty');
  await page.getByText('No company yet').waitFor();
  await page.getByText('Nothing has been delivered yet').waitFor();
  await expect.poll(() => page.getByText('sandpiper trigger').count()).toBe(0);
});

test('a path in the list of the reference keeps its last segment, and a long field breaks before a dot', async () => {
  const page = await inspector.open(`/reference/${encodeURIComponent('operation:POST /subscriptions')}`, {
    width: 1024,
    height: 700,
  });
  const title = page.locator('.rec-title', { hasText: 'POST /events/ecommerce/add-to-cart' });
  await title.waitFor();
  expect(await isCut(title.locator('.tl'))).toBe(false);
  expect(await isCut(title.locator('.hd'))).toBe(true);
  const field = page.locator('.ref-field', { hasText: 'user.externalIdentifiers.clientUserId' });
  const lines = await field.evaluate((code) => {
    const tops = [...code.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE || node.textContent === '') return [];
      const range = document.createRange();
      range.selectNode(node);
      return [range.getClientRects().length];
    });
    return Math.max(...tops);
  });
  expect(lines, 'no part of the name is on two lines').toBe(1);
});

test('when a scope was last used is said with its day where it is not today', async () => {
  await inspector.sandbox.call('GET', '/webhooks');
  await control('/control/clock', { advance: '3d' });
  const page = await inspector.open('/apps');
  await page
    .getByRole('row', { name: /Demo app/ })
    .first()
    .click();
  const last = page.getByRole('link', { name: /^1 request, last / }).first();
  await last.waitFor();
  expect(await last.innerText()).toMatch(/^1 request, last \d+ \w{3} \d\d:\d\d$/);
});

test('the address of a subscription is whole beside where it came from', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const ada = [...store.users.all()].find((user) => JSON.stringify(user).includes('ada@example.com'));
  const page = await inspector.open(`/subscribers/${ada?.id}`);
  const address = page.locator('.sub-place code', { hasText: 'ada@example.com' });
  await address.waitFor();
  expect(await isCut(address)).toBe(false);
});

test('an option of a command breaks at no hyphen', async () => {
  const page = await inspector.open('/faults');
  const option = page.locator('.cmdline .word', { hasText: /^--retry-after$/ });
  await option.waitFor();
  expect(await option.evaluate((element) => element.getClientRects().length)).toBe(1);
  const { height } = (await option.boundingBox()) ?? { height: 0 };
  expect(height).toBeLessThan(24);
});

test('the scrubber of the timeline is gold only while time is not the real one', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/timeline');
  const passed = page.locator('.scrub .passed');
  const color = (): Promise<string> => passed.evaluate((element) => getComputedStyle(element).backgroundColor);
  await passed.waitFor();
  const real = await color();
  await control('/control/clock', { advance: '1d' });
  await expect.poll(color).not.toBe(real);
});

test('the timeline says the real time of an entry only where it was another one', async () => {
  await inspector.sandbox.call('GET', '/me');
  const detailOf = async () => (await inspector.open('/timeline')).locator('.tdetail');
  const detail = await detailOf();
  await detail.getByText('When', { exact: true }).waitFor();
  expect(await detail.getByText('Real time').count()).toBe(0);
  await control('/control/clock', { advance: '1d' });
  await inspector.sandbox.call('GET', '/webhooks');
  await (await detailOf()).getByText('Real time').waitFor();
});

test('a field of the reference is in one line beside its type, however long the type is', async () => {
  const page = await inspector.open(`/reference/${encodeURIComponent('operation:GET /subscriptions')}`);
  const fields = page.locator('.ref-field');
  await fields.first().waitFor();
  expect(await fields.count()).toBeGreaterThan(5);
  const heights = await fields.evaluateAll((all) => all.map((field) => field.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(24);
  const table = page.locator('.ref-fields').first();
  expect(await isCut(table)).toBe(false);
});

test('on Home the lines of each part begin and end where its heading does, and what is cut has a tooltip', async () => {
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' },
  });
  await inspector.sandbox.call('GET', '/me', { key: 'wrong' });
  await control('/control/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.opened'] });
  await control('/control/trigger', { type: 'email.opened', subscriber: { email: 'ada@example.com' } });
  await control('/control/faults', { operation: 'GET /me', delay: '1ms', every: 9 });
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/', { width: 1024, height: 900 });
  const latest = page.getByRole('region', { name: 'Latest requests' });
  const edge = (one: Locator, side: 'left' | 'right'): Promise<number> =>
    one.evaluate((element, wanted) => element.getBoundingClientRect()[wanted], side);
  expect(await edge(latest.locator('.st').first(), 'left')).toBe(await edge(latest.getByRole('heading'), 'left'));
  const wide = latest.locator('.rl', { hasText: 'subscribed to MARKETING' });
  expect(await isCut(wide)).toBe(true);
  expect(await wide.getAttribute('title')).toBe(await wide.textContent());
  const ends = await Promise.all(
    ['Falls due', 'Uploads', 'In effect'].map(async (name) => {
      const part = page.getByRole('region', { name: new RegExp(name) });
      return [
        await edge(part.getByRole('listitem').first(), 'left'),
        await edge(part.getByRole('listitem').first(), 'right'),
      ];
    }),
  );
  expect(new Set(ends.map(String)).size).toBe(1);
});

test('of an offer only the state has the colour of the state', async () => {
  const page = await inspector.open('/offers');
  const second = page.locator('.rec-list .rec-second').first();
  const colorOf = (one: Locator): Promise<string> => one.evaluate((element) => getComputedStyle(element).color);
  const state = second.getByText('ACTIVE', { exact: true });
  expect(await colorOf(state)).not.toBe(await colorOf(second.locator('.rec-cut')));
  expect(await second.textContent()).toBe('ACTIVE · Custom time period');
});
