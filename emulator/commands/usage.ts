import { UserError, reasonOf } from '../errors.ts';
import { parseDuration } from '../time/duration.ts';

/** Wrong usage of a command: the exit code is 2 instead of 1, and the message says where the help is. */
export class UsageError extends UserError {}

/**
 * Mistakes in a config file, in a variable that replaces it, or in a world or seed that it names. They are wrong usage
 * too, but no command's help says more.
 */
export class ConfigError extends UserError {
  readonly exitCode = exitCodes.wrongUsage;
}

/**
 * Says where the help of a command is.
 * @param words the words of the command; empty for the program's own help, which lists what `help` takes
 */
export function seeHelp(words: string): string {
  return `See "${['sandpiper', words === 'help' ? '' : words, '--help'].filter(Boolean).join(' ')}".`;
}

/** The exit codes of `sandpiper`. `exec` ends with the code of its command. */
export const exitCodes = {
  done: 0,
  notDone: 1,
  wrongUsage: 2,
  cannotRun: 126,
  notFound: 127,
  /** Ended by Ctrl+C, with the code that shells use: 128 plus the number of the signal. */
  interrupted: 130,
} as const;

/** The message for an error; for a refused token (401), what to do about it. */
export function sayError(error: Error): string {
  return 'status' in error && error.status === 401
    ? 'The Sandpiper that answered has another token. "sandpiper serve" prints it; name it with --token or SANDPIPER_TOKEN, or leave these and --url out to find the one of the data folder.'
    : error.message;
}

/**
 * Parses the value of an option as a duration. Returns milliseconds.
 * @throws UsageError
 */
export function toLength(option: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new UsageError(`${option}: ${reasonOf(error)}`);
  }
}
