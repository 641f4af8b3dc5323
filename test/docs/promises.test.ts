import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Fact → the tests that its row names. */
const rows = [...text('docs/promises.md').matchAll(/^\| ([^|]+) \| (`test\/.+) \|$/gm)].map(
  ([, fact = '', cell = '']) => [fact, testsIn(cell)] as const,
);

function testsIn(cell: string): readonly { readonly file: string; readonly name: string }[] {
  let file = '';
  return [...cell.matchAll(/`(test\/[\w/.-]+)`|"(.+?)"/g)].flatMap(([, named, name]) => {
    file = named ?? file;
    return name === undefined ? [] : [{ file, name }];
  });
}

test('docs/promises.md has a part for the API, OpenAPI, the command line and safety, and every row names a test', () => {
  const headings = [...text('docs/promises.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['The emulated API', 'OpenAPI', 'Command line and test library', 'Safety and durability']);
  const lines = text('docs/promises.md').match(/^\| (?!fact|-)/gm) ?? [];
  expect(rows).toHaveLength(lines.length);
});

test.for(rows)('%s', ([, tests]) => {
  expect(tests.length).toBeGreaterThan(0);
  for (const { file, name } of tests) {
    // As the title of a test, in the quotes of the source.
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", String.raw`\\?'`);
    expect(text(file), `${file}: ${name}`).toMatch(new RegExp(`\\((?:\\s*)(['"\`])${escaped}\\1,`));
  }
});
