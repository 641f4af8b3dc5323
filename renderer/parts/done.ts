import type { ShallowRef } from 'vue';
import type { DoneView } from '../../emulator/control/protocol.ts';
import { useAct, useServerUndo } from '../live/act.ts';

export interface Doing {
  readonly problem: ShallowRef<string | null>;
  readonly busy: ShallowRef<boolean>;
  /**
   * An act that the server words and can undo.
   * @param path of the control API: `offers`
   * @returns what the server answered; null where it refused, and then `problem` says why
   */
  perform<View extends DoneView>(method: 'POST' | 'DELETE', path: string, json?: unknown): Promise<View | null>;
}

/** Acts on records as the platform's own pages have them: made, changed, deleted, each with its undo. */
export function useDoing(): Doing {
  const { run, problem, busy } = useAct();
  return {
    problem,
    busy,
    async perform<View extends DoneView>(method: 'POST' | 'DELETE', path: string, json?: unknown) {
      let done: View | null = null;
      const server = useServerUndo();
      const worked = await run(
        ({ says }: View) => says.replace(/\.$/, ''),
        async () => (done = await server.call<View>(method, path, json === undefined ? {} : { json })),
        { undo: server.undo },
      );
      return worked ? done : null;
    },
  };
}
