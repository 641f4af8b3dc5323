/** Whose a record is. */
import type { CollectionName, StoredRecord } from '../../records.ts';
import type { Store } from '../../store/store.ts';

/** The company of a record; empty if the record is of the emulator itself. */
export function companyOf(record: StoredRecord): string {
  return (record as StoredRecord & { readonly companyId?: string }).companyId ?? '';
}

/** How many records of a kind a company has, without listing them. */
export function countOfCompany(store: Store, name: CollectionName, companyId: string): number {
  return store.collection(name).tally('ofCompany', companyOf)(companyId);
}
