import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { builtInspector } from '../support/built.ts';
import { checkAccess, expectSeen, newContext } from '../support/browser.ts';
import { freePorts } from '../support/free-port.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

/** A page with its own server, which makes its token itself and can be started again on the same port. */
async function openOwn(dataDir: string | null): Promise<{ page: Page; first: Sandbox; restart(): Promise<Sandbox> }> {
  const started: Sandbox[] = [];
  const ports = await freePorts();
  const start = async (): Promise<Sandbox> => {
    const sandbox = await startSandbox({ uiDir: builtInspector(), dataDir, ...ports });
    started.push(sandbox);
    return sandbox;
  };
  const first = await start();
  const context = await newContext();
  onTestFinished(async () => {
    await context.close();
    for (const sandbox of started) await sandbox.close();
  });
  const page = await context.newPage();
  await page.goto(`${first.emulator.inspectorUrl}/#token=${encodeURIComponent(first.emulator.token)}`);
  await page.getByText('Listening', { exact: true }).waitFor();
  return {
    page,
    first,
    async restart() {
      await first.close();
      await page.getByText(/^The server stopped at/).waitFor();
      return start();
    },
  };
}

test('an open tab goes on after a restart with the same data folder, without a question', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-token-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const { page, restart } = await openOwn(dataDir);
  await restart();
  await page.getByRole('contentinfo').getByText('Listening', { exact: true }).waitFor();
  expect(await page.getByRole('heading', { name: 'Which token?' }).count()).toBe(0);
});

test('after a restart with a new token the tab says so; a wrong token stays in the field and is named there', async () => {
  const { page, restart } = await openOwn(null);
  const again = await restart();
  await page.getByText('The server no longer accepts the token of this tab').waitFor();
  await page.getByText('in the address that npx sandpiper serve prints after “Open →”').waitFor();
  const field = page.getByLabel('Control token');
  await field.fill('not-the-token');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The server does not accept this token').waitFor();
  expect(await field.inputValue()).toBe('not-the-token');
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => field.evaluate((input) => document.activeElement === input)).toBe(true);
  await checkAccess(page);
  await field.fill('ключ');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The server does not accept this token').waitFor();
  await field.fill(`${again.emulator.inspectorUrl}/#token=${encodeURIComponent(again.emulator.token)}`);
  await page.keyboard.press('Enter');
  await page.getByText('Listening', { exact: true }).waitFor();
});

test('after a restart with a new token, all open tabs go on once its address is entered in one of them', async () => {
  const { page, first, restart } = await openOwn(null);
  const tabs = [page, await page.context().newPage(), await page.context().newPage()];
  for (const tab of tabs.slice(1)) {
    await tab.goto(`${first.emulator.inspectorUrl}/#/requests`);
    await tab.getByText('Listening', { exact: true }).waitFor();
  }
  const { emulator } = await restart();
  for (const tab of tabs) await tab.getByRole('heading', { name: 'Which token?' }).waitFor();
  const [entered] = tabs;
  // As in the address bar: only the fragment changes, so no page is loaded.
  await entered?.evaluate((token) => (location.hash = `token=${token}`), encodeURIComponent(emulator.token));
  for (const tab of tabs) await tab.getByText('Listening', { exact: true }).waitFor();
  for (const tab of tabs) expect(tab.url()).not.toContain('token');
  // What they show is of the new server, which has recorded nothing yet.
  await emulator.reset('demo');
  for (const tab of tabs) await tab.getByText('Waiting for the first request').waitFor();
});

test('a tab whose old token is refused asks the others, and takes none that was refused', async () => {
  const { page, first, restart } = await openOwn(null);
  const hidden = await page.context().newPage();
  // A tab that was hidden since the start before still has its token.
  await hidden.goto(`${first.emulator.inspectorUrl}/mark.svg`);
  await hidden.evaluate((token) => {
    const channel = new BroadcastChannel('sandpiper.token');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.addEventListener('message', ({ data }) => data === 'ask' && channel.postMessage({ token }));
  }, first.emulator.token);
  const { emulator } = await restart();
  await page.getByText('The server no longer accepts the token of this tab').waitFor();
  const fresh = await page.context().newPage();
  await fresh.goto(`${emulator.inspectorUrl}/#token=${encodeURIComponent(emulator.token)}`);
  await expectSeen(fresh.getByText('Listening', { exact: true }));
  await expectSeen(page.getByText('Listening', { exact: true }));
  const later = await page.context().newPage();
  await later.goto(`${emulator.inspectorUrl}/#/requests`);
  await expectSeen(later.getByText('Listening', { exact: true }));
});
