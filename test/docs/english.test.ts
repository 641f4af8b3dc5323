import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const here = 'test/docs/english.test.ts';

/** Words that comments, messages, tests and documents do not use, and the plain ones to use instead. */
const plainWords: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bmend(?:s|ed|ing)?\b/i, 'repair, fix, correct'],
  [/\bwhoever\b/i, 'anyone who, the person who'],
  [/\b(?:stands|stood)\b/i, 'is, appears'],
  [/\bhurr(?:y|ied|ies)\b/i, 'accelerate'],
  [/\bnobody\b/i, 'no one, no client, no webhook'],
  [/\bsomebody\b/i, 'a person, someone'],
  [/\beverybody\b/i, 'all people, everyone'],
  [/\bin place of\b/i, 'instead of'],
  [/\bfor ever\b/i, 'forever, permanently'],
  [/\bfor good\b/i, 'permanently'],
  [/\b(?:hears?|heard) of\b/i, 'is called with, is notified of'],
  [/\b(?:brings?|brought) about\b/i, 'causes'],
  [/\b(?:came|comes) of\b/i, 'the result, caused by'],
  [/\b(?:goes|go|went|going) out\b/i, 'is sent'],
  [/\b(?:dies|died)\b/i, 'ends, crashes, expires'],
  [/\b(?:null|undefined|none|true|false) where\b/i, 'null if, none if'],
  [/\b(?:struck|strikes)\b/i, 'applies, applied'],
  [/\bbut for\b/i, 'except, apart from'],
  [/\bin the developer's hand\b/i, 'as a developer sets it'],
  [/\bon (?:a )?bad days?\b/i, 'repeated, late'],
  [/(?:\/\*\*|\/\/|^\s*\*) So (?:many|much|long)\b/, 'How many, how much, how long'],
  // “There is no …” is plain, also with the verb in the next line; so are comparisons such as “is no larger”.
  [/(?<=[\w…"')] )(?<!\bthere )(?:is|was|are|were) no (?!more\b|one\b|different\b|\w+er\b)\w/i, 'is not, is not a'],
  [/\bany more(?=[.,;:)])|\b(?:is|was|are|were) (?:not )?[\w-]+ any more\b/i, 'no longer'],
];

/** Texts in which such a word is right: file and a part of the line. */
const allowed: readonly (readonly [file: string, text: string])[] = [
  ['renderer/views/requests/RequestBodies.vue', 'class="nobody"'],
];

/** The comments and the texts for people of a source file, by line; of a document everything but its examples. */
function prose(file: string, text: string): readonly string[] {
  let fenced = false;
  let commented = false;
  return text.split('\n').map((line) => {
    if (file.endsWith('.md')) {
      if (/^\s*```/.test(line)) fenced = !fenced;
      return fenced ? '' : line;
    }
    if (commented || /^\s*(?:\/\*|<!--)/.test(line)) {
      commented = !/\*\/|-->/.test(line);
      return line;
    }
    const comment = /(?:^|\s)(\/\/ .*)$/.exec(line)?.[1] ?? '';
    const strings = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`?/g) ?? [];
    const texts = strings.filter((one) => one.includes(' '));
    const markup = file.endsWith('.vue') && !/^\s*[.#&:@\w-]+(?:\s*[:={(]|\s*$)/.test(line) ? line : '';
    return [comment, ...texts, markup].join('\n').replaceAll(/\$\{[^}]*\}/g, '…');
  });
}

test('sources and documents use plain words', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\n')
    .filter((file) => /\.(?:ts|mjs|vue|md)$/.test(file) && !file.includes('/fixtures/') && file !== here)
    .filter((file) => existsSync(join(root, file)));
  const found = files.flatMap((file) =>
    prose(file, readFileSync(join(root, file), 'utf8')).flatMap((line, at) =>
      plainWords
        .filter(([word]) => word.test(line) && !allowed.some(([of, part]) => of === file && line.includes(part)))
        .map(([word, instead]) => `${file}:${at + 1}: “${word.exec(line)?.[0]}”; write: ${instead}`),
    ),
  );
  expect(found).toEqual([]);
});
