import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-caller-'));
const opened = join(folder, 'opened');
writeFileSync(join(folder, 'shop.ts'), '');
writeFileSync(join(folder, 'editor'), `#!/bin/sh\necho "$@" > "${opened}"\n`);
chmodSync(join(folder, 'editor'), 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inspector = useInspector({ editorFolder: folder });

test('a request shows its line of code and its test; a click opens the line, and others are filtered out', async () => {
  process.env['LAUNCH_EDITOR'] = join(folder, 'editor');
  onTestFinished(() => void delete process.env['LAUNCH_EDITOR']);
  const headers = { 'x-sandbox-call-site': 'shop.ts:42:9', 'x-sandbox-test': 'the%20shop%20%3E%20subscribes' };
  const { id } = await (await inspector.sandbox.call('GET', '/me', { headers })).exchange();
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open(`/requests/${id}`);
  const detail = page.getByRole('article', { name: 'Request' });
  await detail.getByText('in the test “the shop > subscribes”').waitFor();
  await detail.getByRole('button', { name: 'shop.ts:42:9' }).click();
  await toast(page, 'Opened line 42 with editor').waitFor();
  // The window says so when the editor was started.
  await expect.poll(() => (existsSync(opened) ? readFileSync(opened, 'utf8') : '')).toContain(join(folder, 'shop.ts'));
  await detail.getByRole('button', { name: 'More for this request' }).click();
  await page.getByRole('menuitem', { name: 'Show only this line of code' }).click();
  await page.getByText('1 of 2', { exact: true }).waitFor();
});
