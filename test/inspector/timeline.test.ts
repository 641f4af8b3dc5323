import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { TimelineView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { toShortUrl } from '../../renderer/http-text/short-url.ts';
import { checkAccess, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { askPalette, clockBar, clockOf, palette, toast } from '../support/frame.ts';
import { holdBack, reportNoScrolling } from '../support/hold-back.ts';
import { recordMany } from '../support/record-many.ts';
import { xss } from '../support/xss.ts';
import { createSteps } from '../support/steps.ts';

const inspector = useInspector({ pace: 'manual' });

const ofDemo = { factsOf: () => ({ companyId: demoCompany }) };

const list = (page: Page) => page.getByRole('grid', { name: 'Timeline, newest first' });
const row = (page: Page, text: string | RegExp) => list(page).getByRole('row').filter({ hasText: text });
/** Scrolls the list to its end, and returns its height. */
const toEnd = (page: Page): Promise<number> =>
  list(page).evaluate((box) => {
    box.scrollTo({ top: box.scrollHeight });
    return box.scrollHeight;
  });
const filter = (page: Page) => page.getByRole('combobox', { name: 'Filter' });

async function receiver(status: number): Promise<string> {
  const server: Server = createServer((_request, response) => void response.writeHead(status).end()).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

async function subscribe(phone = '+15555550123'): Promise<string> {
  const answer = await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone }, signUpSourceId: '100001' },
  });
  return (await answer.exchange()).id;
}

async function timeline(query: string): Promise<TimelineView> {
  return (await inspector.sandbox.control('GET', `/control/timeline?${query}`)).body;
}

/**
 * A person subscribed, of which one receiver took the event and the other did not. The clock is frozen: nothing is tried
 * again while the page opens.
 */
async function subscribed(): Promise<{ readonly id: string; readonly good: string; readonly bad: string }> {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const [good, bad] = [await receiver(200), await receiver(500)];
  for (const url of [good, bad])
    await inspector.sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const id = await subscribe();
  await expect
    .poll(async () => (await timeline(`cause=${id}`)).groups[0]?.followers.map(({ state }) => state))
    .toEqual(expect.arrayContaining(['delivered', 'retrying']));
  return { id, good, bad };
}

async function expectChain(page: Page, { good, bad }: { readonly good: string; readonly bad: string }): Promise<void> {
  await row(page, /Text to \+15555550123: “/).waitFor();
  await row(page, `sms.subscribed to ${toShortUrl(good)}`)
    .filter({ hasText: 'delivered' })
    .waitFor();
  await row(page, `sms.subscribed to ${toShortUrl(bad)}`)
    .filter({ hasText: 'answered 500' })
    .waitFor();
}

test('who got this event and what did they see: one step from the request, by mouse', async () => {
  const made = await subscribed();
  const page = await inspector.open(`/requests/${made.id}`);
  const steps = createSteps();
  await steps.do(() => page.getByRole('link', { name: 'In the timeline' }).click());
  await expectChain(page, made);
  expect(steps.count).toBe(1);
  await checkAccess(page);
});

test('who got this event and what did they see: one step from the request, by keyboard', async () => {
  const made = await subscribed();
  const page = await inspector.open(`/requests/${made.id}`);
  await page.getByRole('link', { name: 'In the timeline' }).waitFor();
  const steps = createSteps();
  await steps.do(() => page.keyboard.press('t'));
  await expectChain(page, made);
  expect(steps.count).toBe(1);
  // The line of the receiver that failed has its answers and what it was sent beside it.
  for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('j');
  await expect
    .poll(() => page.getByRole('article').textContent())
    .toMatch(/What the receiver answered.*attempt 1.*What was sent.*"sms.subscribed"/s);
});

test('advance 30 days and read what happened: two steps by mouse, and it is a section with its result', async () => {
  const { bad } = await subscribed();
  const page = await inspector.open('/requests');
  const steps = createSteps();
  await steps.do(() => clockBar(page).getByRole('button', { name: 'Advance by 30 d' }).click());
  await steps.do(() => page.getByRole('button', { name: 'Read what happened' }).click());
  await row(page, 'You advanced the clock by 30 d').waitFor();
  await row(page, /In this time: \d+ retries to 1 receiver, 1 delivery given up/).waitFor();
  await row(page, new RegExp(`\\d+ retries to ${toShortUrl(bad)}`)).waitFor();
  expect(steps.count).toBe(2);
  await checkAccess(page);
});

test('advance 30 days and read what happened: two steps by keyboard', async () => {
  await subscribed();
  const page = await inspector.open('/requests');
  const steps = createSteps();
  await steps.do(async () => {
    await askPalette(page, 'advance the clock by 30 d');
    await palette(page).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  });
  await clockBar(page)
    .getByText(/\+30 d|\+29 d/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Read what happened' }).waitFor();
  await steps.do(() => page.keyboard.press('y'));
  await row(page, /In this time: \d+ retries to 1 receiver/).waitFor();
  expect(steps.count).toBe(2);
});

test('the stream follows what happens, is filtered by kind and by person, and folds', async () => {
  const page = await inspector.open('/timeline');
  await page.getByText('Nothing has happened yet').waitFor();
  await checkAccess(page);
  await subscribe();
  await row(page, '+15555550123 subscribed to MARKETING by text').waitFor();
  await row(page, /Text to \+15555550123/).waitFor();
  await subscribe('+15555550124');
  await inspector.sandbox.control('POST', '/control/faults', { operation: 'GET /me', status: 401 });
  await row(page, 'You set a fault').waitFor();

  await page.getByRole('button', { name: /^Faults 1/ }).click();
  await expect.poll(() => row(page, 'subscribed to').count()).toBe(0);
  await row(page, 'You set a fault').waitFor();
  await page.getByRole('button', { name: /^All \d/ }).click();

  await page.keyboard.press('/');
  await filter(page).fill('user:+15555550124 ');
  await page.keyboard.press('Enter');
  await expect.poll(() => row(page, '+15555550123 subscribed').count()).toBe(0);
  await row(page, '+15555550124 subscribed').waitFor();
  await page.getByText('1 hit', { exact: true }).waitFor();

  await list(page).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => row(page, /Text to/).count()).toBe(0);
  await row(page, '1 thing followed').waitFor();
  await page.keyboard.press('ArrowRight');
  await row(page, /Text to/).waitFor();
  await page.keyboard.press('Escape');
  await row(page, '+15555550123 subscribed').waitFor();
});

test('the stream is filtered by company', async () => {
  await subscribe();
  const page = await inspector.open('/timeline?q=company:dunlin');
  await page.getByText('Nothing fits the filter').waitFor();
  await goTo(page, '/timeline?q=company:"Sandpiper supply co."');
  await expectSeen(row(page, '+15555550123 subscribed'));
});

test('a mistake in the filter says so, and an empty result offers everything', async () => {
  await subscribe();
  const page = await inspector.open('/timeline?q=kind:nothing');
  await page.getByText(/"nothing" is not a kind\. Available: request, change/).waitFor();
  await page.goto(page.url().replace('kind:nothing', 'no-such-word'));
  await page.getByText('Nothing fits the filter').waitFor();
  await checkAccess(page);
  await page.getByRole('button', { name: 'Show everything' }).click();
  await row(page, '+15555550123 subscribed').waitFor();
});

test('hostile text stays text', async () => {
  const { call, control } = inspector.sandbox;
  const user = { phone: '+15555550155' };
  await call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await call('GET', `/subscriptions?phone=${encodeURIComponent(xss)}`);
  await call('POST', '/events/custom', { json: { type: xss, user, properties: {} } });
  await control('POST', '/control/webhooks', {
    url: `http://127.0.0.1:9/${encodeURIComponent(xss)}`,
    events: ['sms.sent'],
  });
  await control('POST', '/control/messages', { subscriber: user, channel: 'TEXT', text: xss, force: true });
  const page = await inspector.open('/timeline');
  await row(page, /Text to \+15555550155: “/)
    .first()
    .click();
  await page.getByText('What +15555550155 saw').waitFor();
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
});

test('thousands of causes scroll, older ones come when they are seen, and what is new waits at the top', async () => {
  recordMany(inspector.sandbox, 600, ofDemo);
  const page = await inspector.open('/timeline');
  await row(page, 'GET /me').first().waitFor();
  const down = (): Promise<number> => toEnd(page);
  await expect.poll(down).toBe(600 * 30);
  await inspector.sandbox.control('POST', '/control/faults', { operation: 'GET /me', status: 401 });
  await page.getByRole('button', { name: '1 new' }).click();
  await row(page, 'You set a fault').waitFor();
  expect(await list(page).evaluate((box) => box.scrollTop)).toBe(0);
});

test('an entry that arrives before the browser reports the scrolling does not move the rows that are read', async () => {
  const { sandbox } = inspector;
  recordMany(sandbox, 60, ofDemo);
  const page = await inspector.open('/timeline');
  await row(page, 'GET /me').first().waitFor();
  await reportNoScrolling(page);
  await list(page).evaluate((box) => box.scrollTo({ top: 300 }));
  await sandbox.call('GET', '/me');
  await expectSeen(page.getByRole('button', { name: '1 new', exact: true }));
});

test('of more that is new than is read at once, at least so much is said to be new', async () => {
  const { sandbox } = inspector;
  recordMany(sandbox, 60, ofDemo);
  const page = await inspector.open('/timeline');
  await row(page, 'GET /me').first().waitFor();
  await list(page).evaluate((box) => box.scrollTo({ top: 300 }));
  await sandbox.call('GET', '/me');
  await expectSeen(page.getByRole('button', { name: '1 new', exact: true }));
  recordMany(sandbox, 120, ofDemo);
  await expectSeen(page.getByRole('button', { name: '100+ new', exact: true }));
});

test('without a choice the detail follows to the newest entry once the one that it showed is no longer listed', async () => {
  const page = await inspector.open('/timeline');
  await page.getByText('Nothing has happened yet').waitFor();
  await inspector.sandbox.control('POST', '/control/faults', { operation: 'GET /me', status: 401 });
  const shown = page.locator('.tdetail');
  await shown.getByText('You set a fault').first().waitFor();
  recordMany(inspector.sandbox, 150, ofDemo);
  await page.getByRole('button', { name: 'All 151' }).waitFor();
  await expectSeen(shown.getByText('GET /me').first());
});

test('a row that stays in sight keeps its element; the focus in one that scrolled away goes to the list', async () => {
  recordMany(inspector.sandbox, 120, ofDemo);
  await subscribe();
  const page = await inspector.open('/timeline');
  const only = list(page).getByRole('button', { name: 'show only this' }).first();
  const eighth = await list(page).locator('[aria-rowindex="9"]').elementHandle();
  await only.focus();
  await list(page).evaluate((box) => box.scrollTo({ top: 280 }));
  await expect.poll(() => list(page).evaluate((box) => document.activeElement === box)).toBe(true);
  expect(await eighth?.getAttribute('aria-rowindex')).toBe('9');
});

/** In the page: notes which entries of the timeline are drawn, by what is read of them. */
function watchDrawing(): void {
  const drawn = new Set<string>();
  const json = Reflect.get(Response.prototype, 'json') as (this: Response) => Promise<unknown>;
  Response.prototype.json = async function read(this: Response): Promise<unknown> {
    const body = (await json.call(this)) as { readonly groups?: readonly { readonly id: string; says: string }[] };
    for (const entry of Array.isArray(body?.groups) ? body.groups : []) {
      const { id, says } = entry;
      Object.defineProperty(entry, 'says', { get: () => (drawn.add(id), says) });
    }
    return body;
  };
  Object.assign(window, { drawn });
}

test('scrolling draws the rows that come into sight, not those that stay', async () => {
  recordMany(inspector.sandbox, 80, ofDemo);
  const page = await inspector.open('/');
  await page.evaluate(watchDrawing);
  await page.getByRole('link', { name: 'Timeline' }).first().click();
  await row(page, 'GET /me').first().waitFor();
  await expect.poll(() => list(page).locator('.row').count()).toBeGreaterThan(20);
  // The newest are read again for a moment after the last request.
  const drawn = (): Promise<number> => page.evaluate('drawn.size');
  const isQuiet = async (): Promise<boolean> => {
    await page.evaluate('drawn.clear()');
    await page.waitForTimeout(1_200);
    return (await drawn()) === 0;
  };
  await expect.poll(isQuiet).toBe(true);
  const last = (): Promise<number> =>
    list(page)
      .locator('.row')
      .evaluateAll((rows) => Math.max(...rows.map((one) => Number(one.getAttribute('aria-rowindex')))));
  const before = await last();
  await list(page).evaluate((box) => box.scrollBy({ top: 2 * 30 }));
  await expect.poll(last).toBe(before + 2);
  expect(await drawn()).toBeGreaterThan(0);
  expect(await drawn()).toBeLessThan(6);
});

const banner = (page: Page) => page.getByRole('region', { name: 'Looking back' });
const scrubber = (page: Page) => page.getByRole('slider', { name: 'Moment to look at' });
const nowOf = async (): Promise<number> => Date.parse((await clockOf(inspector)).now);

test('go back to before: two steps by mouse', async () => {
  await subscribe();
  const before = await nowOf();
  await inspector.sandbox.control('POST', '/control/clock', { advance: '30d' });
  await subscribe('+15555550124');
  const page = await inspector.open('/timeline');
  await row(page, 'You advanced the clock').hover();
  const steps = createSteps();
  await steps.do(() =>
    row(page, 'You advanced the clock').getByRole('button', { name: 'show the state before' }).click(),
  );
  await steps.do(() => banner(page).getByRole('button', { name: 'Go back here' }).click());
  await toast(page, /^Went back to /).waitFor();
  expect(steps.count).toBe(2);
  expect(Math.abs((await nowOf()) - before)).toBeLessThan(86_400_000);
  const { store } = inspector.sandbox.emulator.deps;
  const phones = [...store.users.all()].flatMap(({ addresses }) => addresses.map(({ value }) => value));
  expect([phones.includes('+15555550123'), phones.includes('+15555550124')]).toEqual([true, false]);
  await expect.poll(() => banner(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await nowOf()) - before).toBeGreaterThan(29 * 86_400_000);
});

test('go back to before: two steps by keyboard, from what an advance did', async () => {
  await subscribe();
  const before = await nowOf();
  await inspector.sandbox.control('POST', '/control/clock', { advance: '30d' });
  const page = await inspector.open('/timeline');
  await row(page, 'You advanced the clock').waitFor();
  await page.keyboard.press('y');
  await page.getByRole('article', { name: 'Clock' }).waitFor();
  const steps = createSteps();
  await steps.do(() => page.keyboard.press('b'));
  await banner(page).waitFor();
  await steps.do(() => page.keyboard.press('Control+Enter'));
  await toast(page, /^Went back to /).waitFor();
  expect(steps.count).toBe(2);
  expect(Math.abs((await nowOf()) - before)).toBeLessThan(86_400_000);
});

test('a moment on the scrubber is shown by the lists, the phone and the diagrams, read only, until it is left', async () => {
  await subscribe();
  const { body } = await inspector.sandbox.call('POST', '/privacy/delete-request', {
    json: { subjectPhone: '+15555550100' },
  });
  const { id } = body as { readonly id: string };
  await inspector.sandbox.control('POST', '/control/clock', { advance: '10d' });
  await inspector.sandbox.control('POST', `/control/records/privacy-requests/${id}/moves`, { event: 'start' });
  await subscribe('+15555550124');
  const page = await inspector.open('/timeline');
  await row(page, '+15555550124 subscribed').waitFor();
  await scrubber(page).focus();
  await page.keyboard.press('ArrowLeft');
  await banner(page)
    .getByText(/^Looking back at /)
    .waitFor();
  await page.getByRole('article', { name: 'The world at that moment' }).getByText('People', { exact: true }).waitFor();
  await checkAccess(page);

  const sections = page.getByRole('navigation', { name: 'Sections' });
  await sections.getByRole('link', { name: /^Subscribers/ }).click();
  const people = page.getByRole('grid', { name: /^People|^Subscribers/ });
  await people.getByText('+1 555 555 0123').click();
  expect(await people.getByText('+1 555 555 0124').count()).toBe(0);
  await page.getByRole('heading', { name: 'What +1 555 555 0123 sees' }).waitFor();
  await page
    .getByText(/Reply Y to confirm/)
    .first()
    .waitFor();
  await goTo(page, `/privacy/${id}`);
  await page.getByText('You are looking at an earlier moment').first().waitFor();
  expect(await clockBar(page).getByRole('button', { name: 'Advance by 30 d' }).isDisabled()).toBe(true);
  await checkAccess(page);

  await banner(page).getByRole('button', { name: 'Fork here' }).click();
  await toast(page, /^Saved as the snapshot at-/).waitFor();
  // A snapshot is a file beside the world: it is deleted in its own view, after a question.
  expect(await page.getByRole('status').getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await banner(page).getByRole('button', { name: 'Return to now' }).click();
  await sections.getByRole('link', { name: /^Subscribers/ }).click();
  await people.getByText('+1 555 555 0124').waitFor();
});

test('at a moment nothing new can be begun, which each button says, and the palette; at now it can again', async () => {
  await subscribe();
  await inspector.sandbox.control('POST', '/control/clock', { advance: '10d' });
  const page = await inspector.open('/timeline');
  await scrubber(page).focus();
  await page.keyboard.press('ArrowLeft');
  await banner(page).waitFor();
  const why = 'You are looking at an earlier moment';
  const main = page.getByRole('main');
  for (const path of ['/offers', '/sign-up-units', '/attributes', '/catalog', '/subscribers', '/webhooks']) {
    await goTo(page, path);
    const make = main.getByRole('button', { name: 'New', exact: true });
    await make.waitFor();
    expect([await make.isDisabled(), await make.getAttribute('title')], path).toEqual([true, why]);
  }
  await goTo(page, '/offers');
  await main.getByRole('heading', { name: 'Offers' }).waitFor();
  await askPalette(page, 'create an offer');
  await page
    .getByRole('option', { name: /Create an offer/ })
    .getByText(why)
    .waitFor();
  await page.keyboard.press('Escape');
  await banner(page).getByRole('button', { name: 'Return to now' }).click();
  await main.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('dialog').waitFor();
});

test('at a moment the window says what came since, what was not there yet, and how to change something', async () => {
  inspector.allowErrors(/404|409/);
  await subscribe();
  await inspector.sandbox.control('POST', '/control/clock', { advance: '10d' });
  const { body } = await inspector.sandbox.call('POST', '/privacy/delete-request', {
    json: { subjectPhone: '+15555550100' },
  });
  const { id } = body as { readonly id: string };
  const page = await inspector.open('/timeline');
  await row(page, '/privacy/delete-request').waitFor();
  await scrubber(page).focus();
  await page.keyboard.press('ArrowLeft');
  const people = page.getByRole('row', { name: /^People/ }).getByRole('cell');
  await people.last().waitFor();
  const [then = 0, now = 0] = (await people.allInnerTexts()).map(Number);
  await subscribe('+15555550125');
  await expect.poll(async () => (await people.allInnerTexts()).map(Number)).toEqual([then, now + 1]);

  await goTo(page, `/privacy/${id}`);
  await page.getByText('It was not there at the moment at which you look').waitFor();
  await page.keyboard.press('Control+z');
  await page.locator('.toast.refused').getByText('Not undone: Nothing can be changed').waitFor();
  await goTo(page, '/offers/54100');
  await page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Edit the offer' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Autumn');
  await sheet.getByRole('button', { name: 'Save the offer' }).click();
  await sheet.getByRole('alert').getByText('Return to now first.').waitFor();
  expect(await sheet.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Autumn');
});

test.each([
  ['the clock is rewound to before it', '/control/clock', { rewind: true }],
  ['everything is replaced', '/control/reset', { world: 'demo' }],
])('a moment is left, which is said, once it cannot be looked at: %s', async (_when, path, body) => {
  await inspector.sandbox.control('POST', '/control/clock', { advance: '10d' });
  await subscribe();
  const page = await inspector.open('/timeline');
  await row(page, '+15555550123 subscribed').waitFor();
  await scrubber(page).focus();
  await page.keyboard.press('ArrowLeft');
  await banner(page).waitFor();
  inspector.allowErrors(/40[049]/);
  await inspector.sandbox.control('POST', path, body);
  await toast(page, 'You look at the present again').waitFor();
  await expect.poll(() => banner(page).count()).toBe(0);
});

test('the scrubber is dragged with the mouse, and its right end is now', async () => {
  await subscribe();
  await inspector.sandbox.control('POST', '/control/clock', { advance: '10d' });
  await subscribe('+15555550124');
  const page = await inspector.open('/timeline');
  await row(page, '+15555550124 subscribed').waitFor();
  const box = await scrubber(page).boundingBox();
  if (!box) throw new Error('The scrubber is not drawn.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.9, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, y, { steps: 5 });
  await banner(page).waitFor();
  await expect.poll(() => scrubber(page).getAttribute('aria-valuenow')).toBe('50');
  await page.mouse.move(box.x + box.width + 5, y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => banner(page).count()).toBe(0);
});

test('what is older than the first moment that is known is listed, and the scrubber says from when one can look back', async () => {
  const { control } = inspector.sandbox;
  await subscribe();
  await control('POST', '/control/clock', { advance: '10d' });
  // Everything is replaced: what led to the state before is not known, while its requests are still listed.
  await control('POST', '/control/snapshots', { name: 'again' });
  await control('POST', '/control/snapshots/again/restore', {});
  onTestFinished(async () => void (await control('DELETE', '/control/snapshots/again')));
  await control('POST', '/control/clock', { advance: '10d' });
  const page = await inspector.open('/timeline');
  await page
    .getByRole('region', { name: 'Moment' })
    .getByText(/; looking back begins at /)
    .waitFor();
  await scrubber(page).focus();
  await page.keyboard.press('Home');
  await banner(page).waitFor();
  // The first moment that is known, half-way, and it is shown.
  await expect.poll(() => scrubber(page).getAttribute('aria-valuenow')).toBe('50');
  await page.getByRole('article', { name: 'The world at that moment' }).getByText('People').first().waitFor();
  await page.keyboard.press('Escape');
  // Beside its links.
  await row(page, '+15555550123 subscribed').click({ position: { x: 20, y: 10 } });
  await page.keyboard.press('b');
  await toast(
    page,
    /^Looking back begins at .*\. Sandpiper keeps what changed since a reset or a restored snapshot/,
  ).waitFor();
  expect(await banner(page).count()).toBe(0);
});

test('what is older is still reached after more than a page of new entries came to a list that was read to its end', async () => {
  const send = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 10 }, () => inspector.sandbox.call('GET', '/me')));
  for (let round = 0; round < 15; round += 1) await send();
  const page = await inspector.open('/timeline');
  await row(page, 'GET /me').first().waitFor();
  const down = (): Promise<number> => toEnd(page);
  await expect.poll(down).toBe(150 * 30);
  for (let round = 0; round < 12; round += 1) await send();
  const isNew = page.getByRole('button', { name: /^\d+\+? new$/ });
  await isNew.click();
  await expectGone(isNew);
  await expect.poll(down).toBe(270 * 30);
});

test('while it is read, no kind is said to have nothing', async () => {
  const page = await inspector.open('/requests');
  const release = await holdBack(page, /\/control\/timeline\?/);
  await goTo(page, '/timeline');
  const all = page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name: /^All/ });
  await all.waitFor();
  expect(await all.textContent()).not.toMatch(/\d/);
  release();
  await expect.poll(() => all.textContent()).toMatch(/\d/);
});

test('a long address of a receiver does not hide the state of its delivery', async () => {
  const { call } = inspector.sandbox;
  const url = `http://127.0.0.1:9/${'long-segment-'.repeat(15)}`;
  await call('POST', '/webhooks', { json: { url, events: ['sms.subscribed'] } });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
  const page = await inspector.open('/timeline');
  const state = row(page, /sms\.subscribed to 127/).getByText('retrying', { exact: true });
  await expectSeen(state);
  const [box, cell] = [await state.boundingBox(), await state.locator('..').boundingBox()];
  expect(box?.width).toBeGreaterThan(50);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0) + 1);
});

test('a long id does not hide to which state its record went', async () => {
  const { call, emulator } = inspector.sandbox;
  const { body } = await call('POST', '/product-catalog/uploads', { json: { validateOnly: false } });
  const { uploadId } = body as { readonly uploadId: string };
  await emulator.deps.clock.advance(3_600_000);
  const page = await inspector.open('/timeline');
  const line = row(page, `Upload ${uploadId} went from initialized to expired`);
  await expectSeen(line);
  const behind = line.getByText('went from initialized to expired', { exact: true });
  expect(await behind.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  expect(await line.locator('.tl').textContent()).toBe(uploadId.slice(-4));
});

test('in the narrowest window a row says which receiver, when, what became of it and how often it was tried', async () => {
  const { good, bad } = await subscribed();
  const page = await inspector.open('/timeline', { width: 360 });
  for (const [url, state] of [
    [good, 'delivered'],
    [bad, 'retrying'],
  ] as const) {
    const line = row(page, `sms.subscribed to ${toShortUrl(url)}`);
    for (const part of [line.locator('.tl'), line.locator('time'), line.getByText(state, { exact: true })]) {
      await expectSeen(part);
      expect(await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    }
    await expectSeen(line.getByText(/attempts?.*: (took|answered)/));
  }
  await row(page, 'POST /subscriptions').getByRole('button', { name: 'show only this' }).waitFor();
});

test('receivers that differ at their ends only are told apart in the timeline beside its detail', async () => {
  const base = `127.0.0.1:9/${'a-long-name-of-a-service/'.repeat(3)}`;
  for (const end of ['orders', 'people'])
    await inspector.sandbox.control('POST', '/control/webhooks', {
      url: `http://${base}${end}`,
      events: ['sms.subscribed'],
    });
  await subscribe();
  const page = await inspector.open('/timeline', { width: 1024 });
  for (const end of ['orders', 'people']) {
    const shown = row(page, `sms.subscribed to ${base}${end}`).locator('.tl');
    await expectSeen(shown);
    expect(await shown.textContent()).toBe(`/${end}`);
    expect(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  }
});

test('a path that was refused because of the slash at its end has it in the timeline', async () => {
  await inspector.sandbox.call('GET', '/me/');
  const page = await inspector.open('/timeline');
  await expectSeen(list(page).getByRole('link', { name: 'GET /me/', exact: true }));
});
