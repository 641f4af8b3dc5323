import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { letContinue } from '../../net/conversation.ts';
import { inBody, inHeader, refuse, toRefusal, type Refusal } from '../../rules.ts';
import type { Clock } from '../../time/clock.ts';
import { guessEncoding, longestRepaired } from './guess-encoding.ts';
import { largeBytes, type BodyWatcher, type Incoming } from './incoming.ts';
import { bodyRules } from './rules.ts';

/**
 * Bodies are read here rather than by koa-body (which parses our forms, see oauth/) because the recorder needs the raw
 * bytes, invalid UTF-8 must be refused rather than repaired, and a JSON error must name its position
 * (docs/decisions/0004-json-bodies.md).
 */

/**
 * Reads a request's bytes as they arrive.
 * @param limit bytes; a larger body is refused with 413. The rest that the client still sends is read and ignored: if
 *   the connection closed at once, many clients would report the reset instead of the answer.
 * @param keep called with the bytes for the record, including the first of a refused body, and the size of the whole
 *   body
 */
export type ReadBody = (
  request: Incoming,
  limit: number,
  keep: (bytes: Buffer, size: number) => void,
) => Promise<Buffer>;

/** A body that is being read. */
interface Reading extends BodyWatcher {
  /** Rounds of the sweep without a byte. */
  silent: number;
  /** Its index in the list of bodies that are being read. */
  index: number;
  refuse(): void;
}

/** How often a sweep looks at each body before it counts as stalled. */
const roundsOfSilence = 10;

/**
 * Creates the reader of bodies. The server has no time limit of its own, because uploads may take hours: one timer
 * sweeps over the bodies that are being read, and refuses the bodies that stall.
 * @param silenceMs real milliseconds without a byte after which reading stops
 */
export function createBodyReader(clock: Pick<Clock, 'afterWall'>, silenceMs = 30_000): ReadBody {
  const readings: Reading[] = [];
  let isSweeping = false;

  const sweepLater = (): void => {
    isSweeping = true;
    clock.afterWall(silenceMs / roundsOfSilence, () => {
      isSweeping = false;
      // Backwards, because a refused body is replaced in the list by the last one.
      for (let at = readings.length - 1; at >= 0; at--) {
        const reading = readings[at];
        if (reading && ++reading.silent > roundsOfSilence) reading.refuse();
      }
      if (readings.length > 0) sweepLater();
    });
  };

  /**
   * Moves the last one to its place. A Set that shrinks and grows with each request would be copied again and again.
   */
  const remove = (reading: Reading): void => {
    if (readings[reading.index] !== reading) return;
    const last = readings.pop() as Reading;
    last.index = reading.index;
    if (last !== reading) readings[last.index] = last;
  };

  const readArriving: ReadBody = (request, limit, keep) =>
    new Promise((resolve, reject) => {
      const stop = (): Buffer => {
        remove(reading);
        request.unwatch();
        request.off('error', fail);
        const bytes = request.collected;
        // A body that is refused or breaks off is incomplete: more was announced, or more than the limit has arrived.
        keep(bytes.subarray(0, limit), Math.max(request.size, Number(request.headers['content-length'] ?? 0)));
        return bytes;
      };
      // Also called if the client closes the connection before its body is complete.
      const fail = (error: Error): void => {
        stop();
        reject(error);
      };
      const refuseIt = (refusal: Refusal): void => {
        fail(refusal);
        request.discard();
      };
      const refuseTooLarge = (): void => refuseIt(toRefusal(bodyRules.tooLarge, inBody(''), undefined, { limit }));
      const reading: Reading = {
        silent: 0,
        index: -1,
        onBytes(size) {
          reading.silent = 0;
          if (size > limit) refuseTooLarge();
        },
        onEnd() {
          if (request.size <= largeBytes) return resolve(stop());
          remove(reading);
          // The body is then one part, which `stop` takes without a copy.
          request.collectLarge().then(() => resolve(stop()), reject);
        },
        onBroken(problem) {
          fail(problem);
        },
        refuse() {
          const facts = { seconds: silenceMs / 1000 };
          refuseIt(toRefusal(bodyRules.tooSlow, inBody(''), undefined, facts, { connection: 'close' }));
        },
      };
      if (Number(request.headers['content-length'] ?? 0) > limit || request.size > limit) return refuseTooLarge();
      letContinue(request);
      if (request.hasEnded) return resolve(stop());
      if (request.broken) return fail(request.broken);
      // No event will report it now.
      if (request.destroyed) return fail(Object.assign(new Error('The client is gone.'), { code: 'ECONNRESET' }));
      reading.index = readings.push(reading) - 1;
      if (!isSweeping) sweepLater();
      request.watch(reading);
      request.once('error', fail);
    });

  return async (request, limit, keep) => {
    // A small body comes together with its head: after this pause the parser has all of it, and nothing has to be
    // watched.
    await Promise.resolve();
    if (!request.hasEnded || request.size > Math.min(limit, largeBytes)) return readArriving(request, limit, keep);
    const bytes = request.collected;
    keep(bytes, bytes.length);
    return bytes;
  };
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const unzip: Decompress = promisify(gunzip);
const decompressors: { readonly [encoding: string]: Decompress } = {
  gzip: unzip,
  'x-gzip': unzip,
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Decodes the content-encoding up to a limit: a gzip bomb is refused with 413. */
export async function decompress(bytes: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return bytes;
  const place = inHeader('content-encoding');
  // The first bytes are enough to recognise the encoding.
  const beginning = bytes.subarray(0, longestRepaired);
  const decompressor = decompressors[encoding.trim().toLowerCase()];
  if (!decompressor)
    return refuse(bodyRules.contentEncoding, place, encoding, {
      sent: encoding,
      guess: guessEncoding(beginning),
      failed: false,
      isDamaged: false,
    });
  try {
    return await decompressor(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      return refuse(bodyRules.tooLarge, inBody(''), undefined, { limit });
    const guess = guessEncoding(beginning);
    const isDamaged = decompressor === unzip && guess !== null && 'contentEncoding' in guess;
    return refuse(bodyRules.contentEncoding, place, encoding, { sent: encoding, guess, failed: true, isDamaged });
  }
}
