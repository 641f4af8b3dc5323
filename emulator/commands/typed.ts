/** What the control API says of the places of a call, in the words of the line that was typed. */
import type { Command } from 'commander';
import type { ControlRefusal } from '../control/client/control-refusal.ts';
import { UserError } from '../errors.ts';
import { UsageError } from './usage.ts';

/** What a field of a call is on the line, by command, where it is neither an option nor an argument of that name. */
const typedAs: { readonly [command: string]: { readonly [field: string]: string } } = {
  advance: { advance: '<duration>', set: '--to' },
  gym: { to: '<receiver>' },
  logs: { operation: '--filter operation', rule: '--filter rule' },
  rate: { rate: '<number>' },
  trigger: { type: '<event>', payload: '--set' },
};

/** What a refusal advises, as options of the line, by its rule. */
const optionsFor: { readonly [rule: string]: string } = {
  'undo.newer': ' With --and-newer both are undone.',
  'delivery.subscriber': ' The subscriber is --phone and --email here.',
};

/** The refusal in the words of the command; wrong usage if it is about a value that was typed. */
export function toTyped(refusal: ControlRefusal, command: Command): UserError {
  const { status, rule, place, message } = refusal;
  const field = place === null ? '' : (place.at.replace(/^\//, '').split('/', 1)[0] ?? '');
  const name = place === null ? undefined : nameOnLine(field, command);
  const advice = message + (optionsFor[rule ?? ''] ?? '');
  if (name === undefined || !(status === 400 || rule === 'records.kind')) return new UserError(advice);
  return new UsageError(`${name}: ${advice}`);
}

function nameOnLine(field: string, command: Command): string | undefined {
  const own = typedAs[command.name()]?.[field];
  if (own !== undefined) return own;
  if (command.getOptionValueSource(field) === 'cli')
    return command.options.find((option) => option.attributeName() === field)?.long;
  const argument = command.registeredArguments.find((one) => one.name() === field);
  return argument && `<${field}>`;
}
