import { UserError } from '../errors.ts';

/** A command that was written wrongly; it ends with 2 instead of 1. */
export class UsageError extends UserError {}

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
