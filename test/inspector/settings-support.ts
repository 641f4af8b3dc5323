import { execFileSync } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import type { PaceView } from '../../emulator/control/calls.ts';
import { copyOf, type Inspector } from '../support/browser.ts';
import { command } from '../support/command.ts';

/** Copies the command for a pace, and checks that it sets the pace of this emulator. */
export async function checkCopiedCommand(inspector: Inspector): Promise<void> {
  const pace = async (): Promise<PaceView> => (await inspector.sandbox.control('GET', '/control/pace')).body;
  const before = await pace();
  onTestFinished(async () => void (await inspector.sandbox.control('POST', '/control/pace', { pace: before.pace })));
  const page = await inspector.open('/settings');
  const row = page.locator('.set-row[aria-label="Pace"]');
  await row.getByRole('button', { name: 'Instant', exact: true }).click();
  await row.getByText(/^npx sandpiper pace instant/).waitFor();
  const copied = await copyOf(page, () => row.getByRole('button', { name: 'Copy: Command' }).click());
  await row.getByRole('button', { name: 'Manual', exact: true }).click();
  await expect.poll(pace).toMatchObject({ pace: 'manual' });
  const split = execFileSync('sh', ['-c', `printf '%s\\n' ${copied}`], { encoding: 'utf8' });
  const [program, ...words] = split.trimEnd().split('\n');
  expect([program, words.shift()]).toEqual(['npx', 'sandpiper']);
  const { code, stderr } = await command(...words);
  expect([code, stderr]).toEqual([0, '']);
  await expect.poll(pace).toMatchObject({ pace: 'instant' });
}
