/** The fields that all records have. */
export interface StoredRecord {
  readonly id: string;
}
