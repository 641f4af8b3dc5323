/** At 400 % zoom of a usual screen the window is 320 pixels wide and 256 high: names, states and acts are still in sight. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { useRealTimeAfterEach } from '../support/frame.ts';

const inspector = useInspector({ pace: 'realistic' });
useRealTimeAfterEach(inspector);
const zoomed = { width: 320, height: 256 };

async function expectBetween(one: Locator, leastWidth: number): Promise<void> {
  await expectSeen(one);
  const box = await one.boundingBox();
  expect(box?.width).toBeGreaterThan(leastWidth);
  expect((box?.x ?? 9_999) + (box?.width ?? 0)).toBeLessThanOrEqual(zoomed.width);
}
/** Text alone is drawn twice as large, as some browsers do it: nothing else grows. */
const enlargeText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const names = ['micro', 'small', 'base', 'lead', 'code'].flatMap((name) => [`--fs-${name}`, `--lh-${name}`]);
    const sizes = [...names, '--lh-prose'].map((name) => {
      const value = Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue(name));
      return `${name}: ${2 * value}px;`;
    });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:root { ${sizes.join(' ')} }`);
    document.adoptedStyleSheets = [sheet];
  });
/** Parts of the view that scroll sideways, except tables of facts, which scroll by themselves. */
const sideways = (page: Page): Promise<readonly string[]> =>
  page.locator('.main').evaluate((main) =>
    [main, ...main.querySelectorAll('*:not(.app-scroll)')].flatMap((one) => {
      const scrolls = /auto|scroll/.test(getComputedStyle(one).overflowX);
      return scrolls && one.scrollWidth > one.clientWidth + 1 ? [one.className] : [];
    }),
  );

test('Home names the rule that refused and the receiver, with what can be done about them', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/orders', events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  await call('POST', '/subscriptions', { json: { user: { phone: '5555550100' }, signUpSourceId: '1' } });
  const page = await inspector.open('/', zoomed);
  await expectBetween(page.getByRole('link', { name: 'subscriptions.phone-e164', exact: true }), 100);
  await expectBetween(page.getByRole('link', { name: 'Open newest' }), 60);
  await expectBetween(page.getByRole('region', { name: /^Receivers/ }).getByRole('link', { name: /orders/ }), 100);
  await expectBetween(page.getByRole('link', { name: /^See the/ }), 60);
  expect(await sideways(page)).toEqual([]);
});

test('the pace and how many deliveries wait are in the status bar', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/orders', events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  const page = await inspector.open('/', zoomed);
  const bar = page.locator('.statusbar');
  await expectBetween(bar.getByRole('button', { name: 'pace realistic' }), 60);
  await expectBetween(bar.getByRole('link', { name: /deliveries\s+1\s+waiting/ }), 40);
});

test('the key of an app is not one letter per line, and only its tables scroll sideways', async () => {
  const app = [...inspector.sandbox.emulator.deps.store.apps.all()][0];
  const page = await inspector.open(`/apps/${app?.id}`, zoomed);
  const key = page.locator('.app-keys code').first();
  await expectBetween(key, 60);
  expect((await key.boundingBox())?.height).toBeLessThan(24);
  expect(await sideways(page)).toEqual([]);
});

test.each(['timeline', 'requests', 'catalog'])('the list of %s has room, and is reached by scrolling', async (path) => {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open(`/${path}`, zoomed);
  const row = page.locator('.listpane .rowsin > .row').first();
  await expectSeen(row);
  await row.scrollIntoViewIfNeeded();
  const [box, list] = [await row.boundingBox(), await page.locator('.listpane').boundingBox()];
  expect((box?.y ?? 9_999) + 20).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0));
});

test('the end of the path of a refused request, and the head of Settings, are in sight', async () => {
  const answer = await inspector.sandbox.call('POST', '/subscriptions', { json: {} });
  const page = await inspector.open(`/requests/${(await answer.exchange()).id}`, zoomed);
  await expectBetween(page.locator('.dtitle .tl', { hasText: '/subscriptions' }), 90);
  await goTo(page, '/settings');
  await expectBetween(page.getByRole('heading', { name: 'Settings' }), 40);
  await expectBetween(page.getByRole('textbox', { name: 'Search settings' }), 40);
});

test('the limits of Faults do not scroll sideways', async () => {
  const page = await inspector.open('/faults', zoomed);
  await expectSeen(page.getByRole('region', { name: 'Rate limits' }));
  expect(await sideways(page)).toEqual([]);
});

test('in a low window the webhooks have room, and are reached by scrolling', async () => {
  await inspector.sandbox.call('POST', '/webhooks', {
    json: { url: 'http://127.0.0.1:9/orders', events: ['sms.sent'] },
  });
  const page = await inspector.open('/webhooks', { width: 320, height: 200 });
  await expectSeen(page.locator('.wh-endpoint'));
  expect((await page.locator('.wh-side').boundingBox())?.height).toBeGreaterThan(100);
  const receiver = page.getByRole('button', { name: /^Built-in receiver/ });
  await receiver.scrollIntoViewIfNeeded();
  const [box, pane] = [await receiver.boundingBox(), await page.locator('.listpane').boundingBox()];
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual((pane?.y ?? 0) + (pane?.height ?? 0) + 1);
});

test('with text alone at 200 % no section of the sidebar covers another one, and the steps of the clock are read', async () => {
  const page = await inspector.open('/requests', { width: 1280, height: 800 });
  await enlargeText(page);
  const words = await page
    .locator('.nav > span')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  expect(words.length).toBeGreaterThan(10);
  for (const [at, { top }] of words.entries()) expect(top).toBeGreaterThanOrEqual(words[at - 1]?.bottom ?? 0);
  const steps = page.locator('.advance .seg');
  expect(await steps.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
});

test.each([
  { path: 'requests', width: 1280 },
  { path: 'requests', width: 640 },
  { path: 'timeline', width: 1280 },
  { path: 'timeline', width: 640 },
  { path: 'subscribers', width: 1280 },
])('with text alone at 200 % no row of $path covers another one in a window of $width', async ({ path, width }) => {
  const { call } = inspector.sandbox;
  for (const unit of ['100001', '100001', '1'])
    await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: unit } });
  const page = await inspector.open(`/${path}`, { width, height: 800 });
  const rows = page.locator('.listpane .rowsin > .row');
  await expectSeen(rows.nth(2));
  await enlargeText(page);
  /** Cells that are higher than their row, once the rows have followed the text. */
  const tooHigh = (): Promise<number> =>
    rows.evaluateAll((all) => {
      const cells = all.flatMap((row) => [...row.querySelectorAll(':scope > :not(.fold)')].map((cell) => [row, cell]));
      return cells.filter(([row, cell]) => {
        const [of, within] = [cell?.getBoundingClientRect(), row?.getBoundingClientRect()];
        return of && within && of.height > 0 && (of.top < within.top - 1 || of.bottom > within.bottom + 1);
      }).length;
    });
  await expect
    .poll(() =>
      rows
        .first()
        .boundingBox()
        .then((box) => box?.height),
    )
    .toBeGreaterThanOrEqual(60);
  await expect.poll(tooHigh).toBe(0);
  const [first, second] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()];
  expect((first?.y ?? 0) + (first?.height ?? 0)).toBeCloseTo(second?.y ?? 0, 0);
});

test('with text alone at 200 % chips of the filter, heads of columns and buttons hold their words', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests', { width: 1280, height: 800 });
  await expectSeen(page.locator('.rowsin > .row').first());
  await enlargeText(page);
  for (const box of ['.togglechip', '.colhead', '.find', '.statusbar'])
    expect(
      await page
        .locator(box)
        .first()
        .evaluate((one) => one.scrollHeight - one.clientHeight),
      box,
    ).toBe(0);
  await goTo(page, '/webhooks');
  const button = page.locator('.viewhead .btn').first();
  await expectSeen(button);
  expect(await button.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
});

test('with text alone at 200 % the times of the timeline are whole, and a sentence has lines that do not touch', async () => {
  await inspector.sandbox.call('POST', '/subscriptions', { json: {} });
  const page = await inspector.open('/timeline', { width: 1280, height: 800 });
  await page.locator('.ev').first().click();
  await enlargeText(page);
  const heading = page.locator('.tdetail h2');
  await expectSeen(heading);
  const [size, line] = await heading.evaluate((one) => {
    const { fontSize, lineHeight } = getComputedStyle(one);
    return [Number.parseFloat(fontSize), Number.parseFloat(lineHeight)] as const;
  });
  expect(line).toBeGreaterThan(size);
  const cut = (): Promise<number> =>
    page.locator('.ev > time').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  await expect.poll(cut).toBe(0);
});

/** Of what is shown of these, what is cut or runs out of its box, and what covers another one. */
const crowded = (page: Page, selector: string): Promise<readonly string[]> =>
  page.locator(selector).evaluateAll((all) => {
    const shown = all.filter((one) => one.checkVisibility() && one.textContent.trim() !== '');
    const boxes = shown.map((one) => one.getBoundingClientRect());
    return shown.flatMap((one, at) => {
      const [name, box] = [one.textContent.trim(), boxes[at]];
      const isCut = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
      const covers = boxes.slice(at + 1).some((other) => {
        const [wide, high] = [
          Math.min(other.right, box?.right ?? 0) - Math.max(other.left, box?.left ?? 0),
          Math.min(other.bottom, box?.bottom ?? 0) - Math.max(other.top, box?.top ?? 0),
        ];
        return wide > 1 && high > 1;
      });
      return [...(isCut && one.clientWidth > 0 ? [`${name} is cut`] : []), ...(covers ? [`${name} covers`] : [])];
    });
  });

test('with text alone at 200 % subscriptions, receivers, dates, times and commands are whole and beside one another', async () => {
  const { call, emulator } = inspector.sandbox;
  await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/orders', events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  const person = [...emulator.deps.store.users.all()][0];
  const page = await inspector.open('/', { width: 1280, height: 900 });
  await enlargeText(page);
  for (const [path, selector] of [
    [`/subscribers/${encodeURIComponent(person?.id ?? '')}`, '.sub-sub > *'],
    ['/offers/54100', '.of-tick > span'],
    ['/offers/54100', '.of-lane > b'],
    ['/requests', '.rowsin > .row > .age'],
    ['/timeline', '.tdetail dd'],
    ['/webhooks', '.wh-rows .row .dstate'],
    ['/settings', '.set-same .cmdline > span'],
    ['/', '.ck-sec li:has(> .how) > *'],
  ] as const) {
    if (path === '/') await page.setViewportSize({ width: 800, height: 900 });
    await goTo(page, path);
    await page.locator(selector).first().waitFor({ state: 'attached' });
    await expect.poll(() => crowded(page, selector), { message: selector }).toEqual([]);
  }
});

test('with text alone at 200 % the acts in the heads of views are whole, and beside one another', async () => {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/catalog', { width: 1280, height: 800 });
  await enlargeText(page);
  for (const path of ['/catalog', '/subscribers', '/reference'])
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await goTo(page, path);
      await page.getByRole('grid').getByRole('row').first().click();
      const acts = '.viewhead > :is(h1:not(.offscreen), button, .seg)';
      await expect.poll(() => crowded(page, acts), { message: `${path} ${width}` }).toEqual([]);
      const out = await page
        .locator('.viewhead')
        .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
      expect(Math.max(...out), `${path} ${width}`).toBeLessThanOrEqual(0);
    }
});

test('with text alone at 200 % the moves of a record are a list, whose buttons hold their words', async () => {
  const page = await inspector.open('/offers', { width: 1280, height: 800 });
  await page.getByRole('grid').getByRole('row').first().click();
  await expectSeen(page.locator('.dg-map'));
  await enlargeText(page);
  await expectGone(page.locator('.dg-map'));
  const moves = page.getByRole('list', { name: 'Moves' }).getByRole('button');
  await expectSeen(moves.first());
  const room = await moves.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
  expect(room.filter((one) => one > 0)).toEqual([]);
});

test('with text alone at 200 % the head of the phone is whole', async () => {
  await inspector.sandbox.control('POST', '/control/clock', { advance: '1d' });
  const page = await inspector.open('/subscribers', { width: 1440, height: 900 });
  await page.getByRole('grid').getByRole('row').first().click();
  await expectSeen(page.locator('.sub-phhead b'));
  await enlargeText(page);
  const name = page.locator('.sub-phhead b');
  expect(await name.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(0);
  const bar = page.locator('.sub-phbar');
  expect(await bar.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  const words = await bar.locator('span').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  for (const [at, box] of (words as DOMRect[]).entries())
    for (const other of (words as DOMRect[]).slice(at + 1))
      expect(other.left >= box.right || other.top >= box.bottom).toBe(true);
});

test.each([420, 800, 1280])(
  'with text alone at 200 % the time is beside the acts of the clock in a window of %i, not under them',
  async (width) => {
    await inspector.sandbox.control('POST', '/control/clock', { advance: '1d' });
    const page = await inspector.open('/', { width, height: 800 });
    await enlargeText(page);
    const [time, acts] = [page.locator('.clocknow time'), page.locator('.advance')];
    await expectSeen(time);
    const [left, right] = [await time.boundingBox(), await acts.boundingBox()];
    expect((left?.x ?? 9_999) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);
    expect((right?.x ?? 9_999) + (right?.width ?? 0)).toBeLessThanOrEqual(width);
  },
);

test('with text alone at 200 % the title in the head of an app is whole, and its acts are below it', async () => {
  const page = await inspector.open('/apps', { width: 1280, height: 800 });
  await page.locator('.listpane .row').last().click();
  await expectSeen(page.locator('.rec-head h2'));
  await enlargeText(page);
  expect(await crowded(page, '.rec-line > *')).toEqual([]);
});

test('with text alone at 200 % the title of a sorted column does not touch its arrow', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests', { width: 1280, height: 800 });
  await enlargeText(page);
  const sorted = page.locator('.col:not([aria-sort="none"]) > button');
  const [title, arrow] = [await sorted.locator('> span').boundingBox(), await sorted.locator('> .ic').boundingBox()];
  expect((arrow?.x ?? 0) - (title?.x ?? 0) - (title?.width ?? 0)).toBeGreaterThan(4);
});

test('with text alone at 200 % the acts of a banner are below what it says, where a window of 420 leaves them no room', async () => {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const page = await inspector.open('/', { width: 420, height: 800 });
  await enlargeText(page);
  const banner = page.locator('.banner', { hasText: 'The clock is frozen' });
  await expectSeen(banner);
  const [says, act] = [
    await banner.locator('> span').boundingBox(),
    await banner.getByRole('button').first().boundingBox(),
  ];
  expect(says?.width).toBeGreaterThan(240);
  expect(act?.y).toBeGreaterThanOrEqual((says?.y ?? 9_999) + (says?.height ?? 0));
});

test('with text alone at 200 % a toast is above the clock bar, also where that has two lines', async () => {
  const page = await inspector.open('/', { width: 420, height: 800 });
  await enlargeText(page);
  await page.getByRole('button', { name: 'Freeze the clock' }).click();
  const toast = page.locator('.toast');
  await expectSeen(toast);
  const [box, bar] = [await toast.boundingBox(), await page.locator('.clockbar').boundingBox()];
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
});

const small = { width: 1024, height: 600 };
/** How far a part reaches beyond the view, at its right and at its end. */
const beyond = (part: Locator): Promise<readonly number[]> =>
  part.evaluate((one) => {
    const [box, view] = [one.getBoundingClientRect(), document.querySelector('.main')?.getBoundingClientRect()];
    return [box.right, box.bottom].map((edge, at) => Math.max(0, edge - ([view?.right, view?.bottom][at] ?? 0)));
  });

test.each(['/webhooks?panel=fire', '/subscribers'])(
  'with text alone twice as large the three panes of %s are whole in a window of 1121, and no section covers its count',
  async (path) => {
    const page = await inspector.open(path, { ...small, width: 1121 });
    if (path === '/subscribers') await page.locator('.rowsin > .row').first().click();
    const side = page.locator('.sidepane');
    await expectSeen(side);
    await enlargeText(page);
    await expect.poll(() => beyond(side)).toEqual([0, 0]);
    const counted = page.locator('.nav', { hasText: 'Subscribers' });
    const ends = await counted.locator('> span').evaluate((one) => {
      const words = document.createRange();
      words.selectNodeContents(one);
      return words.getBoundingClientRect().right;
    });
    expect(ends).toBeLessThanOrEqual((await counted.locator('em').boundingBox())?.x ?? 0);
  },
);

test('with text alone at 200 % in a low window the wheel reaches the uploads, and what runs a GraphQL query', async () => {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/catalog', small);
  await enlargeText(page);
  const upload = page.locator('.listpane .rowsin > .row').first();
  await page.locator('.cat-drop').hover();
  await page.mouse.wheel(0, -10_000);
  await expect
    .poll(async () => (await page.locator('.listpane .rows').boundingBox())?.height ?? 0)
    .toBeGreaterThan(100);
  await upload.click();
  await goTo(page, '/try/graphql');
  await expectSeen(page.locator('.try-varbox .cm-content'));
  await page.locator('.try-graphkey').hover();
  await page.mouse.wheel(0, 10_000);
  await expect.poll(() => beyond(page.getByRole('button', { name: /^Run/ }))).toEqual([0, 0]);
});

test('with text alone at 200 % the acts of an entry of the timeline are whole', async () => {
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' },
  });
  const page = await inspector.open('/timeline', small);
  await enlargeText(page);
  await page.locator('.listpane .row time').first().click();
  const only = page.getByRole('button', { name: 'Only this and what followed' });
  await only.scrollIntoViewIfNeeded();
  expect((await beyond(only))[0]).toBe(0);
});

test('with text alone at 200 % the state of an upload on Home is whole', async () => {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/', small);
  await enlargeText(page);
  const state = page.getByRole('region', { name: /^Uploads/ }).getByText('initialized');
  await state.scrollIntoViewIfNeeded();
  expect((await beyond(state))[0]).toBe(0);
});

test('with text alone at 200 % a person is told from another one by the end of the phone, and a delivery by its event', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/orders', events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  const page = await inspector.open('/subscribers', small);
  await enlargeText(page);
  const end = page.getByRole('grid', { name: 'People, newest first' }).getByText('0123', { exact: true });
  await expectSeen(end);
  expect(await end.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  await goTo(page, '/webhooks?panel=fire');
  const event = page.locator('.wh-rows code').first();
  await expectSeen(event);
  expect((await event.boundingBox())?.width).toBeGreaterThan(80);
});

test('with text alone at 200 % when a request came and how long it took are whole above it', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests', { width: 1440, height: 900 });
  await page.locator('.listpane .rowsin > .row').first().click();
  await enlargeText(page);
  const facts = page.locator('.dmeta');
  const took = facts.getByText(/ ms$/);
  const rightOf = (one: Locator): Promise<number> => one.evaluate((element) => element.getBoundingClientRect().right);
  expect(await rightOf(took)).toBeLessThanOrEqual((await rightOf(facts)) + 1);
});

test('all quick filters of the requests are in sight, also with text alone at 200 % or in a narrow window', async () => {
  const page = await inspector.open('/requests', { width: 420, height: 700 });
  const last = page.getByRole('button', { name: /^Pinned/ });
  const isUnderMouse = (): Promise<boolean> =>
    last.evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  await expect.poll(isUnderMouse).toBe(true);
  await page.setViewportSize(small);
  await enlargeText(page);
  await expect.poll(isUnderMouse).toBe(true);
});

test.each(['/reference', '/sign-up-units'])(
  'with text alone at 200 % the method and the end of each name in the list of %s are whole, above its second line',
  async (path) => {
    const page = await inspector.open(path, small);
    const names = page.locator('.rec-list .rec-title');
    await expectSeen(names.nth(3));
    await enlargeText(page);
    await page.setViewportSize({ ...small, height: 3_000 });
    await expect.poll(() => names.count()).toBeGreaterThan(path === '/reference' ? 15 : 3);
    const wrong = (): Promise<readonly string[]> =>
      names.evaluateAll((all) =>
        all.flatMap((name) => {
          const ends = [...name.querySelectorAll('.whole, .tl')];
          const isCut = ends.some((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight);
          const second = name.parentElement?.querySelector('.rec-second')?.getBoundingClientRect().top ?? 0;
          const isOver = ends.some((one) => one.getBoundingClientRect().bottom > second + 1);
          return isCut || isOver ? [name.textContent] : [];
        }),
      );
    await expect.poll(wrong).toEqual([]);
  },
);

test('with text alone at 200 % the name of a page of the reference is whole, and a cut id of an upload says so', async () => {
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/reference', small);
  await enlargeText(page);
  const name = page.locator('.rec-title', { hasText: /^POST ?\/webhooks$/ });
  await expectSeen(name);
  const cutBy = (): Promise<number> =>
    name.evaluate((one) =>
      Math.max(...[...one.querySelectorAll('span:not(.offscreen)')].map((part) => part.scrollWidth - part.clientWidth)),
    );
  await expect.poll(cutBy).toBeLessThanOrEqual(0);
  await goTo(page, '/catalog');
  const id = page.locator('.cat-head h2 .idtext');
  await expectSeen(id);
  expect(await id.evaluate((one) => [one.scrollWidth > one.clientWidth, getComputedStyle(one).textOverflow])).toEqual([
    true,
    'ellipsis',
  ]);
});

test('with text alone at 200 % when the latest requests on Home came is whole', async () => {
  await inspector.sandbox.call('GET', '/me');
  await inspector.sandbox.emulator.deps.clock.advance(25_000);
  const page = await inspector.open('/', { width: 1440, height: 900 });
  await enlargeText(page);
  const came = page
    .getByRole('region', { name: /^Latest requests/ })
    .locator('time')
    .first();
  await expectSeen(came);
  expect(await came.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
});

test('with text alone at 200 % the state of an upload, the method of an operation and what the receiver does are whole', async () => {
  const { call, control } = inspector.sandbox;
  await call('POST', '/product-catalog/uploads', { json: {} });
  await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/orders', events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  await control('POST', '/control/receiver');
  const page = await inspector.open('/catalog', { width: 1440, height: 900 });
  await enlargeText(page);
  for (const [path, selector] of [
    ['/catalog', '.cat-uploads .row > :not(code)'],
    ['/reference', '.rec-title .whole'],
    ['/webhooks', '.wh-tools :is(b, em)'],
    ['/webhooks', '.wh-line > *'],
  ] as const) {
    await goTo(page, path);
    await page.locator(selector).first().waitFor();
    await expect.poll(() => crowded(page, selector), { message: selector }).toEqual([]);
  }
  await page.setViewportSize({ width: 1024, height: 700 });
  for (const tool of await page.locator('.wh-tools > button').all()) {
    const [icon, name] = [await tool.locator('.ic').boundingBox(), await tool.locator('b').boundingBox()];
    expect(name?.x).toBeGreaterThan((icon?.x ?? 9_999) + (icon?.width ?? 0));
  }
});
