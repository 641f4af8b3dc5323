import type { Page } from 'playwright-core';

/** The address of the stream of events. */
export const stream = /\/control\/stream/;

/** Says to the page that its tab is hidden or shown, as a browser does. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** Hides the tab until its page has closed its stream. The clock of the page is installed. */
export async function hideForLong(page: Page): Promise<void> {
  const closed = page.waitForEvent('requestfailed', (request) => stream.test(request.url()));
  await setHidden(page, true);
  await page.clock.fastForward(5_000);
  await closed;
}
