import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { configNames } from '../../emulator/config/load.ts';
import { optionList, toFlag, toVariable } from '../../emulator/config/options.ts';
import { sayThrown } from '../../emulator/config/source.ts';
import { useNoProxy } from '../support/no-proxy.ts';
import { run, runIn, serve, stop } from '../support/process.ts';
import { schemaFiles } from '../tools/schema-files.ts';

useNoProxy();

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A folder with these files. */
function project(files: { readonly [name: string]: string }): string {
  const path = mkdtempSync(join(tmpdir(), 'sandpiper-config-'));
  cleanUps.push(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

interface Printed {
  readonly file: string | null;
  readonly options: readonly { readonly option: string; readonly value: unknown; readonly from: string }[];
}

const typed = `import { defineConfig } from 'sandpiper/config';
const days: number = 3;
export default defineConfig({ recordDays: days, pace: 'manual', data: './state', rateLimits: 'real' });
`;

test('the command line counts before the environment, that before the config, that before the default', async () => {
  const folder = project({ 'sandpiper.config.ts': typed });
  const below = join(folder, 'src');
  mkdirSync(below);
  const env = { SANDPIPER_PACE: 'instant', SANDPIPER_RATE_LIMITS: 'off', SANDPIPER_ALLOW_HOST: 'a.test, b.test' };
  const { stdout, code } = await runIn(below, ['config', 'print', '--json', '--rate-limits', 'real'], env);
  expect(code).toBe(0);
  const { options } = JSON.parse(stdout) as Printed;
  const inForce = Object.fromEntries(options.map(({ option, value, from }) => [option, [value, from]]));
  expect(inForce).toMatchObject({
    rateLimits: ['real', 'command line'],
    pace: ['instant', 'environment'],
    allowHost: [['a.test', 'b.test'], 'environment'],
    recordDays: [3, 'config'],
    data: [join(folder, 'state'), 'config'],
    port: [4747, 'default'],
  });
});

test.for([
  ['sandpiper.config.ts', typed],
  ['sandpiper.config.mts', typed],
  ['sandpiper.config.js', "export default { pace: 'manual', recordDays: 3 };"],
  ['sandpiper.config.mjs', "export default { pace: 'manual', recordDays: 3 };"],
  ['sandpiper.config.mjs', "export default (async () => ({ pace: 'manual', recordDays: 3 }))();"],
  ['sandpiper.config.yaml', 'pace: manual\nrecordDays: 3\n'],
  ['sandpiper.config.json', '{ "$schema": "./config.schema.json", "pace": "manual", "recordDays": 3 }'],
] as const)('%s is read: %s', async ([name, text]) => {
  expect(configNames).toContain(name);
  const { stdout } = await runIn(project({ [name]: text }), ['config', 'print']);
  expect(stdout).toContain(`Config file: ${name}\n`);
  expect(stdout).toMatch(/^pace +"manual" {2}\(sandpiper\.config\.\w+\)$/m);
  expect(stdout).toMatch(/^recordDays +3 {2}\(sandpiper\.config\.\w+\)$/m);
});

test('of --memory and --data the one nearer to the command counts, and SANDPIPER_MEMORY before SANDPIPER_DATA', async () => {
  const folder = project({ 'of-data.json': '{"data": "./state"}', 'of-memory.json': '{"memory": true}' });
  const placeOf = async (words: readonly string[], env: NodeJS.ProcessEnv) => {
    const { options } = JSON.parse(
      (await runIn(folder, ['config', 'print', '--json', ...words], env)).stdout,
    ) as Printed;
    const [data, memory] = ['data', 'memory'].map((name) => options.find(({ option }) => option === name)?.value);
    return { data, memory };
  };
  const inMemory = { data: null, memory: true };
  expect(await placeOf(['--memory'], { SANDPIPER_DATA: 'x' })).toEqual(inMemory);
  expect(await placeOf(['--memory', '--config', 'of-data.json'], {})).toEqual(inMemory);
  expect(await placeOf([], { SANDPIPER_MEMORY: 'true', SANDPIPER_DATA: 'x' })).toEqual(inMemory);
  expect(await placeOf(['--data', 'y'], { SANDPIPER_MEMORY: 'true' })).toEqual({ data: 'y', memory: null });
  expect(await placeOf(['--config', 'of-memory.json'], { SANDPIPER_DATA: 'x' })).toEqual({ data: 'x', memory: null });
  const kept = await placeOf(['--config', 'of-data.json'], { SANDPIPER_MEMORY: 'false' });
  expect(kept).toEqual({ data: join(folder, 'state'), memory: false });
});

test('doctor looks at the ports and the folder that a start would take', async () => {
  const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(taken, 'listening');
  cleanUps.push(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const folder = project({ 'sandpiper.config.json': JSON.stringify({ port, inspectorPort: 0, data: './state' }) });
  const inUse = {
    code: 1,
    stdout: expect.stringContaining(
      `PROBLEM --port: Port ${port} on 127.0.0.1 is in use by another program.`,
    ) as string,
  };
  const first = await runIn(folder, ['doctor']);
  expect(first).toMatchObject(inUse);
  expect(first.stdout).toContain(`${join(folder, 'state')} does not exist yet`);
  const { code, stdout } = await runIn(folder, ['doctor', '--port', '0', '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { length: 5 }]);
  expect(await run(['doctor'], { SANDPIPER_PORT: String(port), SANDPIPER_MEMORY: 'true' })).toMatchObject(inUse);
  const elsewhere = await run(['doctor', '--memory', '--host', '203.0.113.7', '--port', '0', '--inspector-port', '0']);
  expect(elsewhere).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('PROBLEM --port: This machine has no address 203.0.113.7. ') as string,
  });
});

test.each([
  [{ HTTP_PROXY: 'http://proxy.example:8080' }, 'HTTP_PROXY', 'localhost and 127.0.0.1', 'localhost,127.0.0.1'],
  [{ all_proxy: 'socks5://proxy.example', NO_PROXY: '.example.com, LOCALHOST' }, 'all_proxy', '127.0.0.1', '127.0.0.1'],
])('doctor says that with %j a proxy gets what an app sends to this machine', async (env, name, hosts, missing) => {
  const says = `${name} names a proxy, which also gets what your programs send to ${hosts}. Add ${missing} to NO_PROXY.`;
  expect(await run(['doctor', '--memory', '--port', '0', '--inspector-port', '0'], env)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`PROBLEM proxy: ${says}\n`) as string,
  });
});

test('doctor finds no problem in a proxy that is not for this machine', async () => {
  const free = ['doctor', '--memory', '--port', '0', '--inspector-port', '0'];
  const exempt = { http_proxy: 'http://proxy.example', no_proxy: '127.0.0.0/8,localhost' };
  expect(await run(free, exempt)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ok      proxy: http_proxy names a proxy, and NO_PROXY exempts ') as string,
  });
  const other = await run(free, { HTTPS_PROXY: 'http://proxy.example', HTTP_PROXY: '' });
  expect([other.code, other.stdout]).toEqual([0, expect.not.stringContaining('proxy')]);
});

test('exec takes a variable that is for runs as in production, and refuses the option without --as-production', async () => {
  expect(await run(['exec', '--', process.execPath, '-e', ''], { SANDPIPER_OFFLINE: 'true' })).toMatchObject({
    code: 0,
  });
  expect(await run(['exec', '--offline', '--', process.execPath, '-e', ''])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--offline belongs to --as-production.') as string,
  });
});

test.for([['serve', '--memory'], ['doctor'], ['mcp'], ['catalog', 'check', 'catalog.ndjson']])(
  'a Node that may not compile is refused by %s with what to do, also where there is a config file',
  async (words) => {
    const env = { NODE_OPTIONS: '--disallow-code-generation-from-strings' };
    for (const files of [{}, { 'sandpiper.config.ts': 'export default { port: 0, inspectorPort: 0 };' }]) {
      const folder = project({ ...files, 'catalog.ndjson': '{"id": "P1"}' });
      const { code, stdout, stderr } = await runIn(folder, words, env);
      expect(code).not.toBe(0);
      expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toMatch(
        /^(?!.*\bat new Function).*forbids\. Start Node without it\./,
      );
    }
  },
);

test('what a config prints is not part of the result, and a check runs it once', async () => {
  const text = "console.log('hello'); export default { pace: 'manual', data: './state' };";
  const folder = project({ 'sandpiper.config.mjs': text });
  const printed = await runIn(folder, ['config', 'print', '--json']);
  expect(printed.stderr).toBe('hello\n');
  expect(JSON.parse(printed.stdout)).toMatchObject({ file: 'sandpiper.config.mjs' });
  expect(await runIn(folder, ['config', 'validate'])).toMatchObject({
    stdout: 'sandpiper.config.mjs has no mistakes.\n',
    stderr: 'hello\n',
  });
});

test('a value of a config that cannot be read is a mistake with its place', async () => {
  const text = 'export default {\n  get pace() { throw new Error("no pace today"); },\n};\n';
  expect(await runIn(project({ 'sandpiper.config.mjs': text }), ['config', 'print'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'sandpiper: sandpiper.config.mjs:2: "pace" cannot be read: no pace today\n',
  });
});

test.for([
  [
    'sandpiper.config.mjs',
    'export default { port: NaN };',
    ':1: "port" is NaN, which is not a number that can be stored.',
  ],
  ['sandpiper.config.json', '{\n  "port": 1,\n  "port": 2\n}', ':3: "port" is there twice. Keep one of the two.'],
  ['sandpiper.config.yaml', '"my app": 1\n"my app": 2\n', ':2: "my app" is there twice. Keep one of the two.'],
] as const)('%s with %s is refused in plain words', async ([name, text, says]) => {
  expect(await runIn(project({ [name]: text }), ['config', 'print'])).toMatchObject({
    code: 2,
    stderr: `sandpiper: ${name}${says}\n`,
  });
});

test('an option that is undefined in a config is not set', async () => {
  const folder = project({
    'sandpiper.config.ts': `export default {
  data: process.env.NO_SUCH_VARIABLE, seed: undefined, world: undefined, pace: undefined, port: undefined, host: undefined, recordDays: 3,
};`,
  });
  const { stdout } = await runIn(folder, ['config', 'print', '--json']);
  const fromConfig = (JSON.parse(stdout) as Printed).options.filter(({ from }) => from === 'config');
  expect(fromConfig).toMatchObject([{ option: 'recordDays', value: 3 }]);
  expect(await runIn(folder, ['exec', '--', process.execPath, '-e', ''])).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder, 'undefined'))).toBe(false);
});

test('a start takes its options from the config that --config names, and the switch of a variable', async () => {
  const folder = project({ 'my.json': '{"token": "token-of-the-config", "pace": "manual"}' });
  const served = await serve(['--config', join(folder, 'my.json')], { SANDPIPER_MEMORY: 'true' });
  cleanUps.push(() => stop(served, 'SIGKILL'));
  expect(served).toMatchObject({ token: 'token-of-the-config', dataDir: null });
  const answer = await fetch(`${served.inspectorUrl}/control/pace`, {
    headers: { authorization: 'Bearer token-of-the-config' },
  });
  expect(await answer.json()).toMatchObject({ pace: 'manual' });
});

test('commands look for the emulator in the data folder of the config, or of SANDPIPER_DATA', async () => {
  const folder = project({ 'sandpiper.config.json': '{"data": "./state"}', 'wrong.json': '{"dat": "./state"}' });
  const served = await serve(['--config', join(folder, 'sandpiper.config.json')]);
  cleanUps.push(() => stop(served, 'SIGKILL'));
  const ready = { code: 0, stdout: `Ready: ${served.apiUrl}\n` };
  expect(await runIn(folder, ['ready'])).toMatchObject(ready);
  expect(await run(['ready'], { SANDPIPER_DATA: join(folder, 'state') })).toMatchObject(ready);
  expect(await runIn(folder, ['ready', '--data', './other'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`No Sandpiper serves the data folder ${join(folder, 'other')}.`),
  });
  expect(await runIn(folder, ['ready'], { SANDPIPER_CONFIG: join(folder, 'wrong.json') })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/There is no "dat"\. Did you mean "data"\?/),
  });
});

const print = (expression: string) => [process.execPath, '-e', `console.log(JSON.stringify(${expression}))`];
/** A program that sends a request with its key, and prints the answer. */
const asks = (path: string, method = 'GET', body?: string) => [
  process.execPath,
  '-e',
  `const { SANDPIPER_API_URL: url, SANDPIPER_API_KEY: key } = process.env;
   const init = { ...${JSON.stringify({ method, body })}, headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' } };
   fetch(url + '${path}', init).then(async (answer) => console.log(answer.status, await answer.text()))`,
];

test('exec has the world and the options of the config, and hands the keys of that world to its command', async () => {
  const folder = project({
    'sandpiper.config.json': '{"world": "world.yaml", "unknownFields": "refuse", "port": 1, "data": "./never"}',
    'world.yaml': 'companies:\n  - name: Acme\napps:\n  - { name: Shop, key: acme-shop-key }\n',
  });
  expect((await runIn(folder, ['exec', '--', ...asks('/me')])).stdout).toMatch(/^200 .*"companyName":"Acme"/);
  expect(
    (
      await runIn(folder, [
        'exec',
        '--',
        ...asks('/subscriptions', 'POST', '{"user":{"phone":"+15555550123"},"surplus":1}'),
      ])
    ).stdout,
  ).toContain('surplus');
  const { stdout } = await runIn(folder, [
    'exec',
    '--',
    ...print('[process.env.SANDPIPER_API_KEY, process.env.SANDPIPER_CLIENT_ID]'),
  ]);
  expect(JSON.parse(stdout)).toEqual(['acme-shop-key', null]);
});

test('exec takes the hosts of the platform and --offline from the config for a run as in production', async () => {
  const folder = project({ 'sandpiper.config.json': '{"productionHost": ["api.example.com"], "offline": true}' });
  const script = `for (const host of ['api.example.com', 'example.org'])
    await fetch('https://' + host + '/v1/me').then(({ status }) => console.log(status), ({ cause }) => console.log(cause.code));`;
  const program = [process.execPath, '--input-type=module', '-e', script];
  expect((await runIn(folder, ['exec', '--as-production', '--', ...program])).stdout).toBe('401\nECONNREFUSED\n');
  expect((await runIn(folder, ['exec', '--', process.execPath, '-e', ''])).code).toBe(0);
});

test.for([
  [{ 'sandpiper.config.json': '{"prot": 1}' }, /There is no "prot"\. Did you mean "port"\?/],
  [{ 'sandpiper.config.json': '{"productionHost": ["https://x"]}' }, /takes the name of a host/],
  [{ 'sandpiper.config.json': '{"productionHost": ["127.0.0.1"]}' }, /takes the name of a host.* not "127\.0\.0\.1"/],
  [
    { 'sandpiper.config.json': '{"allowHost": ["shop.test", "http://x/"]}' },
    /--allow-host takes .* not "http:\/\/x\/"/,
  ],
  [
    {
      'sandpiper.config.json': '{"world": "world.yaml"}',
      'world.yaml': 'companies: [{ name: A }]\napps: [{ name: S, company: B }]',
    },
    /world\.yaml:2: apps\[0\]\.company: There is no company "B"/,
  ],
] as const)('with %o exec runs nothing, and says so in one line', async ([files, message]) => {
  const ended = await runIn(project(files), ['exec', '--as-production', '--', ...print('1')]);
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});

const mistaken = `import { defineConfig } from 'sandpiper/config';

const more = { prot: 3 };
export default defineConfig({
  ...more,
  pace: 'manul',
  recordDays: 0,
  memmory: true,
});
`;

test('config validate names line and field of each mistake, with what was meant', async () => {
  const { code, stdout } = await runIn(project({ 'sandpiper.config.ts': mistaken }), ['config', 'validate']);
  expect(code).toBe(2);
  expect(stdout.trim().split('\n')).toEqual([
    // It comes from elsewhere; so the line is that of the whole.
    'sandpiper.config.ts:4: There is no "prot". Did you mean "port"?',
    'sandpiper.config.ts:6: "pace" is "manul", not instant or realistic or manual. Did you mean "manual"?',
    'sandpiper.config.ts:7: "recordDays" is 0, not a whole number from 1 to 999999999.',
    'sandpiper.config.ts:8: There is no "memmory". Did you mean "memory"?',
  ]);
  const json = project({ 'sandpiper.config.json': '{\n  "port": 1,\n  "hots": "x"\n}' });
  const validated = await runIn(json, ['config', 'validate', '--json']);
  expect(JSON.parse(validated.stdout)).toMatchObject({ problems: [{ line: 3, field: 'hots' }] });
});

test('a start that refuses a value of the config names its file, line and field, and of the line its option', async () => {
  const folder = project({
    'sandpiper.config.json': '{\n  "memory": true,\n  "port": 4740,\n  "inspectorPort": 4740,\n  "host": "0.0.0.0"\n}',
  });
  const { code, stderr } = await runIn(folder, ['serve']);
  expect([code, stderr.trimEnd().split('\n')]).toEqual([
    2,
    [
      expect.stringMatching(/^sandpiper: sandpiper\.config\.json:5: "host": --host 0\.0\.0\.0 opens /),
      expect.stringMatching(
        /^sandpiper: sandpiper\.config\.json:4: "inspectorPort": --port and --inspector-port are both /,
      ),
    ],
  ]);
  const typed = await runIn(folder, ['serve', '--host', '0.0.0.0', '--port', '0']);
  expect([typed.code, typed.stderr]).toEqual([2, expect.stringMatching(/^sandpiper: --host 0\.0\.0\.0 opens /)]);
});

test('a value of a config that JSON cannot hold is a mistake like others', async () => {
  const text = 'const hosts = [];\nhosts.push(hosts);\nexport default {\n  port: 10n,\n  allowHost: hosts,\n};\n';
  const { code, stderr } = await runIn(project({ 'sandpiper.config.mjs': text }), ['serve', '--memory']);
  expect(code).toBe(2);
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    'sandpiper: sandpiper.config.mjs:4: "port" is a bigint, not text, a number, true, false, null, a list or an object.',
    'sandpiper: sandpiper.config.mjs:5: "allowHost[0]" refers back to a value that contains it, so it has no end.',
  ]);
});

test('config validate checks the world that the config names: each mistake with its line and field', async () => {
  const world = `companies: [{ name: Acme }]
apps:
  - { name: Shop, company: Acmee }
  - { name: Audit, key: audit-key-1 }
webhooks:
  - { app: Shpo, url: "http://localhost/", events: [sms.sent] }
`;
  const folder = project({ 'sandpiper.config.json': '{"world": "world.yaml"}', 'world.yaml': world });
  const ended = await runIn(folder, ['config', 'validate']);
  expect(ended).toMatchObject({ code: 2, stderr: '' });
  expect(ended.stdout.trimEnd().split('\n')).toEqual([
    'world.yaml:3: apps[0].company: There is no company "Acmee". Did you mean "Acme"? Available: Acme.',
    'world.yaml:6: webhooks[0].app: There is no app "Shpo". Available: Audit.',
  ]);
  const { stdout } = await runIn(folder, ['config', 'validate', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    file: 'sandpiper.config.json',
    problems: [
      { file: 'world.yaml', line: 3, field: 'apps[0].company' },
      { file: 'world.yaml', line: 6, field: 'webhooks[0].app' },
    ],
  });
  writeFileSync(join(folder, 'world.yaml'), 'companies: [{ name: Acme }]\n');
  expect(await runIn(folder, ['config', 'validate'])).toMatchObject({
    code: 0,
    stdout: 'sandpiper.config.json has no mistakes. Neither has world.yaml.\n',
  });
});

test('config validate names mistakes of the schema and of rules together, in the config and in the world', async () => {
  const world = `companies: [{ name: Acme }]
apps: [{ name: Shop, company: Acmee }]
clock: { frozen: yes }
`;
  const config = '{"world": "world.yaml", "pace": "instnt"}';
  const folder = project({ 'sandpiper.config.json': config, 'world.yaml': world });
  const { code, stdout } = await runIn(folder, ['config', 'validate']);
  expect(code).toBe(2);
  expect(stdout).toContain('sandpiper.config.json:1: "pace" is "instnt"');
  expect(stdout).toContain('world.yaml:2: apps[0].company: There is no company "Acmee".');
  expect(stdout).toContain('world.yaml:3: "clock.frozen" is "yes", not true or false.');
});

test.for([
  ['a data folder that cannot be made', { data: '/proc/state' }, /: \/proc\/state cannot be made: /],
  ['a host that is not of this machine', { host: '203.0.113.7', token: 'x' }, /: This machine has no address 203\./],
] as const)('config validate finds %s', async ([, config, says]) => {
  const folder = project({ 'sandpiper.config.json': JSON.stringify(config) });
  const { code, stdout } = await runIn(folder, ['config', 'validate']);
  expect([code, stdout]).toEqual([2, expect.stringMatching(says)]);
});

test('config validate names the value that was probably meant', async () => {
  const folder = project({ 'sandpiper.config.json': JSON.stringify({ pace: 'instnt' }) });
  const { stdout } = await runIn(folder, ['config', 'validate']);
  expect(stdout).toMatch(/: "pace" is "instnt", not .*\. Did you mean "instant"\?\n$/);
});

test('config validate says what a start would refuse of the config, at the line of the option', async () => {
  const config = `{
  "memory": true,
  "data": "./state",
  "host": "0.0.0.0",
  "port": 4748,
  "publicUrl": "localhost:8080",
  "productionHost": ["https://api.example.com"],
  "world": "nowhere.yaml",
  "allowHost": [""]
}`;
  const folder = project({ 'sandpiper.config.json': config });
  const { code, stdout } = await runIn(folder, ['config', 'validate']);
  expect(code).toBe(2);
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^sandpiper\.config\.json:2: "memory": --memory keeps nothing on disk, so it takes no --data\./,
    ),
    expect.stringMatching(/^sandpiper\.config\.json:4: "host": --host 0\.0\.0\.0 .* needs a token of your own/),
    expect.stringMatching(/^sandpiper\.config\.json:5: "port": --port and --inspector-port are both 4748, /),
    expect.stringMatching(/^sandpiper\.config\.json:6: "publicUrl": --public-url takes an address such as/),
    expect.stringMatching(/^sandpiper\.config\.json:9: "allowHost": --allow-host takes the name of a host/),
    expect.stringMatching(/^sandpiper\.config\.json:7: "productionHost": --production-host takes the name of a host/),
    `sandpiper.config.json:8: "world": There is no file ${join(folder, 'nowhere.yaml')}.`,
  ]);
  const unreadable = project({ 'sandpiper.config.json': '{"port": 1' });
  expect(await runIn(unreadable, ['config', 'validate'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^sandpiper: sandpiper\.config\.json:1: .*\n$/),
  });
});

test.for([
  [{ 'sandpiper.config.json': '{"prot": 1}' }, /^sandpiper: sandpiper\.config\.json:1: There is no "prot"\. Did you/],
  [{ 'sandpiper.config.json': '{"port": 1' }, /^sandpiper: sandpiper\.config\.json:1: /],
  [
    { 'sandpiper.config.mjs': 'await new Promise(() => {}); export default {}' },
    /sandpiper\.config\.mjs cannot be run: it awaits what never comes\. Leave that await out\./,
  ],
  [
    { 'sandpiper.config.js': 'process.exit(0)' },
    /sandpiper\.config\.js:1: It cannot be run: it calls process\.exit\. Leave that out\./,
  ],
  [{ 'sandpiper.config.json': '[]' }, /^sandpiper: sandpiper\.config\.json:1: It is \[\], not an object\./],
  [{ 'sandpiper.config.json': '// c\n{}' }, /^sandpiper: sandpiper\.config\.json:1: JSON has no comments\./],
  [{ 'sandpiper.config.json': '{\n  "pace": "manual",\n}' }, /json:2: JSON has no comma after the last entry\./],
  [
    { 'sandpiper.config.json': 'memory: true' },
    /json:1: This is not JSON: a value is expected, not "memory: true"\.$/m,
  ],
  [{ 'sandpiper.config.yaml': 'pace: manual\n---\nport: 1' }, /yaml:2: A second document begins here\. Keep one\.$/m],
  [{ 'sandpiper.config.yaml': '' }, /^sandpiper: sandpiper\.config\.yaml is empty\./],
  [{ 'sandpiper.config.ts': '' }, /^sandpiper: sandpiper\.config\.ts is empty\./],
  [{ 'sandpiper.config.ts': 'export const config = {};' }, /sandpiper\.config\.ts has no default export\./],
  [{ 'sandpiper.config.ts': 'module.exports = null;' }, /^sandpiper: sandpiper\.config\.ts has no default export\./],
  [
    { 'sandpiper.config.ts': 'export default null;' },
    /^sandpiper: sandpiper\.config\.ts:1: It is null, not an object\./,
  ],
  [{ 'sandpiper.config.ts': 'export default undefined;' }, /sandpiper\.config\.ts has no default export\./],
  [{ 'sandpiper.config.ts': 'export default Promise.resolve(5);' }, /ts:1: It is 5, not an object\./],
  [
    { 'sandpiper.config.ts': 'export default (async () => {\n  throw new Error("no luck");\n})();' },
    /sandpiper\.config\.ts:2: It cannot be run: no luck$/m,
  ],
  [{ 'sandpiper.config.ts': 'export default () => ({});' }, /ts:1: It is a function, not an object\./],
  [{ 'sandpiper.config.ts': '\nthrow new Error("no luck");' }, /sandpiper\.config\.ts:2: It cannot be run: no luck$/m],
  [
    { 'sandpiper.config.ts': 'export default {\n  port: ,\n};' },
    /sandpiper\.config\.ts:2: It cannot be run: .*Unexpected/,
  ],
  [
    { 'sandpiper.config.ts': "import './other.ts';\nexport default {};", 'other.ts': '\nlet = ;' },
    /sandpiper\.config\.ts cannot be run: .*other\.ts:2/,
  ],
  [{ 'sandpiper.config.json': '{"world": "w.yaml"}', 'w.yaml': 'companies: 5' }, /w\.yaml:1: "companies" is 5, not a/],
  [{ 'sandpiper.config.json': '{"host": "0.0.0.0"}' }, /needs a token of your own/],
  [{ 'sandpiper.config.json': '{"allowHost": ["a b", ""]}' }, /--allow-host takes the name of a host, .* not "a b"/],
  [{ 'sandpiper.config.ts': '', 'sandpiper.config.json': '{}' }, /There are several config files: /],
] as const)('%o is one clear line and exit code 2, and nothing is started', async ([files, message]) => {
  const ended = await runIn(project(files), ['serve', '--memory', '--port', '0', '--inspector-port', '0']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});

test('a config that leaves a timer behind keeps no command from ending', async () => {
  const folder = project({ 'sandpiper.config.ts': 'setInterval(() => {}, 1000);\nexport default { memory: true };' });
  expect(await runIn(folder, ['config', 'validate'])).toMatchObject({ code: 0, stderr: '' });
  expect(await runIn(folder, ['exec', '--', 'sh', '-c', 'exit 5'])).toMatchObject({ code: 5, stderr: '' });
  const served = await serve(['--config', join(folder, 'sandpiper.config.ts')]);
  expect(await stop(served)).toMatchObject({ code: 0, stderr: '' });
});

test('a variable that is set and empty counts as not set', async () => {
  const folder = project({ 'sandpiper.config.json': '{"memory": true}' });
  const empty = Object.fromEntries(
    ['CONFIG', ...optionList.map(([name]) => toVariable(name).slice('SANDPIPER_'.length))].map((name) => [
      `SANDPIPER_${name}`,
      '',
    ]),
  );
  const { code, stdout } = await runIn(folder, ['config', 'print', '--json'], empty);
  const { file, options } = JSON.parse(stdout) as Printed;
  expect([code, file]).toEqual([0, 'sandpiper.config.json']);
  expect(options.filter(({ from }) => from !== 'default')).toMatchObject([{ option: 'memory', value: true }]);
  expect(await runIn(folder, ['ready'], empty)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No Sandpiper serves'),
  });
});

test('a config that is named and missing, and a switch that is neither on nor off, are wrong usage', async () => {
  const missing = await run(['serve', '--config', 'nowhere.json']);
  expect(missing).toMatchObject({ code: 2, stderr: `sandpiper: There is no file ${resolve('nowhere.json')}.\n` });
  const unclear = await run(['config', 'print'], { SANDPIPER_MEMORY: 'maybe' });
  expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('SANDPIPER_MEMORY is "maybe"') });
});

test('a file without an ending that is not there is missing; one that is there has an ending that is not read', async () => {
  const folder = project({ 'world.toml': 'companies = []' });
  const missing = await runIn(folder, ['exec', '--world', 'nowhere', '--', 'true']);
  expect(missing).toMatchObject({ code: 2, stderr: `sandpiper: There is no file ${join(folder, 'nowhere')}.\n` });
  expect((await runIn(folder, ['exec', '--world', 'world.toml', '--', 'true'])).stderr).toBe(
    'sandpiper: world.toml cannot be read: its name has to end with one of .ts, .mts, .cts, .js, .mjs, .cjs, .json, .yaml, .yml.\n',
  );
});

test('every option has its names for the command line and the environment, and the schema for editors is current', async () => {
  const help = { server: (await run(['help', 'serve'])).stdout, exec: (await run(['help', 'exec'])).stdout };
  for (const [name, { only }] of optionList)
    for (const command of only ? [only] : (['server', 'exec'] as const)) {
      expect(help[command]).toContain(toFlag(name));
      expect(help[command].replaceAll(/\s+/g, ' ')).toContain(`env: ${toVariable(name)}`);
    }
  for (const [name, text] of Object.entries(schemaFiles))
    expect(readFileSync(join(import.meta.dirname, '../../schema', name), 'utf8'), 'Run "npm run docs".').toBe(text);
});

// As they are in Node on Windows.
test.for([
  [
    'Error: no luck\n    at C:/my app/world.ts:3:15\n    at readCode (C:\\lib\\source.cjs:3:1)',
    ':3: It cannot be run: no luck',
  ],
  ['Error: no luck\n    at Object.<anonymous> (C:\\my app\\world.ts:2:7)', ':2: It cannot be run: no luck'],
  ['Error: no luck\n    at readCode (C:\\lib\\source.cjs:3:1)', ' cannot be run: no luck'],
  [
    'Error: ParseError: C:\\: Unexpected token \n C:/my app/world.ts:2:14\n    at jitiRequire (C:\\lib\\jiti.cjs:15:1)',
    ':2: It cannot be run: ParseError: Unexpected token',
  ],
])('the line of a mistake is named from the stack %j', ([stack = '', says]) => {
  const [message = ''] = /(?<=^Error: )[^]*?(?=\n {4}at)/.exec(stack) ?? [];
  const error = Object.assign(new Error(message), { stack });
  expect(sayThrown(error, 'C:\\my app\\world.ts', 'world.ts')).toBe(`world.ts${says}`);
});
