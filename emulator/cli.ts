import { execute } from './commands/execute.ts';

// The build puts the worker next to this file; the sources have it with its feature. A module that the build moves cannot find it.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.cjs', import.meta.url);

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isGone(error)) throw error;
  process.exit();
});

// The command then goes on silently.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (!isGone(error)) throw error;
});

/** Whether nothing reads any more: a pipe that was closed, or a terminal. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO';
}

let onReady = (): void => {};
/** Resolves when all that a start needs is loaded: for a server when it is ready, else when the command has done its work. */
export const ready = new Promise<void>((resolve) => (onReady = resolve));

/** Resolves when the command has done its work, and all that it printed is written. */
export const done = runToEnd();

async function runToEnd(): Promise<void> {
  await execute(process.argv.slice(2), process, workerUrl, onReady);
  onReady();
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
}
