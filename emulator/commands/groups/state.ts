import { Argument, Option, type Command } from 'commander';
import { countBounds, effectNames, effects, toItem } from '../../http/faults/effects.ts';
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
    .option('--products <number>', 'how many products, a line each', toWhole, 1000)
    .option('--variants <number>', 'how many variants of each product', toWhole, 3)
    .option('--seed <number>', 'the same seed makes the same file', toWhole, 1)
    .option('--faults <list>', 'how many faults of which kind, such as currency:2,url:1')
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
    .description('show the errors by cause, which of them can be fixed, and what is probably a mistake')
    .argument('<file>', 'a line of JSON for each product; - is standard input')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ReportOptions) => (await import('../catalog.ts')).xray(file, options));
  catalog
    .command('fix')
    .description(
      'write a copy in which every error with exactly one possible fix is fixed; other lines keep their bytes',
    )
    .argument('<file>', 'a line of JSON for each product; - is standard input')
    .requiredOption('--out <file>', 'the file for the copy')
    .option('--overwrite', 'write over a file that is there')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ReportOptions & { out: string; overwrite?: boolean }) =>
      (await import('../catalog.ts')).fix(file, options),
    );
}

/** Commands for faults, rate limits, records and the whole state. */
export function addStateCommands(program: Command): void {
  program.commandsGroup('Failures:');
  const fault = talking(
    program,
    'fault',
    'make the next requests of an operation fail; without an operation, list the faults',
  ).argument('[operation]', 'such as "POST /subscriptions", or "*" for any');
  for (const name of effectNames) {
    const [value, help] = effects[name].option;
    fault.option(`--${toItem(name)} ${value}`.trimEnd(), help);
  }
  fault
    .option('--times <number>', 'how many requests fail (default: 1, or no end with --every)')
    .option('--every <number>', 'only every Nth request fails')
    .addOption(
      new Option('--clear [id]', 'remove the fault with this id, or all').conflicts([
        ...effectNames,
        ...Object.keys(countBounds),
      ]),
    )
    .action(async (operation: string | undefined, options: FaultOptions) =>
      (await import('../faults.ts')).fault(operation, options),
    );

  talking(program, 'limits', 'refuse requests over the rate limits of the platform, or accept them')
    .addArgument(new Argument('<mode>', 'real refuses them with 429, off accepts them').choices(rateLimitModes))
    .action(async (mode: RateLimitMode, options: ConnectOptions) =>
      (await import('../faults.ts')).setLimits(mode, options),
    );

  program.commandsGroup('State:');
  listing(
    talking(
      program,
      'records',
      'list the kinds of records or the records of a kind, or show one record with its possible moves',
    ),
    1_000,
  )
    .argument('[kind]', 'such as webhooks, users (the subscribers), subscriptions, offers, uploads or privacy-requests')
    .argument('[id]', 'the id of one record')
    .action(async (kind: string | undefined, id: string | undefined, options: RecordsOptions, command: Command) =>
      (await import('../records.ts')).showRecords(kind, id, options, command.getOptionValueSource('limit') === 'cli'),
    );

  talking(program, 'fire', 'move a record to its next state by hand')
    .argument('<kind>', 'such as uploads, privacy-requests, offers or deliveries')
    .argument('<id>', 'the id of the record; "sandpiper records KIND" lists them')
    .argument(
      '<event>',
      'the move, such as start, finish or synced; "sandpiper records KIND ID" lists the possible ones',
    )
    .action(async (kind: string, id: string, event: string, options: ConnectOptions) =>
      (await import('../records.ts')).fire(kind, id, event, options),
    );

  talking(program, 'snapshot', 'save, list, restore, delete, export or import the whole state')
    .addArgument(
      new Argument('<action>', 'what is done').choices(['save', 'list', 'restore', 'delete', 'export', 'import']),
    )
    .argument('[name]', 'the name of the snapshot; for export and import the file, where - is standard output or input')
    .argument('[snapshot]', 'for export: a saved snapshot (default: the current state)')
    .option('--merge', 'merge into the current state instead of replacing it')
    .option('--overwrite', 'save over a snapshot of the same name, or export over a file that is there')
    .option('--secrets', 'export keys and secrets as they are')
    .action(async (act: SnapshotAct, name: string | undefined, other: string | undefined, options: SnapshotOptions) =>
      (await import('../snapshots.ts')).snapshot(act, name, other, options),
    );

  talking(program, 'world', 'write the current state as a world file')
    .addArgument(new Argument('<action>', 'what is done').choices(['save']))
    .argument('<file>', 'a .yaml, .json, .ts or .js file')
    .option('--overwrite', 'write over a file that is there')
    .action(async (_act: string, file: string, options: WorldOptions) =>
      (await import('../world.ts')).saveWorldFile(file, options),
    );

  talking(program, 'undo', 'undo the newest change made by hand, or one by its id')
    .argument('[id]', 'the id of the change (default: the newest change)')
    .addOption(new Option('--list', 'show what can be undone').conflicts('andNewer'))
    .option('--and-newer', 'with an id: also undo the changes after it')
    .action(async (id: string | undefined, options: UndoOptions) => (await import('../undo.ts')).undo(id, options));

  talking(program, 'redo', 'redo what was undone last; possible until something else changes').action(
    async (options: ConnectOptions) => (await import('../undo.ts')).redo(options),
  );

  talking(program, 'reset', 'go back to the data of the start: the world file, or else the demo data')
    .addOption(new Option('--demo', 'go to the demo data, also if the start named a world file').conflicts('empty'))
    .option('--empty', 'remove all data, also the demo data')
    .action(async (options: ConnectOptions & { empty?: boolean }) => (await import('../undo.ts')).reset(options));
}
