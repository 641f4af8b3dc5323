import type { Command } from 'commander';
import { findConfig } from '../config/load.ts';
import { toFlag, type OptionName } from '../config/options.ts';
import { DeclarationError, type PlacedProblem } from '../config/problems.ts';
import type { Source } from '../config/source.ts';
import { UserError } from '../errors.ts';
import { checkAllowedHosts, checkHost, checkPorts, checkToken } from '../net/listen.ts';
import { toPublicUrl } from '../net/urls.ts';
import { applyConfig, explained } from './apply-config.ts';
import { toChosenOptions, type ServeOptions } from './chosen-options.ts';

/** A check of a value, and the option that it belongs to. */
export type OptionCheck = readonly [option: OptionName, check: () => unknown];

/** The checks that a start makes of its options before it does anything. */
export function optionChecks(command: Command): readonly OptionCheck[] {
  const options = command.opts<ServeOptions>();
  const { token = null } = options;
  return [
    [options.memory ? 'memory' : 'watch', () => toChosenOptions(options)],
    ['token', () => checkToken(token)],
    ['host', () => checkHost(options.host, token)],
    [
      command.getOptionValueSource('inspectorPort') === 'default' ? 'port' : 'inspectorPort',
      () => checkPorts(options.port, options.inspectorPort),
    ],
    ['publicUrl', () => toPublicUrl(options.publicUrl ?? null, toFlag('publicUrl'))],
    ['publicInspectorUrl', () => toPublicUrl(options.publicInspectorUrl ?? null, toFlag('publicInspectorUrl'))],
    ['allowHost', () => checkAllowedHosts(options.allowHost ?? [])],
  ];
}

/** The problems that the checks find, each with its place in the config file, or in the file that the option names. */
export async function findProblems(source: Source, checks: readonly OptionCheck[]): Promise<readonly PlacedProblem[]> {
  const problems: PlacedProblem[] = [];
  for (const [option, check] of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const place = { file: source.name, line: await source.lineOf([option]), field: option };
      problems.push(
        ...(error instanceof DeclarationError ? error.problems : [{ ...place, says: `"${option}": ${error.message}` }]),
      );
    }
  }
  return problems;
}

/**
 * Sets the options that neither the command line nor the environment of a start sets.
 * @throws ConfigError for a value in the config file that a start refuses, with its place
 */
export async function applyStartConfig(command: Command): Promise<void> {
  const source = await explained(() => findConfig(command.getOptionValue('config') as string | undefined));
  await applyConfig(command, source);
  if (source === null) return;
  const checks = optionChecks(command).filter(([option]) => command.getOptionValueSource(option) === 'config');
  const problems = await findProblems(source, checks);
  if (problems.length > 0) await explained(() => Promise.reject(new DeclarationError(problems)));
}
