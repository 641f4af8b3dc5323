import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../emulator/commands/program.ts';
import { calls, streams } from '../../emulator/control/calls.ts';
import { collectionNames } from '../../emulator/records.ts';
import { toKind } from '../../emulator/records/kind.ts';
import { filesOf, root } from './files.ts';

const sources = ['emulator', 'renderer', 'electron', 'bin'];
const documents = ['docs', 'examples', 'packaging', 'README.md', 'SKILL.md', 'SECURITY.md', 'llms.txt'];

interface Text {
  readonly path: string;
  readonly text: string;
}

function textsOf(names: readonly string[]): readonly Text[] {
  return names
    .flatMap(filesOf)
    .filter((path) => /\.(?:ts|vue|cjs|mjs|md|txt|ya?ml|sh)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** What docs/adding.md adds as its examples. */
const example = 'alerts';
const kinds = collectionNames.map(toKind) as readonly string[];

/** What a reader has to fill in: `${id}`, `ID`, `<id>`, `…`. */
const isOpen = (word: string): boolean => /\$|[<>…{]/.test(word) || /^[A-Z_]+$/.test(word);

/** Why a person cannot type it, or null. */
function whyNot(line: string): string | null {
  let command: Command = createProgram(new URL('file:///no-worker.js'), process);
  const words = (line.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((word) => word.replaceAll('"', ''));
  while (command.commands.length > 0 && words.length > 0) {
    const [word = ''] = words;
    if (isOpen(word) || word.startsWith('-') || word === example) return null;
    const next = command.commands.find((one) => one.name() === word);
    if (!next) return `there is no command ${word}`;
    command = next;
    words.shift();
  }
  for (const word of words) {
    if (word === '--') break;
    const [name = ''] = word.split('=');
    if (
      name.startsWith('-') &&
      !command.options.some(({ short, long }) => short === name || long === name) &&
      !/^(?:-h|--help|--version)$/.test(name)
    )
      return `there is no option ${name}`;
  }
  const [first = '-'] = words;
  const { argChoices } = command.registeredArguments[0] ?? {};
  const choices = command.name() === 'records' || command.name() === 'fire' ? kinds : argChoices;
  if (choices && !isOpen(first) && !first.startsWith('-') && !choices.includes(first))
    return `${first} is none of ${choices.join(', ')}`;
  return null;
}

test('every command that a message, the window or a document names can be typed', () => {
  const inMessages = textsOf(sources).flatMap(({ path, text }) =>
    [...text.matchAll(/["“]sandpiper ([^"”\n]+)["”]/g)].map(([, line = '']) => ({ path, line })),
  );
  const inDocuments = textsOf(documents).flatMap(({ path, text }) =>
    [...text.matchAll(/(?:^|`|&& |\$ )(?:npx )?sandpiper ([a-z][^`\n#|>&]*)/gm)].map(([, line = '']) => ({
      path,
      line,
    })),
  );
  expect([inMessages.length > 40, inDocuments.length > 80]).toEqual([true, true]);
  const wrong = [...inMessages, ...inDocuments].flatMap(({ path, line }) => {
    const why = whyNot(line.trim());
    return why === null ? [] : [`${path}: "sandpiper ${line.trim()}": ${why}`];
  });
  expect(wrong).toEqual([]);
});

test('every call of the control API that a message, a comment or a document names exists', () => {
  const withoutNames = (call: string): string => call.replaceAll(/\{\w+\}/g, '{}');
  const known = new Set([...Object.keys(calls), ...Object.keys(streams)].map(withoutNames));
  const named = textsOf([...sources, ...documents]).flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/control\/[\w/{}-]*[\w}](?:\.json)?/g)].map(([call]) => ({
      path,
      call,
    })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(
    named
      .filter(({ call }) => !known.has(withoutNames(call)) && !call.endsWith(`/${example}`))
      .map(({ path, call }) => `${path}: ${call}`),
  ).toEqual([]);
});
