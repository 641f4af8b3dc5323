import type { TimelineGroupView } from '../../../../emulator/control/calls.ts';

/**
 * Groups of the timeline, which are in the order of its clock, in the order of real time, the newest first. What the clock
 * did has no real time of its own: what a move of the clock brought is as new as that move, and what the running clock did
 * is as long after the one before as on the clock.
 */
export function inRealOrder(newestFirst: readonly TimelineGroupView[]): readonly TimelineGroupView[] {
  const moves = new Map(newestFirst.filter(({ move }) => move !== null).map((group) => [group.id, group]));
  /** Real less virtual time; not known before the first that has both. */
  let ahead = -Infinity;
  const done = newestFirst.toReversed().map((group) => {
    const at = Date.parse(group.at);
    if (group.wallAt === null) {
      const move = group.section === null ? null : moves.get(group.section);
      // One that is not among them is older.
      const wall = move === null ? at + ahead : Date.parse(move?.wallAt ?? '') || -Infinity;
      return { group, wall };
    }
    const wall = Date.parse(group.wallAt);
    ahead = wall + (group.move?.tookMs ?? 0) - at;
    return { group, wall };
  });
  // Of two at the same moment the later one on the clock is first.
  return done
    .toReversed()
    .toSorted((one, other) => (one.wall === other.wall ? 0 : other.wall - one.wall))
    .map(({ group }) => group);
}
