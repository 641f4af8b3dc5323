import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { copyOf, goTo, useInspector } from '../support/browser.ts';
import { bundleOf } from '../support/built.ts';
import { toast } from '../support/frame.ts';

const inspector = useInspector();
const root = join(import.meta.dirname, '../..');

async function sent(...args: Parameters<typeof inspector.sandbox.call>): Promise<string> {
  return (await (await inspector.sandbox.call(...args)).exchange()).id;
}

test('a missing sign-up unit is created from the refusal, and the request sent again; undo deletes the unit', async () => {
  const json = {
    user: { phone: '+15555550123' },
    locale: { language: 'de', country: 'DE' },
    subscriptionType: 'MARKETING',
  };
  const page = await inspector.open(`/requests/${await sent('POST', '/subscriptions', { json })}`);
  await page.getByText('Creates an API sign-up unit for de-DE').waitFor();
  await page.getByRole('button', { name: 'Create and replay' }).click();
  await toast(page, 'Created a sign-up unit for de-DE MARKETING; replayed: 202').waitFor();
  const again = async () => (await inspector.sandbox.call('POST', '/subscriptions', { json })).status;
  expect(await again()).toBe(202);
  await page.keyboard.press('Control+z');
  await expect.poll(again).toBe(400);
});

test('uploads are enabled for the offer of a refusal, and the codes sent again', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const closed = [...store.offers.all()].find(({ apiUploads }) => !apiUploads);
  expect(closed).toBeDefined();
  const path = `/coupons/coupon-pool/${closed?.id}/create`;
  const page = await inspector.open(`/requests/${await sent('POST', path, { json: { codes: ['A'] } })}`);
  await page.getByRole('button', { name: 'Enable and replay' }).click();
  await toast(page, /^Enabled uploads for offer \d+; replayed: /).waitFor();
  expect(store.offers.get(closed?.id ?? '')?.apiUploads).toBe(true);
  await page.keyboard.press('Control+z');
  await expect.poll(() => store.offers.get(closed?.id ?? '')?.apiUploads).toBe(false);
});

test('an answer is made a fault in two steps, and undo removes it', async () => {
  const id = await sent('GET', '/webhooks', { key: 'wrong' });
  const page = await inspector.open(`/requests/${id}`);
  await page.getByRole('button', { name: 'More for this request' }).click();
  await page.getByRole('menuitem', { name: 'Answer the next one like this, as a fault' }).click();
  await toast(page, 'The next GET /webhooks is answered with 401').waitFor();
  const faults = () => inspector.sandbox.control('GET', '/control/faults').then(({ body }) => JSON.stringify(body));
  expect(await faults()).toContain('"operation":"GET /webhooks","status":401');
  await page.keyboard.press('Control+z');
  await expect.poll(faults).toContain('"faults":[]');
});

test('a request is opened in Try it with what it sent', async () => {
  const json = { user: { email: 'grace@example.com' }, type: 'Bought tea' };
  const page = await inspector.open(`/requests/${await sent('POST', '/events/custom', { json })}`);
  await page.getByRole('button', { name: 'More for this request' }).click();
  await page.getByRole('menuitem', { name: 'Open in Try it' }).click();
  await page.getByRole('form', { name: 'POST /events/custom' }).waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'type', exact: true }).inputValue()).toBe('Bought tea');
  expect(page.url()).not.toContain('from=');

  const read = await sent('GET', '/subscriptions?phone=%2B15555550100');
  await goTo(page, `/requests/${read}`);
  await page.getByRole('button', { name: 'More for this request' }).click();
  await page.getByRole('menuitem', { name: 'Open in Try it' }).click();
  await page.getByRole('form', { name: 'GET /subscriptions' }).waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: /^phone/ }).inputValue()).toBe('+15555550100');
});

test('a test with its own sandbox is copied in one step, and passes in a fresh folder', async () => {
  const json = { user: { phone: '5555550100' }, signUpSourceId: '100001' };
  const page = await inspector.open(`/requests/${await sent('POST', '/subscriptions', { json })}`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const item = page.getByRole('menuitem', { name: 'As a test with its own sandbox' });
  const code = await copyOf(page, () => item.click());
  await toast(page, 'Copied as a test with its own sandbox').waitFor();

  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-copied-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const library = JSON.stringify(fileURLToPath(bundleOf('emulator/testing.ts')));
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      `export default { resolve: { alias: { 'sandpiper/testing': ${library} } }, server: { fs: { strict: false } } };`,
    );
    writeFileSync(join(folder, 'copied.test.ts'), String(code));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--root', '.'],
      { cwd: folder },
    );
    expect(stdout).toMatch(/Tests .*1 passed/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Sends a request with exactly this Host. */
async function askAs(host: string): Promise<number | undefined> {
  const { port } = new URL(inspector.sandbox.emulator.apiUrl);
  const headers = { host, authorization: 'Bearer sandpiper-demo-key' };
  const [answer] = (await once(request({ port, host: '127.0.0.1', path: '/v1/me', headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  answer.resume();
  return answer.statusCode;
}

test('a refused Host that anybody may own says how it is allowed at a start, each way with a button to copy it, and not from here', async () => {
  expect(await askAs('shop.example.com:80')).toBe(403);
  const page = await inspector.open('/requests');
  await page.getByRole('row', { name: /request\.host/ }).click();
  const why = page.getByRole('region', { name: 'Why' });
  await why.getByRole('heading', { name: 'Fix at the source' }).waitFor();
  await why.getByText('Send the host and port of the base URL.').waitFor();
  await why.getByText('Not from this window').waitFor();
  for (const [label, text] of [
    ['Option', '--allow-host shop.example.com'],
    ['Config', "allowHost: ['shop.example.com']"],
    ['Variable', 'SANDPIPER_ALLOW_HOST=shop.example.com'],
  ] as const) {
    await why.getByText(text, { exact: true }).waitFor();
    expect(await copyOf(page, () => why.getByRole('button', { name: `Copy: ${label}` }).click())).toBe(text);
  }
  expect(await why.getByRole('button', { name: /^Allow/ }).count()).toBe(0);
  await page.keyboard.press('f');
  expect(await askAs('shop.example.com')).toBe(403);
});

test('a refused Host that no one on the internet can own is allowed with one click, and undo refuses it again', async () => {
  expect(await askAs('shop.test:80')).toBe(403);
  const page = await inspector.open('/requests');
  await page
    .getByRole('row', { name: /request\.host/ })
    .first()
    .click();
  const why = page.getByRole('region', { name: 'Why' });
  await why.getByRole('button', { name: 'Allow shop.test' }).click();
  await toast(page, 'Allowed the host shop.test').waitFor();
  await why.getByText('shop.test is allowed').waitFor();
  expect(await askAs('shop.test')).toBe(200);
  await page.keyboard.press('Control+z');
  await why.getByRole('button', { name: 'Allow shop.test' }).waitFor();
  expect(await askAs('shop.test')).toBe(403);
});

test('a host is allowed with a key, and removed in Settings', async () => {
  expect(await askAs('localhost:9')).toBe(403);
  const page = await inspector.open('/requests');
  await page
    .getByRole('row', { name: /request\.host/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Allow localhost:9' }).waitFor();
  await page.keyboard.press('f');
  await page.getByText('localhost:9 is allowed').waitFor();
  expect(await askAs('localhost:9')).toBe(200);
  await page.getByRole('link', { name: 'Settings', exact: true }).last().focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('group', { name: 'Hosts allowed while it runs' });
  await row.getByRole('button', { name: 'Remove localhost:9' }).focus();
  await page.keyboard.press('Enter');
  await row.getByText('none').waitFor();
  expect(await askAs('localhost:9')).toBe(403);
  await page.keyboard.press('Control+z');
  await row.getByText('localhost:9', { exact: true }).waitFor();
  expect(await askAs('localhost:9')).toBe(200);
});
