/** Characters in a piece: a few milliseconds of serialising. */
const pieceCharacters = 256 * 1024;

/** Values nested below this many objects are each written at once. */
const levels = 3;

/**
 * Yields the JSON text of a value, as `JSON.stringify` writes it, in pieces, so that the event loop gets a turn between
 * them. Lists are split between their items; each item is written at once.
 */
export function* toJsonPieces(value: object): Generator<string, void, void> {
  let text = '';
  for (const part of parts(value, levels)) {
    text += part;
    if (text.length < pieceCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* parts(value: unknown, left: number): Iterable<string> {
  if (Array.isArray(value)) yield* items(value);
  else if (left === 0 || typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else {
    let between = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${between}${JSON.stringify(name)}:`;
      yield* parts(member, left - 1);
      between = ',';
    }
    yield between === ',' ? '}' : '{}';
  }
}

function* items(list: readonly unknown[]): Iterable<string> {
  let between = '[';
  // A copy: the list may grow between two pieces.
  for (const item of list.slice()) {
    // In a list, undefined becomes null.
    yield `${between}${JSON.stringify(item) ?? 'null'}`;
    between = ',';
  }
  yield between === ',' ? ']' : '[]';
}
