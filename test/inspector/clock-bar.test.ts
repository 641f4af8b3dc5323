import { expect, test } from 'vitest';
import type { ClockView } from '../../emulator/control/calls.ts';
import { startReceiver } from '../delivery/support.ts';
import { checkAccess, expectGone, expectSeen, useInspector } from '../support/browser.ts';
import { askPalette, clockBar, clockOf, requestDeletion, toast, useRealTimeAfterEach } from '../support/frame.ts';
import { holdBack } from '../support/hold-back.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'realistic' });
useRealTimeAfterEach(inspector);

test('the clock advances by a click, says what fell due, and undo rewinds it', async () => {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const id = await requestDeletion(inspector);
  const page = await inspector.open('/requests');
  await clockBar(page).getByText(`Privacy request ${id} starts to be processed`).waitFor();
  await clockBar(page).getByRole('button', { name: 'Advance by 12 h' }).click();
  await toast(page, `Advanced by 12 h. Privacy request ${id} starts to be processed`).waitFor();
  await clockBar(page)
    .getByText(/^frozen \+(?:12 h|11 h 59 m)$/)
    .waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await clockBar(page).getByText(`Privacy request ${id} starts to be processed`).waitFor();
  const { body } = await inspector.sandbox.control('GET', `/control/records/privacy-requests/${id}`);
  expect(body).toMatchObject({ state: 'received' });
});

/** Something that falls due in an hour, and then takes until it is released. */
async function putSlow(): Promise<() => void> {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const { clock } = inspector.sandbox.emulator.deps;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  clock.at('slow', clock.now() + 3_600_000, 'something slow', () => released);
  return release;
}

test('a long advance shows how far it is, and stops where it came to', async () => {
  const release = await putSlow();
  const before = Date.parse((await clockOf(inspector)).now);
  const page = await inspector.open('/');
  await clockBar(page).getByRole('button', { name: 'Advance by 30 d' }).click();
  await clockBar(page).getByText('0 to go · 1 thing fell due').waitFor();
  await checkAccess(page);
  await clockBar(page).getByRole('button', { name: 'Stop here' }).click();
  await toast(page, /^Stopped at /).waitFor();
  release();
  expect(Date.parse((await clockOf(inspector)).now) - before).toBe(3_600_000);
  await expect.poll(() => clockBar(page).getByRole('button', { name: 'Stop here' }).count()).toBe(0);
});

test('in a narrow window nothing covers how far an advance is; stopped elsewhere, it takes no keyboard focus away', async () => {
  const release = await putSlow();
  const page = await inspector.open('/', { width: 800 });
  const beside = await inspector.open('/', { beside: page });
  await clockBar(page).getByRole('button', { name: 'Advance by 30 d' }).click();
  const [stop, acts] = [clockBar(page).getByRole('button', { name: 'Stop here' }), page.locator('.advance')];
  const says = clockBar(page).getByText(/^0 to go · 1 thing fell due/);
  await expectSeen(says);
  for (const width of [800, 640, 420]) {
    await page.setViewportSize({ width, height: 700 });
    const [text, button, after] = [await says.boundingBox(), await stop.boundingBox(), await acts.boundingBox()];
    expect(text?.width, `${width}`).toBeGreaterThan(100);
    expect((text?.x ?? 9_999) + (text?.width ?? 0), `${width}`).toBeLessThanOrEqual(button?.x ?? 0);
    expect((button?.x ?? 9_999) + (button?.width ?? 0), `${width}`).toBeLessThanOrEqual(after?.x ?? 0);
  }
  await stop.focus();
  await clockBar(beside).getByRole('button', { name: 'Stop here' }).press('Enter');
  for (const one of [page, beside]) {
    await expectGone(clockBar(one).getByRole('button', { name: 'Stop here' }));
    await expectSeen(clockBar(one).locator('.clocknow:focus'));
  }
  release();
  await toast(page, /^Stopped at /).waitFor();
});

test('in a narrow window what is opened of the clock stays where it is while time is advanced elsewhere', async () => {
  const release = await putSlow();
  const page = await inspector.open('/', { width: 640 });
  await page.locator('.clocknow').click();
  const opened = page.getByRole('dialog');
  await expectSeen(opened);
  const before = await opened.boundingBox();
  const advanced = inspector.sandbox.control('POST', '/control/clock', { advance: '30d' });
  await expectSeen(clockBar(page).getByRole('button', { name: 'Stop here', includeHidden: true }));
  // Above its button, whose edges are not quite those of before.
  expect((await opened.boundingBox())?.y).toBeGreaterThan((before?.y ?? 0) - 20);
  release();
  await advanced;
});

test('the rewind button goes back before the last advance, and says to which', async () => {
  const page = await inspector.open('/');
  await clockBar(page).getByText('real', { exact: true }).waitFor();
  await clockBar(page).getByRole('button', { name: 'Advance by 30 d' }).click();
  await clockBar(page).getByText('virtual +30 d').waitFor();
  await clockBar(page)
    .getByRole('button', { name: /^Rewind to before this: Time was advanced by 30 d/ })
    .click();
  await clockBar(page).getByText('real', { exact: true }).waitFor();
  expect((await clockOf(inspector)).mode).toBe('real');
});

test('redo goes forward again after a rewind, with what was done after the jump', async () => {
  const page = await inspector.open('/');
  await clockBar(page).getByText('real', { exact: true }).waitFor();
  await clockBar(page).getByRole('button', { name: 'Advance by 30 d' }).click();
  await clockBar(page).getByText('virtual +30 d').waitFor();
  const { id } = (
    await inspector.sandbox.control('POST', '/control/webhooks', {
      url: 'http://localhost:3000/hooks',
      events: ['sms.sent'],
    })
  ).body as { readonly id: string };
  await clockBar(page)
    .getByRole('button', { name: /^Rewind to before this/ })
    .click();
  await clockBar(page).getByText('real', { exact: true }).waitFor();
  const { store } = inspector.sandbox.emulator.deps;
  expect(store.webhooks.get(id)).toBeUndefined();
  await page.getByRole('button', { name: /^Undo: / }).click();
  await page.getByRole('menuitem', { name: /^Redo: Time was advanced by 30 d.*And later changes/ }).click();
  await toast(page, /^Redone: Time was advanced by 30 d.* Also redone: 1 later change\./).waitFor();
  await clockBar(page).getByText('virtual +30 d').waitFor();
  expect(store.webhooks.get(id)).toBeDefined();
  await page
    .getByRole('button', { name: /^Undo: The webhook to http:\/\/localhost:3000\/hooks was created/ })
    .waitFor();
});

test('a frozen clock does not move, says so, and is resumed by a key', async () => {
  await requestDeletion(inspector);
  const page = await inspector.open('/requests');
  await clockBar(page).getByRole('button', { name: 'Freeze the clock' }).click();
  await page.getByText('The clock is frozen, so no timer runs').waitFor();
  await clockBar(page).getByText('frozen').waitFor();
  expect((await clockOf(inspector)).mode).toBe('frozen');
  const before = await clockBar(page).locator('time').first().textContent();
  // Longer than the second after which a running clock would show another one.
  await expect
    .poll(() => page.evaluate(() => performance.now()))
    .toBeGreaterThan((await page.evaluate(() => performance.now())) + 1_200);
  expect(await clockBar(page).locator('time').first().textContent()).toBe(before);
  await page.keyboard.press('Control+.');
  await expect.poll(async () => (await clockOf(inspector)).mode).not.toBe('frozen');
  await expect.poll(() => page.getByText('The clock is frozen, so what').count()).toBe(0);
});

test('freezing, the pace of time and the pace of states are each undone, and redone from the menu', async () => {
  const page = await inspector.open('/requests');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await clockBar(page).getByRole('button', { name: 'Freeze the clock' }).click();
  await toast(page, /^The clock was frozen at /).waitFor();
  await undo.click();
  await expect.poll(async () => (await clockOf(inspector)).frozenAt).toBeNull();
  await clockBar(page).getByRole('button', { name: 'Freeze the clock' }).waitFor();
  await page.getByRole('button', { name: /^Undo: / }).click();
  await page.getByRole('menuitem', { name: /^Redo: The clock was frozen at / }).click();
  await expect.poll(async () => (await clockOf(inspector)).mode).toBe('frozen');
  await clockBar(page).getByRole('button', { name: 'Unfreeze the clock' }).click();
  await toast(page, 'The clock runs again').waitFor();
  await undo.click();
  await expect.poll(async () => (await clockOf(inspector)).mode).toBe('frozen');

  await askPalette(page, 'let time pass ×60');
  await page.keyboard.press('Enter');
  await toast(page, 'Time passes 60 times as fast').waitFor();
  await undo.click();
  await expect.poll(async () => (await clockOf(inspector)).rate).toBe(1);

  await askPalette(page, 'pace: manual');
  await page.keyboard.press('Enter');
  await toast(page, 'The pace is manual now').waitFor();
  await undo.click();
  await expect.poll(async () => (await clockOf(inspector)).pace).toBe('realistic');
});

test('time moves to a typed date, and invalid text shows how to write one', async () => {
  const page = await inspector.open('/');
  await clockBar(page).getByRole('button', { name: 'Advance to…' }).click();
  const field = page.getByRole('textbox', { name: 'Advance to' });
  await field.fill('someday soon');
  await page.getByRole('alert').getByText('Not a time. Write it like').waitFor();
  await field.press('Enter');
  expect((await clockOf(inspector)).mode).toBe('real');
  await field.fill('2031-02-03 10:15');
  await page.getByText('3 Feb 2031, 10:15').waitFor();
  // How long that is changes by itself: it is not said each time.
  await expectSeen(page.locator('.momentsays [aria-live="off"]').filter({ hasText: /^\d+ d \d+ h$/ }));
  await field.press('Enter');
  await clockBar(page)
    .getByText(/Mon 3 Feb 2031, 10:15:\d\d/)
    .waitFor();
  expect((await clockOf(inspector)).now).toMatch(/^2031-02-03T10:15/);
});

test('a mark on the line shows what will fire before it advances to it', async () => {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const id = await requestDeletion(inspector);
  const { now } = await clockOf(inspector);
  const page = await inspector.open('/');
  await clockBar(page)
    .getByRole('button', { name: new RegExp(`^Privacy request ${id} .*Advance to it$`) })
    .click();
  const asked = page.getByRole('dialog', { name: /^Advance by \d+ .*1 thing on the way/ });
  await asked.getByText(`Privacy request ${id} starts to be processed`).waitFor();
  expect((await clockOf(inspector)).now).toBe(now);
  await asked.getByRole('button', { name: 'Advance', exact: true }).click();
  await toast(page, /^Advanced to .* Privacy request .* starts to be processed/).waitFor();
  const { body } = await inspector.sandbox.control('GET', `/control/records/privacy-requests/${id}`);
  expect(body).toMatchObject({ state: 'processing' });
});

test('what is overdue while the server has much to do is next, and counted', async () => {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  await requestDeletion(inspector);
  const page = await inspector.open('/');
  await intercept(page, '**/control/clock', async (route) => {
    const answer = await route.fetch();
    const { upcoming, ...view } = (await answer.json()) as ClockView;
    const [due] = upcoming.map((one) => ({ ...one, at: new Date(Date.parse(view.now) - 60_000).toISOString() }));
    return route.fulfill({ response: answer, json: { ...view, upcoming: [due, due], upcomingCount: 3_004 } });
  });
  await page.reload();
  await expectSeen(clockBar(page).getByText('now', { exact: true }));
  await expectSeen(clockBar(page).getByRole('button', { name: '999+ more' }));
});

test('of more than the hundred things that are listed, at least so many are said to be on the way, and later how many fell due', async () => {
  const { sandbox } = inspector;
  await sandbox.control('POST', '/control/clock', { freeze: true });
  const { clock } = sandbox.emulator.deps;
  const dayLater = clock.now() + 86_400_000;
  for (let count = 0; count < 1_002; count += 1)
    clock.at(`catalog upload:${count}:expire`, dayLater, 'link expires', () => {});
  const page = await inspector.open('/');
  await clockBar(page)
    .getByRole('button', { name: /and at least 96 more\. Advance to it$/ })
    .click();
  await expectSeen(page.getByRole('dialog', { name: /at least 100 things on the way$/ }));
  await page.keyboard.press('Escape');
  await clockBar(page).getByRole('button', { name: 'Advance to…' }).click();
  const asked = page.getByRole('dialog');
  await page.getByRole('textbox', { name: 'Advance to' }).fill('1m');
  await expectSeen(asked.getByText('Nothing falls due until then.'));
  await page.getByRole('textbox', { name: 'Advance to' }).fill('3d');
  await expectSeen(asked.getByText('in 3 d, with at least 100 things on the way:'));
  await expectSeen(asked.getByText('and at least 80 more later'));
  await page.keyboard.press('Enter');
  await expectSeen(toast(page, /, and 1,001 more things fell due$/));
});

test('an advance to the next attempt of a delivery that is past by now leaves time as it is', async () => {
  const { url } = await startReceiver((response) => response.writeHead(500).end());
  const { sandbox } = inspector;
  await sandbox.control('POST', '/control/clock', { freeze: true });
  await sandbox.control('POST', '/control/webhooks', { url, events: ['email.opened'] });
  await sandbox.control('POST', '/control/trigger', { type: 'email.opened' });
  const page = await inspector.open('/webhooks');
  const advance = page.getByRole('article', { name: 'Delivery' }).getByRole('button', { name: /^Advance/ });
  await advance.waitFor();
  const release = await holdBack(page, /\/control\/(?:deliveries|webhooks)/);
  await sandbox.control('POST', '/control/clock', { advance: '1d' });
  await clockBar(page)
    .getByText(/^frozen \+(?:1 d|23 h 59 m)$/)
    .waitFor();
  const { now } = await clockOf(inspector);
  await advance.click();
  await toast(page, /^Advanced to /).waitFor();
  expect((await clockOf(inspector)).now).toBe(now);
  release();
});

test('at the last moment that a clock can show, the window shows it and goes on', async () => {
  const { clock } = inspector.sandbox.emulator.deps;
  const last = 8_640_000_000_000_000;
  await clock.set(last - 60_000);
  clock.rate(60);
  const page = await inspector.open('/');
  await clockBar(page)
    .getByText(/13 Sep 275760, 00:00:00/)
    .waitFor();
  await requestDeletion(inspector);
  expect((await clockOf(inspector)).now).toBe('+275760-09-13T00:00:00.000Z');
});

test('time is accelerated, and made real again', async () => {
  const page = await inspector.open('/');
  await clockBar(page).getByTitle('The clock: speed, and back to real time').click();
  const asked = page.getByRole('dialog', { name: 'The clock' });
  await asked.getByRole('button', { name: '×60', exact: true }).click();
  await clockBar(page).getByText('×60').waitFor();
  expect((await clockOf(inspector)).rate).toBe(60);
  await asked.getByRole('button', { name: 'Back to real time' }).click();
  await clockBar(page).getByText('real', { exact: true }).waitFor();
  expect(await clockOf(inspector)).toMatchObject({ mode: 'real', rate: 1, offsetMs: 0 });
});

test('what was changed in a popover of the clock is undone with the key that its toast shows, which is said', async () => {
  const page = await inspector.open('/requests');
  const now = clockBar(page).getByRole('button', { name: /^The clock: / });
  await now.press('Enter');
  const faster = page.getByRole('dialog').getByRole('button', { name: '×60', exact: true });
  await faster.press('Enter');
  await expectSeen(toast(page, 'Time passes 60 times as fast'));
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await clockOf(inspector)).rate).toBe(1);
  await expectSeen(toast(page, 'Undone: The rate of the clock was changed to 60, from 1.'));
  await expectSeen(faster.and(page.locator(':focus')));
});

test('the frame and the clock’s popovers are accessible in both themes', async () => {
  await requestDeletion(inspector);
  const page = await inspector.open('/requests');
  await clockBar(page).getByRole('button', { name: 'Advance to…' }).click();
  await page.getByRole('textbox', { name: 'Advance to' }).fill('3d');
  await page.getByText('on the way').waitFor();
  await checkAccess(page);
});

test.for([
  [2, false, '2'],
  [2, true, '2 and the new time'],
  [0, true, 'The new time'],
] as const)(
  'after an advance the toast says what could not be stored, and why: %i, %s',
  async ([count, time, what]) => {
    const page = await inspector.open('/');
    await intercept(page, '**/control/clock', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const answer = await route.fetch();
      const json = (await answer.json()) as object;
      return route.fulfill({
        response: answer,
        json: { ...json, putOff: { count, time, says: 'The disk was full.' } },
      });
    });
    await clockBar(page).getByRole('button', { name: 'Advance by 12 h' }).click();
    await expectSeen(
      toast(
        page,
        new RegExp(`^Advanced by 12 h.*\\. ${what} could not be stored and will be tried again: The disk was full\\.`),
      ),
    );
  },
);
