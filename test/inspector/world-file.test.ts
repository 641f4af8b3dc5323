import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ClockView } from '../../emulator/control/calls.ts';
import { useInspector } from '../support/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-world-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const world = join(folder, 'shop.yaml');
const declare = (company: string): void => writeFileSync(world, `companies:\n  - name: ${company}\n`);
declare('Acme');
const inspector = useInspector({ world });
const read = async <View>(path: string): Promise<View> => (await inspector.sandbox.control('GET', path)).body;
const companies = async (): Promise<readonly string[]> =>
  (await read<{ readonly records: readonly { readonly name: string }[] }>('/control/records/companies')).records.map(
    ({ name }) => name,
  );

test('a reset to the world file reads it again, says each of its mistakes, and is undone', async () => {
  const page = await inspector.open('/snapshots');
  await page.getByText('npx sandpiper world save world.yaml --url …').waitFor();
  await inspector.sandbox.control('POST', '/control/clock', { advance: '1d' });
  declare('Brant');
  const reset = page.getByRole('button', { name: 'Reset to shop.yaml' });
  await reset.click();
  await page.getByText('Everything reset to shop.yaml').first().waitFor();
  expect(await companies()).toEqual(['Brant']);
  expect((await read<ClockView>('/control/clock')).mode).toBe('real');
  await page.keyboard.press('Control+z');
  await expect.poll(companies).toEqual(['Acme']);

  inspector.allowErrors(/400 \(Bad Request\)/);
  writeFileSync(world, 'companies:\n  - name: Acme\nofers: []\nclock: { rate: fast }\n');
  await reset.click();
  const problem = page.getByRole('alert').filter({ hasText: 'There is no "ofers"' });
  await problem.waitFor();
  expect(await problem.innerText()).toMatch(/shop\.yaml:3: .*\n.*shop\.yaml:4: "clock\.rate" is "fast"/);
  expect(await companies()).toEqual(['Acme']);
});
