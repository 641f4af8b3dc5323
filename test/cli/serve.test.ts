import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { run, runIn, serve, start, startIn, stop, type Served } from '../support/process.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandpiper-cli-'));
  cleanUps.push(() => rmSync(path, { recursive: true, force: true }));
  return join(path, 'data');
}

async function startServer(...args: readonly string[]): Promise<Served> {
  const served = await serve(args);
  cleanUps.push(() => stop(served, 'SIGKILL'));
  return served;
}

const asDemo = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };
const makeWebhook = (served: Pick<Served, 'apiUrl'>, url: string) =>
  fetch(`${served.apiUrl}/webhooks`, {
    method: 'POST',
    headers: asDemo,
    body: JSON.stringify({ url, events: ['sms.sent'] }),
  });
const webhookUrls = async (served: Served): Promise<readonly string[]> => {
  const answer = await fetch(`${served.apiUrl}/webhooks`, { headers: asDemo });
  return ((await answer.json()) as { webhooks: { url: string }[] }).webhooks.map(({ url }) => url);
};

test('serve --json prints one line once both servers accept connections', async () => {
  const served = await startServer('--memory');
  expect(served).toMatchObject({
    apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
    authUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    inspectorUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    dataDir: null,
  });
  expect((await fetch(`${served.apiUrl}/me`, { headers: asDemo })).status).toBe(200);
  expect(
    (await fetch(`${served.inspectorUrl}/control/health`, { headers: { authorization: `Bearer ${served.token}` } }))
      .status,
  ).toBe(200);
  const { code, stdout, stderr } = await stop(served);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

const { allowedNodeEnvironmentFlags: nodeOptions } = process;
/** The permission of Node 25 and newer to use the network; older ones have no such permission. */
const hasAllowNet = nodeOptions.has('--allow-net');

test("a data folder is used again under Node's permission model, where only that folder may be written", async () => {
  const data = folder();
  mkdirSync(data);
  const model = nodeOptions.has('--permission') ? '--permission' : '--experimental-permission';
  const files = `${model} --allow-fs-read=* --allow-fs-write=${data}/*`;
  const NODE_OPTIONS = hasAllowNet ? `${files} --allow-net` : files;
  const tokens: string[] = [];
  for (let starts = 1; starts <= 2; starts++) {
    const served = await serve(['--data', data], { NODE_OPTIONS });
    cleanUps.push(() => stop(served, 'SIGKILL'));
    tokens.push(served.token);
    await makeWebhook(served, `http://127.0.0.1:${starts}/`);
    expect(await webhookUrls(served)).toHaveLength(starts);
    expect((await stop(served)).code).toBe(0);
  }
  expect(tokens[1]).toBe(tokens[0]);
});

test.runIf(hasAllowNet)('without the permission to use the network a start says which one it needs', async () => {
  const NODE_OPTIONS = '--permission --allow-fs-read=*';
  const { code, stderr } = await run(['serve', '--memory'], { NODE_OPTIONS });
  expect(code).toBe(1);
  expect(stderr).toBe(
    "sandpiper: Node's permission model does not let this process open a port. Start it with --allow-net as well.\n",
  );
});

/** Where no folder can be made: there is none, it is a file, and the system lets no one. */
const unusable: readonly (readonly [line: string, temporary: string, code: string])[] = [
  ['serve --memory --port 0', '/no/such/folder', 'ENOENT'],
  ['serve --memory --port 0', process.execPath, 'ENOTDIR'],
  ...(process.platform === 'linux'
    ? [
        ['exec --as-production -- node', '/proc', 'ENOENT'] as const,
        ['catalog check package.json', '/proc', 'ENOENT'] as const,
      ]
    : []),
];

test.each(unusable)('%s without a folder for temporary files (%s) says so in one line', async (line, folder, why) => {
  const { code, stdout, stderr } = await run(line.split(' '), { TMPDIR: folder });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `sandpiper: No temporary folder can be made in ${folder} (${why}). Set TMPDIR to a folder that can be written.\n`,
  );
});

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends it cleanly, and all data is there after a restart',
  async (signal) => {
    const data = folder();
    const first = await startServer('--data', data);
    await makeWebhook(first, 'http://localhost:3000/kept');
    expect(await stop(first, signal)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(data, 'lock'))).toBe(false);
    const second = await startServer('--data', data);
    expect(await webhookUrls(second)).toEqual(['http://localhost:3000/kept']);
  },
);

test.skipIf(process.platform === 'win32')('a second signal does not end it in the middle of saving', async () => {
  const data = folder();
  const served = await startServer('--data', data);
  await makeWebhook(served, 'http://127.0.0.1:1/');
  served.process.kill('SIGINT');
  const again = setInterval(() => served.process.kill('SIGINT'), 5);
  cleanUps.push(() => clearInterval(again));
  expect(await served.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(readdirSync(data).filter((name) => ['control.json', 'lock'].includes(name))).toEqual([]);
});

test.skipIf(process.platform === 'win32')('an end that hangs can be cut short, and no change is lost', async () => {
  const data = folder();
  const { process: child, ended, ...running } = start('serve', '--data', data, '--port', '0', '--inspector-port', '0');
  const greeting = await running.output('Press Ctrl+C to stop.');
  const apiUrl = /API base URL +(\S+)/.exec(greeting)?.[1] ?? '';
  await makeWebhook({ apiUrl }, 'http://127.0.0.1:1/kept');
  // To write to it waits until someone reads.
  execFileSync('mkfifo', [join(data, 'state.json.tmp')]);
  child.kill('SIGTERM');
  await running.errors('It is still ending after 10 s. Another Ctrl+C or signal ends it at once.');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  rmSync(join(data, 'state.json.tmp'));
  const again = await startServer('--data', data);
  expect(await webhookUrls(again)).toEqual(['http://127.0.0.1:1/kept']);
  expect(await stop(again)).toMatchObject({ code: 0, stderr: '' });
});

test('only the user can read the data folder and its files', async () => {
  const data = folder();
  await stop(await startServer('--data', data));
  expect(statSync(data).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(data))
    if (statSync(join(data, name)).isFile()) expect(statSync(join(data, name)).mode & 0o777, name).toBe(0o600);
});

test('--memory leaves nothing on disk', async () => {
  const home = folder();
  mkdirSync(home, { recursive: true });
  const served = await serve(['--memory'], { HOME: home, XDG_DATA_HOME: home, APPDATA: home, TMPDIR: home });
  await makeWebhook(served, 'http://localhost:3000/');
  await stop(served);
  expect(readdirSync(home).filter((name) => !name.startsWith('tsx-'))).toEqual([]);
});

test.skipIf(process.platform === 'darwin').each(['', 'relative'])(
  'the data folder is one of the user, not of the working folder, where the variable for it is %j',
  async (value) => {
    const home = folder();
    const asked = { HOME: home, USERPROFILE: home, XDG_DATA_HOME: value, APPDATA: value };
    const { stdout } = await runIn(tmpdir(), ['doctor', '--port', '0', '--inspector-port', '0'], asked);
    const own = process.platform === 'win32' ? ['AppData', 'Roaming', 'Sandpiper'] : ['.local', 'share', 'sandpiper'];
    expect(stdout).toContain(`data: ${join(home, ...own)}`);
  },
);

/** Variables with which nothing names a home. */
const homeless = (home: string): NodeJS.ProcessEnv => ({
  HOME: home,
  USERPROFILE: home,
  XDG_DATA_HOME: '',
  APPDATA: '',
});

test.each(['', 'relative'])(
  'with %j as the home, the data folder is in the one that the system knows',
  async (value) => {
    const { stdout } = await runIn(tmpdir(), ['doctor', '--port', '0', '--inspector-port', '0'], homeless(value));
    expect(stdout).toContain(` data: ${userInfo().homedir}`);
  },
);

test.each([['doctor'], ['serve'], ['clock']])('%s says in one line that a user has no home folder', async (command) => {
  const path = `${folder()}.cjs`;
  // As for a container that runs as a number which is not a user of its system.
  writeFileSync(path, `require('node:os').userInfo = () => { throw new Error('ENOENT'); };`);
  const env = { ...homeless(''), NODE_OPTIONS: `--require "${path}"` };
  const { code, stdout, stderr } = await run([command], env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^sandpiper: This user has no home folder: .* with --data or SANDPIPER_DATA\.\n$/);
});

test('a busy port is one clear line that names the option, and the exit is not zero', async () => {
  const busy = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  cleanUps.push(() => busy.close());
  await new Promise((resolve) => busy.once('listening', resolve));
  const { port } = busy.address() as { port: number };
  const data = folder();
  const ended = await run(['serve', '--port', String(port), '--inspector-port', '0', '--data', data]);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    `sandpiper: Port ${port} on 127.0.0.1 is in use by another program. Stop it, or choose another port with --port (0 takes any free one).\n`,
  );
  expect(existsSync(join(data, 'lock'))).toBe(false);
  const inspector = await run(['serve', '--port', '0', '--inspector-port', String(port), '--memory']);
  expect(inspector.stderr).toContain('--inspector-port');
});

test('a locked data folder is one clear line that says where the first server is, and that keeps running', async () => {
  const data = folder();
  const first = await startServer('--data', data);
  const ended = await run(['serve', '--port', '0', '--inspector-port', '0', '--data', data]);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    `sandpiper: The data folder ${data} is in use by process ${first.process.pid}, whose inspector is at ${first.inspectorUrl}. Stop it, or choose another folder with --data.\n`,
  );
  expect((await fetch(`${first.apiUrl}/me`, { headers: asDemo })).status).toBe(200);
});

test('a data folder that is a file is one clear line', async () => {
  const data = folder();
  mkdirSync(join(data, '..'), { recursive: true });
  writeFileSync(data, 'a file where the folder should be');
  const ended = await run(['serve', '--port', '0', '--inspector-port', '0', '--data', data]);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^sandpiper: The data folder .* is a file, not a folder\. .*--memory\.\n$/);
});

test.skipIf(process.platform !== 'linux')('a data folder where none can be made is one clear line', async () => {
  const running = start('serve', '--port', '0', '--inspector-port', '0', '--data', '/proc/sandpiper/data');
  cleanUps.push(() => running.process.kill('SIGKILL'));
  expect(await running.ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^sandpiper: The data folder \/proc\/sandpiper\/data cannot be written .*--memory\.\n$/,
    ),
  });
});

test('a corrupt state file is renamed, the last good one is opened, and a notice says so', async () => {
  const data = folder();
  for (const url of ['http://localhost:3000/1', 'http://localhost:3000/2']) {
    const served = await startServer('--data', data);
    await makeWebhook(served, url);
    await stop(served);
  }
  writeFileSync(join(data, 'state.json'), '{"format":1,"sequ');
  const served = await startServer('--data', data);
  expect(await webhookUrls(served)).toContain('http://localhost:3000/1');
  const { code, stderr } = await stop(served);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /state\.json could not be read .* kept as state\.corrupt-.*\.json\. The last good copy was opened/,
  );
  expect(readdirSync(data).some((name) => name.startsWith('state.corrupt-'))).toBe(true);
});

test('a state of a newer version is refused and left as it is', async () => {
  const data = folder();
  mkdirSync(data, { recursive: true });
  const text = '{"format":7,"sequence":0,"journal":1,"collections":{}}';
  writeFileSync(join(data, 'state.json'), text);
  const ended = await run(['serve', '--port', '0', '--inspector-port', '0', '--data', data]);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('format 7') });
  expect(statSync(join(data, 'state.json')).size).toBe(text.length);
});

test.for([
  [
    ['serve', '--memory', '--data', '/tmp/x'],
    /^sandpiper: --memory keeps nothing on disk, .* See "sandpiper serve --help"\.\n$/,
  ],
  [
    ['serve', '--memory', '--port', '6341', '--inspector-port', '6341'],
    /^sandpiper: --port and --inspector-port are both 6341, .*\n$/,
  ],
  [['serve', '--host', '0.0.0.0', '--memory'], /needs a token of your own: add --token/],
  [['serve', '--host', '203.0.113.7', '--memory', '--token', 'chosen-token'], /has no address 203\.0\.113\.7/],
  [['serve', '--memory', '--token', ''], /^sandpiper: "" is not possible for --token\. .*\n$/],
] as const)('%s is one clear line and a non-zero exit', async ([args, message]) => {
  const ended = await run(args);
  expect(ended.code).not.toBe(0);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toMatch(message);
});

test('without --json it prints what to open and copy, and a line per request with control characters escaped', async () => {
  const served = start('serve', '--port', '0', '--inspector-port', '0', '--memory');
  const apiUrl = /API base URL +(\S+)/.exec(await served.output('Ctrl+C'))?.[1] ?? '';
  await fetch(`${apiUrl}/me`, { headers: asDemo });
  await fetch(`${apiUrl}/subscriptions`, {
    method: 'POST',
    headers: asDemo,
    body: '{"user":{"phone":"\u001b[31mred"},"signUpSourceId":"100001"}',
  });
  const output = await served.output('POST /subscriptions');
  expect(output).toMatch(/^Open → http:\/\/127\.0\.0\.1:\d+\/#token=\S+$/m);
  expect(output.match(/token=/g)).toHaveLength(1);
  expect(output).toMatch(/^\d\d:\d\d:\d\d 200 GET \/me {2}\d+ ms$/m);
  expect(output).toMatch(
    /^\d\d:\d\d:\d\d 400 POST \/subscriptions {2}\\x1b\[31mred {2}body\.json → http:\/\/127\.0\.0\.1:\d+\/#\/requests\/req_\w+$/m,
  );
  expect(output).not.toContain('\u001b');
  served.process.kill('SIGTERM');
  const { code, stdout } = await served.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nEnded\. Nothing was kept: it ran in memory\.\n$/);
});

test('serve also prints the attempts of deliveries, and at its end where the state is', async () => {
  const data = folder();
  const served = start('serve', '--port', '0', '--inspector-port', '0', '--data', data);
  const apiUrl = /API base URL +(\S+)/.exec(await served.output('Ctrl+C'))?.[1] ?? '';
  const made = await fetch(`${apiUrl}/webhooks`, {
    method: 'POST',
    headers: asDemo,
    body: JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['sms.subscribed'] }),
  });
  expect(made.status).toBe(201);
  await fetch(`${apiUrl}/subscriptions`, {
    method: 'POST',
    headers: asDemo,
    body: '{"user":{"phone":"+15555550177"},"signUpSourceId":"100001"}',
  });
  expect(await served.output('next attempt')).toMatch(
    /^\d\d:\d\d:\d\d → sms\.subscribed retrying http:\/\/127\.0\.0\.1:9\/ {2}Nothing listens/m,
  );
  served.process.kill('SIGINT');
  expect((await served.ended).stdout).toContain(`Ended. Everything is saved in ${data}; `);
});

test('kill -9 at any moment loses no acknowledged write, and the store always opens', async () => {
  const data = folder();
  const acknowledged: string[] = [];
  for (let round = 0; round < 6; round++) {
    const served = await startServer('--data', data);
    expect(await webhookUrls(served)).toEqual(expect.arrayContaining(acknowledged));
    let killed = false;
    const write = async (worker: number): Promise<void> => {
      for (let n = 0; !killed; n++) {
        const url = `http://localhost:3000/${round}-${worker}-${n}`;
        try {
          if ((await makeWebhook(served, url)).status === 201) acknowledged.push(url);
        } catch {
          return;
        }
        if (acknowledged.length >= (round + 1) * 40 && worker === 0) {
          killed = true;
          served.process.kill('SIGKILL');
        }
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    await served.ended;
  }
  const last = await startServer('--data', data);
  const urls = await webhookUrls(last);
  expect(acknowledged.filter((url) => !urls.includes(url))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(240);
});

test('SANDPIPER_JSON=false prints for a person, and a text that is neither true nor false is refused', async () => {
  const env = { SANDPIPER_PORT: '0', SANDPIPER_INSPECTOR_PORT: '0', SANDPIPER_MEMORY: 'true' };
  const running = startIn({ ...env, SANDPIPER_JSON: 'false' }, ['serve']);
  cleanUps.push(() => running.process.kill('SIGKILL'));
  expect(await running.output('\n')).toMatch(/^Open → /);
  expect(await run(['serve'], { ...env, SANDPIPER_JSON: 'maybe' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'sandpiper: SANDPIPER_JSON is "maybe"; it takes true or false.\n',
  });
});

test('every option of a start can be set in the environment, for containers', async () => {
  const env = {
    SANDPIPER_PORT: '0',
    SANDPIPER_INSPECTOR_PORT: '0',
    SANDPIPER_MEMORY: '1',
    SANDPIPER_JSON: '1',
    SANDPIPER_ALLOW_HOST: 'sandbox.example,other.example:9000',
  };
  const running = startIn(env, ['serve']);
  const { apiUrl, dataDir } = JSON.parse(await running.output('\n')) as { apiUrl: string; dataDir: string | null };
  const { port } = new URL(apiUrl);
  const statusFor = (host: string) =>
    new Promise((resolve) =>
      get({ port, host: '127.0.0.1', path: '/v1/me', headers: { host } }, (answer) =>
        resolve(answer.resume().statusCode),
      ),
    );
  expect([dataDir, await statusFor('sandbox.example'), await statusFor('other.example:9000')]).toEqual([
    null,
    401,
    401,
  ]);
  expect(await statusFor('third.example')).toBe(403);
  running.process.kill('SIGTERM');
  await running.ended;
});

test.each(['20.9.1', '21.7.3', '22.1.0'])('in Node %s, a command says which one it needs', async (version) => {
  const place = folder();
  mkdirSync(place, { recursive: true });
  const older = join(place, 'older.cjs');
  writeFileSync(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  expect(await run(['serve', '--memory'], { NODE_OPTIONS: `--require ${older}` })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Sandpiper needs Node 20 from 20.19.0 on, or 22.2.0 or newer. This is Node ${version}.\n`,
  });
});

test('an unexpected error is told with its stack, without the line of the build that threw it', async () => {
  const place = folder();
  mkdirSync(place, { recursive: true });
  const broken = join(place, 'broken.cjs');
  writeFileSync(broken, `require('node:zlib').crc32 = () => { throw new TypeError('no checksums'); };`);
  const NODE_OPTIONS = `--require ${broken}`;
  const { code, stdout, stderr } = await run(['serve', '--data', join(place, 'data')], { NODE_OPTIONS });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('sandpiper: The command ended with an unexpected error: TypeError: no checksums\n');
  expect(stderr.split('\n').filter((line) => line.length > 300)).toEqual([]);
});
