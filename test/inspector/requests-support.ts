import type { Locator, Page } from 'playwright-core';

/** The list of requests. */
export const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Requests, newest first' });

export const rows = (page: Page): Locator =>
  grid(page)
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') });

export const paths = (page: Page): Promise<readonly string[]> => rows(page).locator('.path').allInnerTexts();

/** The id of the selected row. */
export const selected = (page: Page): Promise<string | null> =>
  grid(page).getByRole('row', { selected: true }).getAttribute('id');

/** The selected request. */
export const detail = (page: Page): Locator => page.getByRole('article', { name: 'Request' });

/** The field with the filter of the list. */
export const filter = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter' });
