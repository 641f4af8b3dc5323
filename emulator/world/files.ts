/** The files that belong to records: read into a snapshot, and written from one into a copy of the blobs. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { readList } from '../store/read-list.ts';
import type { BlobCopy } from '../store/store.ts';
import { snapshotBytes } from '../store/snapshot-bytes.ts';
import { tooLarge } from '../store/snapshot-files.ts';
import { createSlices } from '../time/slices.ts';
import { writePieces } from '../time/write-pieces.ts';
import { blobKinds, type BlobKind, type SnapshotBlob } from './format.ts';

/** Reads and writes a company's saved products in their folder. The catalog provides it, as it knows the format. */
export interface SavedProducts {
  bytes(dir: string): Promise<number>;
  /** Null if none are saved. */
  read(dir: string): Promise<readonly string[] | null>;
  /** Merges lines into the products of the folder. */
  write(dir: string, lines: readonly string[]): Promise<void>;
}

const codesEnding = '.json';

/**
 * Reads all files from a copy of the blobs that was made in the same turn as the records. Refused above the size limit.
 */
export async function readFiles(
  copy: BlobCopy,
  owners: (kind: BlobKind) => readonly string[],
  products: SavedProducts,
): Promise<readonly SnapshotBlob[]> {
  const found = await Promise.all(
    (Object.keys(blobKinds) as BlobKind[]).flatMap((kind) =>
      owners(kind)
        .filter((id) => copy.has(kind, fileName(kind, id)))
        .map(async (id) => {
          const path = copy.path(kind, fileName(kind, id));
          return {
            kind,
            id,
            path,
            bytes: kind === 'products' ? await products.bytes(path) : copy.size(kind, fileName(kind, id)),
          };
        }),
    ),
  );
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = found.toSorted((one, other) => other.bytes - one.bytes)[0];
  if (largest && total > snapshotBytes) throw tooLarge(total, `${largest.kind} of ${largest.id}`);

  const files: SnapshotBlob[] = [];
  for (const { kind, id, path } of found) {
    const blob = await readBlob(kind, id, path, products);
    if (blob) files.push(blob);
  }
  return files;
}

async function readBlob(
  kind: BlobKind,
  id: string,
  path: string,
  products: SavedProducts,
): Promise<SnapshotBlob | null> {
  if (kind === 'products') {
    const lines = await products.read(path);
    return lines && { kind, id, lines };
  }
  if (kind === 'codes') return { kind, id, lines: await readList(path) };
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) return { kind, id, base64: bytes.toString('base64') };
  return { kind, id, lines: await toLines(bytes) };
}

/** Bytes, or characters, that are read or written before the event loop gets a turn: a few milliseconds. */
const sliceLength = 512 * 1024;

/** The lines of a text in UTF-8. There is one more line than line breaks. */
async function toLines(bytes: Buffer): Promise<readonly string[]> {
  const slice = createSlices(sliceLength);
  const lines: string[] = [];
  for (let from = 0; ;) {
    const end = bytes.indexOf(0x0a, from);
    lines.push(bytes.toString('utf8', from, end === -1 ? bytes.length : end));
    if (end === -1) return lines;
    const turn = slice(end - from + 16);
    if (turn) await turn;
    from = end + 1;
  }
}

/**
 * Writes files into a copy of the blobs. A file replaces the one with the same name; products are merged by their ids.
 */
export async function writeFiles(
  copy: BlobCopy,
  files: readonly SnapshotBlob[],
  products: SavedProducts,
): Promise<void> {
  for (const file of files) {
    const { kind, id } = file;
    const name = fileName(kind, id);
    if (kind === 'products') {
      if ('lines' in file) await products.write(copy.path(kind, name), file.lines);
      continue;
    }
    // Never write into an existing file, which may be shared with the blobs.
    copy.remove(kind, name);
    await writePieces(copy.path(kind, name), toPieces(file));
  }
}

function* toPieces(file: SnapshotBlob): Iterable<string | Buffer> {
  if ('base64' in file) {
    // Four characters are three bytes, so a piece can be decoded alone if its length is a multiple of four.
    for (let from = 0; from < file.base64.length; from += sliceLength)
      yield Buffer.from(file.base64.slice(from, from + sliceLength), 'base64');
    return;
  }
  const isList = file.kind === 'codes';
  if (isList) yield '[';
  for (const [at, line] of file.lines.entries())
    yield (at === 0 ? '' : isList ? ',' : '\n') + (isList ? JSON.stringify(line) : line);
  if (isList) yield ']';
}

/** The name of a record's file in the blobs. */
function fileName(kind: BlobKind, id: string): string {
  return kind === 'codes' ? id + codesEnding : id;
}
