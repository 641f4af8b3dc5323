import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../contract/json-object.ts';
import { jsonOf } from '../contract/json-of.ts';
import { textOrNull } from '../store/or-null.ts';
import type { Store } from '../store/store.ts';

/** What a reset removes from the record: the requests and the activities up to these, oldest first. */
export interface Removed {
  /** The sequence of the newest request; 0 for none. */
  readonly request: number;
  /** The id of the newest activity; null for none. */
  readonly activity: string | null;
}

/**
 * The mark of a reset, `reset.json` in the data folder. A reset replaces the state, and then removes the recorded
 * requests and the activities from their own files. After a kill in between, the next start finds here what to remove.
 */
export interface ResetMark {
  /**
   * What an earlier process was to remove when it was killed, after it had replaced the state; null if there is nothing.
   */
  readonly unfinished: Removed | null;
  /** Writes the mark, synchronously. Call it just before the state is replaced. */
  write(removed: Removed): void;
  /** Removes the mark. Call it when everything is removed, or if nothing was replaced. */
  remove(): void;
}

/** Opens the mark of a store. A store in memory has none. */
export function openResetMark({ dataDir, past }: Pick<Store, 'dataDir' | 'past'>): ResetMark {
  if (dataDir === null) return { unfinished: null, write() {}, remove() {} };
  const path = join(dataDir, 'reset.json');
  /** The journal with which the state began: it changes with each replacement. */
  const began = (): number => past.track().at(-1)?.from ?? 0;
  const remove = (): void => rmSync(path, { force: true });
  const unfinished = readUnfinished(path, began());
  // It must not seem to be unfinished after a later replacement.
  if (unfinished === null) remove();
  return {
    unfinished,
    write: (removed) => writeFileSync(path, JSON.stringify({ ...removed, replaced: began() }), { mode: 0o600 }),
    remove,
  };
}

function readUnfinished(path: string, began: number): Removed | null {
  const value = jsonOf(textOrNull(path) ?? '');
  if (!isJsonObject(value)) return null;
  const { request, activity, replaced } = value;
  // The same state as before the reset: the kill came before it was replaced.
  if (replaced === began || typeof request !== 'number') return null;
  return { request, activity: typeof activity === 'string' ? activity : null };
}
