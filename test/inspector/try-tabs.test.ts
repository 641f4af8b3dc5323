import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, expectGone, expectSeen, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { tabTo } from '../support/keyboard.ts';

const inspector = useInspector();
const latest = () => inspector.sandbox.emulator.recorder.all().at(-1);
const open = (page: Page) => page.getByRole('tablist', { name: 'Requests that are open' });
const titles = (page: Page) => open(page).getByRole('tab').allInnerTexts();
const typeField = (page: Page) => page.getByRole('group', { name: 'type', exact: true }).getByRole('textbox');

async function send(page: Page, button = 'Send'): Promise<string> {
  const before = latest()?.id;
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect.poll(() => latest()?.id).not.toBe(before);
  const id = latest()?.id ?? '';
  await page.locator(`a[href$="/requests/${id}"]`).waitFor();
  return id;
}

test('several requests are open in tabs that are named by what they hold, and stay so over a reload', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  await typeField(page).fill('Order One');
  await page.getByRole('button', { name: 'New tab' }).click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order Shipped');
  await page.getByRole('button', { name: /^GraphQL/ }).click();
  await expect.poll(() => titles(page)).toEqual(['POST /events/custom', 'GraphQL']);
  const query = page.getByRole('textbox', { name: 'Query' });
  await query.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('query Callers { viewer { __typename } }');
  await expect.poll(() => titles(page)).toEqual(['POST /events/custom', 'Callers']);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['POST /events/custom', 'Callers']);
  await expect.poll(() => query.innerText()).toContain('query Callers');
  await open(page).getByRole('tab', { name: 'POST /events/custom' }).click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order One');
  expect(page.url()).toContain('/try/postCustomEvents');
});

test('each window keeps its own requests over a reload; a new window starts with those that were typed last', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  const beside = await inspector.open('/try/postCustomEvents', { beside: page });
  await typeField(page).fill('Order One');
  await typeField(beside).fill('Order Two');
  await page.reload();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order One');
  const third = await inspector.open('/try/postCustomEvents', { beside: page });
  await expect.poll(() => typeField(third).inputValue()).toBe('Order Two');
});

test('a tab is closed with the middle button, its cross or Delete, and comes back with undo', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  await typeField(page).fill('Order One');
  await page
    .getByRole('navigation', { name: 'Operations' })
    .getByRole('button', { name: /GET \/webhooks$/ })
    .click({ button: 'middle' });
  await page.getByRole('form', { name: 'GET /webhooks' }).waitFor();
  await page.getByRole('button', { name: 'New tab' }).click();
  await expect.poll(() => titles(page)).toEqual(['POST /events/custom', 'GET /webhooks', 'GET /webhooks']);
  await open(page).getByRole('tab').last().click({ button: 'middle' });
  await expect.poll(() => titles(page)).toEqual(['POST /events/custom', 'GET /webhooks']);
  await open(page).getByRole('tab').last().locator('.tryclose').click();
  await expect.poll(() => titles(page)).toEqual(['POST /events/custom']);
  await open(page).getByRole('tab').click();
  await page.keyboard.press('Delete');
  await toast(page, 'Closed a tab').waitFor();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order Shipped');
  await page.keyboard.press('Control+z');
  await expect.poll(() => typeField(page).inputValue()).toBe('Order One');
});

test('the tabs are a list of tabs for the keyboard: arrows, Home and End choose, with the answer of each', async () => {
  const page = await inspector.open('/try/getMe');
  const first = await send(page);
  await page.getByRole('button', { name: 'New tab' }).click();
  await page.getByText('Nothing sent yet').waitFor();
  await tabTo(page, open(page).getByRole('tab', { selected: true }));
  await page.keyboard.press('ArrowLeft');
  await page.locator(`a[href$="/requests/${first}"]`).waitFor();
  await page.keyboard.press('End');
  await page.getByText('Nothing sent yet').waitFor();
  await page.keyboard.press('Home');
  await page.locator(`a[href$="/requests/${first}"]`).waitFor();
  expect(await open(page).getByRole('tab').first().getAttribute('aria-selected')).toBe('true');
});

test('the history lists what was sent from the window, and one click sends the same bytes again', async () => {
  await inspector.sandbox.call('GET', '/webhooks');
  const page = await inspector.open('/try/postCustomEvents');
  await typeField(page).fill('Order Äpfel');
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill('x-trace');
  await page.getByRole('textbox', { name: 'Value of header 1' }).fill('abc');
  await page.getByRole('combobox', { name: /^API key/ }).click();
  await page.getByRole('option', { name: /sandpiper-readonly-key/ }).click();
  await send(page);
  const sent = latest();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('textbox', { name: 'Body' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"type":  1e2 }');
  await page.getByRole('combobox', { name: /^API key/ }).click();
  await page.getByRole('option', { name: /^No key/ }).click();
  await send(page);
  const odd = latest();

  await page.getByRole('button', { name: 'Example' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  const rows = page.getByRole('list', { name: 'Sent from this window' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  await rows.last().getByRole('button').click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order Äpfel');
  await send(page);
  const withoutMark = (headers: readonly string[] = []) =>
    headers.filter((_, at) => headers[at - 1] !== 'x-sandbox-send');
  expect(latest()?.requestBody).toEqual(sent?.requestBody);
  expect(withoutMark(latest()?.requestHeaders)).toEqual(withoutMark(sent?.requestHeaders));

  await page.getByRole('tab', { name: 'History' }).click();
  await expect.poll(() => rows.count()).toBe(3);
  await rows.nth(1).getByRole('button').click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Body' }).innerText()).toBe('{"type":  1e2 }');
  await send(page);
  expect(latest()?.requestBody).toEqual(odd?.requestBody);
  expect(latest()?.requestHeaders.includes('authorization')).toBe(false);
});

test('what was typed and never sent is not lost to a choice of the history: that opens a tab of its own', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  await typeField(page).fill('Order Sent');
  await send(page);
  await typeField(page).fill('Order Unsent');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('list', { name: 'Sent from this window' }).getByRole('button').first().click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order Sent');
  await open(page).getByRole('tab').first().click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order Unsent');
});

test('a request is saved under a name, opened again after a reload, and forgotten with undo', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  await typeField(page).fill('Order Saved');
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('My order');
  await page.keyboard.press('Enter');
  await toast(page, 'Saved “My order”').waitFor();
  await expect.poll(() => titles(page)).toEqual(['My order']);
  await open(page).getByRole('tab').click();
  await page.keyboard.press('Delete');
  await page.reload();
  const saved = page.getByRole('region', { name: 'Saved' });
  await saved.getByRole('button', { name: 'My order', exact: true }).click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order Saved');
  await saved.getByRole('button', { name: 'Delete My order' }).click();
  await expectGone(saved);
  await expect.poll(() => page.locator(':focus').getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('Control+z');
  await saved.waitFor();
  await checkAccess(page);
});

test('a saved request that replaced another is the one that opens, and undo brings the other one back', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  const save = async (type: string, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'New tab' }).click();
    await typeField(page).fill(type);
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.keyboard.press('Enter');
    await toast(page, `Saved “${name}”`).waitFor();
  };
  const saved = page.getByRole('region', { name: 'Saved' });
  const mine = saved.getByRole('button', { name: 'Mine', exact: true });
  await save('Order One', 'Mine');
  await save('Order Other', 'Other');
  await save('Order Two', 'Mine');
  await open(page).getByRole('tab').first().click();
  await mine.click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order Two');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await mine.click();
  await expect.poll(() => typeField(page).inputValue()).toBe('Order One');

  await saved.getByRole('button', { name: 'Delete Mine' }).click();
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Delete Other');
  await page.keyboard.press('Control+z');
  await expect.poll(() => saved.locator('.try-op').allInnerTexts()).toEqual([' Mine', ' Other']);
});

test('no key, token or secret is in what the browser keeps of tabs and saved requests', async () => {
  const page = await inspector.open('/try/createTokenViaAuthorizationCode');
  const form = page.getByRole('form', { name: /POST \/authorization-codes/ });
  await form.getByRole('group', { name: 'client_secret' }).getByRole('textbox').fill('hidden-one');
  await form.getByRole('group', { name: 'code', exact: true }).getByRole('textbox').fill('hidden-two');
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill('Authorization');
  await page.getByRole('textbox', { name: 'Value of header 1' }).fill('Bearer hidden-three');
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.keyboard.press('Enter');
  await toast(page, /^Saved/).waitFor();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  const kept = () => page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
  await expect.poll(kept).toContain('client_secret=');
  expect(await kept()).toContain('Authorization');
  expect(await kept()).not.toMatch(/hidden-(?:one|two|three)/);
  await expect.poll(() => page.getByRole('textbox', { name: 'Body' }).innerText()).toContain('hidden-one');
});

test('what an earlier version kept of Try it, a client secret among it, is removed from the browser', async () => {
  const page = await inspector.open('/try/getMe');
  const kept = await page.evaluate(() => {
    localStorage.setItem('sandpiper.try.exchangeToken', '{"body":"client_secret=typed-here"}');
    localStorage.setItem('sandpiper.try.graphql.query', 'query Old { viewer { id } }');
    localStorage.setItem('sandpiper.try.width', '30');
    localStorage.setItem('sandpiper.try.saved', '[]');
    return Object.keys(localStorage).filter((name) => name.startsWith('sandpiper.try.'));
  });
  expect(kept).toContain('sandpiper.try.exchangeToken');
  await page.reload();
  await page.getByRole('form', { name: 'GET /me' }).waitFor();
  const left = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  expect(left).not.toMatch(/typed-here|exchangeToken|graphql\.query/);
  expect(left).toContain('["sandpiper.try.width","30"]');
  expect(left).toContain('sandpiper.try.saved');
});

const command = `curl 'https://api.example.com/v1/subscriptions?x=1' -H 'Authorization: Bearer sandpiper-readonly-key' \\
  -H 'content-type: application/json' -H 'x-own: 1' -d '{"user":{"phone":"+15555550123"},"signUpSourceId":"100001"}'`;

test('a curl command that is pasted fills in the form of its operation, with its key, and is sent as it was written', async () => {
  const page = await inspector.open('/try/getMe');
  await page.getByRole('form', { name: 'GET /me' }).waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), command);
  await page.locator('body').press('ControlOrMeta+v');
  await page.getByRole('form', { name: 'POST /subscriptions' }).waitFor();
  await page.getByRole('button', { name: /^Send/ }).click();
  await page
    .getByText(/needs the scope subscriptions:write/)
    .first()
    .waitFor();
  const sent = inspector.sandbox.emulator.recorder.all().at(-1);
  expect(sent?.url).toBe('/v1/subscriptions?x=1');
  expect(sent?.requestHeaders).toEqual(
    expect.arrayContaining(['Bearer sandpiper-readonly-key', 'x-own', 'application/json']),
  );
  expect(sent?.requestBody?.toString()).toBe('{"user":{"phone":"+15555550123"},"signUpSourceId":"100001"}');
});

test('a curl command that cannot be read, or has no operation, says so in its sheet, where it can be corrected', async () => {
  const page = await inspector.open('/try/getMe');
  await page.getByRole('button', { name: 'Fill in from a curl command' }).click();
  const sheet = page.getByRole('dialog', { name: 'Fill in from a curl command' });
  const text = sheet.getByRole('textbox', { name: 'Command' });
  await text.fill('curl https://api.example.com/v1/subscriptions -d @body.json');
  await sheet.getByRole('button', { name: 'Fill in the form' }).click();
  await expectSeen(sheet.getByText('The body is read from body.json, which a page cannot read.'));
  await checkAccess(page);
  await text.fill('curl https://api.example.com/v1/nothing');
  await sheet.getByRole('button', { name: 'Fill in the form' }).click();
  await expectSeen(sheet.getByText('The API has no operation GET /v1/nothing.'));
  await text.fill(`curl https://api.example.com/v1/graphql --json '{"query":"{ viewer { id } }"}'`);
  await text.press('ControlOrMeta+Enter');
  await expectGone(sheet);
  await expectSeen(page.locator('.cm-content').getByText('viewer'));
});
