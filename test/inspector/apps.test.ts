import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { checkAccess, copyOf, expectSeen, useInspector } from '../support/browser.ts';
import { postChunked } from '../support/chunked.ts';
import { tabTo } from '../support/keyboard.ts';
import { decide, demoApp, openConsent } from '../support/oauth.ts';
import { xssStrings } from '../support/xss.ts';

const inspector = useInspector({ pace: 'manual' });

const store = () => inspector.sandbox.emulator.deps.store;
const appNamed = (name: string) => [...store().apps.all()].find((app) => app.name === name);
const idOf = (name: string): string => encodeURIComponent(appNamed(name)?.id ?? '');
const statusOf = async (method: string, path: string, key: string, options: object = {}): Promise<number> =>
  (await inspector.sandbox.call(method, path, { key, ...options })).status;

test('an app with chosen scopes can call exactly what its scopes allow', async () => {
  const page = await inspector.open('/apps');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'App' }).click();
  const sheet = page.getByRole('dialog', { name: 'New app' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Reader');
  await sheet.getByRole('textbox', { name: /^API key/ }).fill('reader-own-key');
  await sheet.getByRole('button', { name: 'None' }).click();
  await sheet.getByRole('checkbox', { name: 'subscriptions:read' }).check();
  await sheet.getByRole('button', { name: 'Create the app' }).click();
  const detail = page.getByRole('region', { name: 'The selected app or company' });
  await detail.getByRole('heading', { name: 'Reader' }).waitFor();

  for (const [scope, held, method, path, options] of [
    ['subscriptions:read', true, 'GET', '/subscriptions', { query: { phone: '+15555550100' } }],
    ['events:write', false, 'POST', '/events/custom', { json: {} }],
  ] as const) {
    expect(await detail.getByRole('switch', { name: scope, exact: true }).isChecked(), scope).toBe(held);
    expect(await statusOf(method, path, 'reader-own-key', options), scope).toBe(held ? 200 : 403);
  }
  expect(await statusOf('GET', '/me', 'reader-own-key')).toBe(200);
});

test('the scopes say what they open and which of them the recorded requests used, and are toggled in place', async () => {
  const key = 'sandpiper-readonly-key';
  const read = () => statusOf('GET', '/subscriptions', key, { query: { phone: '+15555550100' } });
  await read();
  await read();
  expect(await statusOf('GET', '/webhooks', key)).toBe(403);
  const page = await inspector.open(`/apps/${idOf('Read-only app')}`);
  const row = (scope: string) => page.getByRole('row').filter({ has: page.getByText(scope, { exact: true }) });
  await row('subscriptions:read').getByText('GET /subscriptions 2').waitFor();
  await row('subscriptions:read')
    .getByText(/^2 requests, last/)
    .waitFor();
  await row('privacy_requests:read').getByText('granted, never used').waitFor();
  await row('offers:write').getByText('not granted').waitFor();

  const toggle = page.getByRole('switch', { name: 'subscriptions:read' });
  await toggle.click();
  await page.getByText('The scope subscriptions:read was taken from “Read-only app”').waitFor();
  await expect.poll(() => toggle.isChecked()).toBe(false);
  expect(await read()).toBe(403);
  await page.keyboard.press('Control+z');
  await expect.poll(read).toBe(200);

  await row('webhooks:write')
    .getByRole('link', { name: /^refused once/ })
    .waitFor();
  await row('webhooks:write').getByRole('button', { name: 'Grant and replay' }).click();
  await page.getByText('Granted webhooks:write; replayed: 200').waitFor();
  await expect.poll(() => page.getByRole('switch', { name: 'webhooks:write' }).isChecked()).toBe(true);
  await page.keyboard.press('Control+z');
  await expect.poll(() => statusOf('GET', '/webhooks', key)).toBe(403);
});

test('a scope is not granted for a request that cannot be sent again, as its body was not read', async () => {
  const key = 'sandpiper-readonly-key';
  expect((await postChunked(inspector.sandbox, '/webhooks', key, ' '.repeat(100_000))).status).toBe(403);
  const page = await inspector.open(`/apps/${idOf('Read-only app')}`);
  await page.getByRole('button', { name: 'Grant and replay' }).click();
  await expectSeen(page.getByRole('alert').getByText('The body was not read'));
  expect(await statusOf('GET', '/webhooks', key)).toBe(403);
  expect(inspector.sandbox.emulator.recorder.size).toBe(2);
});

test('a key is masked until it is shown, copied without showing, and says when it was last used', async () => {
  const page = await inspector.open(`/apps/${idOf('Demo app')}`);
  const detail = page.getByRole('region', { name: 'The selected app or company' });
  await detail.getByText('…-key').waitFor();
  expect(await detail.getByText('sandpiper-demo-key').count()).toBe(0);
  const copy = await copyOf(page, () => detail.getByRole('button', { name: 'Copy: API key' }).click());
  expect(copy).toBe('sandpiper-demo-key');
  expect(await detail.getByText('sandpiper-demo-key').count()).toBe(0);
  await detail.getByRole('button', { name: 'Show: API key' }).click();
  await detail.getByText('sandpiper-demo-key').waitFor();
  await detail.getByText('not among the recorded requests').waitFor();
  await statusOf('GET', '/me', 'sandpiper-demo-key');
  await detail.getByRole('link', { name: /now|s ago/ }).click();
  await expect.poll(() => page.url()).toContain('#/requests/');
});

test('a key is revoked, rotated, and both are undone', async () => {
  const page = await inspector.open(`/apps/${idOf('Demo app')}`);
  const detail = page.getByRole('region', { name: 'The selected app or company' });
  const status = () => statusOf('GET', '/me', 'sandpiper-demo-key');
  await detail.getByRole('button', { name: 'Revoke' }).click();
  await detail.getByText(/^revoked/).waitFor();
  expect(await status()).toBe(401);
  await page.keyboard.press('Control+z');
  await detail.getByRole('button', { name: 'Revoke' }).waitFor();
  expect(await status()).toBe(200);
  await detail.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rotate the key' }).click();
  await detail.getByText(/^revoked/).waitFor();
  expect(await status()).toBe(401);
  await page.keyboard.press('Control+z');
  await detail.getByText(/^revoked/).waitFor({ state: 'detached' });
  expect(await status()).toBe(200);
});

test('removed scopes take effect at once', async () => {
  const page = await inspector.open(`/apps/${idOf('Read-only app')}`);
  const call = () => statusOf('GET', '/subscriptions', 'sandpiper-readonly-key', { query: { phone: '+15555550100' } });
  expect(await call()).toBe(200);
  await page.getByRole('region', { name: 'The selected app or company' }).getByRole('button', { name: 'Edit' }).click();
  const sheet = page.getByRole('dialog', { name: 'Edit the app' });
  await sheet.getByRole('checkbox', { name: 'subscriptions:read' }).uncheck();
  await sheet.getByRole('button', { name: 'Save the app' }).click();
  await page.getByText('The app “Read-only app” was changed').waitFor();
  expect(await call()).toBe(403);
});

test('a public app is created, refused without a valid redirect URI, and its install page opens', async () => {
  inspector.allowErrors(/400/);
  const page = await inspector.open('/apps');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'App' }).click();
  const sheet = page.getByRole('dialog', { name: 'New app' });
  await sheet.getByRole('button', { name: 'public' }).click();
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Shop plugin');
  await sheet.getByRole('textbox', { name: /^Redirect URIs/ }).fill('javascript:window.__xss=1');
  await sheet.getByRole('button', { name: 'Create the app' }).click();
  await sheet.getByRole('alert').getByText('cannot be a redirect URI').waitFor();
  await sheet.getByRole('textbox', { name: /^Redirect URIs/ }).fill('http://localhost:4000/back');
  await sheet.getByRole('button', { name: 'Create the app' }).click();
  const detail = page.getByRole('region', { name: 'The selected app or company' });
  await detail.getByRole('heading', { name: 'Shop plugin' }).waitFor();
  const href = (await detail.getByRole('link', { name: 'Open the install page' }).getAttribute('href')) ?? '';
  const answer = await fetch(href);
  expect([answer.status, (await answer.text()).includes('Shop plugin')]).toEqual([200, true]);
});

test('an installation shows its code and its token, by company', async () => {
  const page = await inspector.open(`/apps/${idOf('Demo public app')}`);
  const detail = page.getByRole('region', { name: 'The selected app or company' });
  await detail.getByText('No company has installed it yet.').waitFor();
  const approved = await decide(
    inspector.sandbox,
    await openConsent(inspector.sandbox),
    'approve',
    'Dunlin Outfitters',
  );
  await detail.getByRole('cell', { name: /^open/ }).waitFor();
  const code = new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? '';
  await inspector.sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    form: { grant_type: 'authorization_code', code, ...demoApp },
  });
  await detail.getByRole('cell', { name: 'exchanged' }).waitFor();
  await expect.poll(() => detail.getByRole('cell', { name: 'Dunlin Outfitters' }).count()).toBe(2);
  await detail.getByRole('button', { name: 'Revoke' }).waitFor();
});

test('a second company is created and selected, and sees nothing of the first', async () => {
  const page = await inspector.open('/apps');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Company' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Curlew Coffee');
  await page.getByRole('button', { name: 'Create the company' }).click();
  const detail = page.getByRole('region', { name: 'The selected app or company' });
  await detail.getByRole('heading', { name: 'First app' }).waitFor();
  await page.getByRole('banner').getByText('Curlew Coffee').waitFor();
  await detail.getByRole('button', { name: 'Show: API key' }).click();
  const key = await detail.getByText(/^curlew-coffee-/).innerText();
  expect((await inspector.sandbox.call('GET', '/me', { key })).text).toContain('Curlew Coffee');
  await page.getByRole('link', { name: /^Offers/ }).click();
  await page.getByText('No offer yet').waitFor();
});

test('a company is deleted with all its records, and undo restores them', async () => {
  inspector.allowErrors(/404/);
  const page = await inspector.open(`/apps/${encodeURIComponent(demoCompany)}`);
  await page.getByRole('region', { name: 'The selected app or company' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete the company' }).click();
  await page.getByText('was deleted, with all its records').waitFor();
  expect(await statusOf('GET', '/me', 'sandpiper-demo-key')).toBe(401);
  await page.keyboard.press('Control+z');
  await expect.poll(() => statusOf('GET', '/me', 'sandpiper-demo-key')).toBe(200);
  expect(store().users.size).toBe(5);
});

test('an app and its key can be shown with the keyboard alone', async () => {
  const page = await inspector.open('/apps');
  await page.getByText('No app or company is selected').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Demo app' }).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Show: API key' }));
  await page.keyboard.press('Enter');
  await expectSeen(page.getByText('sandpiper-demo-key', { exact: true }));
});

test('the view is accessible, and shows every name as text', async () => {
  const name = xssStrings[1] ?? '';
  await inspector.sandbox.control('POST', `/control/companies/${demoCompany}`, { name });
  await inspector.sandbox.control('POST', '/control/apps', {
    companyId: demoCompany,
    kind: 'public',
    name,
    scopes: ['offers:write'],
    redirectUris: ['http://localhost/"><img src=x onerror="window.__xss=1">'],
  });
  const page = await inspector.open(`/apps/${idOf(name)}`);
  await page.getByText('http://localhost/"><img').first().waitFor();
  await checkAccess(page);
  await page.getByRole('row', { name: /company/ }).click();
  await page.getByText('Records of this company').waitFor();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'App' }).click();
  await page
    .getByRole('dialog', { name: 'New app' })
    .getByText('GET /me')
    .or(page.getByText('GET /subscriptions'))
    .first()
    .waitFor();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});
