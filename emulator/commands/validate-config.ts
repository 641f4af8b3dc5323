import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { findConfig, readConfig } from '../config/load.ts';
import { DeclarationError, toLine, type PlacedProblem } from '../config/problems.ts';
import type { Source } from '../config/source.ts';
import { UserError } from '../errors.ts';
import { defaultOptions } from '../options.ts';
import { startEmulator } from '../start-emulator.ts';
import { applyConfig, explained } from './apply-config.ts';
import { findProblems, optionChecks } from './check-options.ts';
import { toWorldOptions, type ServeOptions } from './chosen-options.ts';
import type { ConfigOptions } from './print-config.ts';
import { print } from './connect.ts';
import { toPlatformHosts, type ExecOptions } from './exec.ts';
import { lookAtFolder, lookAtPort, type Look } from './start-checks.ts';
import { exitCodes, UsageError } from './usage.ts';

/**
 * `sandpiper config validate`: reports each mistake in the config file, and in the world or seed that it names, with
 * its line and field. Ends with 2 if there is one.
 * @throws ConfigError if the file cannot be read
 */
export async function validateConfig(command: Command, workerUrl: URL): Promise<void> {
  const options = command.opts<ConfigOptions & ServeOptions>();
  const source = await explained(() => findConfig(options.config));
  if (source === null)
    throw new UsageError('There is no config file in this folder or one above. Name one with --config.');
  const problems = await problemsOf(source, command, workerUrl);
  if (problems.length > 0) options.terminal.exitCode = exitCodes.wrongUsage;
  const { world, seed } = command.opts<ServeOptions>();
  const named = [world, seed].flatMap((path) =>
    path === undefined ? [] : [` Neither has ${relative(process.cwd(), path)}.`],
  );
  const text =
    problems.length === 0 ? `${source.name} has no mistakes.${named.join('')}` : problems.map(toLine).join('\n');
  print(options, { file: source.name, problems }, text);
}

/**
 * The problems for which a start with the config would be refused, each with its place in the config or in the world
 * that it names.
 */
async function problemsOf(source: Source, command: Command, workerUrl: URL): Promise<readonly PlacedProblem[]> {
  try {
    await readConfig(source);
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    const { world } = Object(source.value) as { readonly world?: unknown };
    if (typeof world !== 'string') return error.problems;
    const options = { ...command.opts<ServeOptions>(), world: resolve(source.folder, world) };
    return [...error.problems, ...(await findProblems(source, [['world', () => startOnce(options, workerUrl)]]))];
  }
  await applyConfig(command, source);
  const options = command.opts<ServeOptions & ExecOptions>();
  return findProblems(source, [
    ...optionChecks(command),
    ['data', () => options.data === undefined || mustBeOk(lookAtFolder(resolve(options.data)))],
    ['host', async () => mustBeOk(await lookAtPort(options.host, 0, '--port'))],
    ['productionHost', () => toPlatformHosts(options.productionHost ?? [])],
    [options.world === undefined ? 'seed' : 'world', () => startOnce(options, workerUrl)],
  ]);
}

/** @throws UserError */
function mustBeOk({ ok, says }: Look): void {
  if (!ok) throw new UserError(says);
}

/** Loads the world or the seed as a start does: in memory, and on any free ports. */
async function startOnce(options: ServeOptions, workerUrl: URL): Promise<void> {
  const emulator = await startEmulator({
    ...defaultOptions,
    ...toWorldOptions(options),
    port: 0,
    inspectorPort: 0,
    dataDir: null,
    workerUrl,
    onNotice: () => {},
  });
  await emulator.close();
}
