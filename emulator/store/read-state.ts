import { constants } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { reasonOf } from '../errors.ts';
import type { Definitions } from '../records/definition.ts';
import { migrateRecords } from '../records/migrations.ts';
import { createRecordCheck } from '../records/misfit.ts';
import { findOrphan } from '../records/owners.ts';
import { parseInSlices, withoutMark } from '../time/parse-slices.ts';
import { atOnce } from '../time/slices.ts';
import { sealOf, type Seal } from './checksum.ts';
import { readDocument, type ReadDocument } from './document.ts';
import { StoreError } from './errors.ts';
import { orNull } from './or-null.ts';
import type { Start, Track } from './past.ts';

/** The content of state.json: the state, and the number of the first journal that is not in it. */
export interface SavedState extends ReadDocument {
  readonly journal: number;
  /** When it was saved, epoch ms on the virtual clock. Older versions wrote neither this nor `past`. */
  readonly at?: number;
  /**
   * The history of the state, oldest span first. A span is its first journal, its last journal, and the bytes of the
   * last journal that belong to the span. The last span has only its first journal: it goes on in the present.
   */
  readonly past?: readonly (readonly number[])[];
}

/** The history of a saved state. It begins with that state if the file has no history, or was edited since. */
export function toStart({ journal, past }: SavedState, seal: Seal): Start {
  const isWhole = seal === 'fits' && Array.isArray(past) && past.every((span) => span.every(Number.isSafeInteger));
  const [from = journal] = (isWhole && past.at(-1)) || [];
  const spans = isWhole ? past.slice(0, -1) : [];
  return {
    from,
    before: spans.map(([first = 0, last = 0, offset = 0]) => ({ from: first, until: { journal: last, offset } })),
  };
}

/** Converts a history to the form in which it is saved. */
export function toPast(before: Track, from: number): NonNullable<SavedState['past']> {
  return [...before.map((span) => [span.from, span.until.journal, span.until.offset]), [from]];
}

/**
 * @throws StoreError that names the first record that does not fit its schema, or whose owner is not there, and where
 */
export async function checkRecords(
  path: string,
  { format, collections }: SavedState,
  { definitions, hasPrevious }: { readonly definitions: Definitions; readonly hasPrevious: boolean },
): Promise<void> {
  const refuse = (name: string, id: string, misfit: string): never => {
    const [kind] = definitions[name]?.words ?? [name];
    throw new StoreError(
      'invalid-document',
      `${path} was edited, and the ${kind} ${JSON.stringify(id)} in its "${name}" is not valid: ${misfit}. Correct the file${hasPrevious ? `, or replace it by state.previous.json` : ''}.`,
    );
  };
  const check = await createRecordCheck(definitions);
  const present = atOnce(migrateRecords(collections, format));
  for (const [name, records] of Object.entries(present))
    for (const record of records ?? []) {
      const misfit = check(name, record);
      if (misfit !== null) refuse(name, record.id, misfit);
    }
  const orphan = atOnce(findOrphan(present));
  if (orphan) refuse(orphan.collection, orphan.id, `it belongs to ${orphan.owner}, which the file does not have`);
}

/** Reads a state file. State and problem are null if there is no file. */
export async function readState(
  path: string,
  names: readonly string[],
): Promise<{ readonly state: SavedState | null; readonly problem: string | null; readonly seal: Seal }> {
  const read = await orNull(readFile(path));
  if (read === null) return { state: null, problem: null, seal: 'none' };
  const bytes = withoutMark(read);
  try {
    // V8 has no string of more than half a gigabyte. `JSON.parse` is quicker, and says where the text is wrong.
    const isText = bytes.length <= constants.MAX_STRING_LENGTH;
    const value: unknown = isText ? JSON.parse(bytes.toString()) : await parseInSlices(bytes);
    const state = atOnce(readDocument(value, names)) as SavedState;
    if (!Number.isSafeInteger(state.journal))
      return { state: null, problem: '"journal" is not a whole number', seal: 'none' };
    const seal = sealOf(bytes, value);
    // A version that writes the time also writes the checksum. If it is missing, another program wrote the file again.
    return { state, problem: null, seal: seal === 'none' && state.at !== undefined ? 'differs' : seal };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'newer-format') throw error;
    const text = reasonOf(error);
    return { state: null, problem: text.replaceAll(/\s+/g, ' '), seal: 'none' };
  }
}
