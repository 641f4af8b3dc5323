import { UserError } from '../errors.ts';

/** Wrong usage of a command: the exit code is 2 instead of 1, and the message says where the help is. */
export class UsageError extends UserError {}

/** A config file, or a variable in its place, with mistakes. Also wrong usage, but no command's help says more. */
export class ConfigError extends UserError {
  readonly exitCode = exitCodes.wrongUsage;
}

/** Where the help of a command is. @param words of the command; empty for the program's own */
export function seeHelp(words: string): string {
  return `See "${['sandpiper', words, '--help'].filter(Boolean).join(' ')}".`;
}

/** How `sandpiper` ends. `exec` ends as its command does. */
export const exitCodes = { done: 0, notDone: 1, wrongUsage: 2, cannotRun: 126, notFound: 127 } as const;

/** Which command shows what the control API lists at a path. */
const commands: readonly (readonly [path: RegExp, command: string])[] = [
  [/^\/control\/deliveries$/, 'sandpiper deliveries'],
  [/^\/control\/webhooks$/, 'sandpiper records webhooks'],
  [/^\/control\/messages$/, 'sandpiper messages'],
  [/^\/control\/people$/, 'sandpiper records users'],
  [/^\/control\/faults$/, 'sandpiper fault'],
  [/^\/control\/snapshots$/, 'sandpiper snapshot list'],
  [/^\/control\/export$/, 'sandpiper snapshot export'],
];

/**
 * A message of the control API in the words of the command line: where it says `GET /control/deliveries`, a user of a
 * terminal reads `"sandpiper deliveries"`.
 */
export function toCommandWords(message: string): string {
  return message.replaceAll(/(?:GET|DELETE) (\/control\/[\w/-]+)/g, (whole, path: string) => {
    const kind = /^\/control\/records\/([\w-]+)$/.exec(path)?.[1];
    const command = kind ? `sandpiper records ${kind}` : commands.find(([one]) => one.test(path))?.[1];
    return command === undefined ? whole : `"${command}"`;
  });
}

/** What a user of a terminal does about a refused token (401). */
export const wrongToken =
  'The Sandpiper that answered has another token. "sandpiper serve" prints it; name it with --token or SANDPIPER_TOKEN, or leave these and --url out to find the one of the data folder.';
