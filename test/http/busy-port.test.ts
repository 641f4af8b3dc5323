/** Who has the port that a start wants: another Sandpiper is named, with its inspector. */
import { expect, onTestFinished, test } from 'vitest';
import { defaultOptions } from '../../emulator/options.ts';
import { command } from '../support/command.ts';
import { startSandbox } from '../support/sandbox.ts';

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
