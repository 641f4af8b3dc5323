/** Times of rows: whole, and in the hour that occurs twice when clocks are set back, with their offset. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toRepeatedOffset, toRowTime } from '../../renderer/format.ts';
import { goTo, useInspector } from '../support/browser.ts';
import { clockBar } from '../support/frame.ts';

const inspector = useInspector({ pace: 'manual' });

test.each([
  ['Europe/Berlin', '2026-10-24T23:59:59.999Z', ''],
  ['Europe/Berlin', '2026-10-25T00:00:00Z', ' +2'],
  ['Europe/Berlin', '2026-10-25T01:59:59.999Z', ' +1'],
  ['Europe/Berlin', '2026-10-25T02:00:00Z', ''],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', ''],
  ['Europe/London', '2026-10-25T01:30:00Z', ' +0'],
  ['America/St_Johns', '2026-11-01T05:00:00Z', ' −3:30'],
  // Its clocks are set back by half an hour.
  ['Australia/Lord_Howe', '2026-04-04T14:29:59Z', ''],
  ['Australia/Lord_Howe', '2026-04-04T14:30:00Z', ' +11'],
  ['Australia/Lord_Howe', '2026-04-04T15:29:59Z', ' +10:30'],
  ['Australia/Lord_Howe', '2026-04-04T15:30:00Z', ''],
])('in %s, the time of day of %s has “%s” behind it', (zone, iso, offset) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(toRepeatedOffset(Date.parse(iso), 'local')).toBe(offset);
  expect(toRepeatedOffset(Date.parse(iso), 'UTC')).toBe('');
});

test.each([
  ['2027-01-02T10:00:00Z', '2027-01-02T09:30:15Z', '09:30:15'],
  ['2027-01-02T10:00:00Z', '2026-12-01T17:32:00Z', '1 Dec 17:32'],
  ['2026-12-01T17:32:00Z', '2027-01-02T10:00:00Z', '2 Jan 10:00'],
  ['2026-12-01T17:32:00Z', '2026-01-02T10:00:00Z', '2 Jan 10:00'],
  ['2027-01-02T10:00:00Z', '2026-02-01T17:32:00Z', '1 Feb 2026'],
])('at %s, a row of %s has the time %s', (now, iso, text) => {
  expect(toRowTime(Date.parse(iso), Date.parse(now), 'UTC')).toBe(text);
});

/** The times in the rows of a list. */
const timesIn = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.rowsin > .row time:first-of-type')
    .evaluateAll((all) => [...new Set(all.map((one) => (one.textContent ?? '').trim()))]);

test.each(['/requests', '/timeline', '/webhooks'])('times of %s in the repeated hour differ', async (path) => {
  const { call, control } = inspector.sandbox;
  await control('POST', '/control/clock', { freeze: true });
  for (const hour of ['00', '01']) {
    await control('POST', '/control/clock', { set: `2026-10-25T${hour}:30:00Z` });
    if (path === '/webhooks')
      await control('POST', '/control/trigger', { type: 'email.opened', to: 'http://127.0.0.1:9/' });
    else await call('GET', '/me');
  }
  const page = await inspector.open('/settings', { width: 1024, height: 700 });
  await page.getByRole('button', { name: 'Local', exact: true }).click();
  await clockBar(page).getByText('Sun 25 Oct 2026, 02:30:00 +1').waitFor();
  await goTo(page, path);
  await expect.poll(() => timesIn(page)).toEqual(expect.arrayContaining(['02:30:00 +1', '02:30:00 +2']));
});

test.each(['/requests', '/webhooks'])('on another day of September the times of %s fit their column', async (path) => {
  const { call, control } = inspector.sandbox;
  await control('POST', '/control/clock', { set: '2026-09-28T20:38:48Z' });
  if (path === '/webhooks')
    await control('POST', '/control/trigger', { type: 'email.opened', to: 'http://127.0.0.1:9/' });
  else await call('GET', '/me');
  await control('POST', '/control/clock', { set: '2026-09-30T00:00:00Z' });
  const page = await inspector.open(path);
  const time = page.locator('.row').getByText(/^28 Sep/);
  await time.waitFor();
  const cell = time.locator('xpath=ancestor-or-self::*[@role="gridcell"]');
  expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
