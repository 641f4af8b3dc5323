import type { Argument, Command, Option } from 'commander';
import type { ControlClient } from '../control/client/control-client.ts';
import { toPrintableLine } from '../contract/printable.ts';
import { filesMark } from './completion.ts';
import { connect } from './connect.ts';
import { connectionVariables, toConnection, toNames } from './connection.ts';
import type { Terminal } from './terminal.ts';

/** A word that fits, and what it means. */
type Word = readonly [word: string, says: string];
type Words = readonly Word[] | typeof filesMark;

/**
 * Asks the running emulator for words.
 * @param before the positional words before the one that is completed
 */
type Ask = (client: ControlClient, before: readonly string[]) => Promise<readonly Word[]>;

const kinds: Ask = async (client) =>
  (await client.call('GET /control/record-kinds')).kinds.map(({ kind, many }) => [kind, many]);
const idsOf =
  (kind: string): Ask =>
  async (client) => {
    const { records } = await client.call('GET /control/records/{kind}', { params: { kind }, query: { last: 200 } });
    return records.map((one) => [one.id, 'state' in one ? String(one.state) : 'name' in one ? String(one.name) : '']);
  };
const requests: Ask = async (client) =>
  (await client.call('GET /control/requests', { query: { limit: 50 } })).requests
    .toReversed()
    .map(({ id, method, url, status }) => [id, `${status ?? 'no answer'} ${method} ${url}`]);
const moves: Ask = async (client, [kind = '', id = '']) => {
  const record = await client.call('GET /control/records/{kind}/{id}', { params: { kind, id } });
  return record.moves.filter(({ open }) => open).map(({ event, to }) => [event, `to ${to}`]);
};

/** Command and argument, or command and option → the words that only a running emulator knows. */
const asked: { readonly [place: string]: Ask } = {
  'records kind': kinds,
  'records id': (client, [kind = '']) => idsOf(kind)(client, []),
  'fire kind': kinds,
  'fire id': (client, [kind = '']) => idsOf(kind)(client, []),
  'fire event': moves,
  'explain id': requests,
  'act message': idsOf('messages'),
  'redeliver id': idsOf('deliveries'),
  'enable webhook': idsOf('webhooks'),
  'rotate webhook': idsOf('webhooks'),
  'gym receiver': idsOf('webhooks'),
  'trigger to': idsOf('webhooks'),
  'deliveries webhook': idsOf('webhooks'),
  'trigger event': async (client) =>
    (await client.call('GET /control/event-types')).types.map(({ type }) => [type, '']),
  'snapshot name': async (client) =>
    (await client.call('GET /control/snapshots')).snapshots.map(({ name }) => [name, '']),
  'undo id': async (client) => (await client.call('GET /control/undo')).undo.map(({ id, says }) => [id, says]),
};

/**
 * `sandpiper complete -- WORDS`: prints the words that can replace the last one, one on each line, with a tab before
 * the meaning. Without a running emulator, kinds and ids are left out.
 */
export async function complete(program: Command, typed: readonly string[], { stdout }: Terminal): Promise<void> {
  const words = joinEquals(typed);
  const last = words.at(-1) ?? '';
  const [, option, value = ''] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
  const before = words.slice(0, -1);
  const ofValue = option === undefined ? null : await wordsFor(program, [...before, option], value);
  const found =
    ofValue === null || ofValue === filesMark
      ? (ofValue ?? (await wordsFor(program, before, last)))
      : ofValue.map(([word, says]) => [`${option}=${word}`, says] as const);
  const lines =
    found === filesMark
      ? [filesMark]
      : found.filter(([word]) => word.startsWith(last)).map(([word, says]) => `${toLine(word)}\t${toLine(says)}`);
  stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** Bash splits `--pace=manual` into three words. */
function joinEquals(words: readonly string[]): readonly string[] {
  return words.filter((word, at) => word !== '=' || at === 0 || !words[at - 1]?.startsWith('--'));
}

const toLine = (text: string): string => toPrintableLine(text).slice(0, 100);

async function wordsFor(program: Command, before: readonly string[], last: string): Promise<Words> {
  const [name, ...given] = before;
  if (name === undefined) return commandsOf(program);
  if (name === 'help') return commandsBelow(program, given);
  const command = program.commands.find((one) => one.name() === name);
  if (!command) return [];
  if (command.commands.length > 0) return wordsFor(command, given, last);
  const { option, positional, isOther } = readGiven(command, given);
  // After `exec`, the rest is another command.
  if (isOther) return filesMark;
  if (option) return valuesOf(command, option.argChoices, option.attributeName(), positional, given);
  if (last.startsWith('-')) return optionsOf(command);
  const argument = command.registeredArguments[positional.length] ?? lastVariadic(command);
  return argument ? valuesOf(command, argument.argChoices, argument.name(), positional, given) : optionsOf(command);
}

const lastVariadic = ({ registeredArguments }: Command): Argument | undefined =>
  registeredArguments.findLast(({ variadic }) => variadic);

/** The commands that may follow the words of a command; none if the words do not name one. */
function commandsBelow(command: Command, [name, ...more]: readonly string[]): readonly Word[] {
  if (name === undefined) return commandsOf(command);
  const next = command.commands.find((one) => one.name() === name);
  return next ? commandsBelow(next, more) : [];
}

function commandsOf(program: Command): readonly Word[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map((one) => [one.name(), one.description()]);
}

function optionsOf(command: Command): readonly Word[] {
  return command.options.flatMap((one) => (one.long && !one.hidden ? [[one.long, one.description] as const] : []));
}

/** Finds the arguments among the words before, and the option whose value comes next. */
function readGiven(command: Command, given: readonly string[]) {
  const positional: string[] = [];
  const passes = command.registeredArguments[0]?.name() === 'command';
  let waiting: Option | undefined;
  for (const word of given) {
    if (waiting) waiting = undefined;
    else if (word === '--') return { option: undefined, positional, isOther: passes };
    else if (word.startsWith('-')) {
      const option = command.options.find(({ long, short }) => long === word || short === word);
      waiting = option?.required ? option : undefined;
    } else positional.push(word);
    if (passes && positional.length > 0) return { option: undefined, positional, isOther: true };
  }
  return { option: waiting, positional, isOther: false };
}

/** How long Tab waits for an emulator, in milliseconds. */
const patienceMs = 2_000;

async function valuesOf(
  command: Command,
  choices: readonly string[] | undefined,
  name: string,
  positional: readonly string[],
  given: readonly string[],
): Promise<Words> {
  if (choices) return choices.map((choice) => [choice, '']);
  const ask = asked[`${command.name()} ${name}`];
  if (!ask) return takesFile(command, name) ? filesMark : [];
  try {
    const signal = AbortSignal.timeout(patienceMs);
    return await ask(connect({ ...(await connectionOf(given)), signal }), positional);
  } catch {
    // Without an emulator nothing is completed, because an error would appear in the line that a person types.
    return [];
  }
}

function takesFile(command: Command, name: string): boolean {
  const option = command.options.find((one) => one.attributeName() === name);
  return /<(?:file|folder)>/.test(option?.flags ?? '') || name === 'file' || name === 'command';
}

/** The emulator that the words before name, else the variables, else the config file. */
function connectionOf(given: readonly string[]): ReturnType<typeof toConnection> {
  const line = toNames((name) => {
    const at = given.lastIndexOf(`--${name}`);
    return at < 0 ? undefined : given[at + 1];
  });
  return toConnection(
    line,
    toNames((name) => process.env[connectionVariables[name]]),
  );
}
