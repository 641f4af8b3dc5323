import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { examplesOf } from '../../emulator/commands/groups/examples.ts';
import { createProgram } from '../../emulator/commands/program.ts';

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

const all = commandsOf(createProgram(noWorker), '').map(([words]) => words);

test('every command is among those that are looked at here', () => {
  expect(all).toEqual(expect.arrayContaining(['', 'serve', 'exec', 'explain', 'world', 'catalog fix']));
});

test.for(all)('the help of "sandpiper %s" has examples, fits 80 columns and says what each argument is', (words) => {
  const [, command] = commandsOf(createProgram(noWorker), '').find(([one]) => one === words) ?? [];
  const help = helpOf(command as Command);
  expect(help).toContain('\nExamples:\n  ');
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(command?.registeredArguments.filter(({ description }) => description === '').map((one) => one.name())).toEqual(
    words === 'exec' ? ['command'] : [],
  );
});

/** The words of a line as a shell would give them. */
const toWords = (line: string): string[] =>
  (line.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''));

test.for(all)('what the examples of "sandpiper %s" say can be typed', (words) => {
  for (const line of examplesOf(words)) {
    for (const part of line.split(/&| [|>] ?|<\(|\$\(|\)/).filter((one) => one.trim().startsWith('sandpiper '))) {
      const [, ...typed] = toWords(part.trim());
      const program = createProgram(noWorker);
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

test('the help of the program names the option for its version', () => {
  expect(helpOf(createProgram(noWorker))).toMatch(/^ {2}-V, --version +print the version$/m);
});
