/** What all records have. */
export interface StoredRecord {
  readonly id: string;
}
