import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';

const root = resolve(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const execute = promisify(execFile);
let folder = '';
let app = '';
/** The temporary folder of everything that runs here, so that leftovers are found. */
let temporary = '';

async function run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  // The npm and vitest around this test must not affect those inside.
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^VITEST|^VITE|^TEST$/i.test(name));
  try {
    const { stdout } = await execute(command, args, {
      cwd,
      env: { ...Object.fromEntries(kept), TMPDIR: temporary },
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed.\n${stdout}\n${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'package-test-'));
  temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  // The script that npm would run before, `npm run build`, has already run.
  await run(builtApp(), 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder);

  app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  await run(app, 'npm', 'install', '--offline', '--no-audit', '--no-fund', join(folder, tarball));
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

test('the package is small', () => {
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  expect(statSync(join(folder, tarball)).size).toBeLessThan(2.5 * 1024 * 1024);
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

test.for(['nodenext', 'node16'])('its declarations need no other package, with module %s', async (module) => {
  const settings = ['--module', module, '--target', 'es2022', '--lib', 'es2023'];
  expect(await run(app, process.execPath, tsc, ...strict, ...settings, '--noEmit', 'types.ts')).toBe('');
});

test('its declarations also work with bundler resolution', async () => {
  const bundled = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022', '--lib', 'es2022,dom'];
  expect(await run(app, process.execPath, tsc, ...strict, ...bundled, '--noEmit', 'types.ts')).toBe('');
});

test('a test of node:test compiles and runs against it, and leaves nothing behind', async () => {
  const typeRoots = join(root, 'node_modules/@types');
  const out = ['--skipLibCheck', '--outDir', 'built', '--typeRoots', typeRoots, '--types', 'node'];
  await run(app, process.execPath, tsc, ...strict, ...modules, ...out, 'use.ts');
  expect(await run(app, process.execPath, '--test', 'built/use.js')).toMatch(/^# pass 1$/m);
});

test('npx sandpiper serve runs from it', async () => {
  const npx = spawn(
    'npx',
    ['--offline', 'sandpiper', 'serve', '--json', '--memory', '--port', '0', '--inspector-port', '0'],
    {
      cwd: app,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  try {
    const [line] = (await once(npx.stdout, 'data')) as [Buffer];
    const { apiUrl } = JSON.parse(line.toString()) as { apiUrl: string };
    const answer = await fetch(`${apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
    expect(answer.status).toBe(200);
  } finally {
    const closed = once(npx, 'close');
    // npx does not pass signals on; both are in one process group.
    process.kill(-(npx.pid ?? Number.NaN), 'SIGTERM');
    await closed;
  }
});
