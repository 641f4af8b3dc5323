import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../emulator/options.ts';
import { expectSeen, goTo, newContext, useInspector } from '../support/browser.ts';
import { builtInspector } from '../support/built.ts';
import { askPalette, clockBar, clockOf, requestDeletion, toast, useRealTimeAfterEach } from '../support/frame.ts';
import { freePorts } from '../support/free-port.ts';
import { hideForLong, setHidden } from '../support/hidden-tab.ts';
import { holdBack } from '../support/hold-back.ts';
import { intercept } from '../support/intercept.ts';
import { comeLate } from '../support/late.ts';
import { recordMany } from '../support/record-many.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { beginSlow } from '../support/slow-request.ts';

const inspector = useInspector({ pace: 'realistic' });
useRealTimeAfterEach(inspector);

test('the company is switched, its counts are shown, and the choice is kept', async () => {
  const page = await inspector.open('/');
  const units = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Subscribers' });
  await units.getByText(/^\d+$/).waitFor();
  const before = await units.textContent();
  await page.getByTitle('Company: Sandpiper Supply Co.').click();
  await page.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
  await page.getByTitle('Company: Dunlin Outfitters').waitFor();
  await expect.poll(() => units.textContent()).not.toBe(before);
  await page.reload();
  await page.getByTitle('Company: Dunlin Outfitters').waitFor();
});

test('a deletion is undone from the menu', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  await askPalette(page, 'clear the recorded');
  await page.keyboard.press('Enter');
  await toast(page, 'The recorded requests were cleared').waitFor();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(0);
  await page.getByRole('button', { name: 'Undo: The recorded requests were cleared.' }).click();
  await page.getByRole('menuitem', { name: /The recorded requests were cleared/ }).click();
  await toast(page, 'Undone: The recorded requests were cleared.').waitFor();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(1);
  await page.getByRole('button', { name: /^Undo: / }).click();
  await page.getByRole('menuitem', { name: /^Redo: The recorded requests were cleared/ }).click();
  await toast(page, 'Redone: The recorded requests were cleared.').waitFor();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(0);
  await page.getByRole('button', { name: 'Undo: The recorded requests were cleared.' }).click();
  await page.getByRole('menuitem', { name: /^The recorded requests were cleared/ }).click();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(1);
  await askPalette(page, 'redo what');
  await page.getByRole('option', { name: /Redo what was undone last.*cleared/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+y');
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(0);
});

test('the key of undo takes back what was done last, without a toast and before the window lists it', async () => {
  const { control, emulator } = inspector.sandbox;
  const urls = () => [...emulator.deps.store.webhooks.all()].map(({ url }) => url);
  const create = (url: string) => control('POST', '/control/webhooks', { url, events: ['sms.sent'] });
  const before = urls();
  const page = await inspector.open('/');
  await create('http://127.0.0.1:9/first');
  await page.getByRole('button', { name: /^Undo: .*webhook/ }).waitFor();
  // The list is read half a second later.
  await create('http://127.0.0.1:9/second');
  await page.keyboard.press('Control+z');
  await expect.poll(urls).toEqual([...before, 'http://127.0.0.1:9/first']);
});

test('a fault and the pace are visible in every view as they change', async () => {
  const page = await inspector.open('/');
  await inspector.sandbox.control('POST', '/control/faults', { operation: 'GET /me', status: 429 });
  await page.getByRole('contentinfo').getByText('1 fault').waitFor();
  await page.getByRole('link', { name: 'Faults and limits: 1 fault active' }).waitFor();
  await page.getByRole('button', { name: 'pace realistic' }).click();
  await page.getByRole('menuitemradio', { name: /^Manual/ }).click();
  await page.getByRole('button', { name: 'pace manual' }).waitFor();
  expect((await clockOf(inspector)).pace).toBe('manual');
  await inspector.sandbox.control('POST', '/control/pace', { pace: 'realistic' });
});

test('single-letter keys are off while typing, and on again afterwards', async () => {
  await requestDeletion(inspector);
  const page = await inspector.open('/requests');
  await page.keyboard.press('/');
  await page.keyboard.type('an?');
  expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
  expect((await clockOf(inspector)).mode).toBe('real');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keys and help' }).focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await help.getByText('Search, or run a command').waitFor();
  await page.keyboard.type('an');
  expect((await clockOf(inspector)).mode).toBe('real');
  await page.keyboard.press('Escape');
  await expect.poll(() => help.count()).toBe(0);
  await page.keyboard.type('an');
  await expect.poll(async () => (await clockOf(inspector)).mode).toBe('virtual');
});

test('a dialog that was closed a moment ago opens again', async () => {
  const page = await inspector.open('/');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await page.keyboard.press('?');
  await help.waitFor();
  // In one task of the page: the browser says that a dialog has closed in a later one.
  await help.getByRole('button', { name: 'Close' }).evaluate(async (button: HTMLElement) => {
    button.click();
    await Promise.resolve();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', shiftKey: true, bubbles: true }));
    await new Promise((resolve) => void requestAnimationFrame(() => setTimeout(resolve)));
  });
  expect(await help.count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => help.count()).toBe(0);
});

test('a key that the person changed works, and is shown', async () => {
  const page = await inspector.open('/');
  await page.evaluate(() => localStorage.setItem('sandpiper.keys', JSON.stringify({ help: ['h'] })));
  await page.reload();
  await page.getByText('Listening', { exact: true }).waitFor();
  await page.keyboard.press('?');
  await page.keyboard.press('h');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await help.waitFor();
  expect(await help.locator('dl > div', { hasText: 'These keys' }).textContent()).toContain('H');
});

test('in a window that opens at one of a list, Tab begins at the top', async () => {
  const { body } = await inspector.sandbox.call('POST', '/webhooks', {
    json: { url: 'http://127.0.0.1:9/hooks', events: ['sms.sent'] },
  });
  for (const path of ['/settings', '/try', `/webhooks/${encodeURIComponent((body as { id: string }).id)}`]) {
    const page = await inspector.open(path);
    await page.locator('main [aria-current="true"], nav [aria-current="page"]').last().waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.classList.contains('brand')), path).toBe(true);
  }
});

test('everything in the frame can be reached with the keyboard alone', async () => {
  const page = await inspector.open('/requests');
  const names: string[] = [];
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: at } = document;
      return at?.getAttribute('aria-label') ?? at?.getAttribute('title') ?? at?.textContent?.trim() ?? '';
    });
  for (
    let steps = 0;
    steps < 80 && !names.at(-1)?.startsWith('Rewind') && !names.at(-1)?.startsWith('Nothing to rewind');
    steps += 1
  ) {
    await page.keyboard.press('Tab');
    names.push(await focused());
  }
  const all = names.join('\n');
  for (const name of ['Company:', 'Search or run a command', 'Undo', 'Theme', 'Keys and help', 'Home', 'Settings'])
    expect(all).toContain(name);
  for (const name of ['The clock: real', 'Freeze the clock', 'Advance by 30 d', 'Advance to…'])
    expect(all).toContain(name);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('Advance by 30 d');
  await page.keyboard.press('Enter');
  await clockBar(page).getByText('virtual +30 d').waitFor();
  await page.keyboard.press('Control+z');
  await clockBar(page).getByText('real', { exact: true }).waitFor();
  await page.keyboard.press('Control+3');
  await expect.poll(() => page.title()).toContain('Timeline');
  await page.keyboard.press('Control+2');
  await expect.poll(() => page.title()).toContain('Requests');
  await page.keyboard.press('Control+]');
  const first = await focused();
  await page.keyboard.press('Control+]');
  expect(await focused()).not.toBe(first);
});

test('the dark theme is chosen, and kept', async () => {
  const page = await inspector.open('/', { colorScheme: 'light' });
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Theme: as the system' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect.poll(ground).not.toBe(light);
  const dark = await ground();
  await page.reload();
  await expect.poll(ground).toBe(dark);
});

/** A page with its own server, which can be stopped and started again on the same port. */
async function openOwn(
  options: Partial<EmulatorOptions>,
): Promise<{ page: Page; start(): Promise<Sandbox>; first: Sandbox }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-frame-'));
  const started: Sandbox[] = [];
  const same = { uiDir: builtInspector(), token: 'a-token-of-our-own', dataDir, ...(await freePorts()), ...options };
  const first = await startSandbox(same);
  started.push(first);
  const context = await newContext();
  onTestFinished(async () => {
    await context.close();
    for (const sandbox of started) await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const page = await context.newPage();
  await page.goto(`${first.emulator.inspectorUrl}/#token=a-token-of-our-own`);
  await page.getByText('Listening', { exact: true }).waitFor();
  return {
    page,
    first,
    async start() {
      const sandbox = await startSandbox(same);
      started.push(sandbox);
      return sandbox;
    },
  };
}

test('the page reconnects to a restarted server by itself, and misses nothing', async () => {
  const { page, first, start } = await openOwn({});
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await first.call('GET', '/me');
  const rows = page.getByRole('grid', { name: 'Requests' }).getByRole('row').filter({ hasText: 'GET' });
  await expect.poll(() => rows.count()).toBe(1);
  await first.close();
  await page.getByText(/^The server stopped at .* Start it again as before/).waitFor();
  await page.getByRole('contentinfo').getByText('Not reachable').waitFor();
  // This is said for a few seconds only.
  const isBack = page.getByText('Connected again.').waitFor();
  const again = await start();
  await again.call('GET', '/webhooks');
  await again.call('GET', '/me');
  await isBack;
  // The one from before is kept.
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('contentinfo').getByText('Listening', { exact: true }).waitFor();
  await again.call('GET', '/me');
  await expect.poll(() => rows.count()).toBe(4);
});

test('two windows of one browser both tell that the server stopped, and both reconnect to a restarted one', async () => {
  const { page, first, start } = await openOwn({});
  await first.call('GET', '/me');
  const beside = await page.context().newPage();
  await beside.goto(`${first.emulator.inspectorUrl}/#token=a-token-of-our-own`);
  await beside.getByText('Listening', { exact: true }).waitFor();
  const windows = [page, beside];
  for (const one of windows) await one.getByRole('link', { name: 'Requests', exact: true }).click();
  await first.close();
  for (const one of windows) await one.getByText(/^The server stopped at /).waitFor();
  const again = await start();
  await again.call('GET', '/webhooks');
  for (const one of windows) {
    await one.getByText('Listening', { exact: true }).waitFor();
    await one.getByRole('row', { name: /GET \/webhooks/ }).waitFor();
    await expectSeen(one.getByRole('row', { name: /GET \/me/ }));
  }
});

test('after a restart, the windows count as arrived only the requests that they do not know yet', async () => {
  const { page, first, start } = await openOwn({});
  for (let n = 0; n < 3; n += 1) await first.call('GET', '/me');
  const beside = await page.context().newPage();
  await beside.goto(`${first.emulator.inspectorUrl}/#token=a-token-of-our-own`);
  const windows = [page, beside];
  for (const one of windows) await one.getByText('3 requests', { exact: true }).waitFor();
  await first.close();
  for (const one of windows) await one.getByText(/^The server stopped at /).waitFor();
  // Until it is released, no window can connect, so that both count the same.
  const release = await holdBack(page, /\/control\/health$/);
  const releaseBeside = await holdBack(beside, /\/control\/health$/);
  const again = await start();
  await again.call('GET', '/webhooks');
  release();
  releaseBeside();
  // Each says so for a few seconds only.
  const said = 'Connected again. 1 request arrived in the meantime.';
  await Promise.all(windows.map((one) => expectSeen(one.getByText(said))));
});

test('after a restart while its tab was hidden, a window lists what an undo brought back before', async () => {
  const { page, first, start } = await openOwn({});
  await page.clock.install();
  const ids: string[] = [];
  for (const path of ['/me', '/me?2']) ids.push((await (await first.call('GET', path)).exchange()).id);
  // It has a number, but never ends: after the restart, the number of the last one is greater than that of the last end.
  await beginSlow(first.emulator.apiUrl, '/webhooks');
  for (const path of ['/webhooks', '/webhooks?2']) await first.call('GET', path);
  await first.control('POST', '/control/requests/delete', { ids });
  const count = page.getByRole('contentinfo').locator('.live-summary');
  await expect.poll(() => count.innerText()).toMatch(/^2 (?:new )?requests$/);
  await hideForLong(page);
  await first.control('POST', '/control/undo', {});
  await first.close();
  await start();
  await setHidden(page, false);
  await page.clock.fastForward(5_000);
  await expect.poll(() => count.innerText()).toMatch(/^(?:4|2 new) requests$/);
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  for (const path of ['/me', '/me?2', '/webhooks', '/webhooks?2'])
    await expectSeen(page.getByRole('row', { name: `GET ${path} ` }).first());
});

test('a window that is busy when the server stops tells so, too', async () => {
  const { page, first } = await openOwn({});
  const beside = await page.context().newPage();
  await beside.goto(`${first.emulator.inspectorUrl}/#token=a-token-of-our-own`);
  await beside.getByText('Listening', { exact: true }).waitFor();
  const holder = (): Promise<unknown> =>
    beside.evaluate(async () => (await navigator.locks.query()).held?.[0]?.clientId ?? null);
  const before = await holder();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = false;
  await intercept(beside, '**/control/welcome', async (route) => {
    const response = await route.fetch();
    isHeld = true;
    await released;
    await route.fulfill({ response });
  });
  await first.control('POST', '/control/companies', { name: 'One more' });
  await expect.poll(() => isHeld).toBe(true);
  await first.close();
  await page.getByText(/^The server stopped at /).waitFor();
  // The first window leaves the stream to this one, which has not yet taken what it heard.
  await expect.poll(holder).not.toBe(before);
  release();
  await expectSeen(beside.getByText(/^The server stopped at /));
});

test('a window that gets the stream before the last events of the other one tells that the server stopped', async () => {
  const { page, first } = await openOwn({});
  const beside = await page.context().newPage();
  await beside.addInitScript(comeLate, 'stream');
  await beside.goto(`${first.emulator.inspectorUrl}/#token=a-token-of-our-own`);
  await beside.getByText('Listening', { exact: true }).waitFor();
  await first.close();
  await expectSeen(beside.getByText(/^The server stopped at /));
});

test('a server that other machines can reach says so in every view', async () => {
  const { page } = await openOwn({ host: '0.0.0.0' });
  await page.getByRole('note', { name: 'Not on loopback' }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expectSeen(page.getByText('Other machines can reach this server'));
});

test('an address that no view has opens Home, which says so', async () => {
  const page = await inspector.open('/request/req_1');
  await expectSeen(page.getByText('No view has the address that was opened, so Home is shown.'));
  expect(new URL(page.url()).hash).toBe('#/');
});

test('a page that is loaded asks for each thing once, and for its code in one file', async () => {
  const page = await inspector.open('/requests');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const readLast = Promise.all([page.waitForResponse(/\/summary$/), page.waitForResponse(/\/control\/undo$/)]);
  await page.reload();
  await readLast;
  await expectSeen(page.getByText('Listening', { exact: true }));
  expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([]);
  expect(asked.filter((one) => one.endsWith('.js'))).toHaveLength(1);
});

test('the first view that is opened asks for its code in two files: its own, and what views share', async () => {
  const page = await inspector.open();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('navigation').getByRole('link', { name: 'Offers' }).click();
  await page.getByRole('heading', { name: 'Offers', exact: true }).waitFor();
  const code = asked.filter((path) => path.endsWith('.js')).map((path) => path.replace(/-.{8}\.js$/, ''));
  expect(code.toSorted()).toEqual(['/assets/OffersView', '/assets/shared']);
});

test('the status bar counts the requests of the list, and forgets failed deliveries that an undo took back', async () => {
  const { call, control } = inspector.sandbox;
  for (let index = 0; index < 3; index += 1) await call('GET', '/me');
  const page = await inspector.open('/');
  const says = page.locator('.live-summary');
  await expect.poll(() => says.innerText()).toBe('3 requests');
  await control('DELETE', '/control/requests');
  await expect.poll(() => says.innerText()).toBe('Waiting for the first request');
  await control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/no-one', events: ['sms.subscribed'] });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550161' }, signUpSourceId: '100001' } });
  await expect.poll(() => says.innerText()).toMatch(/^1 (?:new )?request$/);
  await control('POST', '/control/clock', { advance: '30d' });
  await expect.poll(() => says.innerText()).toContain('1 delivery failed');
  await control('POST', '/control/undo', {});
  await expect.poll(() => says.innerText()).toBe('1 request');
});

test('the status bar calls requests new for a moment, and no longer once they are cleared', async () => {
  // With a stopped clock: what is new is looked for every two seconds.
  const page = await inspector.open('/', { apart: true });
  await page.clock.install();
  await page.reload();
  await expectSeen(page.getByText('Listening', { exact: true }));
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const says = page.locator('.live-summary');
  /** Half a second goes by each time that it is read. */
  const saysThen = async (): Promise<string> => (await page.clock.runFor(500), says.innerText());
  await expect.poll(saysThen).toBe('Waiting for the first request');
  recordMany(inspector.sandbox, 13);
  await expect.poll(saysThen).toBe('13 new requests');
  await expect.poll(saysThen).toBe('13 requests');
  recordMany(inspector.sandbox, 2);
  await expect.poll(saysThen).toBe('2 new requests');
  await inspector.sandbox.control('DELETE', '/control/requests');
  await expect.poll(saysThen).toBe('Waiting for the first request');
});

test('a message with a long name or address is cut after three lines, and stays in sight from its beginning to its Undo', async () => {
  const page = await inspector.open('/attributes', { width: 1024, height: 700 });
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name', { exact: true }).fill('n'.repeat(200));
  await sheet.getByRole('checkbox', { name: /fixed set/ }).uncheck();
  await sheet.getByRole('button', { name: 'Create the attribute' }).click();
  const message = page.locator('.toast');
  const boxes = async () => ({
    message: await message.boundingBox(),
    undo: await message.getByRole('button', { name: 'Undo' }).boundingBox(),
  });
  const expectInSight = async (): Promise<void> => {
    const { message: whole, undo } = await boxes();
    expect(whole?.height).toBeLessThan(90);
    expect(whole?.x).toBeGreaterThan(0);
    expect((undo?.x ?? 0) + (undo?.width ?? 0)).toBeLessThan(1024);
  };
  await message.getByRole('button', { name: 'Undo' }).waitFor();
  await expectInSight();
  await goTo(page, '/webhooks');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await sheet.getByLabel('Address', { exact: true }).fill(`http://localhost:1/${'long-'.repeat(360)}`);
  await sheet.getByRole('button', { name: 'Create the webhook' }).click();
  await message.getByText('Created the webhook').waitFor();
  await expectInSight();
});
