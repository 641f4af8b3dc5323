import { shallowRef, type ShallowRef } from 'vue';
import type { RestoredView } from '../../../emulator/control/calls.ts';
import { useReported, useServerUndo, type Reported } from '../../live/reported.ts';
import { call, type Call } from '../../live/backend/control.ts';
import { toDeltas, type Delta } from './changed.ts';

/** The effects of the last action on the whole state. */
export interface Changed {
  readonly says: string;
  /** Null if the records could not be counted afterwards. */
  readonly deltas: readonly Delta[] | null;
  readonly renewed: RestoredView['renewedSecrets'];
  readonly heldBack: RestoredView['heldBack'];
  readonly replaced: RestoredView['replaced'];
}

export interface WorldActs extends Reported {
  readonly changed: ShallowRef<Changed | null>;
  /**
   * Runs an action on everything, and reports its effects with an undo.
   * @param does makes the call through the given function
   */
  replace(says: string, does: (call: Call) => Promise<RestoredView | null>): Promise<boolean>;
}

/** The actions that change everything at once: restore, import and reset. */
export function useWorldActs(): WorldActs {
  const act = useReported();
  const changed = shallowRef<Changed | null>(null);
  const count = async (): Promise<{ readonly [kind: string]: number }> => (await call('GET /control/health')).records;

  return {
    ...act,
    changed,
    async replace(says, does) {
      const server = useServerUndo(() => (changed.value = null));
      return act.run(
        says,
        async () => {
          const before = await count();
          const restored = await does(server.call);
          // Everything was replaced, even if this count fails.
          const after = await count().catch(() => null);
          changed.value = {
            says,
            deltas: after && toDeltas(before, after),
            renewed: restored?.renewedSecrets ?? [],
            heldBack: restored?.heldBack ?? { deliveries: 0, webhooks: 0 },
            replaced: restored?.replaced ?? [],
          };
        },
        { undo: server.undo },
      );
    },
  };
}
