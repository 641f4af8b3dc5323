import { applyEdits, format as formatJsonc } from 'jsonc-parser';
import { unlessTooDeep } from '../../http-text/json-lines.ts';

/**
 * A JSON text in the usual layout. Only white space changes: numbers and repeated names stay as they were written, and
 * what is not JSON stays readable too.
 */
export function prettifyJson(text: string): string {
  const layout = { tabSize: 2, insertSpaces: true, eol: '\n' };
  return unlessTooDeep(() => applyEdits(text, formatJsonc(text, undefined, layout)), text);
}

/**
 * A GraphQL document in the usual layout, with its comments.
 * @throws SyntaxError of the parser, with line and column
 */
export async function prettifyGraphql(text: string): Promise<string> {
  const [{ format }, plugin] = await Promise.all([import('prettier/standalone'), import('prettier/plugins/graphql')]);
  return format(text, { parser: 'graphql', plugins: [plugin] });
}
