import { resolve } from 'node:path';
import { createControlClient, type ControlClient } from '../control/client.ts';
import { UserError } from '../errors.ts';
import { readInstance } from '../store/instance-file.ts';
import { defaultDataDir } from '../options.ts';
import { toPrintable } from '../control/printable.ts';
import { screenOf, wrap, type Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

/** How a command finds the emulator it talks to, and where it prints. */
export interface ConnectOptions {
  readonly url?: string;
  readonly token?: string;
  readonly data?: string;
  readonly json?: boolean;
  readonly terminal: Terminal;
}

/**
 * Connects to a running emulator: the one that --url and --token (or SANDPIPER_INSPECTOR_URL and SANDPIPER_TOKEN) name,
 * else the one that serves the data folder.
 * @throws UserError if there is none, with what to do
 */
export function connect({ url, token, data }: Pick<ConnectOptions, 'url' | 'token' | 'data'>): ControlClient {
  if (url !== undefined && token !== undefined) return createControlClient({ url: url.replace(/\/+$/, ''), token });
  if (url !== undefined) throw new UsageError('--url needs --token, too: the token that "sandpiper serve" printed.');
  const dataDir = resolve(data ?? defaultDataDir());
  const instance = readInstance(dataDir);
  if (!instance)
    throw new UserError(
      `No Sandpiper serves the data folder ${dataDir}. Start one with "sandpiper serve", or name a running one with --url and --token.`,
    );
  return createControlClient({
    url: instance.localInspectorUrl,
    page: instance.inspectorUrl,
    token: instance.token,
  });
}

/** What of the options says how a result is printed. */
type PrintOptions = Pick<ConnectOptions, 'json' | 'terminal'>;

/** Prints a result: as one line of JSON if requested, else as text, in the words of the command line and with control characters escaped. */
export function print(options: PrintOptions, value: unknown, text: string): void {
  printPainted(options, value, toPrintable(text));
}

/** The same with lines that `paint` made, which are already safe and may contain colours. */
export function printPainted({ json, terminal }: PrintOptions, value: unknown, text: string): void {
  terminal.stdout.write(`${json ? JSON.stringify(value) : wrap(text, screenOf(terminal))}\n`);
}

/** The same with text that a user copies, such as bytes that were sent: no line of it is wrapped. */
export function printExactly({ json, terminal }: PrintOptions, value: unknown, text: string): void {
  terminal.stdout.write(`${json ? JSON.stringify(value) : toPrintable(text)}\n`);
}
