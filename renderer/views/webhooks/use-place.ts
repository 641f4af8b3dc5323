import { computed, nextTick, watch } from 'vue';
import { useRoute } from 'vue-router';
import type { DeliveryStateView } from '../../../emulator/control/calls.ts';
import { useAddress } from '../../parts/address.ts';
import { deliveryStates } from '../../parts/delivery-state.ts';

export const panelTitles = {
  fire: 'Fire an event',
  gym: 'Stress a receiver',
  receiver: 'Built-in receiver',
  signature: 'Check the signature',
} as const;

export type Panel = keyof typeof panelTitles;

interface Spot {
  readonly id: string | null;
  readonly delivery: string | null;
  readonly state: string;
  readonly type: string;
  readonly panel: Panel | null;
  /** Shows the deliveries of all webhooks, if only one pane is visible. */
  readonly all: string | null;
}

/** The choices and the open panel of the view. */
export function usePlace() {
  const route = useRoute();
  const query = (name: string): string => (typeof route.query[name] === 'string' ? route.query[name] : '');
  const { spot, go } = useAddress<Spot>(
    'webhooks',
    (address) => ({
      id: address.id,
      delivery: address.query('delivery') || null,
      state: address.query('state'),
      type: address.query('type'),
      panel: toPanel(address.query),
      all: address.query('all') || null,
    }),
    ({ id, panel, ...rest }) => ({ id, query: { ...rest, ...(panel === 'fire' ? { fire: '1' } : { panel }) } }),
  );
  return {
    id: computed(() => spot.value.id),
    deliveryId: computed(() => spot.value.delivery),
    panel: computed(() => spot.value.panel),
    state: computed<DeliveryStateView | ''>({
      get: () => deliveryStates.find((one) => one === spot.value.state) ?? '',
      set: (state) => go({ state }),
    }),
    type: computed({ get: () => spot.value.type, set: (type) => go({ type }) }),
    /** Whether the second pane has something to show. */
    opened: computed(() => spot.value.id !== null || spot.value.delivery !== null || spot.value.all !== null),
    /** Requested by the address: the type to fire, and the person that the event is about. */
    event: computed(() => query('event')),
    about: computed(() => query('about')),
    go,
  };
}

function toPanel(query: (name: string) => string): Panel | null {
  if (query('fire') === '1') return 'fire';
  const named = query('panel');
  return Object.hasOwn(panelTitles, named) ? (named as Panel) : null;
}

/**
 * When the panel closes, returns the focus to the element that had it at the opening. Without one, calls `otherwise`.
 */
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
