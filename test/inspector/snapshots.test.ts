import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkAccess, expectGone, expectSeen, useInspector } from '../support/browser.ts';
import { holdBack } from '../support/hold-back.ts';
import { tabTo } from '../support/keyboard.ts';
import { xssStrings } from '../support/xss.ts';
import { intercept } from '../support/intercept.ts';

const folder = await mkdtemp(join(tmpdir(), 'sandpiper-snapshots-view-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const inspector = useInspector({ dataDir: folder });

const count = (kind: 'webhooks' | 'users'): number => inspector.sandbox.emulator.deps.store[kind].size;
const addWebhook = () =>
  inspector.sandbox.call('POST', '/webhooks', { json: { url: 'http://localhost:3000/hooks', events: ['sms.sent'] } });
const save = (name: string) => inspector.sandbox.control('POST', '/control/snapshots', { name, overwrite: true });
const drop = async (): Promise<void> => {
  const { body } = await inspector.sandbox.control('GET', '/control/snapshots');
  for (const { name } of (body as { snapshots: readonly { name: string }[] }).snapshots)
    await inspector.sandbox.control('DELETE', `/control/snapshots/${encodeURIComponent(name)}`);
};

test('a snapshot is saved, the state changes, it is restored with a list of changes, and undo reverts that', async () => {
  await drop();
  const page = await inspector.open('/snapshots');
  await page.getByText('No snapshot yet').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('before-checkout');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Snapshot “before-checkout” saved').waitFor();
  const before = count('webhooks');
  await addWebhook();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  const changed = page.getByRole('region', { name: 'What changed' });
  await changed.getByText('webhooks').waitFor();
  expect(await changed.getByText('webhooks').locator('..').innerText()).toMatch(
    new RegExp(`webhooks\\s+${before + 1}\\s+${before}`),
  );
  expect(count('webhooks')).toBe(before);
  await page.keyboard.press('Control+z');
  await expect.poll(() => count('webhooks')).toBe(before + 1);
  await changed.waitFor({ state: 'detached' });
});

test('a snapshot that was restored is reported with its undo, also if the records cannot be counted afterwards', async () => {
  await drop();
  await save('before');
  const before = count('webhooks');
  await addWebhook();
  const page = await inspector.open('/snapshots');
  inspector.allowErrors(/409/);
  await intercept(page, '**/control/snapshots/*/restore', async (route) => {
    const response = await route.fetch();
    await intercept(page, '**/control/health', (health) => health.fulfill({ status: 409, json: {} }));
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  const changed = page.getByRole('region', { name: 'What changed' });
  await changed.getByText('The present records could not be counted.').waitFor();
  expect(count('webhooks')).toBe(before);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => count('webhooks')).toBe(before + 1);
});

test('the command to save a snapshot has its name only if a snapshot can have it', async () => {
  const page = await inspector.open('/snapshots');
  const form = page.getByRole('form', { name: 'Save a snapshot' });
  const name = form.getByRole('textbox', { name: 'Name' });
  await name.fill('cart_2');
  await expect.poll(() => form.locator('code').innerText()).toMatch(/^npx sandpiper snapshot save cart_2 --data \//);
  await name.fill("it's a $(whoami)");
  await expect
    .poll(() => form.locator('code').innerText())
    .toMatch(/^npx sandpiper snapshot save before-checkout --data \//);
});

test('a merged snapshot restores its records and keeps newer ones', async () => {
  await drop();
  await addWebhook();
  await save('with-a-webhook');
  await inspector.sandbox.reset();
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' },
  });
  const users = count('users');
  const page = await inspector.open('/snapshots');
  await page.getByRole('button', { name: 'Merge in' }).click();
  await page.getByText('Snapshot “with-a-webhook” merged in').first().waitFor();
  expect(count('users')).toBe(users);
  expect(count('webhooks')).toBeGreaterThan(0);
});

test('a merge names what another thing with the same id replaced', async () => {
  await drop();
  await inspector.sandbox.reset();
  await addWebhook();
  await save('first');
  await inspector.sandbox.reset();
  const json = { url: 'http://localhost:3000/second', events: ['sms.sent'] };
  await inspector.sandbox.call('POST', '/webhooks', { json });
  const page = await inspector.open('/snapshots');
  await page.getByRole('button', { name: 'Merge in' }).click();
  const changed = page.getByRole('region', { name: 'What changed' });
  const says = 'another thing with the same id took its place: Webhook http://localhost:3000/second.';
  await changed.getByText(says).waitFor();
  await checkAccess(page);
});

test('the current state is exported with masked secrets, and that file is imported again', async () => {
  const [company] = [...inspector.sandbox.emulator.deps.store.companies.all()];
  await inspector.sandbox.control('POST', '/control/credentials', {
    companyId: company?.id,
    secret: 'a-planted-secret',
  });
  const page = await inspector.open('/snapshots');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export the current state' }).click(),
  ]);
  const file = join(folder, 'exported.json');
  await download.saveAs(file);
  const text = await readFile(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({ sandpiper: 'snapshot', secrets: 'masked' });
  expect(text).not.toContain('a-planted-secret');
  await addWebhook();
  await page.getByLabel('Choose a file to import').setInputFiles(file);
  await page.getByText('“exported.json” imported').first().waitFor();
  expect(count('webhooks')).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => count('webhooks')).toBe(1);
});

test('an import says which deliveries and webhooks it held back, and leads to them', async () => {
  const { control, call, emulator } = inspector.sandbox;
  await control('POST', '/control/clock', { freeze: true });
  await control('POST', '/control/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    events: ['sms.subscribed'],
    reach: 'public',
  });
  await call('POST', '/subscriptions', { json: { user: { phone: '+15555550178' }, signUpSourceId: '100001' } });
  await emulator.deps.deliveries.settled();
  const { body } = await control('GET', '/control/export?secrets=true');
  const page = await inspector.open('/snapshots');
  await page
    .getByLabel('Choose a file to import')
    .setInputFiles({ name: 'waiting.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(body)) });
  const changed = page.getByRole('region', { name: 'What changed' });
  await changed.getByText('1 delivery that waited is paused').waitFor();
  await changed.getByText('1 webhook that could reach other machines reaches only this machine now').waitFor();

  await changed.getByRole('link', { name: 'Show paused deliveries' }).click();
  const listed = page.getByRole('grid', { name: /^Deliveries/ });
  await listed.getByText('paused').click();
  await expectSeen(page.getByRole('button', { name: 'Release' }));
});

test.for([
  ['no JSON', 'broken.json', '{"sandpiper": "snap', 'is not JSON'],
  ['a world', 'world.yaml', 'companies: []', 'A world file is loaded at a start: serve --world.'],
  ['another file', 'package.json', '{"name": "x"}', 'it has no "sandpiper": "snapshot"'],
  ['a snapshot of the future', 'future.json', '{"sandpiper": "snapshot", "format": 999}', 'format 999'],
] as const)('an import of %s says why, and loses nothing', async ([, name, text, says]) => {
  inspector.allowErrors(/400/);
  await addWebhook();
  const before = JSON.stringify(inspector.sandbox.emulator.deps.store.toDocument().collections);
  const page = await inspector.open('/snapshots');
  await page
    .getByLabel('Choose a file to import')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.getByRole('alert').getByText(says).waitFor();
  await page.getByRole('alert').getByText(`“${name}”`).waitFor();
  expect(JSON.stringify(inspector.sandbox.emulator.deps.store.toDocument().collections)).toBe(before);
});

test('a snapshot is deleted only after a confirmation, because that cannot be undone', async () => {
  await drop();
  await save('old');
  const page = await inspector.open('/snapshots');
  await page.getByRole('button', { name: 'More for old' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Restore', exact: true }).waitFor();
  await page.getByRole('button', { name: 'More for old' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expectSeen(page.getByText('No snapshot yet'));
});

test('the focus goes to the list, when the snapshot whose deletion was asked about was deleted elsewhere', async () => {
  await drop();
  await save('old');
  const page = await inspector.open('/snapshots');
  await page.getByRole('button', { name: 'More for old' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  await expectSeen(page.getByRole('dialog'));
  await drop();
  await page.getByText('No snapshot yet').waitFor();
  await page.getByRole('button', { name: 'Keep it' }).press('Enter');
  await expectGone(page.getByRole('dialog'));
  const saved = page.getByRole('region', { name: 'Saved snapshots' });
  await expect.poll(() => saved.evaluate((one) => one === document.activeElement)).toBe(true);
});

test('a reset is done at once and undone from the same toast; a snapshot saved elsewhere appears at once', async () => {
  await drop();
  await addWebhook();
  const page = await inspector.open('/snapshots');
  await page.getByRole('button', { name: 'Reset to an empty store' }).click();
  await page.getByText('Everything reset to an empty store').first().waitFor();
  expect(count('users')).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => count('webhooks')).toBe(1);
  await save('from-elsewhere');
  await page.getByText('from-elsewhere', { exact: true }).waitFor();
});

test('a snapshot is saved and restored with the keyboard alone', async () => {
  await drop();
  const page = await inspector.open('/snapshots');
  await page.getByText('No snapshot yet').waitFor();
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('by-keys');
  await page.keyboard.press('Enter');
  // The command of the form names it while it is typed.
  await page.getByRole('region', { name: 'Saved snapshots' }).getByText('by-keys', { exact: true }).waitFor();
  await addWebhook();
  await tabTo(page, page.getByRole('button', { name: 'Restore', exact: true }));
  await page.keyboard.press('Enter');
  await expect.poll(() => count('webhooks')).toBe(0);
});

test('the view is accessible, and shows names and file names as texts', async () => {
  inspector.allowErrors(/400/);
  await drop();
  await save('one');
  const page = await inspector.open('/snapshots');
  const name = xssStrings.join(' ').slice(0, 200);
  await page
    .getByLabel('Choose a file to import')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from('[]') });
  await page.getByRole('alert').getByText('Import of “').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill(xssStrings[0] ?? '');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').nth(1).waitFor();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('the sheet that deletes a snapshot is busy until that is done, and says why it is not', async () => {
  inspector.allowErrors(/507/);
  await save('kept');
  const page = await inspector.open('/snapshots');
  const deletion = /\/control\/snapshots\/kept$/;
  await intercept(page, deletion, (route) => route.fulfill({ status: 507, json: { message: 'The disk is full.' } }), {
    times: 1,
  });
  await page.getByRole('button', { name: 'More for kept' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Delete “kept”?' });
  await sheet.getByRole('button', { name: 'Delete it' }).click();
  await expectSeen(sheet.getByRole('alert').getByText('The disk is full.'));
  const release = await holdBack(page, deletion);
  await sheet.getByRole('button', { name: 'Delete it' }).click();
  await expectSeen(sheet.locator('[aria-busy="true"]').first());
  release();
  await expectGone(sheet);
  await expectGone(page.getByRole('button', { name: 'More for kept' }));
});

test('a request whose changes were taken back says so, and links to no record that has the id now', async () => {
  const { sandbox, open } = inspector;
  await save('before');
  const subscribe = (phone: string) =>
    sandbox.call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
  const { id } = await (await subscribe('+15555550123')).exchange();
  const page = await open(`/requests/${id}`);
  const request = page.getByRole('article', { name: 'Request' });
  await expectSeen(request.getByRole('link', { name: '+15555550123' }).first());
  await sandbox.control('POST', '/control/snapshots/before/restore', { mode: 'replace' });
  await subscribe('+15555550199');
  await expectSeen(request.getByText('All this was taken back.'));
  expect(await request.getByRole('link', { name: '+15555550123' }).count()).toBe(0);
  await request.getByRole('link', { name: 'In the timeline' }).click();
  await expectSeen(page.getByRole('grid', { name: /^Timeline/ }).getByText('taken back since'));
});

test('below the name of a snapshot is written which characters it may have', async () => {
  const page = await inspector.open('/snapshots');
  const name = page.getByRole('form', { name: 'Save a snapshot' }).getByLabel('Name');
  expect(
    await name.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.innerText),
  ).toBe('Letters, digits, “_”, “-” and “.”, without spaces.');
});
