/** Why the data folder cannot be used, or a change cannot be made. */
export type StoreErrorCode =
  | 'locked'
  | 'unwritable'
  | 'newer-format'
  | 'write-failed'
  | 'folder-lost'
  | 'damaged-file'
  | 'invalid-document'
  | 'no-numbers'
  | 'closed';

/** A failure of the store, with one line that says what to do. `cause`: the refusal of the system that it comes from. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** An error caused by the disk or by a store that is being closed, and so not by a bug in Sandpiper. */
export interface StoreProblem {
  readonly code: string;
  readonly problem: string;
  /** What to do about it, in the imperative. */
  readonly fix: string;
}

const room = 'Free some disk space';

/** The refusals of a system at a write that are not a bug: in words, and what to do before the next try. */
const diskProblems: { readonly [code: string]: readonly [problem: string, fix: string] | undefined } = {
  ENOSPC: ['The disk is full', room],
  EDQUOT: ['The disk is full for this user', room],
  EFBIG: ['A file is larger than the system allows', 'Raise the limit of the size of a file (ulimit -f)'],
  EROFS: ['The disk can only be read', 'Make it writable, or choose another folder with --data'],
  EACCES: ['The data folder has a file that this user may not use', 'Give the folder and all in it to this user'],
  EIO: ['The disk has a fault', 'Check the disk, or choose a folder on another one with --data'],
};

const diskProblem = (error: unknown): readonly [problem: string, fix: string] | undefined => {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  // A port may be refused by the same code.
  return syscall === 'listen' || syscall === 'connect' ? undefined : diskProblems[code];
};

/** What to do before a write is tried again that a disk refused with this error, in the imperative. */
export const fixOfDisk = (error: unknown): string => diskProblem(error)?.[1] ?? room;

/** What is wrong with the disk or the store; null for every other error. */
export function storeProblem(error: unknown): StoreProblem | null {
  if (error instanceof StoreError) {
    const { code, message: problem, cause } = error;
    return code === 'invalid-document' ? null : { code, problem, fix: fixOf(code, cause) };
  }
  const found = diskProblem(error);
  if (!found) return null;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const fix = `${found[1]}, then send it again.`;
  return { code, problem: `${found[0]} (${message}). ${fix}`, fix };
}

function fixOf(code: StoreErrorCode, cause: unknown): string {
  if (code === 'closed') return 'Start Sandpiper again, then repeat the request.';
  if (code === 'damaged-file') return 'Put the file back from a copy of the data folder, or remove it.';
  if (code === 'folder-lost')
    return 'Put the folder back, or stop Sandpiper and start it again; then repeat the request.';
  if (code === 'no-numbers') return 'Reset, or import a state with smaller numbers, then send it again.';
  return `${fixOfDisk(cause)}, then send it again.`;
}
