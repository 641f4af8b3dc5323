/** The rules about snapshots and about the declared world. */
import { ownRule, set, inBody } from '../rules.ts';

export const worldRules = {
  taken: ownRule<{ readonly name: string }>({
    id: 'snapshots.taken',
    status: 409,
    says: 'A snapshot replaces another one only if that is asked for.',
    message: ({ name }) => `There is a snapshot "${name}" already. Choose another name, or save over it (--overwrite).`,
    fix: () => ({ say: 'Choose another name, or send "overwrite": true.', edits: [set(inBody('/overwrite'), true)] }),
  }),
  spelling: ownRule<{ readonly name: string; readonly existing: string }>({
    id: 'snapshots.spelling',
    status: 409,
    says: 'Two snapshots differ in more than capitals, because on some disks they would be one file.',
    message: ({ name, existing }) =>
      `There is a snapshot "${existing}" already, and on some disks "${name}" is the same file. Choose another name, or save over "${existing}" under that name.`,
    fix: ({ existing }, place) => ({
      say: `Choose another name, or save over "${existing}".`,
      edits: [set(place, existing), set(inBody('/overwrite'), true)],
    }),
  }),
  json: ownRule<{ readonly name: string; readonly problem: string }>({
    id: 'snapshots.json',
    status: 400,
    says: 'A snapshot is JSON.',
    message: ({ name, problem }) => `The snapshot "${name}" is not JSON: ${problem}. Nothing was changed.`,
    fix: 'Restore another snapshot.',
  }),
  format: ownRule<{ readonly format: number; readonly most: number }>({
    id: 'snapshots.format',
    status: 400,
    says: 'A snapshot has a format that this version reads.',
    message: ({ format, most }) =>
      `The snapshot has format ${format}, written by a newer Sandpiper; this one reads up to format ${most}. Update Sandpiper to use it.`,
    fix: 'Update Sandpiper to use this snapshot.',
  }),
  misfit: ownRule<{ readonly at: string; readonly problem: string }>({
    id: 'snapshots.misfit',
    status: 400,
    says: 'A snapshot has the records and files of a whole state.',
    message: ({ problem }) =>
      `This snapshot cannot be used, and nothing was changed: ${problem}. Use a file that "sandpiper snapshot export" wrote.`,
    fix: 'Use a file that "sandpiper snapshot export" wrote.',
  }),
  overtaken: ownRule<{ readonly tries: number }>({
    id: 'snapshots.overtaken',
    status: 400,
    says: 'Nothing else changes during a merge.',
    message: ({ tries }) =>
      `The merge was tried ${tries} times, and other changes came each time, so nothing was merged. Stop other writers, then do it again.`,
    fix: 'Stop other writers, then do it again.',
  }),
  declared: ownRule<{ readonly says: string; readonly problems: readonly object[] }>({
    id: 'world.declared',
    status: 400,
    says: 'A world file without mistakes can be loaded.',
    message: ({ says }) => says,
    fix: 'Correct the world file, then reset again.',
    facts: ({ problems }) => ({ problems: problems.slice(0, 5) }),
  }),
} as const;
