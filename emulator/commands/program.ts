import { existsSync } from 'node:fs';
import { Command, Help } from 'commander';
import { toAmount } from '../contract/digits.ts';
import { toPrintableLine } from '../contract/printable.ts';
import { readVersion } from '../control/server/version.ts';
import { didYouMean, meantBy } from '../errors.ts';
import { addExamples } from './groups/examples.ts';
import { addPeopleCommands } from './groups/people.ts';
import { addRunCommands } from './groups/run.ts';
import { addCatalogCommands, addStateCommands } from './groups/state.ts';
import { addTimeCommands } from './groups/time.ts';
import { addWebhookCommands } from './groups/webhooks.ts';
import { toScreen, wrap, type Terminal } from './terminal.ts';
import { seeHelp } from './usage.ts';

/**
 * Creates every command of `sandpiper`, with its options, its help and its action.
 * @param onReady called when a server is ready
 */
export function createProgram(workerUrl: URL, terminal: Terminal, onReady = (): void => {}): Command {
  const program = new Command('sandpiper')
    .description('A whole customer-messaging platform on your own machine: the REST and GraphQL API on localhost.')
    .version(readVersion(), '-V, --version', 'print the version')
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'print this help')
    // Names without "[options]", and narrow columns, so that the list is wrapped well on 80 columns.
    .configureHelp({
      minWidthToWrap: 20,
      formatItem,
      subcommandTerm: (command) =>
        `${command.name()} ${command
          .usage()
          .replaceAll(/\[(?:options|command)\]/g, '')
          .trim()}`.trim(),
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

/** Formats a line of a list. If the descriptions do not fit beside the names, each is below its name. */
function formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const columns = this.helpWidth ?? 80;
  if (columns - termWidth - 4 >= this.minWidthToWrap || description === '')
    return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
  return [`  ${term}`, ...helper.boxWrap(description, columns - 6).split('\n')].join('\n      ');
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
        if (commands.length === 0) found.error(`error: ${wordsOf(found)} has no commands of its own.`);
        found = commands.find((one) => one.name() === word) ?? found.error(`error: unknown command '${word}'`);
      }
      found.outputHelp();
    });
}

/** Adds to the parser's messages about a command where to find its help. */
function explainErrors(command: Command, { stdout, stderr }: Terminal): void {
  const words = wordsOf(command);
  command.configureOutput({
    getOutHelpWidth: () => (stdout.isTTY ? (stdout.columns ?? 80) : 80),
    // On a narrow terminal the parser does not wrap at all, and text in a fixed form is too wide.
    writeOut: (text) => void stdout.write(wrap(text, toScreen(stdout, process.env))),
    writeErr: (text) => void stderr.write(text),
    outputError: (text, write) => {
      const says = toPrintableLine(`${toOwnWords(text.trimEnd(), command)} ${seeHelp(words)}`);
      write(`${wrap(says, toScreen(stderr, process.env))}\n`);
    },
  });
  for (const below of command.commands) explainErrors(below, { stdout, stderr });
}

const exitCodesText = `
Exit codes: 0 done, 1 not done (the message says why), 2 wrong usage, 130 an
advance that Ctrl+C stopped on the way. exec exits with the code of its command,
with 126 if it cannot be run and with 127 if it does not exist.`;

/** Rewords a message of the command parser in the form of the other messages: one line of sentences. */
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

/**
 * Says which argument is missing. The parser names the choices of an argument only if a wrong one is given and no later
 * argument is missing.
 */
function sayMissing(name: string, command: Command): string {
  const { registeredArguments, args } = command;
  for (const [at, { argChoices, name: nameOf }] of registeredArguments.entries()) {
    const given = args[at];
    if (!argChoices || given === undefined || argChoices.includes(given)) continue;
    const [only, ...others] = argChoices;
    return only !== undefined && others.length === 0
      ? `Did you mean "sandpiper ${wordsOf(command)} ${asTyped([...args.slice(0, at), only, ...args.slice(at)])}"?`
      : `"${given}" is not possible for <${nameOf()}>. Choose one of: ${argChoices.join(', ')}`;
  }
  const choices = registeredArguments.find((one) => one.name() === name)?.argChoices;
  return `The argument <${name}> is missing${choices ? `. Choose one of: ${choices.join(', ')}` : ''}`;
}

/** The commands that a hint names. The help lists all of them, about forty. */
const oftenUsed = ['serve', 'exec', 'listen', 'logs', 'trigger'];

/** Words that people use for the end of a server, for which there is no command. */
const toEnd = ['stop', 'end', 'quit', 'exit', 'kill', 'shutdown', 'down'];

/** Words that people use for a command, or for one of a few, that has another name. */
const otherWords: { readonly [commands: string]: string } = {
  serve: 'start up server',
  exec: 'run test',
  listen: 'watch tail follow',
  'logs or explain': 'log requests history',
  'logs or records or messages or deliveries': 'show list ls get view',
  'ready or doctor': 'status check health ping',
  'clock or advance': 'time now wait sleep',
  'compose or trigger or redeliver': 'send',
  'trigger or deliveries': 'emit event events webhook webhooks',
  redeliver: 'retry resend replay',
  'compose or messages': 'text sms email campaign',
  fire: 'move transition',
  'snapshot or world': 'save restore load backup import export',
  'undo or advance': 'revert rollback rewind',
  reset: 'clear clean wipe seed',
  'catalog or config': 'validate generate',
};

/** Suggests the command with a similar name, or the one that people mean by the word, such as `serve` for `start`. */
function sayUnknownCommand(name: string, command: Command): string {
  // Without the hidden commands, and without the help command that the parser adds.
  const known = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => command.commands.includes(one));
  const names = known.map((one) => one.name());
  const [meant] = Object.entries(otherWords).find(([, words]) => words.split(' ').includes(name)) ?? [];
  const instead = (): string => {
    if (command.parent === null && toEnd.includes(name))
      return 'Ctrl+C ends Sandpiper where it runs; freeze stops its clock.';
    if (command.parent === null && meant !== undefined) return `Did you mean ${meant}?`;
    if (command.parent !== null || meantBy(name, names) !== null) return didYouMean(name, names);
    return `Often used: ${oftenUsed.join(', ')}.`;
  };
  return `There is no command ${name === '' ? '""' : name}. ${instead()}`;
}

function sayUnknownOption(name: string, command: Command): string {
  if (command.name() === 'advance' && /^-\d/.test(name))
    return 'A duration cannot be negative. --rewind goes back to before the last advance, and --to takes an earlier time.';
  const known = command.createHelp().visibleOptions(command);
  return `There is no option ${name}. ${didYouMean(
    name,
    known.flatMap(({ long }) => long ?? []),
  )}`;
}

/** Explains the words that are too many: they may be a command, or an option without its dashes. */
function sayTooMany(expected: string, command: Command): string {
  const { args, options } = command;
  const extra = args.slice(Number(expected));
  const takes = `${wordsOf(command)} takes ${expected === '0' ? 'no argument' : toAmount(Number(expected), 'argument')}.`;
  const [word = ''] = extra;
  const quoted = sayQuoted(command);
  if (quoted !== null) return `${takes} ${quoted}`;
  const option = args.map((one) => `--${one}`).find((name) => options.some(({ long }) => long === name));
  if (option !== undefined) return `${takes} Did you mean ${option}?`;
  if (expected === '0' && command.parent?.commands.some((one) => one.name() === word))
    return `${takes} Did you mean "sandpiper ${asTyped(extra)}"?`;
  return `${takes} Leave out "${extra.join(' ')}"`;
}

/** Words as a person types them in a shell. */
function asTyped(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `'${word}'` : word)).join(' ');
}

/** Suggests quotes. Without them a shell splits an argument at its spaces, and replaces `*` with file names. */
function sayQuoted(command: Command): string | null {
  const { args } = command;
  const isFault = command.name() === 'fault';
  const isSplit = command.name() === 'compose' || (isFault && /^(?:get|post|put|patch|delete)$/i.test(args[0] ?? ''));
  if (isSplit) return `Write it in quotes: "${args.join(' ')}"`;
  return isFault && args.every((one) => existsSync(one))
    ? 'Write "*" in quotes, so that the shell does not put file names there'
    : null;
}

type OwnWords = string | ((name: string, command: Command) => string);

const parserWords: readonly (readonly [pattern: RegExp, own: OwnWords])[] = [
  [/unknown command '(.*?)'/, sayUnknownCommand],
  [/unknown option '(.*?)'/, sayUnknownOption],
  [/missing required argument '(.*?)'/, sayMissing],
  [/required option '(.*?)' not specified/, 'The option $1 is missing'],
  [/option '(.*?)' argument missing/, 'The option $1 has no value'],
  [/too many arguments(?: for '.*?')?\. Expected (\d+) .*$/, sayTooMany],
  [/command-argument value '(.*?)' is invalid for argument '(.*?)'\. /, '"$1" is not possible for <$2>. '],
  [
    /option '(\S+).*?' (?:argument|value) '(.*?)' from env '(.*?)' is invalid\. /,
    '"$2" of $3 is not possible for $1. ',
  ],
  [/option '(\S+).*?' argument '(.*?)' is invalid\. /, '"$2" is not possible for $1. '],
  [/option '(\S+).*?' cannot be used with option '(\S+).*?'$/, '$1 cannot be used with $2'],
  [/Allowed choices are /, 'Choose one of: '],
];
