import { parse } from 'node:querystring';

/**
 * The query as names and texts; a repeated name gives a list, which no schema accepts. A raw `+` before a phone number
 * means a space in a query; public clients send it anyway (docs/platform.md, Values on the wire), so it is read as a
 * plus, with a note.
 */
export function parseQuery(text: string, note: (remark: string) => void): { readonly [name: string]: unknown } {
  if (text === '') return {};
  if (text.includes('%') && !isDecodable(text))
    note('The query has percent escapes that are not UTF-8; they were read as U+FFFD. Encode it as UTF-8.');
  const query: { [name: string]: unknown } = { ...parse(text) };
  const { phone } = query;
  if (typeof phone === 'string' && /^ \d/.test(phone)) {
    query['phone'] = `+${phone.slice(1)}`;
    note('The plus sign of ?phone= was sent raw, which means a space; it was read as a plus. Encode it as %2B.');
  }
  return query;
}

/** The path of a request, as it was sent. */
export function pathOf({ url = '' }: { readonly url?: string | undefined }): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** The query of a request, as it was sent. */
export function queryOf({ url = '' }: { readonly url?: string | undefined }): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/**
 * Whether a text is percent-encoded UTF-8. The result of decoding is used, because a build removes a call with an
 * unused result, and then nothing would throw.
 */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}
