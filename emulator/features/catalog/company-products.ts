import type { Store } from '../../store/store.ts';
import { openProducts, type Products } from './products.ts';

/** The saved products of every company, opened when they are first asked for. */
export interface CompanyProducts {
  of(companyId: string): Promise<Products>;
  /** Closes all; they are opened anew when asked for again. */
  close(): Promise<void>;
}

export function createCompanyProducts({ store, workerUrl }: { store: Store; workerUrl: URL }): CompanyProducts {
  const opened = new Map<string, Promise<Products>>();
  return {
    of(companyId) {
      const known = opened.get(companyId);
      if (known) return known;
      const opening = openProducts({ dir: store.blobs.path('products', companyId), workerUrl });
      opened.set(companyId, opening);
      // What could not be opened is tried again by the next who asks; this one is told.
      opening.catch(() => opened.delete(companyId));
      return opening;
    },
    async close() {
      const all = await Promise.allSettled(opened.values());
      opened.clear();
      for (const one of all) if (one.status === 'fulfilled') await one.value.close();
    },
  };
}
