import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { shownKey } from '../demo.ts';
import type { Config } from '../config/options.ts';
import { toSummary } from '../control/views.ts';
import { defaultDataDir, defaultOptions, type EmulatorOptions } from '../options.ts';
import { startEmulator, type Emulator } from '../start-emulator.ts';
import { UsageError } from './usage.ts';
import { toPrintable } from '../control/printable.ts';
import { createDeliveryTeller, toRequestLine } from './lines.ts';
import { ownScreen, paint } from './terminal.ts';
import { uiDir } from './ui-dir.ts';

/** The options of `sandpiper serve`, as its help names them. */
export type ServeOptions = Config &
  Required<Omit<Config, 'data' | 'memory' | 'seed' | 'world' | 'watch' | 'allowHost' | 'token'>> & {
    readonly json?: boolean;
  };

/** What of the options of an emulator the command line chooses: plain values, so that they can be handed on. */
export type ChosenOptions = Omit<EmulatorOptions, 'checkReplies' | 'workerUrl' | 'uiDir' | 'onNotice'>;

/** @throws UserError if two options contradict one another */
export function toChosenOptions(options: ServeOptions): ChosenOptions {
  if (options.memory && options.data !== undefined)
    throw new UsageError('--memory keeps nothing on disk, so it takes no --data. Leave one of the two out.');
  if (options.watch && options.world === undefined)
    throw new UsageError('--watch looks at a world file. Name one with --world, or leave --watch out.');
  return {
    port: options.port,
    inspectorPort: options.inspectorPort,
    host: options.host,
    dataDir: options.memory ? null : resolve(options.data ?? defaultDataDir()),
    seed: options.seed === undefined ? null : resolve(options.seed),
    world: options.world === undefined ? null : resolve(options.world),
    pace: options.pace,
    rateLimits: options.rateLimits,
    choices: {
      unknownFields: options.unknownFields,
      unknownUnsubscribe: options.unknownUnsubscribe,
      answers: options.answers,
    },
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
  const watcher = options.watch && options.world !== undefined && watchWorld(resolve(options.world), emulator);
  const stop = (): void => {
    if (watcher) watcher.close();
    const { dataDir } = emulator;
    emulator.close().then(
      () => options.json || process.stdout.write(`\n${sayKept(dataDir)}\n`),
      (error: unknown) => {
        process.stderr.write(
          `sandpiper: could not end cleanly: ${error instanceof Error ? error.message : String(error)}\n`,
        );
        process.exitCode = 1;
      },
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  const { apiUrl, authUrl, inspectorUrl, token, dataDir } = emulator;
  if (options.json) process.stdout.write(`${JSON.stringify({ apiUrl, authUrl, inspectorUrl, token, dataDir })}\n`);
  else greet(emulator);
}

/** Resets to a world file whenever it changes; with a mistake in it everything stays as it is. */
function watchWorld(path: string, { reset }: Emulator): FSWatcher {
  let seen = statSync(path).mtimeMs;
  // Editors put a new file in the place of the old one, so that the folder is what stays.
  return watch(dirname(path), (_event, name) => {
    if (name !== basename(path)) return;
    const file = statSync(path, { throwIfNoEntry: false });
    // An empty file is one that is being written.
    if (!file || file.size === 0 || file.mtimeMs === seen) return;
    seen = file.mtimeMs;
    reset('start').then(
      () => process.stderr.write(`The world was loaded again: ${toPrintable(path)}\n`),
      (error: unknown) => process.stderr.write(`sandpiper: ${toPrintable(String((error as Error).message))}\n`),
    );
  });
}

function greet(emulator: Emulator): void {
  const { apiUrl, inspectorUrl, token, dataDir, deps, recorder } = emulator;
  const screen = ownScreen();
  const key = toPrintable(shownKey(deps.store));
  process.stdout.write(`${paint([[`Open → ${inspectorUrl}/#token=${encodeURIComponent(token)}`, 'bold']], screen)}

  API base URL   ${apiUrl}
  API key        ${key}
  Data           ${dataDir === null ? 'in memory, lost when it ends' : toPrintable(dataDir)}

  curl ${apiUrl}/me -H "Authorization: Bearer ${key}"

Each request and each delivery gets a line. Press Ctrl+C to stop.

`);
  const tell = createDeliveryTeller(screen);
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  deps.feed.subscribe((event) => {
    if (event.type === 'request') {
      const exchange = recorder.get(event.id);
      if (exchange) write(toRequestLine(toSummary(exchange), inspectorUrl, screen));
    }
    if (event.type !== 'records') return;
    for (const { collection, id } of event.changes) {
      const delivery = collection === 'deliveries' ? deps.store.deliveries.get(id) : undefined;
      if (delivery) tell(delivery).forEach(write);
    }
  });
}

function sayKept(dataDir: string | null): string {
  return dataDir === null
    ? 'Ended. Nothing was kept: it ran in memory.'
    : `Ended. Everything is saved in ${toPrintable(dataDir)}; the next start continues from there.`;
}
