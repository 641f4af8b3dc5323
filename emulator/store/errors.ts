import { reasonOf } from '../errors.ts';
import { temporaryVariable } from '../system.ts';

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

/** A failure of the store, with one line that says what to do. `cause`: the error of the system that led to it. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The error for a change while Sandpiper is ending, or has ended. */
export function storeClosed(): StoreError {
  return new StoreError(
    'closed',
    'The store is closed: Sandpiper is stopping. Start it again, then repeat the request.',
  );
}

export const isClosed = (error: unknown): boolean => error instanceof StoreError && error.code === 'closed';

/** An error caused by the disk or by a store that is being closed, and so not by a bug in Sandpiper. */
export interface StoreProblem {
  readonly code: string;
  readonly problem: string;
  /** What to do about it, in the imperative. */
  readonly fix: string;
}

interface DiskProblem {
  readonly problem: string;
  /** What to do about it, in the imperative; `orElse`: what to do instead. */
  readonly fix: string;
  readonly orElse?: string;
}

const noNewFile: DiskProblem = {
  problem: 'The disk has no room for one more file, however small',
  fix: 'Remove some files from the disk',
};
const fewerFiles = 'Close connections that are not needed, or raise the limit of open files (ulimit -n)';

/** The errors that a system gives for a write, and that are not a bug. */
const diskProblems: { readonly [code: string]: DiskProblem | undefined } = {
  ENOSPC: { problem: 'The disk is full', fix: 'Free some disk space' },
  EDQUOT: { problem: 'The disk is full for this user', fix: 'Free some disk space' },
  EFBIG: {
    problem: 'A file is larger than the system allows',
    fix: 'Raise the limit of the size of a file (ulimit -f)',
  },
  EMFILE: { problem: 'Sandpiper has as many files and connections open as the system allows', fix: fewerFiles },
  ENFILE: { problem: 'The system has as many files and connections open as it allows', fix: fewerFiles },
  EROFS: {
    problem: 'The disk can only be read',
    fix: 'Make the disk writable',
    orElse: 'choose another folder with --data',
  },
  EACCES: {
    problem: 'The data folder has a file that this user may not use',
    fix: 'Give the folder and all in it to this user',
  },
  // Windows answers this if a file, or a file in a folder, is open.
  EPERM: {
    problem: 'The data folder has a file that is open elsewhere, or that this user may not change',
    fix: 'Close what has it open, or give the folder and all in it to this user',
  },
  EBUSY: { problem: 'The data folder has a file that is open elsewhere', fix: 'Close what has it open' },
  EIO: {
    problem: 'The disk has a fault',
    fix: 'Check the disk',
    orElse: 'choose a folder on another one with --data',
  },
};

/** Whether an error is about a port or an address: the system uses some of the same codes for those. */
const isOfPort = (syscall: string | undefined): boolean => syscall === 'listen' || syscall === 'connect';

const diskProblem = (error: unknown): DiskProblem | undefined => {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (isOfPort(syscall)) return undefined;
  // A new file takes an inode. A disk has a fixed number of inodes, and may run out of them while many bytes are free.
  if (code === 'ENOSPC' && ['open', 'mkdir', 'mkdtemp', 'link'].includes(syscall ?? '')) return noNewFile;
  return diskProblems[code];
};

const toFix = ({ fix, orElse }: DiskProblem): string => (orElse === undefined ? fix : `${fix}, or ${orElse}`);

/** What to do before a retry of a write that the disk refused with this error, in the imperative. */
export const fixOfDisk = (error: unknown): string => {
  const found = diskProblem(error);
  return found ? toFix(found) : 'Check the data folder and its disk';
};

/** What to do if no temporary folder could be made because of this error, in the imperative. */
export function fixOfTemporary(error: unknown): string {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const variable = `${temporaryVariable} to a folder that can be written`;
  const found = diskProblem(error);
  if (found?.fix === fewerFiles) return fewerFiles;
  return found && ['ENOSPC', 'EDQUOT', 'EIO'].includes(code) ? `${found.fix}, or set ${variable}` : `Set ${variable}`;
}

/** What to do before the next start if the data folder was refused with this error, in the imperative. */
function fixOfFolder(error: unknown): string {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const isNoneYet = syscall === 'mkdir' && ['EACCES', 'EPERM'].includes(code);
  const ofOthers = code === 'EPERM' ? 'Give it to this user' : null;
  const fix = isNoneYet ? 'Make it for this user' : (ofOthers ?? diskProblem(error)?.fix ?? null);
  return `${fix === null ? 'Choose' : `${fix}, choose`} another one with --data, or use --memory`;
}

/**
 * Converts an error of the system about a data folder to one line with what to do. Other errors stay as they are.
 * @param done the action that failed, such as `opened`
 */
export function toUnwritable(folder: string, done: string, error: unknown): unknown {
  const { syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === undefined || isOfPort(syscall)) return error;
  const says = `The data folder ${folder} cannot be ${done} (${reasonOf(error)}). ${fixOfFolder(error)}.`;
  return new StoreError('unwritable', says, { cause: error });
}

/** The problem with the disk or the store that caused an error; null for every other error. */
export function storeProblem(error: unknown): StoreProblem | null {
  if (error instanceof StoreError) {
    const { code, message: problem, cause } = error;
    return code === 'invalid-document' ? null : { code, problem, fix: fixOf(code, cause) };
  }
  const found = diskProblem(error);
  if (!found) return null;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const fix = `${toFix(found)}, then send it again.`;
  return { code, problem: `${found.problem} (${message}). ${fix}`, fix };
}

function fixOf(code: StoreErrorCode, cause: unknown): string {
  if (code === 'closed') return 'Start Sandpiper again, then repeat the request.';
  if (code === 'damaged-file') return 'Put the file back from a copy of the data folder, or remove it.';
  if (code === 'folder-lost')
    return 'Put the folder back, or stop Sandpiper and start it again; then repeat the request.';
  if (code === 'no-numbers') return 'Reset, or import a state with smaller numbers, then send it again.';
  // After the start, the only folder that is made is one for temporary files.
  return `${code === 'unwritable' ? fixOfTemporary(cause) : fixOfDisk(cause)}, then send it again.`;
}
