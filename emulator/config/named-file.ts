import { constants } from 'node:fs';
import { access, chmod, chown, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { randomSecret } from '../ids.ts';
import { renameWithRetry } from '../system.ts';

/**
 * Runs work on a file that a person named.
 * @param shown the name by which the person knows the file
 * @param does what `work` does with the file
 * @throws UserError that names the file and what is wrong with it, for an error of the file system
 */
export async function withNamedFile<R>(shown: string, does: 'read' | 'written', work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    // The error is not that of a system call.
    if (code === undefined || syscall === undefined) throw error;
    throw new UserError(say(shown, does, code) ?? `${shown} cannot be ${does}: ${message}.`);
  }
}

/**
 * Writes a file that a person named, whole or not at all: the old file stays until all of the new one is on the disk.
 * @param write called with the path to write to
 * @throws UserError that names the file and what is wrong with it
 */
export function writeNamedFile(shown: string, write: (path: string) => Promise<unknown>): Promise<void> {
  return withNamedFile(shown, 'written', async () => {
    const found = await stat(shown).catch(() => null);
    // A pipe or a device has nothing to lose, and a folder is not a file.
    if (found !== null && !found.isFile()) return void (await write(shown));
    const path = found === null ? shown : await realpath(shown);
    const aside = `${path}.${randomSecret(6)}.part`;
    try {
      await write(aside);
      if (found !== null) {
        await chmod(aside, found.mode);
        await chown(aside, found.uid, found.gid);
      }
      // A file that cannot be replaced now cannot be replaced later either. A new file may be in use by others, but
      // only for a moment.
      await (found === null ? renameWithRetry : rename)(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      const { code = '' } = error as NodeJS.ErrnoException;
      // The file cannot be replaced: it is another user's, or in another user's folder, or mounted into a container.
      if (found === null || !['EACCES', 'EPERM', 'EBUSY'].includes(code)) throw error;
      await write(path);
    }
  });
}

function say(shown: string, does: 'read' | 'written', code: string): string | null {
  switch (code) {
    case 'ENOENT':
      return does === 'read'
        ? // A relative name says too little where a test runner or a script chose the working folder.
          `There is no file ${resolve(shown)}.`
        : `${shown} cannot be written: there is no folder ${dirname(shown)}. Make it, or name another file.`;
    case 'EISDIR':
      return `${shown} is a folder. Name a file.`;
    case 'ENOTDIR':
      return `${shown} cannot be ${does}: ${dirname(shown)} is not a folder.`;
    case 'EACCES':
    case 'EPERM':
      return `${shown} cannot be ${does}: this user has no permission.`;
    case 'ENOSPC':
      return `${shown} cannot be written: the disk is full.`;
    case 'EROFS':
      return `${shown} cannot be written: its disk is read-only.`;
    default:
      return null;
  }
}

/**
 * Refuses to overwrite a file unless that was requested; pipes and devices have nothing to lose.
 * @throws UserError
 */
export async function mustBeNew(shown: string, overwrite = false): Promise<void> {
  const found = overwrite ? undefined : await stat(shown).catch(() => undefined);
  if (found?.isFile())
    throw new UserError(`There is a file ${shown} already. Choose another name, or add --overwrite.`);
}

/**
 * Checks that a file can be read. It may be a pipe, so nothing is read from it.
 * @throws UserError if it cannot be read
 */
export function mustBeReadable(shown: string): Promise<void> {
  return withNamedFile(shown, 'read', async () => {
    if ((await stat(shown)).isDirectory()) throw new UserError(`${shown} is a folder. Name a file.`);
    await access(shown, constants.R_OK);
  });
}

/** The name of an input file at the start of a sentence; `-` is standard input. */
export const nameOf = (file: string): string => (file === '-' ? 'Standard input' : file);
