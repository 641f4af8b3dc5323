import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type {
  DeliveriesView,
  DeliveryDetailView,
  DeliveryLineView,
  DeliveryStateView,
  EventTypeView,
} from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { shownCompany } from '../../live/company.ts';
import { changesOf, changesWhere, orNull, useReading, type Answered } from '../../live/reading.ts';

export interface DeliveryFilter {
  readonly companyId: string | null;
  readonly webhookId: string | null;
  readonly state: DeliveryStateView | '';
  readonly type: EventTypeView['type'] | '';
}

export interface DeliveryList {
  /** Newest first. */
  readonly rows: ComputedRef<readonly DeliveryLineView[]>;
  /** Null until it was read, and without a company or such a webhook. */
  readonly view: ShallowRef<DeliveriesView | null>;
  readonly ready: ShallowRef<boolean>;
  readonly problem: ShallowRef<string | null>;
  /** Whether the rows belong to another filter, because those of the current one are not here yet. */
  readonly behind: ShallowRef<boolean>;
  more(): void;
  reload(): Promise<void>;
}

/** The number of deliveries read at first; older ones are read on demand. */
const firstPage = 500;

/** The deliveries that pass a filter. Follows changes. */
export function useDeliveries(filter: () => DeliveryFilter): DeliveryList {
  const limit = shallowRef(firstPage);
  const {
    answer: view,
    ready,
    problem,
    behind,
    reload,
  } = useReading({
    async read(): Promise<DeliveriesView | null> {
      const { companyId, webhookId, state, type } = filter();
      if (companyId === null) return null;
      const query = {
        companyId,
        limit: limit.value,
        webhookId: webhookId ?? undefined,
        state: state || undefined,
        type: type || undefined,
      };
      return orNull(call('GET /control/deliveries', { query }));
    },
    concerns: changesOf('deliveries'),
    key: () => `${JSON.stringify(filter())} ${limit.value}`,
  });
  // Compares values, because the object is a new one each time that its parts are read again.
  watch(
    () => JSON.stringify(filter()),
    () => (limit.value = firstPage),
  );
  return {
    view,
    rows: computed(() => view.value?.deliveries.toReversed() ?? []),
    ready,
    problem,
    behind,
    more: () => void (limit.value = Math.min(limit.value * 8, 20_000)),
    reload,
  };
}

/** The shown delivery: the chosen one, else the one that was newest at first. That one stays while others arrive. */
export function useShown(
  { rows }: Pick<DeliveryList, 'rows'>,
  chosen: () => string | null,
): ComputedRef<string | null> {
  const newest = shallowRef<string | null>(null);
  watch(rows, (now) => {
    if (!now.some(({ id }) => id === newest.value)) newest.value = now[0]?.id ?? null;
  });
  return computed(() => chosen() ?? newest.value);
}

/** One delivery of the shown company with both sides of every attempt; null if there is none. Follows changes. */
export function useDelivery(id: () => string | null): Answered<DeliveryDetailView | null> {
  return useReading({
    async read(): Promise<DeliveryDetailView | null> {
      const wanted = id();
      const found =
        wanted === null ? null : await orNull(call('GET /control/deliveries/{id}', { params: { id: wanted } }));
      return found?.companyId === shownCompany() ? found : null;
    },
    concerns: changesWhere((change) => change.kind === 'deliveries' && change.id === id()),
    key: () => `${shownCompany()} ${id()}`,
  });
}
