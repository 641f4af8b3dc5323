import { beforeEach, expect, test } from 'vitest';
import { eventTypes, type EventType } from '../../emulator/contract/event-schemas.ts';
import type { Message } from '../../emulator/records.ts';
import { startReceiver } from '../delivery/support.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const phone = '+15555550100';
const email = 'ada@example.com';
const text = 'See https://shop.example.com/';

/** Composes a message, and does with it what its receiver could do. */
async function receive(subscriber: object, act?: object): Promise<void> {
  const more = 'email' in subscriber ? { channel: 'EMAIL', subject: 'Sale' } : { channel: 'TEXT' };
  const json = { subscriber, text, ...more };
  const { body } = await sandbox.control('POST', '/control/messages', json);
  if (act) await sandbox.control('POST', `/control/messages/${(body as Message).id}/acts`, act);
}

const subscribe = (user: object) =>
  sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });

/** For each event type something that happens, other than a trigger by hand, after which it is sent. */
const causes: { readonly [T in EventType]: () => Promise<unknown> } = {
  'sms.subscribed': () => subscribe({ phone: '+15555550177' }),
  'sms.sent': () => receive({ phone }),
  'sms.message_link_click': () => receive({ phone }, { act: 'click', link: 0 }),
  'email.subscribed': () => subscribe({ email: 'new@example.com' }),
  'email.unsubscribed': () => receive({ email }, { act: 'unsubscribe' }),
  'email.message_link_click': () => receive({ email }, { act: 'click', link: 0 }),
  'email.opened': () => receive({ email }, { act: 'open' }),
  'custom_attribute.set': () =>
    sandbox.call('POST', '/attributes/custom', { json: { user: { phone }, properties: { size: 'M' } } }),
  'sms.unsubscribed': () => receive({ phone }, { act: 'reply', text: 'STOP' }),
  'email.sent': () => receive({ email }),
  'sms.inbound_message': () => receive({ phone }, { act: 'reply', text: 'Do you ship to Canada?' }),
};

test.for(eventTypes)('%s is sent to a webhook that lists it when it happens', async (type) => {
  expect(causes, 'Add a row for it to "causes" of test/messages/each-event.test.ts').toHaveProperty([type]);
  const receiver = await startReceiver();
  await sandbox.call('POST', '/webhooks', { json: { url: receiver.url, events: [type] } });
  await causes[type]();
  await sandbox.emulator.deps.deliveries.settled();
  expect(receiver.got.map(({ body }) => JSON.parse(body) as unknown)).toEqual([expect.objectContaining({ type })]);
});
