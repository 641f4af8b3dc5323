import { expect, test } from 'vitest';
import type { ReceiverView, WebhookLineView } from '../../emulator/control/calls.ts';
import { startReceiver } from '../delivery/support.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Delivery } from '../../emulator/records.ts';
import { expectGone, expectSeen, useInspector } from '../support/browser.ts';
import { choose, clockBar, toast, useRealTimeAfterEach } from '../support/frame.ts';
import { nextFrame } from '../support/hold-back.ts';
import { editPayload } from '../support/keyboard.ts';
import { intercept } from '../support/intercept.ts';

const inspector = useInspector();
useRealTimeAfterEach(inspector);

test('the window says that no webhook listens to an event, and goes on', async () => {
  const page = await inspector.open('/webhooks?fire=1');
  const fire = page.getByRole('button', { name: 'Fire', exact: true });
  await fire.click();
  const answer = page.getByRole('region', { name: "The receiver's answer" });
  await expectSeen(answer.getByText(/webhook/));
  await page.getByRole('tab', { name: 'Schema' }).click();
  await expectSeen(page.getByRole('tab', { name: 'Schema', selected: true }));
});

test('the answer to an event is read when it changes, not again and again', async () => {
  const receiver = await startReceiver();
  await inspector.sandbox.control('POST', '/control/webhooks', { url: receiver.url, events: ['email.opened'] });
  const page = await inspector.open('/webhooks?fire=1');
  let count = 0;
  page.on('request', (request) => (count += Number(/\/control\/deliveries\/[^/]+$/.test(request.url()))));
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await expectSeen(
    page.getByRole('region', { name: "The receiver's answer" }).getByText('200', { exact: true }).first(),
  );
  const before = count;
  // As many replies as it would take to read it again.
  for (let left = 10; left > 0; left -= 1) await page.evaluate(async () => (await fetch('/mark.svg')).text());
  expect(count - before).toBeLessThan(5);
});

test('what a signature differs in stays when the webhook is read again', async () => {
  const { control } = inspector.sandbox;
  const hook = { url: 'http://127.0.0.1:9/one', events: ['email.opened'] };
  const { id } = (await control('POST', '/control/webhooks', hook)).body as { id: string };
  const page = await inspector.open(`/webhooks/${encodeURIComponent(id)}?panel=signature`);
  await page.getByLabel('The signature that your receiver computed').fill('ab');
  await page.getByLabel('The body that it received').fill('{}');
  await page.getByRole('button', { name: 'Compare' }).click();
  const found = page.getByRole('region', { name: 'What differs' });
  await found.waitFor();
  await control('POST', `/control/webhooks/${encodeURIComponent(id)}`, { url: 'http://127.0.0.1:9/renamed' });
  await page
    .getByRole('button', { name: /renamed/ })
    .first()
    .waitFor();
  await expectSeen(found);
});

test('for a person without phone and email the panel says that the payload has the example person', async () => {
  const { call } = inspector.sandbox;
  await call('POST', '/identity-resolution/user-identifiers', {
    json: { clientUserId: '10077', customIdentifiers: [{ name: 'loyaltyId', value: 'L-77' }] },
  });
  const page = await inspector.open('/webhooks?fire=1&about=10077');
  const says = page.getByText('10077 has no phone or email, so the payload has the example person.');
  await expectSeen(page.getByText('fits its schema'));
  await expectSeen(says);
  const subscriber = page.getByRole('combobox', { name: 'Subscriber' });
  await subscriber.click();
  await page.getByRole('option', { name: /\+15555550100/ }).click();
  await expectGone(says);
});

test('an event for the built-in receiver is previewed without starting it, and firing starts it', async () => {
  const page = await inspector.open('/webhooks?fire=1');
  await page.getByText('fits its schema').waitFor();
  const isRunning = async (): Promise<boolean> => {
    const receiver: ReceiverView = (await inspector.sandbox.control('GET', '/control/receiver')).body;
    return receiver.running;
  };
  await page.getByRole('combobox', { name: /^Send/ }).click();
  const previewed = page.waitForResponse(/\/control\/trigger\/preview/);
  await page.getByRole('option', { name: 'to the built-in receiver' }).click();
  await previewed;
  await inspector.sandbox.control('DELETE', '/control/receiver');
  const again = page.waitForResponse(/\/control\/trigger\/preview/);
  await editPayload(page, (payload) => payload.replace(/"name": "[^"]*"/, '"name": "Autumn"'));
  await (await again).finished();
  await page.getByRole('group', { name: 'The request, byte for byte' }).getByText('Autumn').waitFor();
  expect(await isRunning()).toBe(false);
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await page.getByRole('region', { name: "The receiver's answer" }).getByText('200 OK').first().waitFor();
  expect(await isRunning()).toBe(true);
  await inspector.sandbox.control('DELETE', '/control/receiver');
});

test('why a payload could not be read is not said once another event was chosen and its payload is there', async () => {
  const page = await inspector.open('/webhooks?fire=1');
  await page.getByText('fits its schema').waitFor();
  inspector.allowErrors(/500/);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const preview = /\/control\/trigger\/preview/;
  await intercept(
    page,
    preview,
    async (route) => {
      await released;
      await route.fulfill({ status: 500, json: { message: 'It was too much.' } });
    },
    { times: 1 },
  );
  const choose = async (type: string): Promise<void> => {
    await page.getByRole('combobox', { name: /^Event/ }).click();
    await page.getByRole('option', { name: type }).click();
  };
  const late = page.waitForResponse((response) => preview.test(response.url()) && response.status() === 500);
  const asked = page.waitForRequest(preview);
  await choose('sms.sent');
  await asked;
  await choose('email.unsubscribed');
  await page.getByRole('group', { name: 'The request, byte for byte' }).getByText('email.unsubscribed').waitFor();
  // The panel looks at the payload once more, which would take the sentence away again.
  await intercept(page, preview, () => {});
  release();
  await (await late).finished();
  await nextFrame(page);
  expect(await page.getByRole('alert').filter({ hasText: 'It was too much' }).count()).toBe(0);
});

test('a webhook that may reach further, so that an event fired by hand arrives, may not once that is undone', async () => {
  const url = 'http://10.255.255.1:9/hook';
  const input = { url, events: ['email.opened'] };
  const hook: WebhookLineView = (await inspector.sandbox.control('POST', '/control/webhooks', input)).body;
  const reachOf = async (): Promise<string | undefined> => {
    const { webhooks }: { webhooks: readonly WebhookLineView[] } = (
      await inspector.sandbox.control('GET', '/control/webhooks')
    ).body;
    return webhooks.find(({ id }) => id === hook.id)?.reach;
  };
  const page = await inspector.open('/webhooks?fire=1');
  await page.getByText('fits its schema').waitFor();
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await page
    .getByRole('region', { name: "The receiver's answer" })
    .getByRole('button', { name: 'Let this webhook reach private networks' })
    .click();
  await toast(page, /^Allowed 10\.255\.255\.1/).waitFor();
  expect(await reachOf()).toBe('private');
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(reachOf).toBe('loopback');
  await inspector.sandbox.control('POST', `/control/webhooks/${encodeURIComponent(hook.id)}`, { disabled: true });
});

test('an event fired at the address of a webhook goes as far as the webhook may, unless a person chose how far', async () => {
  const { control } = inspector.sandbox;
  const receiver = await startReceiver();
  await control('POST', '/control/webhooks', { url: receiver.url, events: ['email.opened'], reach: 'private' });
  const page = await inspector.open('/webhooks?fire=1');
  await choose(page, 'Send', 'to another address');
  await page.getByLabel('Address to send to').fill(receiver.url);
  await page.getByRole('button', { name: 'Fire', exact: true }).click();
  await expectSeen(
    page.getByRole('region', { name: "The receiver's answer" }).getByText('200', { exact: true }).first(),
  );
  inspector.allowErrors(/400 \(Bad Request\)/);
  await choose(page, 'May reach', 'anywhere');
  await expectSeen(page.getByRole('alert').getByText('"public" has no effect'));
});

test('the form of a webhook says why the built-in receiver did not start', async () => {
  inspector.allowErrors(/503/);
  const page = await inspector.open('/webhooks');
  await intercept(page, /\/control\/receiver$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { message: 'No port is free.' } })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'New webhook' });
  await sheet.getByRole('button', { name: /^Built-in/ }).click();
  await expectSeen(sheet.getByRole('alert').getByText('No port is free.'));
});

/** One that was delivered long ago. */
const delivered = (n: number): Delivery => ({
  id: `dlv_old_${n}`,
  companyId: demoCompany,
  eventId: `evt_${n}`,
  type: 'email.opened',
  webhookId: null,
  url: 'http://localhost:3999/hooks',
  reach: 'loopback',
  body: '{}',
  createdAt: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
  seriesStartedAt: null,
  seriesAttempts: 0,
  nextAttemptAt: null,
  hops: 0,
  attemptCount: 1,
  attempts: [],
  state: 'delivered',
  enteredAt: '2026-01-01T00:00:00.000Z',
  history: [],
});

test('older deliveries that were asked for stay listed while others come', async () => {
  const { store } = inspector.sandbox.emulator.deps;
  store.transact(() => {
    for (let n = 0; n < 700; n += 1) store.deliveries.put(delivered(n));
  });
  const page = await inspector.open('/webhooks?all=1');
  const list = page.getByRole('grid', { name: 'Deliveries, newest first' });
  await list.getByRole('button', { name: /^Show older ones/ }).click();
  await expect.poll(() => list.getAttribute('aria-rowcount')).toBe('701');
  const few: string[] = [];
  page.on('request', (request) => void (request.url().includes('limit=500') && few.push(request.url())));
  const welcomed = page.waitForResponse(/\/control\/welcome/);
  await inspector.sandbox.control('POST', '/control/trigger', { type: 'email.opened', to: 'http://127.0.0.1:9/hook' });
  await (await welcomed).finished();
  await nextFrame(page);
  await expect.poll(() => list.getAttribute('aria-rowcount')).toBe('702');
  expect(few).toEqual([]);
});

test('what was refused at the clock is said there, and not at a delivery', async () => {
  inspector.allowErrors(/409/);
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  // Nothing is tried again while the page opens.
  await inspector.sandbox.control('POST', '/control/clock', { freeze: true });
  const input = { url: receiver.url, events: ['email.opened'] };
  const { id }: WebhookLineView = (await inspector.sandbox.control('POST', '/control/webhooks', input)).body;
  await inspector.sandbox.control('POST', '/control/trigger', { type: 'email.opened', to: id });
  const page = await inspector.open(`/webhooks/${encodeURIComponent(id)}`);
  const delivery = page.getByRole('article', { name: 'Delivery' });
  await delivery.getByRole('button', { name: /^Advance/ }).waitFor();
  await intercept(page, /\/control\/clock$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { message: 'The clock is being moved.' } })
      : route.fallback(),
  );
  const said = 'The clock is being moved.';
  await clockBar(page).getByRole('button', { name: 'Advance by 1 h', exact: true }).click();
  await page.getByRole('alert').getByText(said).first().waitFor();
  expect(await delivery.getByText(said).count()).toBe(0);
  await delivery.getByRole('button', { name: /^Advance/ }).click();
  await expectSeen(delivery.getByRole('alert').getByText(said));
});

test.each([
  ['fire=1', 'to all listening webhooks (0)'],
  ['panel=gym', 'to the built-in receiver'],
])('a webhook that is deleted elsewhere is no longer a target: %s', async (panel, instead) => {
  // The preview for it may come after it is deleted.
  inspector.allowErrors(/400/);
  const { control } = inspector.sandbox;
  const hook = { url: 'http://127.0.0.1:9/gone', events: ['email.opened'] };
  const { id } = (await control('POST', '/control/webhooks', hook)).body as { id: string };
  const page = await inspector.open(`/webhooks?${panel}`);
  const target = page.getByRole('combobox', { name: /^Send/ });
  await target.click();
  await page.getByRole('option', { name: /gone/ }).click();
  await expect.poll(() => target.innerText()).toContain('gone');
  await control('DELETE', `/control/webhooks/${encodeURIComponent(id)}`);
  await expect.poll(() => target.innerText()).toContain(instead);
});

test('a number at the receiver that was refused is not in its form afterwards', async () => {
  const { control } = inspector.sandbox;
  await control('POST', '/control/receiver', {});
  inspector.allowErrors(/400/);
  const page = await inspector.open('/webhooks?panel=receiver');
  const status = page.getByLabel('Status', { exact: true });
  const delay = page.getByLabel('After, ms', { exact: true });
  await delay.fill('soon');
  await page.getByRole('button', { name: '503', exact: true }).click();
  await page.getByRole('alert').getByText('delayMs must be a whole number').waitFor();
  expect(await status.inputValue()).toBe('200');
  await delay.fill('0');
  await page.getByRole('button', { name: '503', exact: true }).click();
  await expect.poll(() => status.inputValue()).toBe('503');
  await control('DELETE', '/control/receiver');
});
