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
  let closing: Promise<unknown> = Promise.resolve();

  async function closeAll(all: readonly Promise<Products>[]): Promise<void> {
    for (const one of await Promise.allSettled(all)) if (one.status === 'fulfilled') await one.value.close();
  }

  function close(): Promise<void> {
    const all = [...opened.values()];
    opened.clear();
    const closed = closing.then(() => closeAll(all));
    // Whoever opens next waits for this; its failure is told to who asked for it alone.
    closing = closed.catch(() => undefined);
    return closed;
  }

  // What was opened while files were exchanged may still show the old ones.
  store.onReplace(() => void close());
  return {
    of(companyId) {
      const known = opened.get(companyId);
      if (known) return known;
      // Never two over one folder: opening clears away what a merge of the other would be writing.
      const opening = closing.then(() => openProducts({ dir: store.blobs.path('products', companyId), workerUrl }));
      opened.set(companyId, opening);
      // What could not be opened is tried again by the next who asks; this one is told.
      opening.catch(() => {
        if (opened.get(companyId) === opening) opened.delete(companyId);
      });
      return opening;
    },
    close,
  };
}
