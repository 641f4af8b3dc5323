import type { Store } from '../../store/store.ts';
import type { Jobs } from './jobs.ts';
import { openProducts, type Products } from './products.ts';

/** The saved products of every company, opened when they are first needed. */
export interface CompanyProducts {
  of(companyId: string): Promise<Products>;
  /** Closes all; they are opened again when needed. */
  close(): Promise<void>;
}

/** Creates it over the folders of a store. A folder that could not be opened is tried again by the next caller. */
export function createCompanyProducts({ store, jobs }: { store: Store; jobs: Jobs }): CompanyProducts {
  const opened = new Map<string, Promise<Products>>();
  let closing: Promise<unknown> = Promise.resolve();

  async function closeAll(all: readonly Promise<Products>[]): Promise<void> {
    for (const one of await Promise.allSettled(all)) if (one.status === 'fulfilled') await one.value.close();
  }

  function close(): Promise<void> {
    const all = [...opened.values()];
    opened.clear();
    const closed = closing.then(() => closeAll(all));
    // The next caller that opens the folder waits for this; only the original caller gets its error.
    closing = closed.catch(() => undefined);
    return closed;
  }

  // Folders opened while the files were being replaced may still show the old ones.
  store.onReplace(() => void close());
  return {
    of(companyId) {
      const known = opened.get(companyId);
      if (known) return known;
      // Never open a folder twice at a time: opening removes the files that a merge through the other one is writing.
      const opening = closing.then(() => openProducts({ dir: store.blobs.path('products', companyId), jobs }));
      opened.set(companyId, opening);
      // If opening failed, the next caller tries again; this one gets the error.
      opening.catch(() => {
        if (opened.get(companyId) === opening) opened.delete(companyId);
      });
      return opening;
    },
    close,
  };
}
