import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FaultsView, LimitsView } from '../../emulator/control/calls.ts';
import { effectNames, toItem, type EffectName } from '../../emulator/http/faults/effects.ts';
import { checkAccess, copyOf, expectGone, useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { xss } from '../support/xss.ts';
import { checkCopiedCommand } from './settings-support.ts';

const inspector = useInspector();

const faults = async (): Promise<FaultsView['faults']> =>
  ((await inspector.sandbox.control('GET', '/control/faults')).body as FaultsView).faults;
const call = (method: string, path: string, json?: unknown, headers = {}) =>
  inspector.sandbox.call(method, path, { headers, ...(json === undefined ? {} : { json }) });

test('a fault set in the window applies to a real request, is shown with it, and is used up', async () => {
  const page = await inspector.open('/faults');
  await page.getByText('No fault is set').waitFor();
  await page.getByRole('button', { name: '429, wait 2 s' }).click();
  await page.getByRole('combobox', { name: /^Operation/ }).click();
  await page.getByRole('combobox', { name: 'Search: Operation' }).fill('get /me');
  await page.getByRole('option', { name: 'GET /me' }).click();
  await page.getByText('The next GET /me is answered with 429 and Retry-After 2 s.').waitFor();
  await page.getByRole('button', { name: 'Set this fault' }).click();
  await page.getByText('applies to the next request').waitFor();

  const struck = await call('GET', '/me');
  expect(struck.status).toBe(429);
  expect(struck.headers.get('retry-after')).toBe('2');
  expect((await call('GET', '/webhooks')).status).toBe(200);
  await page.getByRole('heading', { name: 'Used up 1' }).waitFor();
  await page.getByRole('link', { name: 'the request' }).click();
  await expect.poll(() => page.url()).toContain(`/requests/${(await struck.exchange()).id}`);
});

test('Enter chooses the first operation also where the list has shrunk away from the resting pointer', async () => {
  const page = await inspector.open('/faults');
  const operation = page.getByRole('combobox', { name: /^Operation/ });
  await operation.click();
  const list = page.getByRole('listbox', { name: 'Operation' });
  await list.getByRole('option').first().waitFor();
  const { x, y, width, height } = (await list.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height - 10);
  // At once, so that no later letter marks the first line again.
  await page.keyboard.insertText('get /me');
  await expect.poll(() => list.getByRole('option').count()).toBe(1);
  await expect.poll(() => list.evaluate((element) => element.matches(':hover'))).toBe(false);
  await page.keyboard.press('Enter');
  await expectGone(list);
  expect(await operation.textContent()).toContain('GET /me');
});

test('the command and the header next to the form do the same as the form', async () => {
  const page = await inspector.open('/faults');
  await page.getByRole('button', { name: 'Cut half-way' }).click();
  await page.getByText('x-sandbox-fault: cut', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Slow, 3 s' }).click();
  await page.getByRole('button', { name: 'Every Nth' }).click();
  await page.getByRole('textbox', { name: 'Every how many' }).fill('5');
  await page.getByText('npx sandpiper fault "*" --delay 3s --every 5 --url …').waitFor();
  await page.getByRole('button', { name: '500', exact: true }).click();
  const header = await copyOf(page, () => page.getByRole('button', { name: 'Copy: Header' }).click());
  expect(header).toBe('x-sandbox-fault: status=500');
  const [name = '', value = ''] = header.split(': ');
  expect((await call('GET', '/me', undefined, { [name]: value })).status).toBe(500);
});

/** How each effect is chosen in the form. */
const chosen = {
  status: (form) => form.getByRole('button', { name: 'A status' }).click(),
  retryAfter: (form) => form.getByRole('textbox', { name: 'Retry-After, s' }).fill('2'),
  delay: (form) => form.getByRole('checkbox', { name: 'Delay by' }).check(),
  cut: (form) => form.getByRole('checkbox', { name: 'Cut the body after' }).check(),
  reset: (form) => form.getByRole('button', { name: 'Reset', exact: true }).last().click(),
  after: (form) => form.getByRole('checkbox', { name: 'Process the request first' }).check(),
} satisfies { readonly [Name in EffectName]: (form: Locator) => Promise<void> };

test('every effect of a fault is chosen in the form, and is then in the header and the command', async () => {
  const page = await inspector.open('/faults');
  const form = page.getByRole('form', { name: 'Set a fault' });
  for (const name of effectNames) {
    await form.getByRole('button', { name: '500', exact: true }).click();
    await chosen[name](form);
    const item = toItem(name);
    await expect.poll(() => form.innerText(), { message: name }).toMatch(new RegExp(`x-sandbox-fault:.* ${item}`));
    expect(await form.innerText(), name).toMatch(new RegExp(`sandpiper fault .*--${item}`));
  }
});

test('a fault is removed, alone or with all, and undo restores it', async () => {
  const { control } = inspector.sandbox;
  await control('POST', '/control/faults', { operation: 'GET /me', status: 500, times: 3 });
  await control('POST', '/control/faults', { operation: '*', delay: 50, every: 4 });
  await call('GET', '/me');
  const page = await inspector.open('/faults');
  await page.getByText('applied 1 time, 2 left').waitFor();
  await page.getByRole('button', { name: 'Remove: GET /me, status 500' }).click();
  await expect.poll(async () => (await faults()).length).toBe(1);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await faults()).find(({ operation }) => operation === 'GET /me')?.remaining).toBe(2);
  await page.getByText('applied 1 time, 2 left').waitFor();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByText('No fault is set').waitFor();
  await page.keyboard.press('Control+z');
  await expect
    .poll(async () => (await faults()).map(({ every, remaining }) => [every, remaining]))
    .toEqual([
      [null, 2],
      [4, null],
    ]);
});

test('a used-up fault is set again or removed from the list, and each is undone', async () => {
  const { control } = inspector.sandbox;
  await control('POST', '/control/faults', { operation: 'GET /me', status: 500 });
  await call('GET', '/me');
  const page = await inspector.open('/faults');
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  const states = async () => (await faults()).map(({ active }) => active);
  await page.getByRole('button', { name: 'Set again' }).click();
  await expect.poll(states).toEqual([true, false]);
  await undo.click();
  await expect.poll(states).toEqual([false]);
  await page.getByRole('button', { name: 'Remove from the list: GET /me, status 500' }).click();
  await expect.poll(states).toEqual([]);
  await undo.click();
  await expect.poll(states).toEqual([false]);
});

test('of all faults that are removed those that are used up are counted too, as in the list of what can be undone', async () => {
  const { control } = inspector.sandbox;
  await control('POST', '/control/faults', { operation: 'GET /me', status: 500 });
  await call('GET', '/me');
  for (const operation of ['GET /webhooks', '*']) await control('POST', '/control/faults', { operation, status: 500 });
  const page = await inspector.open('/faults');
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByText('3 faults removed', { exact: true }).waitFor();
  expect(await faults()).toEqual([]);
  await control('POST', '/control/undo');
  expect((await faults()).map(({ active }) => active)).toEqual([true, true, false]);
});

test('a refusal of the server is shown at the form, and nothing is set', async () => {
  inspector.allowErrors(/400/);
  const page = await inspector.open('/faults');
  await page.getByRole('button', { name: 'Slow, 3 s' }).click();
  await page.getByRole('textbox', { name: 'Delay' }).fill('2h');
  await page.getByRole('button', { name: 'Set this fault' }).click();
  await page.getByRole('alert').getByText('delay must be milliseconds or a duration such as 2s, at most 1h').waitFor();
  expect(await faults()).toEqual([]);
  await page.getByRole('checkbox', { name: 'Delay by' }).uncheck();
  await page.getByText('Choose what it does').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Set this fault' }).isDisabled()).toBe(true);
});

test('the form promises nothing while a value is wrong, and says which', async () => {
  const page = await inspector.open('/faults');
  const form = page.getByRole('form', { name: 'Set a fault' });
  const says = form.getByRole('status');
  const set = form.getByRole('button', { name: 'Set this fault' });
  await form.getByText(/^The next request .* is answered with 429/).waitFor();
  await form.getByRole('checkbox', { name: 'Delay by' }).check();
  await form.getByRole('checkbox', { name: 'Cut the body after' }).check();
  await form.getByRole('button', { name: 'First few' }).click();
  for (const [name, wrong, right, problem] of [
    ['Status', '', '503', 'The status is'],
    ['Status', 'teapot', '503', 'The status is'],
    ['Status', '200', '503', 'The status is'],
    ['Status', '600', '503', 'from 400 to 599'],
    ['Retry-After, s', 'abc', '', 'Retry-After is'],
    ['Retry-After, s', '86401', '86400', 'from 0 to 86,400;'],
    ['Delay', 'soon', '1m30s', 'The delay is'],
    ['Bytes before the cut', 'few', '', 'The cut is'],
    ['Bytes before the cut', '1000000001', '', 'from 0 to 1,000,000,000;'],
    ['How many', '1000001', '3', 'from 1 to 1,000,000.'],
  ] as const) {
    const field = form.getByRole('textbox', { name, exact: true });
    await field.fill(wrong);
    await expect.poll(() => says.innerText()).toContain(problem);
    expect(await set.isDisabled()).toBe(true);
    await field.fill(right);
    await expect.poll(() => says.innerText()).toMatch(/^Each of the next 3 requests/);
  }
});

test('limits that are turned on refuse with 429, early returns are shown, and undo turns them off', async () => {
  const page = await inspector.open('/faults');
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  await page.getByRole('button', { name: 'Real', exact: true }).click();
  await page.getByText('The clock is frozen').waitFor();
  const sent = { user: { phone: '+15555550100' } };
  const statuses: number[] = [];
  for (let turn = 0; turn < 7; turn += 1)
    statuses.push((await call('POST', '/subscriptions/unsubscribe', sent)).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429]);
  await page.getByRole('link', { name: '2 requests refused so far' }).waitFor();
  await page.getByRole('heading', { name: 'Retried too early 1' }).waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () => ((await inspector.sandbox.control('GET', '/control/limits')).body as LimitsView).mode)
    .toBe('off');
  await inspector.sandbox.control('POST', '/control/clock', { real: true });
});

test('the keyboard alone sets a fault', async () => {
  const page = await inspector.open('/faults');
  await tabTo(page, page.getByRole('button', { name: '500', exact: true }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('combobox', { name: /^Operation/ }));
  await page.keyboard.press('Enter');
  await page.keyboard.type('get /me');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('The next GET /me is answered with 500.').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Set this fault' }));
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await faults()).map(({ operation, status }) => [operation, status]))
    .toEqual([['GET /me', 500]]);
});

test('the view is accessible, and shows captured texts as texts', async () => {
  await inspector.sandbox.control('POST', '/control/faults', {
    operation: 'POST /events/custom',
    status: 429,
    retryAfter: 60,
  });
  for (let turn = 0; turn < 2; turn += 1)
    await call('POST', '/events/custom', { type: xss, user: { phone: '+15555550100' } });
  await inspector.sandbox.control('POST', '/control/faults', { operation: '*', delay: 10, every: 999 });
  const page = await inspector.open('/faults');
  await page.getByRole('heading', { name: 'Retried too early 1' }).waitFor();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('choosing the option that is chosen already closes its list', async () => {
  const page = await inspector.open('/faults');
  const operation = page.getByRole('combobox', { name: /^Operation/ });
  for (let turn = 0; turn < 2; turn += 1) {
    await operation.click();
    await page.getByRole('option', { name: 'GET /me' }).click();
    await expectGone(page.getByRole('listbox', { name: 'Operation' }));
  }
  await expect.poll(() => operation.textContent()).toContain('GET /me');
});

test('a command that is copied finds an emulator without a folder by its address and token', async () => {
  await checkCopiedCommand(inspector);
});
