import { Argument, Option, type Command } from 'commander';
import { rateLimitModes, type RateLimitMode } from '../../http/shapes.ts';
import type { GenerateOptions, ReportOptions } from '../catalog.ts';
import type { ConnectOptions } from '../connect.ts';
import type { FaultOptions } from '../faults.ts';
import type { RecordsOptions } from '../records.ts';
import type { SnapshotAct, SnapshotOptions } from '../snapshots.ts';
import type { UndoOptions } from '../undo.ts';
import type { WorldOptions } from '../world.ts';
import { listing, talking, toWhole } from './options.ts';

/** Commands for catalog files; they need no running emulator. */
export function addCatalogCommands(program: Command): void {
  program.commandsGroup('Catalog files:');
  const catalog = program.command('catalog').description('make, check or fix a catalog file, without uploading it');
  catalog
    .helpCommand('help [command]', 'print the help of a command')
    .command('generate')
    .description('make a file from a seed, with faults where you want them')
    .option('--products <number>', 'how many lines', toWhole, 1000)
    .option('--variants <number>', 'of each product', toWhole, 3)
    .option('--seed <number>', 'the same seed makes the same file', toWhole, 1)
    .option('--faults <list>', 'such as currency:2,url:1')
    .option('--out <file>', 'the file; - and the default are standard output')
    .option('--overwrite', 'write over a file that is there')
    .option('--list', 'print to standard error which line has which fault, as JSON')
    .action(async (options: GenerateOptions) => (await import('../catalog.ts')).generate(options));
  catalog
    .command('check')
    .description('check it as the platform would; the errors grouped by rule')
    .argument('<file>', 'a line of JSON for each product; - is standard input')
    .option('--json', 'print JSON, with every error')
    .action(async (file: string, options: ReportOptions) => (await import('../catalog.ts')).check(file, options));
  catalog
    .command('xray')
    .description('show the errors by cause, which can be fixed, and what is probably not meant')
    .argument('<file>', 'a line of JSON for each product; - is standard input')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ReportOptions) => (await import('../catalog.ts')).xray(file, options));
  catalog
    .command('fix')
    .description(
      'write a copy in which every error with exactly one possible fix is fixed; other lines keep their bytes',
    )
    .argument('<file>', 'a line of JSON for each product; - is standard input')
    .requiredOption('--out <file>', 'the copy')
    .option('--overwrite', 'write over a file that is there')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ReportOptions & { out: string; overwrite?: boolean }) =>
      (await import('../catalog.ts')).fix(file, options),
    );
}

/** The options that say what a fault does, and to which requests. */
const faultOptions = ['status', 'retryAfter', 'delay', 'cut', 'reset', 'after', 'times', 'every'];

/** Commands for faults, rate limits, records and the whole state. */
export function addStateCommands(program: Command): void {
  program.commandsGroup('Failures:');
  talking(program, 'fault', 'make the next requests of an operation fail; without one, list the faults')
    .argument('[operation]', 'such as "POST /subscriptions", or "*"')
    .option('--status <number>', 'answer with this status in the platform’s dialect')
    .option('--retry-after <seconds>', 'with a Retry-After header')
    .option('--delay <duration>', 'answer later, such as 2s; a plain number is milliseconds')
    .option('--cut [bytes]', 'send half of the body, or that many bytes, then end the connection')
    .option('--reset', 'reset the connection')
    .option('--after', 'handle the request first: its changes stay')
    .option('--times <number>', 'how many requests (default: the next one)')
    .option('--every <number>', 'every Nth request')
    .addOption(new Option('--clear [id]', 'remove a fault, or all of them').conflicts(faultOptions))
    .action(async (operation: string | undefined, options: FaultOptions) =>
      (await import('../faults.ts')).fault(operation, options),
    );

  talking(program, 'limits', 'refuse requests over the rate limits, or not')
    .addArgument(new Argument('<mode>', 'whether requests over the limits are refused').choices(rateLimitModes))
    .action(async (mode: RateLimitMode, options: ConnectOptions) =>
      (await import('../faults.ts')).setLimits(mode, options),
    );

  program.commandsGroup('State:');
  listing(talking(program, 'records', 'list the kinds of records, those of a kind, or one with its open moves'), 1_000)
    .argument('[kind]', 'such as webhooks, users (the subscribers), subscriptions, offers, uploads or privacy-requests')
    .argument('[id]', 'one of them')
    .action(async (kind: string | undefined, id: string | undefined, options: RecordsOptions, command: Command) =>
      (await import('../records.ts')).showRecords(kind, id, options, command.getOptionValueSource('limit') === 'cli'),
    );

  talking(program, 'fire', 'move a record by hand')
    .argument('<kind>', 'such as uploads, privacy-requests, offers or deliveries')
    .argument('<id>', 'of the record; "sandpiper records KIND" lists them')
    .argument('<event>', 'such as start, finish, synced or save')
    .action(async (kind: string, id: string, event: string, options: ConnectOptions) =>
      (await import('../records.ts')).fire(kind, id, event, options),
    );

  talking(program, 'snapshot', 'save, list, restore, delete, export or import the whole state')
    .addArgument(
      new Argument('<act>', 'what is done').choices(['save', 'list', 'restore', 'delete', 'export', 'import']),
    )
    .argument(
      '[name]',
      'the name of the snapshot, or the file to export to or import from; - is standard output or input',
    )
    .argument('[snapshot]', 'for export: a saved snapshot (default: the current state)')
    .option('--merge', 'merge into the current state instead of replacing it')
    .option('--overwrite', 'save over a snapshot of the same name, or export over a file that is there')
    .option('--secrets', 'export keys and secrets as they are')
    .action(async (act: SnapshotAct, name: string | undefined, other: string | undefined, options: SnapshotOptions) =>
      (await import('../snapshots.ts')).snapshot(act, name, other, options),
    );

  talking(program, 'world', 'write the present state as a world file')
    .addArgument(new Argument('<act>', 'what is done').choices(['save']))
    .argument('<file>', 'a .yaml, .json, .ts or .js file')
    .option('--overwrite', 'write over a file that is there')
    .action(async (_act: string, file: string, options: WorldOptions) =>
      (await import('../world.ts')).saveWorldFile(file, options),
    );

  talking(program, 'undo', 'undo the newest change made by hand, or one by its id')
    .argument('[id]', 'of the change (default: the newest one)')
    .addOption(new Option('--list', 'show what can be undone').conflicts('andNewer'))
    .option('--and-newer', 'with an id: also undo later changes')
    .action(async (id: string | undefined, options: UndoOptions) => (await import('../undo.ts')).undo(id, options));

  talking(program, 'redo', 'redo what was undone last; possible until something else changes').action(
    async (options: ConnectOptions) => (await import('../undo.ts')).redo(options),
  );

  talking(program, 'reset', 'go back to the world file of the start, or to the demo world')
    .addOption(new Option('--demo', 'to the demo world, whatever the start declared').conflicts('empty'))
    .option('--empty', 'to an empty store instead')
    .action(async (options: ConnectOptions & { empty?: boolean }) => (await import('../undo.ts')).reset(options));
}
