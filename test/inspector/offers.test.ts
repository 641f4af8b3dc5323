import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { SettingsView } from '../../emulator/control/calls.ts';
import { codeLimit } from '../../emulator/features/offers/rules.ts';
import { checkAccess, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { holdBack, nextFrame } from '../support/hold-back.ts';
import { tabTo } from '../support/keyboard.ts';
import { xssStrings } from '../support/xss.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector({ pace: 'manual' });

const offers = () => [...inspector.sandbox.emulator.deps.store.offers.all()];
const upload = (id: string, codes: readonly string[], dates: object = {}) =>
  inspector.sandbox.call('POST', `/coupons/coupon-pool/${id}/create`, { json: { codes, ...dates } });
const january = { distributionStart: '2027-01-01T00:00:00Z', distributionStop: '2027-01-10T00:00:00Z' };

test('an offer is created, and codes uploaded through the API become visible', async () => {
  const page = await inspector.open('/offers');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New offer' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Autumn');
  await sheet.getByRole('combobox').click();
  await sheet.getByRole('option', { name: /Never expire/ }).click();
  await sheet.getByRole('button', { name: 'Create the offer' }).click();
  await page.getByText('The offer “Autumn” was created').waitFor();
  const detail = page.getByRole('region', { name: 'The selected offer' });
  await detail.getByText('It has no codes yet.').waitFor();

  const { id = '' } = offers().find(({ name }) => name === 'Autumn') ?? {};
  expect((await upload(id, ['AUTUMN-1', 'AUTUMN-2', 'AUTUMN-2', 'LATE-1'])).status).toBe(202);
  await detail.getByText('AUTUMN-1', { exact: true }).waitFor();
  await detail.getByText('3 codes', { exact: true }).first().waitFor();
  await page.getByRole('row', { name: /Autumn\s*3 codes\s*SYNCING/ }).waitFor();
  await detail.getByRole('textbox', { name: 'Search the codes' }).fill('late');
  await detail.getByText('1 of 3 codes').waitFor();
  await detail.getByText('LATE-1', { exact: true }).waitFor();
  expect(await detail.getByText('AUTUMN-1', { exact: true }).count()).toBe(0);
  await detail.getByRole('button', { name: 'Finish the sync' }).click();
  await page.getByText('Offer is ACTIVE now').waitFor();
});

test('the search of offers finds one that is older than those that are listed', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const first = store.offers.get('54100')!;
  store.transact(() => {
    for (let at = 0; at < 1_000; at++) store.offers.put({ ...first, id: `7${at}`, name: `Batch ${at}` });
  });
  const page = await inspector.open('/offers');
  const search = page.getByRole('textbox', { name: 'Search: Offers' });
  await search.fill(first.name);
  await page.getByRole('grid', { name: 'Offers' }).getByRole('row', { name: first.name }).click();
  await expectSeen(page.getByRole('heading', { name: first.name }));
  await expectSeen(page.getByText('1 of 1,004 offers', { exact: true }));
});

test('a second press of “Show 50 more” before the answer lists no code twice, and as many stay listed when others come', async () => {
  const codes = Array.from({ length: 160 }, (_, at) => `MANY-${at}`);
  expect((await upload('54100', codes, january)).status).toBe(202);
  const page = await inspector.open('/offers/54100');
  const listed = page.getByRole('list', { name: 'Codes' }).getByRole('listitem');
  await expect.poll(() => listed.count()).toBe(50);
  let answers = 0;
  page.on('requestfinished', (request) => void (answers += request.url().includes('offset=50') ? 1 : 0));
  const release = await holdBack(page, /offset=50/);
  await page.getByRole('button', { name: 'Show 50 more' }).dblclick();
  release();
  await expect.poll(() => answers).toBe(2);
  await nextFrame(page);
  const shown = await listed.locator('code').allInnerTexts();
  expect([shown.length, new Set(shown).size]).toEqual([100, 100]);
  const readAgain = page.waitForResponse(/\/codes\?.*offset=0/);
  await upload('54100', ['ONE-MORE'], january);
  await (await readAgain).finished();
  await expectSeen(page.getByRole('button', { name: 'Show 50 more' }));
  await expectSeen(page.getByText('161 codes', { exact: true }).first());
  expect(await listed.count()).toBe(100);
});

test('overlapping dates are refused in the diagram, with the rule and a fix that passes', async () => {
  await upload('54100', ['A'], january);
  const page = await inspector.open('/offers/54100');
  await page.getByText('An upload with these dates would be accepted.').waitFor();
  await page.getByRole('textbox', { name: 'Try distributionStart' }).fill('2027-01-05T00:00:00Z');
  await page.getByText('overlaps an earlier upload').waitFor();
  await page.getByText('offers.range-overlap').waitFor();
  await page.getByText('refused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Start where the stored range ends' }).click();
  await page.getByText('An upload with these dates would be accepted.').waitFor();
  expect(inspector.sandbox.emulator.deps.store.offerUploads.size).toBe(1);
});

test('the dates that are proposed follow the clock and new uploads until they are written by hand', async () => {
  const page = await inspector.open('/offers/54100');
  const start = page.getByRole('textbox', { name: 'Try distributionStart' });
  await inspector.sandbox.control('POST', '/control/clock', { set: '2027-01-02T10:00:00Z' });
  await expect.poll(() => start.inputValue()).toBe('2027-01-03T00:00:00Z');
  await upload('54100', ['A'], january);
  await expect.poll(() => start.inputValue()).toBe('2027-01-10T00:00:00Z');
  await page.getByText('An upload with these dates would be accepted.').waitFor();
  const stop = page.getByRole('textbox', { name: 'Try distributionStop' });
  await stop.fill('2027-02-01T00:00:00Z');
  await inspector.sandbox.control('POST', '/control/clock', { set: '2027-03-02T10:00:00Z' });
  await page.getByText('the period of 1 has ended').waitFor();
  expect([await start.inputValue(), await stop.inputValue()]).toEqual(['2027-01-10T00:00:00Z', '2027-02-01T00:00:00Z']);
});

test('pools show what may be distributed now, later, or no longer', async () => {
  await upload('54100', ['A', 'B'], january);
  const page = await inspector.open('/offers/54100');
  await page.getByText('0 codes may be distributed now, 2 later').waitFor();
  await inspector.sandbox.control('POST', '/control/clock', { set: '2027-01-02T00:00:00Z' });
  await page.getByText('2 codes may be distributed now').waitFor();
  await inspector.sandbox.control('POST', '/control/clock', { set: '2027-02-02T00:00:00Z' });
  await expectSeen(page.getByText('the period of 2 has ended'));
});

test('an offer is closed to uploads and deleted, and both are undone', async () => {
  inspector.allowErrors(/404/);
  const page = await inspector.open('/offers/54102');
  const more = page.getByRole('region', { name: 'The selected offer' }).getByRole('button', { name: 'More' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Disable API uploads' }).click();
  await page.getByText('they are answered with 403').waitFor();
  expect((await upload('54102', ['A'])).status).toBe(403);
  await page.keyboard.press('Control+z');
  await page.getByText('they are answered with 403').waitFor({ state: 'detached' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete the offer' }).click();
  await page.getByText('This offer does not exist').waitFor();
  await page.getByText('it does not belong to Sandpiper Supply Co., the company that you are looking at.').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect((await upload('54102', ['A'])).status).toBe(202);
});

test('an offer is created with the keyboard alone, and a refused name says why in place', async () => {
  inspector.allowErrors(/400/);
  const page = await inspector.open('/offers');
  await tabTo(page, page.getByRole('button', { name: 'New', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New offer' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('needs a name').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'By keys' }).waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(() => offers().some(({ name }) => name === 'By keys')).toBe(false);
});

test('the view is accessible, and shows names and codes as text', async () => {
  await inspector.sandbox.control('POST', '/control/offers/54100', { name: xssStrings.slice(0, 4).join(' ') });
  await upload('54100', xssStrings, january);
  const page = await inspector.open('/offers/54100');
  await page.getByText(xssStrings[12] ?? '', { exact: true }).waitFor();
  await checkAccess(page);
  await page.getByRole('region', { name: 'The selected offer' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog', { name: 'Edit the offer' }).waitFor();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('codes that came while others were read stay listed when the answer about those comes later', async () => {
  const page = await inspector.open('/offers/54100');
  const detail = page.getByRole('region', { name: 'The selected offer' });
  await detail.getByText('It has no codes yet.').waitFor();
  await upload('54100', ['FIRST'], january);
  const listed = detail.getByRole('list', { name: 'Codes' });
  await listed.getByText('FIRST', { exact: true }).waitFor();
  const codes = /\/control\/offers\/54100\/codes/;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  // The answer of now, told later.
  await intercept(
    page,
    codes,
    async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const asked = page.waitForResponse(codes);
  const read = page.waitForRequest(codes);
  await upload('54100', ['SECOND'], january);
  await read;
  await upload('54100', ['THIRD'], january);
  await listed.getByText('THIRD', { exact: true }).waitFor();
  release();
  await (await asked).finished();
  await nextFrame(page);
  expect(await listed.locator('code').allInnerTexts()).toEqual(expect.arrayContaining(['FIRST', 'SECOND', 'THIRD']));
});

test('the marks of a scale over several years have their year', async () => {
  const ticks = (page: Page) => page.locator('.of-tick').allInnerTexts();
  await upload('54100', ['A'], january);
  const page = await inspector.open('/offers/54100');
  await expectSeen(page.locator('.of-tick').first());
  for (const year of [2029, 2031])
    await upload('54100', [`Y-${year}`], {
      distributionStart: `${year}-01-01T00:00:00Z`,
      distributionStop: `${year}-06-01T00:00:00Z`,
    });
  // Those of the second upload may come a moment after those of the first.
  await expect.poll(async () => (await ticks(page)).join()).toContain('2030');
  const all = await ticks(page);
  expect(all.filter((tick) => !/^\d+ \w{3,4} 20\d\d$/.test(tick))).toEqual([]);
  expect(new Set(all).size).toBeGreaterThan(3);
});

test('how many codes one upload may have is said as the server tells it', async () => {
  const page = await inspector.open();
  await intercept(page, /\/control\/settings$/, async (route) => {
    const response = await route.fetch();
    const settings = (await response.json()) as SettingsView;
    expect(settings.limits.codesAtOnce).toBe(codeLimit);
    await route.fulfill({ response, json: { ...settings, limits: { ...settings.limits, codesAtOnce: 7_500 } } });
  });
  await goTo(page, '/offers/54100');
  await expectSeen(page.getByText('uploads codes, at most 7,500 at once'));
});
