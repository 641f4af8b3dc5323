import { parse } from 'node:querystring';

/**
 * The query as names and texts; a repeated name gives a list, which no schema accepts. A raw `+` before a phone number
 * means a space in a query; public clients send it anyway (docs/platform.md, Values on the wire), so it is read as a
 * plus, with a note.
 */
export function parseQuery(text: string, note: (remark: string) => void): { readonly [name: string]: unknown } {
  if (text === '') return {};
  const query: { [name: string]: unknown } = { ...parse(text) };
  const { phone } = query;
  if (typeof phone === 'string' && phone.startsWith(' ')) {
    query['phone'] = `+${phone.slice(1)}`;
    note('The plus sign of ?phone= was sent raw, which means a space; it was read as a plus. Encode it as %2B.');
  }
  return query;
}
