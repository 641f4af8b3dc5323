import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { renameAtOnce, syncFolderAtOnce } from '../../../system.ts';
import { damaged } from '../rules.ts';

/** One segment: a folder with the products of an upload, which never changes, and how many of them are still live. */
export interface SegmentEntry {
  /** Its folder is `segment-<number>`. */
  readonly number: number;
  readonly products: number;
  /** Bytes of their lines. */
  readonly bytes: number;
  /** Those of its products that no later upload replaced. */
  readonly live: number;
  readonly liveBytes: number;
  /** The file with one bit for each product, set if it was replaced; null if none was. */
  readonly dead: string | null;
}

/** The saved products of a company: its segments, the newest first. */
export interface Manifest {
  readonly version: number;
  readonly segments: readonly SegmentEntry[];
}

const MANIFEST = /^catalog-(\d+)\.json$/;
const GENERATION = /^generation-(\d+)$/;
/** The names of everything that this store writes into its folder. */
const OWN = /^(?:catalog-\d+\.json|segment-\d+|dead-\d+-\d+|generation-\d+)(?:\.part)?$/;

/** The folder of a segment. */
export const segmentName = (number: number): string => `segment-${number}`;
/** The file that marks the products of a segment that are replaced as of a version of the manifest. */
export const deadName = (number: number, version: number): string => `dead-${number}-${version}`;

/** The newest manifest; one without segments if nothing was saved. Refused if it is not complete. */
export function readManifest(dir: string): Manifest {
  const version = newest(dir, MANIFEST);
  if (version === null) return { version: 0, segments: [] };
  const name = `catalog-${version}.json`;
  try {
    return JSON.parse(readFileSync(join(dir, name), 'utf8')) as Manifest;
  } catch (error) {
    // A power loss may have left it empty, or a copy of the folder cut it off.
    throw error instanceof SyntaxError ? damaged(name) : error;
  }
}

/**
 * Makes a manifest the present one, by one rename. Everything that it names must be complete. The name of its file is
 * new, so a copy of the folder that is being made meanwhile contains this version or the one before.
 */
export function commitManifest(dir: string, manifest: Manifest): void {
  const path = join(dir, `catalog-${manifest.version}.json`);
  writeFileSync(`${path}.part`, JSON.stringify(manifest), { mode: 0o600, flush: true });
  renameAtOnce(`${path}.part`, path);
  syncFolderAtOnce(dir);
}

/** The folder of the products as early versions saved them; null if there is a manifest, or no such folder. */
export function oldGeneration(dir: string): string | null {
  if (!existsSync(dir) || newest(dir, MANIFEST) !== null) return null;
  const number = newest(dir, GENERATION);
  return number === null ? null : join(dir, `generation-${number}`);
}

function newest(dir: string, pattern: RegExp): number | null {
  if (!existsSync(dir)) return null;
  const numbers = readdirSync(dir).flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return numbers.length === 0 ? null : Math.max(...numbers.map(Number));
}

/**
 * Removes the files that only earlier versions needed, and those that a killed process left. A file that cannot be
 * removed yet (on Windows, while a check reads it) is removed the next time.
 */
export async function removeUnused(dir: string): Promise<void> {
  // While the products are opened, a reset may have replaced all files by others.
  if (!existsSync(dir)) return;
  const { version, segments } = readManifest(dir);
  const kept = new Set([
    `catalog-${version}.json`,
    ...segments.flatMap(({ number, dead }) => [segmentName(number), ...(dead === null ? [] : [dead])]),
  ]);
  const old = oldGeneration(dir);
  const unused = readdirSync(dir).filter((name) => OWN.test(name) && !kept.has(name) && join(dir, name) !== old);
  await Promise.allSettled(unused.map((name) => rm(join(dir, name), { recursive: true, force: true })));
}
