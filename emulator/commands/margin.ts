import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { toScreen, type Screen } from './terminal.ts';

/** Writes `exec`'s own lines, between those of the command that it runs. */
export interface Margin {
  readonly screen: Screen;
  /** Whether it is a terminal, so that a person may read it while the command runs. */
  readonly isWatched: boolean;
  /**
   * Writes lines at once, so that no output of the command comes between them. If the command has left the cursor in
   * the middle of a line, they begin on the next line, as far as this can be known: not on a pipe.
   */
  write(lines: readonly string[]): void;
}

/** @param stream the standard error of this process, which the command shares */
export function openMargin(stream: typeof process.stderr, env: NodeJS.ProcessEnv): Margin {
  const toStart = (): string => (stream.isTTY ? toNextLine(stream.columns) : isWithinLine(stream.fd) ? '\n' : '');
  // In a terminal that the command has set to raw mode, a line feed alone does not go back to the first column.
  const lineEnd = stream.isTTY ? '\r\n' : '\n';
  return {
    // Read for each line, because a window may change its size.
    get screen() {
      return toScreen(stream, env);
    },
    isWatched: stream.isTTY === true,
    write(lines) {
      if (lines.length > 0)
        stream.write(`${toStart()}${lines.map((line) => `${line}\n`).join('')}`.replaceAll('\n', lineEnd));
    },
  };
}

/**
 * Moves to the first column of an empty line, as zsh does before its prompt. It prints as many spaces as the terminal
 * has columns. They fill the line if it was empty, and end on the next line if not; then the cursor goes back to the
 * first column.
 * @param columns 0 or undefined if the terminal does not tell them
 */
function toNextLine(columns: number | undefined): string {
  return columns ? `${' '.repeat(columns)}\r` : '';
}

/**
 * Whether a file ends in the middle of a line. Null devices, pipes and files that cannot be read count as ending with a
 * line.
 */
function isWithinLine(fd: number): boolean {
  try {
    const { size } = fstatSync(fd);
    if (size === 0) return false;
    // The file is opened again, because it is open for writing only.
    const file = openSync(`/proc/self/fd/${fd}`, 'r');
    try {
      const last = Buffer.alloc(1);
      readSync(file, last, 0, 1, size - 1);
      return last.toString('latin1') !== '\n';
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
