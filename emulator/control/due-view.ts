import { lifecycleKinds, type StatefulName } from '../lifecycles.ts';
import { toIso, type Due } from '../time/clock.ts';
import { lastMoment } from '../time/duration.ts';
import type { Store } from '../store/store.ts';
import { toKind } from '../records/kind.ts';
import type { DueView } from './contract/clock.ts';

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

const names = Object.keys(lifecycleKinds) as readonly StatefulName[];
