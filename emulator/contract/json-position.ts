/** Where a text stops being JSON: the index of the first invalid character, and what is expected there. */
export interface JsonFault {
  readonly index: number;
  readonly expected: string;
}

const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Awaits = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'comma-or-end' | 'end';

const expected: { readonly [A in Awaits]: string } = {
  value: 'a value',
  'value-or-end': 'a value or ]',
  key: 'a field name in double quotes',
  'key-or-end': 'a field name in double quotes or }',
  'comma-or-end': 'a comma or the closing bracket',
  end: 'nothing more',
};

function matchAt(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/**
 * Finds the syntax error in a text that JSON.parse rejected: half of its messages name no position. Without recursion,
 * because a hostile line may be millions of brackets deep. Null if there is none.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let awaits: Awaits = 'value';
  let at = 0;

  const afterValue = (): Awaits => (open.length === 0 ? 'end' : 'comma-or-end');

  for (;;) {
    at = matchAt(SPACE, text, at);
    const character = text[at];
    if (character === undefined && awaits === 'end') return null;
    const fault = { index: at, expected: expected[awaits] };
    if (character === undefined || awaits === 'end') return fault;

    if (awaits === 'comma-or-end') {
      const inside = open.at(-1);
      if (character === ',') awaits = inside === '{' ? 'key' : 'value';
      else if (character === (inside === '{' ? '}' : ']')) awaits = leave();
      else return fault;
      at += 1;
    } else if (awaits === 'key' || awaits === 'key-or-end') {
      if (character === '}' && awaits === 'key-or-end') {
        awaits = leave();
        at += 1;
        continue;
      }
      if (character !== '"') return fault;
      const end = readString(text, at);
      if (typeof end !== 'number') return end;
      at = matchAt(SPACE, text, end);
      if (text[at] !== ':') return { index: at, expected: 'a colon' };
      at += 1;
      awaits = 'value';
    } else if (character === '{' || character === '[') {
      open.push(character);
      awaits = character === '{' ? 'key-or-end' : 'value-or-end';
      at += 1;
    } else if (character === ']' && awaits === 'value-or-end') {
      awaits = leave();
      at += 1;
    } else {
      const end = character === '"' ? readString(text, at) : matchAt(SCALAR, text, at);
      if (typeof end !== 'number') return end;
      if (end < 0) return fault;
      at = end;
      awaits = afterValue();
    }
  }

  function leave(): Awaits {
    open.pop();
    return afterValue();
  }
}

/**
 * The index after the string that begins at `start`, or its error. A loop: a single regular expression would overflow
 * the stack.
 */
function readString(text: string, start: number): number | JsonFault {
  let at = start + 1;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') return at + 1;
    if (character < ' ') return { index: at, expected: 'no control character inside a string (escape it)' };
    if (character === '\\') {
      const end = matchAt(ESCAPE, text, at);
      if (end < 0) return { index: at, expected: 'an escape such as \\n or \\\\' };
      at = end;
    } else {
      at += 1;
    }
  }
  return { index: at, expected: 'the closing double quote' };
}
