import { computed, nextTick, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { DeliveryStateView } from '../../../emulator/control/calls.ts';
import { deliveryStates } from '../../parts/delivery-state.ts';

export const panelTitles = {
  fire: 'Fire an event',
  gym: 'Stress a receiver',
  receiver: 'Built-in receiver',
  signature: 'Check the signature',
} as const;

export type Panel = keyof typeof panelTitles;

/** What is chosen, as the address says it. `all`: the deliveries of all webhooks, where only one pane is seen. */
type Change = { readonly [name in 'id' | 'delivery' | 'state' | 'type' | 'panel' | 'all']?: string | null };

/** What of the view is chosen and open: kept in the address, so that it can be linked to. */
export function usePlace() {
  const route = useRoute();
  const router = useRouter();
  const query = (name: string): string => (typeof route.query[name] === 'string' ? route.query[name] : '');

  const id = computed(() =>
    typeof route.params['id'] === 'string' && route.params['id'] !== '' ? route.params['id'] : null,
  );
  const deliveryId = computed(() => query('delivery') || null);
  const panel = computed<Panel | null>(() => {
    if (query('fire') === '1') return 'fire';
    const named = query('panel');
    return Object.hasOwn(panelTitles, named) ? (named as Panel) : null;
  });

  function go(change: Change): void {
    const now = {
      id: id.value,
      delivery: deliveryId.value,
      state: query('state'),
      type: query('type'),
      all: query('all'),
      panel: panel.value,
    };
    const { id: to, panel: opened, ...rest } = { ...now, ...change };
    void router.replace({
      name: 'webhooks',
      params: to ? { id: to } : {},
      query: {
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => Boolean(value))),
        ...(opened === 'fire' ? { fire: '1' } : opened ? { panel: opened } : {}),
      },
    });
  }

  const state = computed<DeliveryStateView | ''>({
    get: () => deliveryStates.find((one) => one === query('state')) ?? '',
    set: (value) => go({ state: value }),
  });
  const type = computed({ get: () => query('type'), set: (value) => go({ type: value }) });

  return {
    id,
    deliveryId,
    panel,
    state,
    type,
    /** Whether something is chosen that the second pane shows. */
    opened: computed(() => id.value !== null || deliveryId.value !== null || query('all') !== ''),
    /** Asked for by the address: the type to fire, and whom it is about. */
    event: computed(() => query('event')),
    about: computed(() => query('about')),
    go,
  };
}

/** When the panel closes, the focus goes back to where it was when it opened; to `otherwise` if it was nowhere. */
export function useFocusBack(isOpen: () => boolean, otherwise: () => void): void {
  let openedFrom: Element | null = null;
  watch(isOpen, async (open) => {
    if (open) openedFrom = document.activeElement;
    await nextTick();
    if (open) return;
    if (openedFrom instanceof HTMLElement && openedFrom !== document.body && openedFrom.isConnected) openedFrom.focus();
    else otherwise();
  });
}
