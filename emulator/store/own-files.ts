/** Sandpiper's own files in a data folder. There may be other files, which stay as they are. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  rmSync,
  type Dirent,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { wholly } from '../system.ts';

const files =
  /^(?:state\..+|(?:journal|checkpoint)-\d+\..+|activities\.ndjson(?:\.tmp)?|lineage\.ndjson|(?:control|reset)\.json|control-token|lock)$/;
const folders = /^(?:blobs|held|requests|snapshots)$/;
/** The files in the folder `requests`. Files with other names are not read. */
const recordFiles = /^\d+\.log$/;

const ownEntries = (folder: string): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).filter(({ name }) => files.test(name) || folders.test(name));

/** A reason why a start cannot use the files in the folder. */
export interface Obstacle {
  /** A part of a sentence: `"requests" in it is a file, not a folder`. */
  readonly is: string;
  /** What to do, in the imperative, without a full stop. */
  readonly fix: string;
}

/**
 * Finds the first of Sandpiper's files that is of the wrong kind, or that this user may not use, for example after a
 * start as another user. Null if all are right. Links are not followed: a write through a link would replace a file
 * elsewhere.
 */
export function findObstacle(folder: string): Obstacle | null {
  for (const entry of ownEntries(folder)) {
    const obstacle = obstacleOf(folder, entry.name, entry, folders.test(entry.name));
    if (obstacle !== null) return obstacle;
  }
  return null;
}

/** @param name below the folder. Files among the blobs and snapshots are only looked at when they are used. */
function obstacleOf(folder: string, name: string, entry: Dirent, isFolder: boolean): Obstacle | null {
  const isRight = isFolder ? entry.isDirectory() : entry.isFile();
  if (!isRight)
    return { is: `"${name}" in it is ${kindOf(entry)}, not a ${isFolder ? 'folder' : 'file'}`, fix: 'Move that away' };
  const path = join(folder, name);
  if (!isUsable(path, isFolder)) {
    // On Windows only the read-only attribute makes a file unusable.
    const isOwn = lstatSync(path).uid === (process.getuid?.() ?? 0);
    // A start makes it usable, see `makePrivate`.
    if (isOwn && !name.includes('/')) return null;
    const fix = isOwn ? 'Let this user read and write it' : 'Give it to this user';
    return { is: `this user may not use "${name}" in it`, fix };
  }
  if (!isFolder) return null;
  for (const inner of readdirSync(path, { withFileTypes: true })) {
    const isRecord = name === 'requests' && recordFiles.test(inner.name);
    if (!isRecord && !inner.isDirectory()) continue;
    const obstacle = obstacleOf(folder, `${name}/${inner.name}`, inner, !isRecord);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

function isUsable(path: string, isFolder: boolean): boolean {
  return allows(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the missing part of a path without which a folder cannot be made: the target of a link or, on Windows, a drive.
 * Null if there is none.
 */
export function findMissingPart(folder: string): Obstacle | null {
  for (let path = folder; !existsSync(path); path = dirname(path)) {
    if (isLink(path))
      return { is: `${path} is a link to ${readlinkSync(path)}, which does not exist`, fix: 'Make that one' };
    if (path === dirname(path)) return { is: `there is no drive or share ${path}`, fix: 'Connect it' };
  }
  return null;
}

/** Whether a path is a link. A path below a file, or with a name that is too long, is not one. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Sentences about kept snapshots that this user may not read, and that are therefore not listed. */
export function findUnreadableSnapshots(folder: string): readonly string[] {
  const path = join(folder, 'snapshots');
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.json') && !allows(join(path, entry.name), constants.R_OK),
    )
    .map(({ name }) => `This user may not read ${join(path, name)}, so it is not listed. Give the file to this user.`);
}

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return 'a link';
  if (entry.isDirectory()) return 'a folder';
  return entry.isFile() ? 'a file' : 'a device or socket';
}

/** Removes Sandpiper's files, the lock last: until then no other start takes the folder. */
export function removeOwn(folder: string): void {
  const names = ownEntries(folder).map(({ name }) => name);
  for (const name of [...names.filter((one) => one !== 'lock'), 'lock']) rmSync(join(folder, name), wholly);
}

/**
 * Lets only their user read and write Sandpiper's files, even if they were copied or restored with other modes: they
 * contain keys.
 */
export function makePrivate(folder: string): void {
  for (const entry of ownEntries(folder)) {
    const path = join(folder, entry.name);
    const mode = entry.isDirectory() ? 0o700 : 0o600;
    const present = lstatSync(path).mode;
    if ((present & 0o077) !== 0 || (present & mode) !== mode) chmodSync(path, mode);
  }
}
