import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { clockBar } from '../support/frame.ts';
import { letCome } from '../support/hold-back.ts';
import { act } from '../support/world.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'manual' });

/** The toast that tells what was done last. */
const toast = (page: Page): Locator => page.getByRole('status').filter({ has: page.locator('.toast') });

/** Deletes a sign-up unit in the window; its toast offers to undo that. */
async function deleteUnit(page: Page): Promise<void> {
  await goTo(page, '/sign-up-units/100003');
  await page.getByRole('region', { name: 'The selected sign-up unit' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete the unit' }).click();
  await toast(page).getByRole('button', { name: 'Undo' }).waitFor();
}

/** Looks at the moment before the latest one, from the timeline. */
async function lookOneStepBack(page: Page): Promise<void> {
  await page.getByRole('slider', { name: 'Moment to look at' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('region', { name: 'Looking back' }).waitFor();
}

/** Opens the timeline, advances the clock, and looks at a moment before that. */
async function openBeforeAdvance(): Promise<Page> {
  const page = await inspector.open('/timeline');
  await clockBar(page).getByRole('button', { name: 'Advance by 1 h' }).click();
  await expectSeen(clockBar(page).getByText('virtual +1 h'));
  await lookOneStepBack(page);
  return page;
}

test('while one looks back, the undo of a toast says that nothing can be changed', async () => {
  inspector.allowErrors(/40[49] \(/);
  const page = await inspector.open();
  await deleteUnit(page);
  await goTo(page, '/timeline');
  await lookOneStepBack(page);
  await page.keyboard.press('Control+z');
  await expectSeen(toast(page).getByText('Not undone: Nothing can be changed while you look at an earlier moment.'));
});

test('while one looks back, what moves time is off, and a key says why without a problem that stays', async () => {
  const page = await openBeforeAdvance();
  for (const name of ['Advance to…', 'Advance by 1 h', 'Freeze the clock'])
    expect(await clockBar(page).getByRole('button', { name }).isDisabled(), name).toBe(true);
  await clockBar(page).getByTitle('The clock: speed, and back to real time').click();
  for (const name of ['×60', 'Back to real time'])
    expect(await page.getByRole('dialog').getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  await expectSeen(toast(page).getByText('You are looking at an earlier moment'));
  await page.keyboard.press('Control+Backspace');
  await expectGone(page.getByRole('region', { name: 'Looking back' }));
  expect(await page.getByRole('alert').filter({ hasText: 'earlier moment' }).count()).toBe(0);
  expect(await clockBar(page).getByRole('button', { name: 'Advance to…' }).isDisabled()).toBe(false);
});

test('the refusal of what was tried while one looks back ends with the return to now', async () => {
  inspector.allowErrors(/409 \(/);
  const page = await openBeforeAdvance();
  await goTo(page, '/webhooks?panel=receiver');
  await page.getByRole('button', { name: 'Start the receiver' }).click();
  const problem = page.getByText('Nothing can be changed while you look at an earlier moment.');
  await expectSeen(problem);
  await page.keyboard.press('Control+Backspace');
  await expectGone(problem);
});

test('while one looks back, menus say of what changes something why it cannot be done', async () => {
  const webhook = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  await act(inspector.sandbox, 'POST', '/control/webhooks', webhook);
  const offer = { companyId: demoCompany, name: 'Winter sale', window: 'never-expire' };
  await act(inspector.sandbox, 'POST', '/control/offers', offer);
  const page = await inspector.open('/timeline', { apart: true });
  // One step back from it is after the webhook.
  await expectSeen(page.getByRole('row').filter({ hasText: 'Winter sale' }).first());
  await lookOneStepBack(page);
  const why = 'You are looking at an earlier moment';
  for (const [path, button, lines] of [
    ['/sign-up-units/100003', 'More', ['Delete the unit']],
    ['/offers/54102', 'More', ['Disable API uploads', 'Delete the offer']],
    ['/apps', 'More', ['Rotate the key', 'Delete the app']],
    ['/webhooks', 'More for this webhook', ['Disable', 'Delete']],
  ] as const) {
    await goTo(page, path);
    if (path === '/apps') await page.getByText('Read-only app').click();
    if (path === '/webhooks') await page.getByRole('button', { name: /^localhost:3000\/hooks/ }).click();
    await page.getByRole('button', { name: button, exact: true }).click();
    for (const line of lines) {
      const item = page.getByRole('menuitem', { name: `${line} ${why}` });
      await expectSeen(item);
      expect(await item.getAttribute('aria-disabled'), line).toBe('true');
    }
    await page.keyboard.press('Escape');
  }
});

test('the undo of a toast says that the server cannot be reached, so that no one knows whether it was done', async () => {
  inspector.allowErrors(/Failed to load resource|404/);
  const page = await inspector.open();
  await deleteUnit(page);
  await intercept(page, '**/control/undo', (route) => route.abort());
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expectSeen(toast(page).getByText('The server cannot be reached. It may have done this nevertheless'));
});

/** Saves a snapshot in the window, which cannot be undone. */
async function saveSnapshot(page: Page): Promise<void> {
  await goTo(page, '/snapshots');
  await page.getByRole('textbox', { name: 'Name' }).fill('before');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  onTestFinished(async () => void (await act(inspector.sandbox, 'DELETE', '/control/snapshots/before')));
  await expectSeen(page.getByRole('button', { name: 'More for before' }));
  await page.getByRole('status').getByText('Snapshot “before” saved').waitFor();
  await page.getByRole('heading', { name: 'Saved' }).click();
}
const cannot = /^What was done last cannot be undone\. .*: The sign-up unit .* was deleted\.$/;

test('after what cannot be undone, Ctrl+Z names what it would undo instead, and undoes that when it is pressed again', async () => {
  const { sandbox } = inspector;
  const page = await inspector.open();
  await deleteUnit(page);
  const isThere = (): boolean => sandbox.emulator.deps.store.signUpUnits.get('100003') !== undefined;
  await saveSnapshot(page);
  await page.keyboard.press('Control+z');
  await expectSeen(toast(page).getByText(cannot));
  expect(isThere()).toBe(false);
  await page.keyboard.press('Control+z');
  await expectSeen(toast(page).getByText(/^Undone: The sign-up unit .* was deleted\.$/));
  expect(isThere()).toBe(true);
});

test('Ctrl+Z names what it would undo each time, until that or something else is done', async () => {
  const page = await inspector.open('/', { apart: true });
  await page.clock.install();
  await deleteUnit(page);
  await saveSnapshot(page);
  for (let time = 0; time < 2; time += 1) {
    await page.keyboard.press('Control+z');
    await expectSeen(toast(page).getByText(cannot));
    await page.clock.runFor(9_000);
    await expectGone(toast(page).getByText(cannot));
  }
  expect(inspector.sandbox.emulator.deps.store.signUpUnits.get('100003')).toBeUndefined();
});

test('after an older change was undone in the menu, Ctrl+Z undoes the one before it at once', async () => {
  const page = await inspector.open();
  await act(inspector.sandbox, 'POST', '/control/limits', { mode: 'real' });
  await deleteUnit(page);
  await saveSnapshot(page);
  await page.getByRole('button', { name: /^Undo: / }).click();
  // Newest first.
  await page
    .getByRole('menuitem', { name: /^The sign-up unit .* was deleted/ })
    .first()
    .click();
  await expectSeen(toast(page).getByText(/^Undone: The sign-up unit/));
  await page.keyboard.press('Control+z');
  await expectSeen(toast(page).getByText(/^Undone: .*rate limits/i));
});

test('what was typed comes back with undo after the example was filled in, in its own tab', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  const type = page.getByRole('group', { name: 'type', exact: true }).getByRole('textbox');
  const example = page.getByRole('button', { name: 'Example', exact: true });
  await type.fill('Order Kept');
  await example.click();
  await expectSeen(toast(page).getByText('The example was filled in'));
  await expect.poll(() => type.inputValue()).toBe('Order Shipped');
  await page.keyboard.press('Control+z');
  await expect.poll(() => type.inputValue()).toBe('Order Kept');
  await example.click();
  await goTo(page, '/try/postPurchaseEvents');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => type.inputValue()).toBe('Order Kept');
});

test('a GraphQL query that was typed comes back with undo; an unchanged example has no undo', async () => {
  const page = await inspector.open('/try/graphql');
  const query = page.getByRole('textbox', { name: 'Query' });
  const choose = async (nth: number): Promise<void> => {
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByRole('menuitem').nth(nth).click();
  };
  const [first, typed] = [await query.innerText(), 'query Typed { __typename }'];
  await choose(1);
  await expect.poll(() => query.innerText()).not.toBe(first);
  await expectGone(toast(page));
  await query.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(typed);
  await choose(0);
  await expect.poll(() => query.innerText()).toBe(first);
  await page.keyboard.press('Control+z');
  await expect.poll(() => query.innerText()).toBe(typed);
  await page.getByRole('tab', { name: 'Schema' }).click();
  await page
    .getByRole('button', { name: /^Write an operation with / })
    .first()
    .click();
  await expectSeen(toast(page).getByText('The operation was written'));
  await page.keyboard.press('Control+z');
  await expect.poll(() => query.innerText()).toBe(typed);
});

test('changes of a payload come back with undo after a start over', async () => {
  const page = await inspector.open('/webhooks?fire=1');
  const payload = page.getByRole('textbox', { name: 'Payload' });
  await expect.poll(() => payload.innerText()).toContain('timestamp');
  await page.getByRole('button', { name: 'Start over, without your changes' }).click();
  await expectGone(toast(page));
  await payload.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"typed": ');
  await page.getByRole('button', { name: 'Start over, without your changes' }).click();
  await expect.poll(() => payload.innerText()).toContain('timestamp');
  await expectSeen(toast(page).getByText('Your changes were taken away'));
  await page.keyboard.press('Control+z');
  await expect.poll(() => payload.innerText()).toContain('{"typed":');
});

test('the menu begins with what was done just before it is opened', async () => {
  const page = await inspector.open('/', { apart: true });
  const button = page.getByRole('button', { name: /^Undo/ });
  const create = (name: string) =>
    inspector.sandbox.control('POST', '/control/offers', { companyId: demoCompany, name, window: 'never-expire' });
  await create('First');
  await page.getByRole('button', { name: 'Undo: The offer “First” was created.' }).waitFor();
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  // Told twice: the list is read for the first of them, and not again while time does not pass.
  const read = page.waitForResponse(/\/control\/undo$/);
  await create('Second');
  await read;
  await create('Third');
  await button.click();
  await expectSeen(page.getByRole('menuitem').first().getByText('The offer “Third” was created.'));
});

/** Creates an app in the window, then a webhook with its key; the undo of the toast removes both. */
async function createReader(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'App' }).click();
  const sheet = page.getByRole('dialog', { name: 'New app' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Reader');
  await sheet.getByRole('textbox', { name: /^API key/ }).fill('reader-undo-key');
  await sheet.getByRole('button', { name: 'Create the app' }).click();
  await toast(page).getByRole('button', { name: 'Undo' }).waitFor();
  const json = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  expect((await inspector.sandbox.call('POST', '/webhooks', { json, key: 'reader-undo-key' })).status).toBe(201);
}
const alsoRemoved = 'Undone: The app “Reader” was created. Also removed, as made since then: 1 webhook.';

test('the undo of a toast says what else it removed, long enough to be read', async () => {
  const page = await inspector.open('/apps', { apart: true });
  await createReader(page);
  // A second of a toast takes 20 ms, and is counted.
  await page.evaluate(() => {
    const every = window.setInterval.bind(window);
    Object.assign(window, {
      setInterval: (does: () => void, ms: number) =>
        every(() => (ms === 1_000 && performance.mark('second'), does()), ms === 1_000 ? 20 : ms),
    });
  });
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expectSeen(toast(page).getByText(alsoRemoved));
  // It waits while the pointer is over it.
  await page.mouse.move(5, 5);
  await expectGone(toast(page).getByText(alsoRemoved));
  expect(await page.evaluate(() => performance.getEntriesByName('second').length)).toBeGreaterThan(5);
});

test('what an undo removed is said after the toast of a newer act', async () => {
  const page = await inspector.open('/apps', { apart: true });
  await createReader(page);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let done = (): void => {};
  const isDone = new Promise<void>((resolve) => (done = resolve));
  let isFirst = true;
  await intercept(page, '**/control/undo', async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    done();
    await released;
    return route.fulfill({ response });
  });
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await isDone;
  await page.getByRole('button', { name: 'pace manual' }).click();
  await page.getByRole('menuitemradio', { name: /^Realistic/ }).click();
  await expectSeen(toast(page).getByText('The pace is realistic now'));
  await letCome(page, /\/control\/undo$/, release);
  await expectSeen(toast(page).getByText('The pace is realistic now'));
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expectSeen(toast(page).getByText(alsoRemoved));
});

test('the lines of the open menu stay where they are while something else is done', async () => {
  const page = await inspector.open('/');
  const create = (name: string) =>
    inspector.sandbox.control('POST', '/control/offers', { companyId: demoCompany, name, window: 'never-expire' });
  await create('First');
  await create('Second');
  const trigger = page.getByRole('button', { name: 'Undo: The offer “Second” was created.' });
  await trigger.waitFor();
  const answered = page.waitForResponse(/control\/undo$/);
  await trigger.click();
  const lines = page.getByRole('menuitem');
  await expectSeen(lines.first().getByText('The offer “Second” was created.'));
  await answered;
  await create('Third');
  await page.locator('[aria-label="Undo: The offer “Third” was created."]').waitFor();
  await expectSeen(lines.first().getByText('The offer “Second” was created.'));
  // Shown as the newest one, it is not undone together with what no one saw.
  inspector.allowErrors(/409 \(/);
  await lines.first().click();
  await expectSeen(toast(page).getByText(/^Not undone: .*Third/));
  expect([...inspector.sandbox.emulator.deps.store.offers.all()].map(({ name }) => name)).toContain('Third');
});

test('the open list of what can be undone stays open when all records are replaced', async () => {
  const page = await inspector.open();
  await page.getByRole('button', { name: /^Undo: / }).click();
  const menu = page.getByRole('menu');
  await expectSeen(menu);
  await act(inspector.sandbox, 'POST', '/control/reset', { world: 'start' });
  await page.getByRole('button', { name: /^Undo: Everything was reset/ }).waitFor();
  await expectSeen(menu);
});
