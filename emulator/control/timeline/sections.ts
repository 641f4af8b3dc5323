import type { Activity } from '../../world/activity.ts';

/** The sections of the timeline, one for each move of the clock. Both functions return the id of the activity. */
export interface Sections {
  /** The move that passed a time on the virtual clock, epoch ms; null if none did. */
  at(virtual: number): string | null;
  /** The move that was under way at a time on the wall clock, epoch ms. */
  atWall(wall: number): string | null;
}

/**
 * Returns a function that gives the place of a cause that was taken back: the time to which everything went back then, if
 * that is earlier than its own time. Both in virtual epoch ms.
 */
export function createReturns(
  activities: readonly Activity[],
): (cause: { readonly at: number; readonly wall: number }) => number {
  const returns = activities.filter(({ hasReplaced, isTakenBack }) => hasReplaced === true && !isTakenBack);
  return ({ at, wall }) =>
    returns.reduce((place, back) => (back.wallAt >= wall ? Math.min(place, back.at) : place), at);
}

/** If several moves passed the same time, the newest counts; undone moves and moves back do not count. */
export function createSections(activities: readonly Activity[]): Sections {
  const moves = activities
    .flatMap(({ id, wallAt, move, isTakenBack }) =>
      move && !isTakenBack && move.to > move.from ? [{ id, wallAt, ...move }] : [],
    )
    .reverse();
  return {
    at: (virtual) => moves.find(({ from, to }) => virtual > from && virtual <= to)?.id ?? null,
    atWall: (wall) => moves.find(({ wallAt, endedAt }) => wall >= wallAt && wall <= endedAt)?.id ?? null,
  };
}
