import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { personEnvironment } from '../support/environment.ts';
import { hearErrors } from '../support/told-errors.ts';

/**
 * Makes a folder with a binary `electron` that runs an app's main file under plain Node, where `electron` is the mock;
 * like Electron it only warns about unhandled promise rejections.
 */
export function writeStandIn(dist: string): void {
  mkdirSync(dist);
  const { outputText } = ts.transpileModule(readFileSync(join(import.meta.dirname, 'stand-in.ts'), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  writeFileSync(join(dist, 'stand-in.mjs'), outputText);
  const url = (name: string): string => JSON.stringify(pathToFileURL(join(dist, name)).href);
  writeFileSync(
    join(dist, 'hooks.mjs'),
    `export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${url('stand-in.mjs')}, shortCircuit: true } : next(name, context);\n`,
  );
  // The driver imports Electron, the app's CommonJS files require it.
  writeFileSync(
    join(dist, 'register.mjs'),
    `import Module, { register } from 'node:module';
register(${url('hooks.mjs')});
const electron = await import('electron');
const load = Module._load;
Module._load = (name, ...more) => (name === 'electron' ? electron : load(name, ...more));\n`,
  );
  cpSync(join(import.meta.dirname, 'driver.mjs'), join(dist, 'driver.mjs'));
  writeFileSync(
    join(dist, 'electron'),
    // Node 26 warns of `register`; what replaces it is not in Node 20.
    `#!/bin/sh\nexec "${process.execPath}" --unhandled-rejections=warn --disable-warning=DEP0205 --import ${url('register.mjs')} "${join(dist, 'driver.mjs')}" "$@"\n`,
  );
  chmodSync(join(dist, 'electron'), 0o755);
}

/** The app, running in the mock. */
export interface Shell {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Whether it told its parent process that Electron runs. */
  isReady(): boolean;
  /** Executes one of the commands of driver.mjs in the app's process. */
  act<T>(name: string, ...input: readonly unknown[]): Promise<T>;
}

/** Runs an app in the mock of `writeStandIn`, as Electron would. */
export function runShell(dist: string, app: string, env: NodeJS.ProcessEnv): Shell {
  const child = spawn(join(dist, 'electron'), [app], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: personEnvironment(env),
  });
  let [stdout, stderr, isReady, count] = ['', '', false, 0];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  if (child.stderr) hearErrors(child.stderr);
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  const waiting = new Map<
    number,
    { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }
  >();
  child.on('message', (message: 'ready' | { readonly id: number; readonly value?: never; readonly error?: string }) => {
    if (message === 'ready') return void (isReady = true);
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) call?.resolve(message.value as never);
    else call?.reject(new Error(message.error));
  });
  child.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error(`The app ended: ${stderr}`));
  });
  return {
    process: child,
    ended,
    isReady: () => isReady,
    act: (name, ...input) =>
      new Promise((resolve, reject) => {
        if (!child.connected) return reject(new Error(`The app ended: ${stderr}`));
        count += 1;
        waiting.set(count, { resolve, reject });
        child.send({ id: count, name, input });
      }),
  };
}
