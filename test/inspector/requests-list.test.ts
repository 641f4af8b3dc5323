import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { parseFilter, toPredicate } from '../../renderer/views/requests/filter.ts';
import { expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { holdBack, letCome, reportNoScrolling } from '../support/hold-back.ts';
import { tabTo } from '../support/keyboard.ts';
import { recordMany } from '../support/record-many.ts';
import { detail, filter, grid, paths, rows, selected } from './requests-support.ts';
import { subscribe } from '../support/world.ts';

const inspector = useInspector();

const quick = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Quick filters' }).getByRole('button', { name });

const { call } = { call: (...input: Parameters<typeof inspector.sandbox.call>) => inspector.sandbox.call(...input) };

/** Three requests that differ in everything a filter supports. */
async function three(): Promise<void> {
  await call('GET', '/me', { key: 'sandpiper-readonly-key' });
  await subscribe(inspector.sandbox, '15555550123');
  await call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' },
    headers: { 'x-sandbox-call-site': 'src/shop.ts:42:9', 'x-sandbox-test': 'the%20shop%20%3E%20subscribes' },
  });
}

test('what a time of a filter means is found out once, not for each row', () => {
  let asked = 0;
  const passes = toPredicate(parseFilter('since:yesterday until:yesterday'), {
    get now() {
      asked += 1;
      return Date.parse('2026-11-28T05:00:00Z');
    },
    zone: 'UTC',
    companyWords: () => '',
    credentialWords: () => '',
    holds: () => false,
  });
  const at = ['2026-11-26T23:59:59Z', '2026-11-27T00:00:00Z', '2026-11-27T23:59:59Z', '2026-11-28T00:00:00Z'];
  expect(at.filter((one) => passes?.({ at: one } as Parameters<typeof passes>[0]))).toEqual(at.slice(1, 3));
  expect(asked).toBe(2);
});

const filters: readonly (readonly [q: string, count: number])[] = [
  ['status:4xx', 1],
  ['status:202', 1],
  ['-status:2xx', 1],
  ['method:get', 1],
  ['path:/subscriptions', 2],
  ['-path:/subscriptions', 1],
  ['operation:"POST /subscriptions"', 2],
  ['token:readonly', 1],
  ['body:E.164', 1],
  ['-body:E.164', 2],
  ['body:15555550123', 2],
  ['rule:subscriptions.phone', 1],
  ['at:shop.ts:42', 1],
  ['-at:shop.ts', 2],
  ['test:"the shop > sub"', 1],
  ['test:other', 0],
  ['since:10m', 3],
  ['since:yesterday', 3],
  ['since:2020-01-31', 3],
  ['until:2020-01-31', 0],
  ['until:yesterday', 0],
  ['until:10m', 0],
  ['user:+15555550123', 1],
  ['-user:5555', 1],
  ['company:"sandpiper supply"', 3],
  ['-company:sandpiper', 0],
  ['company:dunlin', 0],
  ['source:client', 3],
  ['source:window', 0],
  ['duration:>=0', 3],
  ['duration:>100000', 0],
  ['header:authorization', 3],
  ['header:x-none', 0],
  ['status:4xx status:202', 2],
  ['method:POST -status:4xx', 1],
  ['subscriptions', 2],
];

test('every key of the filter finds what it includes, and leaves out what it excludes', async () => {
  await three();
  const page = await inspector.open('/requests');
  for (const [q, count] of filters) {
    await goTo(page, `/requests?q=${encodeURIComponent(q)}`);
    await page.getByRole('button', { name: `Remove ${/^(?:[^\s"]|"[^"]*")+/.exec(q)?.[0]}` }).waitFor();
    await expect.poll(() => rows(page).count(), { message: q }).toBe(count);
  }
});

test.for([
  // In Berlin that day has 25 hours, and the next one 23.
  {
    now: '2026-10-25T22:30:00Z',
    before: '2026-10-24T12:00:00Z',
    q: 'since:yesterday until:yesterday',
    found: 'before',
  },
  { now: '2026-10-25T22:30:00Z', before: '2026-10-24T12:00:00Z', q: 'since:today until:today', found: 'now' },
  { now: '2027-03-29T10:00:00Z', before: '2027-03-28T22:30:00Z', q: 'until:yesterday', found: null },
])('a day of a filter is that of the calendar: $q at $now', async ({ now, before, q, found }) => {
  const { clock } = inspector.sandbox.emulator.deps;
  clock.freeze(true);
  for (const [name, at] of Object.entries({ before, now })) {
    await clock.set(Date.parse(at));
    await call('GET', `/me?${name}`);
  }
  const page = await inspector.open('/settings');
  await page.getByRole('button', { name: 'Local', exact: true }).click();
  await goTo(page, `/requests?q=${encodeURIComponent(q)}`);
  await page.getByRole('button', { name: `Remove ${q.split(' ')[0]}` }).waitFor();
  await expect.poll(() => paths(page)).toEqual(found === null ? [] : [`/me\n?${found}`]);
});

test('a filter is written with completion, is shown as chips and in the address, and is removed', async () => {
  await three();
  const page = await inspector.open('/requests');
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.keyboard.press('/');
  await page.keyboard.type('st');
  await page.getByRole('option', { name: /^status:/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: '4xx' }).waitFor();
  await page.keyboard.type('4');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.keyboard.type('-method:GET ');
  await page.getByRole('button', { name: 'Remove -method:GET' }).waitFor();
  expect(decodeURIComponent(page.url())).toContain('q=status:4xx+-method:GET');

  await page.reload();
  await page.getByRole('button', { name: 'Remove status:4xx' }).waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  await filter(page).focus();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Backspace');
  await page.getByRole('button', { name: 'Remove status:4xx' }).click();
  await expect.poll(() => rows(page).count()).toBe(3);
  expect(page.url()).not.toContain('q=');
});

test('the completion leaves the hits in sight, with their number, and Tab completes what is written', async () => {
  await three();
  const page = await inspector.open('/requests');
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.keyboard.press('/');
  await page.keyboard.type('ru');
  await page.keyboard.press('Tab');
  await page.keyboard.type('phone');
  await page.getByRole('option', { name: 'rule:subscriptions.phone-e164' }).waitFor();
  await page.getByText('1 of 3', { exact: true }).waitFor();
  const option = await page.getByRole('listbox', { name: 'Completions' }).boundingBox();
  const hit = await rows(page).first().boundingBox();
  expect(hit!.y).toBeGreaterThanOrEqual(option!.y + option!.height);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Remove rule:subscriptions.phone-e164' }).waitFor();
  // Letters go on into the filter: none of them pins, replays or pauses.
  await page.keyboard.type('zr');
  expect(await filter(page).inputValue()).toBe('zr');
  await expect.poll(() => rows(page).count()).toBe(0);
});

test('keys act in an open menu only', async () => {
  await three();
  const page = await inspector.open('/requests');
  await rows(page).first().click();
  const more = page.getByRole('button', { name: 'More for this list' });
  await more.click();
  await page.getByRole('menu').waitFor();
  await more.evaluate((button) => button.focus());
  for (const key of ['p', 'j', 'r', 'Space']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await quick(page, 'Pinned 0').waitFor();
  expect(await rows(page).count()).toBe(3);
});

test('an invalid filter says so, and hides nothing', async () => {
  await three();
  const page = await inspector.open('/requests');
  for (const [q, says] of [
    ['stauts:4xx', 'There is no filter "stauts:"'],
    ['status:high', '"high" is not a status'],
    ['since:tuesday', '"tuesday" is not a time'],
    ['duration:long', '"long" is not a duration'],
  ] as const) {
    await goTo(page, `/requests?q=${encodeURIComponent(q)}`);
    await page.getByText(says).waitFor();
    expect(await rows(page).count()).toBe(3);
  }
});

test('a filter is saved as a view, counted as requests arrive, and deleted with undo', async () => {
  await three();
  const page = await inspector.open('/requests?q=rule:subscriptions.phone');
  await page.getByRole('button', { name: 'More for this list' }).click();
  await page.getByRole('menuitem', { name: 'Save this filter as a view…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Save this filter as a view' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Bad numbers');
  await page.keyboard.press('Enter');
  await toast(page, 'Saved as “Bad numbers”').waitFor();
  await quick(page, 'All').click();
  await expect.poll(() => rows(page).count()).toBe(3);
  await subscribe(inspector.sandbox, '0000');
  await quick(page, 'Bad numbers 2').waitFor();
  await page.reload();
  await quick(page, 'Bad numbers').click();
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(decodeURIComponent(page.url())).toContain('q=rule:subscriptions.phone');
  await page.getByRole('button', { name: 'More for this list' }).click();
  await page.getByRole('menuitem', { name: 'Delete the view “Bad numbers”' }).click();
  await expect.poll(() => quick(page, 'Bad numbers').count()).toBe(0);
  await page.keyboard.press('Control+z');
  await quick(page, 'Bad numbers').waitFor();
});

test('a view that replaced another of its name comes back with undo', async () => {
  await three();
  const page = await inspector.open('/requests');
  const save = async (q: string, count: number): Promise<void> => {
    await goTo(page, `/requests?q=${q}`);
    await expect.poll(() => rows(page).count()).toBe(count);
    await page.getByRole('button', { name: 'More for this list' }).click();
    await page.getByRole('menuitem', { name: 'Save this filter as a view…' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.keyboard.press('Enter');
    await toast(page, 'Saved as “Mine”').waitFor();
  };
  await save('path:/subscriptions', 2);
  await save('status:4xx', 1);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await quick(page, 'Mine').click();
  await expect.poll(() => rows(page).count()).toBe(2);
});

test('the three empty states are never confused', async () => {
  const page = await inspector.open('/requests');
  await page.getByText('No request has arrived').waitFor();
  await page.getByRole('button', { name: 'Send GET /me' }).click();
  await expect.poll(() => rows(page).count()).toBe(1);

  await filter(page).fill('status:5xx ');
  await page.getByText('The filter hides 1 request').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect.poll(() => rows(page).count()).toBe(1);

  await page.getByRole('button', { name: 'Clear the list' }).click();
  await page.getByText('No request has arrived').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await call('GET', '/webhooks');
  await page.getByText(/^Paused at \d\d:\d\d:\d\d$/).waitFor();
  await page.getByText('1 request arrived since. None is lost.').waitFor();
  await page.getByRole('button', { name: 'Show them' }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
});

test('clearing is undone, and later requests are kept', async () => {
  await three();
  const page = await inspector.open('/requests');
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.getByRole('button', { name: 'Clear the list' }).click();
  await toast(page, '3 requests cleared').waitFor();
  await call('GET', '/webhooks');
  await page.keyboard.press('Control+z');
  await expect.poll(() => rows(page).count()).toBe(4);
});

test('who goes elsewhere while the record is cleared stays there', async () => {
  await three();
  const page = await inspector.open('/requests');
  const release = await holdBack(page, /\/control\/requests$/);
  await page.getByRole('button', { name: 'Clear the list' }).click();
  await goTo(page, '/');
  await letCome(page, /\/control\/requests$/, release);
  await toast(page, '3 requests cleared').waitFor();
  expect(new URL(page.url()).hash).toBe('#/');
});

test('a paused or scrolled list does not move, counts new requests, and keeps its selection', async () => {
  for (let count = 0; count < 60; count += 1) await call('GET', '/me');
  const page = await inspector.open('/requests');
  await rows(page).nth(3).click();
  const chosen = await selected(page);
  await call('GET', '/webhooks');
  await expect.poll(() => paths(page).then(([first]) => first)).toContain('/webhooks');
  expect(await selected(page)).toBe(chosen);

  await grid(page).hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(() => grid(page).evaluate((box) => box.scrollTop)).toBeGreaterThan(200);
  // The rows are drawn with the frame after the scrolling.
  await expect.poll(() => paths(page)).not.toContain('/webhooks');
  const before = await paths(page);
  for (let count = 0; count < 3; count += 1) await call('GET', '/webhooks');
  await page.getByRole('button', { name: '3 new' }).waitFor();
  expect(await paths(page)).toEqual(before);
  await page.getByRole('button', { name: '3 new' }).click();
  await expect.poll(() => grid(page).evaluate((box) => box.scrollTop)).toBe(0);
  // The list scrolls first, and draws the rows that are there with the next frame.
  const webhooks = expect.stringContaining('/webhooks');
  await expect.poll(() => paths(page).then((all) => all.slice(0, 4))).toEqual([webhooks, webhooks, webhooks, webhooks]);

  await page.getByRole('button', { name: 'Pause' }).click();
  await call('GET', '/me');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => paths(page).then(([first]) => first)).toContain('/me');
  expect(await page.getByRole('button', { name: /\d new/ }).count()).toBe(0);
});

test('a request that arrives before the browser reports the scrolling does not move the rows that are read', async () => {
  recordMany(inspector.sandbox, 60);
  const page = await inspector.open('/requests');
  await rows(page).first().waitFor();
  await reportNoScrolling(page);
  await grid(page).evaluate((box) => box.scrollTo({ top: 300 }));
  await call('GET', '/webhooks');
  await expectSeen(page.getByRole('button', { name: '1 new', exact: true }));
});

test('a list that was scrolled when a filter hid it begins at its top again, with what came since', async () => {
  for (let count = 0; count < 60; count += 1) await call('GET', '/me');
  const page = await inspector.open('/requests');
  await grid(page).hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(() => grid(page).evaluate((box) => box.scrollTop)).toBeGreaterThan(200);
  await goTo(page, '/requests?q=path:/webhooks');
  await page.getByText('The filter hides 60 requests').waitFor();
  await call('GET', '/webhooks');
  await expect.poll(() => paths(page)).toEqual(['/webhooks']);
  await goTo(page, '/requests');
  await expect.poll(() => rows(page).count()).toBeGreaterThan(10);
  expect(await paths(page).then(([first]) => first)).toBe('/webhooks');
  expect(await page.getByRole('button', { name: /\d new/ }).count()).toBe(0);
});

test('pinned requests are listed separately', async () => {
  await three();
  const page = await inspector.open('/requests');
  await rows(page).nth(1).click();
  await detail(page).getByRole('button', { name: 'Pin', exact: true }).click();
  await quick(page, 'Pinned 1').click();
  await expect.poll(() => rows(page).count()).toBe(1);
  await rows(page).getByText('pinned').waitFor();
  expect(page.url()).toContain('show=pinned');
  await detail(page).getByRole('button', { name: 'Unpin' }).click();
  await page.getByText('The filter hides 3 requests').waitFor();
});

test('requests are filtered by the rule, operation or key of a request', async () => {
  await three();
  const page = await inspector.open('/requests');
  await rows(page).nth(1).click();
  const only = async (what: string): Promise<void> => {
    await detail(page).getByRole('button', { name: 'More for this request' }).click();
    await page.getByRole('menuitem', { name: `Show only this ${what}` }).click();
  };
  await only('rule');
  await expect.poll(() => rows(page).count()).toBe(1);
  await only('operation');
  await expect.poll(() => rows(page).count()).toBe(2);
  await only('key');
  await page.getByRole('button', { name: /^Remove token:/ }).waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
});

test('requests are filtered by their test, also if its name has quotes or a tab', async () => {
  const as = (name: string) => call('GET', '/me', { headers: { 'x-sandbox-test': encodeURIComponent(name) } });
  await as('says hi');
  await as('says "hi" aloud');
  await as('one\ttwo');
  const page = await inspector.open('/requests');
  for (const row of [1, 0]) {
    await rows(page).nth(row).click();
    const chosen = await selected(page);
    await detail(page).getByRole('button', { name: 'More for this request' }).click();
    await page.getByRole('menuitem', { name: 'Show only this test' }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await selected(page)).toBe(chosen);
    await page.getByRole('button', { name: /^Remove test:/ }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  }
});

test('the list, the detail and every action are reached with the keyboard alone', async () => {
  await three();
  const page = await inspector.open('/requests');
  await expect.poll(() => rows(page).count()).toBe(3);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await detail(page).getByText('Refused:').waitFor();
  // Single-letter keys are off in the filter.
  await page.keyboard.press('/');
  await page.keyboard.type('pause');
  expect(await filter(page).inputValue()).toBe('pause');
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(1);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect.poll(() => grid(page).evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.press('c');
  await toast(page, 'Copied as curl').waitFor();
  await page.keyboard.press('p');
  await quick(page, 'Pinned 1').waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.keyboard.press('Enter');
  const inDetail = page.getByRole('region', { name: 'Explanation and bytes' });
  await expect.poll(() => inDetail.evaluate((box) => box === document.activeElement)).toBe(true);
  await tabTo(page, detail(page).getByRole('button', { name: 'Edit first' }));
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Edit and replay' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('f');
  await toast(page, 'Replayed with the fix: 202').waitFor();
  await page.keyboard.press('r');
  await toast(page, 'Replayed: 202').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('export shown har');
  await page.getByRole('option', { name: /Export 5 shown requests as HAR/ }).waitFor();
});
