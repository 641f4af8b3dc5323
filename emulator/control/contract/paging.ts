export const offset = { type: 'integer', minimum: 0, maximum: 999_999_999, examples: [0] } as const;

/** The most lines to return, for lists that have no limit of their own. */
export const limit = { type: 'integer', minimum: 0, maximum: 99_999, examples: [100] } as const;

/**
 * Returns the query parameters of a paged list.
 * @param most the most lines on a page
 */
export function toPage(most: number) {
  return { offset, limit: { ...limit, maximum: most, examples: [50] } } as const;
}
