import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { copyOf, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { toast } from '../support/frame.ts';
import { detail } from './requests-support.ts';

const inspector = useInspector();

const body = (page: Page, name = 'Request body'): Locator => detail(page).getByRole('group', { name });

/** Sends a body and opens its request. */
async function opened(raw: string | Buffer, path = '/events/custom'): Promise<Page> {
  const answer = await inspector.sandbox.call('POST', path, { raw, headers: { 'content-type': 'application/json' } });
  const { id } = await answer.exchange();
  return inspector.open(`/requests/${id}`);
}

const event =
  '{ "type":"Cart", "user":{ "phone":"+15555550100" },\n "properties":{"n":1.50,"deep":{"list":[{"x":1},{"y":2}]}} }';

test('a body is shown formatted, as it was sent, and byte by byte', async () => {
  const page = await opened(event);
  await body(page).getByText('"phone"').waitFor();
  // A number stays as it was written.
  await body(page).getByText('1.50').waitFor();
  await detail(page)
    .getByRole('radio', { name: 'Raw' })
    .or(detail(page).getByRole('button', { name: 'Raw' }))
    .click();
  await body(page).getByText('{ "type":"Cart", "user":{ "phone":"+15555550100" },', { exact: true }).waitFor();
  expect(await copyOf(page, () => detail(page).getByRole('button', { name: 'Copy the body' }).click())).toBe(event);
  await detail(page)
    .getByRole('radio', { name: 'Bytes' })
    .or(detail(page).getByRole('button', { name: 'Bytes' }))
    .click();
  await body(page).getByText('0000  7b20 2274 7970 6522 3a22 4361 7274 222c  { "type":"Cart",').waitFor();
});

test('a form is shown field by field, decoded, with the refused one marked, also in the fix; its bytes stay as they were sent', async () => {
  const raw = 'grant_type=authorization_cod&code=a%2Fb&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fback+to&broken=%E4';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await inspector.sandbox.call('POST', '/authorization-codes/tokens', { raw, headers });
  const page = await inspector.open(`/requests/${(await answer.exchange()).id}`);
  const lines = body(page).locator('.ct');
  await expect
    .poll(() => lines.allInnerTexts())
    .toEqual([
      'grant_type = authorization_cod',
      'code = a/b',
      'redirect_uri = http://localhost:3000/back to',
      'broken = %E4',
    ]);
  expect(await body(page).locator('.wave').allInnerTexts()).toEqual(['authorization_cod']);
  const shown = (name: string) => detail(page).getByRole('group', { name }).locator('.ct').allInnerTexts();
  expect(await shown('The place in the request')).toEqual(['grant_type = authorization_cod']);
  expect(await shown('The fix as a comparison')).toEqual([
    'grant_type = authorization_cod',
    'grant_type = authorization_code',
    'code = a/b',
  ]);
  await body(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await copyOf(page, () => page.keyboard.press('v'))).toBe('a/b');
  expect(await copyOf(page, () => detail(page).getByRole('button', { name: 'Copy the body' }).click())).toBe(raw);
});

test('the parameters of a query are shown one by one, decoded, with the refused one marked', async () => {
  const answer = await inspector.sandbox.call('GET', '/subscriptions?phone=%28555%29+555-0100&email=ada%40example.com');
  const page = await inspector.open(`/requests/${(await answer.exchange()).id}`);
  const query = body(page, 'Query');
  await expect
    .poll(() => query.locator('.ct').allInnerTexts())
    .toEqual(['phone = (555) 555-0100', 'email = ada@example.com']);
  expect(await query.locator('.wave').allInnerTexts()).toEqual(['(555) 555-0100']);
});

test('bytes that are not text are shown as bytes', async () => {
  const page = await opened(Buffer.from([0xff, 0xfe, 0x00, 0x41]));
  await expectSeen(body(page).getByText(/0000 {2}fffe 0041 +···A/));
});

test('a body is searched, hit by hit', async () => {
  const page = await opened(
    JSON.stringify({ type: 'a', properties: { one: 'needle', two: 'x'.repeat(80), three: 'Needle' } }),
  );
  await detail(page).getByRole('button', { name: 'Search in this body' }).click();
  await page.getByRole('textbox', { name: 'Search in this body' }).fill('needle');
  await detail(page).getByText('1 of 2').waitFor();
  await page.keyboard.press('Enter');
  await detail(page).getByText('2 of 2').waitFor();
  expect(await body(page).locator('mark').count()).toBe(2);
  await page.keyboard.press('Escape');
  await expect.poll(() => body(page).locator('mark').count()).toBe(0);
});

test('the search counts from the first hit again when lines are folded, and marks what is found whatever is before it', async () => {
  const needles = { a: { n: 'needle', pad: 'x'.repeat(80) }, b: { n: 'İİ needle', pad: 'x'.repeat(80) } };
  const page = await opened(JSON.stringify({ ...needles, c: { ...needles.a }, d: { ...needles.b } }));
  await detail(page).getByRole('button', { name: 'Search in this body' }).click();
  await page.getByRole('textbox', { name: 'Search in this body' }).fill('needle');
  await detail(page).getByText('1 of 4').waitFor();
  await expect.poll(() => body(page).locator('mark').allInnerTexts()).toEqual(Array(4).fill('needle'));
  for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('Enter');
  await detail(page).getByText('4 of 4').waitFor();
  await body(page).getByRole('button', { name: 'Fold' }).nth(1).click();
  await expectSeen(detail(page).getByText('1 of 3'));
});

test('the size of a body is in bytes, not in characters', async () => {
  const page = await opened(JSON.stringify({ type: 'é'.repeat(1_000) }));
  await expectSeen(detail(page).getByText('3 lines, 2.0 kB'));
});

test('of a file of which only the first bytes were kept their number is said', async () => {
  const { body: made } = await inspector.sandbox.call('POST', '/product-catalog/uploads');
  const file = 'é'.repeat(50_000);
  await fetch((made as { uploadUrl: string }).uploadUrl, { method: 'PUT', body: file });
  const { id } = inspector.sandbox.emulator.recorder.all().at(-1) ?? {};
  const page = await inspector.open(`/requests/${id}`);
  await expectSeen(detail(page).getByText('Of 100.0 kB the first 65.5 kB were kept.'));
});

test('an edit of a request whose body was not recorded to its end says that only a part of it is sent', async () => {
  const user = { phone: '+15555550100' };
  await inspector.sandbox.call('POST', '/events/custom', {
    json: { type: 'e', user, properties: { a: 'x'.repeat(1_100_000) } },
  });
  const { id } = inspector.sandbox.emulator.recorder.all().at(-1) ?? {};
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('form', { name: 'Edit and replay' });
  await expectSeen(editor.getByText('Not all of the body was recorded'));
});

test('path and value of a line are copied with the keyboard, and objects can be folded', async () => {
  const page = await opened(event);
  await body(page).getByText('"phone"').waitFor();
  await body(page).focus();
  const lines = await body(page).innerText();
  const wanted = lines.split('\n').length;
  expect(wanted).toBeGreaterThan(5);
  // To the first line with the phone number.
  for (let turn = 0; turn < 12; turn += 1) {
    await page.keyboard.press('ArrowDown');
    if (await detail(page).getByText('/properties/deep', { exact: true }).isVisible()) break;
  }
  expect(await copyOf(page, () => page.keyboard.press('w'))).toBe('/properties/deep');
  await toast(page, 'The path was copied').waitFor();
  const value = await copyOf(page, () => page.keyboard.press('v'));
  await toast(page, 'The value was copied').waitFor();
  expect(JSON.parse(value)).toEqual({ list: [{ x: 1 }, { y: 2 }] });
  const before = await body(page).getByText('"list"').count();
  expect(before).toBeGreaterThan(0);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => body(page).getByText('"list"').count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => body(page).getByText('"list"').count()).toBe(before);
});

test('a body of 10 MB opens with its first part, and completely on request', async () => {
  const codes = Array.from({ length: 200_000 }, (_, at) => `SAND-${at}-${'X'.repeat(42)}`);
  const raw = JSON.stringify({ codes });
  expect(raw.length).toBeGreaterThan(10_000_000);
  const { status } = await inspector.sandbox.call('POST', '/coupons/coupon-pool/54102/create', {
    raw,
    headers: { 'content-type': 'application/json' },
  });
  expect(status).toBe(202);
  const page = await inspector.open('/requests');
  const row = page.getByRole('row').filter({ hasText: '/create' });
  await row.click();
  await detail(page).getByText('SAND-0-').first().waitFor();
  const load = page.getByRole('button', { name: /^Load all 1\d\.\d MB/ });
  const lines = (): Promise<string | null> =>
    detail(page)
      .getByText(/lines, /)
      .textContent();
  expect(await lines()).not.toContain('200,00');
  await load.click();
  await expect.poll(lines).toContain('200,00');
});

test.each([
  ['accepted', {}],
  ['refused', { user: 'nobody' }],
])('a body of a thousand lines has room, of a request that was %s', async (_how, change) => {
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`property ${at}`, at]));
  const user = { phone: '+15555550100' };
  const page = await opened(JSON.stringify({ type: 'Cart', properties, user, ...change }));
  await expectSeen(body(page).getByText('"property 9"'));
  expect((await body(page).boundingBox())?.height).toBeGreaterThan(300);
});

test('a body with extreme nesting is shown as it was sent', async () => {
  const page = await opened(`${'['.repeat(100_000)}1`);
  await expectSeen(body(page).getByText('[[[[[[[[[[').first());
  await detail(page).getByText('Refused:').waitFor();
});

test('what is nested deeply is read in a narrow pane: it is indented by half of the pane at most', async () => {
  const deep = Array.from({ length: 30 }).reduce<unknown>((inner) => ({ in: inner }), 'the value\nof two lines');
  const answer = await inspector.sandbox.call('POST', '/events/custom', { json: deep });
  const { id } = await answer.exchange();
  const page = await inspector.open(`/requests/${id}`, { width: 420, height: 800 });
  const line = body(page).locator('.ct', { hasText: 'the value' });
  await line.scrollIntoViewIfNeeded();
  const key = line.getByText('"in"').first();
  const [inside, around] = [await key.boundingBox(), await line.boundingBox()];
  const half = (around?.width ?? 0) / 2;
  // The box has a padding at its end.
  expect(Math.abs((inside?.x ?? 0) - (around?.x ?? 0) - half)).toBeLessThan(10);
  expect(await line.innerText()).toContain(`${'  '.repeat(29)}"in"`);
});

test('a body that is one long text opens', async () => {
  const page = await opened(JSON.stringify({ type: 'Long', properties: { text: `begin ${'x'.repeat(900_000)}` } }));
  await body(page)
    .getByText(/"begin x+/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: /^Load all/ }).click();
  await expectSeen(
    body(page)
      .getByText(/"begin x+/)
      .first(),
  );
});

test('a body that is not valid JSON is shown as it was sent, with the character at which it goes wrong marked', async () => {
  const page = await opened('{\n  "type": "Cart",\n  "user": {"phone": "+15555550100",}\n}');
  const place = detail(page).getByRole('group', { name: 'The place in the request' });
  for (const shown of [place, body(page)]) {
    await shown.getByText('"user": {"phone": "+15555550100",}').waitFor();
    const line = shown.locator('.cl.at');
    expect(await line.count()).toBe(1);
    expect(await line.locator('.ln').innerText()).toBe('3');
    expect(await line.locator('.jb').innerText()).toBe('}');
  }
});

test('the line of a body that the keys chose is chosen again when the pointer leaves the body', async () => {
  const page = await opened(event);
  await body(page).focus();
  for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('j');
  const path = (text: string): Locator => detail(page).locator('.codefoot code').getByText(text, { exact: true });
  await path('/user').waitFor();
  await body(page).getByText('"Cart"').hover();
  await path('/type').waitFor();
  await page.mouse.move(0, 0);
  await path('/user').waitFor();
  await page.keyboard.press('j');
  await expectSeen(path('/properties'));
});

test('a header that was sent in UTF-8 is shown, copied and compared as that, and one in another encoding byte by byte', async () => {
  const byBytes = (text: string): string => Buffer.from(text).toString('latin1');
  const headers = { 'x-name': byBytes('José 🐦\u202e'), 'x-other': 'Jos\u00e9' };
  const { id } = await (await inspector.sandbox.call('GET', '/me', { headers })).exchange();
  const plain = await (await inspector.sandbox.call('GET', '/me')).exchange();
  const page = await inspector.open(`/requests/${id}`);
  await detail(page).getByRole('tab', { name: 'Headers' }).click();
  const row = detail(page).getByRole('table', { name: 'Request headers' }).getByRole('row', { name: 'x-name' });
  expect(await row.getByRole('cell').innerText()).toMatch(/^José 🐦.*UTF-8$/);
  expect(await row.locator('.unseen').count()).toBe(1);
  const copied = await copyOf(page, () =>
    detail(page).getByRole('button', { name: 'Copy the request headers' }).click(),
  );
  expect(copied).toContain('x-name: José 🐦\u202e\nx-other: José');
  await goTo(page, `/requests/${id}?with=${plain.id}`);
  await expectSeen(page.getByText('x-name: José 🐦'));
});

test('of a long list that got one more at its end, the end is shown as changed', async () => {
  const { emulator, call } = inspector.sandbox;
  const identify = (first: number, last: number) => {
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const customIdentifiers = numbers.map((at) => ({ name: `device ${at}`, value: `value-${at}` }));
    return call('POST', '/identity-resolution/user-identifiers', {
      json: { phone: '+15555550155', customIdentifiers },
    });
  };
  await identify(1, 20);
  await identify(21, 21);
  const page = await inspector.open(`/requests/${emulator.recorder.all().at(-1)?.id}`);
  const change = page.getByText('customIdentifiers').locator('xpath=..');
  await expectSeen(change.locator('ins', { hasText: /^….*value-20, value-21$/ }));
  await expectSeen(change.locator('del', { hasText: /^….*value-20$/ }));
});
