import type { CustomIdentifier } from '../records.ts';
import { show } from '../rules.ts';

type MaybeText = string | null | undefined;

/**
 * `customIdentifiers`: a list as documented, one entry of it, or a map as public clients send it (docs/platform.md,
 * Users in events).
 */
export type SentCustomIdentifiers =
  | readonly { readonly name?: MaybeText; readonly value?: MaybeText; readonly [key: string]: unknown }[]
  | { readonly [name: string]: MaybeText };

/**
 * Whether a field was sent without a value: null, or only white space. Such a value would bridge all people who have it
 * (section 4, Identity, 3 and 4).
 */
export function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The identifiers of either form as a list. Entries without a name or a value are left out. */
export function toCustomIdentifiers(sent: SentCustomIdentifiers | null | undefined): readonly CustomIdentifier[] {
  if (!sent) return [];
  return toEntries(sent).flatMap(([name, value]) => (name?.trim() && value?.trim() ? [{ name, value }] : []));
}

function toEntries(sent: SentCustomIdentifiers): readonly (readonly [name: MaybeText, value: MaybeText])[] {
  if (isList(sent)) return sent.map(({ name, value }) => [name, value]);
  return isEntry(sent) ? [[sent['name'], sent['value']]] : Object.entries(sent);
}

/**
 * Whether an object is one entry of the documented list, sent without the list. As a map it would give each person the
 * same identifier "name", and so make all of them one.
 */
export function isEntry(sent: object): boolean {
  return 'name' in sent && 'value' in sent && Object.keys(sent).length === 2;
}

function isList(sent: SentCustomIdentifiers): sent is Extract<SentCustomIdentifiers, readonly unknown[]> {
  return Array.isArray(sent);
}

/** Like `toCustomIdentifiers`, with a note if entries are left out, or if an object is read as a list. */
export function readCustomIdentifiers(
  sent: SentCustomIdentifiers | null | undefined,
  note: (remark: string) => void,
): readonly CustomIdentifier[] {
  if (sent === null || sent === undefined) return [];
  const list = toCustomIdentifiers(sent);
  if (!Array.isArray(sent)) {
    note(
      'customIdentifiers was sent as an object; it was read as a list of {name, value}, which is the documented form.',
    );
  }
  if (list.length < toEntries(sent).length) note('Custom identifiers without a name or a value were left out.');
  return list;
}

/** Reads one identifier, with a note if it has no value; then it is undefined. */
export function readIdentifier(
  value: string | null | undefined,
  name: string,
  note: (remark: string) => void,
): string | undefined {
  if (value === undefined) return undefined;
  if (value === null || isBlank(value)) {
    note(`${name} was sent as ${show(value)}; it was read as left out. Leave it out if there is no value.`);
    return undefined;
  }
  return value;
}
