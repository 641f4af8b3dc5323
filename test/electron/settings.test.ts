import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSettings } from '../../electron/settings.ts';
import { takeStartOptions } from '../../electron/start-options.ts';
import { toChosenOptions } from '../../emulator/commands/chosen-options.ts';
import { defaultOptions } from '../../emulator/options.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'window-settings-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const open = (problems: string[] = []) =>
  openSettings(join(folder, 'app', 'window.json'), (text) => problems.push(text));
const bounds = { x: -5, y: 20, width: 1200, height: 800 };

test('the window’s settings are there at the next start, readable only by its user', () => {
  open().change({ bounds, maximized: true });
  expect(open().get()).toEqual({ bounds, maximized: true });
  expect(readdirSync(join(folder, 'app'))).toEqual(['window.json']);
  expect(statSync(join(folder, 'app', 'window.json')).mode & 0o777).toBe(0o600);
});

test.for([
  '',
  '{',
  'null',
  '[]',
  '{"bounds":null}',
  '{"bounds":{"x":"0","y":0,"width":1,"height":1},"maximized":false}',
  '{"bounds":{"x":1e99,"y":0,"width":1,"height":1},"maximized":false}',
  '{"bounds":null,"maximized":false,"more":1}',
])('a settings file of %j counts as a first start', (text) => {
  open().change({ bounds });
  writeFileSync(join(folder, 'app', 'window.json'), text);
  expect(open().get()).toEqual({ bounds: null, maximized: false });
});

test('settings that cannot be written are reported, and the window works', () => {
  writeFileSync(join(folder, 'app'), 'a file where the folder should be');
  const problems: string[] = [];
  const settings = open(problems);
  settings.change({ bounds });
  expect(settings.get().bounds).toEqual(bounds);
  expect(problems).toEqual([expect.stringContaining('window.json')]);
});

const chosen = {
  port: 0,
  inspectorPort: 0,
  host: '127.0.0.1',
  publicUrl: null,
  publicInspectorUrl: null,
  dataDir: null,
  seed: null,
  world: null,
  pace: 'manual',
  rateLimits: 'real',
  choices: { unknownFields: 'note', unknownUnsubscribe: 'refuse', answers: 'helpful' },
  record: { exchanges: 10, bytes: 1024, days: 30 },
  token: 'a token of your own',
  allowHosts: ['sandpiper.local'],
};

test('the options of the command line reach the window, and the token leaves the environment', () => {
  const env = { SANDPIPER_OPTIONS: JSON.stringify(chosen), PATH: '/bin' };
  expect(takeStartOptions(env)).toEqual(chosen);
  expect(env).toEqual({ PATH: '/bin' });
});

test('an app that was opened directly starts like “sandpiper serve”', () => {
  const { port, inspectorPort, host } = defaultOptions;
  const options = takeStartOptions({});
  expect(options).toMatchObject({ port, inspectorPort, host, token: null });
  expect(options.dataDir).toMatch(/sandpiper$/i);
});

test('its options are those of the command that starts the window', () => {
  const { port, inspectorPort, host, pace, rateLimits } = defaultOptions;
  const given = { port, inspectorPort, host, pace, rateLimits, ...defaultOptions.choices };
  const options = toChosenOptions({ ...given, recordRequests: 1, recordMegabytes: 1, recordDays: 1 });
  expect(Object.keys(options).toSorted()).toEqual(Object.keys(chosen).toSorted());
});

test.for([
  'no JSON',
  '{}',
  JSON.stringify({ ...chosen, port: 65_536 }),
  JSON.stringify({ ...chosen, port: '80' }),
  JSON.stringify({ ...chosen, pace: 'never' }),
  JSON.stringify({ ...chosen, uiDir: '/tmp/evil' }),
  JSON.stringify({ ...chosen, workerUrl: 'file:///tmp/evil.js' }),
])('options of %s start nothing', (text) => {
  expect(() => takeStartOptions({ SANDPIPER_OPTIONS: text })).toThrow('SANDPIPER_OPTIONS');
});
