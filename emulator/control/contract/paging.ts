export const offset = { type: 'string', pattern: '^[0-9]{1,9}$', examples: ['0'] } as const;

/** The most lines to return, for lists that have no limit of their own. */
export const limit = { type: 'string', pattern: '^[0-9]{1,5}$', examples: ['100'] } as const;

const limits = {
  100: '^(?:[0-9]{1,2}|100)$',
  500: '^(?:[0-9]{1,2}|[1-4][0-9]{2}|500)$',
  1000: '^(?:[0-9]{1,3}|1000)$',
} as const;

/**
 * Returns the query parameters of a paged list.
 * @param most the most lines on a page
 */
export function toPage(most: keyof typeof limits) {
  return {
    offset,
    limit: { type: 'string', pattern: limits[most], description: `At most ${most}.`, examples: ['50'] },
  } as const;
}
