/** Reading single lines of the files of uploads, for people. Bounded: a file may be 2 GB, a line 4 MB. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { findJsonMistake } from '../../contract/json-mistake.ts';
import { atOnce } from '../../time/slices.ts';
import type { SavedProduct } from './check/product-schema.ts';
import type { ProductChecker } from './check/check-product.ts';
import { createLineSplitter } from './check/lines.ts';
import type { FileLine } from './check/shapes.ts';

/** Bytes of a line that are shown. */
const shownBytes = 1024 * 1024;
/** Bytes of good lines that are read. */
const lookedAtBytes = 16 * 1024 * 1024;

/** The line with this number, from 1; null if the file has none. */
export async function readLine(path: string, wanted: number): Promise<FileLine | null> {
  let found: Promise<FileLine> | null = null;
  const splitter = createLineSplitter(
    {
      line(bytes, num) {
        // A copy: the splitter uses its memory again.
        if (num === wanted) found = toFileLine(Buffer.from(bytes));
      },
      tooLong(num, length) {
        if (num === wanted) found = Promise.resolve({ text: null, bytes: length, faultAt: null, fixed: null });
      },
      tooMany() {},
    },
    { maxLines: wanted },
  );
  for await (const chunk of createReadStream(path, { highWaterMark: shownBytes })) {
    splitter.push(chunk as Buffer);
    if (found !== null || splitter.isStopped) return found;
  }
  splitter.end();
  return found;
}

/** Compiled once: that takes longer than reading a line. */
let checker: ProductChecker | null = null;

async function toFileLine(bytes: Buffer): Promise<FileLine> {
  const text = bytes.subarray(0, shownBytes).toString('utf8');
  if (bytes.length > shownBytes) return { text, bytes: bytes.length, faultAt: null, fixed: null };
  // These load Ajv: most processes start without ever needing it.
  const [{ createProductChecker }, { fixLine }] = await Promise.all([
    import('./check/check-product.ts'),
    import('./check/fix-file.ts'),
  ]);
  checker ??= createProductChecker();
  const result = fixLine(bytes, checker);
  const fixed = result.outcome === 'fixed' ? result.text : null;
  return { text, bytes: bytes.length, faultAt: faultOf(bytes, text), fixed };
}

function faultOf(bytes: Buffer, text: string): number | null {
  if (!isUtf8(bytes)) return firstReplaced(bytes, text);
  try {
    JSON.parse(text);
    return null;
  } catch {
    return atOnce(findJsonMistake(text))?.index ?? 0;
  }
}

const replacement = Buffer.from('\uFFFD');

/**
 * The index of the first character that replaced bytes that are not UTF-8; a line may also have this character itself.
 */
function firstReplaced(bytes: Buffer, text: string): number {
  let read = 0;
  for (let from = 0; ;) {
    const at = text.indexOf('\uFFFD', from);
    read += Buffer.byteLength(text.slice(from, at));
    if (!bytes.subarray(read, read + replacement.length).equals(replacement)) return at;
    read += replacement.length;
    from = at + 1;
  }
}

/** Products of a file with only good lines: `limit` of them from `offset` on, within the first 16 MB. */
export async function readGoodLines(path: string, offset: number, limit: number): Promise<readonly SavedProduct[]> {
  const products: SavedProduct[] = [];
  const splitter = createLineSplitter({
    line(bytes, num) {
      if (num > offset && products.length < limit) products.push(JSON.parse(bytes.toString('utf8')) as SavedProduct);
    },
    tooLong() {},
    tooMany() {},
  });
  for await (const chunk of createReadStream(path, { end: lookedAtBytes - 1 })) {
    splitter.push(chunk as Buffer);
    if (products.length >= limit) break;
  }
  // In these files every line ends with a newline, so a last line that was cut off is left out.
  return products;
}
