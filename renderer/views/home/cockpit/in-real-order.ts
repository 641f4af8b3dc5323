import type { TimelineGroupView } from '../../../../emulator/control/calls.ts';

/**
 * Sorts groups of the timeline, which are in the order of its clock, by real time, newest first. Events of the clock
 * have no real time of their own. Those of a move are as new as the move. Those of the running clock follow the group
 * before by the same time as on the clock.
 */
export function inRealOrder(newestFirst: readonly TimelineGroupView[]): readonly TimelineGroupView[] {
  const moves = new Map(newestFirst.filter(({ move }) => move !== null).map((group) => [group.id, group]));
  /** Real minus virtual time; unknown before the first group that has both. */
  let ahead = -Infinity;
  const done = newestFirst.toReversed().map((group) => {
    const at = Date.parse(group.at);
    if (group.wallAt === null) {
      const move = group.section === null ? null : moves.get(group.section);
      // A move that is not among them is older.
      const wall = move === null ? at + ahead : Date.parse(move?.wallAt ?? '') || -Infinity;
      return { group, wall };
    }
    const wall = Date.parse(group.wallAt);
    ahead = wall + (group.move?.tookMs ?? 0) - at;
    return { group, wall };
  });
  // Of two at the same time, the one later on the clock is first.
  return done
    .toReversed()
    .toSorted((one, other) => (one.wall === other.wall ? 0 : other.wall - one.wall))
    .map(({ group }) => group);
}
