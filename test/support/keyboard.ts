import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits for an element, then presses Tab until it has the focus, like a person without a mouse. */
export async function tabTo(page: Page, wanted: Locator, most = 80): Promise<void> {
  await wanted.first().waitFor({ state: 'attached' });
  const focused = wanted.and(page.locator(':focus'));
  for (let turn = 0; turn < most; turn += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  expect(await focused.count(), `${String(wanted)} is reached with Tab`).toBe(1);
}

/**
 * Changes the text in the editor of a payload by pasting. With `fill`, the browser would lay out the text with its
 * styles.
 */
export async function editPayload(page: Page, change: (payload: string) => string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Payload' });
  await expect.poll(() => editor.innerText()).toContain('"type"');
  const changed = change(await editor.innerText());
  await editor.press('Control+a');
  await page.evaluate((text) => navigator.clipboard.writeText(text), changed);
  await page.keyboard.press('Control+v');
}
