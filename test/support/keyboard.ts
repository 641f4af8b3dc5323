import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Presses Tab until something has the focus, as somebody without a mouse would. */
export async function tabTo(page: Page, wanted: Locator, most = 80): Promise<void> {
  const focused = wanted.and(page.locator(':focus'));
  for (let turn = 0; turn < most; turn += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  expect(await focused.count(), `${String(wanted)} is reached with Tab`).toBe(1);
}
