/** Back to an empty store or the demo world. */
import { seedDemo } from '../demo.ts';
import { createUsers } from '../people/users.ts';
import { emptyDocument, openStore, type StateDocument, type Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import { keptAtReset } from '../time/time-settings.ts';
import type { Undo } from './undo.ts';
import type { World } from './world.ts';

export type FreshWorld = 'empty' | 'demo';

/** All of it in one step, durable when it resolves, or nothing. Time is real again, the pace stays, and it can be undone. */
export type Reset = (to: FreshWorld) => Promise<void>;

export interface ResetDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly world: World;
  readonly undo: Undo;
  /** Clears what is not a record: recorded requests, faults, limits. */
  readonly clearMemory: () => void;
}

/** Creates the reset. The new data is built separately, while the current data stays in use until it is replaced. */
export function createReset({ store, clock, world, undo, clearMemory }: ResetDeps): Reset {
  return (to) =>
    world.replaceInTurn(async () => {
      const { collections, ...fresh } = await freshDocument(to, clock.wall());
      const kept = keptAtReset(store.toDocument());
      const files = store.blobs.stage();
      const says = `Everything was reset to ${to === 'demo' ? 'the demo world' : 'an empty store'}.`;
      const document = { ...fresh, collections: { ...collections, ...kept } };
      try {
        await undo.editWorld(
          { code: 'world.reset', says },
          (remember) => world.restore({ document, files }, remember),
          { requests: true },
        );
      } finally {
        files.release();
      }
      clearMemory();
    });
}

async function freshDocument(to: FreshWorld, now: number): Promise<StateDocument> {
  if (to === 'empty') return emptyDocument();
  const beside = await openStore({ dataDir: null, now: () => now });
  seedDemo(beside, createUsers(beside), now);
  const document = beside.toDocument();
  await beside.close();
  return document;
}
