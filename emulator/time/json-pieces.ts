/** Characters of a piece: a few milliseconds of serialising. */
const pieceCharacters = 256 * 1024;

/** Levels that are taken apart; what is below is written at once. */
const levels = 3;

/** A value as JSON, as `JSON.stringify` writes it, in pieces, so that the event loop gets a turn between them. */
export function* toJsonPieces(value: object): Iterable<string> {
  let text = '';
  for (const part of parts(value, levels)) {
    text += part;
    if (text.length < pieceCharacters) continue;
    yield text;
    text = '';
  }
  yield text;
}

function* parts(value: unknown, left: number): Iterable<string> {
  if (left === 0 || typeof value !== 'object' || value === null) {
    // In a list, undefined becomes null; members that are undefined are left out below.
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  let between = isList ? '[' : '{';
  for (const [name, member] of Object.entries(value)) {
    if (!isList && member === undefined) continue;
    yield isList ? between : `${between}${JSON.stringify(name)}:`;
    yield* parts(member, left - 1);
    between = ',';
  }
  yield `${between === ',' ? '' : between}${isList ? ']' : '}'}`;
}
