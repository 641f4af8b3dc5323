import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRuntime, type Surroundings } from '../../emulator/commands/window-runtime.ts';
import { startIn, type Running } from '../support/process.ts';

let folder = '';
const cleanUps: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-open-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder as ELECTRON_OVERRIDE_DIST_PATH names it, whose binary runs this script of Node's. */
function makeBinary(script: string): string {
  writeFileSync(join(folder, 'binary.mjs'), script);
  writeFileSync(
    join(folder, 'electron'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(folder, 'binary.mjs')}" "$@"\n`,
  );
  chmodSync(join(folder, 'electron'), 0o755);
  return folder;
}

function open(env: NodeJS.ProcessEnv, ...args: readonly string[]): Running {
  const running = startIn({ DISPLAY: '', WAYLAND_DISPLAY: '', ...env }, [
    'open',
    '--memory',
    '--port',
    '0',
    '--inspector-port',
    '0',
    ...args,
  ]);
  cleanUps.push(async () => {
    running.process.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

/** It prints in one line why there is no window, and serves the inspector. */
async function expectServed(running: Running, line: RegExp): Promise<void> {
  const printed = await running.output('Press Ctrl+C to stop.');
  const [, inspector = ''] = /Open → (http:\S+)\/#token/.exec(printed) ?? [];
  expect((await fetch(inspector)).status).toBe(200);
  running.process.kill('SIGTERM');
  const { code, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(stderr.trim().split('\n').at(-1)).toMatch(line);
}

/** The mock binary is a shell script, and only here a display may be missing. */
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('without a display it says so in one line, and serves the same inspector', async () => {
  const running = open({});
  await expectServed(running, /^No window: there is no display .* Open the inspector's address in a browser\.$/);
  expect((await running.ended).stderr.trim().split('\n')).toHaveLength(1);
});

onLinux('with a folder without Electron it says so, and serves', async () => {
  await expectServed(
    open({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: folder }),
    /^No window: ELECTRON_OVERRIDE_DIST_PATH names a folder without .*electron/,
  );
});

onLinux('if Electron ends at once it says so, and serves', async () => {
  const binary = makeBinary('console.error("The sandbox is not configured."); process.exit(133);');
  const running = open({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: binary });
  await expectServed(running, /^No window: Electron ended at once \(code 133\); its own lines above say why\./);
  expect((await running.ended).stderr).toContain('The sandbox is not configured.');
});

onLinux('the window gets the options of the command line, and the command ends with it', async () => {
  const dist = makeBinary(`
    import { writeFileSync } from 'node:fs';
    const { SANDPIPER_OPTIONS, ELECTRON_RUN_AS_NODE = null } = process.env;
    writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify({
      argv: process.argv.slice(2), options: JSON.parse(SANDPIPER_OPTIONS), ELECTRON_RUN_AS_NODE,
    }));
    process.send('ready', () => process.exit(3));`);
  const running = open(
    { DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: dist, ELECTRON_RUN_AS_NODE: '1' },
    '--pace',
    'manual',
    '--token',
    'chosen',
  );
  expect(await running.ended).toMatchObject({ code: 3, stdout: '', stderr: '' });
  const { argv, options, ELECTRON_RUN_AS_NODE } = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as {
    readonly argv: readonly string[];
    readonly options: object;
    readonly ELECTRON_RUN_AS_NODE: unknown;
  };
  expect(options).toMatchObject({ port: 0, inspectorPort: 0, dataDir: null, pace: 'manual', token: 'chosen' });
  expect(ELECTRON_RUN_AS_NODE).toBeNull();
  const { main } = JSON.parse(readFileSync(join(argv[0] ?? '', 'package.json'), 'utf8')) as { main: string };
  expect(main).toBe('./out/main/main.cjs');
});

onLinux('an option that cannot be used is refused before a window opens', async () => {
  const dist = makeBinary(`
    import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(join(folder, 'opened'))}, '');`);
  const running = open({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: dist }, '--allow-host', 'http://shop.test/');
  expect(await running.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-host takes') });
  expect(existsSync(join(folder, 'opened'))).toBe(false);
});

onLinux('a second start finds the window open, and starts no second server', async () => {
  const running = open({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: makeBinary('process.exit(0);') });
  const { code, stdout } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Sandpiper is open already, and its window is in front now.\n' });
});

onLinux.for(['SIGTERM', 'SIGHUP'] as const)(
  'Ctrl+C and %s end the window in its own order, and this process after it',
  async (signal) => {
    const dist = makeBinary(`
    process.on('SIGTERM', () => setTimeout(() => { console.log('all is written'); process.exit(0); }, 50));
    setInterval(() => {}, 1000);
    process.send('ready', () => console.log('it runs'));`);
    const running = open({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: dist });
    await running.output('it runs');
    // A terminal sends it to both processes; here only this one gets it, and waits.
    running.process.kill('SIGINT');
    running.process.kill(signal);
    expect(await running.ended).toMatchObject({ code: 0, stdout: 'it runs\nall is written\n' });
  },
);

onLinux('--json is for programs: no window, one line', async () => {
  const dist = makeBinary(`import { writeFileSync } from 'node:fs'; writeFileSync('${join(folder, 'ran')}', '');`);
  const running = open({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: dist }, '--json');
  expect(JSON.parse(await running.output('\n'))).toMatchObject({ inspectorUrl: expect.stringContaining('http:') });
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

/** A package as npm leaves it, whose installer is this script of Node's. */
function makePackage(installer: string): string {
  const packageDir = join(folder, 'package');
  mkdirSync(packageDir);
  writeFileSync(join(packageDir, 'install.js'), installer);
  // Else Node takes the kind of its modules from a package.json above the temporary folder.
  writeFileSync(join(packageDir, 'package.json'), '{"type":"commonjs"}');
  return packageDir;
}
const installs = `
  const fs = require('node:fs'), path = require('node:path');
  fs.mkdirSync(path.join(__dirname, 'dist'));
  fs.writeFileSync(path.join(__dirname, 'dist/electron'), '');
  fs.writeFileSync(path.join(__dirname, 'path.txt'), 'electron');`;

async function mirror(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  cleanUps.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const user: Omit<Surroundings, 'packageDir'> = { env: { DISPLAY: ':9' }, platform: 'linux', uid: 1000 };
const patient = { download: 60_000, fromCache: 60_000, answer: 60_000 };

test('root gets no window: Electron would have to run without its sandbox', async () => {
  expect(await findRuntime({ ...user, uid: 0, packageDir: folder }, () => {})).toEqual({
    lacks: expect.stringContaining('root'),
  });
});

test('without the package electron there is no window', async () => {
  expect(await findRuntime({ ...user, packageDir: null }, () => {})).toEqual({
    lacks: 'the package electron is not installed here.',
  });
});

test('an installed Electron is used, silently and without the network', async () => {
  const packageDir = makePackage('throw new Error("must not run")');
  mkdirSync(join(packageDir, 'dist'));
  writeFileSync(join(packageDir, 'dist/electron'), '');
  writeFileSync(join(packageDir, 'path.txt'), 'electron');
  const said: string[] = [];
  expect(await findRuntime({ ...user, packageDir }, (line) => said.push(line))).toEqual({
    binary: join(packageDir, 'dist/electron'),
  });
  expect(said).toEqual([]);
});

test('a missing Electron is downloaded once, with a message', async () => {
  const packageDir = makePackage(installs);
  const env = { ...user.env, ELECTRON_MIRROR: await mirror() };
  const said: string[] = [];
  const find = () => findRuntime({ ...user, env, packageDir }, (line) => said.push(line));
  expect(await find()).toEqual({ binary: join(packageDir, 'dist/electron') });
  expect(await find()).toEqual({ binary: join(packageDir, 'dist/electron') });
  expect(said).toEqual([expect.stringMatching(/^Fetching Electron .* at most 120 s …$/)]);
});

test('a download that fails says why', async () => {
  const packageDir = makePackage('console.error("HTTPError: 404\\n  at a stack"); process.exit(1);');
  const env = { ...user.env, ELECTRON_MIRROR: await mirror() };
  expect(await findRuntime({ ...user, env, packageDir }, () => {})).toEqual({
    lacks: 'Electron could not be fetched (HTTPError: 404); "npx install-electron" tries again.',
  });
});

test('a mirror that is not a URL is reported, and the start goes on without a window', async () => {
  const packageDir = makePackage('console.error("TypeError: Invalid URL"); process.exit(1);');
  const env = { ...user.env, ELECTRON_MIRROR: 'mirror.example/electron/' };
  expect(await findRuntime({ ...user, env, packageDir }, () => {})).toEqual({
    lacks:
      'Electron could not be fetched ("mirror.example/electron/", the place to fetch it from, is not a URL); "npx install-electron" tries again.',
  });
});

test('a download that hangs is cancelled after its time limit', async () => {
  const packageDir = makePackage('setInterval(() => {}, 1000)');
  const env = { ...user.env, ELECTRON_MIRROR: await mirror() };
  expect(await findRuntime({ ...user, env, packageDir }, () => {}, { ...patient, download: 300 })).toEqual({
    lacks: 'Electron could not be fetched (it took longer than 0.3 s); "npx install-electron" tries again.',
  });
});

test('a network without replies delays a start only briefly; an existing copy is used', async () => {
  // It accepts the connection and never replies.
  const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
  cleanUps.push(() => silent.close());
  await new Promise((resolve) => silent.once('listening', resolve));
  const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const env = { ...user.env, ELECTRON_MIRROR: `http://${host}/` };
  const packageDir = makePackage('setInterval(() => {}, 1000)');
  const said: string[] = [];
  const find = () => findRuntime({ ...user, env, packageDir }, (line) => said.push(line), { ...patient, answer: 200 });
  writeFileSync(join(packageDir, 'install.js'), installs);
  expect(await find()).toEqual({ binary: join(packageDir, 'dist/electron') });
  rmSync(join(packageDir, 'path.txt'));
  writeFileSync(join(packageDir, 'install.js'), 'setInterval(() => {}, 1000)');
  expect(
    await findRuntime({ ...user, env, packageDir }, () => {}, { ...patient, answer: 200, fromCache: 200 }),
  ).toEqual({
    lacks: `Electron could not be fetched (${host} does not answer); "npx install-electron" tries again.`,
  });
  expect(said).toEqual([]);
});
