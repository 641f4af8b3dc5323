/** Rewords refusals of the control API: the places of a call become words of the command line. */
import type { Command } from 'commander';
import { toName, toParameter } from '../contract/pointer.ts';
import type { ControlRefusal } from '../control/client/control-refusal.ts';
import { UserError } from '../errors.ts';
import { UsageError } from './usage.ts';

/**
 * The names that fields of a call have on the command line, by command, if they are neither options nor arguments of
 * that name.
 */
const typedAs: { readonly [command: string]: { readonly [field: string]: string } } = {
  act: { act: '<action>' },
  advance: { advance: '<duration>', set: '--to' },
  gym: { to: '<receiver>' },
  logs: { operation: '--filter operation', rule: '--filter rule' },
  rate: { rate: '<number>' },
  trigger: { type: '<event>', payload: '--set' },
};

/** The advice to add to a refusal, with options of the command line, by its rule. */
const optionsFor: { readonly [rule: string]: string } = {
  'undo.newer': ' With --and-newer both are undone.',
};

/** Rewords a refusal for the command. It is wrong usage if it is about a value that was typed. */
export function toTyped(refusal: ControlRefusal, command: Command): UserError {
  const { status, rule, place, message } = refusal;
  const pointer = place === null ? '' : place.at.replace(/^\/?/, '/');
  const field = toParameter(pointer);
  const name = place === null ? undefined : nameOnLine(field, command);
  const advice = message + (optionsFor[rule ?? ''] ?? '');
  if (name === undefined || !(status === 400 || rule === 'records.kind')) return new UserError(advice);
  // A value that does not fit is named by its place in the call, which is not known on the command line.
  const inCall = `${toName(pointer)} `;
  return new UsageError(advice.startsWith(inCall) ? `${name} ${advice.slice(inCall.length)}` : `${name}: ${advice}`);
}

function nameOnLine(field: string, command: Command): string | undefined {
  const own = typedAs[command.name()]?.[field];
  if (own !== undefined) return own;
  if (command.getOptionValueSource(field) === 'cli')
    return command.options.find((option) => option.attributeName() === field)?.long;
  const argument = command.registeredArguments.find((one) => one.name() === field);
  return argument && `<${field}>`;
}
