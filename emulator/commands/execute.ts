import { CommanderError } from 'commander';
import { toPrintable } from '../control/printable.ts';
import { UserError } from '../errors.ts';
import { createProgram, wordsOf } from './program.ts';
import { toScreen, wrap, type Terminal } from './terminal.ts';
import { exitCodes, sayError, seeHelp, UsageError } from './usage.ts';

/**
 * Runs a command line, and says on the terminal what is wrong with it. Commands that start something (serve, open, exec,
 * mcp) use the streams and the signals of the process.
 * @param words those after `sandpiper`
 * @param onReady called when a server accepts connections
 * @returns when the command has done its work; for a server, when it has ended
 */
export async function execute(
  words: readonly string[],
  terminal: Terminal,
  workerUrl: URL,
  onReady?: () => void,
): Promise<void> {
  const program = createProgram(workerUrl, terminal, onReady);
  let running = '';
  program.hook('preAction', (_program, command) => {
    running = wordsOf(command);
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    terminal.exitCode = toExitCode(error);
    if (!(error instanceof CommanderError)) terminal.stderr.write(toLines(error as Error, running, terminal));
  }
}

/** Each line is whole: the message of a file with several mistakes has one for each. */
function toLines(error: Error, running: string, { stderr }: Terminal): string {
  const help = error instanceof UsageError ? ` ${seeHelp(running)}` : '';
  const lines = toPrintable(sayError(error) + help).split('\n');
  const screen = toScreen(stderr, process.env);
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
