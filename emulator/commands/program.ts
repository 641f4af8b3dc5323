import { Command } from 'commander';
import { readVersion } from '../control/server/version.ts';
import { didYouMean } from '../errors.ts';
import { addExamples } from './groups/examples.ts';
import { addPeopleCommands } from './groups/people.ts';
import { addRunCommands } from './groups/run.ts';
import { addCatalogCommands, addStateCommands } from './groups/state.ts';
import { addTimeCommands } from './groups/time.ts';
import { addWebhookCommands } from './groups/webhooks.ts';
import { toScreen, wrap, type Terminal } from './terminal.ts';
import { seeHelp, UsageError } from './usage.ts';

/** Every command of `sandpiper`, with its options, its help and what it does. @param onReady called when a server is ready */
export function createProgram(workerUrl: URL, terminal: Terminal, onReady = (): void => {}): Command {
  const program = new Command('sandpiper')
    .description('A whole customer-messaging platform on your own machine: the REST and GraphQL API on localhost.')
    .version(readVersion(), '-V, --version', 'print the version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .helpCommand(false)
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
    .hook('preAction', (_program, command) => void command.setOptionValue('terminal', terminal));

  addRunCommands(program, { workerUrl, onReady }, terminal);
  addTimeCommands(program);
  addWebhookCommands(program);
  addPeopleCommands(program);
  addStateCommands(program);
  addCatalogCommands(program);
  addHelpCommand(program);
  addExamples(program);
  program.addHelpText('after', exitCodesText);
  explainErrors(program, terminal);
  return program;
}

/** The words of a command, without the program's: `catalog fix`. */
export function wordsOf(command: Command): string {
  return command.parent === null ? '' : `${wordsOf(command.parent)} ${command.name()}`.trim();
}

function addHelpCommand(program: Command): void {
  program
    .commandsGroup('Help:')
    .command('help')
    .description('print the help of a command')
    .argument('[command...]', 'its words, such as: catalog fix')
    .action((words: readonly string[]) => {
      let found = program;
      for (const word of words) {
        const { commands } = found;
        if (commands.length === 0) throw new UsageError(`${wordsOf(found)} has no commands of its own.`);
        const names = commands.filter((one) => one !== found).map((one) => one.name());
        const next = commands.find((one) => one.name() === word);
        if (!next) throw new UsageError(`There is no command ${word}. ${didYouMean(word, names)}`);
        found = next;
      }
      found.outputHelp();
    });
}

/** Adds to the parser's messages about a command where its help is. */
function explainErrors(command: Command, { stdout, stderr }: Terminal): void {
  const words = wordsOf(command);
  command.configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    outputError: (text, write) =>
      write(`${wrap(`${toOwnWords(text.trimEnd(), command)} ${seeHelp(words)}`, toScreen(stderr, process.env))}\n`),
  });
  for (const below of command.commands) explainErrors(below, { stdout, stderr });
}

const exitCodesText = `
Exit codes: 0 done, 1 not done (the message says why), 2 wrong usage, 130 an
advance that Ctrl+C stopped on the way; exec ends as its command does, with 126
if it cannot be run and 127 if there is none with that name.`;

/** A message of the command parser in the words and the form of the other messages: one line of sentences. */
function toOwnWords(text: string, command: Command): string {
  const said = parserWords.reduce(
    (words, [pattern, own]) =>
      typeof own === 'string'
        ? words.replace(pattern, own)
        : words.replace(pattern, (_said, name: string) => own(name, command)),
    text,
  );
  return said.replace(/^error: /, 'sandpiper: ').replace(/([^.?!])$/, '$1.');
}

/** The parser names the choices of an argument only where a wrong one is given. */
function sayMissing(name: string, { registeredArguments }: Command): string {
  const choices = registeredArguments.find((one) => one.name() === name)?.argChoices;
  return `The argument <${name}> is missing${choices ? `. Choose one of: ${choices.join(', ')}` : ''}`;
}

type OwnWords = string | ((name: string, command: Command) => string);

const parserWords: readonly (readonly [pattern: RegExp, own: OwnWords])[] = [
  [/\n\((Did you mean .*\?)\)$/, '. $1'],
  [/unknown (option|command) '(.*?)'/, 'There is no $1 $2'],
  [/missing required argument '(.*?)'/, sayMissing],
  [/required option '(.*?)' not specified/, 'The option $1 is missing'],
  [/option '(.*?)' argument missing/, 'The option $1 has no value'],
  [/too many arguments(?: for '.*?')?\. Expected 1 argument but got (\d+)/, 'It takes 1 argument, not $1'],
  [/too many arguments(?: for '.*?')?\. Expected (\d+) arguments but got (\d+)/, 'It takes $1 arguments, not $2'],
  [/command-argument value '(.*?)' is invalid for argument '(.*?)'\. /, '"$1" is not possible for <$2>. '],
  [
    /option '(\S+).*?' (?:argument|value) '(.*?)' from env '(.*?)' is invalid\. /,
    '"$2" of $3 is not possible for $1. ',
  ],
  [/option '(\S+).*?' argument '(.*?)' is invalid\. /, '"$2" is not possible for $1. '],
  [/option '(\S+).*?' cannot be used with option '(\S+).*?'$/, '$1 cannot be used with $2'],
  [/Allowed choices are /, 'Choose one of: '],
];
