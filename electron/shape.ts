/** Checks whether an unknown value has the expected type. */
export type Shape<T> = (value: unknown) => value is T;

/** A text of one to `longest` characters that `pattern` allows. */
export function text(longest: number, pattern = /^[^\0]*$/su): Shape<string> {
  return (value): value is string =>
    typeof value === 'string' && value !== '' && value.length <= longest && pattern.test(value);
}

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number): Shape<number> {
  return (value): value is number => Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

export const bool: Shape<boolean> = (value) => typeof value === 'boolean';

export function oneOf<T extends string>(...values: readonly T[]): Shape<T> {
  return (value): value is T => values.includes(value as T);
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value);
}

export function list<T>(item: Shape<T>, most: number): Shape<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.length <= most && value.every(item);
}

/** An object with exactly these members, no more and no less. */
export function record<T extends object>(members: { readonly [K in keyof T]: Shape<T[K]> }): Shape<T> {
  const names = Object.keys(members);
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && members[name as keyof T](value[name as keyof typeof value]));
}
