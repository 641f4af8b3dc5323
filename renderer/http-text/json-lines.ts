import { escapePointer } from '../../emulator/contract/pointer.ts';
import { parseTree, type Node, type ParseError } from 'jsonc-parser';

export type TokenKind = 'key' | 'string' | 'number' | 'literal' | 'punct' | 'plain' | 'broken' | 'cut';

export interface Token {
  readonly kind: TokenKind;
  /** The text as it was written; for `cut`, how much is left out there. */
  readonly text: string;
  /** The JSON pointer of a value; absent on keys and punctuation. */
  readonly pointer?: string;
  /** In a comparison: whether the other side lacks this part of the value. */
  readonly changed?: boolean;
}

/** One line of a shown text. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly depth: number;
  readonly tokens: readonly Token[];
  /** The pointer of the innermost value that the line holds whole or begins. */
  readonly pointer: string;
  /** The number of the line that closes the container opened here; null if nothing folds. */
  readonly closes: number | null;
}

/** A container of plain values with at most this many characters stays on one line. */
const inlineWidth = 64;

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false } as const;

/**
 * Lays out a JSON text in lines, with values exactly as they were written.
 * @param apart pointers whose value must be on a line of its own
 * @param isWhole false for the first part of a longer text, which may end early
 * @returns null if the text is not valid JSON, or nested too deeply to be laid out
 */
export function toJsonLines(text: string, apart: readonly string[] = [], isWhole = true): readonly Line[] | null {
  return unlessTooDeep(() => layOut(text, apart, isWhole), null);
}

/** The position of the character that makes a text invalid JSON; null if it is valid. */
export function brokenAt(text: string): number | null {
  return unlessTooDeep(() => {
    const errors: ParseError[] = [];
    parseTree(text, errors, strict);
    return errors[0]?.offset ?? null;
  }, null);
}

/** The position of a character in a text. Both numbers count from 1, like in GraphQL. */
export interface Spot {
  readonly line: number;
  readonly column: number;
}

/** Matches the word at a spot as JSON has it: a text in quotation marks, a name or a number, or one character. */
const spotted = /^(?:(?:\\"){3}[^]*?(?:\\"){3}|\\"(?:\\\\(?:\\[^]|[^\\])|\\[^"\\]|[^\\])*\\"|[$@+-]?[\w.]+|\\?[^])/;

/**
 * Narrows the value of a pointer, if it is a string, to the word at the spot.
 * @param spot the position in the decoded string, not in the JSON text
 */
export function narrowTo(lines: readonly Line[], pointer: string, spot: Spot): readonly Line[] {
  return lines.map((line) => {
    const index = line.tokens.findIndex(({ kind, pointer: own }) => kind === 'string' && own === pointer);
    const token = line.tokens[index];
    const from = token ? offsetOf(token.text, spot) : null;
    if (!token || from === null) return line;
    const { kind, text } = token;
    const [word = ''] = spotted.exec(text.slice(from)) ?? [];
    const parts: readonly Token[] = [
      { kind, text: text.slice(0, from) },
      { kind, text: word, pointer },
      { kind, text: text.slice(from + word.length) },
    ];
    return { ...line, tokens: line.tokens.toSpliced(index, 1, ...parts) };
  });
}

/** Splits the JSON text of a string after each escaped line break. */
export const toRows = (raw: string): readonly string[] => raw.split(/(?<=(?<!\\)(?:\\\\)*\\(?:n|u000a))/i);

/**
 * Shortens the long strings of a line around the wanted parts: two lines before and after stay, and both ends.
 * @param isWanted whether a token, into which the text was split, is wanted
 */
export function leaveOutRows(line: Line, isWanted: (token: Token) => boolean): Line {
  const [first, last] = [line.tokens.findIndex(isWanted), line.tokens.findLastIndex(isWanted)];
  if (first === -1) return line;
  const tokens = line.tokens.flatMap((token, index): readonly Token[] => {
    if (token.kind !== 'string' || isWanted(token)) return [token];
    const rows = toRows(token.text);
    const [head, tail] = [index > first ? 3 : 1, index < last ? 3 : 1];
    if (rows.length <= head + tail + 1) return [token];
    const left = `${rows.length - head - tail} more lines`;
    return [
      { ...token, text: rows.slice(0, head).join('') },
      { kind: 'cut', text: left },
      { ...token, text: rows.slice(-tail).join('') },
    ];
  });
  return { ...line, tokens };
}

/** Matches one character of a JSON text as it was written: plain or escaped. */
const written = /\\u[\da-f]{4}|\\?[^]/gi;

/** Converts a position in the decoded string to an offset in the JSON text; null if there is no such character. */
function offsetOf(raw: string, { line, column }: Spot): number | null {
  let [atLine, atColumn, before] = [1, 1, ''];
  for (const { 0: as, index } of raw.slice(1).matchAll(written)) {
    const character = as.replace(/^\\u000a$/i, '\\n').replace(/^\\u000d$/i, '\\r');
    const isSecondHalf = before === '\\r' && character === '\\n';
    before = character;
    if (isSecondHalf) continue;
    // The last match is the closing quotation mark, which counts as the end of the string.
    if (atLine === line && atColumn === column) return index + 1;
    [atLine, atColumn] = character === '\\r' || character === '\\n' ? [atLine + 1, 1] : [atLine, atColumn + 1];
  }
  return null;
}

/** The result of work over nested values, or `instead` if they are nested too deeply for the stack. */
export function unlessTooDeep<Result>(work: () => Result, instead: Result): Result {
  try {
    return work();
  } catch (error) {
    if (isStackFull(error)) return instead;
    throw error;
  }
}

/** Whether an error reports a full stack. Firefox has its own error for it. */
function isStackFull(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'InternalError');
}

function layOut(text: string, apart: readonly string[], isWhole: boolean): readonly Line[] | null {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, strict);
  // The parser repairs what it reads, but invalid text must appear as it was sent.
  if (isWhole && errors.length > 0) return null;
  if (!root || !/^\s*[[{"\d\-tfn]/.test(text)) return null;
  const lines: Mutable<Line>[] = [];

  const add = (depth: number, tokens: Token[], pointer: string): Mutable<Line> => {
    const line = { number: lines.length + 1, depth, tokens, pointer, closes: null };
    lines.push(line);
    return line;
  };

  const write = (
    node: Node,
    before: readonly Token[],
    after: readonly Token[],
    depth: number,
    pointer: string,
  ): void => {
    const { children = [] } = node;
    if (!isContainer(node) || children.length === 0 || staysInline(node, pointer, apart)) {
      add(depth, [...before, ...inline(node, text, pointer), ...after], pointer);
      return;
    }
    const [open, close] = node.type === 'array' ? ['[', ']'] : ['{', '}'];
    const first = add(depth, [...before, punct(open ?? '')], pointer);
    children.forEach((child, index) => {
      const comma = index < children.length - 1 ? [punct(',')] : [];
      const [key, value] = node.type === 'object' ? (child.children ?? []) : [undefined, child];
      const step = key ? String(key.value) : String(index);
      const label: Token[] = key ? [{ kind: 'key', text: raw(key, text) }, punct(': ')] : [];
      if (value) write(value, label, comma, depth + 1, `${pointer}/${escapePointer(step)}`);
    });
    const last = add(depth, [punct(close ?? ''), ...after], pointer);
    first.closes = last.number;
  };
  write(root, [], [], 0, '');
  return lines;
}

/** The longest piece of a line: longer ones would block the layout. */
const pieceLength = 2_000;

/**
 * The lines of any text, unchanged. Very long lines come in pieces, of which only the first has a number.
 * @param broken the position of a character to mark; the length of the text marks its end
 */
export function toPlainLines(text: string, broken: number | null = null): readonly Line[] {
  let start = 0;
  return text.split(/(\r\n|\r|\n)/).flatMap((line, index) => {
    const begin = start;
    start += line.length;
    // The split alternates between lines and line breaks.
    if (index % 2 === 1) return [];
    const pieces: Line[] = [];
    for (let from = 0; from === 0 || from < line.length; from += pieceLength) {
      const piece = line.slice(from, from + pieceLength);
      const at = broken === null ? -1 : broken - begin - from;
      const isLast = from + pieceLength >= line.length;
      const isHere = at >= 0 && (at < piece.length || (isLast && at <= piece.length + 1));
      const tokens: readonly Token[] = isHere
        ? [
            { kind: 'plain', text: piece.slice(0, at) },
            { kind: 'broken', text: piece.slice(at, at + 1) },
            { kind: 'plain', text: piece.slice(at + 1) },
          ]
        : [{ kind: 'plain', text: piece }];
      pieces.push({ number: from === 0 ? index / 2 + 1 : 0, depth: 0, tokens, pointer: '', closes: null });
    }
    return pieces;
  });
}

/** Whether the marked character is in a line. */
export const isBroken = ({ tokens }: Line): boolean => tokens.some(({ kind }) => kind === 'broken');

/** The line that contains the value of a pointer, or its nearest existing ancestor. */
export function lineOf(lines: readonly Line[], pointer: string): Line | null {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = lines.find((line) => line.pointer === at);
    if (found || at === '') return found ?? null;
  }
}

/** A line as text, for copies and comparisons. */
export function toLineText({ depth, tokens }: Line): string {
  return '  '.repeat(depth) + tokens.map(({ text }) => text).join('');
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function staysInline(node: Node, pointer: string, apart: readonly string[]): boolean {
  if (apart.some((one) => one.startsWith(`${pointer}/`))) return false;
  if (pointer === '' || node.length > inlineWidth * 2) return false;
  const values = (node.children ?? []).map((child) => (node.type === 'object' ? child.children?.[1] : child));
  if (values.some((value) => value && isContainer(value) && (value.children?.length ?? 0) > 0)) return false;
  return node.length <= inlineWidth;
}

function inline(node: Node, text: string, pointer: string): readonly Token[] {
  if (!isContainer(node)) return [{ kind: kindOf(node), text: raw(node, text), pointer }];
  const [open, close] = node.type === 'array' ? ['[', ']'] : ['{', '}'];
  const children = node.children ?? [];
  if (children.length === 0) return [punct(`${open}${close}`)];
  const space = node.type === 'object' ? ' ' : '';
  const parts = children.flatMap((child, index): readonly Token[] => {
    const [key, value] = node.type === 'object' ? (child.children ?? []) : [undefined, child];
    const step = key ? String(key.value) : String(index);
    return [
      ...(index > 0 ? [punct(', ')] : []),
      ...(key ? [{ kind: 'key', text: raw(key, text) } as const, punct(': ')] : []),
      ...(value ? inline(value, text, `${pointer}/${escapePointer(step)}`) : []),
    ];
  });
  return [punct(`${open}${space}`), ...parts, punct(`${space}${close}`)];
}

const isContainer = ({ type }: Node): boolean => type === 'object' || type === 'array';
const punct = (text: string): Token => ({ kind: 'punct', text });
const raw = ({ offset, length }: Node, text: string): string => text.slice(offset, offset + length);

function kindOf({ type }: Node): TokenKind {
  if (type === 'string' || type === 'number') return type;
  return 'literal';
}
