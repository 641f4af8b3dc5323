import { GraphQLError, Lexer, Source, TokenKind, getLocation, parse, type Token } from 'graphql';
import { isJsonObject } from '../../../contract/json-object.ts';
import { jsonOf } from '../../../contract/json-of.ts';
import { changeText, type TextChange } from '../../../contract/text-changes.ts';
import { insert } from '../query-text.ts';
import { sampleQuery } from '../shapes.ts';
import type { Correction } from './adviser.ts';
import { leaveOutSign, repairers, wrapInBraces, type Broken, type Repair } from './repairs.ts';

/** The most changes of one fix: the query is parsed after each. */
const mostRepairs = 50;

/**
 * Corrects a query that cannot be parsed. Each of these mistakes has one correction, such as other quotation marks. If
 * any other mistake is left, only the author knows what the query means.
 */
export function correctSyntax(query: string, error: GraphQLError): Correction {
  const inner = inJson(query) ?? inWrapping(query);
  if (inner !== null) return { say: 'Send the text of the query alone.', mended: inner };
  const first = toBroken(query, error);
  const said = new Set<string>();
  let text = query;
  let count = 0;
  for (let broken: Broken | null = first; broken !== null; broken = brokenIn(text)) {
    count += 1;
    const repair: Repair | null = count <= mostRepairs ? repairOf(broken) : null;
    const repaired: string | null = repair && changeText(text, repair.changes);
    if (!repair || repaired === null) return { say: sayAt(first), mended: null };
    said.add(repair.say);
    text = repaired;
  }
  return { say: [...said].join(' '), mended: text };
}

function brokenIn(query: string): Broken | null {
  try {
    parse(query);
    return null;
  } catch (error) {
    // The parser is recursive: it also ends with an error if the brackets are nested too deeply.
    return error instanceof GraphQLError ? toBroken(query, error) : { query, message: '', at: 0 };
  }
}

const toBroken = (query: string, { message, positions }: GraphQLError): Broken => ({
  query,
  message: message.replace(/^Syntax Error: /, ''),
  at: positions?.[0] ?? 0,
});

/** The only repair after which the parser reads on, or else one after which it reads all; null if there is none. */
function repairOf(broken: Broken): Repair | null {
  const helpful = repairers.flatMap((repairer) => {
    const repair = repairer(broken);
    return repair && helps(broken, repair) ? [repair] : [];
  });
  if (helpful.length === 1) return helpful[0] ?? null;
  return [balance, wrapInBraces, leaveOutSign].map((repairer) => repairer(broken)).find(isLast(broken)) ?? null;
}

/** Whether a query can be read after a repair. */
const isLast =
  ({ query }: Broken) =>
  (repair: Repair | null): boolean => {
    const repaired = repair && changeText(query, repair.changes);
    return repaired !== null && brokenIn(repaired) === null;
  };

function helps({ query, at }: Broken, { changes }: Repair): boolean {
  const repaired = changeText(query, changes);
  if (repaired === null) return false;
  const next = brokenIn(repaired);
  return next === null || next.at > at + repaired.length - query.length;
}

const closers: { readonly [opener: string]: string } = {
  [TokenKind.BRACE_L]: TokenKind.BRACE_R,
  [TokenKind.BRACKET_L]: TokenKind.BRACKET_R,
  [TokenKind.PAREN_L]: TokenKind.PAREN_R,
};

/** Closes the brackets that were left open, or leaves out those that close nothing; null if that is not all. */
function balance({ query }: Broken): Repair | null {
  const open: Token[] = [];
  const added: TextChange[] = [];
  const left: TextChange[] = [];
  const close = (from: number, after: Token): void => {
    const text = open
      .splice(from)
      .reverse()
      .map(({ kind }) => ` ${closers[kind]}`);
    if (text.length > 0) added.push(insert(after.end, text.join('')));
  };
  try {
    const lexer = new Lexer(new Source(query));
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (closers[token.kind]) open.push(token);
      else if (Object.values(closers).includes(token.kind)) {
        const opener = open.findLastIndex(({ kind }) => closers[kind] === token.kind);
        if (opener === -1) left.push({ start: token.start, end: token.end, text: '' });
        else {
          close(opener + 1, lexer.lastToken);
          open.pop();
        }
      }
    }
    close(0, lexer.lastToken);
  } catch {
    return null;
  }
  if (added.length > 0 && left.length > 0) return null;
  const changes = [...added, ...left];
  return { say: added.length > 0 ? 'Close what was opened.' : 'Leave out what closes nothing.', changes };
}

/** The query in a text that is the whole JSON body of a request without variables; null for any other text. */
function inJson(query: string): string | null {
  const body = jsonOf(query);
  if (!isJsonObject(body) || typeof body['query'] !== 'string') return null;
  const { query: inner, variables } = body;
  const isAlone = variables === undefined || variables === null || Object.keys(variables as object).length === 0;
  return isAlone && brokenIn(inner) === null ? inner : null;
}

/** The query in what a program or a document has around it, such as gql`…` or the fences of Markdown. */
function inWrapping(query: string): string | null {
  const [, name, rest = ''] = /^(gql|graphql)?(.*)$/s.exec(query.trim()) ?? [];
  const [, , quoted] = /^(```|`|"""|"|')(?:(?<=```)\w*)?(.*)\1;?$/s.exec(rest.trimStart()) ?? [];
  const inner = (quoted ?? (name === undefined ? undefined : rest))?.trim();
  return inner !== undefined && brokenIn(inner) === null ? inner : null;
}

/** What to do about mistakes without a repair, by how their messages begin. */
const sentences: readonly (readonly [message: RegExp, say: string])[] = [
  [/^Unterminated string/, 'Close the text with a quotation mark, or with three if it has several lines.'],
  [/^Invalid (?:character|Unicode) escape sequence/, 'Write two backslashes for one in a text.'],
  [/^Unexpected variable /, 'Write a value: a default cannot be a variable.'],
];

const isEmpty = (query: string): boolean => new Lexer(new Source(query)).lookahead().kind === TokenKind.EOF;

function sayAt({ query, message, at }: Broken): string {
  if (isJsonObject(jsonOf(query))) return 'Send the query as query, and the variables as variables.';
  const told = sentences.find(([begin]) => begin.test(message))?.[1];
  if (told !== undefined) return told;
  if (message.startsWith('Expected ":", found '))
    return 'Write a colon after the name, and then its type or its value.';
  const before = query.slice(0, at).trimEnd();
  if (message.startsWith('Expected Name, found "}"') && before.endsWith('{'))
    return 'Write at least one field in the braces.';
  if (/^Unexpected "[)}\]]"/.test(message) && before.endsWith(':')) return 'Write a value after the colon.';
  if (message.startsWith('Unexpected <EOF>') && isEmpty(query)) return `Write a query, such as ${sampleQuery}.`;
  const { line, column } = getLocation(new Source(query), at);
  return `Correct the query at line ${line}, column ${column}.`;
}
