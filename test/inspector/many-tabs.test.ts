/** A browser opens six connections to a host, for all of its windows together. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { expectGone, expectSeen, newContext, useInspector } from '../support/browser.ts';
import { hideForLong, setHidden, stream } from '../support/hidden-tab.ts';
import { holdBack, letCome, nextFrame } from '../support/hold-back.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector();

/**
 * Returns functions that open pages of one browser at a server between them and the emulator, and that cut all
 * connections to it.
 * @param hear called for each request with its path and a function that passes it on
 */
async function openBetween(
  hear: (url: string, pass: () => void) => void,
): Promise<{ open(): Promise<Page>; cut(): void }> {
  const { inspectorUrl, token } = inspector.sandbox.emulator;
  const between = createServer((from, to) => {
    const { method, url = '', headers } = from;
    const addressed = { host: new URL(inspectorUrl).host, origin: inspectorUrl };
    hear(url, () => {
      const on = request(inspectorUrl + url, { method, headers: { ...headers, ...addressed } }, (answer) =>
        answer.pipe(to.writeHead(answer.statusCode ?? 502, answer.headers)),
      );
      from.pipe(on.on('error', () => to.destroy()));
      to.once('close', () => on.destroy());
    });
  });
  await once(between.listen(0, '127.0.0.1'), 'listening');
  const { port } = between.address() as AddressInfo;
  const context = await newContext();
  onTestFinished(async () => {
    await context.close();
    between.closeAllConnections();
    between.close();
  });
  return {
    async open() {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${port}/#token=${token}`);
      return page;
    },
    cut: () => between.closeAllConnections(),
  };
}

test('seven windows in view show what comes, and each can ask for something', async () => {
  const first = await inspector.open('/requests', { apart: true });
  const windows = [first];
  while (windows.length < 7) windows.push(await inspector.open('/requests', { beside: first }));
  await inspector.sandbox.call('GET', '/me');
  for (const page of windows) {
    await page.getByRole('row', { name: /GET \/me/ }).click();
    await expectSeen(page.getByRole('button', { name: 'Replay', exact: true }));
  }
});

test('when the window that has the stream is closed, the others show what comes then, and what came until there was another stream', async () => {
  const first = await inspector.open('/webhooks', { apart: true });
  const second = await inspector.open('/webhooks', { beside: first });
  const third = await inspector.open('/webhooks', { beside: first });
  const release = await holdBack(second, stream);
  const create = (url: string) => inspector.sandbox.control('POST', '/control/webhooks', { url, events: ['sms.sent'] });
  const asked = second.waitForRequest(stream);
  await first.close();
  await asked;
  await create('https://shop.example/meanwhile');
  release();
  for (const page of [second, third]) await expectSeen(page.getByText('shop.example/meanwhile').first());
  await create('https://shop.example/afterwards');
  for (const page of [second, third]) await expectSeen(page.getByText('shop.example/afterwards').first());
});

test('a window is answered while the same call of another window still waits', async () => {
  const asked: string[] = [];
  let hold: ((answer: () => void) => void) | null = null;
  const { open } = await openBetween((url, pass) => {
    asked.push(url);
    if (url !== '/control/health' || !hold) return pass();
    hold(pass);
    hold = null;
  });
  const first = await open();
  await expectSeen(first.getByText('Listening', { exact: true }));
  const held = new Promise<() => void>((resolve) => (hold = resolve));
  await inspector.sandbox.control('POST', '/control/webhooks', { url: 'https://shop.example/', events: ['sms.sent'] });
  const answer = await held;
  asked.length = 0;
  await open();
  // Asked after it, in the same turn; a call that waits for that of another window waits for up to 20 seconds.
  await expect.poll(() => asked).toContain('/control/clock');
  await expect.poll(() => asked, { timeout: 10_000 }).toContain('/control/health');
  answer();
});

test('the end of a server before a restart, heard late, does not make the loss of the next one an end', async () => {
  let isCut = false;
  const { open, cut } = await openBetween((_url, pass) => (isCut ? cut() : pass()));
  const windows = [await open(), await open()];
  for (const page of windows) await expectSeen(page.getByText('Listening', { exact: true }));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  await windows[0]?.evaluate(() => new BroadcastChannel('sandpiper.end').postMessage(Date.now() - 3_600_000));
  // What the windows hear after it, they hear in this order.
  await inspector.sandbox.call('GET', '/me');
  for (const page of windows) await expectSeen(page.getByRole('link', { name: /^\d+ GET \/me / }));
  isCut = true;
  cut();
  await Promise.all(windows.map((page) => expectSeen(page.getByText(/^Connection lost at /))));
});

test('while the server takes long to answer, a window asks the same only once, and once more for what changed meanwhile', async () => {
  const page = await inspector.open('/webhooks', { apart: true });
  await page.clock.install();
  // Read once more from the start, so that the pause after the first answer is one of this clock.
  const answered = page.waitForResponse(/\/control\/undo$/);
  await page.reload();
  await (await answered).finished();
  await nextFrame(page);
  await page.clock.fastForward(2_000);
  let asked = 0;
  page.on('request', (request) => void (request.url().endsWith('/control/undo') && asked++));
  const release = await holdBack(page, /\/control\/undo$/);
  for (const name of ['one', 'two', 'three']) {
    const url = `https://shop.example/${name}`;
    await inspector.sandbox.control('POST', '/control/webhooks', { url, events: ['sms.sent'] });
    await expectSeen(page.getByText(`shop.example/${name}`).first());
    await page.clock.fastForward(2_000);
  }
  expect(asked).toBe(1);
  await letCome(page, /\/control\/undo$/, release);
  await page.clock.fastForward(2_000);
  await expect.poll(() => asked).toBe(2);
});

test('where a page cannot lock, each window has its own stream', async () => {
  const first = await inspector.open('/requests', { apart: true });
  const windows = [first, await inspector.open('/requests', { beside: first })];
  for (const page of windows) {
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
    const opened = page.waitForRequest(stream);
    await page.reload();
    await opened;
  }
  await inspector.sandbox.call('GET', '/me');
  for (const page of windows) await expectSeen(page.getByRole('row', { name: /GET \/me/ }));
});

test('seven tabs can be open at once: one that is hidden closes its stream, and shows later what came meanwhile', async () => {
  const first = await inspector.open('/requests', { apart: true });
  await first.clock.install();
  for (let tab = first, others = 0; others < 6; others += 1) {
    await setHidden(tab, true);
    await first.clock.fastForward(5_000);
    tab = await inspector.open('/requests', { beside: first });
  }
  await inspector.sandbox.call('GET', '/me');
  await setHidden(first, false);
  await expectSeen(first.getByRole('row', { name: /GET \/me/ }));
  await expectSeen(first.getByText('Listening', { exact: true }));
});

test('a key that was made while the tab was hidden is named once the tab is shown again', async () => {
  const page = await inspector.open('/requests', { apart: true });
  await page.clock.install();
  await hideForLong(page);
  const input = { companyId: demoCompany, name: 'Made meanwhile' };
  const { secret }: { secret: string } = (await inspector.sandbox.control('POST', '/control/credentials', input)).body;
  await inspector.sandbox.call('GET', '/me', { key: secret });
  await setHidden(page, false);
  await page.getByRole('row', { name: /GET \/me/ }).click();
  await expectSeen(page.getByTitle(/^Made meanwhile: /).first());
});

test('a sheet about a record is closed once the tab is shown again, if all records were replaced while it was hidden', async () => {
  const page = await inspector.open('/offers', { apart: true });
  await page.clock.install();
  await page.getByRole('grid').getByRole('row').first().click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Edit the offer' });
  await expectSeen(sheet);
  for (const replaces of [false, true]) {
    await hideForLong(page);
    if (replaces) await inspector.sandbox.reset();
    const back = page.waitForRequest(stream);
    await setHidden(page, false);
    await back;
    await (replaces ? expectGone(sheet) : expectSeen(sheet));
  }
  await expectSeen(page.getByText('All records were replaced, so the sheet about one of them was closed.'));
});

test('a tab that is hidden for a moment goes on as before', async () => {
  const page = await inspector.open('/requests', { apart: true });
  await page.clock.install();
  let streams = 0;
  page.on('request', (request) => void (streams += request.url().endsWith('/control/stream') ? 1 : 0));
  await setHidden(page, true);
  await page.clock.fastForward(4_000);
  await setHidden(page, false);
  await page.clock.fastForward(4_000);
  await inspector.sandbox.call('GET', '/me');
  await expectSeen(page.getByRole('row', { name: /GET \/me/ }));
  expect(streams).toBe(0);
  await expectGone(page.getByText('Catching up'));
});

test('a server that cannot be reached when the page is shown again was lost then, not when it was lost before', async () => {
  inspector.allowErrors(/ERR_CONNECTION_REFUSED/);
  const page = await inspector.open('/requests', { apart: true });
  await page.clock.install();
  const loss = page.getByText(/^(?:Connection lost|The server stopped answering) at/);
  const refuse = (): Promise<unknown> => intercept(page, stream, (route) => route.abort('connectionrefused'));
  const readLoss = async (): Promise<string> => /at ([\d:]+)/.exec(await loss.innerText())?.[1] ?? '';
  await refuse();
  await page.reload();
  const first = await readLoss();
  await page.unroute(stream);
  await expectSeen(page.getByText('Listening', { exact: true }));
  await setHidden(page, true);
  await page.clock.fastForward(60_000);
  await expectSeen(page.getByText('Catching up'));
  await refuse();
  await setHidden(page, false);
  expect(await readLoss()).not.toBe(first);
});

test('a window that the back button shows again as it was shows what came meanwhile, and what comes when it has the stream', async () => {
  const first = await inspector.open('/requests', { apart: true });
  const second = await inspector.open('/requests', { beside: first });
  await second.addInitScript(() => {
    const Usual = window.BroadcastChannel;
    window.BroadcastChannel = class extends Usual {
      constructor(name: string) {
        super(name);
        window.addEventListener('pagehide', () => this.close());
      }
    };
  });
  await second.reload();
  await expectSeen(second.getByText('Listening', { exact: true }));
  // A page that a browser keeps hears nothing.
  await second.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await inspector.sandbox.call('GET', '/me');
  await expectSeen(first.getByRole('row', { name: /GET \/me/ }));
  await second.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expectSeen(second.getByRole('row', { name: /GET \/me/ }));
  await first.close();
  await inspector.sandbox.call('GET', '/webhooks');
  await expectSeen(second.getByRole('row', { name: /GET \/webhooks/ }));
});

test('a window that cannot read the requests after it opened its stream does not leave that stream open', async () => {
  inspector.allowErrors(/500/);
  const page = await inspector.open('/requests', { apart: true });
  await page.clock.install();
  await hideForLong(page);
  const list = /\/control\/requests\?/;
  await intercept(page, list, (route) => route.fulfill({ status: 500, body: '{}' }));
  const opened = page.waitForRequest(stream);
  const left = page.waitForEvent('requestfailed', (request) => stream.test(request.url()));
  await setHidden(page, false);
  expect(await left).toBe(await opened);
  await page.unroute(list);
  await page.clock.fastForward(2_000);
  await expectSeen(page.getByText('Listening', { exact: true }));
});
