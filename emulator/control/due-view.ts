import { lifecycleKinds, type StatefulName } from '../lifecycles.ts';
import { toIso, type Due } from '../time/clock.ts';
import { lastMoment } from '../time/duration.ts';
import type { Store } from '../store/store.ts';
import { toKind } from '../records/kind.ts';
import type { Steps } from '../time/slices.ts';
import type { ClockChangeView, DueView } from './contract/clock.ts';

/** A timer as people read it. Internal timers have no kind. */
export function toDueView({ key, at, label }: Due, store: Store): DueView {
  const [, word = '', id = '', event = ''] = /^([a-z ]+):(.+):([A-Za-z]+)$/.exec(key) ?? [];
  const name = names.find((one) => lifecycleKinds[one].table.kind === word);
  // A timer that is due later than any clock can show never fires.
  const base = { label, at: toIso(Math.min(lastMoment, at)) };
  return name
    ? { ...base, says: lifecycleKinds[name].describe(id, event, store), kind: toKind(name), id }
    : { ...base, says: label, kind: null, id: null };
}

/** How often each thing fell due, in the order in which it came first. Yields after each timer. */
export function* countFired(fired: readonly Due[], store: Store): Steps<ClockChangeView['firedCounts']> {
  const counts = new Map<string, number>();
  for (const due of fired) {
    const { says, kind } = toDueView(due, store);
    if (kind !== null) counts.set(says, (counts.get(says) ?? 0) + 1);
    yield;
  }
  return [...counts].map(([says, count]) => ({ says, count }));
}

const names = Object.keys(lifecycleKinds) as readonly StatefulName[];
