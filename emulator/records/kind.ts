/** The name of a kind of record in paths, in the stream and in replies: its collection's name in kebab-case. */
export type KindOf<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KindOf<Rest>}`
  : '';

/** `privacyRequests` → `privacy-requests`. */
export function toKind<Name extends string>(name: Name): KindOf<Name> {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as KindOf<Name>;
}
