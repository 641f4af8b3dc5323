import { UserError, reasonOf } from '../errors.ts';
import { parseDuration } from '../time/duration.ts';

/** Wrong usage of a command: the exit code is 2 instead of 1, and the message says where the help is. */
export class UsageError extends UserError {}

/** A config file, a variable in its place, or a world or seed that it names, with mistakes. Also wrong usage, but no command's help says more. */
export class ConfigError extends UserError {
  readonly exitCode = exitCodes.wrongUsage;
}

/** Where the help of a command is. @param words of the command; empty for the program's own, which lists what `help` takes */
export function seeHelp(words: string): string {
  return `See "${['sandpiper', words === 'help' ? '' : words, '--help'].filter(Boolean).join(' ')}".`;
}

/** How `sandpiper` ends. `exec` ends as its command does. */
export const exitCodes = {
  done: 0,
  notDone: 1,
  wrongUsage: 2,
  cannotRun: 126,
  notFound: 127,
  /** By Ctrl+C, as shells have it: 128 and the number of the signal. */
  interrupted: 130,
} as const;

/** What a command says of an error: the message, or what to do about a refused token (401). */
export function sayError(error: Error): string {
  return 'status' in error && error.status === 401
    ? 'The Sandpiper that answered has another token. "sandpiper serve" prints it; name it with --token or SANDPIPER_TOKEN, or leave these and --url out to find the one of the data folder.'
    : error.message;
}

/** The value of an option as a duration in milliseconds. @throws UsageError */
export function toLength(option: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new UsageError(`${option}: ${reasonOf(error)}`);
  }
}
