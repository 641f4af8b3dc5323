import { defineStore } from 'pinia';
import { computed, shallowRef, triggerRef, watch } from 'vue';
import type { RequestSummary } from '../../emulator/control/calls.ts';
import { isListOf, isText, useKept } from '../browser-storage.ts';
import { counted } from '../format.ts';
import { call, ControlError } from './backend/control.ts';

/** The number of newest requests listed, and the page size for older ones. The server may keep more. */
export const ringSize = 10_000;

const mostPins = 500;

/** The recorded requests, oldest first. Updated at most once per frame, however many arrive. */
export const useRequests = defineStore('requests', () => {
  const rows = shallowRef<readonly RequestSummary[]>([]);
  /** The number of requests that the server keeps, listed or not. */
  const total = shallowRef(0);
  /** The pinned requests. They stay listed as pinned after they leave the ring. */
  const pinned = shallowRef<ReadonlyMap<string, RequestSummary>>(new Map());
  /** The ids of pinned requests, the latest last. Includes those of cleared requests, which an undo brings back. */
  const pins = useKept<readonly string[]>('sandpiper.pins', [], isListOf(isText));
  /** The rows of pins, as far as they were ever read here. */
  let everPinned = pinned.value;
  /** The greatest number of listed requests. */
  const room = shallowRef(ringSize);
  /** The number of requests that the server keeps without being listed, as far as known here. */
  const older = computed(() => Math.max(0, total.value - rows.value.length));
  /** Names the counted requests: `the newest 10,000 requests`; null while all are listed. */
  const newest = computed(() => (older.value === 0 ? null : `the newest ${counted(rows.value.length, 'request')}`));
  /** The id up to which the record was read, by the list or the stream. */
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

  /** Adds rows of the stream. They are shown with the next frame, or at once in a hidden tab, which has no frames. */
  function arrive(requests: readonly RequestSummary[]): void {
    for (const request of requests) arriving.push(request);
    if (arriving.length > ringSize) arriving = arriving.slice(-ringSize);
    if (document.hidden) flush();
    else frame ||= requestAnimationFrame(flush);
  }

  function readUpTo(id: number): void {
    upTo.value = Math.max(upTo.value, id);
  }

  /**
   * Reads the whole list: at the start, after a gap, a clearing or a restart of the server.
   * @returns the number of listed requests that were not listed before
   */
  async function load(): Promise<number> {
    const listed = await call('GET /control/requests', { query: { limit: ringSize } });
    const before = new Set([...rows.value, ...arriving].map(({ id }) => id));
    /** The first of the older pages, if some are listed. */
    const back = room.value > ringSize ? rows.value[0]?.sequence : undefined;
    arriving = [];
    room.value = ringSize;
    rows.value = listed.requests;
    total.value = listed.total;
    upTo.value = listed.upTo;
    await readPins();
    if (back !== undefined) await listBackTo(back);
    return listed.requests.filter(({ id }) => !before.has(id)).length;
  }

  /** Reads the rows of pins that this window does not know: from an earlier page, or pinned in another window. */
  async function readPins(): Promise<void> {
    const unknown = pins.value.filter((id) => !everPinned.has(id));
    const listed = unknown.length === 0 ? [] : rows.value.filter(({ id }) => unknown.includes(id));
    const found = new Map([...everPinned, ...listed.map((row) => [row.id, row] as const)]);
    // What is not listed can only be among the older ones.
    const asked = older.value === 0 ? [] : unknown.filter((id) => !found.has(id));
    for (const row of await Promise.all(asked.map(readRow))) if (row) found.set(row.id, row);
    const gone = asked.filter((id) => !found.has(id));
    if (gone.length > 0) pins.value = pins.value.filter((id) => !gone.includes(id));
    everPinned = new Map([...found].filter(([id]) => pins.value.includes(id)));
    pinned.value = keptOf(everPinned);
  }
  // The frame reports a lost connection, and the list is read again after it.
  watch(pins, () => readPins().catch(() => {}));

  /**
   * Drops the pins of requests that the server no longer has. For requests older than the list, that is unknown here.
   */
  function keptOf(pins: ReadonlyMap<string, RequestSummary>): ReadonlyMap<string, RequestSummary> {
    if (pins.size === 0) return pins;
    const ids = new Set(rows.value.map(({ id }) => id));
    const first = older.value === 0 ? 0 : (rows.value[0]?.sequence ?? 0);
    return new Map([...pins].filter(([id, { sequence }]) => ids.has(id) || sequence < first));
  }

  /** Lists one more page of the older requests that the server keeps. */
  async function loadOlder(): Promise<void> {
    const first = rows.value[0];
    if (!first) return;
    const listed = await call('GET /control/requests', { query: { before: first.sequence, limit: ringSize } });
    // Cleared or restarted meanwhile.
    if (rows.value[0]?.id !== first.id) return;
    room.value += listed.requests.length;
    rows.value = [...listed.requests, ...rows.value];
    // `total` counts all that came. Only the server knows how many it still has.
    total.value = rows.value.length + listed.total - listed.requests.length;
  }

  /** Lists older requests, back to the one with this sequence number. */
  async function listBackTo(sequence: number): Promise<void> {
    for (let first = rows.value[0]; first && first.sequence > sequence && older.value > 0; first = rows.value[0]) {
      await loadOlder();
      // Cleared or restarted meanwhile.
      if (rows.value[0] === first) return;
    }
  }

  function togglePin(row: RequestSummary): void {
    everPinned = new Map(everPinned).set(row.id, row);
    const others = pins.value.filter((id) => id !== row.id);
    pins.value = others.length < pins.value.length ? others : [...others.slice(1 - mostPins), row.id];
  }

  /** The request that was pinned last, unless it is `id`, which is compared with it. */
  const pinnedBeside = (id: string): RequestSummary | undefined =>
    pinned.value.get(pins.value.findLast((one) => one !== id && pinned.value.has(one)) ?? '');

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
    togglePin,
    upTo,
    readUpTo,
    byId,
    refresh: () => triggerRef(rows),
  };
});

/** A recorded request; null if it is not recorded. */
async function readRow(id: string): Promise<RequestSummary | null> {
  try {
    return await call('GET /control/requests/{id}', { params: { id } });
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return null;
    throw error;
  }
}

/**
 * Inserts a finished request in the order in which requests began, and returns whether it is new. A request older than
 * all listed ones is listed only if `mayBeFirst`: otherwise, requests between them may be missing.
 */
function insert(rows: RequestSummary[], row: RequestSummary, mayBeFirst: boolean): boolean {
  let at = rows.length;
  while (at > 0 && (rows[at - 1]?.sequence ?? 0) > row.sequence) at -= 1;
  for (let same = at - 1; rows[same]?.sequence === row.sequence; same--) if (rows[same]?.id === row.id) return false;
  if (at === rows.length) rows.push(row);
  else if (at > 0 || mayBeFirst) rows.splice(at, 0, row);
  return true;
}
