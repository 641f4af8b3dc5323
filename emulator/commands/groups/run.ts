import { Argument, type Command } from 'commander';
import type { ServeOptions } from '../chosen-options.ts';
import { printCompletion, shells, type Shell } from '../completion.ts';
import type { ConnectOptions } from '../connect.ts';
import type { DoctorOptions } from '../environment.ts';
import type { ExecOptions } from '../exec.ts';
import type { ExplainOptions } from '../explain.ts';
import type { LogsOptions } from '../logs.ts';
import type { ReadyOptions } from '../ready.ts';
import type { Serving } from '../serve.ts';
import type { Terminal } from '../terminal.ts';
import { applyOwnConfig, connecting, listing, starting, talking, toFilled, withStartOptions } from './options.ts';

/** Given twice, a filter passes only entries that match both values. */
const joinFilters = (filter: string, before?: string): string =>
  before === undefined ? filter : `${before} ${filter}`;

const jsonLines = 'print each as a line of JSON';

/** Commands that start an emulator, or look at one. */
export function addRunCommands(program: Command, serving: Serving, terminal: Terminal): void {
  const { workerUrl } = serving;
  program.commandsGroup('Run:');
  starting(program, 'serve', 'start the emulated API and the inspector').action(async (options: ServeOptions) =>
    (await import('../serve.ts')).serve(options, serving),
  );

  starting(program, 'open', 'start the emulated API and the inspector, in a desktop window if possible').action(
    async (options: ServeOptions) => (await import('../open.ts')).open(options, serving),
  );

  withStartOptions(program.command('config').description('check the config file, or print the options in force'))
    .addArgument(new Argument('<action>', 'check the file, or print the options').choices(['validate', 'print']))
    .option('--json', 'print one line of JSON')
    .action(async (act: 'validate' | 'print', _options: unknown, command: Command) =>
      act === 'validate'
        ? (await import('../validate-config.ts')).validateConfig(command, workerUrl)
        : (await import('../print-config.ts')).printConfig(command),
    );

  withStartOptions(
    program
      .command('exec')
      .description(
        'run a command, such as your tests, with an emulator of its own; variables tell the command the addresses',
      )
      .usage('[options] [--] <command> [args...]')
      .argument('<command...>')
      .passThroughOptions()
      .option(
        '--as-production',
        "answer requests to the platform's own hosts in the emulator instead; your code stays unchanged",
      ),
    'exec',
  )
    .hook('preAction', applyOwnConfig)
    .action(async (words: readonly string[], options: ExecOptions, command: Command) =>
      (await import('../exec.ts')).exec(words, options, {
        workerUrl,
        isTyped: (name) => command.getOptionValueSource(name) === 'cli',
      }),
    );

  talking(program, 'listen', 'print a line for each request and each attempt of a delivery', jsonLines).action(
    async (options: ConnectOptions) => (await import('../listen.ts')).listen(options),
  );

  listing(talking(program, 'logs', 'print recorded requests, a line each', jsonLines), 50)
    .option('--follow', 'then print new ones as they arrive, until Ctrl+C')
    .option(
      '--filter <filter>',
      'only those that match, such as status:4xx, rule:auth.scope, path:/offers, method:POST, \'operation:"POST /subscriptions"\', body:TEXT, company:NAME, since:10m or until:TIME, and at or test for what sent it; may be repeated',
      joinFilters,
    )
    .action(async (options: LogsOptions) => (await import('../logs.ts')).logs(options));

  talking(program, 'explain', 'say why a request got its reply: the rule, the place and the smallest fix')
    .argument('[id]', 'the id of the request, such as req_…; the line of a refused request ends with it')
    .option('--last', 'the newest request')
    .option('--refused', 'the newest request that was refused')
    .option(
      '--person <who>',
      'instead of a request: what happened to the person with this phone, email or id',
      toFilled,
    )
    .action(async (id: string | undefined, options: ExplainOptions) =>
      (await import('../explain.ts')).explain(id, options),
    );

  connecting(
    program,
    'mcp',
    'serve the running emulator to an AI agent (Model Context Protocol over standard input and output)',
  ).action(async (options: ConnectOptions) => (await import('../mcp/serve.ts')).serveMcp(options));

  talking(program, 'ready', 'check that an emulator answers, or wait until it does; for scripts that start one')
    .option('--wait <duration>', 'how long to wait, such as 30s (default: not at all)')
    .action(async (options: ReadyOptions) => (await import('../ready.ts')).ready(options));

  talking(program, 'env', 'print the addresses and keys as variables for an .env file').action(
    async (options: ConnectOptions) => (await import('../environment.ts')).printEnvironment(options),
  );

  withStartOptions(program.command('doctor').description('check what a start needs, and say what to do'), [
    'port',
    'inspectorPort',
    'host',
    'data',
    'memory',
  ])
    .option('--json', 'print one line of JSON, with all findings')
    .hook('preAction', applyOwnConfig)
    .action(async (options: Omit<DoctorOptions, 'isTyped'>, command: Command) =>
      (await import('../environment.ts')).examine({
        ...options,
        isTyped: (name) => command.getOptionValueSource(name) === 'cli',
      }),
    );

  program
    .command('completion')
    .description(
      'print the completion script for a shell: with it Tab completes commands, options, kinds and ids of the sandpiper on the PATH',
    )
    .addArgument(new Argument('<shell>', 'the shell that you use').choices(shells))
    .action((shell: Shell) => printCompletion(shell, terminal));

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => (await import('../complete.ts')).complete(program, words, terminal));
}
