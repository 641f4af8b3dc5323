import type { CollectionName } from '../records.ts';
import type { Definitions } from '../records/definition.ts';
import type { JournalLine } from './journal-line.ts';
import type { SavedState } from './read-state.ts';
import { stateName } from './state-file.ts';

/** How many records a sentence names at most. */
const named = 10;

/**
 * Finds the records of an edited state file that the journal changed after the file was saved: their edits are lost.
 */
export interface OverEdit {
  note(line: JournalLine): void;
  /** A sentence about these records; [] if there are none. */
  notices(): readonly string[];
}

/** Watches a replay of journals over an edited state. @param file the name of the state file */
export function watchOverEdit(file: string, { collections }: SavedState, definitions: Definitions): OverEdit {
  const inFile = new Map(
    Object.entries(collections).map(([name, records]) => [name, new Set(records.map(({ id }) => id))]),
  );
  const found = new Set<string>();
  const add = (name: CollectionName, id: string): void => {
    if (inFile.get(name)?.has(id)) found.add(`${definitions[name]?.words[0] ?? name} ${JSON.stringify(id)}`);
  };
  return {
    note({ del = {}, put = {} }) {
      for (const name of Object.keys(del) as CollectionName[]) for (const id of del[name] ?? []) add(name, id);
      for (const name of Object.keys(put) as CollectionName[]) for (const { id } of put[name] ?? []) add(name, id);
    },
    notices() {
      if (found.size === 0) return [];
      const more = found.size > named ? ` and ${found.size - named} more` : '';
      // After a normal stop there are no changes after the state file, but always some after its previous copy.
      const why = file === stateName ? ', because Sandpiper did not stop by itself' : '';
      return [
        `The journal had changes from after ${file} was written${why}. They replace what was edited of: ${[...found].slice(0, named).join(', ')}${more}. Edit it again after a stop.`,
      ];
    },
  };
}
