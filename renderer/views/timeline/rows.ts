import type { TimelineGroupView } from '../../../emulator/control/calls.ts';

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

/** A cause with more followers than this is closed until the person opens it. */
const mostOpen = 6;

/** Whether the followers are listed under their cause. */
export function isOpen(group: TimelineGroupView, toggled: ReadonlySet<string>): boolean {
  return group.followerCount > 0 && group.followerCount <= mostOpen !== toggled.has(group.id);
}

/** How the groups are listed. */
interface Look {
  /** The causes that were opened or closed by hand. */
  readonly toggled: ReadonlySet<string>;
  readonly grouped: boolean;
  /** Whether every cause is open. */
  readonly whole: boolean;
}

export interface Rows {
  readonly all: readonly Row[];
  readonly groups: readonly TimelineGroupView[];
  readonly look: Look;
}

/**
 * The lines of the groups: each cause, and its followers if it is open. `at` is the index of the group.
 * @param before the last result: if groups were only added at the end, its lines are reused
 */
export function toRows(groups: readonly TimelineGroupView[], look: Look, before?: Rows): Rows {
  const kept = before && isSame(look, before.look) && before.groups.every((group, at) => group === groups[at]);
  const all: Row[] = kept ? [...before.all] : [];
  for (let at = kept ? before.groups.length : 0; at < groups.length; at += 1) addRows(all, groups[at]!, at, look);
  return { all, groups, look };
}

const isSame = (one: Look, other: Look): boolean =>
  one.toggled === other.toggled && one.grouped === other.grouped && one.whole === other.whole;

function addRows(rows: Row[], group: TimelineGroupView, at: number, { toggled, grouped, whole }: Look): void {
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
}
