/** What Sandpiper has in a data folder. Others may have files of their own there, which stay as they are. */
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
  /^(?:state\..+|(?:journal|checkpoint)-\d+\..+|activities\.ndjson(?:\.tmp)?|control\.json|control-token|lock)$/;
const folders = /^(?:blobs|held|requests|snapshots)$/;
/** In the folder of requests; what has other names there is not read. */
const recordFiles = /^\d+\.log$/;

const ownEntries = (folder: string): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).filter(({ name }) => files.test(name) || folders.test(name));

/** Why a start cannot use what is in the folder. */
export interface Obstacle {
  /** A part of a sentence: `"requests" in it is a file, not a folder`. */
  readonly is: string;
  /** What to do, in the imperative, without a full stop. */
  readonly fix: string;
}

/**
 * The first of them that is of the wrong kind, or that this user may not use, as after one start as another user. Null: all are
 * right. Links are not followed: what is written through one would replace a file elsewhere.
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
    // On Windows only the mark that a file is read-only makes it unusable.
    const isOwn = lstatSync(path).uid === (process.getuid?.() ?? 0);
    // A start makes it usable.
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
 * Of a folder that does not exist, the part of its path without which it cannot be made: a link to nothing or, on Windows, a drive.
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

/** What lies below a file, or has a name that is too long, is none. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Sentences about kept snapshots that this user may not read, and which are not listed therefore. */
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

/** Removes them, the lock last: until then no other start takes the folder. */
export function removeOwn(folder: string): void {
  const names = ownEntries(folder).map(({ name }) => name);
  for (const name of [...names.filter((one) => one !== 'lock'), 'lock']) rmSync(join(folder, name), wholly);
}

/** Lets their user, and no other, read and write them, also if they were copied or restored with other modes: they contain keys. */
export function makePrivate(folder: string): void {
  for (const entry of ownEntries(folder)) {
    const path = join(folder, entry.name);
    const mode = entry.isDirectory() ? 0o700 : 0o600;
    const present = lstatSync(path).mode;
    if ((present & 0o077) !== 0 || (present & mode) !== mode) chmodSync(path, mode);
  }
}
