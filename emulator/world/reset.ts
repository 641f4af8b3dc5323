/** Back to an empty store or the demo world. */
import { seedDemo } from '../demo.ts';
import type { Users } from '../people/users.ts';
import { emptyDocument, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import { keptAtReset } from '../time/time-settings.ts';
import type { Undo } from './undo.ts';
import type { World } from './world.ts';

export type FreshWorld = 'empty' | 'demo';

/** Durable when it resolves. The clock and the pace stay, and it can be undone. */
export type Reset = (to: FreshWorld) => Promise<void>;

export interface ResetDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: Users;
  readonly world: World;
  readonly undo: Undo;
  /** Clears what is kept beside the records: recorded requests, faults, limits. */
  readonly clearMemory: () => void;
}

/** Creates the reset. */
export function createReset({ store, clock, users, world, undo, clearMemory }: ResetDeps): Reset {
  return (to) =>
    world.inTurn(async () => {
      undo.keepAllAndRequests(`Everything was reset to ${to === 'demo' ? 'the demo world' : 'an empty store'}.`);
      const nothing = { ...emptyDocument(), collections: keptAtReset(store.toDocument()) };
      await world.restore({ document: nothing, files: store.blobs.stage() });
      if (to === 'demo') seedDemo(store, users, clock.now());
      clearMemory();
    });
}
