/** The actions on an earlier moment: to go back to it with everything, or to keep it as a snapshot. */
import { inBody, refuse, type Place } from '../rules.ts';
import type { StateDocument, Store } from '../store/store.ts';
import { toIso, type Clock } from '../time/clock.ts';
import { timeRules } from '../time/rules.ts';
import { withClock } from '../time/time-settings.ts';
import type { EarlierWorld } from './past.ts';
import type { SnapshotLine } from './shapes.ts';
import type { Snapshots } from './snapshots.ts';
import type { Undo } from './undo.ts';
import type { Led, World } from './world.ts';

export interface MomentDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly world: World;
  readonly undo: Undo;
  readonly snapshots: Snapshots;
}

/**
 * The records at a moment, epoch ms on the virtual clock.
 * @param place the place in the request that names it
 * @throws Refusal if it is before the first one that is known, or in the future
 */
export async function momentAt(
  { world: { past }, clock }: { readonly world: Pick<World, 'past'>; readonly clock: Pick<Clock, 'now'> },
  at: number,
  place: Place = inBody('/at'),
): Promise<EarlierWorld> {
  const facts = { at: toIso(at), now: toIso(clock.now()) };
  if (at > clock.now()) return refuse(timeRules.future, place, facts.at, facts);
  const moment = await past.at(at);
  if (moment) return moment;
  const earliest = toIso(await past.earliest());
  return refuse(timeRules.forgotten, place, facts.at, { at: facts.at, earliest });
}

/**
 * Makes an earlier moment the present one: the records, and the clock. The recorded requests and the files stay as they
 * are; of the files, only the products of a catalog ever change. It can be undone, and rewound.
 * @throws Refusal if the moment is not known
 */
export function goBack(deps: MomentDeps, at: number): Promise<Pick<EarlierWorld, 'hasOtherProducts'>> {
  const { store, clock, world, undo } = deps;
  const find = (): Promise<EarlierWorld> => momentAt(deps, at);
  return world.replaceInTurn(async () => {
    const { document, track, hasOtherProducts } = await find();
    const from = toIso(clock.now());
    const led: Led = {
      requests: world.lineage.upTo(world.lineage.all().findLast((exchange) => exchange.at <= at)?.sequence ?? 0),
      markActivities: () => world.activities.takeBack((activity) => activity.at > at),
    };
    const files = store.blobs.copy();
    try {
      await undo.editWorld(
        { code: 'clock.went-back', says: `Everything went back to ${toIso(at)}, from ${from}.` },
        (remember) => world.restore({ document: withPresent(document, deps, at), files, track, led }, remember),
        { jump: true },
      );
    } finally {
      files.release();
    }
    return { hasOtherProducts };
  }, find);
}

/**
 * Keeps an earlier moment as a snapshot; everything else stays as it is.
 * @param overwrite whether it may replace a snapshot of that name
 * @throws Refusal if the moment is not known, or the name cannot be used
 */
export async function fork(deps: MomentDeps, at: number, name: string, overwrite = false): Promise<SnapshotLine> {
  const { document } = await momentAt(deps, at);
  return deps.snapshots.save(name, { overwrite, of: { at, document: withPresent(document, deps, at) } });
}

/** The records with a clock that shows the moment, and then runs or is frozen as the present one is. */
function withPresent(document: StateDocument, { clock }: MomentDeps, at: number): StateDocument {
  const { rate, frozenAt } = clock.state();
  const wall = clock.wall();
  const state = { offsetMs: at - wall, rate, frozenAt: frozenAt && toIso(at), anchor: toIso(wall) };
  return withClock(document, state);
}
