import { statSync, watch, type FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { clientKeysOf } from '../declared-world/demo.ts';
import { toSummary } from '../control/views.ts';
import { UserError, reasonOf } from '../errors.ts';
import type { Emulator } from '../start-emulator.ts';
import { toChosenOptions, type ServeOptions } from './chosen-options.ts';
import { toPrintable, toPrintableLine } from '../contract/printable.ts';
import { createDeliveryTeller, toRequestLine } from './lines.ts';
import { startChosen } from './start.ts';
import { createClock } from '../time/clock.ts';
import { endings, paint, screenOf } from './terminal.ts';

/** The parts of the process that a serving command needs. */
export interface Serving {
  readonly workerUrl: URL;
  /** Called once, when the servers accept connections. */
  readonly onReady: () => void;
}

/**
 * `sandpiper serve`: starts an emulator, says where it is, and ends cleanly at a signal that ends a program.
 * @throws UserError or StoreError with one line that says what to do
 */
export async function serve(options: ServeOptions, { workerUrl, onReady }: Serving): Promise<void> {
  const emulator = await startChosen(toChosenOptions(options), workerUrl);
  const watcher = options.watch && options.world !== undefined && watchWorld(resolve(options.world), emulator);
  // Register the handlers before printing the first line: a program that reads it may send a signal immediately. Keep
  // them until the end: npx passes on the signal that a terminal has already sent, and a second one must not end the
  // process while it saves.
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  for (const signal of endings) process.on(signal, stop);

  const { token, dataDir, deps } = emulator;
  const { api: apiUrl, auth: authUrl, inspector: inspectorUrl } = deps.urls;
  if (options.json) process.stdout.write(`${JSON.stringify({ apiUrl, authUrl, inspectorUrl, token, dataDir })}\n`);
  else greet(emulator);

  onReady();
  await stopped;
  if (watcher) watcher.close();
  const stopWaiting = createClock().afterWall(patienceMs, () => {
    for (const signal of endings) process.off(signal, stop);
    process.stderr.write(`sandpiper: ${sayLate(dataDir)}\n`);
  });
  try {
    await emulator.close();
  } catch (error) {
    throw new UserError(`It could not end cleanly: ${reasonOf(error)}`);
  } finally {
    stopWaiting();
  }
  if (!options.json) process.stdout.write(`\n${sayKept(dataDir)}\n`);
}

/**
 * How long it may take to end, in milliseconds. Then a further signal ends it at once, for example if a disk does not
 * answer.
 */
const patienceMs = 10_000;

/** Resets to a world file whenever the file changes. If it has a mistake, everything stays as it is. */
function watchWorld(path: string, { reset }: Emulator): FSWatcher {
  let seen = statSync(path).mtimeMs;
  // Editors replace the file with a new one, so the folder is watched. On disks that ignore case, the reported name may
  // have other capitals than the path.
  const watcher = watch(dirname(path), () => {
    const file = statSync(path, { throwIfNoEntry: false });
    // An empty file is still being written.
    if (!file || file.size === 0 || file.mtimeMs === seen) return;
    seen = file.mtimeMs;
    reset('start').then(
      () => process.stderr.write(`The world was loaded again: ${toPrintableLine(path)}\n`),
      (error: unknown) => process.stderr.write(`sandpiper: ${toPrintable(reasonOf(error))}\n`),
    );
  });
  // On Windows, deleting the folder is reported as an error.
  return watcher.on('error', (error) => {
    const said = `sandpiper: ${path} is no longer watched (${error.message}). "sandpiper reset" loads it.`;
    process.stderr.write(`${toPrintable(said)}\n`);
  });
}

function greet(emulator: Emulator): void {
  const { token, dataDir, deps } = emulator;
  const { api: apiUrl, inspector: inspectorUrl } = deps.urls;
  const screen = screenOf(process);
  const { key } = clientKeysOf(deps.store);
  const shownKey = toPrintable(key ?? 'none: no private app has one');
  process.stdout.write(`${paint([[`Open → ${inspectorUrl}/#token=${encodeURIComponent(token)}`, 'bold']], screen)}

  API base URL   ${apiUrl}
  API key        ${shownKey}
  Data           ${dataDir === null ? 'in memory, lost when it ends' : toPrintableLine(dataDir)}

${key === null ? '' : `  curl ${apiUrl}/me -H "Authorization: Bearer ${shownKey}"\n\n`}Each request and each delivery gets a line. Press Ctrl+C to stop.

`);
  const tell = createDeliveryTeller(screen);
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  deps.feed.subscribe((event) => {
    if (event.type === 'request') write(toRequestLine(toSummary(event.exchange), inspectorUrl, screen));
    if (event.type !== 'changes') return;
    for (const { collection, id } of event.changes)
      if (collection === 'deliveries') tell(id, deps.store.deliveries.get(id) ?? null).forEach(write);
  });
}

function sayLate(dataDir: string | null): string {
  const kept = dataDir === null ? '' : ' Every change is in the journal already, so none is lost.';
  return `It is still ending after ${patienceMs / 1000} s. Another Ctrl+C or signal ends it at once.${kept}`;
}

function sayKept(dataDir: string | null): string {
  return dataDir === null
    ? 'Ended. Nothing was kept: it ran in memory.'
    : `Ended. Everything is saved in ${toPrintableLine(dataDir)}; the next start continues from there.`;
}
