import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { win32 } from 'node:path';
import { toFlag } from '../config/options.ts';
import { UserError } from '../errors.ts';
import { clientKeysOf } from '../declared-world/demo.ts';
import { defaultOptions } from '../options.ts';
import { toWorldOptions, type WorldOptions } from './chosen-options.ts';
import { toEnvironment } from './environment.ts';
import { openMargin } from './margin.ts';
import { tellRefusals } from './tell-refusals.ts';
import type { Production } from '../production/production.ts';
import { isHostName, platformHosts } from '../production/hosts.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../store/temporary-folders.ts';
import { needsShell, passesSignals } from '../system.ts';
import { startChosen } from './start.ts';
import { endings } from './terminal.ts';
import { exitCodes, UsageError } from './usage.ts';

export interface ExecOptions extends WorldOptions {
  /** Whether connections to the platform's own hosts go to the sandbox (docs/zero-change.md). */
  readonly asProduction?: boolean;
  /** Further names that mean the platform. */
  readonly productionHost?: readonly string[];
  /** Whether connections to all other hosts outside this machine are blocked. */
  readonly offline?: boolean;
  /** Whether only blocked connections are printed. */
  readonly quiet?: boolean;
}

/** Options that mean nothing without --as-production. */
const ofProduction = ['offline', 'productionHost', 'quiet'] as const;
type OfProduction = (typeof ofProduction)[number];

/** How a process ended: by itself, or by a signal. */
type Ending = [code: number | null, signal: NodeJS.Signals | null];

/**
 * `sandpiper exec -- COMMAND`: runs a command with its own emulator, in memory and on free ports, whose addresses are
 * in the command's environment. Exits with the command's exit code; like a shell, with 127 if there is no such command
 * and with 126 if it cannot be run.
 */
export async function exec(
  command: readonly string[],
  options: ExecOptions,
  { workerUrl, isTyped }: { readonly workerUrl: URL; readonly isTyped: (option: OfProduction) => boolean },
): Promise<void> {
  const { asProduction = false, productionHost = [], offline = false, quiet = false } = options;
  const [program = ''] = command;
  if (program === '') throw new UsageError('The command is an empty text. Write its name after --, such as npm test.');
  // A config or a variable may set these options for the runs that use --as-production.
  const astray = asProduction ? undefined : ofProduction.find(isTyped);
  if (astray !== undefined)
    throw new UsageError(
      `${toFlag(astray)} belongs to --as-production. Add --as-production, or leave ${toFlag(astray)} out.`,
    );
  const hosts = asProduction ? toPlatformHosts(productionHost) : [];
  const chosen = toWorldOptions(options);
  const allowHosts = [...chosen.allowHosts, ...hosts];
  const emulator = await startChosen(
    { ...defaultOptions, port: 0, inspectorPort: 0, dataDir: null, ...chosen, allowHosts },
    workerUrl,
  );
  const margin = openMargin(process.stderr, process.env);
  // For a person who watches; a pipeline gets no additional line.
  if (asProduction && !quiet && margin.isWatched)
    margin.write([`Open → ${emulator.inspectorUrl}/#token=${encodeURIComponent(emulator.token)}`]);
  const refusals = asProduction && !quiet ? tellRefusals(emulator, margin) : null;
  let production: Production | null = null;
  let folder: string | null = null;
  const run: { child: ChildProcess | null; ending: NodeJS.Signals | null } = { child: null, ending: null };
  // The terminal sends its signals to the command as well, and a signal to this process alone is passed on. This
  // process ends after the command, when everything is removed, however many signals come, and however early. On
  // Windows no signal comes to this process alone, and passing one on would end the command's shell at once, but not
  // the command.
  const pass = (signal: NodeJS.Signals): void => {
    run.ending ??= signal;
    if (passesSignals) run.child?.kill(signal);
  };
  for (const signal of endings) process.on(signal, pass);
  try {
    if (asProduction) {
      const { openProduction } = await import('../production/production.ts');
      const port = Number(new URL(emulator.authUrl).port);
      folder = makeTemporaryFolder();
      const now = emulator.deps.clock.wall();
      production = await openProduction({ folder, port, hosts, offline, env: process.env, now });
    }
    // A signal may have come before the command was started.
    let ended: Ending = [null, run.ending];
    if (run.ending === null) {
      try {
        const settings = {
          stdio: 'inherit',
          env: { ...process.env, ...toEnvironment(emulator, clientKeysOf(emulator.deps.store)), ...production?.env },
        } as const;
        // On Windows, npm and similar commands are scripts. Only a shell runs scripts, and Node passes it the line
        // unchanged.
        run.child = needsShell
          ? spawn(toWindowsLine(command), { ...settings, shell: true })
          : spawn(program, command.slice(1), settings);
        ended = (await once(run.child, 'exit')) as Ending;
      } catch (error) {
        throw new CannotRun(program, error as NodeJS.ErrnoException);
      }
    }
    const [code, signal] = ended;
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  } finally {
    margin.write([
      ...(refusals?.end() ?? []),
      ...(production?.blocked() ?? []).map(
        ({ target, why, times }) =>
          `sandpiper: blocked ${times === 1 ? 'a connection' : `${times} connections`} to ${target} (${why})`,
      ),
      ...(production?.upstreamFailures() ?? []).map((failure) => `sandpiper: ${failure}`),
    ]);
    await production?.close();
    if (folder !== null) removeTemporaryFolder(folder);
    await emulator.close();
    for (const signal of endings) process.off(signal, pass);
  }
}

/**
 * A command line for the shell of Windows. Programs read quotes, and the shell reads every character after ^ literally,
 * also quotes: otherwise quotes within a word would end its quoting, and the shell would expand %NAME% there. A script
 * (.cmd) reads its words once more, and takes characters in quotes literally, except after a quote within a word. In
 * the path of the program, a slash would begin an option.
 */
export function toWindowsLine([program = '', ...words]: readonly string[]): string {
  return [win32.normalize(program), ...words.map(toQuoted)]
    .map((word) => word.replaceAll(/[()[\]%!^"`<>&|;, *?]/g, '^$&'))
    .join(' ');
}

/** A word in the form that Windows programs read; backslashes count only before a quote. */
function toQuoted(word: string): string {
  if (/^[\w.:/\\@=+-]+$/.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

/**
 * The platform's hosts, and those that the developer named.
 * @throws UsageError for a text that is not the name of a host
 */
export function toPlatformHosts(more: readonly string[]): readonly string[] {
  const wrong = more.find((name) => !isHostName(name));
  if (wrong !== undefined)
    throw new UsageError(
      `--production-host takes the name of a host, such as api.example.com, not ${JSON.stringify(wrong)}. Leave out https:// and the path.`,
    );
  return [...new Set([...platformHosts, ...more.map((name) => name.toLowerCase())])];
}

/** The error for a command that could not be started. */
export class CannotRun extends UserError {
  readonly exitCode: number;

  constructor(program: string, { code, message }: NodeJS.ErrnoException) {
    const isMissing = code === 'ENOENT';
    super(
      isMissing
        ? `There is no command "${program}". Is it installed, and written as in your shell?`
        : `The command "${program}" cannot be run: ${code === 'EACCES' ? sayWhyNot(program) : `${message}.`}`,
    );
    this.exitCode = isMissing ? exitCodes.notFound : exitCodes.cannotRun;
  }
}

/** Says why this user may not run a program. */
function sayWhyNot(program: string): string {
  // The program may be in a folder that this user may not read.
  if (!existsSync(program)) return 'this user may not run it.';
  return statSync(program).isDirectory()
    ? 'it is a folder.'
    : `it is not executable. "chmod +x ${program}" makes it so.`;
}
