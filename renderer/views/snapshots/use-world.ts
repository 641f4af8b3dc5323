import { shallowRef, type ShallowRef } from 'vue';
import type { RestoredView } from '../../../emulator/control/protocol.ts';
import { undoServer, useAct, type Act } from '../../live/act.ts';
import { control } from '../../live/backend/control.ts';
import { toDeltas, type Delta } from './changed.ts';

/** What the last act did to the whole state. */
export interface Changed {
  readonly says: string;
  readonly deltas: readonly Delta[];
  readonly renewed: RestoredView['renewedSecrets'];
}

export interface WorldActs extends Act {
  readonly changed: ShallowRef<Changed | null>;
  /**
   * An act upon everything, with what it changed and its undo.
   * @param server the sentence under which the server remembers it
   */
  replace(says: string, server: string | RegExp, does: () => Promise<RestoredView | void>): Promise<boolean>;
}

/** Restoring, importing and resetting: acts that change everything at once. */
export function useWorldActs(): WorldActs {
  const act = useAct();
  const changed = shallowRef<Changed | null>(null);
  const count = async (): Promise<{ readonly [kind: string]: number }> =>
    (await control<{ readonly records: { readonly [kind: string]: number } }>('GET', 'health')).records;

  return {
    ...act,
    changed,
    async replace(says, server, does) {
      return act.run(
        says,
        async () => {
          const before = await count();
          const restored = await does();
          const renewed = restored?.renewedSecrets ?? [];
          changed.value = { says, deltas: toDeltas(before, await count()), renewed };
        },
        {
          async undo() {
            await undoServer(server);
            changed.value = null;
          },
        },
      );
    },
  };
}
