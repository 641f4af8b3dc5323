import { open } from 'node:fs/promises';

/** Characters that are written together: a few milliseconds. */
const charactersPerWrite = 256 * 1024;

/** Writes texts or bytes, one after the other, to a new file that only its user can read; between them requests are answered. */
export async function writePieces(path: string, pieces: Iterable<string | Buffer>): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    let text = '';
    for (const piece of pieces) {
      if (typeof piece !== 'string') await handle.writeFile(piece);
      else if ((text += piece).length >= charactersPerWrite) {
        await handle.writeFile(text);
        text = '';
      }
    }
    if (text !== '') await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
