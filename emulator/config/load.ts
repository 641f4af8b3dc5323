/** Finds, reads and checks the config file. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { configSchema, options, type Config, type OptionName, type OptionValues, type StartOption } from './options.ts';
import { findMisfits, refuseProblems } from './problems.ts';
import type { Source } from './source.ts';

const endings = ['.ts', '.mts', '.js', '.mjs', '.json', '.yaml', '.yml'];
/** The names of config files. */
export const configNames: readonly string[] = endings.map((ending) => `sandpiper.config${ending}`);

export interface LoadedConfig {
  /** The name that a person in the working folder would use. */
  readonly name: string;
  /** The options, with absolute paths. */
  readonly config: OptionValues;
}

/**
 * Reads and checks the config file, see `findConfig`.
 * @returns null if there is none
 * @throws UserError that names file, line and field
 */
export async function loadConfig(named: string | undefined): Promise<LoadedConfig | null> {
  const source = await findConfig(named);
  return source && readConfig(source);
}

/**
 * Checks a config file that was read, and makes its paths absolute.
 * @throws DeclarationError with every mistake
 */
export async function readConfig(source: Source): Promise<LoadedConfig> {
  await refuseProblems(source, await findMisfits(source.value, configSchema));
  const { $schema: _, ...config } = source.value as Config & { readonly $schema?: string };
  const absolute = Object.entries(config).flatMap(([name, value]) => {
    const { isPath = false }: StartOption = options[name as OptionName];
    // Code often takes a value from a variable that may not be set; undefined would replace the default.
    return value === undefined ? [] : [[name, isPath ? resolve(source.folder, String(value)) : value]];
  });
  return { name: source.name, config: Object.fromEntries(absolute) as OptionValues };
}

/**
 * Reads the named config file, else the one in the working folder or in the nearest folder above it.
 * @returns null if there is none
 * @throws UserError for a file that cannot be read
 */
export async function findConfig(named: string | undefined): Promise<Source | null> {
  const path = named ?? nearestConfig(process.cwd());
  return path === null ? null : readDeclared(path);
}

/** Reads a config or a world. Code may import `sandpiper/config` even if the package is not installed next to it. */
export async function readDeclared(path: string): Promise<Source> {
  const [{ readSource }, entry] = await Promise.all([import('./source.ts'), import('./define.ts')]);
  return readSource(path, { 'sandpiper/config': { ...entry } });
}

function nearestConfig(from: string): string | null {
  const found = configNames.map((name) => join(from, name)).filter((path) => existsSync(path));
  if (found.length > 1)
    throw new UserError(
      `There are several config files: ${found.join(', ')}. Keep one of them, or name it with --config.`,
    );
  if (found[0] !== undefined) return found[0];
  const above = dirname(from);
  return above === from ? null : nearestConfig(above);
}
