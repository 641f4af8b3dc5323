import { createSlices } from '../../time/slices.ts';
import { toIso } from '../../time/clock.ts';
import { kinds, type TimelineKind, type timelineCalls } from '../contract/timeline.ts';
import { checkCompany } from '../of-company.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Handlers } from '../route.ts';
import { toZeros } from '../zeros.ts';
import { refuseBeside } from '../rules/resource-rules.ts';
import { fromCursor, type Place } from './cursor.ts';
import { createFilter, createKindFilter, type TimelineFilter } from './filter.ts';
import { toGroup, toWholeGroup } from './groups.ts';
import { createMomentHandlers } from './moments.ts';
import { compareRoots, type Root } from './root.ts';
import { createRoots, type Roots } from './roots.ts';
import { createHasText } from './search.ts';

/** Handlers for everything that happened, from data that is kept anyway: nothing is collected before someone asks. */
export function createTimelineHandlers(deps: HandlerDeps): Handlers<typeof timelineCalls> {
  const { store, recorder, lineage, world } = deps;
  const { activities } = world;
  let commits = 0;
  store.onCommit(() => (commits += 1));
  store.onReplace(() => (commits += 1));
  const hasText = createHasText(store);
  const readRoots = createRoots({ store, recorder, lineage, activities });
  let read: { readonly of: string; readonly roots: Promise<Roots> } | null = null;

  /** Reads the causes again only if something happened since. */
  const rootsNow = (): Promise<Roots> => {
    const of = [commits, recorder.upTo, recorder.size, activities.version].join();
    if (read?.of !== of) read = { of, roots: readRoots() };
    return read.roots;
  };

  /** The causes that match, of any kind. */
  const find = async (roots: Roots, filter: TimelineFilter): Promise<readonly Root[]> => {
    const { companyId } = filter;
    // Causes of a deleted company are still listed.
    if (companyId !== undefined && !roots.all.some((root) => root.companyId === companyId))
      checkCompany(store, companyId);
    const matches = await createFilter(filter, store, lineage);
    const wanted = (filter.text ?? '').trim().toLowerCase();
    if (matches === null && wanted === '') return roots.all;
    const slice = createSlices(wanted === '' ? 100 : 50);
    const sources = { store, recorder, roots, activities };
    const found: Root[] = [];
    for (const root of roots.all) {
      const turn = slice();
      if (turn) await turn;
      if (matches && !matches(root)) continue;
      if (wanted === '' || hasText(root, wanted, sources)) found.push(root);
    }
    return found;
  };

  return {
    ...createMomentHandlers(deps),
    async 'GET /control/timeline'({ query }) {
      refuseBeside('before', ['after'], query);
      const { before, after, limit = 100, kind, ...filter } = query;
      const roots = await rootsNow();
      const all = await find(roots, filter);
      const matches = all.filter(createKindFilter(kind));
      const most = Math.min(500, limit);
      const from = before === undefined ? 0 : placeOf(matches, fromCursor(before, 'before'), 'after');
      const isAfter = after !== undefined;
      const end = isAfter ? placeOf(matches, fromCursor(after, 'after'), 'before') : from + most;
      const start = isAfter ? Math.max(0, end - most) : from;
      const page = matches.slice(start, end);
      const sources = { store, recorder, roots, activities };
      const groups =
        filter.cause === undefined
          ? page.map((root) => toGroup(root, sources))
          : await Promise.all(page.map((root) => toWholeGroup(root, sources)));
      return {
        total: matches.length,
        all: all.length,
        counts: countKinds(all),
        groups,
        hasOlder: start + page.length < matches.length,
        hasNewer: start > 0,
      };
    },
    async 'GET /control/timeline/spread'({ query: { bars = 60, kind, ...filter } }) {
      const found = (await find(await rootsNow(), filter)).filter(createKindFilter(kind));
      const [newest, oldest] = [found[0], found.at(-1)];
      const earliest = toIso(await world.past.earliest());
      if (!newest || !oldest) return { from: null, to: null, earliest, bars: [] };
      const length = Math.max(1, Math.ceil((newest.at - oldest.at + 1) / bars));
      const counts = Array.from({ length: bars }, () => ({ count: 0, failed: 0 }));
      for (const { at, failed } of found) {
        const bar = counts[Math.floor((at - oldest.at) / length)];
        if (!bar) continue;
        bar.count += 1;
        if (failed) bar.failed += 1;
      }
      return {
        from: toIso(oldest.at),
        to: toIso(newest.at),
        earliest,
        bars: counts.map((bar, index) => ({ at: toIso(oldest.at + index * length), ...bar })),
      };
    },
  };
}

/** The index of the first cause after a place, or of the first one that is not before it. */
function placeOf(roots: readonly Root[], place: Place, side: 'before' | 'after'): number {
  let [low, high] = [0, roots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareRoots(roots[middle] as Root, place);
    if (order < 0 || (order === 0 && side === 'after')) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countKinds(roots: readonly Root[]): { readonly [Kind in TimelineKind]: number } {
  const counts = toZeros(kinds);
  for (const root of roots) for (const kind of root.kinds) counts[kind] += 1;
  return counts;
}
