/** JSON pointers (RFC 6901). */

/** Escapes one name for use in a pointer. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A name as it was before it was escaped. */
export function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The names that a pointer goes through: `/user/email` → `user` and `email`. */
export function toNames(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescapePointer);
}

/** The pointer to the value at these keys. */
export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${escapePointer(String(key))}`).join('');
}

/** The value that a pointer leads to; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const key of toNames(pointer)) {
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined;
  }
  return found;
}

/** The value with another value at a pointer; `undefined` removes the present one. Nothing else is copied. */
export function withValueAt(value: unknown, pointer: string, wanted: unknown): unknown {
  if (pointer === '') return wanted;
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(pointer) ?? [];
  const name = unescapePointer(first);
  const inner = withValueAt(valueAt(value, `/${first}`), rest, wanted);
  if (Array.isArray(value)) return value.toSpliced(Number(name), 1, ...(inner === undefined ? [] : [inner as unknown]));
  if (inner !== undefined) return { ...Object(value), [name]: inner } as object;
  return Object.fromEntries(Object.entries(value ?? {}).filter(([one]) => one !== name));
}

/** The first name of a pointer: the name of the parameter whose value contains the place. */
export function toParameter(pointer: string): string {
  return toNames(pointer)[0] ?? '';
}

/** `/user/email` as a person writes it: `user.email`. */
export function toName(pointer: string): string {
  return unescapePointer(pointer.slice(1).replaceAll('/', '.'));
}
