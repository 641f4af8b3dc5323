import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { optionList, toFlag, toVariable, type Config } from '../config/options.ts';
import { UserError } from '../errors.ts';
import { ConfigError } from './usage.ts';

/**
 * Sets the options of a start that neither the command line nor the environment sets: from the config file.
 * @returns the name of that file; null if there is none
 * @throws ConfigError for a config with a mistake, and for a switch in the environment that is neither true nor false
 */
export async function applyConfig(command: Command): Promise<string | null> {
  for (const [name, { schema }] of optionList) {
    // Commander takes any text of a variable as a switch that is on.
    if (schema.type === 'boolean' && command.getOptionValueSource(name) === 'env')
      command.setOptionValueWithSource(name, toSwitch(toVariable(name)), 'env');
  }
  const loaded = await explained(() => loadConfig(command.getOptionValue('config') as string | undefined));
  if (loaded === null) return null;
  for (const [name, value] of Object.entries(withoutContradiction(loaded.config, command))) {
    const source = command.getOptionValueSource(name) ?? 'default';
    if (source === 'default') command.setOptionValueWithSource(name, value, 'config');
  }
  return loaded.name;
}

/** --data on the command line overrides `memory` of the config, and --memory its `data`. */
function withoutContradiction({ data, memory, ...config }: Config, command: Command): Config {
  return {
    ...config,
    ...(data === undefined || isGiven(command, 'memory') ? {} : { data }),
    ...(memory === undefined || isGiven(command, 'data') ? {} : { memory }),
  };
}

/** Whether the command line or the environment sets an option. */
export function isGiven(command: Command, name: string): boolean {
  return ['cli', 'env'].includes(command.getOptionValueSource(name) ?? '');
}

/** A mistake in an option or in a file that it names counts as wrong usage; a port that is taken is none. @throws ConfigError */
export async function explained<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError && error.code === null) throw new ConfigError(error.message);
    throw error;
  }
}

function toSwitch(variable: string): boolean {
  const text = process.env[variable] ?? '';
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:0|false|no|off)$/i.test(text)) return false;
  throw new ConfigError(`${variable} is ${JSON.stringify(text)}; it takes true or false.`);
}

/** An option in force, and where its value comes from. */
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
