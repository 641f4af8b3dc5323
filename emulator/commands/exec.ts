import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { UserError } from '../errors.ts';
import { defaultOptions } from '../options.ts';
import { toPrintable } from '../control/printable.ts';
import type { Pace } from '../time/pace.ts';
import { startEmulator } from '../start-emulator.ts';
import { toEnvironment } from './environment.ts';
import { exitCodes } from './usage.ts';

export interface ExecOptions {
  readonly pace: Pace;
}

/**
 * `sandpiper exec -- COMMAND`: runs a command beside an emulator of its own, in memory and on free ports, whose
 * addresses are in the command's environment. Ends with the command's exit code; as shells do, with 127 where there is
 * no such command and with 126 where it cannot be run.
 */
export async function exec(
  command: readonly string[],
  { pace }: ExecOptions,
  { workerUrl }: { workerUrl: URL },
): Promise<void> {
  const [program = '', ...args] = command;
  const emulator = await startEmulator({
    ...defaultOptions,
    port: 0,
    inspectorPort: 0,
    dataDir: null,
    pace,
    workerUrl,
    onNotice: (text) => process.stderr.write(`${toPrintable(text)}\n`),
  });
  try {
    const child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...process.env, ...toEnvironment(emulator) },
      shell: process.platform === 'win32',
    });
    // The terminal sends its signals to the command as well; a signal sent to us alone is passed on.
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
    } catch (error) {
      throw new CannotRun(program, error as NodeJS.ErrnoException);
    } finally {
      process.off('SIGINT', pass).off('SIGTERM', pass);
    }
  } finally {
    await emulator.close();
  }
}

/** The command could not be started. */
export class CannotRun extends UserError {
  readonly exitCode: number;

  constructor(program: string, { code, message }: NodeJS.ErrnoException) {
    const isMissing = code === 'ENOENT';
    super(
      isMissing
        ? `There is no command "${program}". Is it installed, and written as in your shell?`
        : `The command "${program}" cannot be run: ${message}.`,
    );
    this.exitCode = isMissing ? exitCodes.notFound : exitCodes.cannotRun;
  }
}
