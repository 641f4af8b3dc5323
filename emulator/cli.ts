import { execute } from './commands/execute.ts';

// The build puts the worker next to this file; the sources have it with its feature. A module that the build moves cannot find it.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.cjs', import.meta.url);

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// The command then goes on silently.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** Ends when the command has done its work; for a server, when it is ready. */
export const done = execute(process.argv.slice(2), process, workerUrl);
