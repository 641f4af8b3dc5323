import { afterEach, expect, test } from 'vitest';
import type { DeliveriesView } from '../../emulator/control/calls.ts';
import { startReceiver } from '../delivery/support.ts';
import { checkAccess, copyOf, goTo, useInspector } from '../support/browser.ts';
import { holdBack, letCome } from '../support/hold-back.ts';
import { editPayload } from '../support/keyboard.ts';
import { xss } from '../support/xss.ts';

const inspector = useInspector();
// A reset does not change it.
afterEach(async () => {
  await inspector.sandbox.control('DELETE', '/control/receiver');
});

async function control<T>(method: string, path: string, json?: unknown): Promise<T> {
  return (await inspector.sandbox.control(method, `/control/${path}`, json)).body as T;
}

/** Hostile texts in receivers, addresses and payloads; the newest delivery contains them. */
async function fillWithXss(): Promise<{ readonly webhookId: string; readonly deliveryId: string }> {
  const receiver = await startReceiver((response) => {
    response.statusCode = 500;
    response.setHeader('x-note', xss.replaceAll(/[^\x20-\x7e]/g, ''));
    response.setHeader('content-type', 'text/html');
    response.end(xss);
  });
  const hook = await control<{ readonly id: string }>('POST', 'webhooks', {
    url: `${receiver.url}?q=${encodeURIComponent(xss)}#${encodeURIComponent(xss)}`,
    events: ['email.opened'],
  });
  await control('POST', 'webhooks', { url: 'http://10.1.1.1/<script>window.__xss=1</script>', events: ['sms.sent'] });
  await control('POST', 'trigger', {
    type: 'email.opened',
    to: hook.id,
    payload: { subscriber: { email: '"><img src=x onerror="window.__xss=1">' }, message: { name: xss, subject: xss } },
  });
  const { url } = await control<{ url: string }>('POST', 'receiver', {});
  await fetch(`${url}?${encodeURIComponent(xss)}`, { method: 'POST', body: xss });
  return {
    webhookId: encodeURIComponent(hook.id),
    deliveryId: (await control<DeliveriesView>('GET', 'deliveries')).deliveries.at(-1)?.id ?? '',
  };
}

test('texts of receivers, addresses and payloads stay text', async () => {
  const { webhookId, deliveryId } = await fillWithXss();
  const page = await inspector.open(`/webhooks/${webhookId}?delivery=${deliveryId}&fire=1`);
  await page.getByRole('article', { name: 'Delivery' }).getByText('<script>window.__xss=1</script>').first().waitFor();
  await editPayload(page, (payload) => payload.replace(/"name": "[^"]*"/, `"name": ${JSON.stringify(xss)}`));
  await page.getByText('fits its schema').waitFor();
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await page.getByRole('region', { name: "The receiver's answer" }).getByText('x-note').waitFor();
  await goTo(page, `/webhooks?delivery=${deliveryId}&panel=receiver`);
  await page.getByText('POST /?').first().click();
  await page.getByRole('region', { name: 'Received' }).getByText('<script>window.__xss=1</script>').first().waitFor();
  expect(await page.evaluate('window.__xss')).toBeUndefined();
});

test('the note about an answer that is not text looks like a note, and is not copied as its body', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0, 1]));
  });
  await control('POST', 'trigger', { type: 'email.opened', to: receiver.url });
  const id = (await control<DeliveriesView>('GET', 'deliveries')).deliveries.at(-1)?.id ?? '';
  const page = await inspector.open(`/webhooks?delivery=${id}`);
  const answered = page.getByRole('group', { name: 'Answered at attempt 1' });
  const note = answered.getByText('Not text. It is the bytes 00 01.', { exact: true });
  await note.waitFor();
  expect(await answered.locator('pre').count()).toBe(0);
  const copied = await copyOf(page, () => answered.getByRole('button', { name: 'Copy the answer' }).click());
  expect(copied).toMatch(/^200 OK\n[^]*content-type: image\/png\n[^]*\n\n$/i);
  expect(copied).not.toContain('Not text');
});

test('the size of a long answer is that of all that came, also once only its start is kept', async () => {
  const receiver = await startReceiver((response) =>
    response.writeHead(500, { 'content-length': 20_480 }).end('x'.repeat(20_480)),
  );
  await control('POST', 'clock', { freeze: true });
  const hook = await control<{ readonly id: string }>('POST', 'webhooks', {
    url: receiver.url,
    events: ['email.opened'],
  });
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  await control('POST', 'clock', { advance: '10s' });
  const id = (await control<DeliveriesView>('GET', 'deliveries')).deliveries.at(-1)?.id ?? '';
  const page = await inspector.open(`/webhooks?delivery=${id}`);
  const attempts = page.getByRole('list', { name: /^Attempts/ });
  await expect.poll(() => attempts.getByText(/^Internal Server Error, 20\.5 kB in/).count()).toBe(2);
  await control('POST', 'clock', { real: true });
});

test('what has no width is written out where a signature differs', async () => {
  const { webhookId, deliveryId } = await fillWithXss();
  const page = await inspector.open(`/webhooks/${webhookId}?delivery=${deliveryId}&panel=signature`);
  await page.getByRole('textbox', { name: 'The signature that your receiver computed' }).fill('00'.repeat(32));
  await page.getByRole('textbox', { name: 'The body that it hashed' }).fill('\u200b{}');
  await page.getByRole('button', { name: 'Compare' }).click();
  const unseen = page.getByRole('region', { name: 'What differs' }).locator('.unseen');
  await expect.poll(() => unseen.evaluateAll((all) => all.map((one) => one.dataset['code']))).toEqual(['\\u200b']);
});

test.each([
  ['the delivery', /\/control\/deliveries\/[^?]+$/, 'Check the signature'],
  ['the webhooks', /\/control\/webhooks\b/, 'Your receiver answered'],
])(
  'the form for a signature waits for %s of its link, as what comes later would change the form',
  async (_name, asked, seen) => {
    const { webhookId, deliveryId } = await fillWithXss();
    const page = await inspector.open('/requests');
    const release = await holdBack(page, asked);
    await goTo(page, `/webhooks/${webhookId}?delivery=${deliveryId}&panel=signature`);
    await page.getByText(seen).first().waitFor();
    const signature = page.getByRole('textbox', { name: 'The signature that your receiver computed' });
    expect(await signature.count()).toBe(0);
    await letCome(page, asked, release);
    await expect.poll(() => signature.inputValue()).toContain('v1,');
    await expect.poll(() => signature.evaluate((field) => field === document.activeElement)).toBe(true);
  },
);

test('with each of its panels the view is accessible', async () => {
  const { webhookId, deliveryId } = await fillWithXss();
  const delivery = `/webhooks/${webhookId}?delivery=${deliveryId}`;
  const page = await inspector.open(`${delivery}&fire=1`);
  await page.getByText('Your receiver answered').waitFor();
  await page.getByText('fits its schema').waitFor();
  await checkAccess(page);

  await goTo(page, `${delivery}&panel=receiver`);
  await page.getByText('POST /?').first().click();
  await checkAccess(page);

  await goTo(page, `${delivery}&panel=gym`);
  await page.getByRole('group', { name: 'Disturbances' }).waitFor();
  await checkAccess(page);

  await goTo(page, `${delivery}&panel=signature`);
  await page.getByRole('textbox', { name: 'The signature that your receiver computed' }).fill('00'.repeat(32));
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('region', { name: 'What differs' }).waitFor();
  await page.getByText('Your receiver answered').waitFor();
  await checkAccess(page);
});

test('the next attempts of a delivery are in one form, today and on another day', async () => {
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  await control('POST', 'clock', { set: '2027-05-06T21:00:00Z' });
  await control('POST', 'clock', { freeze: true });
  const hook = await control<{ readonly id: string }>('POST', 'webhooks', {
    url: receiver.url,
    events: ['email.opened'],
  });
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  for (const span of ['1m', '10m', '1h']) await control('POST', 'clock', { advance: span });
  const page = await inspector.open(`/webhooks/${encodeURIComponent(hook.id)}`);
  const later = page.getByRole('list', { name: /^Attempts/ }).getByText('then');
  await expect.poll(() => later.innerText()).toMatch(/^then (?:\d\d:\d\d:\d\d; )*7 May \d\d:\d\d/);
  expect(await later.innerText()).not.toContain('2027');
  await control('POST', 'clock', { real: true });
});
