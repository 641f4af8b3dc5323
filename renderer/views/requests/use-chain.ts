import { onBeforeUnmount, shallowRef, watch, type Ref } from 'vue';
import type { ChainView, RequestView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useConnection } from '../../live/connection.ts';
import { createReadSoon } from '../../live/read-soon.ts';
import { whenBack } from '../../live/reading.ts';
import { useRequests } from '../../live/requests.ts';
import { createTurns } from '../../live/turns.ts';

/** How long after an attempt its handler may still make calls. */
const handlerMs = 3_000;

/**
 * The consequences of a request so far. They change as deliveries continue, records move on and handlers make calls.
 */
export function useChain(view: Readonly<Ref<RequestView | null>>): Ref<ChainView | null> {
  const connection = useConnection();
  const requests = useRequests();
  const chain = shallowRef<ChainView | null>(null);

  const turns = createTurns();
  async function load(): Promise<void> {
    const id = view.value?.id;
    const isNewest = turns.take();
    if (id === undefined) return;
    const found = await call('GET /control/requests/{id}/chain', { params: { id } }).catch(() => null);
    if (view.value?.id === id && isNewest()) chain.value = found;
  }
  const reload = createReadSoon(load, 500);

  watch(
    () => view.value?.id,
    () => {
      chain.value = null;
      void load();
    },
    { immediate: true },
  );
  whenBack(load);
  onBeforeUnmount(
    connection.watch((message) => {
      if (message.type === 'reset' || message.type === 'gap') return void reload();
      if (message.type !== 'records') return;
      const ours = new Set(view.value?.changes.map(({ id }) => id));
      if (message.changes.some(({ id }) => ours.has(id))) void reload();
    }),
  );

  /** Whether a delivery is under way, or was a moment ago. */
  const handlerMayCall = (): boolean =>
    chain.value?.deliveries.some(({ state, attempts }) => {
      const last = attempts.at(-1);
      return state === 'delivering' || (last && Date.parse(last.wallAt) + last.durationMs > Date.now() - handlerMs);
    }) ?? false;
  watch(
    () => requests.rows,
    () => void (handlerMayCall() && reload()),
  );
  return chain;
}
