import { closeSync, copyFileSync, existsSync, linkSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, renameWithRetry } from '../../../system.ts';
import { createLineAcceptor, toTexts, type LineAcceptor } from '../check/accept/accept-line.ts';
import { openFileWriter, partPath } from '../check/file-writer.ts';
import { eachLine } from './each-line.ts';
import {
  commitManifest,
  deadName,
  oldGeneration,
  readManifest,
  removeUnused,
  segmentName,
  type Manifest,
  type SegmentEntry,
} from './manifest.ts';
import { isSet, openSegment, openSegmentWriter, segmentFiles, type LineFacts, type Segment } from './segment.ts';

export interface MergeOptions {
  /** The folder of a company's saved products. */
  readonly dir: string;
  /**
   * Lines that `checkFile` found good, each with a newline. Null: only converts the folder of an earlier version to the
   * present form.
   */
  readonly goodPath: string | null;
  /** Bytes that are merged before the event loop gets a turn; fewer if the thread also answers requests. */
  readonly chunkBytes?: number;
}

/** At most this many segments remain, because a search or a check looks into each of them. */
const MOST_SEGMENTS = 8;

/**
 * Merges checked products into the catalog by id: a product of the file replaces the saved one (section 2.1), the
 * others stay. The file becomes a segment of its own, so the cost depends only on its products; the products that it
 * replaces are marked as dead in their segments. The new state becomes the catalog by one rename, so a kill leaves the
 * old catalog or the new one, and repeating a merge gives the same catalog. Memory: the ids of the file, 11 to 22 bytes
 * each.
 * @returns the number of products in the file
 */
export async function mergeProducts({ dir, goodPath, chunkBytes }: MergeOptions): Promise<number> {
  makeFolder(dir);
  await removeUnused(dir);
  const old = oldGeneration(dir);
  if (old !== null) await addFile(dir, join(old, 'products.ndjson'), chunkBytes);
  return goodPath === null ? 0 : addFile(dir, goodPath, chunkBytes);
}

/** Adds the file as the newest segment and returns the number of its products. */
async function addFile(dir: string, goodPath: string, chunkBytes: number | undefined): Promise<number> {
  const manifest = readManifest(dir);
  const state = openState(dir, manifest);
  try {
    const putLines = (path: string): void => linkOrCopy(goodPath, path);
    const added = await writeSegment(dir, state.nextNumber(), { putLines, onProduct: state.replace, chunkBytes });
    if (added.products > 0) state.put(added, []);
    for (let run = state.toRewrite(); run !== null; run = state.toRewrite()) {
      const live = run;
      const source = { putLines: (path: string) => copyLive(live, path), onProduct: () => undefined, chunkBytes };
      state.put(await writeSegment(dir, state.nextNumber(), source), live);
    }
    commitManifest(dir, state.finish());
    return added.products;
  } finally {
    state.close();
  }
}

/** The next state of the catalog. Nothing of it is visible before its manifest is committed. */
function openState(dir: string, { version, segments: entries }: Manifest) {
  interface Part {
    readonly segment: Segment;
    live: number;
    liveBytes: number;
    /** Null until this merge replaces the first product. */
    dead: Uint8Array | null;
  }
  const open = (entry: SegmentEntry): Part => {
    const { live, liveBytes } = entry;
    return { segment: openSegment(dir, entry, { keeps: true }), live, liveBytes, dead: null };
  };
  let parts = entries.map(open);
  let number = Math.max(0, ...entries.map((entry) => entry.number));

  const liveLines = (run: readonly Part[]): LiveLines =>
    run.map(({ segment, dead }) => ({
      segment,
      isLive: (at) => segment.isLive(at) && (dead === null || !isSet(dead, at)),
    }));

  return {
    nextNumber: () => (number += 1),
    /** Marks the saved product with this id as dead, if there is one. */
    replace(id: string): void {
      for (const part of parts) {
        if (part.live === 0) continue;
        const { segment } = part;
        const at = segment.findProduct(id);
        if (at === null) continue;
        part.dead ??= new Uint8Array(Math.ceil(segment.entry.products / 8));
        part.dead[at >> 3]! |= 1 << (at & 7);
        part.live -= 1;
        part.liveBytes -= segment.place(at).length;
        // A product is live in one segment only.
        return;
      }
    },
    /** Puts a segment before the others, or where the segments were whose lines it contains. */
    put(entry: SegmentEntry, instead: LiveLines): void {
      const gone = new Set(instead.map(({ segment }) => segment));
      const at = Math.max(
        0,
        parts.findIndex(({ segment }) => gone.has(segment)),
      );
      for (const { segment } of parts) if (gone.has(segment)) segment.close();
      parts = parts.filter(({ segment }) => !gone.has(segment));
      parts.splice(at, 0, open(entry));
    },
    /**
     * The neighbouring segments that are now worth rewriting. Either one of which more than half is dead, so that the
     * disk has at most twice the catalog. Or, if there are too many segments, the two smallest neighbours. Null: none.
     */
    toRewrite(): LiveLines | null {
      for (const { segment, live } of parts) if (live === 0) segment.close();
      parts = parts.filter(({ live }) => live > 0);
      const mostlyDead = parts.find(({ segment: { entry }, liveBytes }) => liveBytes * 2 < entry.bytes);
      if (mostlyDead) return liveLines([mostlyDead]);
      if (parts.length <= MOST_SEGMENTS) return null;
      const sums = parts.slice(1).map(({ liveBytes }, i) => liveBytes + parts[i]!.liveBytes);
      const smallest = sums.indexOf(Math.min(...sums));
      return liveLines(parts.slice(smallest, smallest + 2));
    },
    /** Writes the files that mark dead products, and returns the manifest. */
    finish(): Manifest {
      const segments = parts.map(({ segment, live, liveBytes, dead }): SegmentEntry => {
        const { entry } = segment;
        if (dead === null) return entry;
        const name = deadName(entry.number, version + 1);
        for (let at = 0; at < entry.products; at += 1) if (!segment.isLive(at)) dead[at >> 3]! |= 1 << (at & 7);
        writeFileSync(join(dir, name), dead, { mode: 0o600, flush: true });
        return { ...entry, live, liveBytes, dead: name };
      });
      return { version: version + 1, segments };
    },
    close() {
      for (const { segment } of parts) segment.close();
    },
  };
}

type LiveLines = readonly { readonly segment: Segment; readonly isLive: (at: number) => boolean }[];

interface SegmentSource {
  /** Puts the lines at this path. */
  readonly putLines: (path: string) => void;
  readonly onProduct: (id: string) => void;
  readonly chunkBytes: number | undefined;
}

/** Writes a segment: its lines and their index. Its folder gets its name when it is complete. */
async function writeSegment(
  dir: string,
  number: number,
  { putLines, onProduct, chunkBytes }: SegmentSource,
): Promise<SegmentEntry> {
  const path = join(dir, segmentName(number));
  const folder = partPath(path);
  await mkdir(folder, { mode: 0o700 });
  try {
    const { products: linesPath } = segmentFiles(folder);
    putLines(linesPath);
    const { products, bytes } = await writeIndex(folder, linesPath, { onProduct, chunkBytes });
    await renameWithRetry(folder, path);
    return { number, products, bytes, live: products, liveBytes: bytes, dead: null };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeIndex(
  folder: string,
  linesPath: string,
  { onProduct, chunkBytes }: Omit<SegmentSource, 'putLines'>,
): Promise<{ readonly products: number; readonly bytes: number }> {
  const file = openSync(linesPath, 'r');
  const writer = openSegmentWriter(folder, file);
  const acceptor = createLineAcceptor();
  let bytes = 0;
  try {
    const take = (line: Buffer, offset: number): void => {
      const facts = factsOf(line, acceptor);
      if (!writer.add(facts, { offset, length: line.length }))
        throw new Error(`product ${JSON.stringify(facts.id)} is in the file twice: check the file first`);
      onProduct(facts.id);
      bytes += line.length;
    };
    await eachLine(linesPath, take, chunkBytes);
    writer.finish();
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    closeSync(file);
  }
  return { products: writer.products, bytes };
}

/** The live lines of segments, in their order, as one file. */
function copyLive(live: LiveLines, path: string): void {
  const lines = openFileWriter(path);
  try {
    for (const { segment, isLive } of live)
      for (let at = 0; at < segment.entry.products; at += 1) if (isLive(at)) lines.line(segment.line(at));
    lines.finish();
  } catch (error) {
    lines.abandon();
    throw error;
  }
}

function factsOf(line: Buffer, acceptor: LineAcceptor): LineFacts {
  if (!acceptor.accepts(line)) {
    const { id, name, variants } = JSON.parse(line.toString()) as {
      readonly id: string;
      readonly name: string;
      readonly variants: readonly { readonly id: string }[];
    };
    return { id, name, variantIds: variants.map((variant) => variant.id) };
  }
  const { productId, name, variantIds } = acceptor;
  const text = line.toString('utf8', name.ranges[0], name.ranges[1]);
  return {
    id: toTexts(line, productId)[0] ?? '',
    name: text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text,
    variantIds: toTexts(line, variantIds),
  };
}

function linkOrCopy(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`the checked file ${from} is gone. Send the file again`);
  try {
    linkSync(from, to);
  } catch {
    // The disk may have no links. If it is full, it refuses the copy too.
    copyFileSync(from, to);
  }
}
