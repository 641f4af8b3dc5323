import { computed, type Ref } from 'vue';
import type { ChainView, RequestView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { orNull, useReading } from '../../live/reading.ts';

/** How long after an attempt its handler may still make calls. */
const handlerMs = 3_000;

/**
 * The consequences of a request so far. They change as deliveries continue, records move on and handlers make calls.
 */
export function useChain(view: Readonly<Ref<RequestView | null>>): Ref<ChainView | null> {
  const { answer, behind } = useReading({
    async read(): Promise<ChainView | null> {
      const id = view.value?.id;
      return id === undefined ? null : orNull(call('GET /control/requests/{id}/chain', { params: { id } }));
    },
    concerns(message): boolean {
      if (message.type === 'requests') return handlerMayCall();
      const ours = new Set(view.value?.changes.map(({ id }) => id));
      return message.type === 'changes' && message.changes.some(({ id }) => ours.has(id));
    },
    key: () => view.value?.id,
    pause: 500,
  });
  const chain = computed(() => (behind.value ? null : answer.value));

  /** Whether a delivery is under way, or was a moment ago. */
  const handlerMayCall = (): boolean =>
    chain.value?.deliveries.some(({ state, attempts }) => {
      const last = attempts.at(-1);
      return state === 'delivering' || (last && Date.parse(last.wallAt) + last.durationMs > Date.now() - handlerMs);
    }) ?? false;
  return chain;
}
