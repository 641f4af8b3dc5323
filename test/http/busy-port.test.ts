/** Who has the port that a start wants: another Sandpiper is named, with its inspector. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultOptions } from '../../emulator/options.ts';
import { command } from '../support/command.ts';
import { startSandbox } from '../support/sandbox.ts';
import { newFolder } from '../store/support.ts';

const portOf = (url: string): number => Number(new URL(url).port);

test.for(['helpful', 'exact'] as const)(
  'a start at a port of another Sandpiper names its inspector, and leaves nothing in its record (answers: %s)',
  async (answers) => {
    const first = await startSandbox({ choices: { ...defaultOptions.choices, answers } });
    onTestFinished(first.close);
    const { apiUrl, inspectorUrl } = first.emulator;
    const says = `is in use by another Sandpiper, whose inspector is at ${inspectorUrl}.`;
    await expect(startSandbox({ port: portOf(apiUrl) })).rejects.toThrow(says);
    await expect(startSandbox({ inspectorPort: portOf(inspectorUrl) })).rejects.toThrow(says);
    expect(first.emulator.recorder.all()).toEqual([]);
  },
);

test('a program that accepts connections and never answers is not called another Sandpiper, nor surely none', async () => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  await expect(startSandbox({ port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use by a program that does not answer: not a Sandpiper, or one that is stopped or very busy. Stop it, or choose another port with --port`,
  );
});

test('doctor names the other Sandpiper that has a port', async () => {
  const first = await startSandbox();
  onTestFinished(first.close);
  const { apiUrl, inspectorUrl } = first.emulator;
  const line = `--memory --inspector-port 0 --port ${portOf(apiUrl)}`;
  const { code, stdout } = await command('doctor', ...line.split(' '));
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    `PROBLEM --port: Port ${portOf(apiUrl)} on 127.0.0.1 is in use by another Sandpiper, whose inspector is at ${inspectorUrl}. Stop it`,
  );
});

test.for([
  ['port', 'apiUrl'],
  ['inspectorPort', 'inspectorUrl'],
] as const)('a first start that finds its %s busy removes the folders that it made', async ([option, address]) => {
  const first = await startSandbox();
  onTestFinished(first.close);
  const above = newFolder();
  const port = portOf(first.emulator[address]);
  await expect(startSandbox({ dataDir: join(above, 'new', 'data'), [option]: port })).rejects.toThrow('is in use by');
  expect(existsSync(above)).toBe(false);
  expect(existsSync(dirname(above))).toBe(true);
});

test('a start at a busy port removes no folder that it did not make, and no file of others', async () => {
  const first = await startSandbox();
  onTestFinished(first.close);
  const dataDir = newFolder();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'notes.txt'), 'mine');
  const port = portOf(first.emulator.apiUrl);
  await expect(startSandbox({ dataDir, port })).rejects.toThrow('is in use by');
  expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['notes.txt', 'journal-1.ndjson']));
  const second = await startSandbox({ dataDir });
  onTestFinished(second.close);
  expect(second.emulator.dataDir).toBe(dataDir);
});
