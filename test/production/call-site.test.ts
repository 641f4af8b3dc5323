import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startIn } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const file = 'test/production/clients/styles.ts';
const runners = 'test/production/clients/runners';

/** What each style of call is, and the line in the TypeScript source that sends its request: the one that ends in its name. */
const styles = readFileSync(join(root, file), 'utf8')
  .split('\n')
  .flatMap((line, at) => {
    const [, name] = /[;,] \/\/ (.+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, line: at + 1 }];
  });

/** What `exec` says of the requests that were refused: the place and the test of each. */
const refusedIn = (stderr: string) =>
  [...stderr.matchAll(/ at (\S+):\d+ in “([^”]*)”$/gm)].map(([, place, name]) => ({ place, name }));

const node = process.execPath;
const jestOptions = '--experimental-vm-modules --no-warnings';

test.for([
  [
    'vitest',
    'styles > ',
    '',
    [node, 'node_modules/vitest/vitest.mjs', 'run', '--config', `${runners}/vitest.config.mjs`],
  ],
  ['node:test', 'styles > ', '', [node, '--import', 'tsx', '--test', `${runners}/node-test.ts`]],
  ['jest', 'styles ', jestOptions, [node, 'node_modules/jest/bin/jest.js', '--config', `${runners}/jest.config.mjs`]],
] as const)(
  'line and test are exact for ten styles of call in TypeScript, run by %s',
  async ([, prefix, options, words]) => {
    expect(styles).toHaveLength(10);
    // What the runner around this test has set for its own.
    const env = { VITEST: '', VITEST_WORKER_ID: '', NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: options };
    const { stdout, stderr, code } = await startIn(env, ['exec', '--as-production', '--', ...words]).ended;
    const byName = (list: readonly { readonly name?: string | undefined }[]) =>
      list.toSorted((one, other) => String(one.name).localeCompare(String(other.name)));
    expect(byName(refusedIn(stderr)), stdout + stderr).toEqual(
      byName(styles.map(({ name, line }) => ({ place: `${file}:${line}`, name: prefix + name }))),
    );
    expect(code).toBe(0);
  },
);
