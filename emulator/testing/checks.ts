import { distance } from 'fastest-levenshtein';
import { UserError } from '../errors.ts';

/**
 * Checks what was handed over without types: names, and values that are one of a list.
 * @throws UserError with the nearest name or value that there is
 */
export function checkFields(
  what: string,
  given: object,
  fields: { readonly [name: string]: readonly string[] | null },
): void {
  for (const [name, value] of Object.entries(given)) {
    const allowed = fields[name];
    if (allowed === undefined)
      throw new UserError(`${what} has no "${name}". ${didYouMean(name, Object.keys(fields))}`);
    if (allowed !== null && value !== undefined && !allowed.includes(String(value)))
      throw new UserError(
        `${name} of ${what} cannot be ${JSON.stringify(value)}. ${didYouMean(String(value), allowed)}`,
      );
  }
}

/** `Did you mean "pace"? There are pace, world and rateLimits.` */
export function didYouMean(word: string, known: readonly string[]): string {
  const [nearest = '', ...others] = known.toSorted((one, other) => distance(one, word) - distance(other, word));
  const isNear = distance(nearest, word) <= Math.max(2, word.length / 2);
  const shown = others.length < 8 ? ` There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.` : '';
  return isNear || shown === '' ? `Did you mean "${nearest}"?${shown}` : shown.trim();
}
