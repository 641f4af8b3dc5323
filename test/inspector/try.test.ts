import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkAccess, copyOf, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { tabTo } from '../support/keyboard.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector();
const latest = () => inspector.sandbox.emulator.recorder.all().at(-1);
const sentBody = (): unknown => JSON.parse(latest()?.requestBody?.toString('utf8') ?? 'null');

/** Sends the form, and waits for the reply to this request. */
async function send(page: Page): Promise<number> {
  const before = latest()?.id;
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => latest()?.id).not.toBe(before);
  const id = latest()?.id ?? '';
  await page.locator(`a[href$="/requests/${id}"]`).waitFor();
  return latest()?.status ?? 0;
}

test('every operation of the contract has a form whose example is accepted', async () => {
  const { paths } = (await inspector.sandbox.control('GET', '/control/openapi.json')).body as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      name: `${method.toUpperCase()} ${path}`,
    })),
  );
  expect(operations.length).toBeGreaterThan(20);
  const page = await inspector.open(`/try/${operations[0]?.id}`);
  const refused: string[] = [];
  for (const { id, name } of operations) {
    await goTo(page, `/try/${id}`);
    const form = page.getByRole('form', { name, exact: true });
    await form.waitFor();
    if (name.startsWith('POST /authorization-codes')) {
      await form.getByRole('button', { name: 'Get a code' }).click();
      const example = 'MTQ0NjJkZmQ5OTM2NDE1ZTZjNGZmZjI3';
      await expect.poll(() => form.getByRole('textbox', { name: 'code', exact: true }).inputValue()).not.toBe(example);
    }
    await expect
      .poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled(), { message: name })
      .toBe(true);
    const status = await send(page);
    if (status >= 400) refused.push(`${name}: ${status} ${String(latest()?.responseBody)}`);
  }
  expect(refused).toEqual([]);
});

test('nested objects and lists are filled field by field, and what is left empty is not sent', async () => {
  const page = await inspector.open('/try/postPurchaseEvents');
  await page.getByRole('group', { name: 'items.0.productId' }).getByRole('textbox').fill('SKU-9');
  await page.getByRole('button', { name: 'Add to items.0.price' }).click();
  await page.getByRole('group', { name: 'items.0.price.1.value' }).getByRole('textbox').fill('5');
  await page.getByRole('button', { name: 'Add to items', exact: true }).click();
  await page.getByRole('button', { name: 'Remove items 2' }).click();
  await page.getByRole('group', { name: 'user.email', exact: true }).getByRole('textbox').fill('');
  await page.getByRole('button', { name: 'user.phone is null' }).click();
  await page.getByRole('button', { name: 'Add user.externalIdentifiers' }).click();
  await page.getByRole('group', { name: 'user.externalIdentifiers.clientUserId' }).getByRole('textbox').fill('c-1');
  expect(await send(page)).toBe(200);
  expect(sentBody()).toEqual({
    items: [{ productId: 'SKU-9', productVariantId: 'CD12345', price: [{ value: 19.99 }, { value: 5 }] }],
    user: { phone: null, externalIdentifiers: { clientUserId: 'c-1' } },
  });
});

test('if the contract allows several shapes, the form offers each', async () => {
  const page = await inspector.open('/try/identify');
  const field = page.getByRole('group', { name: 'body.customIdentifiers', exact: true });
  await field.getByRole('button', { name: 'Add body.customIdentifiers' }).click();
  await field.getByRole('group', { name: 'body.customIdentifiers.0.value' }).getByRole('textbox').fill('L-2');
  expect(await send(page)).toBe(202);
  expect(sentBody()).toMatchObject({ customIdentifiers: [{ value: 'L-2' }] });
  await field.getByRole('button', { name: 'object', exact: true }).click();
  const editor = field.getByRole('textbox');
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"loyaltyId": "L-3"}');
  expect(await send(page)).toBe(202);
  expect(sentBody()).toMatchObject({ customIdentifiers: { loyaltyId: 'L-3' } });
});

test('a file of codes becomes the lines of a list', async () => {
  const page = await inspector.open('/try/addCouponCodes');
  const codes = Array.from({ length: 5_000 }, (_, index) => `CODE-${index}`);
  await page
    .getByLabel('Lines of a file as codes')
    .setInputFiles({ name: 'codes.txt', mimeType: 'text/plain', buffer: Buffer.from(`${codes.join('\r\n')}\n`) });
  await page.getByText('5,000 lines, from CODE-0 to CODE-4999').waitFor();
  expect(await send(page)).toBe(202);
  expect(sentBody()).toMatchObject({ codes });
});

test('a number is sent as it is typed, key by key, and the note that it is not a number is true', async () => {
  const page = await inspector.open('/try/postPurchaseEvents');
  const field = (path: string) => page.getByRole('group', { name: path, exact: true }).getByRole('textbox');
  const price = field('items.0.price.0.value');
  await price.fill('');
  await price.pressSequentially('10.05');
  expect(await price.inputValue()).toBe('10.05');
  expect(await send(page)).toBe(200);
  expect(sentBody()).toMatchObject({ items: [{ price: [{ value: 10.05 }] }] });
  const note = page.getByText(/^Not a number/);
  expect(await note.count()).toBe(0);
  // A number would lose its last digits.
  await price.fill('90071992547409931');
  await note.waitFor();
  await send(page);
  expect(sentBody()).toMatchObject({ items: [{ price: [{ value: '90071992547409931' }] }] });

  await goTo(page, '/try/addCouponCodes');
  const id = field('coupon-pool-id');
  await expect.poll(() => id.inputValue()).toMatch(/^\d+$/);
  expect(await note.count()).toBe(0);
  await id.fill('9223372036854775807');
  await send(page);
  expect(latest()?.url).toBe('/v1/coupons/coupon-pool/9223372036854775807/create');
});

test('the ids that are there are counted, also those that are not read', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  const { offers } = store;
  const [offer] = offers.all();
  if (!offer) throw new Error('The demo world has no offer.');
  const before = [...offers.all()].filter(({ companyId }) => companyId === offer.companyId).length;
  store.transact(() => {
    for (let id = 60_000; id < 61_200; id += 1) offers.put({ ...offer, id: String(id) });
  });
  const page = await inspector.open('/try/addCouponCodes');
  await expectSeen(page.getByText(`and ${(before + 1_196).toLocaleString('en')} more`));
});

test('the text is sent unchanged, even if it is not JSON, and the refusal is explained next to it', async () => {
  const page = await inspector.open('/try/addSubscriptions');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('textbox', { name: 'Body' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"user": ');
  expect(await send(page)).toBe(400);
  expect(latest()?.requestBody?.toString()).toBe('{"user": ');
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByRole('link', { name: 'Why' }).waitFor();
  await answer
    .getByText(latest()?.refusal?.message ?? 'nothing was refused')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await page.getByRole('alert').getByText('not JSON').waitFor();
});

test('the last input of an operation is kept, and a button restores the example', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  const type = page.getByRole('group', { name: 'type', exact: true }).getByRole('textbox');
  await type.fill('Order Kept');
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByRole('textbox', { name: 'Name of header 1' }).fill('x-sandbox-fault');
  await page.getByRole('textbox', { name: 'Value of header 1' }).fill('status=500');
  expect(await send(page)).toBe(500);
  await page.reload();
  await expect.poll(() => type.inputValue()).toBe('Order Kept');
  await page.getByRole('button', { name: 'Example' }).click();
  await expect.poll(() => type.inputValue()).toBe('Order Shipped');
  expect(await send(page)).toBe(200);
});

test('another key, and no key, are refused as on the platform, and copied as curl', async () => {
  const page = await inspector.open('/try/getMe');
  await page.getByRole('combobox', { name: /^API key/ }).click();
  await page.getByRole('option', { name: /^No key/ }).click();
  expect(await send(page)).toBe(401);
  await page.getByRole('combobox', { name: /^API key/ }).click();
  await page.getByRole('option', { name: /^Another key/ }).click();
  await page.getByRole('textbox', { name: 'Key to send' }).fill('guessed');
  expect(await send(page)).toBe(401);
  const curl = await copyOf(page, () => page.getByRole('button', { name: 'Copy as curl' }).click());
  expect(curl).toContain(`${inspector.sandbox.emulator.apiUrl}/me`);
  expect(curl).toContain('authorization: Bearer guessed');
});

test('an operation is found, filled in and sent with the keyboard alone', async () => {
  const page = await inspector.open('/try/getMe');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.getByRole('form', { name: 'POST /webhooks' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('unsubscribe');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'POST /subscriptions/unsubscribe' });
  await form.waitFor();
  await tabTo(page, form.getByRole('group', { name: 'user.phone' }).getByRole('textbox'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('+15555550101');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => latest()?.operation).toBe('POST /subscriptions/unsubscribe');
  expect(sentBody()).toMatchObject({ user: { phone: '+15555550101' } });
});

test('forms and replies are accessible, and show captured text as text', async () => {
  const page = await inspector.open('/try/postCustomEvents');
  await page.getByRole('group', { name: 'type', exact: true }).getByRole('textbox').fill(xss);
  await page.getByRole('button', { name: 'Add a header' }).click();
  await send(page);
  for (const tab of ['Headers', 'Sent', 'Body']) await page.getByRole('tab', { name: tab }).click();
  await checkAccess(page);
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('a reply that a fault gave says so, and not that nothing changed', async () => {
  const fault = { operation: 'POST /events/ecommerce/purchase', status: 503, times: 1 };
  await inspector.sandbox.control('POST', '/control/faults', fault);
  const page = await inspector.open('/try/postPurchaseEvents');
  expect(await send(page)).toBe(503);
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText(/A fault was applied/).waitFor();
  expect(await answer.getByText(/changed nothing|nothing changed/i).count()).toBe(0);
});

test('what a field takes is said in words, with an example instead of a pattern', async () => {
  const page = await inspector.open('/try/addSubscriptions');
  const form = page.getByRole('form');
  await expectSeen(form.getByText(/a phone number such as \+15555550100/).first());
  for (const id of ['addSubscriptions', 'lookupUpload', 'getMe', 'postPurchaseEvents', 'identify']) {
    await goTo(page, `/try/${id}`);
    await form.locator('h2').waitFor();
    for (const words of await form.locator('.try-type').allInnerTexts()) expect(words).not.toMatch(/[\^$\\]/);
  }
});
