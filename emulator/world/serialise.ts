import type { Snapshot, SnapshotBlob } from './format.ts';

/** Characters in a piece, or one larger record: a few milliseconds of serialising, then the event loop may turn. */
const pieceCharacters = 256 * 1024;

/** The snapshot as text: its head in the first line, then one line for each record and each line of a file. */
export function* serialise({ collections, files, ...head }: Snapshot): Iterable<string> {
  const records = Object.values(collections).reduce((sum, one) => sum + one.length, 0);
  yield `${JSON.stringify({ ...head, records }).slice(0, -1)},\n"collections":{`;
  yield* listed(Object.entries(collections).map(([name, all]) => [`${JSON.stringify(name)}:[`, all, ']'] as const));
  yield '},\n"files":[';
  for (const [at, file] of files.entries()) {
    if (at > 0) yield ',';
    yield* written(file);
  }
  yield ']}\n';
}

function* written(file: SnapshotBlob): Iterable<string> {
  const { kind, id } = file;
  const head = JSON.stringify({ kind, id }).slice(0, -1);
  if ('lines' in file) return yield* listed([[`${head},"lines":[`, file.lines, ']}']]);
  yield `\n${head},"base64":"`;
  for (let from = 0; from < file.base64.length; from += pieceCharacters)
    yield file.base64.slice(from, from + pieceCharacters);
  yield '"}';
}

function* listed(
  parts: readonly (readonly [begin: string, values: readonly unknown[], end: string])[],
): Iterable<string> {
  for (const [at, [begin, values, end]] of parts.entries()) {
    yield `${at === 0 ? '' : ','}\n${begin}`;
    let text = '';
    for (const [place, value] of values.entries()) {
      text += `${place === 0 ? '' : ','}\n${JSON.stringify(value)}`;
      if (text.length < pieceCharacters) continue;
      yield text;
      text = '';
    }
    if (text !== '') yield text;
    yield end;
  }
}
