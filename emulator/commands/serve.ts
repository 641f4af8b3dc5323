import { resolve } from 'node:path';
import { demoKey } from '../demo.ts';
import type { RateLimitMode } from '../http/rate-limit.ts';
import { toSummary } from '../control/views.ts';
import { defaultDataDir, defaultOptions, type EmulatorOptions } from '../options.ts';
import type { Pace } from '../time/pace.ts';
import { startEmulator, type Emulator } from '../start-emulator.ts';
import { UserError } from '../errors.ts';
import { toPrintable } from '../printable.ts';
import { toRequestLine } from './lines.ts';
import { uiDir } from './ui-dir.ts';

/** The options of `sandpiper serve`, as its help names them. */
export interface ServeOptions {
  readonly port: number;
  readonly inspectorPort: number;
  readonly host: string;
  readonly data?: string;
  readonly memory?: boolean;
  readonly seed?: string;
  readonly pace: Pace;
  readonly rateLimits: RateLimitMode;
  readonly recordRequests: number;
  readonly recordMegabytes: number;
  readonly recordDays: number;
  readonly allowHost?: readonly string[];
  readonly token?: string;
  readonly json?: boolean;
}

/** What of the options of an emulator the command line chooses: plain values, so that they can be handed on. */
export type ChosenOptions = Omit<EmulatorOptions, 'checkReplies' | 'workerUrl' | 'uiDir' | 'onNotice'>;

/** @throws UserError where two options contradict one another */
export function toChosenOptions(options: ServeOptions): ChosenOptions {
  if (options.memory && options.data !== undefined)
    throw new UserError('--memory keeps nothing on disk, so it takes no --data. Leave one of the two out.');
  return {
    port: options.port,
    inspectorPort: options.inspectorPort,
    host: options.host,
    dataDir: options.memory ? null : resolve(options.data ?? defaultDataDir()),
    seed: options.seed === undefined ? null : resolve(options.seed),
    pace: options.pace,
    rateLimits: options.rateLimits,
    record: {
      exchanges: options.recordRequests,
      bytes: options.recordMegabytes * 1024 * 1024,
      days: options.recordDays,
    },
    token: options.token ?? null,
    allowHosts: options.allowHost ?? [],
  };
}

/**
 * `sandpiper serve`: starts an emulator, says where it is, and ends cleanly at SIGINT or SIGTERM.
 * @throws UserError or StoreError with one line that says what to do
 */
export async function serve(options: ServeOptions, { workerUrl }: { workerUrl: URL }): Promise<void> {
  const emulator = await startEmulator({
    ...defaultOptions,
    ...toChosenOptions(options),
    workerUrl,
    uiDir: uiDir(),
    onNotice: (text) => process.stderr.write(`${toPrintable(text)}\n`),
  });
  const stop = (): void => {
    emulator.close().catch((error: unknown) => {
      process.stderr.write(
        `sandpiper: could not end cleanly: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      process.exitCode = 1;
    });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  const { apiUrl, authUrl, inspectorUrl, token, dataDir } = emulator;
  if (options.json) process.stdout.write(`${JSON.stringify({ apiUrl, authUrl, inspectorUrl, token, dataDir })}\n`);
  else greet(emulator);
}

function greet(emulator: Emulator): void {
  const { apiUrl, authUrl, inspectorUrl, token, dataDir } = emulator;
  process.stdout.write(`Sandpiper is running.

  API base URL   ${apiUrl}
  API key        ${demoKey}
  Install page   ${authUrl}/integrations/oauth-install
  Inspector      ${inspectorUrl}/#token=${encodeURIComponent(token)}
  Control token  ${token}
  Data           ${dataDir ?? 'in memory, gone when it ends'}

  curl ${apiUrl}/me -H "Authorization: Bearer ${demoKey}"

Every request gets a line below. Ctrl+C ends it.

`);
  emulator.deps.feed.subscribe((event) => {
    const exchange = event.type === 'request' ? emulator.recorder.get(event.id) : undefined;
    if (exchange) process.stdout.write(`${toRequestLine(toSummary(exchange), exchange.refusal?.message)}\n`);
  });
}
