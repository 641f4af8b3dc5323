/** Why the data folder cannot be used, or a change cannot be made. */
export type StoreErrorCode =
  'locked' | 'unwritable' | 'newer-format' | 'write-failed' | 'invalid-document' | 'no-numbers' | 'closed';

/** A failure of the store, with one line that says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** An error caused by the disk or by a store that is being closed, and so not by a bug in Sandpiper. */
export interface StoreProblem {
  readonly code: string;
  readonly problem: string;
}

/** What to do about it, in the imperative. */
export const fixOfProblem = ({ code }: StoreProblem): string => {
  if (code === 'closed') return 'Start Sandpiper again, then repeat the request.';
  if (code === 'no-numbers') return 'Reset, or import a state with smaller numbers, then send it again.';
  return 'Free some disk space, then send it again.';
};

/** What is wrong with the disk or the store; null for every other error. */
export function storeProblem(error: unknown): StoreProblem | null {
  if (error instanceof StoreError)
    return error.code === 'invalid-document' ? null : { code: error.code, problem: error.message };
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return { code, problem: `The disk is full (${(error as Error).message}). Free some disk space, then send it again.` };
}
