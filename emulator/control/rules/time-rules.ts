/** Rules by which the control API refuses changes of the clock, calls of the timeline, undo and redo. */
import { nearestOf } from '../../contract/unknown-fields.ts';
import { didYouMean } from '../../errors.ts';
import { ownRule, remove, set, show } from '../../rules.ts';

export const clockRules = {
  one: ownRule<{ readonly came: readonly string[] }>({
    id: 'clock.one',
    status: 400,
    says: 'The clock is asked for one thing at a time.',
    message: ({ came }) =>
      `Send exactly one of advance, set, freeze, rate, real, rewind and stop, not ${came.length === 0 ? 'none' : came.join(' and ')}.`,
    fix: ({ came: [first] }, place) =>
      first === undefined
        ? { say: 'Send one of them, such as "advance": "1h".', edits: [set({ ...place, at: '/advance' }, '1h')] }
        : `Send "${first}" alone.`,
  }),
  still: ownRule<{ readonly name: string | null }>({
    id: 'clock.still',
    status: 409,
    says: 'Only time that is being advanced or set can be stopped.',
    message: ({ name }) =>
      name === null
        ? 'Time is not being advanced or set now, so there is nothing to stop.'
        : `No move of time with the name ${show(name)} runs or waits, so there is nothing to stop.`,
    fix: 'Leave it out: nothing needs to be stopped.',
  }),
  noRewind: ownRule<{ readonly limit: number }>({
    id: 'clock.no-rewind',
    status: 409,
    says: 'Time is rewound to where it was before it was advanced or set.',
    message: ({ limit }) =>
      `No move of time is among the last ${limit} changes by hand, so there is nothing to rewind to.`,
    fix: 'Advance or set the time first, or look back in the timeline.',
  }),
} as const;

export const timelineRules = {
  kind: ownRule<{ readonly kind: string; readonly given: string; readonly kinds: readonly string[] }>({
    id: 'timeline.kind',
    status: 400,
    says: 'The kind is one of the kinds of the timeline.',
    message: ({ kind, kinds }) => `The timeline has no kind "${kind}". ${didYouMean(kind, kinds)}`,
    fix({ kind, given, kinds }, place) {
      const nearest = nearestOf(kind, kinds);
      if (nearest === null) return { say: 'Leave it out for all kinds.', edits: [remove(place)] };
      const named = given.split(',').map((one) => (one === kind ? nearest : one));
      return { say: `Name "${nearest}".`, edits: [set(place, named.join(','))] };
    },
    facts: ({ kind, kinds }) => ({ kind, kinds }),
  }),
  cursor: ownRule<{ readonly cursor: string }>({
    id: 'timeline.cursor',
    status: 400,
    says: 'A cursor comes from a reply of the timeline.',
    message: ({ cursor }) => `"${cursor}" is not a cursor; send the "cursor" of a group of GET /control/timeline.`,
    fix: (_facts, place) => ({ say: 'Leave it out to begin with the newest.', edits: [remove(place)] }),
    facts: ({ cursor }) => ({ cursor: cursor.slice(0, 100) }),
  }),
  readOnly: ownRule<{ readonly at: string; readonly header: string }>({
    id: 'timeline.read-only',
    status: 409,
    says: 'While looking at an earlier moment, nothing can be changed.',
    message: ({ at, header }) => `Nothing can be changed while looking at ${at}. Send it without "${header}".`,
    fix: ({ header }, place) => ({ say: `Send it without "${header}".`, edits: [remove(place)] }),
  }),
} as const;

export const undoRules = {
  newer: ownRule<{ readonly newest: string; readonly newestId: string }>({
    id: 'undo.newer',
    status: 409,
    says: 'The last change is undone first.',
    message: ({ newest }) => `Something else was done since: ${newest} Undo that first, or undo it together with this.`,
    fix: (_facts, place) => ({
      say: 'Send "andNewer": true, which undoes what was done since, too.',
      edits: [set({ ...place, at: '/andNewer' }, true)],
    }),
    facts: ({ newestId }) => ({ newestId }),
  }),
  gone: ownRule<{ readonly id: string }>({
    id: 'undo.gone',
    status: 409,
    says: 'Only the last changes can be undone.',
    message: ({ id }) => `${id} can no longer be undone. "sandpiper undo --list" shows what can.`,
    fix: 'Name one of those that "sandpiper undo --list" shows.',
    facts: ({ id }) => ({ id: id.slice(0, 100), listedBy: 'undo --list' }),
  }),
  nothing: ownRule({
    id: 'undo.nothing',
    status: 409,
    says: 'There is a change to undo.',
    message: () => 'There is nothing to undo since Sandpiper started.',
    fix: 'Nothing needs to be undone.',
  }),
  redoOrder: ownRule<{ readonly id: string; readonly next: string; readonly nextId: string }>({
    id: 'undo.redo-order',
    status: 409,
    says: 'The change that was undone last is redone first.',
    message: ({ id, next, nextId }) => `${id} cannot be done again now. The next one is ${nextId}: ${next}`,
    fix: ({ nextId }, place) => ({ say: `Do ${nextId} again first.`, edits: [set(place, nextId)] }),
    facts: ({ id, nextId }) => ({ id: id.slice(0, 100), nextId }),
  }),
  nothingToRedo: ownRule({
    id: 'undo.nothing-to-redo',
    status: 409,
    says: 'Only after an undo, and before another change, is there something to redo.',
    message: () => 'There is nothing to redo: nothing was undone, or something else changed since then.',
    fix: 'Do it once more by hand.',
  }),
} as const;
