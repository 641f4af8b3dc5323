import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';
import { startSandbox } from '../support/sandbox.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-look-back-'));

/** Another process before the inspector's: a replacement of everything, then two people, ten days apart. */
beforeAll(async () => {
  const earlier = await startSandbox({ pace: 'manual', dataDir });
  const advance = () => earlier.control('POST', '/control/clock', { advance: '10d' });
  const subscribe = (phone: string) =>
    earlier.call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
  await subscribe('+15555550122');
  await advance();
  await earlier.control('POST', '/control/snapshots', { name: 'again' });
  await earlier.control('POST', '/control/snapshots/again/restore', {});
  await subscribe('+15555550123');
  await advance();
  await subscribe('+15555550124');
  await earlier.close();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const inspector = useInspector({ pace: 'manual', dataDir });

test('after a restart the scrubber says from when one can look back, and shows a moment before the restart', async () => {
  const page = await inspector.open('/timeline');
  const moment = page.getByRole('region', { name: 'Moment' });
  await moment.getByText(/; looking back begins at /).waitFor();
  const scrubber = page.getByRole('slider', { name: 'Moment to look at' });
  await scrubber.focus();
  await page.keyboard.press('Home');
  const banner = page.getByRole('region', { name: 'Looking back' });
  await banner.getByText(/^Looking back at /).waitFor();
  // Halfway: the first moment that is known, which is before the restart.
  await expect.poll(() => scrubber.getAttribute('aria-valuenow')).toBe('50');
  await page.keyboard.press('PageUp');
  await page.getByRole('article', { name: 'The world at that moment' }).getByText('People').first().waitFor();
  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link', { name: /^Subscribers/ })
    .click();
  const people = page.getByRole('grid', { name: /^People|^Subscribers/ });
  await people.getByText('+1 555 555 0123').waitFor();
  expect(await people.getByText('+1 555 555 0124').count()).toBe(0);
  await banner.getByRole('button', { name: 'Return to now' }).click();
  await people.getByText('+1 555 555 0124').waitFor();
});
