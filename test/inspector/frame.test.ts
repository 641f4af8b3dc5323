import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import type { ClockView } from '../../emulator/control/protocol.ts';
import type { EmulatorOptions } from '../../emulator/options.ts';
import { checkAccess, useInspector } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

const inspector = useInspector({ pace: 'realistic' });
afterEach(async () => {
  if ((await clock()).mode !== 'real') await inspector.sandbox.control('POST', '/control/clock', { real: true });
});

async function clock(): Promise<ClockView> {
  return (await inspector.sandbox.control('GET', '/control/clock')).body;
}

/** Something that waits for the clock: it starts after 5 s and ends after more. */
async function requestDeletion(): Promise<string> {
  const { body } = await inspector.sandbox.call('POST', '/privacy/delete-request', {
    json: { subjectPhone: '+15555550100' },
  });
  return (body as { id: string }).id;
}

const bar = (page: Page) => page.getByRole('region', { name: 'Clock' });
const toast = (page: Page, text: RegExp | string) => page.getByRole('status').getByText(text);
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or run a command' });

async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type(text);
}

test('the clock advances by a click, says what fell due, and undo rewinds it', async () => {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const id = await requestDeletion();
  const page = await inspector.open('/requests');
  await bar(page).getByText(`Privacy request ${id} starts to be processed`).waitFor();
  await bar(page).getByRole('button', { name: 'Advance by 12 h' }).click();
  await toast(page, `Advanced by 12 h. Privacy request ${id} starts to be processed`).waitFor();
  await bar(page)
    .getByText(/^frozen \+(?:12 h|11 h 59 m)$/)
    .waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await toast(page, /^Rewound to /).waitFor();
  await bar(page).getByText(`Privacy request ${id} starts to be processed`).waitFor();
  const { body } = await inspector.sandbox.control('GET', `/control/records/privacy-requests/${id}`);
  expect(body).toMatchObject({ state: 'received' });
});

test('the rewind button goes back before the last advance, and says to which', async () => {
  const page = await inspector.open('/');
  await bar(page).getByText('real', { exact: true }).waitFor();
  await bar(page).getByRole('button', { name: 'Advance by 30 d' }).click();
  await bar(page).getByText('virtual +30 d').waitFor();
  await bar(page)
    .getByRole('button', { name: /^Rewind to before this: Time was advanced by 30d/ })
    .click();
  await bar(page).getByText('real', { exact: true }).waitFor();
  expect((await clock()).mode).toBe('real');
});

test('a frozen clock stands still, says so, and goes on by a key', async () => {
  await requestDeletion();
  const page = await inspector.open('/requests');
  await bar(page).getByRole('button', { name: 'Freeze the clock' }).click();
  await page.getByText('The clock is frozen, so what waits for time does not come').waitFor();
  await bar(page).getByText('frozen').waitFor();
  expect((await clock()).mode).toBe('frozen');
  const before = await bar(page).locator('time').first().textContent();
  // Longer than the second after which a running clock would show another one.
  await expect
    .poll(() => page.evaluate(() => performance.now()), { timeout: 5_000 })
    .toBeGreaterThan((await page.evaluate(() => performance.now())) + 1_200);
  expect(await bar(page).locator('time').first().textContent()).toBe(before);
  await page.keyboard.press('Control+.');
  await expect.poll(async () => (await clock()).mode).not.toBe('frozen');
  await expect.poll(() => page.getByText('The clock is frozen, so what').count()).toBe(0);
});

test('time goes to a date that is typed, and what is none says how to write one', async () => {
  const page = await inspector.open('/');
  await bar(page).getByRole('button', { name: 'Advance to…' }).click();
  const field = page.getByRole('textbox', { name: 'Advance to' });
  await field.fill('someday soon');
  await page.getByRole('alert').getByText('Not a time. Write it like').waitFor();
  await field.press('Enter');
  expect((await clock()).mode).toBe('real');
  await field.fill('2031-02-03 10:15');
  await page.getByText('3 Feb 2031, 10:15').waitFor();
  await field.press('Enter');
  await bar(page)
    .getByText(/Mon 3 Feb 2031, 10:15:\d\d/)
    .waitFor();
  expect((await clock()).now).toMatch(/^2031-02-03T10:15/);
});

test('a mark on the line tells what will fire before it advances to it', async () => {
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const id = await requestDeletion();
  const page = await inspector.open('/');
  await bar(page)
    .getByRole('button', { name: new RegExp(`^Privacy request ${id} .*Advance to it$`) })
    .click();
  const asked = page.getByRole('dialog', { name: /^Advance by \d+ .*1 thing on the way/ });
  await asked.getByText(`Privacy request ${id} starts to be processed`).waitFor();
  expect((await clock()).offset).not.toContain('5s');
  await asked.getByRole('button', { name: 'Advance', exact: true }).click();
  await toast(page, /Privacy request .* starts to be processed/).waitFor();
  const { body } = await inspector.sandbox.control('GET', `/control/records/privacy-requests/${id}`);
  expect(body).toMatchObject({ state: 'processing' });
});

test('time is hurried, and made real again', async () => {
  const page = await inspector.open('/');
  await bar(page).getByTitle('The clock: speed, and back to real time').click();
  const asked = page.getByRole('dialog', { name: 'The clock' });
  await asked.getByRole('button', { name: '×60', exact: true }).click();
  await bar(page).getByText('×60').waitFor();
  expect((await clock()).rate).toBe(60);
  await asked.getByRole('button', { name: 'Back to real time' }).click();
  await bar(page).getByText('real', { exact: true }).waitFor();
  expect(await clock()).toMatchObject({ mode: 'real', rate: 1, offsetMs: 0 });
});

test('the palette runs an action, and remembers it', async () => {
  const page = await inspector.open('/');
  await ask(page, 'dark');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await expect.poll(() => palette(page).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await expect.poll(() => palette(page).getByRole('option').first().textContent()).toContain('Theme: dark');
});

test('the palette finds requests, records, settings and operations', async () => {
  await inspector.sandbox.call('GET', '/me', { key: null });
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' },
  });
  const page = await inspector.open('/');
  await ask(page, '401 /me');
  await palette(page).getByRole('option', { name: '401 GET /me' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(/#\/requests\/req_/);
  await ask(page, '5550177');
  await palette(page).getByRole('option', { name: 'Subscriber +15555550177' }).click();
  await expect.poll(() => page.url()).toContain('#/subscribers/');
  await ask(page, 'rate limits');
  await palette(page).getByRole('group', { name: 'Settings' }).getByText('--rate-limits').waitFor();
  await palette(page).getByRole('textbox').fill('delete-request');
  await palette(page).getByRole('group', { name: 'Operations' }).getByText('POST /privacy/delete-request').waitFor();
  await palette(page).getByRole('textbox').fill('>subscriptions');
  await expect.poll(() => palette(page).getByRole('group', { name: 'Operations' }).count()).toBe(0);
});

test('the company is switched, its counts are shown, and the choice is kept', async () => {
  const page = await inspector.open('/');
  const units = page.getByRole('link', { name: 'Subscribers' });
  const before = await units.textContent();
  await page.getByTitle('Company: Sandpiper Supply Co.').click();
  await page.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
  await page.getByTitle('Company: Dunlin Outfitters').waitFor();
  await expect.poll(() => units.textContent()).not.toBe(before);
  await page.reload();
  await page.getByTitle('Company: Dunlin Outfitters').waitFor();
});

test('what took something away is undone from the menu', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/requests');
  await ask(page, 'clear the recorded');
  await page.keyboard.press('Enter');
  await toast(page, 'The recorded requests were cleared').waitFor();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(0);
  await page.getByRole('button', { name: 'Undo: The recorded requests were cleared.' }).click();
  await page.getByRole('menuitem', { name: /The recorded requests were cleared/ }).click();
  await toast(page, 'Undone: The recorded requests were cleared.').waitFor();
  await expect.poll(() => inspector.sandbox.emulator.recorder.size).toBe(1);
});

test('a fault and the pace are seen beside every view as they change', async () => {
  const page = await inspector.open('/');
  await inspector.sandbox.control('POST', '/control/faults', { operation: 'GET /me', status: 429 });
  await page.getByRole('contentinfo').getByText('1 fault').waitFor();
  await page.getByRole('link', { name: 'Faults and limits: 1 fault active' }).waitFor();
  await page.getByRole('button', { name: 'pace realistic' }).click();
  await page.getByRole('menuitemradio', { name: /^manual/ }).click();
  await page.getByRole('button', { name: 'pace manual' }).waitFor();
  expect((await clock()).pace).toBe('manual');
  await inspector.sandbox.control('POST', '/control/pace', { pace: 'realistic' });
});

test('single letters are dead while typing, and alive again after', async () => {
  await requestDeletion();
  const page = await inspector.open('/requests');
  await page.keyboard.press('/');
  await page.keyboard.type('n?');
  expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0);
  expect((await clock()).mode).toBe('real');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keys and help' }).focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await help.getByText('Search, or run a command').waitFor();
  await page.keyboard.press('n');
  expect((await clock()).mode).toBe('real');
  await page.keyboard.press('Escape');
  await expect.poll(() => help.count()).toBe(0);
  await page.keyboard.press('n');
  await expect.poll(async () => (await clock()).mode).toBe('virtual');
});

test('a key that the person bound anew is the one that works, and the one that is shown', async () => {
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

test('everything in the frame is reached by the keyboard alone', async () => {
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
  await bar(page).getByText('virtual +30 d').waitFor();
  await page.keyboard.press('Control+z');
  await bar(page).getByText('real', { exact: true }).waitFor();
  await page.keyboard.press('Control+3');
  await expect.poll(() => page.title()).toContain('Webhooks');
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

test('the frame, its popovers and the palette are accessible in both themes', async () => {
  await requestDeletion();
  const page = await inspector.open('/requests');
  await bar(page).getByText('Privacy request').first().waitFor();
  await checkAccess(page);
  await bar(page).getByRole('button', { name: 'Advance to…' }).click();
  await page.getByRole('textbox', { name: 'Advance to' }).fill('3d');
  await checkAccess(page);
  await page.keyboard.press('Escape');
  await ask(page, 'p');
  await checkAccess(page);
}, 30_000);

/** A page at a server of its own, which can be stopped and started again at the same place. */
async function openOwn(
  options: Partial<EmulatorOptions>,
): Promise<{ page: Page; start(): Promise<Sandbox>; first: Sandbox }> {
  const built = inject('inspector');
  if ('problem' in built) throw new Error(built.problem);
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-frame-'));
  const started: Sandbox[] = [];
  const same = { uiDir: built.dir, token: 'a-token-of-our-own', dataDir, ...options };
  const first = await startSandbox(same);
  started.push(first);
  const portOf = (url: string): number => Number(new URL(url).port);
  const ports = { port: portOf(first.emulator.apiUrl), inspectorPort: portOf(first.emulator.inspectorUrl) };
  const browser = await launchChromium();
  onTestFinished(async () => {
    await browser.close();
    for (const sandbox of started) await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const page = await browser.newPage();
  await page.goto(`${first.emulator.inspectorUrl}/#token=a-token-of-our-own`);
  await page.getByText('Listening', { exact: true }).waitFor();
  return {
    page,
    first,
    async start() {
      const sandbox = await startSandbox({ ...same, ...ports });
      started.push(sandbox);
      return sandbox;
    },
  };
}

test('a server that was stopped and started again is found by itself, and nothing is missed', async () => {
  const { page, first, start } = await openOwn({});
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await first.call('GET', '/me');
  const rows = page.getByRole('grid', { name: 'Requests' }).getByRole('row').filter({ hasText: 'GET' });
  await expect.poll(() => rows.count()).toBe(1);
  await first.close();
  await page.getByText(/^Connection lost at/).waitFor();
  await page.getByRole('contentinfo').getByText('Not reachable').waitFor();
  const again = await start();
  await again.call('GET', '/webhooks');
  await again.call('GET', '/me');
  await page.getByText('Connected again.').waitFor();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('contentinfo').getByText('Listening', { exact: true }).waitFor();
  await again.call('GET', '/me');
  await expect.poll(() => rows.count()).toBe(3);
});

test('a server that other machines can reach says so in every view', async () => {
  const { page } = await openOwn({ host: '0.0.0.0' });
  await page.getByRole('note', { name: 'Not on loopback' }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Other machines can reach this server').waitFor();
});
