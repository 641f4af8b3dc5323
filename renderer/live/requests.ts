import { defineStore } from 'pinia';
import { computed, shallowRef, triggerRef } from 'vue';
import type { RequestSummary } from '../../emulator/control/calls.ts';
import { counted } from '../format.ts';
import { call } from './backend/control.ts';

/** How many of the newest are listed, and how many more each time that older ones are asked for; the server may keep more. */
export const ringSize = 10_000;

/** What came in, oldest first. Written at most once a frame, however many arrive. */
export const useRequests = defineStore('requests', () => {
  const rows = shallowRef<readonly RequestSummary[]>([]);
  /** All that the server has kept, also what is not listed. */
  const total = shallowRef(0);
  /** Pinned ones stay listed as pinned when the ring has left them behind. */
  const pinned = shallowRef<ReadonlyMap<string, RequestSummary>>(new Map());
  /** Also those that were cleared: an undo brings them back. */
  let everPinned = pinned.value;
  /** How many are listed at most. */
  const room = shallowRef(ringSize);
  /** Kept by the server as far as is known here, but not listed. */
  const older = computed(() => Math.max(0, total.value - rows.value.length));
  /** What is counted here, in words: `the newest 10,000 requests`; null while all are listed. */
  const newest = computed(() => (older.value === 0 ? null : `the newest ${counted(rows.value.length, 'request')}`));
  /** Up to where the record was read, by the list or the stream. */
  const upTo = shallowRef(0);
  let arriving: RequestSummary[] = [];
  let frame = 0;

  function flush(): void {
    frame = 0;
    const next = [...rows.value];
    const mayBeFirst = older.value === 0;
    const fresh = arriving.filter((row) => insert(next, row, mayBeFirst));
    arriving = [];
    if (fresh.length === 0) return;
    total.value += fresh.length;
    rows.value = next.length > room.value ? next.slice(next.length - room.value) : next;
  }

  /** Rows of the stream. They are shown with the next frame; a hidden tab has no frames, so a timer is used. */
  function arrive(requests: readonly RequestSummary[]): void {
    for (const request of requests) arriving.push(request);
    if (arriving.length > ringSize) arriving = arriving.slice(-ringSize);
    if (document.hidden) flush();
    else frame ||= requestAnimationFrame(flush);
  }

  function readUpTo(id: number): void {
    upTo.value = Math.max(upTo.value, id);
  }

  /** Reads the whole list: at the start, after a gap, a clearing or a restart of the server. */
  async function load(): Promise<void> {
    const listed = await call('GET /control/requests', { query: { limit: ringSize } });
    arriving = [];
    room.value = ringSize;
    rows.value = listed.requests;
    total.value = listed.total;
    upTo.value = listed.upTo;
    pinned.value = keptOf(everPinned);
  }

  /** Without those that the server no longer has; of what is older than the list that is not known here. */
  function keptOf(pins: ReadonlyMap<string, RequestSummary>): ReadonlyMap<string, RequestSummary> {
    if (pins.size === 0) return pins;
    const ids = new Set(rows.value.map(({ id }) => id));
    const first = older.value === 0 ? 0 : (rows.value[0]?.sequence ?? 0);
    return new Map([...pins].filter(([id, { sequence }]) => ids.has(id) || sequence < first));
  }

  /** Lists a page more of what the server keeps. */
  async function loadOlder(): Promise<void> {
    const first = rows.value[0];
    if (!first) return;
    const listed = await call('GET /control/requests', { query: { before: first.sequence, limit: ringSize } });
    // Cleared or restarted meanwhile.
    if (rows.value[0]?.id !== first.id) return;
    room.value += listed.requests.length;
    rows.value = [...listed.requests, ...rows.value];
    // `total` counts all that came, the server knows what it still has.
    total.value = rows.value.length + listed.total - listed.requests.length;
  }

  /** Lists older ones too, back to the one with this number in the record. */
  async function listBackTo(sequence: number): Promise<void> {
    for (let first = rows.value[0]; first && first.sequence > sequence && older.value > 0; first = rows.value[0]) {
      await loadOlder();
      // Cleared or restarted meanwhile.
      if (rows.value[0] === first) return;
    }
  }

  /** Whether the server still has what is listed here, so that the stream may go on from there. */
  async function isSameRecord(): Promise<boolean> {
    const mine = rows.value.at(-1);
    if (!mine) return false;
    const listed = await call('GET /control/requests', { query: { limit: 1 } });
    const newest = listed.requests.at(-1);
    if (!newest || runOf(newest) !== runOf(mine)) return false;
    return listed.total === total.value + (listed.upTo - upTo.value);
  }

  function togglePin(row: RequestSummary): void {
    const next = new Map(everPinned);
    if (!next.delete(row.id)) next.set(row.id, row);
    everPinned = next;
    pinned.value = keptOf(next);
  }

  /** The request that was pinned last, unless it is `id`: `id` is compared with it. */
  const pinnedBeside = (id: string): RequestSummary | undefined =>
    [...pinned.value.values()].findLast((row) => row.id !== id);

  const byId = (id: string): RequestSummary | undefined =>
    rows.value.findLast((row) => row.id === id) ?? pinned.value.get(id);

  return {
    rows,
    total,
    pinned,
    pinnedBeside,
    older,
    newest,
    arrive,
    load,
    loadOlder,
    listBackTo,
    isSameRecord,
    togglePin,
    upTo,
    readUpTo,
    byId,
    flush,
    refresh: () => triggerRef(rows),
  };
});

/**
 * Puts a request that ended among the others, in the order in which they began, and says whether it is new. One that is older than
 * all listed ones is listed only if `mayBeFirst`: others between may not be.
 */
function insert(rows: RequestSummary[], row: RequestSummary, mayBeFirst: boolean): boolean {
  let at = rows.length;
  while (at > 0 && (rows[at - 1]?.sequence ?? 0) > row.sequence) at -= 1;
  for (let same = at - 1; rows[same]?.sequence === row.sequence; same--) if (rows[same]?.id === row.id) return false;
  if (at === rows.length) rows.push(row);
  else if (at > 0 || mayBeFirst) rows.splice(at, 0, row);
  return true;
}

/** Ids of one start of the server share a prefix; the sequence number follows it. */
function runOf({ id, sequence }: RequestSummary): string {
  return id.slice(0, id.length - sequence.toString(36).padStart(5, '0').length);
}
