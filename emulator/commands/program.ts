import { Command } from 'commander';
import { readVersion } from '../control/version.ts';
import { addExamples } from './groups/examples.ts';
import { addPeopleCommands } from './groups/people.ts';
import { addRunCommands } from './groups/run.ts';
import { addCatalogCommands, addStateCommands } from './groups/state.ts';
import { addTimeCommands } from './groups/time.ts';
import { addWebhookCommands } from './groups/webhooks.ts';

/** Every command of `sandpiper`, with its options, its help and what it does. */
export function createProgram(workerUrl: URL): Command {
  const program = new Command('sandpiper')
    .description('A whole customer-messaging platform on your own machine: the REST and GraphQL API on localhost.')
    .version(readVersion(), '-V, --version', 'print the version')
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
    });

  addRunCommands(program, workerUrl);
  addTimeCommands(program);
  addWebhookCommands(program);
  addPeopleCommands(program);
  addStateCommands(program);
  addCatalogCommands(program);
  addExamples(program);
  program.addHelpText('after', exitCodesText);
  return program;
}

const exitCodesText = `
Exit codes: 0 done, 1 not done (the message says why), 2 wrong usage; exec ends
as its command does, with 126 if it cannot be run and 127 if there is none with
that name.`;

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
