import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, firstMissing } from '../docs/blocks.ts';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { hearErrors } from '../support/told-errors.ts';

const root = resolve(import.meta.dirname, '../..');
/** The newest compiler; version 6 reads the declarations in a test of its own. */
const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
const execute = promisify(execFile);
let folder = '';
/** A project with the package and nothing else, as the README begins. */
let own = '';
/** The same with programs that use it. */
let app = '';
let packed: Packed;
/** The temporary folder of everything that runs here, so that leftovers are found. */
let temporary = '';

/** What `npm pack --json` says. */
interface Packed {
  readonly filename: string;
  /** Of the compressed file, in bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** A person's environment, in a folder of their own. */
function ownEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return personEnvironment({ TMPDIR: temporary, ...more });
}

async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await execute(command, args, { cwd, env: ownEnvironment() })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed.\n${stdout}\n${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'package-test-'));
  temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  // A command leaves compiled code next to the build, which is for this Node.
  await run(builtApp(), process.execPath, 'bin/sandpiper.cjs', 'help');
  // They change without a build.
  for (const path of ['docs', 'examples', 'CONTRIBUTING.md', 'SECURITY.md'])
    cpSync(join(root, path), join(builtApp(), path), { recursive: true });
  // The script that npm would run before, `npm run build`, has already run.
  const said = await run(builtApp(), 'npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  packed = (JSON.parse(said) as readonly [Packed])[0];

  own = join(folder, 'own');
  mkdirSync(own);
  await run(own, 'npm', 'init', '--yes');
  await run(own, 'npm', 'pkg', 'set', 'scripts.test=node --test');
  await run(own, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '-D', join(folder, packed.filename));

  app = join(folder, 'app');
  cpSync(join(own, 'node_modules'), join(app, 'node_modules'), { recursive: true });
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  cpSync(join(root, 'test/testing/consumer'), app, { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
const modules = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023'];

test('it is built before it is packed', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly [name: string]: string };
  };
  expect(scripts['prepack']).toBe('npm run build');
  expect(scripts['build']).toMatch(/^electron-vite build\b.*&& node test\/tools\/emit-types\.mjs$/);
});

test('it can be published: nothing holds it back, and what it is made of is proven', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('private');
  expect(manifest['publishConfig']).toEqual({ access: 'public', provenance: true });
  for (const field of ['name', 'version', 'description', 'license', 'bin', 'engines', 'exports', 'files', 'keywords'])
    expect(manifest).toHaveProperty([field]);
});

const mega = 1_000_000;

test('the package is small, and docs/package.md says how many MB its parts have', () => {
  expect(packed.size).toBeLessThan(2.5 * mega);
  const parts = readFileSync(join(root, 'docs/package.md'), 'utf8').matchAll(/^\| (.+?) +\| ([\d.]+) +\|/gm);
  const said = new Map([...parts].map(([, part = '', size]) => [part.replaceAll('`', ''), Number(size)]));
  const folders = [...said.keys()].filter((part) => part.startsWith('out/'));
  const partOf = (path: string) => folders.find((part) => path.startsWith(`${part}/`)) ?? 'everything else';
  const actual = new Map([['the download', packed.size]]);
  for (const { path, size } of packed.files) actual.set(partOf(path), (actual.get(partOf(path)) ?? 0) + size);
  expect([...said.keys()].toSorted()).toEqual([...actual.keys()].toSorted());
  for (const [part, size] of actual) {
    const tolerance = Math.max(0.1 * size, 0.05 * mega);
    expect(Math.abs((said.get(part) ?? 0) * mega - size), `${part} has ${size} bytes`).toBeLessThan(tolerance);
  }
});

test('every file that package.json promises is in it, and no compiled code', () => {
  const paths = packed.files.map(({ path }) => path);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] };
  const isIn = (file: string): boolean =>
    paths.some((path) => path === file || path.startsWith(`${file.replace(/\/\*\.md$/, '')}/`));
  expect(files.filter((file) => !file.startsWith('!') && !isIn(file))).toEqual([]);
  expect(paths.filter((path) => path.endsWith('.compiled'))).toEqual([]);
});

test('what its first documents point at is in it, except pictures', () => {
  const paths = packed.files.map(({ path }) => path);
  for (const document of ['README.md', 'llms.txt', 'SKILL.md']) {
    const text = readFileSync(join(root, document), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    const missing = links.filter((link) => !paths.some((path) => path === link || path.startsWith(`${link}/`)));
    expect(missing.filter((link) => !link.startsWith('docs/screenshots'))).toEqual([]);
  }
});

test('a config that is an ES module is run, without a warning of Node', async () => {
  const cwd = mkdtempSync(join(folder, 'config-'));
  writeFileSync(join(cwd, 'sandpiper.config.mjs'), 'await null;\nexport default { pace: "manual" };\n');
  const bin = join(app, 'node_modules/sandpiper/bin/sandpiper.cjs');
  const ended = await execute(process.execPath, [bin, 'config', 'validate'], { cwd, env: ownEnvironment() });
  expect(ended).toEqual({ stdout: 'sandpiper.config.mjs has no mistakes.\n', stderr: '' });
});

test('its window is built for production, so that tests meet the page that people get', () => {
  const assets = join(app, 'node_modules/sandpiper/out/renderer/assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(scripts).not.toEqual([]);
  const forDevelopment = scripts.filter((name) => readFileSync(join(assets, name), 'utf8').includes('[Vue warn]'));
  expect(forDevelopment).toEqual([]);
});

test('the package installs without others, and exports only its public files', async () => {
  expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['sandpiper']);
  const manifest = JSON.parse(readFileSync(join(app, 'node_modules/sandpiper/package.json'), 'utf8')) as object;
  expect(manifest).not.toHaveProperty('dependencies');
  const script = `await import('sandpiper').catch((error) => console.log(error.code))`;
  expect(await run(app, process.execPath, '--input-type=module', '-e', script)).toContain(
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
  );
});

test.for([
  ['nodenext', ['--module', 'nodenext', '--lib', 'es2023']],
  ['node16', ['--module', 'node16', '--lib', 'es2023']],
  ['of a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom']],
] as const)('its declarations need no other package, with modules %s', async ([, settings]) => {
  const options = [...strict, '--target', 'es2022', ...settings];
  expect(await run(app, process.execPath, tsc, ...options, '--noEmit', 'types.ts')).toBe('');
});

test('a CommonJS project requires it, in JavaScript and in TypeScript', async () => {
  writeFileSync(
    join(app, 'required.cts'),
    `import { createSandbox, type Sandbox } from 'sandpiper/testing';
     import { defineConfig } from 'sandpiper/config';
     void defineConfig({ pace: 'manual' });
     void createSandbox().then(async (sandbox: Sandbox) => {
       console.log(sandbox.key);
       await sandbox.close();
     });`,
  );
  const settings = ['--module', 'node16', '--target', 'es2022', '--lib', 'es2023', '--outDir', 'built'];
  // It names the console, which Node's types have.
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', '--skipLibCheck'];
  await run(app, process.execPath, tsc, ...strict, ...settings, ...types, 'required.cts');
  expect(await run(app, process.execPath, 'built/required.cjs')).toBe('sandpiper-demo-key\n');
});

test('an ES module that imports a default from it, which there is none, does not compile', async () => {
  writeFileSync(
    join(app, 'default.ts'),
    `import testing from 'sandpiper/testing';
     import config from 'sandpiper/config';
     export const used = [testing, config];`,
  );
  const compiled = execute(process.execPath, [tsc, ...strict, ...modules, '--noEmit', 'default.ts'], { cwd: app });
  const { stdout } = await compiled.catch((error: { readonly stdout: string }) => error);
  expect(stdout.match(/has no default export/g)).toHaveLength(2);
});

const strictOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts'],
  types: [],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
} satisfies ts.CompilerOptions;

test('the older way to find modules, node10, finds its declarations too', () => {
  // `exports` means nothing to it.
  const program = ts.createProgram([join(app, 'types.ts')], {
    ...strictOptions,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    ignoreDeprecations: '6.0',
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(problems).toEqual([]);
});

test('its declarations have no syntax that TypeScript 4.7, the one in TestCafe, cannot read', () => {
  const newer = packed.files
    .filter(({ path }) => path.endsWith('.d.ts'))
    .filter(({ path }) => /[<,]\s*const \w/.test(readFileSync(join(own, 'node_modules/sandpiper', path), 'utf8')));
  expect(newer).toEqual([]);
});

test('TypeScript 6 takes its declarations, and an editor shows what the control API says of a field', () => {
  const file = join(app, 'fields.ts');
  writeFileSync(file, `export type { FaultInput } from 'sandpiper/testing';`);
  const program = ts.createProgram([file, join(app, 'types.ts')], {
    ...strictOptions,
    module: ts.ModuleKind.NodeNext,
  });
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const [exported] = checker.getExportsOfModule(checker.getSymbolAtLocation(source!)!);
  const fault = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported!));
  const says = fault.getProperty('retryAfter')?.getDocumentationComment(checker);
  expect(ts.displayPartsToString(says)).toBe('Seconds, sent as Retry-After with the status.');
});

test('the functions of a sandbox may be used without it, which typed lint rules allow of properties, not of methods', () => {
  const file = join(app, 'functions.ts');
  writeFileSync(
    file,
    `export type { Sandbox, SandboxClock, SandboxControl, SandboxReceiver, SandboxSnapshots } from 'sandpiper/testing';`,
  );
  const program = ts.createProgram([file], { ...strictOptions, module: ts.ModuleKind.NodeNext });
  const checker = program.getTypeChecker();
  const methods = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
    .flatMap((exported) => checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported)).getProperties())
    .filter(({ declarations }) => declarations?.some(ts.isMethodSignature))
    .map(({ name }) => name);
  expect(methods).toEqual([]);
});

test('a test of node:test compiles and runs against it, and leaves nothing behind', async () => {
  const typeRoots = join(root, 'node_modules/@types');
  const out = ['--skipLibCheck', '--outDir', 'built', '--typeRoots', typeRoots, '--types', 'node'];
  await run(app, process.execPath, tsc, ...strict, ...modules, ...out, 'use.ts');
  expect(await run(app, process.execPath, '--test', '--test-reporter=tap', 'built/use.js')).toMatch(/^# pass 1$/m);
});

test.for([
  ['and nothing else', ''],
  ['that answered a request', `await (await fetch(sandbox.apiUrl + '/me')).text();`],
  [
    'in which a wait took too long',
    `await sandbox.waitForRequest({ path: '/me' }, { timeoutMs: 200 }).catch(({ message }) => says.push(message.slice(0, 9)));`,
    'There was',
  ],
  [
    'that answers a request late',
    `await sandbox.fault({ operation: 'GET /me', status: 503, delay: 200 });
     says.push(await new Promise((resolve) => get(sandbox.apiUrl + '/me', (answer) => resolve(answer.resume().statusCode))));`,
    '503',
  ],
])('a script with a sandbox that is not closed ends, when all is done: one %s', async ([, work, ...says]) => {
  const script = `import { get } from 'node:http';
    import { createSandbox } from 'sandpiper/testing';
    const sandbox = await createSandbox();
    const says = [];
    ${work}
    console.log(['done', ...says].join());`;
  const options = { cwd: app, env: ownEnvironment(), timeout: 30_000 };
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], options);
  expect(stdout).toBe(`${['done', ...says].join()}\n`);
});

test('the address that a refusal names leads to the inspector, with its program', async () => {
  const script = `import { createSandbox } from 'sandpiper/testing';
    const sandbox = await createSandbox();
    const refused = await fetch(sandbox.apiUrl + '/me');
    const page = await (await fetch(refused.headers.get('x-sandbox-explain'))).text();
    const [, program] = /src="(.+?)"/.exec(page) ?? [];
    const { status, headers } = await fetch(new URL(program, sandbox.inspectorUrl));
    console.log(status, headers.get('content-type'));
    await sandbox.close();`;
  expect(await run(app, process.execPath, '--input-type=module', '-e', script)).toBe(
    '200 text/javascript; charset=utf-8\n',
  );
});

test('what the library throws is known by its class', async () => {
  const script = `import { createSandbox, UserError } from 'sandpiper/testing';
    const error = await createSandbox({ pace: 'slow' }).catch((error) => error);
    console.log(error instanceof UserError, error.name);`;
  expect(await run(app, process.execPath, '--input-type=module', '-e', script)).toBe('true UserError\n');
});

/** A test as public integrations are written: the platform's host is a literal. */
const ownTest = `import { equal } from 'node:assert/strict';
import { test } from 'node:test';
test('my integration knows who it is', async () => {
  const key = { authorization: 'Bearer sandpiper-demo-key' };
  equal((await fetch('https://api.attentivemobile.com/v1/me', { headers: key })).status, 200);
});
`;

test('the first screen of the README runs from it, in a folder with nothing else', async () => {
  writeFileSync(join(own, 'own.test.mjs'), ownTest);

  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const end = readme.slice(0, readme.indexOf('\n## ')).split('\n').length;
  const screen = blocksOf('README.md').filter(({ line, language }) => line < end && language === 'sh');
  const lines = screen.flatMap(({ text }) => text.split('\n'));
  const [first = '', ...rest] = lines;
  expect([screen.length, first, rest.join('\n')]).toEqual([
    2,
    expect.stringMatching(/^npx sandpiper serve /),
    expect.stringMatching(/^npx sandpiper exec --as-production -- npm test/m),
  ]);

  const env = ownEnvironment({
    XDG_DATA_HOME: join(own, 'data'),
    npm_config_offline: 'true',
    SANDPIPER_PORT: '0',
    SANDPIPER_INSPECTOR_PORT: '0',
  });
  const server = spawn('bash', ['-c', first], { cwd: own, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  hearErrors(server.stderr);
  try {
    let greeting = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (greeting += text));
    await expect.poll(() => greeting).toContain('Press Ctrl+C to stop.');
    const [inspector = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(/^Open → .*/m.exec(greeting)?.[0] ?? '') ?? [];
    const [, api = ''] = /API base URL +(\S+)\/v1/.exec(greeting) ?? [];
    const here = (text: string) =>
      text.replaceAll('http://127.0.0.1:4747', api).replaceAll('http://127.0.0.1:4748', inspector);
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', here(rest.join('\n'))], { cwd: own, env });
    expect(stdout).toContain('"companyName":"Sandpiper Supply Co."');
    // Before version 23, Node wrote a hash sign.
    expect(stdout).toMatch(/^[#ℹ] pass 1$/m);
    expect(firstMissing(here(screen[1]?.promised ?? ''), stdout), stdout).toBeNull();
  } finally {
    const closed = once(server, 'close');
    // npx does not pass signals on; all are in one process group.
    process.kill(-(server.pid ?? Number.NaN), 'SIGTERM');
    await closed;
  }
});
