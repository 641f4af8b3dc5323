import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run, startIn } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const file = 'test/production/clients/styles.ts';

/** The numbers of the lines with a comment at their end, which is where each style sends its request. */
const marked = readFileSync(join(root, file), 'utf8')
  .split('\n')
  .flatMap((line, at) => (/; \/\/ |, \/\/ /.test(line) ? [at + 1] : []));

/** What `exec` says at its end of the requests that were refused: the place of each. */
const placesIn = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/ at (\S+):\d+(?: in “([^”]*)”)?$/gm)].map(([, place = '', name]) =>
    name ? `${place} ${name}` : place,
  );

test('of ten styles of call the line in the TypeScript source is told', async () => {
  const { stderr } = await run(['exec', '--as-production', '--', process.execPath, '--import', 'tsx', file]);
  const [inFunction = 0, fetched = 0, ...rest] = marked;
  expect(placesIn(stderr)).toEqual([fetched, inFunction, ...rest].map((line) => `${file}:${line}`));
});

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-call-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('in vitest the test is told too', async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {};');
  writeFileSync(
    join(folder, 'shop.test.ts'),
    `import { describe, test } from 'vitest';
interface Shop { readonly me: () => Promise<Response> }
const shop: Shop = { me: () => fetch('https://api.attentivemobile.com/v1/me') };
describe('the shop', () => {
  test('asks who it is', async () => void (await shop.me()));
});
`,
  );
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { stderr } = await startIn({ VITEST: '', VITEST_WORKER_ID: '', NODE_OPTIONS: '' }, [
    'exec',
    '--as-production',
    '--',
    process.execPath,
    vitest,
    'run',
    '--root',
    folder,
  ]).ended;
  expect(placesIn(stderr)).toEqual([expect.stringMatching(/shop\.test\.ts:3 the shop > asks who it is$/)]);
});
