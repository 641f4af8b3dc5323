import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MessageView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, useInspector } from '../support/browser.ts';
import { clockOf, toast, useRealTimeAfterEach } from '../support/frame.ts';
import { intercept } from '../support/intercept.ts';
import { act } from '../support/world.ts';

const inspector = useInspector({ pace: 'manual' });
useRealTimeAfterEach(inspector);

const undo = (page: Page): Locator => page.getByRole('status').getByRole('button', { name: 'Undo' });
const paceOf = async (): Promise<string> => (await clockOf(inspector)).pace;
const readOnlyApp = () =>
  [...inspector.sandbox.emulator.deps.store.apps.all()].find(({ name }) => name === 'Read-only app');

/** The server does what such calls ask, and its answers come when the returned function is called. */
async function holdAnswers(page: Page, calls: string): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, calls, async (route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  return release;
}

test('the undo of an act stays when an act that began before it is answered, which is reported afterwards', async () => {
  const page = await inspector.open(`/apps/${readOnlyApp()?.id}`);
  const release = await holdAnswers(page, '**/control/apps/*/scopes');
  await page.getByRole('switch', { name: 'offers:write' }).click();
  await expect.poll(() => readOnlyApp()?.scopes).toContain('offers:write');
  await page.getByRole('button', { name: 'pace manual' }).click();
  await page.getByRole('menuitemradio', { name: /^Realistic/ }).click();
  await expectSeen(toast(page, 'The pace is realistic now'));
  const answered = page.waitForResponse('**/control/apps/*/scopes');
  release();
  await (await answered).finished();
  await expect.poll(() => page.getByRole('switch', { name: 'offers:write' }).getAttribute('aria-disabled')).toBe(null);
  await expectSeen(toast(page, 'The pace is realistic now'));
  await undo(page).click();
  await expect.poll(paceOf).toBe('manual');
  await expectSeen(toast(page, /The scope offers:write was/));
  await undo(page).click();
  await expect.poll(() => readOnlyApp()?.scopes).not.toContain('offers:write');
});

test('what an act did is still said when an act that began before it is answered', async () => {
  const { sandbox } = inspector;
  const of = { companyId: demoCompany, subscriber: { email: 'ada@example.com' } };
  const sent = { ...of, channel: 'EMAIL', subject: 'Low tide', text: 'Hello' };
  const { id, userId } = await act<MessageView>(sandbox, 'POST', '/control/messages', sent);
  const page = await inspector.open(`/subscribers/${userId}`);
  const inbox = page.getByRole('region', { name: 'Inbox, simulated' });
  // Choosing an email opens it.
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, `**/control/messages/${id}/acts`, async (route) => {
    if ((route.request().postDataJSON() as { readonly act: string }).act === 'open') await released;
    await route.continue();
  });
  await inbox.getByRole('button', { name: /Low tide/ }).click();
  await inbox.getByRole('button', { name: 'Unsubscribe' }).click();
  // It stays under the pointer.
  await toast(page, 'Ended the MARKETING subscription by EMAIL').hover();
  release();
  await inbox.getByText('· opened').waitFor();
  await expectSeen(toast(page, 'Ended the MARKETING subscription by EMAIL'));
  await page.mouse.move(5, 5);
  await expectSeen(toast(page, 'Email opened'));
});

test('a toast that replaces another one under the pointer stays until the pointer leaves it', async () => {
  const page = await inspector.open('/requests');
  const tenSeconds = (): Promise<void> =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let seconds = 0;
          setInterval(() => (seconds += 1) === 10 && resolve(), 1_000);
        }),
    );
  await page.keyboard.press('Control+.');
  await toast(page, /^The clock was frozen/).hover();
  // A second of a toast takes 20 ms.
  await page.evaluate(() => {
    const every = window.setInterval.bind(window);
    Object.assign(window, { setInterval: (does: () => void, ms: number) => every(does, ms === 1_000 ? 20 : ms) });
  });
  await page.keyboard.press('Control+.');
  await toast(page, 'The clock runs again').waitFor();
  await tenSeconds();
  await expectSeen(toast(page, 'The clock runs again'));
  await page.mouse.move(5, 5);
  await expectGone(toast(page, 'The clock runs again'));
});

test('an undo of the toast says what it undid, on the server or in this window', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests?q=status%3A200');
  await page.getByRole('button', { name: 'pace manual' }).click();
  await page.getByRole('menuitemradio', { name: /^Realistic/ }).click();
  await undo(page).click();
  await expectSeen(toast(page, 'Undone: The pace was changed to realistic, from manual.'));
  await page.getByRole('button', { name: 'More for this list' }).click();
  await page.getByRole('menuitem', { name: 'Save this filter as a view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Good ones');
  await page.keyboard.press('Enter');
  await expectSeen(toast(page, 'Saved as “Good ones”'));
  await undo(page).click();
  await expectSeen(toast(page, 'Undone: Saved as “Good ones”'));
});

test('a pace that was changed is reported with its undo, also if the clock cannot be read after it', async () => {
  const page = await inspector.open('/requests');
  inspector.allowErrors(/507|The disk is full/);
  await intercept(page, '**/control/clock', (route) =>
    route.fulfill({ status: 507, json: { message: 'The disk is full.' } }),
  );
  await page.getByRole('button', { name: 'pace manual' }).click();
  await page.getByRole('menuitemradio', { name: /^Realistic/ }).click();
  await toast(page, 'The pace is realistic now').waitFor();
  await undo(page).click();
  await expect.poll(paceOf).toBe('manual');
});

test.each([720, 950, 1280, 1440])(
  'in a window of %i pixels a long toast covers nothing of the phone beside it',
  async (width) => {
    const page = await inspector.open('/subscribers', { width, height: 800 });
    await page.getByRole('grid').getByRole('row').first().click();
    if (width < 1020) await page.getByRole('button', { name: 'Screens' }).click();
    const phone = page.getByRole('region', { name: 'Phone, simulated' });
    await expectSeen(phone);
    const url = `http://localhost:3000/${'long-'.repeat(60)}`;
    await inspector.sandbox.control('POST', '/control/webhooks', { url, events: ['sms.sent'] });
    await page.keyboard.press('ControlOrMeta+z');
    const said = page.locator('.toast', { hasText: 'Undone: The webhook' });
    await expectSeen(said);
    const [box, screen] = [await said.boundingBox(), await phone.boundingBox()];
    expect((box?.x ?? 9_999) + (box?.width ?? 0)).toBeLessThanOrEqual(screen?.x ?? 0);
  },
);

/** Turns the wheel over a part, which stays under the pointer at its top, until what is wanted of it is above the toast. */
async function expectAbove(page: Page, over: Locator, wanted: Locator): Promise<void> {
  await page.locator('.clockbar').getByRole('button', { name: 'Freeze the clock' }).click();
  const said = page.locator('.toast');
  // It stays under the focus.
  await said.getByRole('button', { name: 'Undo' }).focus();
  const top = (await said.boundingBox())?.y ?? 0;
  await over.hover({ position: { x: 30, y: 8 } });
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 10_000);
      const box = await wanted.boundingBox();
      return (box?.y ?? 9_999) + (box?.height ?? 0);
    })
    .toBeLessThanOrEqual(top);
}

test('the last row of a list can be scrolled out from under a toast', async () => {
  for (let n = 0; n < 20; n += 1)
    await inspector.sandbox.call('POST', '/subscriptions', {
      json: { user: { phone: `+155555503${n + 10}` }, signUpSourceId: '100001' },
    });
  const page = await inspector.open('/subscribers', { width: 1024, height: 600 });
  const list = page.locator('.paged-list');
  await expectAbove(page, list, list.getByRole('row').last());
});

test.each(['requests', 'timeline', 'catalog', 'webhooks', 'faults', 'snapshots', 'settings'])(
  'the end of what is chosen in %s can be scrolled out from under a toast',
  async (path) => {
    const { call } = inspector.sandbox;
    await call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/orders', events: ['sms.subscribed'] } });
    await call('POST', '/product-catalog/uploads', { json: {} });
    await call('POST', '/subscriptions', { json: { user: { phone: '+15555550123' }, signUpSourceId: '100001' } });
    const page = await inspector.open(`/${path}`, { width: 1024, height: 420 });
    const scroller = page.locator('.main .scrolls:not(.rows)');
    if (path === 'requests' || path === 'timeline') await page.locator('.listpane .row time').first().click();
    await expectSeen(scroller);
    await expectAbove(page, scroller, scroller.locator('> :visible').last());
  },
);

test.each([
  ['Home', '/', '.cockpit', '.ckr > :last-child'],
  ['the form of Faults', '/faults', '.fl-form', '.fl-form > :last-child'],
  ['the form of Try it', '/try', '.try-scroll', '.try-scroll > :last-child'],
  ['the receiver', '/webhooks?panel=receiver', '.wh-panel', '.wh-panel > :last-child'],
  ['the form that fires an event', '/webhooks?panel=fire', '.wh-panel', '.wh-panel > :last-child'],
])('the end of %s can be scrolled out from under a toast', async (_name, path, over, wanted) => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open(path, { width: 1024, height: 420 });
  await expectAbove(page, page.locator(over), page.locator(wanted));
});

test.each(['/offers', '/subscribers', '/reference'])(
  'a toast does not cover the line that counts the list of %s',
  async (path) => {
    const page = await inspector.open(path, { width: 420, height: 700 });
    const foot = page.locator('.listfoot');
    await expectSeen(foot);
    await page.locator('.clockbar').getByRole('button', { name: 'Freeze the clock' }).click();
    const box = await page.locator('.toast').boundingBox();
    expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual((await foot.boundingBox())?.y ?? 0);
  },
);

/** Twenty more people, in a window where they need two screens, under a toast that stays. */
async function openUnderToast(): Promise<Page> {
  for (let n = 0; n < 20; n += 1)
    await inspector.sandbox.call('POST', '/subscriptions', {
      json: { user: { phone: `+155555503${n + 10}` }, signUpSourceId: '100001' },
    });
  const page = await inspector.open('/subscribers', { width: 1024, height: 600 });
  await expectSeen(page.locator('.paged-list').getByRole('row').nth(5));
  return page;
}
/** Without a press of the mouse, which would say where the next Tab begins. It stays, as the pointer is over it. */
async function raiseToast(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+.');
  const said = page.locator('.toast');
  await said.hover();
  return said;
}
const endOf = async (one: Locator): Promise<number> => {
  const box = await one.boundingBox();
  return (box?.y ?? 9_999) + (box?.height ?? 0);
};

test('each row that the arrow keys choose is above a toast, also the last one', async () => {
  const page = await openUnderToast();
  const said = await raiseToast(page);
  const list = page.locator('.paged-list');
  await list.focus();
  const rows = Number(await list.getAttribute('aria-rowcount'));
  for (let at = 2; at <= rows; at += 1) {
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator(`.paged-list [aria-selected="true"][aria-rowindex="${at}"]`);
    await expect.poll(() => endOf(chosen)).toBeLessThanOrEqual((await said.boundingBox())?.y ?? 0);
  }
});

test('a row that was chosen by the arrow keys is scrolled out from under a toast that comes over it', async () => {
  const page = await openUnderToast();
  const list = page.locator('.paged-list');
  await list.focus();
  const [rows, chosen] = [await list.getAttribute('aria-rowcount'), page.locator('.paged-list [aria-selected="true"]')];
  for (let at = 0; at < Number(rows); at += 1) await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen.getAttribute('aria-rowindex')).toBe(rows);
  const said = await raiseToast(page);
  await expect.poll(() => endOf(chosen)).toBeLessThanOrEqual((await said.boundingBox())?.y ?? 0);
});

test('a button that a toast leaves in sight below it stays where it is when it is pressed by a key', async () => {
  const page = await inspector.open('/try', { width: 1280, height: 600 });
  const send = page.getByRole('button', { name: /^Send/ });
  await expectSeen(send);
  await send.focus();
  const before = await send.boundingBox();
  const said = await raiseToast(page);
  await expectSeen(said);
  expect(await send.boundingBox()).toEqual(before);
  expect(await endOf(said)).toBeLessThanOrEqual(before?.y ?? 0);
});

test('no toast covers what Tab reaches in a form', async () => {
  const page = await inspector.open('/faults', { width: 1024, height: 420 });
  await expectSeen(page.locator('.fl-form'));
  const said = await raiseToast(page);
  const focused = page.locator('.fl-form :focus');
  await page.locator('.fl-form :is(button, input)').first().focus();
  let steps = 0;
  for (; (await focused.count()) > 0; steps += 1) {
    const [at, toast] = [await focused.boundingBox(), await said.boundingBox()];
    const isBeside = (at?.x ?? 0) + (at?.width ?? 0) <= (toast?.x ?? 0);
    const isAbove = (at?.y ?? 0) + (at?.height ?? 0) <= (toast?.y ?? 0);
    expect(isBeside || isAbove || (at?.y ?? 0) >= (toast?.y ?? 0) + (toast?.height ?? 0), `step ${steps}`).toBe(true);
    await page.keyboard.press('Tab');
  }
  expect(steps).toBeGreaterThan(5);
});

test('a pane that is dragged to its end by its scroll bar shows its end above a toast', async () => {
  const page = await openUnderToast();
  const said = await raiseToast(page);
  const list = page.locator('.paged-list');
  // As the scroll bar does: a test browser draws none.
  await list.evaluate((one) => one.scrollTo({ top: one.scrollHeight }));
  await expect.poll(() => endOf(list.getByRole('row').last())).toBeLessThanOrEqual((await said.boundingBox())?.y ?? 0);
});
