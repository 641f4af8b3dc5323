import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './files.ts';

test('the map of the code in CONTRIBUTING.md has a line for each folder, and for no other', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const named = [...page.matchAll(/^\| `((?:electron|emulator|renderer|test)\/[\w-]*\/?)` \|/gm)].map(
    ([, name]) => name,
  );
  const folders = ['electron', 'emulator', 'renderer', 'test'].flatMap((name) => [
    ...(name === 'test' ? [] : [`${name}/`]),
    ...readdirSync(join(root, name), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${name}/${entry.name}/`),
  ]);
  expect(named.toSorted(), 'Write one line for each folder under "Where things are"').toEqual(folders.toSorted());
});
