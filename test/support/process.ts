import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtApp } from './built.ts';
import { personEnvironment } from './environment.ts';
import { hearErrors } from './told-errors.ts';

/** A finished command. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `sandpiper serve` that is ready. */
export interface Served {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly inspectorUrl: string;
  readonly token: string;
  readonly dataDir: string | null;
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A running command. `output` waits until it has printed a text, `errors` until it has on its standard error. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  output(text: string): Promise<string>;
  errors(text: string): Promise<string>;
}

/** Starts the built `sandpiper` with these arguments. */
export function start(...args: readonly string[]): Running {
  return launch(args, {});
}

/** The same, with these variables in addition to those of a person. */
export function startIn(env: NodeJS.ProcessEnv, args: readonly string[]): Running {
  return launch(args, env);
}

function launch(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string = process.cwd()): Running {
  const child = spawn(process.execPath, [join(builtApp(), 'bin/sandpiper.cjs'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: personEnvironment(env),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  hearErrors(child.stderr);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }) as Ended);
  const early = ended.then(({ code }) => {
    throw new Error(`sandpiper ended with ${code}: ${stderr}`);
  });
  early.catch(() => {});
  const output = async (text: string): Promise<string> => {
    while (!stdout.includes(text)) await Promise.race([once(child.stdout, 'data'), early]);
    return stdout;
  };
  const errors = async (text: string): Promise<string> => {
    while (!stderr.includes(text)) await Promise.race([once(child.stderr, 'data'), early]);
    return stderr;
  };
  return { process: child, ended, output, errors };
}

/** Runs `sandpiper` with these arguments to its end. */
export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return launch(args, env).ended;
}

/** The same in a folder. */
export function runIn(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return launch(args, env, cwd).ended;
}

/** Starts `sandpiper serve --json` on free ports and waits for its first line. */
export async function serve(args: readonly string[] = ['--memory'], env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const running = launch(['serve', '--port', '0', '--inspector-port', '0', '--json', ...args], env);
  const [line = ''] = (await running.output('\n')).split('\n');
  return { ...(JSON.parse(line) as Omit<Served, 'process' | 'ended'>), process: running.process, ended: running.ended };
}

/** Ends a server with a signal, and returns how it ended. */
export function stop(served: Served, signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
  served.process.kill(signal);
  return served.ended;
}
