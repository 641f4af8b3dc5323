import { Writable } from 'node:stream';
import { execute } from '../../emulator/commands/execute.ts';
import type { Terminal } from '../../emulator/commands/terminal.ts';
import type { Ended } from './process.ts';

/**
 * Runs a command of `sandpiper` in this process, from source, to test its output and its exit code. Tests of what only
 * a process has (signals, standard input, a folder and variables of its own) use `run` of process.ts.
 */
export async function command(...words: readonly string[]): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const terminal: Terminal = {
    stdout: toStream((text) => (stdout += text)),
    stderr: toStream((text) => (stderr += text)),
  };
  await execute(words, terminal, new URL('file:///no-worker.js'));
  return { code: Number(terminal.exitCode ?? 0), signal: null, stdout, stderr };
}

function toStream(write: (text: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      write(chunk.toString());
      done();
    },
  });
}
