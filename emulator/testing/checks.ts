import { cutText } from '../contract/cut-text.ts';
import { METHODS } from 'node:http';
import { inspect } from 'node:util';
import { didYouMean, UserError } from '../errors.ts';

/** The allowed values: some words, or all values that pass `fits`, which messages describe with `takes`. */
export type Expected = readonly string[] | { readonly takes: string; fits(value: unknown): boolean };

export type Fields = { readonly [name: string]: Expected };

export const text: Expected = { takes: 'a text', fits: (value) => typeof value === 'string' };

export const filled: Expected = {
  takes: 'a text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
};

export const method: Expected = {
  takes: 'a method of HTTP such as GET',
  fits: (value) => typeof value === 'string' && METHODS.includes(value.toUpperCase()),
};

/** The longest timer. Node fires a longer one at once. */
const longestMs = 2 ** 31 - 1;

export const milliseconds: Expected = {
  takes: `a number of milliseconds from 0 to ${longestMs}`,
  fits: (value) => typeof value === 'number' && value >= 0 && value <= longestMs,
};

/**
 * Checks the names and values of an object that was passed without types. An undefined value counts as not given.
 * @param what the name of the object in messages: "createSandbox", "a filter of requests"
 * @throws UserError with the nearest name or value that exists, or with what the field takes
 */
export function checkFields(what: string, given: unknown, fields: Fields): void {
  const names = Object.keys(fields);
  // Only plain objects pass. instanceof would refuse those of another realm, as jest has them.
  if (Object.prototype.toString.call(given) !== '[object Object]')
    throw new UserError(`${what} takes an object with ${names.join(', ')}, not ${show(given)}.`);
  for (const [name, value] of Object.entries(given as object)) {
    const expected = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!expected) throw new UserError(`${what} has no "${name}". ${didYouMean(name, names)}`);
    if (value !== undefined) checkValue(`${name} of ${what}`, value, expected);
  }
}

/** The same for the filter of a wait, whose options are another argument. */
export function checkFilter(what: string, given: unknown, fields: Fields): void {
  if (Object.hasOwn(Object(given), 'timeoutMs'))
    throw new UserError(`${what} has no "timeoutMs". A wait takes it as its second argument: { timeoutMs: 10_000 }.`);
  checkFields(what, given, fields);
}

/** @throws UserError if the value is not an allowed one; `what` names the value: "pace of createSandbox" */
export function checkValue(what: string, value: unknown, expected: Expected): void {
  if ('takes' in expected) {
    if (!expected.fits(value)) throw new UserError(`${what} cannot be ${show(value)}. It takes ${expected.takes}.`);
  } else if (typeof value !== 'string' || !expected.includes(value))
    throw new UserError(`${what} cannot be ${show(value)}. ${didYouMean(String(value), expected)}`);
}

/** A value in one line of a message, cut if it is long. */
function show(value: unknown): string {
  const line = typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 1, breakLength: Infinity });
  return cutText(line, 200);
}
