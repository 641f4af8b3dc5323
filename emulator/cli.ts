import { CommanderError } from 'commander';
import { createProgram, wordsOf } from './commands/program.ts';
import { toScreen, wrap } from './commands/terminal.ts';
import { exitCodes, seeHelp, toCommandWords, UsageError, wrongToken } from './commands/usage.ts';
import { UserError } from './errors.ts';
import { toPrintable } from './control/printable.ts';

// The build puts the worker next to this file; from source it is with its feature. A shared module cannot know, it is moved by the build.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.cjs', import.meta.url);

const program = createProgram(workerUrl);
let running = '';
program.hook('preAction', (_program, command) => {
  running = wordsOf(command);
});

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Then what is done goes on in silence.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** Ends when the command has done its work; for a server, when it is ready. */
export const done = execute();

async function execute(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = toExitCode(error);
    if (!(error instanceof CommanderError)) process.stderr.write(toLines(error as Error));
  }
}

/** Each line is whole: the message of a file with several mistakes has one for each. */
function toLines(error: Error): string {
  const help = error instanceof UsageError ? ` ${seeHelp(running)}` : '';
  const said = 'status' in error && error.status === 401 ? wrongToken : toCommandWords(error.message);
  const lines = toPrintable(said + help).split('\n');
  const screen = toScreen(process.stderr, process.env);
  return lines.map((line) => `${wrap(`sandpiper: ${line}`, screen)}\n`).join('');
}

/** @throws what is no error of the user */
function toExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
  if (error instanceof UsageError) return exitCodes.wrongUsage;
  if (error instanceof UserError)
    return 'exitCode' in error && typeof error.exitCode === 'number' ? error.exitCode : exitCodes.notDone;
  if ((error as { name?: string }).name === 'StoreError') return exitCodes.notDone;
  throw error;
}
