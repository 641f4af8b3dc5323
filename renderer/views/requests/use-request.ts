import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { ControlError, call } from '../../live/backend/control.ts';
import { useConnection } from '../../live/connection.ts';
import { whenBack } from '../../live/reading.ts';

/** The number of cached requests. They never change. */
const keptViews = 20;

export interface OneRequest {
  /** Null while there is no request, and after it is gone. */
  readonly view: ComputedRef<RequestView | null>;
  readonly problem: Ref<string | null>;
  /** Whether the request was deleted after it was read. */
  readonly isGone: Ref<boolean>;
}

/**
 * One request in full. While another one is being read, the last one stays, so nothing flickers.
 * @param isHeld whether a deleted request stays, because the person is editing it
 */
export function useRequest(id: Ref<string>, isHeld: () => boolean = () => false): OneRequest {
  const read = shallowRef<RequestView | null>(null);
  const problem = shallowRef<string | null>(null);
  const isGone = shallowRef(false);
  const kept = new Map<string, RequestView>();
  const tries = shallowRef(0);
  function readAgain(): void {
    kept.clear();
    tries.value += 1;
  }
  whenBack(readAgain);
  // These messages report deletions, and requests that an undo restores.
  onScopeDispose(useConnection().watch(({ type }) => void ((type === 'reset' || type === 'gap') && readAgain())));

  function show(view: RequestView): void {
    // Keep the object of a request that is already shown.
    if (read.value?.id !== view.id) read.value = view;
    [problem.value, isGone.value] = [null, false];
  }

  function fail(error: unknown, wanted: string): void {
    const isShown = read.value?.id === wanted;
    if (error instanceof ControlError) {
      isGone.value = isShown && error.status === 404;
      problem.value = isGone.value
        ? 'The request was deleted since you opened it: by hand, by an undo or a reset, or as newer requests took its place.'
        : error.message;
    } else if (!isShown) problem.value = 'The server cannot be reached just now.';
    if (!isShown) read.value = null;
  }

  watch(
    [id, tries],
    async ([wanted], _before, onCleanup) => {
      const known = kept.get(wanted);
      if (known) return show(known);
      const leaving = new AbortController();
      onCleanup(() => leaving.abort());
      try {
        const { signal } = leaving;
        const found = await call('GET /control/requests/{id}', { params: { id: wanted } }, { signal });
        if (leaving.signal.aborted) return;
        kept.set(wanted, found);
        for (const oldest of kept.keys()) {
          if (kept.size <= keptViews) break;
          kept.delete(oldest);
        }
        show(found);
      } catch (error) {
        if (!leaving.signal.aborted) fail(error, wanted);
      }
    },
    { immediate: true },
  );
  return { view: computed(() => (problem.value === null || isHeld() ? read.value : null)), problem, isGone };
}
