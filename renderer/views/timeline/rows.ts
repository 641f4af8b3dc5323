import type { TimelineGroupView } from '../../../emulator/control/protocol.ts';

type Entry = TimelineGroupView['followers'][number];

/** A line of the list. */
export type Row =
  | { readonly is: 'cause'; readonly key: string; readonly group: TimelineGroupView; readonly at: number }
  | { readonly is: 'result'; readonly key: string; readonly group: TimelineGroupView; readonly at: number }
  | {
      readonly is: 'follower';
      readonly key: string;
      readonly group: TimelineGroupView;
      readonly entry: Entry;
      readonly at: number;
      readonly isLast: boolean;
    }
  | {
      readonly is: 'more';
      readonly key: string;
      readonly group: TimelineGroupView;
      readonly at: number;
      readonly count: number;
    };

/** A cause with more than this is closed until it is opened. */
const mostOpen = 6;

/** Whether what followed is listed under its cause. */
export function isOpen(group: TimelineGroupView, toggled: ReadonlySet<string>): boolean {
  return group.followerCount > 0 && group.followerCount <= mostOpen !== toggled.has(group.id);
}

/** The lines of the groups: each cause, and under it what followed if it is open. `at` is the index of the group. */
export function toRows(
  groups: readonly TimelineGroupView[],
  {
    toggled,
    grouped,
    whole,
  }: { readonly toggled: ReadonlySet<string>; readonly grouped: boolean; readonly whole: boolean },
): readonly Row[] {
  const rows: Row[] = [];
  groups.forEach((group, at) => {
    rows.push({ is: 'cause', key: group.id, group, at });
    if (group.move) rows.push({ is: 'result', key: `${group.id} result`, group, at });
    if (!grouped || !(whole || isOpen(group, toggled))) return;
    const rest = group.followerCount - group.followers.length;
    group.followers.forEach((entry, index) =>
      rows.push({
        is: 'follower',
        key: `${group.id} ${entry.id} ${index}`,
        group,
        entry,
        at,
        isLast: rest === 0 && index === group.followers.length - 1,
      }),
    );
    if (rest > 0) rows.push({ is: 'more', key: `${group.id} more`, group, at, count: rest });
  });
  return rows;
}
