import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, resolve, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { fromFolder } from '../../emulator/production/frames.ts';
import { startIn } from '../support/process.ts';
import { freshFolder } from '../support/world.ts';

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

test.for([
  ['C:\\work\\shop', 'C:\\work\\shop\\src\\pay.ts', 'src\\pay.ts', win32],
  ['c:\\work\\shop', 'C:/work/shop/src/pay.ts', 'src\\pay.ts', win32],
  ['C:\\work\\shop', 'D:\\lib\\pay.ts', 'D:\\lib\\pay.ts', win32],
  ['C:\\work\\shop', 'C:\\work\\shops\\pay.ts', 'C:\\work\\shops\\pay.ts', win32],
  ['/work/shop', '/work/shop/src/pay.ts', 'src/pay.ts', posix],
  ['/work/shop', '/work/shops/pay.ts', '/work/shops/pay.ts', posix],
  ['/work/shop', 'webpack-internal:///./pay.ts', 'webpack-internal:///./pay.ts', posix],
] as const)('in %s the file %s is named %s', ([folder, path, name, system]) => {
  expect(fromFolder(folder, path, system)).toBe(name);
});

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

test('a test whose name is cut inside an emoji, or very long, has its requests answered', async () => {
  const ask = `
    const test = require('node:test');
    const ask = async () => {
      const { get } = require('node:https');
      const url = 'https://api.attentivemobile.com/v1/me';
      const byGet = await new Promise((done) => get(url, (answer) => done(answer.resume().statusCode)));
      process.stderr.write('answers ' + (await fetch(url)).status + ' ' + byGet + '\\n');
    };
    test('half \\ud83d of it', ask);
    test('x' + '\\u{1f600}'.repeat(20_000), ask);`;
  const { stderr } = await startIn({}, ['exec', '--as-production', '--', node, '-e', ask]).ended;
  expect(stderr.match(/^answers .*$/gm), stderr).toEqual(['answers 401 401', 'answers 401 401']);
  const names = refusedIn(stderr).map(({ name }) => name);
  expect(names).toEqual([
    'half \uFFFD of it',
    'half \uFFFD of it',
    ...Array<string>(2).fill(`x${'\u{1F600}'.repeat(249)}`),
  ]);
});

test('the requests of a program that replaces how stacks are written are answered', async () => {
  const ask = `
    const { get } = require('node:https');
    const url = 'https://api.attentivemobile.com/v1/me';
    const byGet = () => new Promise((done) => get(url, (answer) => done(answer.resume().statusCode)));
    const ask = async () => process.stderr.write('answers ' + (await fetch(url)).status + ' ' + (await byGet()) + '\\n');
    (async () => {
      Error.prepareStackTrace = (_, frames) => frames;
      await ask();
      Error.prepareStackTrace = () => { throw new Error('no stack'); };
      await ask();
    })();`;
  const { stderr } = await startIn({}, ['exec', '--as-production', '--', node, '-e', ask]).ended;
  expect(stderr.match(/^answers .*$/gm), stderr).toEqual(['answers 401 401', 'answers 401 401']);
});

/** The places that `exec` names of the refused requests of a program outside of tests. */
const placesIn = (stderr: string) => [...stderr.matchAll(/ at (\S+)$/gm)].map(([, place]) => place);

test('the line is that of the source where a development server does not map the stacks of what it compiled', async () => {
  const source = join(root, 'app/(shop)/page.ts');
  // Of the third line that is compiled, the eighth of the source.
  const map = { version: 3, sources: [pathToFileURL(source).href], names: [], mappings: ';;AAOA' };
  const inline = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  const notes = { sourceMappingURL: inline, sourceURL: 'webpack-internal:///(rsc)/./app/(shop)/page.ts' };
  const compiled = [
    '// Compiled.',
    '',
    "fetch('https://api.attentivemobile.com/v1/me');",
    ...Object.entries(notes).map(([name, value]) => `//# ${name}=${value}`),
  ].join('\n');
  const serve = `
    Error.prepareStackTrace = (error, frames) => [error, ...frames.map((frame) => '    at ' + frame)].join('\\n');
    (0, eval)(${JSON.stringify(compiled)});`;
  const run = startIn({}, ['exec', '--as-production', '--', node, '--enable-source-maps', '-e', serve]);
  const { stderr } = await run.ended;
  expect(placesIn(stderr), stderr).toEqual(['app/(shop)/page.ts:8:1']);
});

test.for([
  ['a function', `new (async () => {}).constructor('fetch', code)(fetch)`, "'use strict';\n"],
  ['a text', `require('node:vm').runInThisContext('(async () => {' + code + '\\n})', { filename })()`, '\n\n\n'],
])('the line is that of the source in what a development server evaluates as %s with a map', async ([, run, above]) => {
  const filename = join(root, 'app/(shop)/page.ts');
  // What is the fifth line, with those of a function around it, is the eighth of the source.
  const map = { version: 3, sources: ['page.ts'], names: [], mappings: ';;;;AAOA' };
  const notes = {
    sourceURL: filename,
    sourceMappingURL: `data:application/json,${encodeURIComponent(JSON.stringify(map))}`,
  };
  const code = [
    above,
    "await fetch('https://api.attentivemobile.com/v1/me');",
    ...Object.entries(notes).map(([name, value]) => `//# ${name}=${value}`),
  ].join('\n');
  const serve = `const [filename, code] = ${JSON.stringify([filename, code])}; ${run};`;
  const { stderr } = await startIn({}, ['exec', '--as-production', '--', node, '-e', serve]).ended;
  expect(placesIn(stderr), stderr).toEqual(['app/(shop)/page.ts:8:1']);
});

test('a request of code whose name, or that of its source, is no file of this system is answered', async () => {
  const [elsewhere, path] = ['file://build-server/shop.ts', join(root, 'shop.js')];
  const map = { version: 3, sources: [elsewhere], names: [], mappings: ';;AAOA' };
  const notes = [
    [`//# sourceURL=${elsewhere}`],
    [`//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(map))}`, `//# sourceURL=${path}`],
  ];
  const codes = notes.map((lines) => ["await fetch('https://api.attentivemobile.com/v1/me');", ...lines].join('\n'));
  const serve = `const [one, two] = ${JSON.stringify(codes)}.map((code) => new (async () => {}).constructor(code)); one().then(two);`;
  const { code, stderr } = await startIn({}, ['exec', '--as-production', '--', node, '-e', serve]).ended;
  expect([code, placesIn(stderr)], stderr).toEqual([0, [`${elsewhere}:3:7`, `${elsewhere}:8:1`]]);
});

test('what makes functions from texts looks as in Node', async () => {
  const look = `
    const vm = require('node:vm');
    const Made = (async () => {}).constructor;
    const made = new (class extends Made {})('one', 'return one');
    console.log(JSON.stringify([Made.name, Made.length, made instanceof Made, (async () => {}) instanceof Made,
      vm.runInThisContext.name, vm.runInThisContext.length, vm.runInThisContext('1 + 1')]));
    made(vm.runInThisContext('2 + 2', 'sum.js')).then(console.log);`;
  const { stdout } = await startIn({}, ['exec', '--as-production', '--quiet', '--', node, '-e', look]).ended;
  expect(stdout).toBe('["AsyncFunction",1,true,true,"runInThisContext",2,2]\n4\n');
});

test('the line is in a folder that has brackets in its name', async () => {
  const folder = join(freshFolder(), 'a (b)', '(shop)');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'page.mjs');
  writeFileSync(
    file,
    `const url = 'https://api.attentivemobile.com/v1/me';
     await fetch(url);
     const ask = async () => fetch(url);
     await ask();`,
  );
  const { stderr } = await startIn({}, ['exec', '--as-production', '--', node, file]).ended;
  expect(
    [...stderr.matchAll(/ at (\/.*):\d+$/gm)].map(([, place]) => place),
    stderr,
  ).toEqual([`${file}:2`, `${file}:3`]);
});

const gotFile = 'test/production/clients/got-versions.mjs';
/** The lines of a version's calls in that file, by the comment at their end. */
function gotLines(version: string): { readonly [call: string]: number } {
  const lines = readFileSync(join(root, gotFile), 'utf8').split('\n');
  const from = lines.findIndex((line) => line.includes(`'${version}':`));
  const named = lines.flatMap((line, at) => {
    const [, call] = /[;,] \/\/ (.+)$/.exec(line) ?? [];
    return call !== undefined && at > from ? [[call, at + 1] as const] : [];
  });
  return Object.fromEntries(named.slice(0, 3));
}

test.for(['got 11', 'got 13', 'got 14'])(
  'the line of a call is exact in %s: of one that is sent again, and of two at the same time',
  async (version) => {
    const words = [node, gotFile, version];
    const { stderr } = await startIn({}, ['exec', '--as-production', '--', ...words]).ended;
    const places = [...stderr.matchAll(/GET (\S+) .* at (\S+):\d+$/gm)].map(([, path, place]) => `${path} ${place}`);
    const at = gotLines(version);
    expect(places.toSorted(), stderr).toEqual([
      `/me ${gotFile}:${at['retried']}`,
      `/me ${gotFile}:${at['retried']}`,
      `/me?a ${gotFile}:${at['at the same time']}`,
      `/me?b ${gotFile}:${at['as another']}`,
    ]);
  },
);
