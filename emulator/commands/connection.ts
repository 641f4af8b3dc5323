/**
 * Finds the emulator that a command talks to. Its command line comes before the variables, and these before the config
 * file.
 */
import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { toVariable } from '../config/options.ts';
import { isWebUrl } from '../contract/url.ts';
import { explained, toSwitch } from './apply-config.ts';
import { inspectorOfVariables, type ConnectOptions } from './connect.ts';
import { UsageError } from './usage.ts';

/** The options that can name an emulator: its inspector with the token, or the data folder that it serves. */
const names = ['url', 'token', 'data'] as const;
type Names = Partial<Pick<ConnectOptions, (typeof names)[number]>>;

/** The variables for these options. */
export const connectionVariables = {
  url: 'SANDPIPER_INSPECTOR_URL',
  token: 'SANDPIPER_TOKEN',
  data: toVariable('data'),
} as const satisfies { readonly [Name in keyof Names]-?: string };

/**
 * Sets the options that can name the emulator of a command to the ones that count, and unsets the others.
 * @throws UsageError if the command line names two emulators, ConfigError for a config with a mistake
 */
export async function settleConnection(command: Command): Promise<void> {
  const of = (source: string): Names =>
    toNames((name) =>
      command.getOptionValueSource(name) === source ? (command.getOptionValue(name) as string) : undefined,
    );
  const settled = await toConnection(of('cli'), of('env'));
  for (const name of names) command.setOptionValue(name, settled[name]);
}

/** The names that are set; an empty one counts as not set. */
export function toNames(valueOf: (name: (typeof names)[number]) => string | undefined): Names {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]).filter(([, value]) => value));
}

/**
 * @param line the names on the command line
 * @throws UsageError, ConfigError
 */
export async function toConnection(line: Names, variables: Names): Promise<Names> {
  if (line.url !== undefined && line.data !== undefined)
    throw new UsageError('--url and --data each name an emulator. Leave one of the two out.');
  if (line.data === undefined) {
    const url = line.url ?? variables.url;
    if (url !== undefined) {
      const isTyped = line.url !== undefined;
      const named = toAddress(url, isTyped ? '--url' : connectionVariables.url);
      const token = line.token ?? named.token ?? variables.token;
      if (token !== undefined) return { url: named.url, token };
      throw new UsageError(
        `${isTyped ? '--url needs --token' : `${connectionVariables.url} needs ${connectionVariables.token}`}, too: the token that "sandpiper serve" printed.`,
      );
    }
  }
  if (line.token !== undefined)
    throw new UsageError(
      '--token belongs to --url: for a data folder it is found there. Add --url, or leave --token out.',
    );
  const ofStart = line.data === undefined ? inMemoryOf(variables) : undefined;
  if (ofStart !== undefined) return ofStart;
  const data = line.data ?? variables.data ?? (await dataOfConfig());
  return {
    ...(data === undefined ? {} : { data }),
    ...(line.data === undefined && variables.token !== undefined ? { token: variables.token } : {}),
  };
}

/**
 * The emulator that a start with these variables keeps in memory. No data folder names it, so they must set its token.
 */
function inMemoryOf({ token }: Names): Names | undefined {
  const memory = toVariable('memory');
  if (token === undefined || !process.env[memory] || !toSwitch(memory)) return undefined;
  return { url: inspectorOfVariables(), token };
}

/** The data folder in the config file that a start in this folder would use. */
async function dataOfConfig(): Promise<string | undefined> {
  return (await explained(() => loadConfig(process.env['SANDPIPER_CONFIG'] || undefined)))?.config.data;
}

/**
 * The address of an inspector, and the token if it is the link that "sandpiper serve" prints (`…/#token=…`).
 * @throws UsageError if the text is not the address of a server
 */
function toAddress(text: string, from: string): { readonly url: string; readonly token: string | undefined } {
  if (!isWebUrl(text))
    throw new UsageError(`${from} takes the address of an inspector, such as http://127.0.0.1:4748, not "${text}".`);
  const { origin, pathname, hash } = new URL(text);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  return { url: origin + pathname.replace(/\/+$/, ''), token };
}
