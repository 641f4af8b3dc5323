/** The text of a receiver's answer, from its bytes. */
import { createBrotliDecompress, createGunzip, createInflate, constants, type ZlibOptions } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import type { DeliveryAttempt } from '../records.ts';

// The bytes that were read may end before the compressed text does.
const toEnd: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };

const decoders: { readonly [encoding: string]: () => Transform } = {
  gzip: () => createGunzip(toEnd),
  'x-gzip': () => createGunzip(toEnd),
  deflate: () => createInflate(toEnd),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

/** Bytes that are shown of a body that is not text. */
const shownBytes = 32;

/** A body as it is stored. */
type AnswerBody = Pick<NonNullable<DeliveryAttempt['response']>, 'body' | 'binaryBytes'>;

/**
 * The text of the first bytes of a body, of which at most `limit` bytes are kept. Nothing asks a receiver to compress
 * its answer, but some always do. Bytes that are not compressed as the headers say are read as they are, and an unknown
 * charset is read as UTF-8. Bytes that are not text are described.
 * @param arrived how many bytes the whole body had
 */
export async function toAnswerBody(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  { limit, arrived }: { readonly limit: number; readonly arrived: number },
): Promise<AnswerBody> {
  const decoder = decoders[headers['content-encoding']?.trim().toLowerCase() ?? ''];
  const plain = decoder ? await decode(bytes, decoder(), limit) : bytes;
  const { text, isNot } = toText(plain.subarray(0, limit), headers['content-type']);
  if (isNot === null) return { body: text };
  const first = plain
    .subarray(0, shownBytes)
    .toString('hex')
    .replaceAll(/..(?=.)/g, '$& ');
  const isAll = plain.length <= shownBytes;
  return { body: `Not ${isNot}. It ${isAll ? 'is' : 'begins with'} the bytes ${first}`, binaryBytes: arrived };
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

/** The bytes read as text. `isNot`: what they should be and are not, such as “text in UTF-8”; null if they are text. */
function toText(bytes: Buffer, contentType = ''): { readonly text: string; readonly isNot: string | null } {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s";]+)/i.exec(contentType) ?? [];
  const decoder = decoderOf(charset);
  const text = decoder.decode(bytes);
  if (text.includes('\0')) return { text, isNot: 'text' };
  // If no header names the charset, most of a European text can be read as UTF-8; of other bytes, such as a picture,
  // only a little. The last character may be cut.
  const unread = text.match(/\ufffd(?!$)/g)?.length ?? 0;
  return { text, isNot: unread > text.length / 4 ? `text in ${decoder.encoding.toUpperCase()}` : null };
}

/** A byte order mark is part of the text, as it was sent. */
function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return new TextDecoder('utf-8', { ignoreBOM: true });
  }
}
