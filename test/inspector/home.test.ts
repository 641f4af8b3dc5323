import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { inputRules } from '../../emulator/http/input-rules.ts';
import { inHeader, toRefusal } from '../../emulator/rules.ts';
import { checkAccess, copyOf, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast, useRealTimeAfterEach } from '../support/frame.ts';
import { tabTo } from '../support/keyboard.ts';
import { xss } from '../support/xss.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector();
useRealTimeAfterEach(inspector);

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' });
const step = (page: Page, title: string) => steps(page).getByRole('listitem').filter({ hasText: title });
const doneOf = (page: Page) =>
  steps(page)
    .getByText(/\d of 7/)
    .textContent();

test('a first run shows the addresses, sends a real request, and explains it', async () => {
  const page = await inspector.open('/');
  await page.getByRole('heading', { name: 'Sandpiper is listening' }).waitFor();
  await page.getByText('Waiting for a request on').waitFor();
  expect(await doneOf(page)).toContain('1 of 7');

  await page.getByRole('button', { name: 'Send the first request' }).click();
  await toast(page, 'Sent: POST /subscriptions answered 202').waitFor();
  const { call, emulator } = inspector.sandbox;
  expect(
    [...emulator.deps.store.users.all()].flatMap(({ addresses }) => addresses.map(({ value }) => value)),
  ).toContain('+15555550123');
  const latest = page.getByRole('region', { name: 'Latest requests' });
  await latest.getByRole('link', { name: /202\s*POST\s*\/subscriptions/ }).click();
  await page.getByText(/Accepted: \+15555550123, subscribed to MARKETING by text/).waitFor();

  // A request from another program is shown in the same way.
  await page.getByRole('link', { name: 'Home' }).click();
  await call('GET', '/me');
  await latest.getByRole('link', { name: /200\s*GET\s*\/me/ }).waitFor();
  // What the window sent itself was not a request of the integration.
  await expect.poll(() => doneOf(page)).toContain('2 of 7');
});

test('the latest requests have the marks of the list: sent from the window, a replay, a fault, pinned', async () => {
  const { call, control, emulator } = inspector.sandbox;
  const page = await inspector.open('/');
  const latest = page.getByRole('region', { name: 'Latest requests' });
  await call('GET', '/me');
  await latest.getByRole('link', { name: /^200\s*GET\s*\/me/ }).click();
  await page.keyboard.press('r');
  await toast(page, 'Replayed: 200').waitFor();
  await control('POST', '/control/faults', { operation: 'GET /me', status: 503, times: 1 });
  await fetch(`${emulator.apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
  await page.getByRole('link', { name: 'Home' }).click();
  await latest.getByRole('link', { name: /^answered by a fault\s*503\s*GET/ }).waitFor();
  await latest.getByRole('link', { name: /^a replay\s*200\s*GET/ }).waitFor();
  await latest.getByRole('link', { name: /^200\s*GET\s*\/me/ }).waitFor();

  await page.reload();
  await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
  await latest.getByRole('link', { name: /^answered by a fault\s*503\s*GET/ }).waitFor();
  await latest.getByRole('link', { name: /^a replay\s*200\s*GET/ }).waitFor();
  expect(await latest.getByRole('link', { name: /^200\s*GET\s*\/me/ }).count()).toBe(1);

  await latest.getByRole('link', { name: /^200\s*GET\s*\/me/ }).click();
  await page.getByRole('button', { name: 'Pin', exact: true }).waitFor();
  await page.keyboard.press('p');
  await page.getByRole('link', { name: 'Home' }).click();
  await latest.getByRole('link', { name: /^pinned\s*200\s*GET\s*\/me/ }).waitFor();
  await page.reload();
  await latest.getByRole('link', { name: /^pinned\s*200\s*GET\s*\/me/ }).waitFor();
});

test('base URL, every key and every snippet are copied as they are', async () => {
  const page = await inspector.open('/');
  const { apiUrl } = inspector.sandbox.emulator;
  const button = (name: string) => page.getByRole('button', { name });
  expect(await copyOf(page, () => button('Copy the base URL').first().click())).toBe(apiUrl);
  expect(await copyOf(page, () => button('Copy the API key').click())).toBe('sandpiper-demo-key');
  expect(await copyOf(page, () => button('Copy the key of Read-only app').click())).toBe('sandpiper-readonly-key');
  expect(await copyOf(page, () => button('Copy the key of Other company’s app').click())).toBe('sandpiper-other-key');

  for (const [name, holds] of [
    ['curl', `curl ${apiUrl}/subscriptions`],
    ['Node', `await fetch('${apiUrl}/subscriptions'`],
    ['Python', `"${apiUrl}/subscriptions"`],
    ['.env', `BASE_URL=${apiUrl}`],
  ] as const) {
    await page.getByRole('tab', { name }).click();
    expect(await copyOf(page, () => page.getByRole('button', { name: 'Copy the snippet' }).click())).toContain(holds);
  }
});

test('the curl snippet does what it says', async () => {
  const page = await inspector.open('/');
  const snippet = await copyOf(page, () => page.getByRole('button', { name: 'Copy the snippet' }).click());
  const { promisify } = await import('node:util');
  const { execFile } = await import('node:child_process');
  const { stdout } = await promisify(execFile)('sh', ['-c', `${snippet} -s`]);
  expect(JSON.parse(stdout)).toMatchObject({ user: { phone: '+15555550123' } });
  await page.getByRole('link', { name: /202\s*POST\s*\/subscriptions/ }).waitFor();
});

test('all first steps are ticked by what happens', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const page = await inspector.open('/');
  const { call, control } = inspector.sandbox;

  await step(page, 'A refusal explained').getByRole('button', { name: 'Send one' }).click();
  await page.getByText(/Refused: The phone "15555550123"/).waitFor();
  await page.getByRole('button', { name: 'Replay with this fix' }).click();
  await toast(page, 'Replayed with the fix: 202').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect.poll(() => doneOf(page)).toContain('3 of 7');

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550166' }, signUpSourceId: '100001' } });
  await step(page, 'A webhook delivered, done').waitFor();
  await page.getByRole('button', { name: 'Advance by 1 h', exact: true }).click();
  await step(page, 'The clock moved, done').waitFor();
  await control('POST', '/control/messages', {
    subscriber: { phone: '+15555550100' },
    channel: 'TEXT',
    text: 'https://shop.example/',
    force: true,
  });
  const message = [...inspector.sandbox.emulator.deps.store.messages.all()].at(-1);
  await control('POST', `/control/messages/${message?.id}/acts`, { act: 'click', link: 0 });
  await expect.poll(() => doneOf(page)).toContain('7 of 7');

  // They stay done when the list is cleared.
  await control('DELETE', '/control/requests');
  await page.getByText('Waiting for a request on').waitFor();
  expect(await doneOf(page)).toContain('7 of 7');
});

test('the demo data is counted, reset with undo, and loaded if there is none', async () => {
  const page = await inspector.open('/');
  const world = page.getByRole('region', { name: 'Demo world' });
  await inspector.sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/', events: ['sms.sent'] } });
  await world.getByRole('link', { name: /Webhooks\s*1/ }).waitFor();
  await world.getByRole('button', { name: 'Reset to demo' }).click();
  await toast(page, 'Everything was reset to the demo world').waitFor();
  await world.getByRole('link', { name: /Webhooks\s*0/ }).waitFor();
  await page.keyboard.press('Control+z');
  await world.getByRole('link', { name: /Webhooks\s*1/ }).waitFor();

  // The company whose counts are loading was deleted.
  inspector.allowErrors(/status of 404/);
  await inspector.sandbox.control('POST', '/control/reset', { world: 'empty' });
  await page.getByText('there is no company yet').waitFor();
  expect(await page.getByRole('button', { name: 'Send the first request' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Load the demo world' }).click();
  await page.getByRole('button', { name: 'Send the first request' }).waitFor();
});

test('a request that cannot be sent says why, and the page works when the server is back', async () => {
  const page = await inspector.open('/');
  inspector.allowErrors(/Failed to load resource/);
  await intercept(page, '**/control/send', (route) => route.abort());
  await page.getByRole('button', { name: 'Send the first request' }).click();
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
  await page.unroute('**/control/send');
  await page.getByRole('button', { name: 'Send the first request' }).click();
  await toast(page, /answered 202/).waitFor();
  await expect.poll(() => page.getByRole('alert').getByText('cannot be reached').count()).toBe(0);
});

test('Home can be used with the keyboard alone', async () => {
  const page = await inspector.open('/');
  expect(await copyOf(page, () => page.keyboard.press('u'))).toBe(inspector.sandbox.emulator.apiUrl);
  expect(await copyOf(page, () => page.keyboard.press('k'))).toBe('sandpiper-demo-key');
  await tabTo(page, page.getByRole('tab', { name: 'curl' }));
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tabpanel').getByText('await fetch').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Send the first request' }));
  await page.keyboard.press('Enter');
  await toast(page, /answered 202/).waitFor();
  await tabTo(page, page.getByRole('link', { name: /202\s*POST/ }));
  await page.keyboard.press('Enter');
  await page.getByText(/Accepted: \S+, subscribed to/).waitFor();
});

test('Home is accessible, empty or with hostile requests, and runs nothing of them', async () => {
  const page = await inspector.open('/');
  await checkAccess(page);
  const { call, control, emulator } = inspector.sandbox;
  await call('GET', `/${encodeURIComponent(xss)}`);
  await call('GET', `/me?${encodeURIComponent(xss)}`);
  const [company] = emulator.deps.store.companies.all();
  await control('POST', '/control/credentials', { companyId: company?.id, name: '<img src=x onerror=window.__xss=1>' });
  await page.getByRole('link', { name: /404\s*GET/ }).waitFor();
  await checkAccess(page);
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
});

test('after the first run Home is a cockpit: what was refused, who fails, what is due, what changed', async () => {
  const server = createServer((_request, response) => void response.writeHead(500).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { call, control, emulator } = inspector.sandbox;
  await control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550166' }, signUpSourceId: '100001' } });
  for (const phone of ['555', xss.slice(0, 60)])
    await call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
  await expect.poll(() => [...emulator.deps.store.deliveries.all()].map(({ state }) => state)).toEqual(['retrying']);

  const page = await inspector.open('/');
  await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
  await page
    .getByText(/3 requests came in, 2 were refused by 1 rule, and 1 of 1 receiver does not accept every delivery/)
    .waitFor();
  const refusals = page.getByRole('region', { name: /^Refusals by rule/ });
  await refusals.getByRole('img', { name: '2 refusals over 24 hours' }).waitFor();
  const receivers = page.getByRole('region', { name: /^Receivers/ });
  await receivers.getByText('retrying').waitFor();
  await page
    .getByRole('region', { name: /^Falls due/ })
    .getByText('Retry of sms.subscribed')
    .waitFor();
  await page
    .getByRole('region', { name: /^Last changes/ })
    .getByText('+15555550166')
    .waitFor();
  await checkAccess(page);
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();

  await receivers.getByRole('link', { name: 'See the answer' }).click();
  await page
    .getByRole('tab', { name: /Attempts|Answer/ })
    .or(page.getByText('answered 500'))
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await refusals.getByRole('link', { name: 'Open newest' }).click();
  await page.getByText(/^Refused: The phone/).waitFor();
});

test('the cockpit says how many things wait, and undoes a change from the list of the last ones', async () => {
  const { call, control, emulator } = inspector.sandbox;
  await control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/nobody', events: ['sms.subscribed'] });
  for (const phone of ['+15555550161', '+15555550162', '+15555550163'])
    await call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
  const states = () => [...emulator.deps.store.deliveries.all()].map(({ state }) => state);
  await expect.poll(states).toEqual(['retrying', 'retrying', 'retrying']);
  const companyId = [...emulator.deps.store.companies.all()][0]?.id;
  for (const name of ['First', 'Second'])
    await control('POST', '/control/offers', { companyId, name, window: 'never-expire' });
  const offers = () =>
    [...emulator.deps.store.offers.all()].map(({ name }) => name).filter((name) => /^(First|Second)$/.test(name));
  const page = await inspector.open('/');
  await expect
    .poll(() => page.getByRole('region', { name: /^Falls due/ }).innerText())
    .toContain('3 waiting, on the virtual clock');
  const changes = page.getByRole('region', { name: /^Last changes/ });
  const undoOf = (name: string) => changes.getByRole('button', { name: new RegExp(`^Undo: .*${name}`) });
  await undoOf('First').waitFor();
  expect(await undoOf('First').getAttribute('title')).toBe('Also undoes 1 newer change');
  await undoOf('Second').click();
  await expect.poll(offers).toEqual(['First']);
  await expect.poll(() => undoOf('Second').count()).toBe(0);
  await undoOf('First').click();
  await expect.poll(offers).toEqual([]);
});

test('the welcome comes back on request, stays after a reload, and leads to the cockpit again', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/');
  await tabTo(page, page.getByRole('button', { name: 'Show the welcome again' }));
  await page.keyboard.press('Enter');
  const focused = page.locator(':focus');
  await expectSeen(focused.getByRole('heading', { name: 'Sandpiper is listening' }));
  await page.reload();
  await page.getByRole('heading', { name: 'Sandpiper is listening' }).waitFor();
  await page.getByRole('button', { name: 'Show the overview instead' }).press('Enter');
  await expectSeen(focused.getByRole('heading', { name: 'The last 24 hours' }));
  expect(await page.getByRole('heading', { name: 'Sandpiper is listening' }).count()).toBe(0);
});

test.each([
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 720, height: 450 },
])('the cockpit is readable at $width×$height', async (size) => {
  const { call, control } = inspector.sandbox;
  await control('POST', '/control/webhooks', {
    url: `http://127.0.0.1:9/${'long/'.repeat(60)}`,
    events: ['sms.subscribed'],
  });
  for (let round = 0; round < 5; round += 1)
    await call('POST', '/subscriptions', { json: { user: { phone: `${round}` }, signUpSourceId: '100001' } });
  await call('GET', `/${'very-long-path/'.repeat(40)}`);
  const page = await inspector.open('/', size);
  await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
  await page.getByRole('region', { name: /^Refusals by rule/ }).waitFor();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
});

test('the refusal of a path that is not one of the API shows that path', async () => {
  await inspector.sandbox.call('GET', '/nothing/here');
  const page = await inspector.open('/');
  const refusals = page.getByRole('region', { name: /^Refusals by rule/ });
  await expectSeen(refusals.getByRole('listitem').getByText('GET /nothing/here'));
});

test('after time was taken back the last changes are in the order of real time, and what was undone is marked', async () => {
  const { control } = inspector.sandbox;
  const companyId = [...inspector.sandbox.emulator.deps.store.companies.all()][0]?.id;
  const create = (name: string) => control('POST', '/control/attributes', { companyId, name, type: 'string' });
  await inspector.sandbox.call('GET', '/me');
  await control('POST', '/control/clock', { advance: '30d' });
  await create('later');
  await control('POST', '/control/undo', {});
  await control('POST', '/control/undo', {});
  await create('present');
  const page = await inspector.open('/');
  const lines = page.getByRole('region', { name: /^Last changes/ }).getByRole('listitem');
  await expect.poll(() => lines.count()).toBe(5);
  expect(await lines.first().innerText()).toMatch(/“present” was created\.\s*(?:now|\d+ s ago)/);
  const undone = lines.filter({ hasText: /^.*The attribute “later” was created/ }).filter({ hasNotText: 'took' });
  expect(await undone.innerText()).toContain('in 30 d');
  expect(
    await undone
      .locator('.says')
      .first()
      .evaluate((one) => getComputedStyle(one).textDecorationLine),
  ).toBe('line-through');
  await goTo(page, '/timeline');
  const scrubber = page.getByRole('region', { name: 'Moment' });
  await scrubber.waitFor();
  expect(await scrubber.locator('p > span').last().innerText()).not.toBe('now');
});

test('the cockpit writes all its counts in the same way', async () => {
  const refusal = toRefusal(inputRules.tls, inHeader('host'), undefined, undefined);
  for (let left = 1_001; left > 0; left -= 1)
    inspector.sandbox.emulator.recorder.broken(Buffer.from('?'), '127.0.0.1', refusal);
  const page = await inspector.open('/');
  await expectSeen(page.getByText(/1,001 requests came in, 1,001 were refused by 1 rule/));
});

test('the cockpit counts neither requests nor refusals that are ahead of the clock', async () => {
  const { call, control } = inspector.sandbox;
  await call('GET', '/me');
  await call('GET', '/nowhere');
  await control('POST', '/control/clock', { advance: '30d' });
  await call('GET', '/me');
  await call('GET', '/nowhere');
  await control('POST', '/control/clock', { rewind: true });
  const page = await inspector.open('/');
  await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
  await expectSeen(page.getByText(/2 requests came in, 1 was refused by 1 rule/));
});

test('what was done by hand after time was moved is the first of the last changes, above what the clock did on the way', async () => {
  const { call, control, emulator } = inspector.sandbox;
  for (let round = 0; round < 7; round += 1) await call('POST', '/product-catalog/uploads', { json: {} });
  await control('POST', '/control/clock', { advance: '2h' });
  const companyId = [...emulator.deps.store.companies.all()][0]?.id;
  await control('POST', '/control/offers', { companyId, name: 'By hand', window: 'never-expire' });
  const page = await inspector.open('/');
  const changes = page.getByRole('region', { name: /^Last changes/ });
  const lines = changes.getByRole('listitem');
  await expect.poll(() => lines.count()).toBe(6);
  expect(await lines.nth(0).innerText()).toContain('By hand');
  expect(await lines.nth(1).innerText()).toMatch(/2 h/);
  expect(await lines.nth(2).innerText()).toContain('expired');
  await expectSeen(lines.nth(0).getByRole('button', { name: /^Undo/ }));
});

test('the key that the cockpit copies is one of the chosen company', async () => {
  await inspector.sandbox.call('GET', '/me');
  const page = await inspector.open('/');
  const copies = page.getByRole('button', { name: 'Copy the API key' });
  expect(await copyOf(page, () => copies.click())).toBe('sandpiper-demo-key');
  await page.getByTitle(/^Company: /).click();
  await page.getByRole('menuitemradio', { name: 'Dunlin Outfitters' }).click();
  await expectGone(page.getByText('sandpiper-demo-key', { exact: true }));
  expect(await copyOf(page, () => copies.click())).toBe('sandpiper-other-key');
});

test('receivers without a delivery are not said to accept theirs', async () => {
  const { call, control } = inspector.sandbox;
  await call('GET', '/me');
  await control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/nobody', events: ['sms.subscribed'] });
  const page = await inspector.open('/');
  await expectSeen(page.getByRole('region', { name: /^Receivers/ }).getByText('127.0.0.1:9/nobody'));
  expect(await page.getByText(/request came in, none was refused/).innerText()).toBe(
    '1 request came in, none was refused.',
  );
});

test('the cockpit counts the refused lines of an upload, not what is wrong in them', async () => {
  const { call, emulator } = inspector.sandbox;
  const initiated = await call('POST', '/product-catalog/uploads', { json: { validateOnly: true } });
  const { uploadUrl, uploadId } = initiated.body as { readonly uploadUrl: string; readonly uploadId: string };
  // Each lacks more than one property.
  await fetch(uploadUrl, { method: 'PUT', body: '{"productId":"1"}\n{"productId":"2"}\n' });
  await expect.poll(() => emulator.deps.store.uploads.get(uploadId)?.report?.lines).toBe(2);
  expect(emulator.deps.store.uploads.get(uploadId)?.report?.issueCount).toBeGreaterThan(2);
  const page = await inspector.open('/');
  await page
    .getByRole('region', { name: /^Uploads/ })
    .getByText(/, 2 lines refused$/)
    .waitFor();
});

test('the welcome counts the scopes of a key by those that there are', async () => {
  const { control, emulator } = inspector.sandbox;
  const page = await inspector.open('/');
  await page.getByText('all scopes').first().waitFor();
  const [first] = [...emulator.deps.store.apps.all()];
  const change = { scope: 'events:write', held: false };
  await control('POST', `/control/apps/${encodeURIComponent(first?.id ?? '')}/scopes`, change);
  await expectSeen(page.getByText(`${first?.name} of Sandpiper Supply Co., 13 scopes.`));
});
