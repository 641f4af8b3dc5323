import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import type {
  DeliveriesView,
  DeliveryDetailView,
  DeliveryLineView,
  ReceiverView,
  WebhookLineView,
} from '../../emulator/control/calls.ts';
import { eventTypes } from '../../emulator/contract/event-schemas.ts';
import { startReceiver } from '../delivery/support.ts';
import { copyOf, expectGone, expectSeen, goTo, useInspector } from '../support/browser.ts';
import { choose, toast } from '../support/frame.ts';
import { editPayload, tabTo } from '../support/keyboard.ts';

const inspector = useInspector();
// A reset does not change it.
afterEach(async () => {
  await inspector.sandbox.control('DELETE', '/control/receiver');
});

async function control<T>(method: string, path: string, json?: unknown): Promise<T> {
  return (await inspector.sandbox.control(method, `/control/${path}`, json)).body as T;
}
const webhooks = async (): Promise<readonly WebhookLineView[]> =>
  (await control<{ webhooks: readonly WebhookLineView[] }>('GET', 'webhooks')).webhooks;
const deliveries = async (): Promise<readonly DeliveryLineView[]> =>
  (await control<DeliveriesView>('GET', 'deliveries')).deliveries;

async function create(url: string, events: readonly string[] = ['email.opened']): Promise<WebhookLineView> {
  const { id } = await control<{ id: string }>('POST', 'webhooks', { url, events });
  const made = (await webhooks()).find((one) => one.id === id);
  if (!made) throw new Error('The control API does not list the webhook.');
  return made;
}

test('an event fired from the window arrives with both signatures, and the reply is shown', async () => {
  const receiver = await startReceiver((response) => {
    response.setHeader('x-receiver', 'mine');
    response.end('{"taken":"with thanks"}');
  });
  const hook = await create(receiver.url);
  const page = await inspector.open('/webhooks');
  await page.getByText('Nothing has been delivered yet').waitFor();
  await page.keyboard.press('f');
  await page.getByRole('heading', { name: 'Fire an event' }).waitFor();
  await choose(page, 'Event: ', /^email\.opened/);
  await choose(page, 'Subscriber', /ada@example\.com/);
  const wire = page.getByRole('region', { name: 'On the wire' });
  await wire.getByText('ada@example.com').waitFor();
  await page.getByText('fits its schema').waitFor();
  await editPayload(page, (payload) => payload.replace(/"name": "[^"]*"/, '"name": "Näme of mine"'));
  await wire.getByText('Näme of mine').waitFor();
  const shown = await wire.innerText();
  // It goes away by itself.
  const told = toast(page, 'Fired email.opened to 1 receiver').waitFor();
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await told;

  const answer = page.getByRole('region', { name: "The receiver's answer" });
  await answer.getByText('{"taken":"with thanks"}').waitFor();
  await answer.getByText('x-receiver').waitFor();
  const [got] = receiver.got;
  const body = got?.body ?? '';
  expect(shown).toContain(body);
  expect(shown).toContain(String(got?.headers['webhook-id']));
  expect(shown).toContain(String(got?.headers['x-attentive-hmac-sha256']));
  expect(JSON.parse(body)).toMatchObject({ type: 'email.opened', subscriber: { email: 'ada@example.com' } });
  expect(got?.headers['x-attentive-hmac-sha256']).toBe(
    createHmac('sha256', hook.signingKey).update(body).digest('hex'),
  );
  expect(new StandardWebhook(hook.standardSecret).verify(body, got?.headers as Record<string, string>)).toBeTruthy();
  await page
    .getByRole('grid', { name: /^Deliveries/ })
    .getByText('delivered')
    .waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('heading', { name: 'Fire an event' }).count()).toBe(0);
});

test('the built-in receiver that another client starts, stops or takes back is shown at once', async () => {
  const page = await inspector.open('/webhooks');
  const line = page.getByRole('button', { name: /^Built-in receiver/ });
  await line.getByText('not running').waitFor();
  await control('POST', 'receiver', { status: 503 });
  await line.getByText('answers 503').waitFor();
  await control('DELETE', 'receiver');
  await line.getByText('not running').waitFor();
  await control('POST', 'undo');
  await line.getByText('answers 503').waitFor();
  await control('POST', 'redo');
  await expectSeen(line.getByText('not running'));
});

test('a fired event whose receiver answers late is shown under way, and then with its answer', async () => {
  let answerLate = (): void => {};
  const receiver = await startReceiver(
    (response) => (answerLate = () => response.writeHead(418).end('short and stout')),
  );
  await control('POST', 'clock', { freeze: true });
  const hook = await create(receiver.url);
  const page = await inspector.open(`/webhooks/${encodeURIComponent(hook.id)}?fire=1`);
  await page.getByText('fits its schema').waitFor();
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  const answer = page.getByRole('region', { name: "The receiver's answer" });
  await answer.getByText('The receiver has not answered yet. The outcome appears here.').waitFor();
  await answer.getByText('delivering').waitFor();

  answerLate();
  await answer.getByText('418', { exact: true }).first().waitFor();
  await answer.getByText('short and stout').waitFor();
  await answer.getByText(/Next attempt: in \d+ s/).waitFor();
  expect(await answer.locator('time').getAttribute('aria-live'), 'it is not said each second').toBe('off');
  await expectGone(answer.getByText('The outcome appears here.'));
});

test('an invalid payload is marked in place and not sent, and its bytes can be seen in hex', async () => {
  const receiver = await startReceiver();
  const hook = await create(receiver.url);
  const page = await inspector.open(`/webhooks/${encodeURIComponent(hook.id)}?fire=1`);
  await editPayload(page, (payload) => payload.replace(/"external_id": \d+/, '"external_id": "seven"'));
  await page.getByRole('alert').getByText('must be a whole number').waitFor();
  expect(await page.getByRole('button', { name: 'Fire', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: '/subscriber/external_id' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.classList.contains('codeeditor'))).toBe(true);
  await page.getByRole('tab', { name: 'Schema' }).click();
  const field = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'external_id' }).first();
  expect(await field.innerText()).toContain('whole number');
  await page.getByRole('button', { name: 'Start over, without your changes' }).click();
  await page.getByText('fits its schema').waitFor();
  await page.getByRole('button', { name: 'Hex', exact: true }).click();
  await page.getByText('0000 504f 5354 202f 686f 6f6b').waitFor();
  expect(receiver.got).toEqual([]);
});

test('a payload that is not an object is not sent, and the window says so', async () => {
  const page = await inspector.open('/webhooks?fire=1');
  const fire = page.getByRole('button', { name: 'Fire', exact: true });
  await page.getByText('fits its schema').waitFor();
  for (const payload of ['5', 'null', '"text"', '[]']) {
    await page.getByRole('button', { name: 'Start over, without your changes' }).click();
    await page.getByText('fits its schema').waitFor();
    await editPayload(page, () => payload);
    await page.getByText('no object', { exact: true }).waitFor();
    expect(await fire.isDisabled()).toBe(true);
    expect(await fire.getAttribute('title')).toBe('The payload is not a JSON object: { … }');
  }
});

test('an event is about a message that is sent while the panel is open, or again about the example message', async () => {
  const page = await inspector.open('/webhooks?fire=1&about=ada@example.com');
  const payload = page.getByRole('textbox', { name: 'Payload' });
  await expect.poll(() => payload.innerText()).toContain('email.opened');
  const message = {
    subscriber: { email: 'ada@example.com' },
    channel: 'EMAIL',
    name: 'Late autumn',
    subject: 'Warm feet',
    text: 'Socks.',
    force: true,
  };
  await control('POST', 'messages', message);
  await choose(page, 'Message', /^Late autumn/);
  await expect.poll(() => payload.innerText()).toContain('Late autumn');
  await control('POST', 'reset', { world: 'demo' });
  await expect.poll(() => payload.innerText()).not.toContain('Late autumn');
  await control('POST', 'messages', message);
  await choose(page, 'Message', /^Late autumn/);
  await expect.poll(() => payload.innerText()).toContain('Late autumn');
  await choose(page, 'Message', 'the example message');
  await expect.poll(() => payload.innerText()).not.toContain('Late autumn');
});

test('the people whom an event can be about are those of now, also after a reset and with the one chosen gone', async () => {
  const page = await inspector.open('/webhooks?fire=1&about=ada@example.com');
  const subscriber = page.getByRole('combobox', { name: /^Subscriber/ });
  const payload = page.getByRole('textbox', { name: 'Payload' });
  await expectSeen(subscriber.getByText(/ada@example\.com/));
  await inspector.sandbox.call('POST', '/subscriptions', {
    json: { user: { email: 'zoe@example.com' }, signUpSourceId: '100002' },
  });
  await choose(page, 'Subscriber', /^zoe@example\.com/);
  await expect.poll(() => payload.innerText()).toContain('zoe@example.com');
  await control('POST', 'reset', { world: 'demo' });
  await expectGone(subscriber.getByText('zoe@example.com'));
  await expect.poll(() => payload.innerText()).not.toContain('zoe@example.com');
});

test('an event is sent to any address, and a forbidden one is allowed by a button', async () => {
  const page = await inspector.open('/webhooks?fire=1');
  await choose(page, 'Send', 'to another address');
  await page.getByRole('textbox', { name: 'Address to send to' }).fill('http://10.255.255.1:9/hook');
  await page.getByText('fits its schema').waitFor();
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await page.getByText('is outside of this machine, in a private network').first().waitFor();
  await page.getByRole('button', { name: /^Send it, private networks allowed/ }).waitFor();
  await page.getByRole('region', { name: "The receiver's answer" }).getByRole('button', { name: 'Open' }).click();
  await page.getByText('Nothing was sent: the address is outside of what this delivery may reach.').waitFor();

  const hook = await create('http://10.255.255.1:9/hook');
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  const [refused] = (await deliveries()).slice(-1);
  await goTo(page, `/webhooks?delivery=${refused?.id ?? ''}`);
  await page.getByText('Nothing was sent: the address is outside of what this webhook may reach.').waitFor();
  await page.getByRole('button', { name: 'Let this webhook reach private networks' }).click();
  await page.getByText(/^Allowed 10\.255\.255\.1/).waitFor();
  expect((await webhooks()).find(({ id }) => id === hook.id)?.reach).toBe('private');
  await control('POST', `webhooks/${encodeURIComponent(hook.id)}`, { disabled: true });
});

test('a webhook is created, edited, disabled and deleted in the window, and each can be undone', async () => {
  const page = await inspector.open('/webhooks');
  const own = async () => (await webhooks())[0];
  await page.getByText('No webhook yet').waitFor();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New webhook' });
  await sheet.getByRole('textbox', { name: 'Address' }).fill('http://localhost:3999/hooks');
  await sheet.getByRole('checkbox', { name: /sms\.inbound_message/ }).uncheck();
  await sheet.getByRole('button', { name: 'Create the webhook' }).click();
  const facts = page.getByRole('region', { name: 'Webhook to localhost:3999/hooks' });
  await facts.getByText('sms.subscribed').waitFor();
  expect((await own())?.events).toEqual(eventTypes.filter((type) => type !== 'sms.inbound_message'));

  const key = (await own())?.signingKey ?? '';
  expect(await facts.innerText()).not.toContain(key);
  await facts.getByRole('button', { name: 'Show the signing key' }).click();
  await facts.getByText(key, { exact: true }).waitFor();
  const copy = await copyOf(page, () => facts.getByRole('button', { name: 'Copy the whsec key' }).click());
  expect(copy).toBe((await own())?.standardSecret);

  await facts.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Address' }).fill('http://localhost:3999/other');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed localhost:3999/other').waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await own())?.url).toBe('http://localhost:3999/hooks');

  await facts.getByRole('button', { name: 'Rotate key' }).click();
  await facts.getByText('also signs until').waitFor();
  await facts.getByText('must have the new key at once').waitFor();
  await facts.getByRole('button', { name: 'Show the old key' }).click();
  await facts.getByText(key, { exact: true }).waitFor();

  await facts.getByRole('button', { name: 'More for this webhook' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await facts.getByText('Disabled by hand').waitFor();
  await facts.getByRole('button', { name: 'Enable', exact: true }).click();
  await expect.poll(async () => (await own())?.enabled).toBe(true);
  await facts.getByText('Disabled by hand').waitFor({ state: 'detached' });

  const before = await own();
  await facts.getByRole('button', { name: 'More for this webhook' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('No webhook yet').waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await own())?.signingKey).toBe(before?.signingKey);
});

test('a refused delivery shows why and its next time, is retried by the clock, and redelivered by hand', async () => {
  let broken = true;
  const receiver = await startReceiver((response) => {
    response.statusCode = broken ? 500 : 200;
    response.end(broken ? 'creative is undefined' : 'ok');
  });
  const hook = await create(receiver.url);
  await control('POST', 'clock', { freeze: true });
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id, subscriber: { email: 'ada@example.com' } });
  const page = await inspector.open(`/webhooks/${encodeURIComponent(hook.id)}`);
  // The newest delivery is shown without a click.
  const shown = page.getByRole('article', { name: 'Delivery' });
  await expect
    .poll(() => shown.innerText())
    .toMatch(/Your receiver answered 500\. The second attempt is due in \d+ s\./);
  await shown.getByText('creative is undefined').waitFor();
  // Of the acts above it and its own, one is the primary one.
  expect(await page.locator('.detailpane .btn.primary').allInnerTexts()).toEqual(['Deliver now\nR']);
  await shown.getByRole('button', { name: /^Advance/ }).click();
  await expect.poll(() => receiver.got.length).toBe(2);
  await expect.poll(() => shown.innerText()).toMatch(/Your receiver answered 500 twice\. The third attempt is due in/);
  broken = false;
  await page.getByRole('grid', { name: /^Deliveries/ }).focus();
  await page.keyboard.press('r');
  await expect.poll(() => shown.innerText()).toMatch(/Your receiver answered 200 in .* ms, at the third attempt\./);
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await shown.getByRole('listitem').count()).toBe(3);

  broken = true;
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  await control('POST', 'clock', { advance: '4d' });
  // On a busy machine the receiver counts as slow, and its retries go on after the advance.
  const { store } = inspector.sandbox.emulator.deps;
  await expect.poll(() => [...store.deliveries.all()].map(({ state }) => state)).toContain('failed');
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  const failed = page.getByRole('button', { name: /^failed/ });
  await failed.waitFor();
  await page.getByText('The platform disabled it').waitFor();
  await page
    .getByRole('region', { name: 'Notices' })
    .getByText(/was disabled: nothing was accepted since/)
    .waitFor();
  broken = false;
  await page.getByRole('button', { name: 'Enable', exact: true }).first().click();
  await failed.click();
  await expect.poll(() => page.url()).toContain('state=failed');
  await page.getByRole('button', { name: 'Redeliver failed' }).click();
  await page.getByText('The filter hides all deliveries').waitFor();
  // What waited for the webhook to be enabled is sent by itself, and may be under way. Where late retries disabled it
  // before, the last event was not for it.
  await expect.poll(async () => [...new Set((await deliveries()).map(({ state }) => state))]).toEqual(['delivered']);
  await control('POST', 'clock', { real: true });
});

test('a delivery links to the request that caused it, and a webhook to the one that created it', async () => {
  const receiver = await startReceiver();
  const { sandbox } = inspector;
  await sandbox.call('POST', '/webhooks', { json: { url: receiver.url, events: ['custom_attribute.set'] } });
  await sandbox.call('POST', '/attributes/custom', {
    json: { user: { phone: '+15555550100' }, properties: { colour: 'sand' } },
  });
  await receiver.count(1);
  const page = await inspector.open('/webhooks');
  await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('button').first().click();
  await page.getByRole('link', { name: 'POST /webhooks' }).waitFor();
  await page
    .getByRole('grid', { name: /^Deliveries/ })
    .getByText('custom_attribute.set')
    .click();
  await page.getByRole('link', { name: 'POST /attributes/custom' }).click();
  await expect.poll(() => page.url()).toContain('/requests/');
});

test('the signature helper names the step that differs', async () => {
  const receiver = await startReceiver();
  const hook = await create(receiver.url);
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  const { body = '', headers } = receiver.got[0] ?? {};
  const page = await inspector.open(`/webhooks?delivery=${(await deliveries())[0]?.id}`);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  const found = page.getByRole('region', { name: 'What differs' });
  // What was sent is filled in, and judged without a press.
  await found.getByText('It is the signature that webhook-signature carries.').waitFor();
  const field = (name: string): Promise<string> => page.getByRole('textbox', { name }).inputValue();
  expect(await field('The signature that your receiver computed')).toBe(headers?.['webhook-signature']);
  expect(await field('The body that it hashed')).toBe(body);
  expect(await field('The headers that it read')).toBe(
    `webhook-id: ${headers?.['webhook-id']}\nwebhook-timestamp: ${headers?.['webhook-timestamp']}`,
  );
  await page.getByText('Signed with').waitFor();
  expect(await page.locator('.wh-panel').innerText()).not.toContain(hook.signingKey);
  const check = async (signature: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'The signature that your receiver computed' }).fill(signature);
    await page.getByRole('button', { name: 'Compare' }).click();
  };
  await check(
    createHmac('sha256', hook.signingKey)
      .update(JSON.stringify(JSON.parse(body), null, 2))
      .digest('hex'),
  );
  await found.getByText('It differs from x-attentive-hmac-sha256 by the body.').waitFor();
  await found.getByText('indented by 2').waitFor();
  const signed = `${headers?.['webhook-id']}.${headers?.['webhook-timestamp']}.${body}`;
  await check(`v1,${createHmac('sha256', hook.standardSecret).update(signed).digest('base64')}`);
  await found.getByText('It differs from webhook-signature by the key.').waitFor();
  await check(String(headers?.['webhook-signature']));
  await found.getByText('It is the signature that webhook-signature carries.').waitFor();
});

test('the built-in receiver replies as configured, and shows what it received', async () => {
  const page = await inspector.open('/webhooks?panel=receiver');
  await page.getByRole('button', { name: 'Start the receiver' }).click();
  await page.getByText('Started the receiver').waitFor();
  await page.getByRole('button', { name: '503', exact: true }).click();
  await page.getByRole('button', { name: 'Create a webhook to it' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Fire an event' }).click();
  await page.getByText('fits its schema').waitFor();
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await page.getByRole('region', { name: "The receiver's answer" }).getByText('503 Service Unavailable').waitFor();
  await page.getByRole('button', { name: /^Built-in receiver/ }).click();
  const received = page.getByRole('region', { name: 'Received' });
  await expectSeen(received.locator('summary').filter({ hasText: /^503\s*[a-z_.]+ \S+\s*\d+ B/ }));
  await received.locator('summary').click();
  await received.getByText('webhook-signature').waitFor();
  await received.getByRole('button', { name: 'Open its delivery' }).click();
  await expectSeen(page.getByRole('article', { name: 'Delivery' }).getByText('Your receiver answered 503'));
  await expectSeen(page.getByRole('button', { name: 'Built-in receiver answers 503' }).locator('em.s5xx'));
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expectSeen(page.getByRole('button', { name: 'Start the receiver' }));
});

test('a request that the receiver got stays open while others come, and all that it has can be shown', async () => {
  await control('POST', 'receiver', {});
  const { url } = await control<ReceiverView>('GET', 'receiver');
  const send = (body: string) => fetch(url ?? '', { method: 'POST', body });
  await send('the first');
  const page = await inspector.open('/webhooks?panel=receiver');
  const received = page.getByRole('region', { name: 'Received' });
  await received.locator('summary').click();
  await expectSeen(received.getByText('the first'));
  for (let number = 2; number <= 40; number += 1) await send(`number ${number}`);
  await expect.poll(() => received.locator('details').count()).toBe(40);
  expect(await received.locator('details[open]').innerText()).toContain('the first');
  for (let number = 41; number <= 60; number += 1) await send(`number ${number}`);
  await received.getByRole('button', { name: 'Show all 60' }).click();
  await expect.poll(() => received.locator('details').count()).toBe(60);
});

test('what is typed for the receiver stays while another client changes something else of it', async () => {
  await control('POST', 'receiver', { status: 200, delayMs: 0 });
  const page = await inspector.open('/webhooks?panel=receiver');
  await page.getByLabel('After, ms', { exact: true }).fill('250');
  await control('POST', 'receiver', { status: 503 });
  await page.getByRole('button', { name: '503', exact: true, pressed: true }).waitFor();
  expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('503');
  expect(await page.getByLabel('After, ms', { exact: true }).inputValue()).toBe('250');
});

test('the built-in receiver is started, changed, cleared and stopped in the window, and each is undone', async () => {
  const page = await inspector.open('/webhooks?panel=receiver');
  const view = () => control<ReceiverView>('GET', 'receiver');
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  await page.getByRole('button', { name: 'Start the receiver' }).click();
  await page.getByText('Started the receiver').waitFor();
  await undo.click();
  await expect.poll(async () => (await view()).running).toBe(false);
  await page.getByRole('button', { name: 'Start the receiver' }).click();
  await page.getByText('Started the receiver').waitFor();
  await page.getByRole('button', { name: '503', exact: true }).click();
  await page.getByText('It answers 503 from now on').waitFor();
  await undo.click();
  await expect.poll(async () => (await view()).behaviour.status).toBe(200);
  await page.getByRole('button', { name: '200', exact: true, pressed: true }).waitFor();
  const { url } = await view();
  await fetch(url ?? '', { method: 'POST', body: 'kept' });
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('Nothing received yet').waitFor();
  await page.getByText('Cleared what it received').waitFor();
  await undo.click();
  await page.getByRole('region', { name: 'Received' }).getByText('POST /').first().waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Start the receiver' }).waitFor();
  await page.getByText('Stopped the receiver').waitFor();
  await undo.click();
  await expect.poll(view).toMatchObject({ running: true, url, received: [{ body: 'kept' }] });
  await page.getByText(url ?? '', { exact: true }).waitFor();
});

test('a text that is not a number is refused at its field, in a run of the gym and in the receiver', async () => {
  inspector.allowErrors(/400/);
  const page = await inspector.open('/webhooks?panel=gym');
  const [seed, count] = [page.getByLabel('Seed', { exact: true }), page.getByLabel('Events', { exact: true })];
  const start = page.getByRole('button', { name: 'Start', exact: true });
  for (const wrong of ['', 'abc', '1.5', '-3']) {
    await seed.fill(wrong);
    await start.click();
    await page
      .getByRole('alert')
      .getByText(`seed must be a whole number from 0 to 4294967295, not "${wrong}".`)
      .waitFor();
    await expect.poll(() => seed.getAttribute('aria-invalid')).toBe('true');
  }
  await seed.fill('7');
  await count.fill('0');
  await start.click();
  await expect.poll(() => count.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: /^Built-in receiver/ }).click();
  const status = page.getByLabel('Status', { exact: true });
  await status.fill('ok');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('alert').getByText('status must be a whole number from 200 to 599, not "ok".').waitFor();
  expect(await status.getAttribute('aria-invalid')).toBe('true');
});

test('what was compared with the key of one webhook goes away when another one is chosen', async () => {
  const [one, other] = [await create('http://127.0.0.1:9/one'), await create('http://127.0.0.1:9/other')];
  const page = await inspector.open(`/webhooks/${encodeURIComponent(one.id)}?panel=signature`);
  await page.getByLabel('The signature that your receiver computed').fill('ab');
  await page.getByLabel('The body that it received').fill('{}');
  await page.getByRole('button', { name: 'Compare' }).click();
  const found = page.getByRole('region', { name: 'What differs' });
  await found.waitFor();
  await goTo(page, `/webhooks/${encodeURIComponent(other.id)}?panel=signature`);
  await page.getByText('Compared with the key of the webhook to 127.0.0.1:9/other').waitFor();
  await expectGone(found);
});

test('a panel that a link opened leaves the focus to the deliveries when it closes', async () => {
  const hook = await create('http://127.0.0.1:9/hook');
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  const page = await inspector.open('/webhooks?panel=gym');
  await page.getByRole('grid', { name: /^Deliveries/ }).waitFor();
  await page.getByLabel('Seed', { exact: true }).press('Escape');
  await expectGone(page.getByRole('heading', { name: 'Stress a receiver' }));
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toMatch(/^Deliveries/);
});

test('the gym repeats the same events from the same seed', async () => {
  const receiver = await startReceiver();
  const hook = await create(receiver.url, ['email.opened', 'sms.sent']);
  const page = await inspector.open(`/webhooks/${encodeURIComponent(hook.id)}?panel=gym`);
  await page.getByRole('textbox', { name: 'Seed' }).fill('7');
  await page.getByRole('checkbox', { name: 'Late' }).uncheck();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const result = page.getByRole('region', { name: 'What happened' });
  await result.getByText(/^10 events in \d+ sends: each was accepted/).waitFor();
  const steps = async (): Promise<string> => (await result.innerText()).replace(/<?[\d,]+ ms/g, '');
  const first = await steps();
  expect(first).toContain('cut at');
  const count = receiver.got.length;
  await page.getByRole('button', { name: 'Do it again' }).click();
  await expect.poll(() => receiver.got.length).toBe(count * 2);
  await expect.poll(steps).toBe(first);
});

test('a delivery that waits for its first attempt, or is in it, shows what is sent', async () => {
  // More than are sent to one receiver at once, which answers none.
  const hook = await create((await startReceiver(() => {})).url);
  const fired = { type: 'email.opened', to: hook.id, subscriber: { email: 'ada@example.com' } };
  await Promise.all(Array.from({ length: 12 }, () => control('POST', 'trigger', fired)));
  const page = await inspector.open('/webhooks?state=queued');
  const payload = page.getByRole('article', { name: 'Delivery' }).getByRole('group', { name: 'Payload' });
  await page.getByText('It is queued.', { exact: true }).waitFor();
  await payload.getByText('To be sent').waitFor();
  await payload.getByText('"email":"ada@example.com"').waitFor();
  const copy = await copyOf(page, () => payload.getByRole('button', { name: 'Copy the payload' }).click());
  const newest = (await deliveries()).findLast(({ state }) => state === 'queued');
  const { body } = await control<DeliveryDetailView>('GET', `deliveries/${newest?.id}`);
  expect(copy).toBe(body);
  await page.getByRole('button', { name: /^queued/ }).click();
  await page.getByRole('button', { name: /^delivering/ }).click();
  await payload.getByText('Being sent').waitFor();
});

test('in a narrow window one pane is visible at a time, with a way back', async () => {
  const receiver = await startReceiver();
  const hook = await create(receiver.url);
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id });
  const page = await inspector.open('/webhooks', { width: 720, height: 450 });
  const list = page.getByRole('grid', { name: /^Deliveries/ });
  await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('button').first().click();
  await list.getByText('delivered').waitFor();
  expect(await page.getByRole('navigation', { name: 'Endpoints' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Back to the webhooks' }).click();
  await page.getByRole('navigation', { name: 'Endpoints' }).waitFor();
  expect(await list.isVisible()).toBe(false);
});

test('a webhook is created, an event fired and its delivery opened with the keyboard alone', async () => {
  const receiver = await startReceiver();
  const page = await inspector.open('/webhooks');
  await page.getByText('No webhook yet').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'New', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New webhook' }).waitFor();
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await webhooks()).length).toBe(1);
  await page.getByRole('region', { name: /^Webhook to/ }).waitFor();
  await page.keyboard.press('f');
  await page.getByText('fits its schema').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
  await page.keyboard.press('Control+Enter');
  await receiver.count(1);
  await page.getByRole('region', { name: "The receiver's answer" }).waitFor();
  await page
    .getByRole('grid', { name: /^Deliveries/ })
    .getByText('delivered')
    .waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain('fire=1');
  await page.keyboard.press('j');
  await page.getByRole('article', { name: 'Delivery' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Delivery');
  await page.getByText('Your receiver answered').waitFor();
});

test('the deliveries say when, and the newest is shown; a receiver that answers 401 gets the check of its signature', async () => {
  const receiver = await startReceiver((response) => {
    response.statusCode = 401;
    response.end('bad signature');
  });
  const hook = await create(receiver.url);
  await control('POST', 'trigger', { type: 'email.opened', to: hook.id, subscriber: { email: 'ada@example.com' } });
  const page = await inspector.open('/webhooks');
  const shown = page.getByRole('article', { name: 'Delivery' });
  await shown.getByText('because it computed a different signature').waitFor();
  const row = page.getByRole('grid', { name: /^Deliveries/ }).getByRole('row', { name: /email\.opened/ });
  expect(await row.getByRole('gridcell').first().innerText()).toMatch(/^\d\d:\d\d:\d\d$/);
  await shown.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText(/^Compared with what was sent to/).waitFor();
  await page.getByRole('region', { name: 'What differs' }).getByText('It is the signature that').waitFor();
});

test('many webhooks are listed whole, the chosen one with its facts below it, and both helpers of receivers in sight', async () => {
  for (let count = 1; count <= 14; count += 1) await create(`http://localhost:3999/hooks/${count}`);
  const [, , third] = await webhooks();
  const page = await inspector.open(`/webhooks/${encodeURIComponent(third?.id ?? '')}`, { width: 1440, height: 700 });
  const list = page.getByRole('navigation', { name: 'Endpoints' });
  await list.getByRole('region', { name: /^Webhook to/ }).waitFor();
  expect(await list.evaluate((nav) => nav.scrollHeight - nav.clientHeight), 'nothing is cut off in it').toBeLessThan(2);
  const inSight = (name: RegExp): Promise<boolean> =>
    page
      .getByRole('button', { name })
      .evaluate((button) =>
        button.contains(
          document.elementFromPoint(button.getBoundingClientRect().x + 40, button.getBoundingClientRect().y + 12),
        ),
      );
  expect(await inSight(/^Built-in receiver/)).toBe(true);
  expect(await inSight(/^Stress a receiver/)).toBe(true);
  await page.getByRole('button', { name: /^Stress a receiver/ }).click();
  await page.getByRole('textbox', { name: 'Seed' }).waitFor();
});

test('of many webhooks those in sight are drawn, a link leads to any, and the focus of one that is scrolled away stays in the list', async () => {
  for (let count = 1; count <= 300; count += 1)
    await control('POST', 'webhooks', { url: `http://localhost:3999/hooks/${count}`, events: ['email.opened'] });
  const listed = await webhooks();
  const page = await inspector.open(`/webhooks/${encodeURIComponent(listed[250]?.id ?? '')}`);
  const list = page.getByRole('navigation', { name: 'Endpoints' });
  const facts = list.getByRole('region', { name: 'Webhook to localhost:3999/hooks/251' });
  const line = (number: number) => list.getByTitle(`http://localhost:3999/hooks/${number}`).first();
  await facts.getByRole('button', { name: 'Edit' }).click({ trial: true });
  expect(await list.locator('*').count()).toBeLessThan(600);
  await line(252).focus();
  await list.hover();
  await page.mouse.wheel(0, -100_000);
  await line(1).click({ trial: true });
  await expectGone(facts);
  await expectSeen(page.locator('.wh-endpoints:focus'));
  await page.keyboard.press('j');
  await expectSeen(list.getByRole('region', { name: 'Webhook to localhost:3999/hooks/252' }));
});

test('a key that was revealed stays so while its webhook is scrolled away, and a new one is masked', async () => {
  for (let count = 1; count <= 60; count += 1) await create(`http://localhost:3999/hooks/${count}`);
  const hook = (await webhooks())[0];
  const page = await inspector.open(`/webhooks/${encodeURIComponent(hook?.id ?? '')}`);
  const list = page.getByRole('navigation', { name: 'Endpoints' });
  const facts = list.getByRole('region', { name: /^Webhook to/ });
  await facts.getByRole('button', { name: 'Show the signing key' }).click();
  const key = facts.getByText(hook?.signingKey ?? '', { exact: true });
  await expectSeen(key);
  await list.hover();
  await page.mouse.wheel(0, 100_000);
  await expectGone(facts);
  await page.mouse.wheel(0, -100_000);
  await expectSeen(key);
  await facts.getByRole('button', { name: 'Rotate key' }).click();
  await expectSeen(facts.getByRole('button', { name: 'Show the signing key' }));
  await expectGone(key);
});

test('an address of a webhook, a delivery or an entry of the timeline that is not there says so', async () => {
  inspector.allowErrors(/404/);
  const page = await inspector.open('/webhooks/nope');
  await page.getByText('This webhook does not exist').waitFor();
  expect(await page.getByText('Nothing has been delivered yet').count()).toBe(0);
  await goTo(page, '/webhooks?delivery=dlv_999');
  await page.getByText('This delivery does not exist').waitFor();
  expect(await page.getByText('Nothing has been delivered yet').count()).toBe(0);
  await inspector.sandbox.call('GET', '/me');
  await goTo(page, '/timeline/nope');
  await page.getByText('This entry is not listed').waitFor();
});

test('the mark of a fault in a payload stays as long as the fault, and goes away with it, also if another event is chosen', async () => {
  const page = await inspector.open('/', { apart: true });
  await page.clock.install();
  await goTo(page, '/webhooks?fire=1');
  await editPayload(page, () => '{"type":"email.opened","mine":1}');
  await page.getByRole('alert').getByText('is missing').waitFor();
  await page.locator('.cm-lintRange-error').waitFor();
  // When the syntax is checked, after a pause, it stays.
  await page.clock.fastForward(1_000);
  await expectSeen(page.locator('.cm-lintRange-error'));
  await choose(page, 'Event', 'sms.subscribed');
  await page.getByText('fits its schema').waitFor();
  await expectGone(page.locator('.cm-lintRange-error'));
});

test('deliveries of today say the time, those of other days the day and the time, beside the event and whom it is about', async () => {
  const { control } = inspector.sandbox;
  const fire = () =>
    control('POST', '/control/trigger', {
      type: 'email.message_link_click',
      to: 'http://127.0.0.1:9/',
      subscriber: { email: 'ada@example.com' },
    });
  await fire();
  await control('POST', '/control/clock', { advance: '9d' });
  await fire();
  const page = await inspector.open('/webhooks');
  const times = page.getByRole('grid', { name: 'Deliveries, newest first' }).locator('.wh-when time');
  await expect.poll(async () => (await times.allTextContents()).length).toBe(2);
  const [today, before] = await times.allTextContents();
  expect(today).toMatch(/^\d\d:\d\d:\d\d$/);
  expect(before).toMatch(/^\d+ [A-Z][a-z]+ (\d\d:\d\d|\d{4})$/);
});
