import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = text('docs/promises.md');

interface Named {
  readonly file: string;
  readonly name: string;
}

/** Each fact, which is the name of a walk in the file that it links to, and the tests that its row names. */
const rows = [...page.matchAll(/^\| \[(.+)\]\(\.\.\/(.+?)\) \|(.*)\|$/gm)].map(
  ([, fact = '', file = '', cell = '']) => [fact, { file, cases: testsIn(cell) }] as const,
);

function testsIn(cell: string): readonly Named[] {
  let file = '';
  return [...cell.matchAll(/`(test\/[\w/.-]+)`|"(.+?)"/g)].flatMap(([, named, name]) => {
    file = named ?? file;
    return name === undefined ? [] : [{ file, name }];
  });
}

test('docs/promises.md has a part for the API, OpenAPI, the command line and safety, and every row leads to a walk', () => {
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['The emulated API', 'OpenAPI', 'Command line and test library', 'Safety and durability']);
  expect(rows).toHaveLength((page.match(/^\| (?!fact|-)/gm) ?? []).length);
});

test('each test of test/promises is a row of docs/promises.md', () => {
  const walks = readdirSync(join(root, 'test/promises')).flatMap((name) => {
    const file = `test/promises/${name}`;
    return [...text(file).matchAll(/^test(?:\.\w+\(.*\))?\(\s*'(.+)',/gm)].map(([, fact]) => `${file}: ${fact}`);
  });
  expect(walks.toSorted()).toEqual(rows.map(([fact, { file }]) => `${file}: ${fact}`).toSorted());
});

test.for(rows)('%s', ([, { cases }]) => {
  expect(cases.filter((one) => !isThere(one))).toEqual([]);
});

/** Whether a file has a test with that title, in the quotes of the source. */
function isThere({ file, name }: Named): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", String.raw`\\?'`);
  return new RegExp(`\\((?:\\s*)(['"\`])${escaped}\\1,`).test(text(file));
}
