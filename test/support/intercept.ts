import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The address of a reply that shows which pages the browser already intercepts. */
const probe = '/mark.svg?intercepted';

/**
 * `page.route`, in effect when it resolves. The browser tells the page a moment later that its calls are intercepted,
 * and on a busy machine a press can be quicker. The end of an interception would lose calls in the same way, so the
 * first one stays until the page is closed (https://github.com/microsoft/playwright/issues/41802).
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route);
  await page.route(`**${probe}`, (asked) => asked.fulfill({ body: 'intercepted' }));
  const read = (): Promise<string> =>
    page.evaluate(async (url) => (await fetch(url, { cache: 'no-store' })).text(), probe);
  await expect.poll(read, { message: 'calls of the page are intercepted' }).toBe('intercepted');
}
