/** How one goes from line to line in the timeline, and chooses its kinds. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSeen, useInspector } from '../support/browser.ts';

const inspector = useInspector({ pace: 'manual' });
const lines = (page: Page) => page.getByRole('grid', { name: 'Timeline, newest first' }).getByRole('row');
const marked = (page: Page) => lines(page).and(page.locator('[aria-selected="true"]'));
const ask = (path: string) => inspector.sandbox.call('GET', path);

test('the key for the next line goes on from the marked one, also after others came', async () => {
  for (const at of [1, 2, 3]) await ask(`/nowhere-${at}`);
  const page = await inspector.open('/timeline');
  await expectSeen(marked(page).filter({ hasText: 'nowhere-3' }));
  for (const at of [4, 5, 6, 7]) await ask(`/nowhere-${at}`);
  await expectSeen(lines(page).filter({ hasText: 'nowhere-7' }));
  await page.keyboard.press('j');
  await expectSeen(marked(page).filter({ hasText: 'nowhere-2' }));
  await page.keyboard.press('k');
  await expectSeen(marked(page).filter({ hasText: 'nowhere-3' }));
});

test('of two kinds that are chosen one is taken out alone', async () => {
  const page = await inspector.open('/timeline?q=kind:request%20kind:fault');
  const chip = (name: string) => page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name });
  await expect.poll(() => chip('Requests').getAttribute('aria-pressed')).toBe('true');
  await chip('Requests').click();
  await expect.poll(() => chip('Requests').getAttribute('aria-pressed')).toBe('false');
  expect(await chip('Faults').getAttribute('aria-pressed')).toBe('true');
});
