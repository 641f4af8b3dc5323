/** The text of a receiver's answer, from its bytes. */
import { createBrotliDecompress, createGunzip, createInflate, constants, type ZlibOptions } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';

// What was read may end before the compressed text does.
const toEnd: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };

const decoders: { readonly [encoding: string]: () => Transform } = {
  gzip: () => createGunzip(toEnd),
  'x-gzip': () => createGunzip(toEnd),
  deflate: () => createInflate(toEnd),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/**
 * The text of the first bytes of a body, of which at most `limit` bytes are kept. Nothing asks a receiver to compress its
 * answer, but some always do. Bytes that are not what their headers say are read as UTF-8, as they are.
 */
export async function toAnswerText(bytes: Buffer, headers: IncomingHttpHeaders, limit: number): Promise<string> {
  const decoder = decoders[headers['content-encoding']?.trim().toLowerCase() ?? ''];
  const plain = decoder ? await decode(bytes, decoder(), limit) : bytes;
  return toText(plain.subarray(0, limit), headers['content-type']);
}

function decode(bytes: Buffer, decoder: Transform, limit: number): Promise<Buffer> {
  return new Promise((decoded) => {
    const chunks: Buffer[] = [];
    let size = 0;
    decoder.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= limit) decoder.destroy();
    });
    decoder.on('error', () => (size === 0 ? chunks.push(bytes) : undefined));
    decoder.on('close', () => decoded(Buffer.concat(chunks)));
    decoder.end(bytes);
  });
}

function toText(bytes: Buffer, contentType = ''): string {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s";]+)/i.exec(contentType) ?? [];
  return decoderOf(charset).decode(bytes);
}

/** A byte order mark is part of the text, as it was sent. */
function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return new TextDecoder('utf-8', { ignoreBOM: true });
  }
}
