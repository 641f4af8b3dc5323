import { until } from '@vueuse/core';
import type RequestDetail from './RequestDetail.vue';
import type { Place } from './use-place.ts';

export type Detail = InstanceType<typeof RequestDetail>;
export type OnSelected = (act: (shown: Detail) => unknown) => Promise<void>;

/**
 * Returns a function that acts on the selected request once it is read: until then, the detail shows the previous one.
 * A comparison with another request ends.
 * @param detail null if no request is shown
 */
export function toOnSelected({ id, withId, go }: Place, detail: () => Detail | null): OnSelected {
  return async (act) => {
    const wanted = id.value;
    if (wanted === null) return;
    if (withId.value !== null) go({ withId: null });
    await until(() => id.value !== wanted || detail()?.ready === true).toBe(true);
    const shown = detail();
    if (id.value === wanted && shown) await act(shown);
  };
}
