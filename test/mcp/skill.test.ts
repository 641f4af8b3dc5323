import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, startIn, stop, type Served } from '../support/process.ts';

const root = join(import.meta.dirname, '../..');
const documents = ['SKILL.md', 'llms.txt', 'docs/agents.md'];
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const commands = [
  ...new Set(
    documents.flatMap((path) =>
      [...textOf(path).matchAll(/(?:`|^)npx sandpiper ([^`\n]+?)(?:`|\s{2,}#.*)?$|`npx sandpiper ([^`]+)`/gm)].map(
        ([, line, inline]) => (line ?? inline ?? '').replace(/`.*$/, '').trim(),
      ),
    ),
  ),
];

let folder: string;
let served: Served;
let receiver: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-skill-'));
  served = await serve(['--data', join(folder, 'data')]);
  receiver = createServer((_, answer) => answer.end()).listen(0, '127.0.0.1');
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\n[ -n "$SANDPIPER_API_URL" ] && echo tests ran\n');
  chmodSync(join(folder, 'npm'), 0o755);
  await fetch(`${served.apiUrl}/me`);
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await stop(served);
  rmSync(folder, { recursive: true, force: true });
});

test('the commands that agents are told of are found in the documents', () => {
  expect(commands.length).toBeGreaterThan(10);
});

test.for(commands)('sandpiper %s', async (line) => {
  const { port } = receiver.address() as { port: number };
  const args = (
    line.replace('http://localhost:3000/hooks', `http://127.0.0.1:${port}/hooks`).match(/"[^"]*"|\S+/g) ?? []
  ).map((part) => part.replaceAll('"', ''));
  const env = {
    // Without --data, `serve` stores in a folder of its user.
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'share'),
    PATH: `${folder}:${process.env['PATH']}`,
    SANDPIPER_INSPECTOR_URL: served.inspectorUrl,
    SANDPIPER_TOKEN: served.token,
  };
  if (args[0] === 'explain' || args[0] === 'logs') await fetch(`${served.apiUrl}/me`);
  if (args[0] === 'undo') expect((await startIn(env, ['advance', '1m']).ended).code).toBe(0);
  const running = startIn(env, args[0] === 'serve' ? [...args, '--port', '0', '--inspector-port', '0'] : args);
  if (args[0] === 'serve') {
    await running.output('\n');
    running.process.kill('SIGTERM');
  }
  const { code, stderr, stdout } = await running.ended;
  expect([code, stderr]).toEqual([0, '']);
  if (args.includes('--json')) expect(() => JSON.parse(stdout) as unknown).not.toThrow();
});

test('every file that llms.txt names is there', () => {
  const named = [...textOf('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
