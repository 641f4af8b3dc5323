/** What Sandpiper has in a data folder. Others may have files of their own there, which stay as they are. */
import { chmodSync, lstatSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

const files = /^(?:state\..+|(?:journal|checkpoint)-\d+\..+|activities\.ndjson|control\.json|control-token|lock)$/;
const folders = /^(?:blobs|held|requests|snapshots)$/;
/** In the folder of requests; what has other names there is not read. */
const recordFiles = /^\d+\.log$/;

const ownEntries = (folder: string): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).filter(({ name }) => files.test(name) || folders.test(name));

/**
 * The first of them that is of the wrong kind, as a part of a sentence: `"requests" in it is a file, not a folder`. Null: all are
 * right. Links are not followed: what is written through one would replace a file elsewhere.
 */
export function findMisfit(folder: string): string | null {
  for (const entry of ownEntries(folder)) {
    const isRight = folders.test(entry.name) ? entry.isDirectory() : entry.isFile();
    if (!isRight)
      return `"${entry.name}" in it is ${kindOf(entry)}, not a ${folders.test(entry.name) ? 'folder' : 'file'}`;
    if (entry.name !== 'requests') continue;
    const wrong = readdirSync(join(folder, entry.name), { withFileTypes: true }).find(
      (record) => recordFiles.test(record.name) && !record.isFile(),
    );
    if (wrong) return `"requests/${wrong.name}" in it is ${kindOf(wrong)}, not a file`;
  }
  return null;
}

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return 'a link';
  if (entry.isDirectory()) return 'a folder';
  return entry.isFile() ? 'a file' : 'a device or socket';
}

/** Lets only their user read them, also if they were copied or restored with other modes: they contain keys. */
export function makePrivate(folder: string): void {
  for (const entry of ownEntries(folder)) {
    const path = join(folder, entry.name);
    if ((lstatSync(path).mode & 0o077) !== 0) chmodSync(path, entry.isDirectory() ? 0o700 : 0o600);
  }
}
