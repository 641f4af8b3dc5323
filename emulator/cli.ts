#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addPeopleCommands } from './commands/groups/people.ts';
import { addRunCommands } from './commands/groups/run.ts';
import { addCatalogCommands, addStateCommands } from './commands/groups/state.ts';
import { addTimeCommands } from './commands/groups/time.ts';
import { addWebhookCommands } from './commands/groups/webhooks.ts';
import { exitCodes, toCommandWords, UsageError } from './commands/usage.ts';
import { UserError } from './errors.ts';
import { toPrintable } from './control/printable.ts';

// The build puts the worker next to this file; from source it is with its feature. A shared module cannot know, it is moved by the build.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.js', import.meta.url);

const program = new Command('sandpiper')
  .description('A whole customer-messaging platform on your own machine: the REST and GraphQL API on localhost.')
  .enablePositionalOptions()
  .showSuggestionAfterError()
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(toOwnWords(text)) })
  // Names without "[options]", and narrow columns, so that the list is wrapped well on 80 columns.
  .configureHelp({
    minWidthToWrap: 20,
    subcommandTerm: (command) =>
      [
        command.name(),
        ...command.registeredArguments.map(
          (one) => `${one.required ? '<' : '['}${one.name()}${one.variadic ? '...' : ''}${one.required ? '>' : ']'}`,
        ),
      ].join(' '),
  })
  .addHelpText(
    'after',
    `
Exit codes: 0 done, 1 not done (the message says why), 2 wrong usage; exec ends
as its command does, with 126 where it cannot be run and 127 where there is none
with that name.`,
  );

addRunCommands(program, workerUrl);
addTimeCommands(program);
addWebhookCommands(program);
addPeopleCommands(program);
addStateCommands(program);
addCatalogCommands(program);

/** A message of the command parser in the words of the other messages. */
function toOwnWords(text: string): string {
  return text
    .replace(/^error: /, 'sandpiper: ')
    .replace(
      /command-argument value '(.*?)' is invalid for argument '(.*?)'\. Allowed choices are /,
      '"$1" is not possible for $2. Choose one of: ',
    )
    .replace(
      /option '(\S+).*?' argument '(.*?)' is invalid\. Allowed choices are /,
      '"$2" is not possible for $1. Choose one of: ',
    );
}

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Then what is done goes on in silence.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = toExitCode(error);
  if (!(error instanceof CommanderError))
    process.stderr.write(`sandpiper: ${toPrintable(toCommandWords((error as Error).message))}\n`);
}

/** @throws what is no error of the user */
function toExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
  if (error instanceof UsageError) return exitCodes.wrongUsage;
  if (error instanceof UserError)
    return 'exitCode' in error && typeof error.exitCode === 'number' ? error.exitCode : exitCodes.notDone;
  if ((error as { name?: string }).name === 'StoreError') return exitCodes.notDone;
  throw error;
}
