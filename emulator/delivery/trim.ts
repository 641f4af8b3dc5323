import type { Store } from '../store/store.ts';

/**
 * Makes room for new deliveries: finished ones are removed, oldest first; deliveries still to be sent stay. After each
 * search, the next one waits until there are a tenth more.
 */
export function createTrim(store: Store, kept: number): (coming: number) => void {
  let trimAt = kept;
  return (coming) => {
    const size = store.deliveries.size + coming;
    if (size <= trimAt) return;
    let tooMany = size - kept;
    for (const { id, state } of store.deliveries.all()) {
      if (tooMany <= 0) break;
      if (state !== 'delivered' && state !== 'failed') continue;
      store.deliveries.delete(id);
      tooMany -= 1;
    }
    trimAt = Math.max(kept, store.deliveries.size + coming) * 1.1;
  };
}
