import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkAllowedHosts } from '../net/listen.ts';
import { explained } from './apply-config.ts';
import { toChosenOptions, type ChosenOptions, type ServeOptions } from './chosen-options.ts';
import { serve, type Serving } from './serve.ts';
import { UsageError } from './usage.ts';
import { findRuntime, surroundings } from './window-runtime.ts';

/** The package's folder, the same from source and from the build; its `main` is the window. */
const appFolder = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `sandpiper open`: starts the emulator with its window. If a window is not possible, one line says why, and the same
 * emulator serves the same inspector at its address. With --json a program reads the output, so there is no window
 * either.
 * @throws UserError or StoreError with one line that says what to do
 */
export async function open(options: ServeOptions, serving: Serving): Promise<void> {
  if (options.json) return serve(options, serving);
  const chosen = toChosenOptions(options);
  if (options.watch) throw new UsageError('Only "sandpiper serve" watches a world file. Leave --watch out.');
  await explained(async () => checkAllowedHosts(chosen.allowHosts));
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const runtime = await findRuntime(surroundings(), say);
  const lacks = 'lacks' in runtime ? runtime.lacks : await openWindow(runtime.binary, chosen);
  if (lacks === null) return;
  say(`No window: ${lacks} Open the inspector's address in a browser.`);
  await serve(options, serving);
}

/**
 * Runs Electron until its end.
 * @returns why there was no window; null if there was one
 */
function openWindow(binary: string, chosen: ChosenOptions): Promise<string | null> {
  // Editors set this variable in their terminals. With it, Electron runs as plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const shell = spawn(binary, [appFolder], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...env, SANDPIPER_OPTIONS: JSON.stringify(chosen) },
  });
  // Ctrl+C reaches the window too, which then closes normally; this process waits for it.
  const wait = (): void => {};
  const passOn = (): void => void shell.kill('SIGTERM');
  process.on('SIGINT', wait).on('SIGTERM', passOn).on('SIGHUP', passOn);
  let isReady = false;
  shell.on('message', (message) => (isReady ||= message === 'ready'));
  return new Promise<string | null>((resolve) => {
    shell.once('error', (error) => resolve(`${binary} cannot be run (${error.message}).`));
    shell.once('exit', (code, signal) => {
      if (!isReady && code !== 0)
        return resolve(`Electron ended at once (${signal ?? `code ${code}`}); its own lines above say why.`);
      if (!isReady) process.stdout.write('Sandpiper is open already, and its window is in front now.\n');
      process.exitCode = code ?? 1;
      resolve(null);
    });
  }).finally(() => process.off('SIGINT', wait).off('SIGTERM', passOn).off('SIGHUP', passOn));
}
