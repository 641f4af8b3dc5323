import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { DeclarationError, toLine } from '../config/problems.ts';
import { applyConfig, optionsInForce } from './apply-config.ts';
import { print } from './connect.ts';
import { exitCodes, UsageError } from './usage.ts';

export interface ConfigOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** What `sandpiper config` can do. */
export type ConfigAct = 'validate' | 'print';

/**
 * `sandpiper config validate`: says each mistake of the config file with its line and field, and ends with 2 where there
 * is one. `sandpiper config print`: every option in force with where its value comes from.
 */
export async function config(act: ConfigAct, command: Command): Promise<void> {
  const options = command.opts<ConfigOptions>();
  if (act === 'validate') return validate(options);
  const file = await applyConfig(command);
  const inForce = optionsInForce(command);
  const shown = inForce.map((one) => (one.option === 'token' && one.value !== null ? { ...one, value: '…' } : one));
  const widest = Math.max(...shown.map(({ option }) => option.length));
  const lines = shown.map(
    ({ option, value, from }) =>
      `${option.padEnd(widest)}  ${value === null ? 'not set' : JSON.stringify(value)}  (${from === 'config' ? file : from})`,
  );
  print(options, { file, options: shown }, [`Config file: ${file ?? 'none'}`, ...lines].join('\n'));
}

async function validate(options: ConfigOptions): Promise<void> {
  try {
    const loaded = await loadConfig(options.config);
    if (loaded === null)
      throw new UsageError('There is no config file in this folder or one above. Name one with --config.');
    print(options, { file: loaded.name, problems: [] }, `${loaded.name} has no mistakes.`);
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    process.exitCode = exitCodes.wrongUsage;
    print(options, { file: error.problems[0]?.file, problems: error.problems }, error.problems.map(toLine).join('\n'));
  }
}
