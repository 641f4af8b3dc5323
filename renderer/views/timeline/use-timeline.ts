import { computed, shallowRef, watch, type Ref } from 'vue';
import type { TimelineGroupView, TimelineView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useReading } from '../../live/reading.ts';
import type { TimelineQuery } from './grammar.ts';

/** The number of groups read at first, and the most read as new ones. */
export const pageSize = 100;
/** Rows before the end at which older ones are read. */
const ahead = 60;

/**
 * The timeline as far as it was scrolled: the newest page first, older pages as they become visible. While it is held,
 * new groups are only counted. They appear when it is released.
 * @param isAway whether the list is scrolled away from its top, which the browser reports to `hold` only later
 */
export function useTimeline(query: Ref<TimelineQuery>, isAway: () => boolean) {
  const groups = shallowRef<readonly TimelineGroupView[]>([]);
  const facts = shallowRef<Pick<TimelineView, 'total' | 'all' | 'counts'> | null>(null);
  const hasOlder = shallowRef(false);
  const held = shallowRef(false);
  const newer = shallowRef(0);
  const key = computed(() => JSON.stringify(query.value));
  let readFor = '';
  let readingOlder = false;
  let lastSeen = 0;

  const read = (page: { readonly before?: string; readonly limit: number }): Promise<TimelineView> =>
    call('GET /control/timeline', { query: { ...query.value, ...page } });

  const { ready, problem, behind, reload } = useReading({
    read: () => read({ limit: pageSize }),
    show(page) {
      const isSame = readFor === key.value;
      readFor = key.value;
      held.value ||= isSame && isAway();
      facts.value = page;
      const kept = toKept(page, isSame);
      // Without the older groups, a held list would shrink with each new line.
      const hasMore = page.hasOlder && (held.value || groups.value.length > pageSize);
      const joined = isSame && hasMore ? join(kept, groups.value) : null;
      groups.value = joined ?? kept;
      if (!joined) hasOlder.value = page.hasOlder;
    },
    concerns: (message) =>
      message.type === 'requests' || message.type === 'changes' || (message.type === 'jump' && message.jump === null),
    key: () => key.value,
    // The server may be busy.
    pause: 500,
  });

  /** While the list is held, only its shown groups are updated. */
  function toKept({ groups: fresh }: TimelineView, isSame: boolean): readonly TimelineGroupView[] {
    if (!held.value || !isSame) {
      newer.value = 0;
      return fresh;
    }
    const known = groups.value[0];
    const at = known ? fresh.findIndex(({ id }) => id === known.id) : 0;
    newer.value = at === -1 ? fresh.length : at;
    return at === -1 ? groups.value : fresh.slice(at);
  }

  /** Whether the last visible group is close to the end of the groups read so far. */
  const isNear = (): boolean => hasOlder.value && lastSeen > groups.value.length - ahead;

  async function readOlder(): Promise<void> {
    const last = groups.value.at(-1);
    if (readingOlder || !hasOlder.value || !last) return;
    readingOlder = true;
    const wanted = key.value;
    try {
      const page = await read({ before: last.cursor, limit: pageSize * 3 });
      // Another filter is wanted by now, or so many new groups arrived that this page no longer continues the list.
      if (key.value !== wanted || groups.value.at(-1)?.id !== last.id) return;
      groups.value = append(groups.value, page.groups);
      hasOlder.value = page.hasOlder;
    } catch {
      // The frame reports a lost connection. Scrolling tries again.
      lastSeen = 0;
    } finally {
      readingOlder = false;
      if (isNear()) void readOlder();
    }
  }

  function hold(isHeld: boolean): void {
    if (held.value === isHeld) return;
    held.value = isHeld;
    if (!isHeld && newer.value > 0) void reload();
  }

  watch(key, () => (held.value = false), { flush: 'sync' });
  return {
    groups,
    facts,
    hasOlder,
    newer,
    ready,
    problem,
    behind,
    hold,
    /** Reports which groups are visible. Missing ones below them are read. */
    see(lastGroup: number): void {
      lastSeen = lastGroup;
      if (isNear()) void readOlder();
    },
    reload,
  };
}

/**
 * Puts the newest page over the groups read before, which stay beyond the page; null if there is a gap between them.
 */
function join(
  fresh: readonly TimelineGroupView[],
  known: readonly TimelineGroupView[],
): readonly TimelineGroupView[] | null {
  const last = fresh.at(-1);
  const at = last ? known.findIndex(({ id }) => id === last.id) : -1;
  return at === -1 ? null : [...fresh, ...known.slice(at + 1)];
}

/** Adds an older page below the groups read before, without duplicates. */
function append(
  known: readonly TimelineGroupView[],
  older: readonly TimelineGroupView[],
): readonly TimelineGroupView[] {
  const missing = new Map(older.map((group) => [group.id, group]));
  for (const { id } of known) missing.delete(id);
  return [...known, ...missing.values()];
}
