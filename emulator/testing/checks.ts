import { didYouMean, UserError } from '../errors.ts';

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
