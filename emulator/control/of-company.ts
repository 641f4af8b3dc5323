/** The company that a record belongs to. */
import { findCompany } from '../features/accounts/find.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import { inQuery } from '../rules.ts';
import type { Collection, Store } from '../store/store.ts';

/** The id of a record's company; empty if the record belongs to the emulator itself. */
export function companyOf(record: StoredRecord): string {
  return (record as StoredRecord & { readonly companyId?: string }).companyId ?? '';
}

/** Refuses a query that names a company that does not exist. */
export function checkCompany(store: Store, companyId: string | undefined): void {
  if (companyId !== undefined) findCompany(store, companyId, inQuery('companyId'));
}

/** A company's records in a collection, in order of creation; all records if no company is named. */
export function recordsOf<T extends StoredRecord>(
  collection: Pick<Collection<T>, 'records'>,
  companyId: string | undefined,
): readonly T[] {
  const records = collection.records();
  return companyId === undefined ? records : records.filter((record) => companyOf(record) === companyId);
}

/** How many records of a kind a company has, without listing them. */
export function countOfCompany(store: Store, name: CollectionName, companyId: string): number {
  return store.collection(name).tally('ofCompany', companyOf)(companyId);
}
