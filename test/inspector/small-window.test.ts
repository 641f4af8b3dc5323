/** At 1024×700 nothing that a person looks for is cut away: the end of a path, a word of a command, a name. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { product, toFile, variant } from '../catalog/support.ts';
import { startReceiver } from '../delivery/support.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { useCatalog } from './catalog-support.ts';

const inspector = useInspector({ pace: 'manual' });
const small = { width: 1024, height: 700 };
const { saved, upload } = useCatalog(inspector);

const isCut = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
/** In how many lines the parts of something are: those of one line have the same middle. */
const linesOf = (one: Locator): Promise<number> =>
  one.evaluate((element) => {
    const boxes = [...element.children].map((child) => child.getBoundingClientRect());
    return new Set(boxes.map(({ top, height }) => Math.round(top + height / 2))).size;
  });
/** The line keeps its end, and says by a mark that something before it is cut. */
async function expectEnd(line: Locator): Promise<void> {
  await line.waitFor();
  expect(await isCut(line.locator('.tl'))).toBe(false);
  expect(await isCut(line.locator('.hd'))).toBe(true);
}

/** What is cut before its end has room for the mark of it: the width of "…". */
async function expectMark(head: Locator): Promise<void> {
  await expect
    .poll(() =>
      head.evaluate((element) => {
        if (element.scrollWidth <= element.clientWidth) return 'not cut';
        const mark = document.createElement('span');
        mark.textContent = '…';
        element.parentElement?.append(mark);
        const wide = mark.getBoundingClientRect().width;
        mark.remove();
        return element.getBoundingClientRect().width >= wide ? 'cut with a mark' : 'cut without a mark';
      }),
    )
    .toBe('cut with a mark');
}

test('a path that is cut says so by a mark in the narrowest window, on Home and above a request', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/product-catalog/uploads', { json: {} });
  await call('GET', `/a-path/${'with-a-long-end'.repeat(10)}`);
  const page = await inspector.open('/', { width: 400, height: 700 });
  const latest = page.getByRole('region', { name: /^Latest requests/ });
  await expectMark(latest.locator('.path .hd', { hasText: /^\/product-catalog$/ }));
  await goTo(page, '/requests');
  await page.locator('.rowsin > .row', { hasText: 'a-path' }).click();
  await expectMark(page.locator('.dtitle .hd'));
});

test('above a request its path follows the version without a gap', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests', small);
  await page.locator('.rowsin > .row').first().click();
  const [version, path] = [page.locator('.dtitle h1 i'), page.locator('.dtitle h1 .tl')];
  await path.getByText('/me', { exact: true }).waitFor();
  const ends = await version.evaluate((one) => one.getBoundingClientRect().right);
  expect(await path.evaluate((one) => one.getBoundingClientRect().left)).toBeCloseTo(ends, 0);
});

test('when an older request came and how long it took are shown whole', async () => {
  await inspector.sandbox.call('GET', '/me');
  await inspector.sandbox.control('POST', '/control/clock', { advance: '400d' });
  const page = await inspector.open('/requests', small);
  await page.locator('.rowsin > .row').first().click();
  const facts = page.locator('.dmeta');
  const took = facts.getByText(/ ms$/);
  await expectSeen(took);
  const rightOf = (one: Locator): Promise<number> => one.evaluate((element) => element.getBoundingClientRect().right);
  expect(await rightOf(took)).toBeLessThanOrEqual((await rightOf(facts)) + 1);
  expect(await isCut(facts)).toBe(false);
});

test('where a line of a catalog is wrong keeps its last segment, and a path of its requests too', async () => {
  const prices = [{ currencyCode: 'US$', amount: '12.50' }];
  const wrong = product('a', { variants: [variant('a-1', { prices })] });
  const id = await upload(toFile([wrong]));
  await inspector.sandbox.call('GET', `/product-catalog/uploads/${id}`);
  const page = await inspector.open(`/catalog/${id}`, { width: 940, height: 700 });
  const where = page.getByRole('grid', { name: 'Errors by line' }).locator('.cuttext').first();
  await expectEnd(where);
  expect(await where.locator('.tl').textContent()).toBe('/currencyCode');
  await page.getByRole('tab', { name: /^Requests/ }).click();
  const paths = page.getByRole('list', { name: 'Requests about this upload' }).locator('.cuttext');
  await paths.first().waitFor();
  expect(await paths.first().locator('.tl').textContent()).toMatch(/^\/[^/]+$/);
});

test.each([320, 1024])(
  'in a window of %i the refused value of a line is readable beside what its rule says',
  async (width) => {
    const prices = [{ currencyCode: 'US$', amount: '12.50' }];
    const id = await upload(toFile([product('a', { variants: [variant('a-1', { prices })] })]));
    const page = await inspector.open(`/catalog/${id}`, { width, height: 700 });
    const line = page.locator('.cl.at');
    await line.waitFor();
    await expectSeen(line.locator('.note'));
    expect((await line.locator('.ct').boundingBox())?.width).toBeGreaterThan(150);
    expect(
      await page
        .locator('.code.body')
        .first()
        .evaluate((one) => one.scrollWidth - one.clientWidth),
    ).toBe(0);
  },
);

test('the path of an operation in Try it is readable to its end', async () => {
  const page = await inspector.open('/try/getMe', small);
  await expectEnd(page.locator('.try-op .cuttext', { hasText: 'POST /events/ecommerce/add-to-cart' }));
});

test('beside an end that is longer than the line, the host of a receiver is still read', async () => {
  const url = `http://orders.localhost:9/${'a'.repeat(400)}`;
  await inspector.sandbox.call('POST', '/webhooks', { json: { url, events: ['email.opened'] } });
  const page = await inspector.open('/webhooks', small);
  const address = page.locator('.wh-url');
  await expectMark(address.locator('.hd'));
  const shown = await address.evaluate((one) => [
    one.querySelector('.hd')?.getBoundingClientRect().width ?? 0,
    one.getBoundingClientRect().width / 4,
  ]);
  expect(shown[0]).toBeGreaterThan(shown[1] ?? 0);
});

test('long addresses of receivers differ at their ends, in Webhooks, on Home and in Requests', async () => {
  const base = `http://127.0.0.1:9/${'a-long-name-of-a-service/'.repeat(3)}`;
  for (const end of ['orders', 'people'])
    await inspector.sandbox.call('POST', '/webhooks', { json: { url: base + end, events: ['email.opened'] } });
  const page = await inspector.open('/webhooks', small);
  for (const end of ['orders', 'people']) await expectEnd(page.locator('.wh-url', { hasText: end }));
  await goTo(page, '/');
  const receivers = page.getByRole('region', { name: /^Receivers/ });
  for (const end of ['orders', 'people']) await expectEnd(receivers.locator('.url', { hasText: end }));
  // Their tooltips have the whole of what is shown in short.
  const titleOf = (line: Locator): Promise<string | null> => line.locator('.cuttext').getAttribute('title');
  for (const end of ['orders', 'people']) {
    const latest = page.locator('.latest .about', { hasText: end });
    await expectEnd(latest);
    expect(await titleOf(latest)).toBe(base + end);
  }
  expect(await titleOf(page.locator('.latest .path').first())).toMatch(/\/v1\/webhooks$/);
  await goTo(page, '/requests');
  for (const end of ['orders', 'people']) {
    const row = page.locator('.rowsin .about', { hasText: end });
    await expectEnd(row);
    expect(await titleOf(row)).toBe(base + end);
  }
});

test('long names of records differ at their ends', async () => {
  for (const n of [1, 2]) {
    const body = {
      companyId: demoCompany,
      name: `${'a very long name of an offer '.repeat(3)}${n}`,
      window: 'never-expire',
    };
    await inspector.sandbox.control('POST', '/control/offers', body);
  }
  const page = await inspector.open('/offers', small);
  for (const n of [1, 2]) await expectEnd(page.locator('.rec-title', { hasText: `an offer ${n}` }));
});

test('a long name is cut between characters as people see them', async () => {
  const family = '👩‍👩‍👧‍👦';
  const body = { companyId: demoCompany, name: `Summer sale ${family.repeat(20)}`, window: 'never-expire' };
  await inspector.sandbox.control('POST', '/control/offers', body);
  const page = await inspector.open('/offers', small);
  const end = page.locator('.rec-title', { hasText: 'Summer' }).locator('.tl');
  await expectSeen(end);
  expect(await end.textContent()).toBe(family.repeat(8));
});

test('beside the form to fire an event the command breaks in no word, and the filters take two lines at most', async () => {
  const page = await inspector.open('/webhooks?fire=1', small);
  const word = page.locator('.cmdline .word', { hasText: 'http://localhost:3000/hooks' });
  await word.waitFor();
  expect((await word.boundingBox())?.height).toBeLessThan(24);

  const { control } = inspector.sandbox;
  const [receiver, silent] = [await startReceiver(), await startReceiver(() => {})];
  const fire = async (to: string): Promise<string> => {
    const { body } = await control('POST', '/control/trigger', { type: 'email.opened', to });
    return (body as { deliveries: readonly [{ id: string }] }).deliveries[0].id;
  };
  const hook = await control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/', events: ['email.opened'] });
  const { id: dead } = hook.body as { id: string };
  const moves = { pause: await fire(dead), abandon: await fire(dead) };
  for (const [event, id] of Object.entries(moves))
    await control('POST', `/control/records/deliveries/${id}/moves`, { event });
  for (const to of [dead, receiver.url, silent.url]) await fire(to);
  const filters = page.getByRole('group', { name: 'Filter the deliveries' });
  for (const state of ['retrying', 'paused', 'failed', 'delivered', 'delivering'])
    await filters.getByRole('button', { name: new RegExp(`^${state}`) }).waitFor();
  expect(await linesOf(filters)).toBeLessThanOrEqual(2);
});

test('on Home the rule of refusals is whole, also at 200 % zoom of a wide screen', async () => {
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '5555550100' }, signUpSourceId: '1' },
  });
  const page = await inspector.open('/', { width: 1280, height: 720 });
  const rule = page.getByRole('region', { name: /^Refusals/ }).getByRole('link', { name: 'subscriptions.phone-e164' });
  await rule.waitFor();
  expect(await isCut(rule)).toBe(false);
});

test('the list of apps counts apps as the sidebar does', async () => {
  const page = await inspector.open('/apps');
  await page.getByText('1 company, 3 apps', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Apps and keys' }).innerText()).toMatch(/\b3$/);
});

test('the end of a phone in Requests, the tools of a body and a long email of a subscriber are in sight', async () => {
  const email = `${'a-long-name-of-a-person.'.repeat(5)}@example.com`.replace('.@', '@');
  for (const phone of ['+15555550171', '+15555550172'])
    await inspector.sandbox.call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
  await inspector.sandbox.call('POST', '/subscriptions', { json: { user: { email }, signUpSourceId: '100001' } });
  const page = await inspector.open('/requests', small);
  for (const end of ['0171', '0172']) {
    const about = page.locator('.rowsin .about .tl', { hasText: end });
    await about.waitFor();
    expect(await isCut(about)).toBe(false);
  }
  await page.locator('.rowsin .row').first().click();
  const bytes = page.getByRole('region', { name: 'Bytes', exact: true });
  const right = (await bytes.boundingBox().then((box) => (box ? box.x + box.width : 0))) + 1;
  await bytes.scrollIntoViewIfNeeded();
  for (const name of ['Bytes', 'Search in this body', 'Copy the body']) {
    const box = await bytes.getByRole('button', { name, exact: true }).boundingBox();
    expect((box?.x ?? 9_999) + (box?.width ?? 0), name).toBeLessThan(right);
  }
  const user = [...inspector.sandbox.emulator.deps.store.users.all()].find(({ addresses }) =>
    addresses.some(({ value }) => value === email),
  );
  await goTo(page, `/subscribers/${encodeURIComponent(user?.id ?? '')}`);
  const head = page.locator('.sub-who');
  for (const line of [head.locator('h2'), head.locator('code').first()]) {
    await line.waitFor();
    // Narrower than the pane, so that its ellipsis is in sight.
    const [box, whole] = [await line.boundingBox(), await head.boundingBox()];
    expect((box?.x ?? 9_999) + (box?.width ?? 0)).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0));
    expect(await isCut(line)).toBe(true);
  }
});

test('at 400 pixels the id, the acts and the tabs of an upload are in sight', async () => {
  const id = await upload(toFile([product('a')]));
  const page = await inspector.open(`/catalog/${id}`, { width: 400, height: 800 });
  const head = page.locator('.cat-head');
  await page.getByRole('tab', { name: /^Requests/ }).waitFor();
  expect((await head.locator('h2').boundingBox())?.width).toBeGreaterThan(60);
  for (const one of [...(await head.getByRole('button').all()), ...(await page.getByRole('tab').all())]) {
    const box = await one.boundingBox();
    expect((box?.x ?? 9_999) + (box?.width ?? 0), await one.innerText()).toBeLessThanOrEqual(400);
  }
});

test('at 360 pixels a refusal is read without scrolling sideways, also with a fix or a value that is one long word', async () => {
  const page = await inspector.open('/requests', { width: 360, height: 740 });
  for (const json of [{ type: 'Cart' }, { type: 'Cart', user: { phone: 'x'.repeat(300) } }]) {
    const { id } = await (await inspector.sandbox.call('POST', '/events/custom', { json })).exchange();
    await goTo(page, `/requests/${id}`);
    const pane = page.getByRole('region', { name: 'Explanation and bytes' });
    await expectSeen(pane.getByText(/^Refused:/));
    expect(await isCut(pane)).toBe(false);
  }
});

test('at 360 pixels the days of an offer are apart from one another, and a move that nothing else makes says only where it leads', async () => {
  const json = { codes: ['A'], distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2027-03-01T00:00:00Z' };
  await inspector.sandbox.call('POST', '/coupons/coupon-pool/54100/create', { json });
  const page = await inspector.open('/offers/54100', { width: 360, height: 740 });
  await expectSeen(page.getByText('to ERROR', { exact: true }));
  const days = page.locator('.of-tick > span').filter({ visible: true });
  await days.first().waitFor();
  const boxes = await days.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  expect(boxes.length).toBeGreaterThan(1);
  for (const [at, { left }] of boxes.entries()) expect(left).toBeGreaterThanOrEqual(boxes[at - 1]?.right ?? 0);
  const right = await page.locator('.of-line').evaluate((one) => one.getBoundingClientRect().right);
  expect(boxes.at(-1)?.right).toBeLessThanOrEqual(right);
});

test('at 360 pixels the dates that are tried are read, and what is said of them at either end of the days', async () => {
  const json = { codes: ['A'], distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2027-03-01T00:00:00Z' };
  await inspector.sandbox.call('POST', '/coupons/coupon-pool/54100/create', { json });
  const page = await inspector.open('/offers/54100', { width: 360, height: 740 });
  const says = page.locator('.of-tried > span');
  const isRead = async (): Promise<void> => {
    expect(await says.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    const [line, word] = [await page.locator('.of-line').boundingBox(), await says.boundingBox()];
    expect(word?.x).toBeGreaterThanOrEqual(line?.x ?? 0);
    expect((word?.x ?? 0) + (word?.width ?? 0)).toBeLessThanOrEqual((line?.x ?? 0) + (line?.width ?? 0));
  };
  const [start, stop] = [page.getByLabel('Try distributionStart'), page.getByLabel('Try distributionStop')];
  await start.fill('2027-03-10T00:00:00Z');
  await stop.fill('2027-03-17T00:00:00Z');
  await expectSeen(says.getByText('tried'));
  await isRead();
  await start.fill('2026-12-02T00:00:00Z');
  await stop.fill('2026-12-03T00:00:00Z');
  await expectSeen(says.getByText('refused'));
  await isRead();
  for (const date of [start, stop]) expect(await date.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test('at 200 % zoom the section where one is, is in sight in the rail, from a link and after a key', async () => {
  const page = await inspector.open('/settings', { width: 720, height: 450 });
  const rail = page.getByRole('navigation', { name: 'Sections' });
  const isInSight = async (name: string): Promise<boolean> => {
    const [bar, link] = [await rail.boundingBox(), await rail.getByRole('link', { name }).boundingBox()];
    if (!bar || !link) return false;
    return link.y >= bar.y && link.y + link.height <= bar.y + bar.height;
  };
  await expect.poll(() => isInSight('Settings')).toBe(true);
  await goTo(page, '/');
  await expect.poll(() => isInSight('Home')).toBe(true);
  await goTo(page, '/settings');
  await expect.poll(() => isInSight('Settings')).toBe(true);
});

test('a long name that is written from right to left keeps its beginning', async () => {
  const name = 'عرض الخريف الكبير لجميع المشتركين '.repeat(5).trim();
  const made = await inspector.sandbox.control('POST', '/control/offers', {
    companyId: demoCompany,
    name,
    window: 'never-expire',
  });
  const page = await inspector.open(`/offers/${(made.body as { id: string }).id}`, small);
  const heading = page.getByRole('heading', { name });
  await heading.waitFor();
  /** Whether its first letter is inside of it; what is cut is outside. */
  const showsBeginning = (element: Element): boolean => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const text = texts.nextNode();
    if (!text) return false;
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, 1);
    const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return letter.left >= box.left - 1 && letter.right <= box.right + 1;
  };
  expect(await isCut(heading)).toBe(true);
  expect(await heading.evaluate(showsBeginning)).toBe(true);
  expect(await page.locator('.rec-title', { hasText: 'عرض' }).evaluate(showsBeginning)).toBe(true);
});

const narrow = { width: 360, height: 780 };
const heightOf = (one: Locator): Promise<number> => one.evaluate((element) => element.getBoundingClientRect().height);
const middleOf = (one: Locator): Promise<number> =>
  one.evaluate((element) => {
    const { top, height } = element.getBoundingClientRect();
    return Math.round(top + height / 2);
  });

test('in the narrowest window Home shows the base URL and the key whole, on both of its pages', async () => {
  const page = await inspector.open('/', narrow);
  for (const text of [inspector.sandbox.emulator.apiUrl, 'sandpiper-demo-key']) {
    const shown = page.locator('.point code', { hasText: text });
    await shown.waitFor();
    expect(await isCut(shown)).toBe(false);
    expect(await heightOf(shown)).toBeLessThan(28);
  }
  await inspector.sandbox.call('GET', '/me');
  await page.getByRole('button', { name: 'Show the overview instead' }).click();
  for (const [name, text] of [
    ['Copy the base URL', inspector.sandbox.emulator.apiUrl],
    ['Copy the API key', 'sandpiper-demo-key'],
  ] as const) {
    const shown = page.locator('.point code', { hasText: text });
    await shown.waitFor();
    expect(await heightOf(shown)).toBeLessThan(28);
    expect(await middleOf(page.getByRole('button', { name }))).toBe(await middleOf(shown));
  }
});

test('in the narrowest window no phone number is broken in a table, and none is cut among a person’s identities', async () => {
  const { call, control } = inspector.sandbox;
  const user = { phone: '+15555551300', email: 'tables@example.com' };
  await call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await call('POST', '/attributes/custom', { json: { user, properties: { 'favorite color': 'blue' } } });
  await call('POST', '/privacy/delete-request', { json: { subscriberPhone: user.phone } });
  const first = async (kind: string): Promise<string> => {
    const { body } = await control('GET', `/control/records/${kind}`);
    return (body as { records: readonly [{ id: string }] }).records[0].id;
  };
  const [attribute, deletion] = [await first('attribute-definitions'), await first('privacy-requests')];
  const page = await inspector.open('/sign-up-units/100001', narrow);
  const phone = page.locator('.rec-table').getByRole('link', { name: user.phone }).first();
  for (const view of ['/sign-up-units/100001', `/attributes/${attribute}`, `/privacy/${deletion}`]) {
    await goTo(page, view);
    await phone.waitFor();
    expect(await heightOf(phone), view).toBeLessThan(24);
  }
  await goTo(page, '/subscribers?q=1300');
  await page.getByText('+1 555 555 1300').first().click();
  const identities = page.getByRole('region', { name: 'Identities' });
  for (const value of Object.values(user)) {
    const shown = identities.locator('code', { hasText: value });
    await shown.waitFor();
    expect(await isCut(shown)).toBe(false);
  }
});

test('in the narrowest window the scopes of an app are read without scrolling sideways', async () => {
  const page = await inspector.open('/apps', narrow);
  await page.getByText('Demo app', { exact: true }).click();
  const scopes = page.getByRole('region', { name: 'Scopes' });
  const first = scopes.getByText('subscriptions:write', { exact: true });
  await first.waitFor();
  expect(await isCut(scopes.locator('.app-scroll'))).toBe(false);
  await expectSeen(scopes.getByText('POST /subscriptions/unsubscribe'));
});

test.each([narrow, { width: 320, height: 256 }])(
  'at $width pixels Revoke and the people of a sign-up unit are in sight without scrolling sideways',
  async (size) => {
    await inspector.sandbox.call('GET', '/me');
    await inspector.sandbox.emulator.deps.clock.advance(600_000);
    const page = await inspector.open('/apps', size);
    await page.getByText('Demo app', { exact: true }).click();
    await page.locator('.app-keys').getByRole('link', { name: '10 m ago' }).waitFor();
    const revoke = page.getByRole('button', { name: 'Revoke' });
    await expectSeen(revoke);
    expect(await isCut(page.locator('.app-scroll', { has: revoke }))).toBe(false);
    const user = { phone: '+15555551300' };
    await inspector.sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
    await goTo(page, '/sign-up-units/100001');
    const person = page.locator('.rec-table').getByRole('link', { name: user.phone });
    await expectSeen(person);
    expect(await isCut(page.locator('.rec-scroll', { has: person }))).toBe(false);
  },
);

test.each([
  ['54100', 320],
  ['54102', 320],
  ['54100', 500],
])(
  'the coupon pools of offer %s are read without scrolling sideways at %i pixels, and “now” is one word',
  async (id, width) => {
    const dates = { distributionStart: '2020-12-01T00:00:00Z', distributionStop: '2037-12-01T00:00:00Z' };
    const json = { codes: ['A'], ...(id === '54100' ? dates : {}) };
    await inspector.sandbox.call('POST', `/coupons/coupon-pool/${id}/create`, { json });
    const page = await inspector.open(`/offers/${id}`, { width, height: 740 });
    const now = page.locator('.rec-table .of-now');
    await now.waitFor();
    expect(await isCut(page.locator('.rec-scroll', { has: now }))).toBe(false);
    expect(await heightOf(now)).toBeLessThan(24);
  },
);

test('at 320 pixels the head of the screens is whole, and a hint that is cut ends with a mark', async () => {
  const page = await inspector.open('/subscribers', { width: 320, height: 568 });
  const field = page.getByRole('textbox').first();
  expect(await field.evaluate((one) => getComputedStyle(one).textOverflow)).toBe('ellipsis');
  await page.locator('.rowsin > .row').first().click();
  await page.getByRole('button', { name: 'Screens' }).click();
  const head = page.getByRole('heading', { name: 'Screens' });
  await head.waitFor();
  expect(await isCut(head)).toBe(false);
});

test('a smallest fix of several lines begins beside its label', async () => {
  const answer = await inspector.sandbox.call('POST', '/events/custom', {
    raw: 'x',
    headers: { 'content-type': 'text/html' },
  });
  const page = await inspector.open(`/requests/${(await answer.exchange()).id}`, { width: 400, height: 740 });
  const label = page.locator('.fix .lbl', { hasText: 'Smallest fix' });
  await label.waitFor();
  const topOf = (one: Locator): Promise<number> => one.evaluate((element) => element.getBoundingClientRect().top);
  expect(await heightOf(label.locator('span').first())).toBeGreaterThan(24);
  expect(await topOf(label.locator('span').first())).toBeCloseTo(await topOf(label.locator('h2')), 0);
});

test('in a narrow window the name and the id of a variant are read in a line', async () => {
  await saved(toFile([product('a', { variants: [variant('shirt-1-small')] })]));
  const page = await inspector.open('/catalog?show=products', narrow);
  await page.locator('.paged-list .row').first().click();
  const table = page.getByRole('region', { name: 'Variants' });
  for (const shown of [table.getByText('Small', { exact: true }), table.getByText('shirt-1-small')])
    expect(await heightOf(shown)).toBeLessThan(40);
});

test('in the narrowest window what an event type means is below its name', async () => {
  const page = await inspector.open('/webhooks', narrow);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const line = page.getByRole('group', { name: 'Event types' }).locator('label', { hasText: 'sms.message_link_click' });
  const name = await line.locator('code').boundingBox();
  const meaning = await line.locator('small').boundingBox();
  expect(meaning?.y).toBeGreaterThanOrEqual((name?.y ?? 0) + (name?.height ?? 0));
  expect(await heightOf(line.locator('small'))).toBeLessThan(24);
});

test('in the narrowest window each scope of an app has one line above it, over its whole width', async () => {
  const page = await inspector.open('/apps', { width: 360, height: 740 });
  await page.getByRole('grid', { name: 'Apps and keys' }).getByText('Demo app').click();
  const scopes = page.locator('.scopes tbody tr + tr');
  await scopes.first().waitFor();
  const borders = (some: Locator): Promise<readonly string[]> =>
    some.evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).borderTopWidth))]);
  expect(await borders(scopes)).toEqual(['1px']);
  expect(await borders(scopes.locator('> *'))).toEqual(['0px']);
});

test('in a narrow window the acts of a record are in one line', async () => {
  const page = await inspector.open('/sign-up-units/100001', { width: 390, height: 800 });
  const head = page.locator('.rec-head');
  const [edit, more] = [head.getByRole('button', { name: 'Edit' }), head.getByRole('button', { name: 'More' })];
  await expectSeen(more);
  expect(await middleOf(more)).toBe(await middleOf(edit));
});

test.each(['/apps', '/catalog', '/try/getMe'])(
  'in the narrowest window %s leads back to its list in the same place',
  async (path) => {
    await upload(toFile([product('a')]));
    const page = await inspector.open(path, { width: 360, height: 740 });
    if (!path.startsWith('/try')) await page.locator('.rowsin > .row').last().click();
    const back = page.locator('.backbar').getByRole('button');
    await back.waitFor();
    const box = await back.boundingBox();
    expect([box?.x, box?.y]).toEqual([57, 47]);
  },
);

test('in the narrowest window a request has its path, and below it what it was about and when', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/product-catalog/uploads', { json: {} });
  await call('POST', '/subscriptions', { json: { user: { phone: 'none' }, signUpSourceId: '100001' } });
  const page = await inspector.open('/requests', { width: 360, height: 740 });
  for (const [path, below] of [
    ['/product-catalog/uploads', '.about'],
    ['/subscriptions', '.what'],
  ] as const) {
    const row = page.locator('.rowsin > .row', { hasText: path });
    const [req, second, time] = [row.locator('.path'), row.locator(below), row.locator('time')];
    await expectSeen(second);
    for (const part of await req.locator('span').all()) expect(await isCut(part)).toBe(false);
    const topOf = async (one: Locator): Promise<number> => (await one.boundingBox())?.y ?? 0;
    expect(await topOf(second)).toBeGreaterThan((await topOf(req)) + 10);
    expect(await isCut(time)).toBe(false);
  }
});

test('in the narrowest window the banner of an earlier moment says which, and what can be done about it', async () => {
  await inspector.sandbox.call('GET', '/me');
  await inspector.sandbox.control('POST', '/control/clock', { advance: '2d' });
  const page = await inspector.open('/timeline', { width: 360, height: 740 });
  const scrubber = page.getByRole('slider', { name: 'Moment to look at' });
  await scrubber.focus();
  await page.keyboard.press('PageDown');
  const banner = page.getByRole('region', { name: 'Looking back' });
  const says = banner.getByText(/^Looking back at/);
  await expectSeen(says);
  expect(await isCut(banner.locator('p'))).toBe(false);
  for (const act of ['Return to now', 'Fork here', 'Go back here']) {
    const box = await banner.getByRole('button', { name: act }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), act).toBeLessThanOrEqual(360);
  }
});

test('in the narrowest window the welcome says whose each other key is, and what it may do', async () => {
  const page = await inspector.open('/', { width: 360, height: 740 });
  const keys = page.getByRole('list', { name: 'Other keys of the demo world' });
  const owner = keys.getByText('Read-only app, 3 scopes', { exact: true });
  await expectSeen(owner);
  expect(await isCut(owner)).toBe(false);
  expect(await isCut(keys.getByText('sandpiper-readonly-key', { exact: true }))).toBe(false);
});

test.each([
  ['/requests', 'Requests, newest first'],
  ['/timeline', 'Timeline, newest first'],
])(
  'in the narrowest window Escape, or a button, leads from a detail of %s back to the place in its list',
  async (path, name) => {
    for (let at = 0; at < 60; at += 1) await inspector.sandbox.call('GET', `/me?at=${at}`);
    const page = await inspector.open(path, { width: 360, height: 740 });
    const list = page.getByRole('grid', { name });
    const chosen = list.locator('.row[aria-rowindex="27"]');
    const scroll = (): Promise<void> => list.evaluate((box) => box.scrollTo({ top: 1_000 }));
    await expect.poll(() => scroll().then(() => chosen.count())).toBe(1);
    const detail = page.locator('.detailpane');
    for (const leave of [
      () => detail.getByRole('button', { name: /^(?:Back to the list|Timeline)$/ }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      await chosen.click({ position: { x: 290, y: 34 } });
      await expectGone(list);
      await detail.locator('.tdetail, .dscroll').focus();
      await leave();
      await expect.poll(() => list.evaluate((box) => box === document.activeElement)).toBe(true);
      expect(await list.evaluate((box) => box.scrollTop)).toBe(1_000);
    }
  },
);

test.each([
  ['/requests', 'Requests, newest first'],
  ['/timeline', 'Timeline, newest first'],
])('the first row of %s stays when a narrower window makes the rows higher', async (path, name) => {
  for (let at = 0; at < 60; at += 1) await inspector.sandbox.call('GET', `/me?at=${at}`);
  const page = await inspector.open(path, { width: 720, height: 740 });
  const list = page.getByRole('grid', { name });
  await list.evaluate((box) => box.scrollTo({ top: 600 }));
  const first = (): Promise<string | null | undefined> =>
    list.evaluate((box) => {
      const top = box.getBoundingClientRect().top;
      const rows = [...box.querySelectorAll('.row')].map((row) => ({ row, box: row.getBoundingClientRect() }));
      return rows.find((one) => one.box.top >= top - 1)?.row.getAttribute('aria-rowindex');
    });
  await expect.poll(first).toBe('22');
  await page.setViewportSize({ width: 360, height: 740 });
  await expect
    .poll(() =>
      list
        .locator('.row')
        .first()
        .evaluate((row) => row.clientHeight),
    )
    .toBe(46);
  await expect.poll(first).toBe('22');
});

test.each([
  ['/catalog', 'Send the file again'],
  ['/subscribers', 'Send a message'],
])('%s shows what is newest beside its list, and only the list in a window too narrow for both', async (path, act) => {
  await upload(toFile([product('a')]));
  const page = await inspector.open(path, { width: 720, height: 740 });
  const [list, detail] = [page.locator('.listpane .row').first(), page.getByRole('button', { name: act })];
  await expectSeen(list);
  await page.setViewportSize({ width: 1200, height: 740 });
  await expectSeen(detail);
  await page.setViewportSize({ width: 720, height: 740 });
  await expectGone(detail);
  await expectSeen(list);
});
