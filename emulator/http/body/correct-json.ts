import {
  findJsonMistake,
  nameOfUnseen,
  type Broken,
  type JsonMistake,
  type Correction,
} from '../../contract/json-mistake.ts';
import { cutText } from '../../contract/cut-text.ts';
import { changeText, inDoubleQuotes, otherQuotes, sayQuotes, type TextChange } from '../../contract/text-changes.ts';
import type { Steps } from '../../time/slices.ts';

/** How to correct a body that is not JSON. */
export interface JsonAdvice {
  readonly mistake: JsonMistake;
  readonly say: string;
  /** The corrected body; null if a mistake is left whose correction is not certain. */
  readonly corrected: string | null;
}

interface Repair extends Correction {
  readonly say: string;
}

/** Tries to correct one kind of mistake; null if it is another one, or if it is not certain what was meant. */
type Repairer = (broken: Broken) => Repair | null;

/** More sentences are not read. */
const mostSaid = 4;

/**
 * Corrects the mistakes of a text that is not JSON, each at its place, so that all else stays as it was written. Reads
 * the text once, in small steps. Null if it is JSON.
 * @param longest the most characters of a text that is corrected; of a longer one, only the first mistake is explained
 */
export function* correctJson(text: string, longest: number): Steps<JsonAdvice | null> {
  let first: JsonMistake | undefined;
  let sayFirst = '';
  let sayLast = '';
  const said = new Set<string>();
  const changes: TextChange[] = [];
  const left = yield* findJsonMistake(text, (broken) => {
    const repair = repairOf(broken);
    sayLast = repair?.say ?? sayAt(broken);
    if (first === undefined) [first, sayFirst] = [broken, sayLast];
    if (repair) said.add(repair.say);
    if (!repair || text.length > longest) return null;
    changes.push(repair.change);
    return repair;
  });
  if (!first) return null;
  const corrected = left === null ? changeText(text, changes) : null;
  if (corrected !== null) return { mistake: first, say: [...said].slice(0, mostSaid).join(' '), corrected };
  return { mistake: first, say: [...new Set([sayFirst, sayLast])].join(' '), corrected: null };
}

function repairOf(broken: Broken): Repair | null {
  for (const repairer of broken.awaits === 'quote' ? inString : outsideStrings) {
    const repair = repairer(broken);
    if (repair) return repair;
  }
  return null;
}

/** What the text has at the mistake, by a pattern with the flag y. */
function readAt({ text, index }: Broken, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Replaces what a pattern finds at the mistake. */
function replaceAt(
  broken: Broken,
  pattern: RegExp,
  say: string,
  toText: (found: RegExpExecArray) => string,
  next = broken.afterwards,
): Repair | null {
  const found = readAt(broken, pattern);
  return found && { say, change: { start: broken.index, end: pattern.lastIndex, text: toText(found) }, next };
}

const isValue = ({ awaits, open }: Broken): boolean =>
  open.length > 0 && (awaits === 'value' || awaits === 'value-or-end');
const isName = ({ awaits }: Broken): boolean => awaits === 'key' || awaits === 'key-or-end';
const afterComma = ({ open }: Broken): 'key' | 'value' => (open.at(-1) === '{' ? 'key' : 'value');
const sayNames = 'Write names in double quotation marks.';

const ofPython: { readonly [word: string]: string } = { True: 'true', False: 'false', None: 'null' };

const outsideStrings: readonly Repairer[] = [
  (broken) => {
    const [character = ''] = readAt(broken, /[\p{Z}\p{Cf}\f\v]/uy) ?? [];
    if (character === '') return null;
    const name = nameOfUnseen(character);
    const [say, text] = /\p{Cf}/u.test(character)
      ? [broken.index === 0 && name === 'U+FEFF' ? 'Leave out the byte order mark.' : `Leave out ${name}.`, '']
      : [`Write a space instead of ${name}.`, ' '];
    return replaceAt(broken, /./suy, say, () => text, broken.awaits);
  },
  (broken) => {
    const { text, index, awaits } = broken;
    const start = readAt(broken, /\/\/|#(?=[ \t])|\/\*/y)?.[0];
    if (start === undefined) return null;
    const end = start === '/*' ? text.indexOf('*/', index + 2) + 2 : endOfLine(text, index);
    return end < index + 2
      ? null
      : { say: 'Leave out comments.', change: { start: index, end, text: '' }, next: awaits };
  },
  (broken) => {
    const { text, index, awaits, open, before } = broken;
    const closer = open.at(-1) === '{' ? '}' : ']';
    return (awaits === 'key' || awaits === 'value') && text[index] === closer && text[before - 1] === ','
      ? {
          say: `Leave out the comma before ${closer}.`,
          change: { start: before - 1, end: before, text: '' },
          next: 'comma-or-end',
        }
      : null;
  },
  (broken) =>
    isValue(broken)
      ? replaceAt(
          broken,
          /(?:True|False|None)(?![\w$])/y,
          'Write true, false and null instead of True, False and None: a Python dict is not JSON, so send it with json=… or json.dumps(…).',
          ([word]) => ofPython[word] ?? word,
        )
      : null,
  (broken) =>
    isValue(broken) ? replaceAt(broken, /undefined(?![\w$])/y, 'Write null instead of undefined.', () => 'null') : null,
  // As the command line of Windows leaves them.
  (broken) =>
    broken.awaits === 'value' && broken.open.length === 0
      ? replaceAt(broken, /'(?=\s*[{[])/y, 'Leave out the quotation marks around the JSON.', () => '', 'value')
      : null,
  (broken) => (isValue(broken) || isName(broken) ? replaceAt(broken, otherQuotes, sayQuotes, inDoubleQuotes) : null),
  // The same with escapes that JSON has too, and \'.
  (broken) =>
    isValue(broken) || isName(broken)
      ? replaceAt(
          broken,
          // oxlint-disable-next-line no-control-regex -- JSON has them only as escapes
          /'((?:[^'\\\0-\x1f]|\\['"\\/bfnrt]){0,9999})'/y,
          sayQuotes,
          ([, text = '']) => `"${text.replaceAll(/\\.|"/g, (sign) => inJson[sign] ?? sign)}"`,
        )
      : null,
  (broken) =>
    isName(broken)
      ? replaceAt(broken, /[\p{L}_$][\p{L}\d_$-]*(?=\s*:)/uy, sayNames, ([name]) => JSON.stringify(name))
      : null,
  (broken) =>
    isValue(broken)
      ? replaceAt(
          broken,
          /(?:\+[1-9]\d{6,14}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9})(?=\s*[,}\]])/y,
          sayQuotes,
          ([address]) => JSON.stringify(address),
        )
      : null,
  (broken) =>
    broken.awaits === 'colon' ? replaceAt(broken, /=>?/y, 'Write a colon after a name.', () => ':', 'value') : null,
  (broken) =>
    broken.awaits === 'comma-or-end'
      ? replaceAt(broken, /;/y, 'Write commas instead of semicolons.', () => ',', afterComma(broken))
      : null,
  // Between two texts of a list there must be space: a quotation mark in a text looks like an end and a beginning.
  (broken) => {
    const { text, index, awaits, open, before } = broken;
    const character = text[index] ?? '';
    const isNext = /[{[]/.test(character)
      ? open.at(-1) === '['
      : character === '"' && (open.at(-1) === '{' || index > before);
    const change = { start: before, end: before, text: ',' };
    return awaits === 'comma-or-end' && isNext
      ? { say: 'Write a comma between two values.', change, next: afterComma(broken) }
      : null;
  },
  // More may be missing if several brackets are, or if the length was counted in characters instead of bytes.
  ({ text, index, awaits, open, before }) => {
    const isTypo = open.length === 1 && /[}\]"el]/.test(text[before - 1] ?? '') && !/[^\0-\x7f]/.test(text);
    const closer = open[0] === '{' ? '}' : ']';
    return awaits === 'comma-or-end' && index === text.length && isTypo
      ? { say: `Write ${closer} at the end.`, change: { start: index, end: index, text: closer }, next: 'end' }
      : null;
  },
  (broken) => {
    const [rest = ''] = (broken.awaits === 'end' && readAt(broken, /[\]},;'\s]+$/y)) || [];
    const change = { start: broken.index, end: broken.text.length, text: '' };
    return rest === '' ? null : { say: `Leave out ${cutText(rest.trim(), 20)} at the end.`, change, next: 'end' };
  },
];

const inJson: { readonly [sign: string]: string } = { "\\'": "'", '"': '\\"' };

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const inString: readonly Repairer[] = [
  (broken) =>
    replaceAt(broken, /[\n\r]/y, 'Write \\n for a line break in a text.', ([sign]) => toEscape(sign), 'quote'),
  (broken) => replaceAt(broken, /\t/y, 'Write \\t for a tab in a text.', ([sign]) => toEscape(sign), 'quote'),
  // The whole text at once: in `C:\new\dir` it is not known what \n means.
  ({ text, before, afterwards }) => {
    wholeString.lastIndex = before;
    const [string = ''] = wholeString.exec(text) ?? [];
    if (string === '') return null;
    const written = string.replaceAll(/\\(.)/g, (sign, escaped: string) =>
      escaped === "'" ? escaped : /["\\/]/.test(escaped) ? sign : `\\${sign}`,
    );
    const say = string.replaceAll(/\\["\\/']/g, '').includes('\\')
      ? 'Write two backslashes for one in a text.'
      : "Leave out the backslash before '.";
    return { say, change: { start: before, end: before + string.length, text: written }, next: afterwards };
  },
];

/** A string without the escapes of JSON or JavaScript that stand for another character. */
// oxlint-disable-next-line no-control-regex -- JSON has them only as escapes
const wholeString = /"(?:[^"\\\0-\x1f]|\\[^abfnrtuvxUN0-9\s]){0,9999}"/y;

const toEscape = (character: string): string => JSON.stringify(character).slice(1, -1);

const sayCut =
  'Send the whole body: it ends too early. If your code sets its Content-Length, count bytes, not characters.';

/** What to do about a mistake whose correction is not certain. */
function sayAt(broken: Broken): string {
  const { text, index, awaits, open, before } = broken;
  const rest = text.slice(index, index + 10);
  const isCut = index + 10 > text.length && /^(?:[-.e][\d+-]*|\\(?:u[\da-f]{0,3})?|tr?u?|fa?l?s?|nu?l?)?$/i.test(rest);
  if (isCut && (open.length > 0 || awaits === 'quote')) return sayCut;
  if (awaits === 'quote') return rest.startsWith('\\') ? 'Write two backslashes for one in a text.' : sayPlace(broken);
  if (awaits === 'value' && open.length === 0) return sayJson;
  if (isValue(broken)) {
    if (/^[+-]?(?:NaN|Infinity)/i.test(rest)) return 'Write a number or null: JSON has no NaN and no Infinity.';
    return /^[\p{L}\p{Pi}\p{Pf}'`+„]/u.test(rest) ? sayQuotes : sayPlace(broken);
  }
  if (isName(broken)) return /^[\p{L}\p{Pi}\p{Pf}'`„]/u.test(rest) ? sayNames : sayPlace(broken);
  if (/^\d/.test(rest) && text[before - 1] === '0')
    return 'Write numbers without a zero before them, or as texts in double quotation marks.';
  if (awaits === 'end') return 'Send one JSON value, and nothing after it.';
  if (awaits === 'comma-or-end' && /^[}\]]/.test(rest)) return `Close ${open.at(-1)} before ${rest.slice(0, 1)}.`;
  if (awaits === 'comma-or-end' && text[before - 1] === '"') return 'Write \\" for a quotation mark in a text.';
  return sayPlace(broken);
}

const sayJson = 'Send JSON, such as {"name":"value"}.';
const sayPlace = ({ line, column }: Broken): string => `Correct the JSON at line ${line}, column ${column}.`;
