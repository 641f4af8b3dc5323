import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { checkAccess, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { askPalette, clockOf, palette, useRealTimeAfterEach } from '../support/frame.ts';
import { holdBack, letCome } from '../support/hold-back.ts';
import { intercept } from '../support/intercept.ts';
import { act } from '../support/world.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector({ pace: 'realistic' });
useRealTimeAfterEach(inspector);

test('the palette runs an action, and remembers it', async () => {
  const page = await inspector.open('/');
  await askPalette(page, 'dark');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await expect.poll(() => palette(page).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await expect.poll(() => palette(page).getByRole('option').first().textContent()).toContain('Theme: dark');
});

test('the palette finds requests, records, settings and operations', async () => {
  await inspector.sandbox.call('GET', '/me', { key: null });
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' },
  });
  const page = await inspector.open('/');
  await askPalette(page, '401 /me');
  await palette(page).getByRole('option', { name: '401 GET /me' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/#\/requests\/req_/);
  await askPalette(page, '5550177');
  await palette(page).getByRole('option', { name: 'Subscriber +15555550177' }).click();
  await expect.poll(() => page.url()).toContain('#/subscribers/');
  await askPalette(page, 'rate limits');
  await palette(page).getByRole('group', { name: 'Settings' }).getByText('--rate-limits').waitFor();
  for (const title of ['Webhook clock', 'Control token', 'Delays', 'How long things last']) {
    await palette(page).getByRole('combobox').fill(title);
    await palette(page).getByRole('group', { name: 'Settings' }).getByText(title).waitFor();
  }
  await palette(page).getByRole('combobox').fill('delete-request');
  await palette(page).getByRole('group', { name: 'Operations' }).getByText('POST /privacy/delete-request').waitFor();
  await palette(page).getByRole('combobox').fill('override');
  await palette(page).getByRole('option', { name: 'Set a fault…' }).waitFor();
  await palette(page).getByRole('combobox').fill('>subscriptions');
  await expect.poll(() => palette(page).getByRole('group', { name: 'Operations' }).count()).toBe(0);
});

test('that nothing matches in the palette is announced', async () => {
  const page = await inspector.open('/');
  await askPalette(page, '>zzz');
  await expectSeen(palette(page).getByRole('status').getByText('Nothing here matches “zzz”.'));
  await checkAccess(page, '.palette');
});

test('in Webhooks the palette has firing an event once', async () => {
  const page = await inspector.open('/webhooks');
  await page.getByText('Nothing has been delivered yet').waitFor();
  await askPalette(page, 'fire an event');
  await palette(page)
    .getByRole('option', { name: /^Fire an event/ })
    .first()
    .waitFor();
  expect(
    await palette(page)
      .getByRole('option', { name: /^Fire an event/ })
      .count(),
  ).toBe(1);
});

test('a record that is deleted while the palette is open is no longer found', async () => {
  const offer = { companyId: demoCompany, name: 'Winter sale', window: 'never-expire' };
  const { id } = await act<{ id: string }>(inspector.sandbox, 'POST', '/control/offers', offer);
  const page = await inspector.open('/');
  await askPalette(page, 'winter sale');
  await palette(page).getByRole('group', { name: 'Records' }).getByText('Winter sale').waitFor();
  await act(inspector.sandbox, 'DELETE', `/control/offers/${id}`);
  await expectGone(palette(page).getByRole('group', { name: 'Records' }).getByText('Winter sale'));
});

test('a line chosen by the keys stays chosen when one above it goes', async () => {
  const ids: string[] = [];
  for (const name of ['Tern one', 'Tern two', 'Tern three']) {
    const offer = { companyId: demoCompany, name, window: 'never-expire' };
    ids.push((await act<{ id: string }>(inspector.sandbox, 'POST', '/control/offers', offer)).id);
  }
  const page = await inspector.open('/');
  await askPalette(page, '#tern');
  const lines = palette(page).getByRole('group', { name: 'Records' }).getByRole('option');
  await expect.poll(() => lines.count()).toBe(3);
  const names = await lines.allTextContents();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const chosen = palette(page).locator('[data-highlighted]');
  await expect.poll(() => chosen.textContent()).toBe(names[2]);
  const first = ['one', 'two', 'three'].findIndex((word) => names[0]?.includes(word));
  await act(inspector.sandbox, 'DELETE', `/control/offers/${ids[first]}`);
  await expect.poll(() => lines.count()).toBe(2);
  await expect.poll(() => lines.first().getAttribute('data-highlighted')).toBe(null);
  expect(await chosen.textContent()).toBe(names[2]);
});

test('Enter does nothing to a chosen line that is gone: the first line is chosen then', async () => {
  const ids: string[] = [];
  for (const name of ['Plover one', 'Plover two', 'Plover three']) {
    const offer = { companyId: demoCompany, name, window: 'never-expire' };
    ids.push((await act<{ id: string }>(inspector.sandbox, 'POST', '/control/offers', offer)).id);
  }
  const page = await inspector.open('/');
  await askPalette(page, '#plover');
  const lines = palette(page).getByRole('group', { name: 'Records' }).getByRole('option');
  await expect.poll(() => lines.count()).toBe(3);
  const names = await lines.allTextContents();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => palette(page).locator('[data-highlighted]').textContent()).toBe(names[2]);
  const last = ['one', 'two', 'three'].findIndex((word) => names[2]?.includes(word));
  await act(inspector.sandbox, 'DELETE', `/control/offers/${ids[last]}`);
  await expect.poll(() => lines.count()).toBe(2);
  await expect.poll(() => palette(page).locator('[data-highlighted]').allTextContents()).toEqual([names[0]]);
});

test('a long path ends with the mark of a cut text beside each action for its request', async () => {
  await inspector.sandbox.call('GET', `/me?note=${'n'.repeat(80)}`);
  const page = await inspector.open('/requests');
  await page.getByRole('row').filter({ hasText: '/me' }).first().click();
  await page.getByRole('article', { name: 'Request' }).waitFor();
  await askPalette(page, '>pin this request');
  await expectSeen(palette(page).getByRole('option', { name: /Pin this request GET \/v1\/me\?note=n+…/ }));
});

test('a record that is deleted during a search goes when its answer, which still has it, is here', async () => {
  const offer = { companyId: demoCompany, name: 'Winter sale', window: 'never-expire' };
  const { id } = await act<{ id: string }>(inspector.sandbox, 'POST', '/control/offers', offer);
  const page = await inspector.open('/');
  await askPalette(page, 'winter sale');
  const found = palette(page).getByRole('group', { name: 'Records' }).getByText('Winter sale');
  await found.waitFor();
  const search = /\/control\/companies\/\w+\/search/;
  let isFirst = true;
  const held: (() => void)[] = [];
  await intercept(page, search, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    await new Promise<void>((resolve) => held.push(resolve));
    return route.fulfill({ response });
  });
  await act(inspector.sandbox, 'POST', '/control/offers', { ...offer, name: 'Other' });
  await expect.poll(() => held.length).toBe(1);
  await act(inspector.sandbox, 'DELETE', `/control/offers/${id}`);
  await letCome(page, search, () => held[0]?.());
  await expectGone(found);
});

test('the palette creates what the views can create, from every view', async () => {
  const page = await inspector.open('/requests');
  for (const [words, dialog] of [
    ['create an offer', 'New offer'],
    ['create an app', 'New app'],
    ['create sign-up unit', 'New sign-up unit'],
    ['create attribute', 'New attribute'],
    ['create subscriber', 'New subscriber'],
    ['new company', 'New company'],
  ] as const) {
    await askPalette(page, words);
    await palette(page).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: dialog }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await askPalette(page, 'create webhook');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New webhook' }).waitFor();
  expect(page.url()).toContain('#/webhooks');
});

test('the palette fires an event, advances the clock, finds a person by a written number and opens the reference', async () => {
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' },
  });
  const page = await inspector.open('/requests');
  await askPalette(page, 'fire an event');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('fire=1');
  await askPalette(page, 'advance 1 d');
  await palette(page).getByRole('option', { name: 'Advance the clock by 1 d', exact: false }).first().click();
  await expect.poll(async () => (await clockOf(inspector)).mode).toBe('virtual');
  await askPalette(page, '#(555) 555-0177');
  await palette(page).getByRole('option', { name: 'Subscriber +15555550177' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain('#/subscribers/');
  await askPalette(page, 'subscriptions.phone-e164');
  await palette(page).getByRole('group', { name: 'Reference' }).getByRole('option').first().click();
  await expect.poll(() => decodeURIComponent(page.url())).toContain('#/reference/rule:subscriptions.phone-e164');
});

test('Enter runs the first line also where the list has shrunk away from the resting pointer', async () => {
  const page = await inspector.open('/requests');
  await page.keyboard.press('Control+k');
  const options = palette(page).getByRole('option');
  await options.first().waitFor();
  const { x, y, width, height } = (await palette(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height - 20);
  // At once, so that no later letter marks the first line again.
  await page.keyboard.insertText('theme: dark');
  await options.filter({ hasText: 'Theme: dark' }).first().waitFor();
  await expect.poll(() => palette(page).evaluate((element) => element.matches(':hover'))).toBe(false);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
});

test('what one view offers is found and done from every other one', async () => {
  const page = await inspector.open('/requests');
  await askPalette(page, 'gym');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Stress a receiver' }).waitFor();
  const download = page.waitForEvent('download');
  await askPalette(page, 'export');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toMatch(/\.json$/);
  await goTo(page, '/offers');
  await page.getByRole('heading', { name: 'Offers' }).waitFor();
  const chooser = page.waitForEvent('filechooser');
  await askPalette(page, 'import');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{') });
  await page.getByRole('alert').getByText('“x.json” is not JSON').waitFor();
});

test('hostile names are text in the palette, in the company switch and in the status bar', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const [offer] = store.offers.all();
  const [company] = store.companies.all();
  if (!offer || !company) throw new Error('The demo world has an offer and a company.');
  store.transact(() => {
    store.offers.put({ ...offer, name: xss });
    store.companies.put({ ...company, name: xss });
  });
  const page = await inspector.open('/');
  await askPalette(page, 'window.__xss');
  await palette(page).getByRole('group', { name: 'Records' }).getByText('onerror').waitFor();
  await palette(page).getByRole('combobox').fill(xss);
  await palette(page).getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByTitle(/^Company: /).click();
  await page.getByRole('menuitemradio').first().waitFor();
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
});

test('the palette is accessible in both themes', async () => {
  const page = await inspector.open('/requests');
  await askPalette(page, 'p');
  await palette(page).getByRole('group', { name: 'Records' }).waitFor();
  await checkAccess(page);
});

test('the palette opens the form of a fault, whose first field has the focus, each time', async () => {
  const page = await inspector.open('/');
  const operation = page.getByRole('combobox', { name: /^Operation/ });
  for (let round = 0; round < 2; round += 1) {
    await askPalette(page, 'override the next reply');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/faults');
    await expect.poll(() => operation.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Set this fault' }).focus();
  }
});

test('Enter before a person is found waits for them, and opens no one of the question before', async () => {
  const search = /\/control\/companies\/[^/]+\/search/;
  const page = await inspector.open('/requests');
  await askPalette(page, 'ada@');
  const ada = palette(page).getByRole('option', { name: 'Subscriber +15555550100' });
  await ada.waitFor();
  const release = await holdBack(page, search);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('katherine@example.com');
  await page.keyboard.press('Enter');
  await expectGone(ada);
  release();
  await expectGone(palette(page));
  await page.getByRole('heading', { name: '+1 555 555 0103', exact: true }).waitFor();
});

test('Enter that waited for an answer does nothing for another question', async () => {
  const page = await inspector.open('/requests');
  const search = /\/control\/companies\/[^/]+\/search/;
  const release = await holdBack(page, search);
  await askPalette(page, 'katherine@example.com');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Backspace');
  await letCome(page, search, release);
  await expectSeen(palette(page).getByRole('option', { name: 'Subscriber +15555550103' }));
});
