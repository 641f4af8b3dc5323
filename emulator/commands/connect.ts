import { resolve } from 'node:path';
import { isWebUrl } from '../contract/url.ts';
import { createControlClient, type ControlClient } from '../control/client.ts';
import { UserError } from '../errors.ts';
import { readInstance } from '../store/instance-file.ts';
import { defaultDataDir } from '../options.ts';
import { toPrintable } from '../control/printable.ts';
import { screenOf, toScreen, wrap, type Terminal } from './terminal.ts';
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
  if (url !== undefined) {
    const named = toAddress(url);
    const used = token ?? named.token;
    if (used !== null) return createControlClient({ url: named.url, token: used });
    throw new UsageError('--url needs --token, too: the token that "sandpiper serve" printed.');
  }
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

/**
 * The address of an inspector, and the token if it is the link that "sandpiper serve" prints (`…/#token=…`).
 * @throws UsageError if the text is no address of a server
 */
function toAddress(text: string): { readonly url: string; readonly token: string | null } {
  if (!isWebUrl(text))
    throw new UsageError(`--url takes the address of an inspector, such as http://127.0.0.1:4748; "${text}" is none.`);
  const { origin, pathname, hash } = new URL(text);
  return { url: origin + pathname.replace(/\/+$/, ''), token: new URLSearchParams(hash.slice(1)).get('token') };
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

/** Says that a list is not whole. Not among the records: a script that counts lines counts none too many. */
export function sayCut({ terminal }: Pick<PrintOptions, 'terminal'>, shown: number, total: number): void {
  if (shown >= total) return;
  const text = `These are the newest ${shown.toLocaleString('en')} of ${total.toLocaleString('en')}; --limit lists more.`;
  terminal.stderr.write(`${wrap(text, toScreen(terminal.stderr, process.env))}\n`);
}

/** The same with text that a user copies, such as bytes that were sent: no line of it is wrapped. */
export function printExactly({ json, terminal }: PrintOptions, value: unknown, text: string): void {
  terminal.stdout.write(`${json ? JSON.stringify(value) : toPrintable(text)}\n`);
}
