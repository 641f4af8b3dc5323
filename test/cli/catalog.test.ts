import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { command } from '../support/command.ts';
import { personEnvironment } from '../support/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-catalog-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => join(folder, name);
const catalog = (...args: readonly string[]) => command('catalog', ...args);

test('a catalog file is made, checked and fixed without an emulator', async () => {
  const made = await catalog(
    'generate',
    '--products',
    '50',
    '--faults',
    'currency:2,empty-name',
    '--out',
    file('a'),
    '--list',
  );
  const planned = JSON.parse(made.stderr) as readonly { line: number; kind: string }[];
  expect(planned.map(({ kind }) => kind).toSorted()).toEqual(['currency', 'currency', 'empty-name']);

  const checked = await catalog('check', file('a'));
  expect([checked.code, checked.stdout]).toEqual([
    1,
    expect.stringMatching(/: 50 lines, 3 of them with errors \(3 errors in all\)\n/),
  ]);
  expect(checked.stdout).toMatch(
    /\ncatalog\.currency × 2 {2}A currency is a code of ISO 4217\. \(section 2\.1, documented\)\n {2}line \d+/,
  );

  const fixed = await catalog('fix', file('a'), '--out', file('b'));
  expect([fixed.code, fixed.stdout]).toEqual([
    1,
    expect.stringMatching(/: 2 lines fixed, 1 left for you\.\n {2}line \d+ {2}\/name/),
  ]);
  const again = JSON.parse((await catalog('check', file('b'), '--json')).stdout) as { issueCount: number };
  expect(again.issueCount).toBe(1);
});

test('a repeated id is left by a fix, whose report and exit code say so', async () => {
  await catalog('generate', '--products', '20', '--faults', 'duplicate-product:1', '--out', file('twice'));
  const fixed = await catalog('fix', file('twice'), '--out', file('twice-fixed'));
  expect([fixed.code, fixed.stdout]).toEqual([
    1,
    expect.stringMatching(
      /: 0 lines fixed, 1 left for you\.\n {2}line \d+ {2}\/id {2}The product id .* is already on line/,
    ),
  ]);
});

test('of a line that has an error without a fix, the others are fixed', async () => {
  await catalog('generate', '--products', '1', '--out', file('plain'));
  const product = JSON.parse(readFileSync(file('plain'), 'utf8')) as object;
  writeFileSync(file('mixed'), JSON.stringify({ ...product, name: 5, tags: 'red, blue' }));
  const { stdout } = await catalog('fix', file('mixed'), '--out', file('mixed-fixed'));
  expect(stdout).toMatch(
    /: 0 lines fixed, 1 left for you, 1 of them fixed in part\.\n {2}line 1 {2}\/tags {2}tags is a string[^]*", "…"\]\.\n$/,
  );
  expect(JSON.parse(readFileSync(file('mixed-fixed'), 'utf8'))).toMatchObject({ name: '5', tags: 'red, blue' });
  const { causes } = JSON.parse((await catalog('xray', file('mixed'), '--json')).stdout) as {
    causes: readonly object[];
  };
  expect(causes).toMatchObject([
    { where: '/name', fixable: 1 },
    { where: '/tags', fixable: 0 },
  ]);
});

test('an X-ray counts a line of which a fix leaves an error among none that are fixed, though only its comma was told', async () => {
  await catalog('generate', '--products', '1', '--out', file('one'));
  const product = JSON.parse(readFileSync(file('one'), 'utf8')) as object;
  writeFileSync(file('comma'), `${JSON.stringify({ ...product, tags: 5 })},\n`);
  const found = JSON.parse((await catalog('xray', file('comma'), '--json')).stdout) as object;
  expect(found).toMatchObject({ fixableLines: 0, causes: [{ errorType: 'catalog.not-json', fixable: 1 }] });
});

test('a file that is one JSON list is named as such in its first line, and a fix writes a product on each line', async () => {
  await catalog('generate', '--products', '3', '--out', file('lines'));
  const lines = readFileSync(file('lines'), 'utf8');
  writeFileSync(file('list'), `[\n${lines.trim().replaceAll('\n', ',\n')}\n]\n`);
  const { stdout: told } = await catalog('check', file('list'));
  expect(told).toContain('Write each product on a line of its own, without the brackets and the commas of a list.');
  const { stdout } = await catalog('fix', file('list'), '--out', file('of-list'));
  expect(stdout).toMatch(/: 2 lines fixed, 2 lines without a product left out\.\n$/);
  expect(readFileSync(file('of-list'), 'utf8')).toBe(lines);
});

test('a CSV file is told how a product is written', async () => {
  writeFileSync(file('csv'), 'id,name,link\n1,Bag,https://example.com/1\n');
  expect((await catalog('check', file('csv'))).stdout.replaceAll(/\s+/g, ' ')).toContain(
    'If the file is CSV, write each row as one JSON object on a line instead',
  );
});

test('a fix that leaves empty lines out counts all lines as the copy has them, and says so', async () => {
  await catalog('generate', '--products', '4', '--faults', 'currency:1,empty-name:1', '--out', file('whole'));
  const whole = readFileSync(file('whole'), 'utf8');
  writeFileSync(file('gaps'), `\n\n${whole}`);
  const { stdout } = await catalog('fix', file('gaps'), '--out', file('no-gaps'));
  expect(stdout).toMatch(
    /: 1 line fixed, 2 lines without a product left out, 1 left for you, with the number in the copy\.\n {2}line [1-4] {2}\/name/,
  );
  const { stdout: told } = await catalog('fix', file('gaps'), '--out', file('again'), '--json');
  const report = JSON.parse(told) as {
    readonly fixed: readonly number[];
    readonly left: readonly { readonly line: number }[];
  };
  const copy = readFileSync(file('again'), 'utf8').split('\n');
  const changed = whole.split('\n').flatMap((line, at) => (line === copy[at] ? [] : [at + 1]));
  const { issues } = JSON.parse((await catalog('check', file('again'), '--json')).stdout) as {
    readonly issues: readonly { readonly lineNum: number }[];
  };
  expect(report).toMatchObject({ lines: 4, fixed: changed, left: issues.map(({ lineNum }) => ({ line: lineNum })) });
});

test('an X-ray groups the errors of a file by cause, and says which can be fixed', async () => {
  await catalog('generate', '--products', '30', '--faults', 'currency:2,empty-name', '--out', file('x'));
  const { code, stdout } = await catalog('xray', file('x'));
  expect([code, stdout]).toEqual([1, expect.stringContaining(': 30 lines, 27 good, 2 that "catalog fix" fixes.\n')]);
  expect(stdout).toContain('catalog.currency × 2  /variants/#/prices/#/currencyCode  2 can be fixed\n  line ');
  expect(stdout).toContain('catalog.field-empty × 1  /name  needs you\n');
  const { causes } = JSON.parse((await catalog('xray', file('x'), '--json')).stdout) as { causes: readonly object[] };
  expect(causes).toHaveLength(2);
});

test('a good line of which something is not read as it is written is warned of', async () => {
  await catalog('generate', '--products', '2', '--out', file('read'));
  const [first = '', second = ''] = readFileSync(file('read'), 'utf8').split('\n');
  const twice = first.replace('{', '{"name":"Earlier","own":1,"own":2,');
  const long = second.replace(/"inventoryQuantity":\d+/, '"inventoryQuantity":9007199254740993');
  writeFileSync(file('lost'), `${twice}\n${long.replace('{', '{"own":9007199254740993,')}\n`);
  const { name } = JSON.parse(first) as { readonly name: string };
  for (const act of ['check', 'xray']) {
    const { code, stdout } = await catalog(act, file('lost'));
    expect([code, stdout], act).toEqual([
      0,
      expect.stringContaining(
        `\n\n1 field more than once in one object; only the last value is read.\n  line 1  /name  ${name}\n\n` +
          '1 number with more digits than are read, which are about 16.\n  line 2  /variants/0/inventoryQuantity  9007199254740993\n',
      ),
    ]);
    const { warnings } = JSON.parse((await catalog(act, file('lost'), '--json')).stdout) as {
      warnings: readonly object[];
    };
    expect(warnings.slice(0, 2), act).toMatchObject([
      { kind: 'repeated-name', count: 1 },
      { kind: 'lost-digits', count: 1 },
    ]);
  }
});

test('without --out the file goes to standard output, for a pipe', async () => {
  const { stdout, stderr, code } = await catalog('generate', '--products', '3', '--seed', '5');
  expect([stdout.trim().split('\n').length, stderr, code]).toEqual([3, '', 0]);
});

test('an unknown fault, a missing file, and a copy that would replace a file are refused', async () => {
  const fault = await catalog('generate', '--faults', 'curency:1');
  expect([fault.code, fault.stderr]).toEqual([2, expect.stringContaining('the kinds are currency, url')]);
  const none = await catalog('generate', '--faults', '');
  expect([none.code, none.stdout, none.stderr]).toEqual([2, '', expect.stringContaining('"" is not a fault.')]);
  const more = await catalog('generate', '--faults', 'url:1:2');
  expect([more.code, more.stdout, more.stderr]).toEqual([2, '', expect.stringContaining('"url:1:2" is not a fault.')]);
  const twice = await catalog('generate', '--faults', 'currency:1,url,currency:2');
  expect([twice.code, twice.stdout, twice.stderr]).toEqual([2, '', expect.stringContaining('names currency twice.')]);
  const missing = await catalog('check', file('nothing'));
  expect([missing.code, missing.stderr]).toEqual([1, `sandpiper: There is no file ${file('nothing')}.\n`]);
  const made = await catalog('generate', '--products', '2', '--out', file('c'));
  expect([made.code, made.stdout]).toEqual([0, `${file('c')}: 2 lines, 0 with a fault.\n`]);
  const same = await catalog('fix', file('c'), '--out', file('c'));
  expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('Choose another name, or add --overwrite.')]);
  writeFileSync(file('old'), 'old');
  const over = await catalog('fix', file('c'), '--out', file('old'), '--overwrite');
  expect([over.code, over.stdout]).toEqual([0, `${file('old')}: 0 lines fixed.\n`]);
});

const inNoFolder = join(folder, 'none', 'a');
const isFolder = `${folder} is a folder. Name a file.`;
const noFolder = `${inNoFolder} cannot be written: there is no folder ${join(folder, 'none')}. Make it, or name another file.`;

test.for([
  [['check', folder], isFolder],
  [['xray', folder], isFolder],
  [['fix', folder, '--out', file('of-a-folder')], isFolder],
  [['generate', '--out', folder], isFolder],
  [['generate', '--out', inNoFolder], noFolder],
  [['fix', file('one'), '--out', inNoFolder], noFolder],
] as const)(
  '"sandpiper catalog %s" says in one line what is wrong with a file that it cannot read or write',
  async ([args, line]) => {
    writeFileSync(file('one'), '{}\n');
    expect(await catalog(...args)).toMatchObject({ code: 1, stdout: '', stderr: `sandpiper: ${line}\n` });
  },
);

/** Runs a line of the shell, in which `sandpiper` is the built one. */
function inShell(line: string): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  const script = `sandpiper() { "${process.execPath}" "${join(builtApp(), 'bin/sandpiper.cjs')}" "$@"; }; ${line}`;
  const options = { cwd: folder, env: personEnvironment() };
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test.for(['sandpiper catalog % - < piped', 'cat piped | sandpiper catalog % -', 'sandpiper catalog % <(cat piped)'])(
  'a file that cannot be read twice is checked, X-rayed and fixed: %s',
  async (line) => {
    await catalog(
      'generate',
      '--products',
      '9',
      '--faults',
      'duplicate-product:1,currency:1',
      '--out',
      file('piped'),
      '--overwrite',
    );
    const same = ({ code, stdout }: { readonly code: unknown; readonly stdout: string }): object => ({ code, stdout });
    for (const act of ['check', 'xray']) {
      const expected = same(await catalog(act, file('piped'), '--json'));
      expect(same(await inShell(`${line.replace('%', act)} --json`)), act).toEqual(expected);
    }
    const report = await catalog('fix', file('piped'), '--out', file('fixed'), '--overwrite', '--json');
    expect(same(await inShell(line.replace('%', 'fix --out fixed-too --overwrite --json')))).toEqual(same(report));
    expect(readFileSync(file('fixed-too'))).toEqual(readFileSync(file('fixed')));
  },
);

test('the report of standard input names it', async () => {
  await catalog('generate', '--products', '2', '--out', file('named'));
  for (const act of ['check', 'xray'])
    expect((await inShell(`sandpiper catalog ${act} - < named`)).stdout).toMatch(/^Standard input: 2 lines, /);
});

test('an empty file is not called good', async () => {
  writeFileSync(file('empty'), '');
  const { code, stdout } = await catalog('check', file('empty'));
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/: 0 lines, no product\n\ncatalog\.empty-file × 1.*\n {2}the file /),
  ]);
});
