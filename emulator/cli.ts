#!/usr/bin/env node
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { AdvanceOptions, FaultOptions, TriggerOptions } from './commands/act.ts';
import type { ConnectOptions } from './commands/connect.ts';
import type { SnapshotAct, SnapshotOptions } from './commands/snapshots.ts';
import type { ServeOptions } from './commands/serve.ts';
import { UserError } from './errors.ts';
import { rateLimitModes } from './http/rate-limit.ts';
import { paces, type Pace } from './time/pace.ts';

// The build puts the worker beside this file; from source it is with its feature. A shared module cannot know, it is moved by the build.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.js', import.meta.url);

const program = new Command('sandpiper')
  .description('A whole customer-messaging platform on your own machine: the REST and GraphQL API on localhost.')
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'sandpiper: ')) });

starting('serve', 'start the emulated API and the control API').action(async (options: ServeOptions) =>
  (await import('./commands/serve.ts')).serve(options, { workerUrl }),
);

starting('open', 'the same with the inspector in a window of its own, where there can be one').action(
  async (options: ServeOptions) => (await import('./commands/open.ts')).open(options, { workerUrl }),
);

program
  .command('exec')
  .description('run a command beside an emulator of its own, whose addresses stand in its environment')
  .usage('[options] -- <command> [args...]')
  .argument('<command...>')
  .addOption(
    new Option('--pace <pace>', 'how uploads, offers and privacy requests move on').choices(paces).default('instant'),
  )
  .action(async (command: readonly string[], options: { pace: Pace }) =>
    (await import('./commands/exec.ts')).exec(command, options, { workerUrl }),
  );

talking('trigger', 'fire a webhook event as the platform would')
  .argument('<event>', 'such as email.opened')
  .option('--to <receiver>', 'a URL or the id of a webhook (default: every webhook that lists the event)')
  .option('--phone <number>', 'the subscriber that it is about')
  .option('--email <address>', 'the subscriber that it is about')
  .option('--set <path=value...>', 'change the payload, such as subscription.type=TRANSACTIONAL')
  .option('--dry-run', 'show the exact headers and bytes, send nothing')
  .option('--wait', 'wait until the delivery is delivered, failed or paused')
  .action(async (event: string, options: TriggerOptions) =>
    (await import('./commands/act.ts')).trigger(event, options),
  );

talking('listen', 'print a line for each request and each move of a delivery').action(async (options: ConnectOptions) =>
  (await import('./commands/listen.ts')).listen(options),
);

talking('advance', 'move the virtual clock')
  .argument('[duration]', 'such as 30d, 12h, 5m or 90s')
  .option('--to <time>', 'an ISO 8601 time')
  .option('--rewind', 'back to before the last advance')
  .action(async (duration: string | undefined, options: AdvanceOptions) =>
    (await import('./commands/act.ts')).advance(duration, options),
  );

talking('fire', 'move a record by hand')
  .argument('<kind>', 'such as uploads, privacy-requests, offers or deliveries')
  .argument('<id>')
  .argument('<event>', 'such as start, finish, synced or save')
  .action(async (kind: string, id: string, event: string, options: ConnectOptions) =>
    (await import('./commands/act.ts')).fire(kind, id, event, options),
  );

talking('fault', 'strike the next requests of an operation; without one, list the faults')
  .argument('[operation]', 'such as "POST /subscriptions", or "*"')
  .option('--status <number>', 'answer with this status in the platform’s dialect')
  .option('--retry-after <seconds>', 'with a Retry-After header')
  .option('--delay <duration>', 'answer later')
  .option('--cut [bytes]', 'send half of the body, or so many bytes, then end the connection')
  .option('--reset', 'reset the connection')
  .option('--after', 'handle the request first: its changes stay')
  .option('--times <number>', 'how many requests (default: the next one)')
  .option('--every <number>', 'every Nth request')
  .option('--clear [id]', 'take a fault back, or all of them')
  .action(async (operation: string | undefined, options: FaultOptions & { clear?: string | true }) => {
    const { addFault, clearFaults } = await import('./commands/act.ts');
    if (options.clear !== undefined) return clearFaults(options.clear === true ? undefined : options.clear, options);
    return addFault(operation, options);
  });

talking('limits', 'make the rate limits real, or off')
  .addArgument(new Argument('<mode>').choices(rateLimitModes))
  .action(async (mode: string, options: ConnectOptions) =>
    (await import('./commands/act.ts')).setLimits(mode, options),
  );

talking('snapshot', 'save, list, restore, delete, export or import the whole state')
  .addArgument(new Argument('<act>').choices(['save', 'list', 'restore', 'delete', 'export', 'import']))
  .argument('[name]', 'the name of the snapshot, or the file to export to or import from')
  .argument('[snapshot]', 'for export: a kept snapshot (default: the present state)')
  .option('--merge', 'restore or import into the present state instead of in its place')
  .option('--overwrite', 'save over a snapshot of the same name')
  .option('--secrets', 'export keys and secrets as they are')
  .action(async (act: SnapshotAct, name: string | undefined, other: string | undefined, options: SnapshotOptions) =>
    (await import('./commands/snapshots.ts')).snapshot(act, name, other, options),
  );

talking('undo', 'take the last act back that took something away').action(async (options: ConnectOptions) =>
  (await import('./commands/snapshots.ts')).undo(options),
);

talking('pace', 'choose how uploads, offers and privacy requests move on')
  .addArgument(new Argument('<pace>').choices(paces))
  .action(async (pace: string, options: ConnectOptions) =>
    (await import('./commands/snapshots.ts')).setPace(pace, options),
  );

talking('reset', 'back to the demo world')
  .option('--empty', 'to an empty store instead')
  .action(async (options: ConnectOptions & { empty?: boolean }) => (await import('./commands/act.ts')).reset(options));

talking('env', 'print the addresses and keys as variables for an .env file').action(async (options: ConnectOptions) =>
  (await import('./commands/environment.ts')).printEnvironment(options),
);

talking('doctor', 'look at what a start needs, and say what to do')
  .option('--port <number>', 'the port of the emulated API', toPort, 4747)
  .option('--inspector-port <number>', 'the port of the inspector', toPort, 4748)
  .action(async (options: ConnectOptions & { port: number; inspectorPort: number }) =>
    (await import('./commands/environment.ts')).examine(options),
  );

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof UserError) && (error as { name?: string }).name !== 'StoreError') throw error;
  process.stderr.write(`sandpiper: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** A command that starts an emulator. */
function starting(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--port <number>', 'port of the emulated API; 0 takes any free one', toPort, 4747)
    .option(
      '--inspector-port <number>',
      'port of the inspector and the control API; 0 takes any free one',
      toPort,
      4748,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <folder>', 'where the state is kept (default: a folder of your user)')
    .option('--memory', 'keep nothing on disk')
    .option('--seed <file>', 'an exported snapshot to fill an empty store with, in place of the demo world')
    .addOption(
      new Option('--pace <pace>', 'how uploads, offers and privacy requests move on')
        .choices(paces)
        .default('realistic'),
    )
    .addOption(
      new Option('--rate-limits <mode>', 'whether requests over the platform’s rate limits are refused')
        .choices(rateLimitModes)
        .default('off'),
    )
    .option('--record-requests <number>', 'how many of the newest requests are kept', toWhole, 20_000)
    .option('--record-megabytes <number>', 'how much room they may take', toWhole, 64)
    .option('--record-days <number>', 'how many days they are kept in the data folder', toWhole, 30)
    .option('--allow-host <name...>', 'further host names under which the servers may be addressed')
    .addOption(
      new Option('--token <token>', 'the control API’s token (default: one made for the data folder)').env(
        'SANDPIPER_TOKEN',
      ),
    )
    .option('--json', 'print one line of JSON when both servers accept connections, and nothing else');
}

/** A command that talks to a running emulator. */
function talking(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--data <folder>', 'the data folder that the emulator serves (default: the one of your user)')
    .addOption(new Option('--url <address>', 'the inspector of the emulator').env('SANDPIPER_INSPECTOR_URL'))
    .addOption(new Option('--token <token>', 'the token of its control API').env('SANDPIPER_TOKEN'))
    .option('--json', 'print JSON, one line each');
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

function toWhole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a whole number from 1 on.');
  return Number(text);
}
