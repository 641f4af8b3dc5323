import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';

/** Runners whose tests have other globals and modules than a program of Node. */
const root = resolve(import.meta.dirname, '../..');
/** A project that has the package as a link, as those of a workspace do. */
let project = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'runners-test-'));
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(builtApp(), join(project, 'node_modules/sandpiper'), 'dir');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a runner in the project. @returns what it printed; its exit code is last */
function run(script: string, ...words: readonly string[]): Promise<string> {
  // What the runner around this test has set for its own.
  const env = personEnvironment({ VITEST: '', VITEST_WORKER_ID: '', NO_COLOR: '1', NODE_OPTIONS: '' });
  return new Promise((done) => {
    const child = execFile(process.execPath, [resolve(root, script), ...words], { cwd: project, env }, (_, out, err) =>
      done(`${out}${err}exit code ${child.exitCode}`),
    );
  });
}

/** Runs a test by jest. @param code the body of an async function, with `sandbox` and `expect` */
async function jest(name: string, code: string, options: object, ...words: readonly string[]): Promise<string> {
  writeFileSync(
    join(project, `${name}.test.js`),
    `const { createSandbox } = require('sandpiper/testing');
     let sandbox;
     test(${JSON.stringify(name)}, async () => {
       sandbox = await createSandbox();
       ${code}
       await sandbox.close();
     }, 60_000);`,
  );
  const config = { rootDir: project, cacheDirectory: join(project, 'cache'), transform: {}, ...options };
  return run('node_modules/jest/bin/jest.js', '--config', JSON.stringify(config), ...words, `${name}.test.js`);
}

test('jest lists no open handle of a sandbox that is closed', async () => {
  const code = `
    await sandbox.snapshot.save('here');
    await sandbox.snapshot.restore('here');`;
  const said = await jest('handles', code, {}, '--detectOpenHandles');
  expect(said).toMatch(/^Tests: +1 passed, 1 total$/m);
  expect(said).not.toContain('open handle');
});

test('the clock of a sandbox is real where jest fakes all dates from the start', async () => {
  const code = `
    jest.setSystemTime(new Date('2001-01-01T00:00:00Z'));
    expect(sandbox.clock.now()).not.toMatch(/^2001/);
    await expect(sandbox.waitForRequest({ path: '/me' }, { timeoutMs: 50 })).rejects.toThrow('50 ms');`;
  expect(await jest('faked', code, { fakeTimers: { enableGlobally: true } })).toMatch(/exit code 0$/);
});

test('a sandbox works where jest gives a test the globals of a page', async () => {
  const code = `
    expect([typeof fetch, typeof TextEncoder, typeof URL.canParse]).toEqual(Array(3).fill('undefined'));
    const install = new URL(sandbox.authUrl + '/integrations/oauth-install');
    install.searchParams.set('client_id', 'sandpiper-demo-client');
    install.searchParams.set('redirect_uri', 'http://localhost:3000/callback');
    expect(await sandbox.decideInstall(install.href)).toMatch('code=');

    const receiver = await sandbox.receiver();
    const fired = await sandbox.trigger({ type: 'email.opened', to: receiver.url });
    expect((await receiver.next()).json.type).toBe('email.opened');

    receiver.answerWith({ status: 302, headers: { location: '/moved' } });
    await sandbox.trigger({ type: 'email.opened', to: receiver.url });
    const { attempts } = await sandbox.waitForDelivery({ state: 'failed' });
    expect(attempts[0].error).toMatch('302 to ' + receiver.url + '/moved');

    // More than one buffer of recorded requests, which are used again.
    const { request } = require('node:http');
    const ask = (body) => new Promise((done) => {
      const headers = { authorization: 'Bearer ' + sandbox.key, 'content-type': 'application/json' };
      const options = { method: 'POST', headers };
      request(sandbox.apiUrl + '/subscriptions', options, (answer) => answer.resume().once('end', done)).end(body);
    });
    for (let count = 0; count < 10; count += 1) await ask(JSON.stringify('x'.repeat(60_000)));
    await sandbox.reset();
    await ask(Buffer.from('\\ufeff{"a":1}', 'utf16le'));
    expect(sandbox.requests({ status: 400 })).toHaveLength(1);`;
  const testEnvironment = join(import.meta.dirname, 'page-environment.cjs');
  expect(await jest('page', code, { testEnvironment })).toMatch(/exit code 0$/);
});

test('a world in TypeScript is read where vitest has modules of its own, in vmThreads', async () => {
  writeFileSync(
    join(project, 'world.ts'),
    `import { defineWorld } from 'sandpiper/config';
     export default defineWorld({ companies: [{ name: 'Acme' }], apps: [{ name: 'Shop', key: 'acme-shop-key' as string }] });`,
  );
  writeFileSync(
    join(project, 'vm.test.mjs'),
    `import { createSandbox } from 'sandpiper/testing';
     test('world', async () => {
       const sandbox = await createSandbox({ world: 'world.ts' });
       expect(sandbox.key).toBe('acme-shop-key');
       await sandbox.close();
     });`,
  );
  const words = ['run', '--root', project, '--globals', '--pool', 'vmThreads', '--testTimeout', '60000', 'vm.test.mjs'];
  expect(await run('node_modules/vitest/vitest.mjs', ...words)).toMatch(/exit code 0$/);
});

test('webhooks arrive where a test replaced http.request after it loaded the library, as msw does', async () => {
  const script = `
    const http = require('node:http');
    const { createSandbox } = require('sandpiper/testing');
    http.request = () => { throw new Error('No connection is allowed.'); };
    createSandbox().then(async (sandbox) => {
      const receiver = await sandbox.receiver();
      await sandbox.trigger({ type: 'email.opened', to: receiver.url });
      console.log((await receiver.next()).json.type);
      await sandbox.close();
    });`;
  writeFileSync(join(project, 'replaced.cjs'), script);
  expect(await run(join(project, 'replaced.cjs'))).toBe('email.opened\nexit code 0');
});

test('where a test blocks connections, as nock does, a call says which to let pass', async () => {
  const script = `
    const { Socket } = require('node:net');
    const { createSandbox } = require('sandpiper/testing');
    createSandbox().then(async (sandbox) => {
      Socket.prototype.connect = function () {
        setImmediate(() => this.destroy(new Error('blocked')));
        return this;
      };
      await sandbox.clock.freeze().catch(({ message }) => console.log(message.split('). ')[1]));
      await sandbox.close();
    });`;
  writeFileSync(join(project, 'blocked.cjs'), script);
  expect(await run(join(project, 'blocked.cjs'))).toBe(
    'It runs in this process: if something in the test blocks connections, let those to 127.0.0.1 pass.\nexit code 0',
  );
});

test('a wait ends where the program has replaced how stacks are written', async () => {
  const script = `
    const { createSandbox } = require('sandpiper/testing');
    Error.prepareStackTrace = (_, frames) => frames;
    createSandbox().then(async (sandbox) => {
      const told = ({ message }) => console.log(message.slice(0, 30));
      await sandbox.waitForRequest({ path: '/me' }, { timeoutMs: 50 }).catch(told);
      const waits = sandbox.waitForRequest({ path: '/me' }).catch(told);
      await sandbox.close();
      await waits;
    });`;
  writeFileSync(join(project, 'stacks.cjs'), script);
  expect(await run(join(project, 'stacks.cjs'))).toBe(
    'There was no request with path\nThe sandbox was closed while w\nexit code 0',
  );
});

test.for([
  ['--frozen-intrinsics', 'sandpiper-demo-key'],
  ['--disallow-code-generation-from-strings', 'Sandpiper compiles its checks when it runs, which --disallow-'],
])('with %s of Node the sandbox works, or is refused with the reason', async ([option, says]) => {
  const script = `
    const { createSandbox } = require('sandpiper/testing');
    createSandbox().then(
      (sandbox) => (console.log(sandbox.key), sandbox.close()),
      (error) => console.log(error.message),
    );`;
  const options = { cwd: project, env: personEnvironment({ NODE_OPTIONS: option }) };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], options);
  expect(stdout).toContain(says);
});

test('a sandbox is refused plainly in Bun and in Deno, whose HTTP servers are others', async () => {
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, bun: '1.4.5' } });
    require('sandpiper/testing').createSandbox().catch(({ message }) => console.log(message));`;
  writeFileSync(join(project, 'bun.cjs'), script);
  expect(await run(join(project, 'bun.cjs'))).toBe(
    'Sandpiper runs in Node, not in Bun 1.4.5. Start it with Node; tests that Bun runs get a sandbox from "npx sandpiper exec -- bun test".\nexit code 0',
  );
});
