/** The rules about the files of the data folder. */
import type { StoreProblem } from './errors.ts';
import { ownRule, toRefusal, inPath, set, show, type Refusal } from '../rules.ts';

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;

/** Whether Windows has a device with this name, whatever extension follows. */
export function isDeviceName(name: string): boolean {
  return /^(?:con|nul|prn|aux|com\d|lpt\d)(?:\.|$)/i.test(name);
}

/** The longest name of a snapshot, in characters. */
export const longestName = 64;

export const storeRules = {
  unsaved: ownRule<StoreProblem>({
    id: 'store.unsaved',
    status: 500,
    says: 'The changes of a request are stored before its reply is sent; if they cannot be, or if a file that the request needs is damaged, nothing is changed.',
    message: ({ problem }) => problem,
    fix: ({ fix }) => fix,
    facts: ({ code }) => ({ code }),
  }),
  snapshotName: ownRule<{ readonly name: string }>({
    id: 'snapshots.name',
    status: 400,
    says: `The name of a snapshot has up to ${longestName} letters, digits, "_", "-" and ".", starts with a letter or digit, and is not the name of a device of Windows, such as "con".`,
    message: ({ name }) =>
      isDeviceName(name)
        ? `${show(name)} is not a name for a snapshot: Windows keeps it for a device, so no file there can have it.`
        : `${show(name)} is not a name for a snapshot: use up to ${longestName} letters, digits, "_", "-" and ".", starting with a letter or digit.`,
    fix: (_facts, place) => ({ say: 'Send a name such as "before-test".', edits: [set(place, 'before-test')] }),
    facts: ({ name }) => ({ name: name.slice(0, 100), limit: longestName }),
  }),
  snapshotSize: ownRule<{ readonly bytes: number; readonly limit: number; readonly largest: string | null }>({
    id: 'snapshots.size',
    status: 400,
    says: 'A snapshot is one text, so its size is limited.',
    message: ({ bytes, limit, largest }) =>
      `The snapshot has ${megabytes(bytes)} or more, and the limit is ${megabytes(limit)}.${largest === null ? '' : ` The largest part is ${largest}.`} Copy the data folder instead, while Sandpiper is stopped.`,
    fix: 'Copy the data folder instead, while Sandpiper is stopped.',
  }),
  damaged: ownRule<{ readonly file: string; readonly problem: string }>({
    id: 'moments.damaged',
    status: 400,
    says: 'An earlier moment is read from the files that keep it.',
    message: ({ file, problem }) => `Looking back at that moment needs ${file}, ${problem}.`,
    fix: 'Look at a later moment, or bring the file back.',
  }),
} as const;

/**
 * The refusal of an earlier moment for which a file is damaged or missing.
 * @param problem the end of a sentence about it
 */
export function damaged(file: string, problem: string): Refusal {
  return toRefusal(storeRules.damaged, inPath(''), undefined, { file, problem });
}
