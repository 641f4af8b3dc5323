import { applyEdits, format as formatJsonc } from 'jsonc-parser';
import { unlessTooDeep } from '../../http-text/json-lines.ts';

/**
 * Formats a JSON text in the usual layout. Only white space changes: numbers and duplicate names stay as they were
 * written, and text that is not JSON stays readable too.
 */
export function prettifyJson(text: string): string {
  const layout = { tabSize: 2, insertSpaces: true, eol: '\n' };
  return unlessTooDeep(() => applyEdits(text, formatJsonc(text, undefined, layout)), text);
}

/**
 * Formats a GraphQL document in the usual layout, with its comments.
 * @throws SyntaxError of the parser, with line and column
 */
export async function prettifyGraphql(text: string): Promise<string> {
  const [{ format }, plugin] = await Promise.all([import('prettier/standalone'), import('prettier/plugins/graphql')]);
  return format(text, { parser: 'graphql', plugins: [plugin] });
}
