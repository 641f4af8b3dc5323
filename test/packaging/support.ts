import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { hearErrors } from '../support/told-errors.ts';

export const root = resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

/** Packs the built package into a folder. @returns the file */
export async function pack(folder: string): Promise<string> {
  const { stdout } = await execute('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: builtApp(),
    env: personEnvironment(),
  });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, filename);
}

/** A program in the background, with what it has printed, and an end for it and all that it started. */
export interface Background {
  readonly process: ChildProcess;
  printed(): string;
  stop(): Promise<void>;
}

export function startInBackground(
  program: string,
  args: readonly string[],
  { cwd = root, env }: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv },
): Background {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  hearErrors(child.stderr);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  return {
    process: child,
    printed: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? Number.NaN), 'SIGTERM');
      await closed;
    },
  };
}
