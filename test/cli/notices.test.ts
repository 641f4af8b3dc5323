/** What a running emulator tells on standard error. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { startChosen } from '../../emulator/commands/start.ts';
import { defaultOptions } from '../../emulator/options.ts';
import { workerUrl } from '../support/built.ts';

test('an internal error is told with its stack, a line for each call', async () => {
  const emulator = await startChosen({ ...defaultOptions, port: 0, inspectorPort: 0, dataDir: null }, workerUrl());
  onTestFinished(() => emulator.close());
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  vi.spyOn(emulator.deps.store.companies, 'records').mockImplementation(() => {
    throw new Error('The tide turned.');
  });
  const headers = { authorization: `Bearer ${emulator.token}` };
  expect((await fetch(`${emulator.inspectorUrl}/control/welcome`, { headers })).status).toBe(500);
  emulator.ownErrors.clear();
  const [line, call] = String(write.mock.calls.at(-1)?.[0]).split('\n');
  expect(line).toBe('Internal error of Sandpiper, please report it: Error: The tide turned.');
  expect(call).toMatch(/^ {4}at .*notices\.test\.ts/);
});
