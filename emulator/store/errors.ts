/** Why the data folder cannot be used. */
export type StoreErrorCode = 'locked' | 'unwritable' | 'newer-format' | 'write-failed' | 'invalid-document' | 'closed';

/** A failure of the store, with one line that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
