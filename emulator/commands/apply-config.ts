import type { Command } from 'commander';
import { findConfig, readConfig } from '../config/load.ts';
import { optionList, toFlag, toVariable } from '../config/options.ts';
import type { Source } from '../config/source.ts';
import { UserError } from '../errors.ts';
import { ConfigError } from './usage.ts';

/**
 * Sets, from the config file, the options of a start that neither the command line nor the environment sets.
 * @param source the config file, if it is already read; null if there is none
 * @returns the name of the config file; null if there is none
 * @throws ConfigError for a config with a mistake, and for a switch in the environment that is neither true nor false
 */
export async function applyConfig(command: Command, source?: Source | null): Promise<string | null> {
  for (const option of command.options) {
    const name = option.attributeName();
    // Commander treats any text in a variable as a switch that is on.
    if (option.isBoolean() && option.envVar !== undefined && command.getOptionValueSource(name) === 'env')
      command.setOptionValueWithSource(name, toSwitch(option.envVar), 'env');
  }
  const file =
    source === undefined
      ? await explained(() => findConfig(command.getOptionValue('config') as string | undefined))
      : source;
  const loaded = file && (await explained(() => readConfig(file)));
  for (const [name, value] of Object.entries(loaded?.config ?? {}))
    if (!['cli', 'env'].includes(command.getOptionValueSource(name) ?? ''))
      command.setOptionValueWithSource(name, value, 'config');
  settlePlace(command);
  return loaded && loaded.name;
}

/**
 * The data folder and `memory` exclude one another: the one that is set nearer to the command counts. Among variables
 * `memory` counts, because a container image sets the folder. Together on one command line, or in one file, they are a
 * mistake, which the start refuses.
 */
function settlePlace(command: Command): void {
  if (command.getOptionValue('memory') !== true || command.getOptionValue('data') === undefined) return;
  const [memory = -1, data = -1] = ['memory', 'data'].map((name) =>
    nearness.indexOf(command.getOptionValueSource(name) ?? ''),
  );
  if (memory > data || (memory === data && nearness[memory] === 'env'))
    command.setOptionValueWithSource('data', undefined, 'default');
  else if (data > memory) command.setOptionValueWithSource('memory', undefined, 'default');
}

/** The sources of an option's value, in rising order of precedence. */
const nearness: readonly string[] = ['default', 'config', 'env', 'cli'];

/**
 * Runs work, and turns a mistake in an option, or in a file that it names, into wrong usage. A port that is taken is
 * not one.
 * @throws ConfigError
 */
export async function explained<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError && error.code === null) throw new ConfigError(error.message);
    throw error;
  }
}

/** Whether a variable turns a switch on. @throws ConfigError if it is neither true nor false */
export function toSwitch(variable: string): boolean {
  const text = process.env[variable] ?? '';
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:0|false|no|off)$/i.test(text)) return false;
  throw new ConfigError(`${variable} is ${JSON.stringify(text)}; it takes true or false.`);
}

/** An option with the value in force, and the source of that value. */
export interface OptionInForce {
  readonly option: string;
  readonly value: unknown;
  readonly from: 'command line' | 'environment' | 'config' | 'default';
  readonly flag: string;
  readonly variable: string;
}

const sources: { readonly [source: string]: OptionInForce['from'] } = {
  cli: 'command line',
  env: 'environment',
  config: 'config',
};

/** Every option of a command whose config was applied. */
export function optionsInForce(command: Command): readonly OptionInForce[] {
  return optionList.map(([option]) => ({
    option,
    value: command.getOptionValue(option) ?? null,
    from: sources[command.getOptionValueSource(option) ?? ''] ?? 'default',
    flag: toFlag(option),
    variable: toVariable(option),
  }));
}
