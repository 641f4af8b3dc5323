import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, useInspector } from '../support/browser.ts';
import { holdBack, letCome } from '../support/hold-back.ts';
import { askPalette, clockOf, palette, requestDeletion, useRealTimeAfterEach } from '../support/frame.ts';
import { sectionList } from '../../renderer/section-list.ts';

const inspector = useInspector({ pace: 'realistic' });
useRealTimeAfterEach(inspector);

const hint = (page: Page) => page.getByRole('status', { name: 'Keys that can follow' });

test('g and a letter go to each section, from each section', async () => {
  const page = await inspector.open('/');
  for (const { chord, title } of sectionList.toReversed()) {
    await page.keyboard.press('g');
    await page.keyboard.press(chord);
    await expect.poll(() => page.title()).toBe(`${title} · Sandpiper`);
  }
});

test('after the first letter the window shows which can follow; a letter that cannot does nothing', async () => {
  const { id } = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('article', { name: 'Request' }).getByText('/v1/me').first().waitFor();
  await page.keyboard.press('a');
  await hint(page).getByText('Advance the clock by 1 day').waitFor();
  await checkAccess(page);
  // Alone it would replay the request.
  await page.keyboard.press('r');
  await expect.poll(() => hint(page).count()).toBe(0);
  await page.keyboard.press('a');
  await page.keyboard.press('Escape');
  await expect.poll(() => hint(page).count()).toBe(0);
  expect(inspector.sandbox.emulator.recorder.size).toBe(1);
  await page.keyboard.press('r');
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(2);
});

test('Shift and a letter with Mod are the same where the letter stays small, as with ⌘ on a Mac and with Caps Lock', async () => {
  const { control } = inspector.sandbox;
  await control('POST', '/control/faults', { operation: 'GET /me', status: 500 });
  const page = await inspector.open('/faults');
  const fault = page.getByRole('button', { name: 'Remove: GET /me, status 500' });
  await fault.waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(/^Undone: /).waitFor();
  await page.keyboard.press('Control+Shift+z');
  await page.getByText(/^Redone: /).waitFor();
  await expect.poll(() => fault.count()).toBe(1);
});

test('on a keyboard that writes Cyrillic, the keys are where they are on one that writes Latin letters', async () => {
  const page = await inspector.open('/');
  const press = (key: string, code: string, ctrlKey = false) =>
    page.evaluate(
      (init) => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })),
      { key, code, ctrlKey },
    );
  await press('п', 'KeyG');
  await press('к', 'KeyR');
  await expect.poll(() => page.title()).toBe('Requests · Sandpiper');
  await press('л', 'KeyK', true);
  await palette(page).waitFor();
});

test('after a section that was left before its code came, what is typed goes where it is typed', async () => {
  const page = await inspector.open('/');
  const code = /\/assets\/WebhooksView-.*\.js/;
  const release = await holdBack(page, code);
  const asked = page.waitForRequest(code);
  await page.keyboard.type('gw');
  const address = (await asked).url();
  await page.keyboard.type('gr');
  await expect.poll(() => page.title()).toBe('Requests · Sandpiper');
  await letCome(page, code, release);
  await page.evaluate(`import("${address}")`);
  // A key of Home, which has nothing to do here.
  await page.keyboard.type('u');
  const filter = page.getByRole('combobox', { name: 'Filter' });
  await page.keyboard.type('/method');
  await expect.poll(() => filter.inputValue()).toBe('method');
});

test('no single letter moves time, in no view; a chord does', async () => {
  // Its link expires in an hour, so that this is ahead at the end of a slow test, too.
  await inspector.sandbox.call('POST', '/product-catalog/uploads', { json: {} });
  const page = await inspector.open('/');
  for (const { name, chord } of sectionList) {
    await page.keyboard.type(`g${chord}`);
    await page.keyboard.press('n');
    expect((await clockOf(inspector)).mode, name).toBe('real');
  }
  await page.keyboard.type('an');
  await expect.poll(async () => (await clockOf(inspector)).mode).toBe('virtual');
});

test('the view that a chord, a link or Back leads to is announced', async () => {
  const page = await inspector.open('/requests');
  const expectAnnounced = (name: string): Promise<void> =>
    page.getByRole('status').getByText(name, { exact: true }).waitFor({ state: 'attached' });
  await page.keyboard.type('gw');
  await expectAnnounced('Webhooks');
  await page.getByRole('link', { name: 'Offers' }).press('Enter');
  await expectAnnounced('Offers');
  await page.goBack();
  await expectAnnounced('Webhooks');
});

test('behind the palette, a menu, a popover and a dialog no key acts, neither a chord nor one with Ctrl', async () => {
  await requestDeletion(inspector);
  const page = await inspector.open('/requests');
  const tryKeys = async (): Promise<void> => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const keys of ['gw', 'an']) await page.keyboard.type(keys);
    for (const key of ['Control+4', 'Control+.']) await page.keyboard.press(key);
    expect(await page.title()).toBe('Requests · Sandpiper');
    expect((await clockOf(inspector)).mode).toBe('real');
  };
  await askPalette(page, 'zzz');
  await tryKeys();
  await page.keyboard.press('Control+k');
  await expect.poll(() => palette(page).count()).toBe(0);
  await page.getByRole('button', { name: 'More for this list' }).click();
  await page.getByRole('menu').waitFor();
  await tryKeys();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keys and help' }).click();
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await tryKeys();
});

test('chords are in the list of keys and in the palette, and a key that begins one is not given away', async () => {
  const page = await inspector.open('/');
  await page.keyboard.press('?');
  const row = page.getByRole('dialog', { name: 'Keys' }).locator('dl > div', { hasText: 'Go to Webhooks' });
  expect((await row.locator('kbd').allInnerTexts()).slice(0, 2)).toEqual(['G', 'W']);
  await page.keyboard.press('Escape');
  await askPalette(page, '>go to faults');
  const line = palette(page).getByRole('option', { name: 'Go to Faults and limits' });
  expect(await line.locator('kbd').allInnerTexts()).toEqual(['G', 'F']);
  await page.keyboard.press('Escape');
  await page.keyboard.type('g,');
  await page.getByRole('button', { name: 'Change: These keys' }).click();
  await page.keyboard.press('g');
  await page.getByRole('alert').getByText('G begins other keys: Go to Home.').waitFor();
});

test('a letter that sends something again acts only from its own list or detail', async () => {
  const json = { user: { phone: '5555550100' }, signUpSourceId: '100001' };
  const { id } = await (await inspector.sandbox.call('POST', '/subscriptions', { json })).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('button', { name: 'Replay with this fix' }).waitFor();
  const elsewhere = [
    () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur()),
    () => page.getByRole('group', { name: 'Advance by' }).getByRole('button').first().focus(),
    () => page.getByRole('link', { name: /^Requests/ }).focus(),
  ];
  for (const leave of elsewhere) {
    await leave();
    await page.keyboard.type('fr');
    // It comes after them, so they have acted by then.
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('work only in their own list or detail').waitFor();
    await page.keyboard.press('Escape');
  }
  expect(inspector.sandbox.emulator.recorder.size).toBe(1);
  // One that changes nothing acts without a focus, but not from the clock.
  const pinned = page.getByRole('button', { name: 'Pinned 1' });
  await page.getByRole('group', { name: 'Advance by' }).getByRole('button').first().focus();
  await page.keyboard.press('p');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('p');
  await pinned.waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('r');
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(2);
});
