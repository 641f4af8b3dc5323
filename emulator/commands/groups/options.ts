import { InvalidArgumentError, Option, type Command } from 'commander';
import { optionList, positive, toFlag, toVariable, type OptionName, type StartOption } from '../../config/options.ts';
import { applyConfig } from '../apply-config.ts';
import { connectionVariables, settleConnection } from '../connection.ts';

/** Lets a variable set an option. A variable that is empty counts as not set. */
function withVariable(option: Option, name: string): Option {
  return process.env[name] === '' ? option : option.env(name);
}

/**
 * Adds a command that starts an emulator. The config file sets the options that neither its line nor the environment
 * sets.
 */
export function starting(program: Command, name: string, description: string): Command {
  return withStartOptions(program.command(name).description(description), 'server')
    .addOption(
      withVariable(
        new Option('--json', 'print one line of JSON when both servers accept connections, and nothing else'),
        toVariable('json'),
      ),
    )
    .hook('preAction', async (_program, command) => (await import('../check-options.ts')).applyStartConfig(command));
}

/** Sets, from the config file, the options that neither the line of a command nor the environment sets. */
export async function applyOwnConfig(_program: Command, command: Command): Promise<void> {
  await applyConfig(command);
}

/**
 * Adds the options of a start, and the one that names the config file.
 * @param only the kind of command whose options are added, or the names of the options
 */
export function withStartOptions(command: Command, only?: StartOption['only'] | readonly OptionName[]): Command {
  const isTaken = (name: OptionName, option: StartOption): boolean =>
    only === undefined ||
    (typeof only === 'string' ? option.only === undefined || option.only === only : only.includes(name));
  for (const [name, option] of optionList)
    if (isTaken(name, option))
      command.addOption(
        toOption(name, option, only === 'exec' ? (option.execDefault ?? option.default) : option.default),
      );
  return command.addOption(
    withVariable(
      new Option(
        '--config <file>',
        'the config file; without it sandpiper.config.ts, .js, .json or .yaml in this folder or one above',
      ).argParser(toFilled),
      'SANDPIPER_CONFIG',
    ),
  );
}

function toOption(name: string, { says, schema, takes }: StartOption, value: StartOption['default']): Option {
  const option = withVariable(
    new Option(takes === undefined ? toFlag(name) : `${toFlag(name)} <${takes}>`, says),
    toVariable(name),
  );
  if (value !== undefined) option.default(value);
  if (schema.enum) return option.choices(schema.enum);
  if (schema.type === 'array') return option.argParser(repeatedNames);
  if (schema.type === 'integer') return option.argParser((text) => toInteger(text, schema));
  if (schema.type === 'string') return option.argParser(toFilled);
  return option;
}

/**
 * Reads the name of a place or a person. `"$UNSET"` in a script names none, and must not lead to another place, such as
 * the folder in which the command runs.
 * @throws InvalidArgumentError if the text is empty
 */
export function toFilled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give it a value, or leave it out.');
  return text;
}

/** Reads an option that may be repeated. */
export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/**
 * Reads an option that may be repeated, or have several names with commas between them.
 * @throws InvalidArgumentError if there is no name
 */
export function repeatedNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.length === 0) throw new InvalidArgumentError('It takes at least one name.');
  return [...before, ...names];
}

/**
 * Adds a command that calls a running emulator and prints the answer.
 * @param json the help of `--json`
 */
export function talking(
  program: Command,
  name: string,
  description: string,
  json = 'print the result as a line of JSON',
): Command {
  return connecting(program, name, description).option('--json', json);
}

/** Adds a command that talks to a running emulator. */
export function connecting(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .addOption(
      withVariable(
        new Option(
          '--data <folder>',
          'the data folder of the emulator; without it that of the config file, else the one of your user',
        ).argParser(toFilled),
        connectionVariables.data,
      ),
    )
    .addOption(
      withVariable(
        new Option(
          '--url <address>',
          'the address of its inspector, or the link that serve printed; needed for an emulator in memory',
        ).argParser(toFilled),
        connectionVariables.url,
      ),
    )
    .addOption(
      withVariable(
        new Option('--token <token>', 'the token of its control API, if --url is an address').argParser(toFilled),
        connectionVariables.token,
      ),
    )
    .hook('preAction', (_program, command) => settleConnection(command));
}

/**
 * Adds the option that says how many records a command lists.
 * @param most the default
 */
export function listing(command: Command, most: number): Command {
  return command.option('--limit <number>', 'how many, the newest ones', toListed, most);
}

/** The longest list that the control API returns at once. */
const longestList = 99_999;

function toListed(text: string): number {
  return toInteger(text, { ...positive, maximum: longestList });
}

/** @throws InvalidArgumentError if the text is not a whole number from 1 */
export function toWhole(text: string): number {
  return toInteger(text, positive);
}

function toInteger(text: string, { minimum = 0, maximum = 999_999_999 }: StartOption['schema']): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < minimum || number > maximum)
    throw new InvalidArgumentError(`It takes a whole number from ${minimum} to ${maximum}.`);
  return number;
}
