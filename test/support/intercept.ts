import type { Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';

/** The address of a reply that shows which pages the browser already intercepts. */
const probe = '/mark.svg?intercepted';

const notReached = /ECONNREFUSED|ECONNRESET|socket hang up/;

/**
 * `page.route`, in effect when it resolves. The browser tells the page a moment later that its calls are intercepted,
 * and on a busy machine a press can be quicker. The end of an interception would lose calls in the same way, so the
 * first one stays until the page is closed (https://github.com/microsoft/playwright/issues/41802).
 *
 * Where `handle` fetches from a server that has stopped, the page is told what it would be told without `handle`.
 */
export async function intercept(
  page: Page,
  url: Parameters<Page['route']>[0],
  handle: (route: Route, request: Request) => unknown,
  options?: Parameters<Page['route']>[2],
): Promise<void> {
  const orNotReached = async (route: Route, request: Request): Promise<void> => {
    try {
      await handle(route, request);
    } catch (error) {
      if (!(error instanceof Error && notReached.test(error.message))) throw error;
      await route.abort('connectionrefused');
    }
  };
  await page.route(url, orNotReached, options);
  await page.route(`**${probe}`, (asked) => asked.fulfill({ body: 'intercepted' }));
  const read = (): Promise<string> =>
    page.evaluate(async (path) => (await fetch(path, { cache: 'no-store' })).text(), probe);
  await expect.poll(read, { message: 'calls of the page are intercepted' }).toBe('intercepted');
}
