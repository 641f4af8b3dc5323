import type { Page } from 'playwright-core';
import { intercept } from './intercept.ts';

/** Delays the replies to some requests of the page, as on a slow machine, until the returned function is called. */
export async function holdBack(page: Page, pattern: RegExp): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits until everything that came before is drawn. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Releases the reply that `holdBack` delays, and waits until its changes are drawn. */
export async function letCome(page: Page, pattern: RegExp, release: () => void): Promise<void> {
  const answered = page.waitForResponse(pattern);
  release();
  await (await answered).finished();
  await nextFrame(page);
}

/**
 * Keeps every scroll event from the page, as before the next frame. Which comes first, the frame or an arrival, depends
 * on the machine.
 */
export async function reportNoScrolling(page: Page): Promise<void> {
  await page.evaluate(() =>
    window.addEventListener('scroll', (event) => event.stopImmediatePropagation(), { capture: true }),
  );
}
