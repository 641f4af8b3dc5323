import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, root } from './files.ts';

const files = filesOf('.');

interface Prose {
  readonly path: string;
  /** The comments of a source file, or a document without its fenced examples; line breaks are spaces. */
  readonly text: string;
}

function toProse(path: string): Prose {
  const text = readFileSync(join(root, path), 'utf8');
  const prose = path.endsWith('.md')
    ? text.replaceAll(/^```[\s\S]*?^```/gm, '')
    : [...text.matchAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<![:'"`])\/\/ .*$/gm)]
        .map(([comment]) => comment)
        .join('\n');
  return { path, text: prose.replaceAll(/\n\s*(?:\*(?!\*)|\/\/)?\s*/g, ' ') };
}

const prose = files.filter((path) => /\.(?:md|ts|vue|mjs|css)$/.test(path)).map(toProse);

/** Files that docs/adding.md says to create, and the one that users write. */
const examples = /back-in-stock|[aA]lerts|sandpiper\.config\.ts/;

/** A citation may be a path from the root or from the citing file, or the end of a path. */
function isThere(cited: string, citing: string): boolean {
  return (
    existsSync(join(root, cited)) ||
    existsSync(join(root, dirname(citing), cited)) ||
    files.some((path) => path === cited || path.endsWith(`/${cited}`))
  );
}

test('comments and documents name only files in the repository', () => {
  const missing = prose.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w<>*/@.-])(?:\.{1,2}\/)*[\w][\w./-]*\.(?:md|ts|vue|mjs|css)\b(?![\w*-])/g)]
      .map(([cited]) => cited)
      .filter((cited) => !examples.test(cited) && !isThere(cited, path))
      .map((cited) => `${path}: ${cited}`),
  );
  expect(missing).toEqual([]);
});

test('comments and documents name only folders in the repository', () => {
  const missing = prose.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/.-])(?:emulator|renderer|electron|test|docs|examples|bin)(?:\/[\w-]+)*\/(?![\w*<.{$])/g)]
      .map(([cited]) => cited)
      .filter((cited) => !existsSync(join(root, cited)))
      .map((cited) => `${path}: ${cited}`),
  );
  expect(missing).toEqual([]);
});

test('every link of a document leads to a file', () => {
  const broken = prose
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
  expect(broken).toEqual([]);
});

test('a cited topic ("docs/platform.md, Subscriptions") is a heading of that document', () => {
  const headings = new Map(
    files
      .filter((path) => path.startsWith('docs/') && path.endsWith('.md'))
      .map((path) => [
        path,
        [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading),
      ]),
  );
  const cited = prose.flatMap(({ path, text }) =>
    [...text.matchAll(/(docs\/[\w/-]+\.md), (?=[A-Z])(.{1,80})/g)].map(([, document = '', topic = '']) => ({
      path,
      document,
      topic,
    })),
  );
  expect(cited.length).toBeGreaterThan(40);
  const unknown = cited.filter(
    ({ document, topic }) => !headings.get(document)?.some((heading) => topic.startsWith(heading)),
  );
  expect(unknown).toEqual([]);
});

test('every document is reached from README.md', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const { text } = toProse(path);
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+\.md)/g))
      reached.add(relative(root, join(root, dirname(path), target)));
  }
  const documents = files.filter((path) => path.startsWith('docs/') && path.endsWith('.md'));
  expect(documents.filter((path) => !reached.has(path)).map((path) => basename(path))).toEqual([]);
});
