/** Every view shows the times of one clock, the virtual one; real time is in the tooltip. */
import { expect, test } from 'vitest';
import { goTo, useInspector } from '../support/browser.ts';
import { askPalette, palette } from '../support/frame.ts';

const inspector = useInspector({ pace: 'manual' });
const rows = '.rowsin > .row';

/** A request, and then nine days on the clock, in which nothing else happens. */
async function nineDaysAgo(): Promise<{ readonly id: string; readonly at: string; readonly wallAt: string }> {
  const { sandbox } = inspector;
  const { id } = await (await sandbox.call('GET', '/me')).exchange();
  const { body } = await sandbox.control('GET', `/control/requests/${id}`);
  await sandbox.control('POST', '/control/clock', { advance: '9d' });
  return body as { id: string; at: string; wallAt: string };
}

test('a request from before an advance is as old on Home, in the palette and in its own detail', async () => {
  const { id, at, wallAt } = await nineDaysAgo();
  const page = await inspector.open('/');
  const latest = page.getByRole('region', { name: 'Latest requests' }).locator('time').first();
  await expect.poll(() => latest.innerText()).toBe('9 d ago');
  expect(await latest.getAttribute('title')).toContain(`${at} on the virtual clock\n${wallAt} real time`);
  await askPalette(page, 'me');
  await palette(page)
    .getByRole('option', { name: /GET \/me.*9 d/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await goTo(page, `/requests/${id}`);
  const times = page.locator('.dmeta time');
  await expect.poll(() => times.first().innerText()).toBe('9 d ago');
  // Each of the two, which the mouse is over one at a time.
  for (const time of await times.all()) expect(await time.getAttribute('title')).toContain(`${wallAt} real time`);
});

test('a pause and a snapshot have the time of the clock', async () => {
  const { sandbox } = inspector;
  await sandbox.control('POST', '/control/clock', { set: '2031-05-06T07:08:09Z' });
  await sandbox.control('POST', '/control/clock', { freeze: true });
  await sandbox.call('GET', '/me');
  await sandbox.control('POST', '/control/snapshots', { name: 'before' });
  const page = await inspector.open('/requests');
  await page.locator(rows).first().waitFor();
  await page
    .getByRole('button', { name: /^Pause/ })
    .first()
    .click();
  await page.getByText(/paused at 07:08:\d\d/).waitFor();
  await goTo(page, '/snapshots');
  const saved = page.getByRole('region', { name: 'Saved snapshots' }).locator('time').first();
  await expect.poll(() => saved.innerText()).toBe('6 May 2031, 07:08');
  expect(await saved.getAttribute('title')).toMatch(/on the virtual clock\n\d{4}-.*Z real time$/);
  await sandbox.control('DELETE', '/control/snapshots/before');
});

test('a time of another year has its year, in Requests and in the timeline', async () => {
  const { sandbox } = inspector;
  const { id } = await (await sandbox.call('GET', '/me')).exchange();
  const { body } = await sandbox.control('GET', `/control/requests/${id}`);
  await sandbox.control('POST', '/control/clock', { advance: '400d' });
  const at = new Date((body as { at: string }).at);
  const parts = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  const day = at.toLocaleDateString('en-GB', parts);
  const page = await inspector.open(`/requests/${id}`);
  await expect.poll(() => page.locator(rows).filter({ hasText: '/me' }).locator('time').innerText()).toBe(day);
  const time = page.locator('.dmeta time').nth(1);
  await expect.poll(() => time.innerText()).toBe(`${day} ${at.toISOString().slice(11, 16)}`);
  await goTo(page, '/timeline');
  await expect.poll(() => page.locator(rows).filter({ hasText: '/me' }).locator('time').innerText()).toBe(day);
});
