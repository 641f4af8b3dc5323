import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { personEnvironment } from '../support/environment.ts';
import { pack, root } from './support.ts';

let folder = '';
let packed = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-pipeline-'));
  packed = await pack(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Action {
  readonly inputs: { readonly [name: string]: { readonly default?: string } };
  readonly runs: {
    readonly steps: readonly {
      readonly run: string;
      readonly shell: string;
      readonly env?: { readonly [name: string]: string };
    }[];
  };
}

const linesOf = (file: string): readonly (readonly [name: string, value: string])[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);

/** Runs the steps as a runner does: each in its own shell, with the files through which it hands things on. */
function runAction(name: string, inputs: { readonly [name: string]: string }) {
  const temp = join(folder, name);
  mkdirSync(temp);
  const action = parse(readFileSync(join(root, 'packaging/action/action.yml'), 'utf8')) as Action;
  const files = Object.fromEntries(
    ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT'].map((file) => [file, join(temp, file)]),
  );
  for (const file of Object.values(files)) writeFileSync(file, '');
  const inputOf = (text: string) =>
    text.replaceAll(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '',
    );
  let output = '';
  let status: number | null = 0;
  const environment = (): NodeJS.ProcessEnv => ({
    ...personEnvironment({ ...files, RUNNER_TEMP: temp, npm_config_offline: 'true' }),
    ...Object.fromEntries(linesOf(files['GITHUB_ENV'] ?? '')),
    PATH: [
      ...readFileSync(files['GITHUB_PATH'] ?? '', 'utf8')
        .split('\n')
        .filter(Boolean),
      process.env['PATH'],
    ].join(delimiter),
  });
  for (const { run, shell, env = {} } of action.runs.steps) {
    expect(shell).toBe('bash');
    if (status !== 0) break;
    const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, inputOf(value)]));
    const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...environment(), ...own },
      // What it leaves running must not hold the pipe.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    status = ended.status;
    output += ended.stdout + ended.stderr;
  }
  const stop = (): void => {
    process.kill(Number(readFileSync(join(temp, 'sandpiper/pid'), 'utf8')), 'SIGTERM');
  };
  return {
    output,
    status,
    environment: environment(),
    outputs: Object.fromEntries(linesOf(files['GITHUB_OUTPUT'] ?? '')),
    stop,
  };
}

test('the steps of the action start a sandbox with a world for the steps that follow, and mask its token', async () => {
  writeFileSync(
    join(folder, 'my world.yaml'),
    'companies: [{ name: Acme }]\napps: [{ name: Shop, key: acme-shop-key }]\n',
  );
  const { output, status, environment, outputs, stop } = runAction('good', {
    package: packed,
    world: 'my world.yaml',
    options: '--pace instant --rate-limits real',
  });
  expect(status, output).toBe(0);
  try {
    expect(output).toContain(`::add-mask::${environment['SANDPIPER_TOKEN']}\n`);
    expect(outputs['api-url']).toBe(environment['SANDPIPER_API_URL']);
    const next = spawnSync(
      'bash',
      [
        '-c',
        'curl -s "$SANDPIPER_API_URL/me" -H "Authorization: Bearer $SANDPIPER_API_KEY"; sandpiper pace --help > /dev/null',
      ],
      { encoding: 'utf8', env: environment },
    );
    expect([next.status, next.stdout]).toEqual([0, expect.stringContaining('"companyName":"Acme"')]);
  } finally {
    stop();
  }
});

test('a world with a mistake fails the step, and its line says why', () => {
  writeFileSync(join(folder, 'wrong.yaml'), 'companies: [{ name: Acme }]\nofers: []\n');
  const { output, status } = runAction('bad', { package: packed, world: 'wrong.yaml' });
  expect([status, output]).toEqual([
    1,
    expect.stringContaining('wrong.yaml:2: There is no "ofers". Did you mean "offers"?'),
  ]);
});

test('without a package the action installs nothing: the name on npm is another package', () => {
  const { output, status } = runAction('unnamed', {});
  expect([status, output]).toEqual([1, expect.stringContaining('Set the input "package"')]);
  expect(output).not.toContain('added');
});

test('the devcontainer feature installs the command line, and says what it needs', () => {
  const feature = join(root, 'packaging/devcontainer/sandpiper');
  const manifest = JSON.parse(readFileSync(join(feature, 'devcontainer-feature.json'), 'utf8')) as {
    readonly id: string;
    readonly version: string;
    readonly options: { readonly package: { readonly default: string } };
  };
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  expect(manifest).toMatchObject({ id: 'sandpiper', version, options: { package: { default: '' } } });
  const prefix = join(folder, 'global');
  const env = personEnvironment({ PACKAGE: packed, npm_config_prefix: prefix, npm_config_offline: 'true' });
  env['PATH'] = `${join(prefix, 'bin')}${delimiter}${env['PATH']}`;
  const installed = spawnSync('sh', [join(feature, 'install.sh')], { encoding: 'utf8', env });
  expect([installed.status, installed.stdout], installed.stderr).toEqual([0, expect.stringContaining(`${version}\n`)]);
  const unnamed = spawnSync('sh', [join(feature, 'install.sh')], { encoding: 'utf8', env: { ...env, PACKAGE: '' } });
  expect([unnamed.status, unnamed.stderr]).toEqual([1, expect.stringContaining('set the option "package"')]);
  const without = spawnSync('/bin/sh', [join(feature, 'install.sh')], { encoding: 'utf8', env: { PATH: '/nowhere' } });
  expect([without.status, without.stderr]).toEqual([1, expect.stringContaining('needs Node 20.19')]);
});
