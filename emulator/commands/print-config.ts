import type { Command } from 'commander';
import { applyConfig, optionsInForce } from './apply-config.ts';
import { print } from './connect.ts';
import type { Terminal } from './terminal.ts';

export interface ConfigOptions {
  readonly config?: string;
  readonly json?: boolean;
  readonly terminal: Terminal;
}

/** `sandpiper config print` lists every option in force, and where its value comes from. */
export async function printConfig(command: Command): Promise<void> {
  const file = await applyConfig(command);
  const inForce = optionsInForce(command);
  const shown = inForce.map((one) => (one.option === 'token' && one.value !== null ? { ...one, value: '…' } : one));
  const widest = Math.max(...shown.map(({ option }) => option.length));
  const lines = shown.map(
    ({ option, value, from }) =>
      `${option.padEnd(widest)}  ${value === null ? 'not set' : JSON.stringify(value)}  (${from === 'config' ? file : from})`,
  );
  print(
    command.opts<ConfigOptions>(),
    { file, options: shown },
    [`Config file: ${file ?? 'none'}`, ...lines].join('\n'),
  );
}
