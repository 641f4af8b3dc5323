import type { CustomIdentifier } from '../records.ts';

type MaybeText = string | null | undefined;

/** `customIdentifiers` as documented, a list, or as public clients send it, a map (docs/platform.md, Users in events). */
export type SentCustomIdentifiers =
  | readonly { readonly name?: MaybeText; readonly value?: MaybeText; readonly [key: string]: unknown }[]
  | { readonly [name: string]: MaybeText };

/** Whether a field was sent without a value: null, or only white space, which would bridge all who have it (section 4, Identity, 3 and 4). */
export function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The identifiers of either form as a list. Entries without a name or a value are left out. */
export function toCustomIdentifiers(sent: SentCustomIdentifiers | null | undefined): readonly CustomIdentifier[] {
  if (!sent) return [];
  const entries = isList(sent) ? sent.map(({ name, value }) => [name, value] as const) : Object.entries(sent);
  return entries.flatMap(([name, value]) => (name?.trim() && value?.trim() ? [{ name, value }] : []));
}

function isList(sent: SentCustomIdentifiers): sent is Extract<SentCustomIdentifiers, readonly unknown[]> {
  return Array.isArray(sent);
}
