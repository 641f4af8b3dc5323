/** The activities of a data folder, `activities.ndjson`: a line for each, and another line when it changes. */
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../contract/json-object.ts';
import { jsonOf } from '../contract/json-of.ts';
import { reasonOf } from '../errors.ts';
import { fixOfDisk, isClosed, StoreError } from '../store/errors.ts';
import { textOrNull } from '../store/or-null.ts';
import { renameWithRetry } from '../system.ts';
import type { Store } from '../store/store.ts';
import type { Activity } from './activity.ts';

export interface ActivityFile {
  /** The activities that earlier processes wrote, oldest first. */
  readonly earlier: readonly Activity[];
  /**
   * Appends lines in the background. A line replaces an earlier one with the same id.
   * @param all the whole list, with which the file is written again if it has many more lines
   */
  append(activities: readonly Activity[], all: readonly Activity[]): void;
  /** Writes the file again, with these only. */
  replace(activities: readonly Activity[]): void;
  written(): Promise<void>;
}

/**
 * Opens the file; it is made with the first line (0600). A line that cannot be read is left out: the lines explain what
 * happened, and nothing depends on them.
 * @param store a store in memory has no file
 * @param kept how many of the newest are read; the file has twice as many lines at most
 * @param onProblem called once, with a sentence, if the disk refuses; later activities are then in memory only
 */
export function openActivityFile({
  store: { dataDir, checkFolder },
  kept,
  onProblem,
}: {
  readonly store: Pick<Store, 'dataDir' | 'checkFolder'>;
  readonly kept: number;
  readonly onProblem: (text: string) => void;
}): ActivityFile | null {
  if (dataDir === null) return null;
  const path = join(dataDir, 'activities.ndjson');
  let isFailing = false;
  let work: Promise<void> = Promise.resolve();
  const enqueue = (step: () => Promise<void>): void => {
    work = work
      .then(checkFolder)
      .then(step)
      .catch((error: unknown) => {
        // Nothing to report: the server has ended.
        if (isFailing || isClosed(error)) return;
        isFailing = true;
        const reason = reasonOf(error);
        onProblem(
          error instanceof StoreError
            ? reason
            : `What was done by hand could not be written to ${path} (${reason}). It is kept in memory only. ${fixOfDisk(error)}.`,
        );
      });
  };
  const { activities, lines: found } = read(path);
  const earlier = activities.slice(-kept);
  let lines = found;
  const replace = (all: readonly Activity[]): void => {
    lines = all.length;
    enqueue(() => writeAnew(path, all.map(toLine).join('')));
  };

  if (lines > kept * 2) replace(earlier);
  return {
    earlier,
    append(added, all) {
      lines += added.length;
      if (lines > kept * 2) return replace(all);
      // A line break first: the file of a killed process may end in half a line.
      enqueue(() => appendFile(path, `\n${added.map(toLine).join('')}`, { mode: 0o600 }));
    },
    replace,
    written: () => work,
  };
}

/** Writes a temporary file and renames it, so that a kill leaves the old file or the new one. */
async function writeAnew(path: string, text: string): Promise<void> {
  const aside = `${path}.tmp`;
  try {
    await rm(aside, { force: true });
    await writeFile(aside, text, { mode: 0o600, flag: 'wx' });
    await renameWithRetry(aside, path);
  } catch (error) {
    // On a full disk the temporary file would take the space that the journal needs.
    await rm(aside, { force: true });
    throw error;
  }
}

const toLine = (activity: Activity): string => `${JSON.stringify(activity)}\n`;

function read(path: string): { readonly activities: readonly Activity[]; readonly lines: number } {
  const byId = new Map<string, Activity>();
  let lines = 0;
  for (const line of (textOrNull(path) ?? '').split('\n')) {
    if (line === '') continue;
    lines += 1;
    const activity = toActivity(line);
    if (activity) byId.set(activity.id, activity);
  }
  return { activities: [...byId.values()], lines };
}

function toActivity(line: string): Activity | null {
  const value = jsonOf(line);
  if (!isJsonObject(value)) return null;
  const { id, at, wallAt, kind, says, touched } = value;
  const isWhole = [id, kind, says].every((one) => typeof one === 'string') && Array.isArray(touched);
  return isWhole && Number.isFinite(at) && Number.isFinite(wallAt) ? (value as unknown as Activity) : null;
}
