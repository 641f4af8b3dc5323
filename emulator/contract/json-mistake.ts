/** Where a text stops being JSON, and what is expected there. */
export interface JsonMistake {
  /** The index of the first invalid character; the length of the text if it ends too early. */
  readonly index: number;
  /** The same place, counted from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** The code of a character that is invisible or looks like a space: `U+FEFF`; null for any other character. */
export function nameOfUnseen(character: string): string | null {
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return null;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const expected = {
  value: 'a value',
  'value-or-end': 'a value or ]',
  key: 'a field name in double quotes',
  'key-or-end': 'a field name in double quotes or }',
  colon: 'a colon',
  'comma-or-end': 'a comma or the closing bracket',
  end: 'the end',
  /** Inside a string. */
  quote: 'the closing double quote',
};

type Awaits = keyof typeof expected;

/** The number of reads in one step, after which other work may get a turn. */
const stepLength = 1_024;

/**
 * Finds the syntax error in a text that JSON.parse rejected: half of the messages of JSON.parse name no position. Null
 * if there is no error. Works in small steps, because the text may have megabytes, and without recursion, because it
 * may be millions of brackets deep.
 */
export function* findJsonMistake(text: string): Generator<void, JsonMistake | null, void> {
  const open: ('{' | '[')[] = [];
  let awaits: Awaits = 'value';
  let isName = false;
  let [at, line, lineStart] = [0, 1, 0];

  const mistake = (wanted: string = expected[awaits]): JsonMistake => ({
    index: at,
    line,
    column: at - lineStart + 1,
    expected: wanted,
  });
  const afterValue = (): Awaits => (open.length === 0 ? 'end' : 'comma-or-end');
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };

  for (let read = 1; ; read += 1) {
    if (read % stepLength === 0) yield;
    const character = text[at];
    if (character === undefined) return awaits === 'end' ? null : mistake();

    if (awaits === 'quote') {
      if (character < ' ') return mistake('an escaped control character, such as \\n,');
      if (character !== '\\') at += 1;
      else if (!skip(escape)) return mistake('an escape such as \\n or \\\\');
      if (character === '"') awaits = isName ? 'colon' : afterValue();
    } else if (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      at += 1;
      if (character === '\n') [line, lineStart] = [line + 1, at];
    } else if (character === '"' && awaits !== 'colon' && awaits !== 'comma-or-end' && awaits !== 'end') {
      isName = awaits === 'key' || awaits === 'key-or-end';
      awaits = 'quote';
      at += 1;
    } else if (awaits === 'colon') {
      if (character !== ':') return mistake();
      awaits = 'value';
      at += 1;
    } else if (awaits === 'comma-or-end' && character === ',') {
      awaits = open.at(-1) === '{' ? 'key' : 'value';
      at += 1;
    } else if (awaits.endsWith('-or-end') && character === (open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
      awaits = afterValue();
      at += 1;
    } else if (awaits !== 'value' && awaits !== 'value-or-end') {
      return mistake();
    } else if (character === '{' || character === '[') {
      open.push(character);
      awaits = character === '{' ? 'key-or-end' : 'value-or-end';
      at += 1;
    } else {
      if (!skip(scalar)) return mistake();
      awaits = afterValue();
    }
  }
}
