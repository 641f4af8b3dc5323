import { resolve } from 'node:path';
import { options as startOptions, toVariable } from '../config/options.ts';
import { inThousands } from '../contract/digits.ts';
import type { Caller } from '../control/client/caller-words.ts';
import { createControlClient, type ControlClient } from '../control/client/control-client.ts';
import { UserError } from '../errors.ts';
import { instancePath, readInstance, type Instance } from '../store/instance-file.ts';
import { defaultDataDir } from '../options.ts';
import { toPrintable, toPrintableLine } from '../contract/printable.ts';
import { screenOf, toScreen, wrap, type Terminal } from './terminal.ts';

/** How a command finds the emulator it talks to, and where it prints. */
export interface ConnectOptions {
  readonly url?: string;
  readonly token?: string;
  readonly data?: string;
  readonly json?: boolean;
  readonly terminal: Terminal;
}

/** The address of the inspector of a start with these environment variables. */
export function inspectorOfVariables(): string {
  return `http://127.0.0.1:${process.env[toVariable('inspectorPort')] || startOptions.inspectorPort.default}`;
}

/**
 * Connects to the emulator that the options name (connection.ts): by the address and token of its inspector, else by
 * the data folder that it serves. With only a token, and no emulator on that folder, it connects to the address of a
 * start with these variables: that start may keep nothing on disk, or keep it elsewhere.
 * @param options `signal` ends calls that still wait for their answer
 * @throws UserError if there is no emulator, with what to do
 */
export function connect(
  { url, token, data, signal }: Pick<ConnectOptions, 'url' | 'token' | 'data'> & { readonly signal?: AbortSignal },
  caller?: Caller,
): ControlClient {
  if (url !== undefined && token !== undefined) return createControlClient({ url, token, caller, signal });
  const dataDir = resolve(data ?? defaultDataDir());
  const instance = instanceOf(dataDir);
  if (!instance && token !== undefined)
    return createControlClient({
      url: inspectorOfVariables(),
      token,
      caller,
      because: `It was asked because SANDPIPER_TOKEN is set and no Sandpiper serves the data folder ${toPrintableLine(dataDir)}.`,
      signal,
    });
  if (!instance)
    throw new UserError(
      `No Sandpiper serves the data folder ${toPrintableLine(dataDir)}. Start one with "sandpiper serve", or name one that runs: with --data and its folder or, if it keeps nothing on disk, with --url and the link that it printed.`,
    );
  return createControlClient({
    url: instance.localInspectorUrl,
    page: instance.inspectorUrl,
    token: instance.token,
    caller,
    signal,
  });
}

/**
 * The emulator that a data folder names; null if there never was one.
 * @throws UserError if this user may not read the folder
 */
export function instanceOf(dataDir: string): Instance | null {
  try {
    return readInstance(dataDir);
  } catch (error) {
    throw new UserError(
      `${toPrintableLine(instancePath(dataDir))}, which says where the Sandpiper of that folder is, cannot be read (${(error as NodeJS.ErrnoException).code}). If it is another user's, name another folder with --data, or that Sandpiper with --url and the link that it printed.`,
    );
  }
}

/** The options that say how a result is printed. */
type PrintOptions = Pick<ConnectOptions, 'json' | 'terminal'>;

/** Prints a result: as one line of JSON if requested, else as wrapped text with control characters escaped. */
export function print(options: PrintOptions, value: unknown, text: string): void {
  printPainted(options, value, toPrintable(text));
}

/** Like `print`, for lines that `paint` made, which are already safe and may contain colours. */
export function printPainted({ json, terminal }: PrintOptions, value: unknown, text: string): void {
  terminal.stdout.write(`${json ? JSON.stringify(value) : wrap(text, screenOf(terminal))}\n`);
}

/** Says that a list was cut. This goes to standard error, so that a script that counts lines counts only records. */
export function sayCut({ terminal }: Pick<PrintOptions, 'terminal'>, shown: number, total: number): void {
  if (shown >= total) return;
  const text = `These are the newest ${inThousands(shown)} of ${inThousands(total)}; --limit lists more.`;
  terminal.stderr.write(`${wrap(text, toScreen(terminal.stderr, process.env))}\n`);
}

/** Like `print`, for text that a user copies, such as bytes that were sent: no line of it is wrapped. */
export function printExactly({ json, terminal }: PrintOptions, value: unknown, text: string): void {
  terminal.stdout.write(`${json ? JSON.stringify(value) : toPrintable(text)}\n`);
}
