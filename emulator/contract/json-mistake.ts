import type { TextChange } from './text-changes.ts';

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

/** What a text has to have next. */
export type Awaits = keyof typeof expected;

/** What is known where a text stops being JSON, to correct it there. */
export interface Broken extends JsonMistake {
  readonly text: string;
  readonly awaits: Awaits;
  /** What is awaited after the value or the name that is read here. */
  readonly afterwards: Awaits;
  /** The brackets that are open here, the innermost last. */
  readonly open: readonly ('{' | '[')[];
  /** In a string, where it starts; else the end of what was read last, without spaces and comments. */
  readonly before: number;
}

/** A change of the text, and what is awaited after it; then the rest can be read. */
export interface Correction {
  readonly change: TextChange;
  readonly next: Awaits;
}

/** The number of reads in one step, after which other work may get a turn. */
const stepLength = 1_024;

/**
 * Finds the syntax error in a text that JSON.parse rejected: half of the messages of JSON.parse name no position. Null
 * if there is no error. Works in small steps, because the text may have megabytes, and without recursion, because it
 * may be millions of brackets deep.
 * @param correct called at an error; if it corrects the error, the next one is searched for
 */
export function* findJsonMistake(
  text: string,
  correct: (broken: Broken) => Correction | null = () => null,
): Generator<void, JsonMistake | null, void> {
  const open: ('{' | '[')[] = [];
  let awaits = 'value' as Awaits;
  let isName = false;
  let [at, before, line, lineStart] = [0, 0, 1, 0];

  const afterValue = (): Awaits => (open.length === 0 ? 'end' : 'comma-or-end');
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const goTo = (place: number, next: Awaits): null => {
    [at, before, awaits] = [place, place, next];
    return null;
  };
  /** The mistake at this place; null if it was corrected. */
  const mistake = (wanted: string = expected[awaits]): JsonMistake | null => {
    const broken: Broken = {
      index: at,
      line,
      column: at - lineStart + 1,
      expected: wanted,
      text,
      awaits,
      afterwards: (awaits === 'quote' ? isName : awaits.startsWith('key')) ? 'colon' : afterValue(),
      open,
      before,
    };
    const corrected = correct(broken);
    if (!corrected) return broken;
    const { change, next } = corrected;
    // What is left out, and what is written inside of a string, is not what was read last.
    if (next !== awaits) return goTo(Math.max(at, change.end), next);
    at = change.end;
    return null;
  };
  /** Reads on from one character; null if it is what is awaited there. */
  const read = (character: string): JsonMistake | null => {
    if (awaits === 'quote') {
      if (character < ' ') return mistake('an escaped control character, such as \\n,');
      if (character !== '\\') at += 1;
      else if (!skip(escape)) return mistake('an escape such as \\n or \\\\');
      return character === '"' ? goTo(at, isName ? 'colon' : afterValue()) : null;
    }
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      at += 1;
      if (character === '\n') [line, lineStart] = [line + 1, at];
      return null;
    }
    const isKey = awaits === 'key' || awaits === 'key-or-end';
    const isValue = awaits === 'value' || awaits === 'value-or-end';
    if (character === '"' && (isKey || isValue)) {
      [isName, before, awaits] = [isKey, at, 'quote'];
      at += 1;
      return null;
    }
    if (awaits === 'colon') return character === ':' ? goTo(at + 1, 'value') : mistake();
    if (awaits === 'comma-or-end' && character === ',') return goTo(at + 1, open.at(-1) === '{' ? 'key' : 'value');
    if (awaits.endsWith('-or-end') && character === (open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
      return goTo(at + 1, afterValue());
    }
    if (!isValue) return mistake();
    if (character === '{' || character === '[') {
      open.push(character);
      return goTo(at + 1, character === '{' ? 'key-or-end' : 'value-or-end');
    }
    return skip(scalar) ? goTo(at, afterValue()) : mistake();
  };

  for (let reads = 1; ; reads += 1) {
    if (reads % stepLength === 0) yield;
    const character = text[at];
    if (character === undefined && awaits === 'end') return null;
    const found: JsonMistake | null = character === undefined ? mistake() : read(character);
    if (found) return found;
  }
}
