import { shallowRef, watch, type Ref } from 'vue';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { ControlError, call } from '../../live/backend/control.ts';
import { whenBack } from '../../live/reading.ts';

/** Recorded requests never change, so the last ones are kept. */
const keptViews = 20;

/** One request, whole. While another one is on its way the last one stays, so nothing flickers. */
export function useRequest(id: Ref<string>): {
  readonly view: Ref<RequestView | null>;
  readonly problem: Ref<string | null>;
} {
  const view = shallowRef<RequestView | null>(null);
  const problem = shallowRef<string | null>(null);
  const kept = new Map<string, RequestView>();
  const tries = shallowRef(0);
  whenBack(() => (tries.value += problem.value === null ? 0 : 1));

  watch(
    [id, tries],
    async ([wanted], _before, onCleanup) => {
      const known = kept.get(wanted);
      if (known) {
        view.value = known;
        problem.value = null;
        return;
      }
      const leaving = new AbortController();
      onCleanup(() => leaving.abort());
      try {
        const { signal } = leaving;
        const found = await call('GET /control/requests/{id}', { params: { id: wanted } }, { signal });
        kept.set(wanted, found);
        for (const oldest of kept.keys()) {
          if (kept.size <= keptViews) break;
          kept.delete(oldest);
        }
        if (leaving.signal.aborted) return;
        view.value = found;
        problem.value = null;
      } catch (error) {
        if (leaving.signal.aborted) return;
        view.value = null;
        problem.value = error instanceof ControlError ? error.message : 'The server cannot be reached just now.';
      }
    },
    { immediate: true },
  );
  return { view, problem };
}
