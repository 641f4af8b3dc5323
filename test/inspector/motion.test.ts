/** What moves and fades, where motion is not reduced. */
import { expect, test } from 'vitest';
import { useInspector } from '../support/browser.ts';
import { clockBar, requestDeletion, toast, useRealTimeAfterEach } from '../support/frame.ts';

const inspector = useInspector({ pace: 'realistic' });
useRealTimeAfterEach(inspector);

test.for([
  [true, 0.6],
  [false, null],
] as const)(
  'after an advance in which something fell due the dot of the clock runs along its line, once, if motion is wanted: %s',
  async ([motion, far]) => {
    await requestDeletion(inspector);
    const page = await inspector.open('/', { motion });
    await page.evaluate(() => {
      const line = document.querySelector('.tideline');
      if (!line) throw new Error('There is no line.');
      // When the dot is put there, not by frames, of which a slow machine draws none in this time.
      const look = (): void => {
        const [dot] = line.getElementsByClassName('run');
        const [run] = dot?.getAnimations() ?? [];
        if (!dot || !run) return;
        run.pause();
        run.currentTime = 0.8 * Number(run.effect?.getComputedTiming().duration);
        const [from, to] = [line.getBoundingClientRect(), dot.getBoundingClientRect()];
        Object.assign(globalThis, { far: (to.left - from.left) / from.width });
      };
      new MutationObserver(look).observe(line, { childList: true });
    });
    await clockBar(page).getByRole('button', { name: 'Advance by 12 h' }).click();
    await toast(page, /^Advanced by 12 h/).waitFor();
    await expect
      .poll(() => page.evaluate<number | null>('globalThis.far ?? null'))
      .toEqual(far === null ? null : expect.closeTo(far, 1));
    // Once it ran, it is at rest, also if the line is hidden and shown again.
    await page.evaluate(() => document.querySelector('.tidenow')?.getAnimations()[0]?.finish());
    await expect.poll(() => page.locator('.tidenow.run').count()).toBe(0);
  },
);
