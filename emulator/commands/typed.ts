/** What the control API says of the places of a call, in the words of the line that was typed. */
import type { Command } from 'commander';
import type { ControlRefusal } from '../control/control-refusal.ts';
import { UserError } from '../errors.ts';
import { UsageError } from './usage.ts';

/** What a field of a call is on the line, by command, where it is neither an option nor an argument of that name. */
const typedAs: { readonly [command: string]: { readonly [field: string]: string } } = {
  advance: { advance: '<duration>', set: '--to' },
  gym: { to: '<receiver>' },
  logs: { status: '--filter status', operation: '--filter operation', rule: '--filter rule' },
  rate: { rate: '<number>' },
  receiver: { delayMs: '--delay in milliseconds' },
  trigger: { type: '<event>', payload: '--set' },
};

/** What a message advises about a call, and the same for the line. */
const advice: readonly (readonly [said: string, own: string])[] = [
  ['send "andNewer": true', 'add --and-newer'],
  ['leave subscriber out', 'leave --phone and --email out'],
];

/** The refusal in the words of the command; wrong usage if it is about a value that was typed. */
export function toTyped(refusal: ControlRefusal, command: Command): UserError {
  const { status, rule, place, message } = refusal;
  const field = place === null ? '' : (place.at.replace(/^\//, '').split('/', 1)[0] ?? '');
  const name = place === null ? undefined : nameOnLine(field, command);
  const own = advice.reduce((text, [said, instead]) => text.replace(said, instead), message);
  if (name === undefined || !(status === 400 || rule === 'records.kind')) return new UserError(own);
  const [, rest] = own.match(new RegExp(`^(?:The query parameter )?${field}(?:\\.\\d+)* (.*)$`, 's')) ?? [];
  const said = rest === undefined ? own : `${name} ${rest}`;
  return new UsageError(said.replace(/ \(pattern .*\)(?=, not )/s, ''));
}

function nameOnLine(field: string, command: Command): string | undefined {
  const own = typedAs[command.name()]?.[field];
  if (own !== undefined) return own;
  if (command.getOptionValueSource(field) === 'cli')
    return command.options.find((option) => option.attributeName() === field)?.long;
  const argument = command.registeredArguments.find((one) => one.name() === field);
  return argument && `<${field}>`;
}
