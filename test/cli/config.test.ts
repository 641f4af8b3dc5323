import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { configNames } from '../../emulator/config/load.ts';
import { optionList, toFlag, toVariable } from '../../emulator/config/options.ts';
import { run, runIn, serve, stop } from '../support/process.ts';
import { schemaFiles } from '../tools/schema-files.ts';

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
  ['sandpiper.config.json', '{ "$schema": "./config.schema.json", "pace": "manual", "recordDays": 3 }'],
] as const)('%s is read', async ([name, text]) => {
  expect(configNames).toContain(name);
  const { stdout } = await runIn(project({ [name]: text }), ['config', 'print']);
  expect(stdout).toContain(`Config file: ${name}\n`);
  expect(stdout).toMatch(/^pace +"manual" {2}\(sandpiper\.config\.\w+\)$/m);
  expect(stdout).toMatch(/^recordDays +3 {2}\(sandpiper\.config\.\w+\)$/m);
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
    'sandpiper.config.ts:6: "pace" is "manul", not instant or realistic or manual.',
    'sandpiper.config.ts:7: "recordDays" is 0, not a whole number from 1 to 999999999.',
    'sandpiper.config.ts:8: There is no "memmory". Did you mean "memory"?',
  ]);
  const json = project({ 'sandpiper.config.json': '{\n  "port": 1,\n  "hots": "x"\n}' });
  const validated = await runIn(json, ['config', 'validate', '--json']);
  expect(JSON.parse(validated.stdout)).toMatchObject({ problems: [{ line: 3, field: 'hots' }] });
});

test.for([
  [{ 'sandpiper.config.json': '{"prot": 1}' }, /^sandpiper: sandpiper\.config\.json:1: There is no "prot"\. Did you/],
  [{ 'sandpiper.config.json': '{"port": 1' }, /^sandpiper: sandpiper\.config\.json:1: /],
  [{ 'sandpiper.config.json': '[]' }, /^sandpiper: sandpiper\.config\.json:1: The file is \[\], not an object\./],
  [{ 'sandpiper.config.ts': 'export const config = {};' }, /The file is .*, not an object|There is no "config"/],
  [{ 'sandpiper.config.ts': 'throw new Error("no luck");' }, /sandpiper\.config\.ts cannot be run: no luck/],
  [{ 'sandpiper.config.ts': '', 'sandpiper.config.json': '{}' }, /There are several config files: /],
] as const)('%o is one clear line and exit code 2, and nothing is started', async ([files, message]) => {
  const ended = await runIn(project(files), ['serve', '--memory', '--port', '0', '--inspector-port', '0']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});

test('a config that is named and missing, and a switch that is neither on nor off, are wrong usage', async () => {
  const missing = await run(['serve', '--config', 'nowhere.json']);
  expect(missing).toMatchObject({ code: 2, stderr: 'sandpiper: There is no file nowhere.json.\n' });
  const unclear = await run(['config', 'print'], { SANDPIPER_MEMORY: 'maybe' });
  expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('SANDPIPER_MEMORY is "maybe"') });
});

test('every option has its names for the command line and the environment, and the schema for editors is current', async () => {
  const { stdout } = await run(['help', 'serve']);
  for (const [name] of optionList) {
    expect(stdout).toContain(toFlag(name));
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`env: ${toVariable(name)}`);
  }
  for (const [name, text] of Object.entries(schemaFiles))
    expect(readFileSync(join(import.meta.dirname, '../../schema', name), 'utf8'), 'Run "npm run docs".').toBe(text);
});
