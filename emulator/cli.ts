import { Console } from 'node:console';
import { getSystemErrorMap } from 'node:util';
import { execute } from './commands/execute.ts';
import { exitCodes } from './commands/usage.ts';

// In a build the worker is next to this file; in the sources it is in the folder of its feature. Only an entry can find
// it, because the build moves other modules.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.cjs', import.meta.url);

// Keep standard output for the result of the command: a config or a world may print, too.
globalThis.console = new Console(process.stderr);

let isServing = false;

// A reader such as `head` closes the pipe when it has seen enough. A server then ends as it does at a signal, which
// saves everything. A server whose output fills the disk continues without output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isServing) {
    if (isGone(error)) process.emit('SIGTERM', 'SIGTERM');
    return;
  }
  if (isGone(error)) process.exit();
  process.exitCode = exitCodes.notDone;
  process.stderr.write(`sandpiper: ${sayUnwritten(error)}\n`, () => process.exit());
});

// If standard error has no reader, the command continues silently.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (!isGone(error)) throw error;
});

/** The message for an output error, with the system's own text for the cause. */
function sayUnwritten({ errno, message }: NodeJS.ErrnoException): string {
  const [, text = message] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return `The output cannot be written: ${text}.`;
}

/** Whether the reader of the output is gone: a closed pipe (EPIPE, or EOF on Windows), or a closed terminal (EIO). */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EOF' || code === 'EIO';
}

let onReady = (): void => {};
/**
 * Resolves when everything that a start needs is loaded: when a server is ready, or when another command has done its
 * work.
 */
export const ready = new Promise<void>((resolve) => (onReady = resolve));

/** Resolves when the command has done its work and its whole output is written. */
export const done = runToEnd();

async function runToEnd(): Promise<void> {
  await execute(process.argv.slice(2), process, workerUrl, () => {
    isServing = true;
    onReady();
  });
  onReady();
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => {
      if (stream.writableLength > 0) stream.write('', () => resolve());
      // Wait one turn: the error of the last write may not have been emitted yet.
      else setImmediate(resolve);
    });
}
