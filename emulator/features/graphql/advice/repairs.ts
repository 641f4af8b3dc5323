import { meantWord } from '../../../contract/meant.ts';
import { show } from '../../../rules.ts';
import { inDoubleQuotes, otherQuotes, sayQuotes, type TextChange } from '../../../contract/text-changes.ts';
import { insert } from '../query-text.ts';

/** The first character of a query that cannot be read. */
export interface Broken {
  readonly query: string;
  readonly message: string;
  readonly at: number;
}

export interface Repair {
  readonly say: string;
  readonly changes: readonly TextChange[];
}

/** Tries to repair one kind of mistake at the first character that cannot be read; null if it is another one. */
type Repairer = (broken: Broken) => Repair | null;

/** What the query has at the broken character, by a pattern with the flag y. */
function readAt({ query, at }: Broken, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(query);
}

/** Replaces what a pattern finds at the broken character. */
function replaceAt(
  broken: Broken,
  pattern: RegExp,
  say: string,
  toText: (found: RegExpExecArray) => string,
): Repair | null {
  const found = readAt(broken, pattern);
  return found && { say, changes: [{ start: broken.at, end: broken.at + found[0].length, text: toText(found) }] };
}

/** The end of what is written before a position on its line: in the line above, it may be a comment. */
function endBefore(query: string, at: number): number {
  const end = query.slice(0, at).trimEnd().length;
  return /[\n\r]/.test(query.slice(end, at)) ? at : end;
}

const longestEmail = 100;
const keywords = ['query', 'mutation', 'subscription', 'fragment'];

/** The repairs of mistakes that have one correction. */
export const repairers: readonly Repairer[] = [
  (broken) => replaceAt(broken, otherQuotes, sayQuotes, inDoubleQuotes),
  (broken) => replaceAt(broken, /\+\d+/y, sayQuotes, ([phone]) => JSON.stringify(phone)),
  (broken) =>
    broken.message.startsWith('Expected Name, found String ')
      ? replaceAt(
          broken,
          /"([_a-z]\w*)"(?=\s*:)/iy,
          'Write the names of fields without quotation marks.',
          ([, name = '']) => name,
        )
      : null,
  // The space and the brackets of other scripts.
  (broken) => {
    const [, code] = /^Unexpected character: (U\+\w+)\.$/.exec(broken.message) ?? [];
    const plain = readAt(broken, /./uy)?.[0].normalize('NFKC') ?? '';
    return code !== undefined && /^[ !$():=@[\]{|},]$/.test(plain)
      ? replaceAt(broken, /./uy, `Write ${show(plain)} instead of ${code}.`, () => plain)
      : null;
  },
  ({ query, at }) => {
    const from = Math.max(0, at - longestEmail);
    const emails = query.slice(from, at + longestEmail).matchAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g);
    const found = [...emails].find(({ 0: email, index }) => from + index < at && at < from + index + email.length);
    if (!found) return null;
    const start = from + found.index;
    const change = { start, end: start + found[0].length, text: JSON.stringify(found[0]) };
    return { say: sayQuotes, changes: [change] };
  },
  (broken) => replaceAt(broken, /;/y, 'Write commas instead of semicolons.', () => ','),
  (broken) => replaceAt(broken, /\/\//y, 'Begin comments with #.', () => '#'),
  (broken) =>
    /^Expected (?:":"|Name), found "="/.test(broken.message)
      ? replaceAt(broken, /=/y, 'Write a colon instead of the equals sign.', () => ':')
      : null,
  ({ query, message, at }) => {
    return message.startsWith('Expected ":", found ')
      ? { say: 'Write a colon after the name.', changes: [insert(endBefore(query, at), ':')] }
      : null;
  },
  ({ message, at }) =>
    message.startsWith('Expected "$", found Name ')
      ? { say: 'Begin the names of variables with $.', changes: [insert(at, '$')] }
      : null,
  ({ query, message, at }) => {
    const open = endBefore(query, at) - 1;
    return /^Expected (?:Name|"\$"), found "\)"/.test(message) && query[open] === '('
      ? { say: 'Leave the empty brackets out.', changes: [{ start: endBefore(query, open), end: at + 1, text: '' }] }
      : null;
  },
  (broken) => {
    const [, sent = ''] = /^Unexpected Name "(\w+)"/.exec(broken.message) ?? [];
    const meant = meantWord(sent, keywords);
    return meant === null ? null : replaceAt(broken, /\w+/y, `Write ${meant} instead of ${sent}.`, () => meant);
  },
  // Mutations call their only argument input; the name of a variable is mostly that of its argument.
  (broken) => {
    const [, variable] = readAt(broken, /\$(\w+)/y) ?? [];
    const isFirst = broken.query.slice(0, broken.at).trimEnd().endsWith('(');
    return isFirst && /^Expected Name, found "[{$]"/.test(broken.message)
      ? {
          say: 'Write the name of the argument before its value.',
          changes: [insert(broken.at, `${variable ?? 'input'}: `)],
        }
      : null;
  },
];

/** A query without its outer braces. */
export const wrapInBraces: Repairer = ({ query, message, at }) =>
  message.startsWith('Unexpected Name ') && query.slice(0, at).trim() === ''
    ? { say: 'Write the query in braces.', changes: [insert(at, '{ '), insert(query.trimEnd().length, ' }')] }
    : null;

/** A sign that has no meaning where it is. Between two words it may stand for something. */
export const leaveOutSign: Repairer = (broken) => {
  const [sign = ''] = readAt(broken, /\.{3}|[^\s\w(){}[\]"'`]/uy) ?? [];
  const { query, at } = broken;
  if (sign === '' || (/\w$/.test(query.slice(0, at)) && /^\w/.test(query.slice(at + sign.length)))) return null;
  const shown = /^[\p{L}\p{P}\p{S}]/u.test(sign) ? show(sign) : `U+${sign.codePointAt(0)?.toString(16).toUpperCase()}`;
  return { say: `Leave ${shown} out.`, changes: [{ start: at, end: at + sign.length, text: '' }] };
};
