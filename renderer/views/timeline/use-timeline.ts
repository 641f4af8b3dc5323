import { computed, shallowRef, watch, type Ref } from 'vue';
import type { TimelineGroupView, TimelineView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useReading } from '../../live/reading.ts';
import type { TimelineQuery } from './grammar.ts';

/** How many are read at first, and of what is new at most. */
export const pageSize = 100;
/** Rows before the end at which older ones are read. */
const ahead = 60;
/** A busy server is asked at most so often for what is new, in milliseconds. */
const shortestPause = 500;

/**
 * The timeline as far as it was scrolled: read from the newest on, older pages where they are seen. While it is held,
 * what is new is counted and comes when it is let go.
 */
export function useTimeline(query: Ref<TimelineQuery>) {
  const groups = shallowRef<readonly TimelineGroupView[]>([]);
  const facts = shallowRef<Pick<TimelineView, 'total' | 'all' | 'counts'> | null>(null);
  const hasOlder = shallowRef(false);
  const held = shallowRef(false);
  const newer = shallowRef(0);
  const key = computed(() => JSON.stringify(query.value));
  let readFor = '';
  let readingOlder = false;
  let lastRead = 0;
  let lastSeen = 0;

  const read = (page: { readonly before?: string; readonly limit: number }): Promise<TimelineView> =>
    call('GET /control/timeline', { query: { ...query.value, ...page } });

  const { ready, problem, behind, reload } = useReading({
    async read() {
      const wait = readFor === key.value ? lastRead + shortestPause - Date.now() : 0;
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      lastRead = Date.now();
      return read({ limit: pageSize });
    },
    show(page) {
      const isSame = readFor === key.value;
      readFor = key.value;
      facts.value = page;
      const kept = toKept(page, isSame);
      // Without what is older a list that is held would get shorter with each line that is new.
      const hasMore = page.hasOlder && (held.value || groups.value.length > pageSize);
      const joined = isSame && hasMore ? join(kept, groups.value) : null;
      groups.value = joined ?? kept;
      if (!joined) hasOlder.value = page.hasOlder;
    },
    concerns: (message) =>
      message.type === 'requests' || message.type === 'records' || (message.type === 'jump' && message.jump === null),
    key: () => key.value,
  });

  /** While the list is held, only what it shows already is renewed. */
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

  /** Whether what is seen last is close to the end of what was read. */
  const isNear = (): boolean => hasOlder.value && lastSeen > groups.value.length - ahead;

  async function readOlder(): Promise<void> {
    const last = groups.value.at(-1);
    if (readingOlder || !hasOlder.value || !last) return;
    readingOlder = true;
    const wanted = key.value;
    try {
      const page = await read({ before: last.cursor, limit: pageSize * 3 });
      // Meanwhile something else is wanted, or more that is new came than follows on what was read.
      if (key.value !== wanted || groups.value.at(-1)?.id !== last.id) return;
      groups.value = append(groups.value, page.groups);
      hasOlder.value = page.hasOlder;
    } catch {
      // The frame says that the connection is lost; scrolling asks again.
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
    /** Says which of the groups are seen: what is missing below them is read. */
    see(lastGroup: number): void {
      lastSeen = lastGroup;
      if (isNear()) void readOlder();
    },
    reload,
  };
}

/** The newest page over what was read before, which stays where the page does not reach; null if there is a gap between them. */
function join(
  fresh: readonly TimelineGroupView[],
  known: readonly TimelineGroupView[],
): readonly TimelineGroupView[] | null {
  const last = fresh.at(-1);
  const at = last ? known.findIndex(({ id }) => id === last.id) : -1;
  return at === -1 ? null : [...fresh, ...known.slice(at + 1)];
}

/** An older page below what was read before, without what is there already. */
function append(
  known: readonly TimelineGroupView[],
  older: readonly TimelineGroupView[],
): readonly TimelineGroupView[] {
  const missing = new Map(older.map((group) => [group.id, group]));
  for (const { id } of known) missing.delete(id);
  return [...known, ...missing.values()];
}
