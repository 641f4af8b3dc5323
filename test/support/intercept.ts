import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** A reply that tells which pages the browser intercepts already. */
const probe = '/mark.svg?intercepted';

/**
 * `page.route`, in effect when it returns. The browser tells the page a moment later that its calls are intercepted, and on
 * a busy machine a press can be quicker; the end of an interception would lose calls likewise, so that the first one stays on
 * until the page is closed (https://github.com/microsoft/playwright/issues/41802).
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route);
  await page.route(`**${probe}`, (asked) => asked.fulfill({ body: 'intercepted' }));
  const read = (): Promise<string> =>
    page.evaluate(async (url) => (await fetch(url, { cache: 'no-store' })).text(), probe);
  await expect.poll(read, { message: 'calls of the page are intercepted' }).toBe('intercepted');
}
