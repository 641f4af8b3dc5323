import { Console } from 'node:console';
import { getSystemErrorMap } from 'node:util';
import { execute } from './commands/execute.ts';
import { exitCodes } from './commands/usage.ts';

// The build puts the worker next to this file; the sources have it with its feature. A module that the build moves cannot find it.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.cjs', import.meta.url);

// Of what is printed, only the result of the command goes to standard output: a config or a world may print, too.
globalThis.console = new Console(process.stderr);

let isServing = false;

// A reader that has seen enough, such as head, closes the pipe: a server then ends as it does at a signal, so that all is saved. One
// that fills a disk with its lines goes on without them.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isServing) {
    if (isGone(error)) process.emit('SIGTERM', 'SIGTERM');
    return;
  }
  if (isGone(error)) process.exit();
  process.exitCode = exitCodes.notDone;
  process.stderr.write(`sandpiper: ${sayUnwritten(error)}\n`, () => process.exit());
});

// The command then goes on silently.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (!isGone(error)) throw error;
});

/** In the words of the system. */
function sayUnwritten({ errno, message }: NodeJS.ErrnoException): string {
  const [, text = message] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return `The output cannot be written: ${text}.`;
}

/** Whether no one reads the output: a pipe that was closed, of which Windows says EOF, or a terminal. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EOF' || code === 'EIO';
}

let onReady = (): void => {};
/** Resolves when all that a start needs is loaded: for a server when it is ready, else when the command has done its work. */
export const ready = new Promise<void>((resolve) => (onReady = resolve));

/** Resolves when the command has done its work, and all that it printed is written. */
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
      // An error of the last write is still to be told.
      else setImmediate(resolve);
    });
}
