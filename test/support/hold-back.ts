import type { Page } from 'playwright-core';
import { intercept } from './intercept.ts';

/** Delays the replies to some requests of the page, as on a slow machine, until it is called. */
export async function holdBack(page: Page, pattern: RegExp): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** What came before it is drawn then. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Lets the reply to what `holdBack` delays come, until what it changed is drawn. */
export async function letCome(page: Page, pattern: RegExp, release: () => void): Promise<void> {
  const answered = page.waitForResponse(pattern);
  release();
  await (await answered).finished();
  await nextFrame(page);
}
