import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { execute } from '../../emulator/commands/execute.ts';
import { examples } from '../../emulator/commands/groups/examples.ts';
import { createProgram } from '../../emulator/commands/program.ts';
import { command } from '../support/command.ts';
import { run } from '../support/process.ts';

const noWorker = new URL('file:///no-worker.js');

/** Every command with its words, the program itself first; those that a help does not list are left out. */
function commandsOf(command: Command, words: string): readonly (readonly [words: string, command: Command])[] {
  const below = command.createHelp().visibleCommands(command);
  return [
    [words, command],
    ...below.filter((one) => one.name() !== 'help').flatMap((one) => commandsOf(one, `${words} ${one.name()}`.trim())),
  ];
}

/** What `--help` prints where the width of the terminal is not known. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 }).outputHelp();
  return text;
}

const all = commandsOf(createProgram(noWorker, process), '').map(([words]) => words);

test('every command is among those that are looked at here', () => {
  expect(all).toEqual(expect.arrayContaining(['', 'serve', 'exec', 'explain', 'world', 'catalog fix']));
});

test.for(all)('the help of "sandpiper %s" has examples, fits 80 columns and says what each argument is', (words) => {
  const [, command] = commandsOf(createProgram(noWorker, process), '').find(([one]) => one === words) ?? [];
  const help = helpOf(command as Command);
  expect(help).toContain('\nExamples:\n  ');
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  // Where a list of commands is not beside it, "the same" says nothing.
  expect(help).not.toMatch(/^the same|display help/m);
  expect(help.includes('print each as a line of JSON')).toBe(['listen', 'logs'].includes(words));
  expect(command?.registeredArguments.filter(({ description }) => description === '').map((one) => one.name())).toEqual(
    words === 'exec' ? ['command'] : [],
  );
});

/** The words of a line as a shell would give them. */
const toWords = (line: string): string[] =>
  (line.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''));

test.for(all)('what the examples of "sandpiper %s" say can be typed', (words) => {
  for (const [line] of examples[words] ?? []) {
    for (const part of line.split(/&| [|>] ?|<\(|\$\(|\)/).filter((one) => one.trim().startsWith('sandpiper '))) {
      const [, ...typed] = toWords(part.trim());
      const program = createProgram(noWorker, process);
      const named = commandsOf(program, '')
        .filter(([one]) => one !== '' && `${typed.join(' ')} `.startsWith(`${one} `))
        .at(-1);
      expect(named, part).toBeDefined();
      const [name = '', command] = named ?? [];
      const { operands, unknown } = (command as Command).parseOptions(typed.slice(name.split(' ').length));
      expect(
        unknown.filter((one) => one !== '--'),
        part,
      ).toEqual(name === 'exec' ? expect.anything() : []);
      const needed = command?.registeredArguments.filter(({ required }) => required).length ?? 0;
      expect(operands.length + unknown.length, part).toBeGreaterThanOrEqual(needed);
    }
  }
});

test.for(all)(
  'on a terminal of 40 columns no line of the help of "sandpiper %s" with a space is wider',
  async (words) => {
    let text = '';
    const stdout = Object.assign(
      new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) }),
      { isTTY: true, columns: 40 },
    );
    await execute([...words.split(' ').filter(Boolean), '--help'], { stdout, stderr: stdout }, noWorker);
    expect(text).toContain('Examples:\n');
    if (words === '') expect(text).toContain('  explain [id]\n      say why a request got its reply:\n      the rule,');
    expect(text.split('\n').filter((line) => line.length > 40 && line.trim().includes(' '))).toEqual([]);
  },
);

test('the list of commands shows the arguments as the usage of the command does', () => {
  const help = helpOf(createProgram(noWorker, process));
  for (const words of all.filter((one) => one !== '' && !one.includes(' '))) {
    const [, command] = commandsOf(createProgram(noWorker, process), '').find(([one]) => one === words) ?? [];
    const [usage = ''] = helpOf(command as Command).split('\n', 1);
    const shown = usage.replaceAll(/^Usage: sandpiper |\[(options|command)\]/g, '').replace(/ +/g, ' ');
    expect(help).toContain(`\n  ${shown.trim()} `);
  }
});

test('the help of the program names the option for its version', () => {
  expect(helpOf(createProgram(noWorker, process))).toMatch(/^ {2}-V, --version +print the version$/m);
});

test.for([
  [['srve'], 'There is no command srve. Did you mean "serve"? See "sandpiper --help".'],
  [['serve', '--prot', '1'], 'There is no option --prot. Did you mean "--port"? See "sandpiper serve --help".'],
  [
    ['serve', '--port', 'many'],
    '"many" is not possible for --port. It takes a whole number from 0 to 65535. See "sandpiper serve --help".',
  ],
  [
    ['serve', '--pace', 'slow'],
    '"slow" is not possible for --pace. Choose one of: instant, realistic, manual. See "sandpiper serve --help".',
  ],
  [['trigger'], 'The argument <event> is missing. See "sandpiper trigger --help".'],
  [
    ['snapshot'],
    'The argument <action> is missing. Choose one of: save, list, restore, delete, export, import. See "sandpiper snapshot --help".',
  ],
  [['world', 'my.yaml'], 'Did you mean "sandpiper world save my.yaml"? See "sandpiper world --help".'],
  [['world', 'my world.yaml'], `Did you mean "sandpiper world save 'my world.yaml'"? See "sandpiper world --help".`],
  [['fire', 'users', 'x'], 'The argument <event> is missing. See "sandpiper fire --help".'],
  [['se\u200brve'], 'There is no command se\\u200brve. Did you mean "serve"? See "sandpiper --help".'],
  [['clock', '\u001b[31mnow'], 'clock takes no argument. Leave out "\\x1b[31mnow". See "sandpiper clock --help".'],
  [['catalog', 'fix'], 'The option --out <file> is missing. See "sandpiper catalog fix --help".'],
  [['exec'], 'The argument <command> is missing. See "sandpiper exec --help".'],
  [['logs', '--filter'], 'The option --filter <filter> has no value. See "sandpiper logs --help".'],
  [['limits', 'real', 'off'], 'limits takes 1 argument. Leave out "off". See "sandpiper limits --help".'],
  [['clock', 'now'], 'clock takes no argument. Leave out "now". See "sandpiper clock --help".'],
  [
    ['clock', 'advance', '1M'],
    'clock takes no argument. Did you mean "sandpiper advance 1M"? See "sandpiper clock --help".',
  ],
  [['fault', 'GET', '/me'], 'fault takes 1 argument. Write it in quotes: "GET /me". See "sandpiper fault --help".'],
  [['fault', 'get', '/me'], 'fault takes 1 argument. Write it in quotes: "get /me". See "sandpiper fault --help".'],
  [['fault', 'clear', 'flt_1'], 'fault takes 1 argument. Did you mean --clear? See "sandpiper fault --help".'],
  [['fault', 'nothing', 'much'], 'fault takes 1 argument. Leave out "much". See "sandpiper fault --help".'],
  [
    ['fault', 'README.md', 'docs'],
    'fault takes 1 argument. Write "*" in quotes, so that the shell does not put file names there. See "sandpiper fault --help".',
  ],
  [['compose', 'Hi', 'Ada'], 'compose takes 1 argument. Write it in quotes: "Hi Ada". See "sandpiper compose --help".'],
  [['freeze', 'off'], 'freeze takes no argument. Did you mean --off? See "sandpiper freeze --help".'],
  [
    ['config', 'valid'],
    '"valid" is not possible for <action>. Choose one of: validate, print. See "sandpiper config --help".',
  ],
  [
    ['explain'],
    'Name one request, or ask for the newest one with --last, for the newest refused one with --refused, or for what happened to a person with --person. See "sandpiper explain --help".',
  ],
  [['help', 'trigger', 'extra'], 'trigger has no commands of its own. See "sandpiper trigger --help".'],
  [
    ['help', 'catalog', 'fxi'],
    'There is no command fxi. Did you mean "fix"? Available: generate, check, xray, fix. See "sandpiper catalog --help".',
  ],
  [
    ['catalog', 'bogus'],
    'There is no command bogus. Available: generate, check, xray, fix. See "sandpiper catalog --help".',
  ],
  [
    ['advance', '-1d'],
    'A duration cannot be negative. --rewind goes back to before the last advance, and --to takes an earlier time. See "sandpiper advance --help".',
  ],
  [
    ['mcp', '--json'],
    'There is no option --json. Available: --data, --url, --token, --help. See "sandpiper mcp --help".',
  ],
  [
    ['records', '--limit', '3'],
    '--limit belongs to a list of records: name a kind and no id, or leave --limit out. See "sandpiper records --help".',
  ],
  [
    ['records', 'offers', '54100', '--limit', '3'],
    '--limit belongs to a list of records: name a kind and no id, or leave --limit out. See "sandpiper records --help".',
  ],
  [
    ['gym', 'http://127.0.0.1:9/', '--acts', ''],
    '"" is not possible for --acts. It takes at least one name. See "sandpiper gym --help".',
  ],
] as const)('"sandpiper %s" is wrong usage, and its one line ends with where the help is', async ([args, line]) => {
  expect(await command(...args)).toMatchObject({ code: 2, stdout: '', stderr: `sandpiper: ${line}\n` });
});

test('a command of which no name is near is told which there are, and none as meant', async () => {
  const { code, stderr } = await command('bogus');
  expect([code, stderr]).toEqual([
    2,
    'sandpiper: There is no command bogus. Often used: serve, exec, listen, logs, trigger. See "sandpiper --help".\n',
  ]);
  expect((await command('help')).stdout).toMatch(/ serve .* exec .* listen .* logs .* trigger /s);
});

test.each([
  ['start', 'serve'],
  ['show', 'logs or records or messages or deliveries'],
  ['send', 'compose or trigger or redeliver'],
  ['save', 'snapshot or world'],
  ['recrods', '"records"'],
] as const)('"sandpiper %s" is told the commands that do this', async (word, commands) => {
  expect((await command(word)).stderr).toContain(`There is no command ${word}. Did you mean ${commands}? See`);
});

test.each(['stop', 'end', 'quit'])('"sandpiper %s" is told how a server ends', async (word) => {
  expect((await command(word)).stderr).toContain(
    `There is no command ${word}. Ctrl+C ends Sandpiper where it runs; freeze stops its clock. See`,
  );
});

test('an empty command is named by its quotes', async () => {
  expect(await command('')).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no command "". ') });
});

test('a variable with a value that its option does not take is named in the line', async () => {
  expect(await run(['serve'], { SANDPIPER_PORT: 'many' })).toMatchObject({
    code: 2,
    stderr:
      'sandpiper: "many" of SANDPIPER_PORT is not possible for --port. It takes a whole number from 0 to 65535. See "sandpiper serve --help".\n',
  });
});

test('help prints the help of a command and of one below it, as --help does', async () => {
  for (const words of [['serve'], ['catalog', 'fix'], []])
    expect(await run(['help', ...words])).toEqual(await run([...words, '--help']));
});
