import { CommanderError, type Command } from 'commander';
import { ControlRefusal } from '../control/client/control-refusal.ts';
import { toPrintable, toPrintableLine } from '../contract/printable.ts';
import { UserError } from '../errors.ts';
import { createProgram, wordsOf } from './program.ts';
import { toScreen, wrap, type Terminal } from './terminal.ts';
import { toTyped } from './typed.ts';
import { exitCodes, sayError, seeHelp, UsageError } from './usage.ts';

/**
 * Runs a command line, and prints on the terminal what is wrong with it. Commands that start something (serve, open,
 * exec, mcp) use the streams and signals of the process.
 * @param words the words after `sandpiper`
 * @param onReady called when a server accepts connections
 * @returns when the command has done its work; for a server, when it has ended
 */
export async function execute(
  words: readonly string[],
  terminal: Terminal,
  workerUrl: URL,
  onReady?: () => void,
): Promise<void> {
  const program: Command = createProgram(workerUrl, terminal, onReady);
  let running = program;
  program.hook('preAction', (_program, command) => {
    running = command;
    refuseEmpty(command);
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (thrown) {
    const isPlaced = thrown instanceof ControlRefusal && thrown.status !== 401;
    const error = isPlaced ? toTyped(thrown, running) : isWithoutFolder(thrown) ? folderGone() : thrown;
    terminal.exitCode = toExitCode(error);
    if (!(error instanceof CommanderError)) terminal.stderr.write(toLines(error as Error, wordsOf(running), terminal));
  }
}

/** Whether a path could not be resolved because the working folder is gone. */
function isWithoutFolder(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.syscall === 'uv_cwd';
}

function folderGone(): UserError {
  return new UserError(
    'The folder in which the command runs was removed. Change to another folder, then run it again.',
  );
}

/**
 * Refuses an argument that is empty or only spaces. Arguments after the command of `exec` belong to that command.
 * @throws UsageError
 */
function refuseEmpty({ args, registeredArguments }: Command): void {
  const empty = registeredArguments.find((one, at) => !one.variadic && args[at]?.trim() === '');
  if (empty) throw new UsageError(`The argument <${empty.name()}> is empty.`);
}

/** Formats an error with a prefix on each line: the message of a file with several mistakes has a line for each. */
function toLines(error: Error, running: string, { stderr }: Terminal): string {
  const help = error instanceof UsageError ? ` ${seeHelp(running)}` : '';
  // The message of the store is one line, which contains the name of a folder.
  const says = error.name === 'StoreError' ? toPrintableLine(sayError(error)) : sayError(error);
  const lines = toPrintable(says + help).split('\n');
  const screen = toScreen(stderr, process.env);
  return lines.map((line) => `${wrap(`sandpiper: ${line}`, screen)}\n`).join('');
}

/** @throws the error itself if it is not an error of the user */
function toExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
  if (error instanceof UsageError) return exitCodes.wrongUsage;
  if (error instanceof UserError)
    return 'exitCode' in error && typeof error.exitCode === 'number' ? error.exitCode : exitCodes.notDone;
  if ((error as { name?: string }).name === 'StoreError') return exitCodes.notDone;
  throw error;
}
