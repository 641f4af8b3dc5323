import { escapePointer } from '../../emulator/contract/pointer.ts';
import { decodePart } from './decode-part.ts';
import type { Line, Token } from './json-lines.ts';

/** Whether the headers declare the body as a form. */
export function isForm(headers: readonly (readonly [string, string])[]): boolean {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim());
}

/** The query of an address, without the `?`; '' if there is none. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

/** The pointer of a field in the lines of a form or a query. */
export const toFieldPointer = (name: string): string => `/${escapePointer(name)}`;

/** The decoded name of a field in the form `name=value`. */
export const nameOfField = (field: string): string => decode(field.split('=', 1)[0] ?? '');

/** The decoded fields of a form or a query, one per line. @param text such as `phone=%2B15555550100&email=…` */
export function toFormLines(text: string): readonly Line[] {
  return text.split('&').map((field, index) => {
    const at = field.indexOf('=');
    const name = nameOfField(field);
    const pointer = toFieldPointer(name);
    const value: readonly Token[] =
      at === -1
        ? []
        : [
            { kind: 'punct', text: ' = ' },
            { kind: 'string', text: decode(field.slice(at + 1)), pointer },
          ];
    return { number: index + 1, depth: 0, tokens: [{ kind: 'key', text: name }, ...value], pointer, closes: null };
  });
}

function decode(text: string): string {
  return decodePart(text.replaceAll('+', ' '));
}
