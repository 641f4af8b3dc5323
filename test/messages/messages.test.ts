import { beforeEach, expect, test } from 'vitest';
import { events, eventTypes } from '../../emulator/contract/event-schemas.ts';
import type { TapResult } from '../../emulator/messages/tap.ts';
import type { Message } from '../../emulator/records.ts';
import { startReceiver } from '../delivery/support.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const ada = { phone: '+15555550100', email: 'ada@example.com' };
const documentedEvents = eventTypes.filter((type) => events[type].provenance === 'documented');

/** Registers a webhook and returns what it has received, after all running sends. */
async function hear(events: readonly string[] = eventTypes) {
  const receiver = await startReceiver();
  const made = await sandbox.call('POST', '/webhooks', { json: { url: receiver.url, events } });
  expect(made.status).toBe(201);
  return async () => {
    await sandbox.emulator.deps.deliveries.settled();
    return receiver.got.map(({ body }) => JSON.parse(body) as { type: string; [key: string]: unknown });
  };
}

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type).toSorted();
const subscribe = (user: object, more: object = {}) =>
  sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001', ...more } });
const messages = async (query = '') =>
  ((await sandbox.control('GET', `/control/messages?${query}`)).body as { messages: Message[] }).messages;
const compose = async (json: object) =>
  (await sandbox.control('POST', '/control/messages', json)) as { status: number; body: Message & { message: string } };
const act = async (id: string, json: object) =>
  (await sandbox.control('POST', `/control/messages/${id}/acts`, json)) as {
    status: number;
    body: TapResult & { message: string };
  };
const eligibility = async (query: Record<string, string>) =>
  (
    (await sandbox.call('GET', '/subscriptions', { query })).body as {
      subscriptionEligibilities: {
        subscription: { channel: string; type: string };
        eligibility: { isEligible: boolean };
      }[];
    }
  ).subscriptionEligibilities;

test('a new subscription is reported to webhooks, and by text to the phone', async () => {
  const heard = await hear();
  await subscribe({ phone: '+15555550177', email: 'new@example.com' });
  const events = await heard();
  expect(types(events)).toEqual(['email.subscribed', 'sms.sent', 'sms.subscribed']);
  expect(events.find(({ type }) => type === 'sms.subscribed')).toMatchObject({
    subscriber: { phone: '+15555550177' },
    subscription: { type: 'MARKETING' },
  });
  expect(await messages('phone=%2B15555550177')).toMatchObject([
    { channel: 'TEXT', direction: 'out', type: 'CONFIRM_OPT_IN', text: expect.stringContaining('Reply Y') },
  ]);
});

test('singleOptIn leaves out the text that asks to reply Y', async () => {
  await subscribe({ phone: '+15555550177' }, { singleOptIn: true });
  const [message, ...others] = await messages();
  expect(others).toEqual([]);
  expect(message?.text).not.toContain('Reply Y');
});

test('the texts about a subscription are in the language of the sign-up unit', async () => {
  const begin = () => subscribe({ phone: '+15145550177' }, { signUpSourceId: '100003' });
  await begin();
  await begin();
  expect((await messages()).map(({ type, text }) => [type, text])).toEqual([
    ['CONFIRM_OPT_IN', expect.stringContaining('répondez Y')],
    ['AUTO_RESPONSE', expect.stringContaining('déjà abonné')],
  ]);
});

test('subscribing again sends the text that says so, and no subscription event', async () => {
  const heard = await hear();
  const answer = await subscribe(ada);
  expect(answer.status).toBe(202);
  expect(types(await heard())).toEqual(['sms.sent']);
  expect(await messages()).toMatchObject([
    { type: 'AUTO_RESPONSE', text: expect.stringContaining('already subscribed') },
  ]);
});

test('unsubscribing email sends email.unsubscribed; unsubscribing text sends sms.unsubscribed only to webhooks that list it, and a text says so', async () => {
  const [documentedOnly, all] = [await hear(documentedEvents), await hear()];
  await sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user: ada } });
  expect(types(await documentedOnly())).toEqual(['email.unsubscribed', 'sms.sent']);
  expect(types(await all())).toEqual(['email.unsubscribed', 'sms.sent', 'sms.unsubscribed']);
  expect(await messages()).toMatchObject([{ type: 'OPT_OUT', text: expect.stringContaining('unsubscribed') }]);
});

test('unsubscribing again sends the text again, and no event', async () => {
  await sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user: { phone: ada.phone } } });
  const heard = await hear();
  await sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user: { phone: ada.phone } } });
  expect(types(await heard())).toEqual(['sms.sent']);
});

test('who still has another subscription to texts is not told that no more come', async () => {
  const phone = '+15555550101';
  const end = async (type?: string) => {
    const subscriptions = type === undefined ? [] : [{ type, channel: 'TEXT' }];
    await sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user: { phone }, subscriptions } });
    return (await messages()).at(-1)?.text;
  };
  expect(await end('TRANSACTIONAL')).toContain('unsubscribed from these texts and still get others');
  expect(await end('TRANSACTIONAL')).toContain('still get others');
  expect(await end()).toContain('unsubscribed and will get no more texts');
});

test('notification chooses the language of that text, or leaves it out', async () => {
  await sandbox.call('POST', '/subscriptions/unsubscribe', {
    json: { user: { phone: ada.phone }, notification: { language: 'fr-CA' } },
  });
  expect((await messages())[0]?.text).toContain('désabonné');
  await sandbox.call('POST', '/subscriptions/unsubscribe', {
    json: { user: { phone: '+15555550101' }, notification: { disabled: true } },
  });
  expect(await messages('phone=%2B15555550101')).toEqual([]);
});

test('setting attributes sends custom_attribute.set, one event per attribute, by REST and by GraphQL', async () => {
  const heard = await hear();
  await sandbox.call('POST', '/attributes/custom', {
    json: { user: { phone: ada.phone }, properties: { 'favorite color': 'blue', size: 'M' } },
  });
  const query = 'mutation ($input: SetCustomAttributesInput!) { setCustomAttributes(input: $input) { properties } }';
  await sandbox.call('POST', '/graphql', {
    json: { query, variables: { input: { user: { phone: ada.phone }, properties: '{"size":"L"}' } } },
  });
  const events = await heard();
  expect(events.map(({ user_property: one }) => one)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'favorite color', value: 'blue' }),
      expect.objectContaining({ name: 'size', value: 'M' }),
      expect.objectContaining({ name: 'size', value: 'L' }),
    ]),
  );
  expect(events).toHaveLength(3);
});

test('an attribute that is set to its current value is reported again', async () => {
  const heard = await hear(['custom_attribute.set']);
  const json = { user: { phone: ada.phone }, properties: { size: 'M' } };
  await sandbox.call('POST', '/attributes/custom', { json });
  await sandbox.call('POST', '/attributes/custom', { json });
  expect(await heard()).toHaveLength(2);
});

test('links in a composed text are shortened; following one redirects, counts, and reports the click with the original URL', async () => {
  const heard = await hear();
  const { status, body } = await compose({
    subscriber: { phone: ada.phone },
    channel: 'TEXT',
    name: 'Sale',
    text: '30% off: https://shop.example.com/deals?a=1, today.',
  });
  expect(status).toBe(201);
  const [link] = body.links;
  expect(body.text).toBe(`30% off: ${link?.shortUrl}, today.`);
  const followed = await fetch(link?.shortUrl ?? '', { redirect: 'manual' });
  expect([followed.status, followed.headers.get('location')]).toEqual([302, 'https://shop.example.com/deals?a=1']);
  await fetch(link?.shortUrl ?? '', { method: 'HEAD', redirect: 'manual' });
  const events = await heard();
  expect(types(events)).toEqual(['sms.message_link_click', 'sms.sent']);
  expect(events.find(({ type }) => type === 'sms.message_link_click')).toMatchObject({
    message: { id: body.id, name: 'Sale' },
    link: { url: 'https://shop.example.com/deals?a=1' },
  });
  expect((await messages()).at(-1)?.clicks).toHaveLength(1);
});

test('an email is opened, clicked and unsubscribed by its link, each with the platform’s event', async () => {
  const heard = await hear();
  const { body } = await compose({
    subscriber: { email: ada.email },
    channel: 'EMAIL',
    subject: '30% off',
    text: 'See https://shop.example.com/',
    html: '<a href="https://shop.example.com/html">See</a>',
  });
  expect((await act(body.id, { act: 'open' })).body.published).toEqual(['email.opened']);
  expect((await act(body.id, { act: 'click', link: 1 })).body.did[0]).toContain('https://shop.example.com/html');
  const left = await act(body.id, { act: 'unsubscribe' });
  expect(left.body).toMatchObject({ published: ['email.unsubscribed'], impliedBy: 'specification' });
  expect(types(await heard())).toEqual([
    'email.message_link_click',
    'email.opened',
    'email.sent',
    'email.unsubscribed',
  ]);
  expect(
    (await eligibility({ email: ada.email })).find(({ subscription }) => subscription.channel === 'EMAIL')?.eligibility
      .isEligible,
  ).toBe(false);
  expect(
    (await eligibility({ phone: ada.phone })).find(({ subscription }) => subscription.channel === 'TEXT')?.eligibility
      .isEligible,
  ).toBe(true);
});

test.for(['STOP', ' stop ', 'Unsubscribe', 'QUIT', 'arrêt', 'ARRE\u0302T'])(
  'the reply %j ends the text subscriptions, says so, and says that the specification does not name the event',
  async (text) => {
    const heard = await hear();
    const { body } = await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Hello' });
    const { body: result } = await act(body.id, { act: 'reply', text });
    expect(result).toMatchObject({
      published: ['sms.unsubscribed', 'sms.sent'],
      impliedBy: 'observed',
      says: expect.stringContaining('not in the specification'),
    });
    expect(types(await heard())).toEqual(['sms.sent', 'sms.sent', 'sms.unsubscribed']);
    expect(
      (await eligibility({ phone: ada.phone }))
        .filter(({ subscription }) => subscription.channel === 'TEXT')
        .every(({ eligibility: { isEligible } }) => !isEligible),
    ).toBe(true);
    expect((await messages()).map(({ direction, type }) => [direction, type])).toEqual([
      ['out', 'ONE_TIME'],
      ['in', 'TYPE_CONVERSATION'],
      ['out', 'OPT_OUT'],
    ]);
  },
);

test('a second reply STOP publishes no sms.unsubscribed, and says nothing about it', async () => {
  const { body } = await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Hello' });
  await act(body.id, { act: 'reply', text: 'STOP' });
  expect((await act(body.id, { act: 'reply', text: 'STOP' })).body).toMatchObject({
    published: ['sms.sent'],
    says: 'Section 6 names sms.sent.',
  });
});

test('HELP, Y and START are answered; anything else is an inbound message for webhooks that list it', async () => {
  const heard = await hear(['sms.inbound_message', 'sms.subscribed']);
  const { body } = await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Hello' });
  expect((await act(body.id, { act: 'reply', text: 'HELP' })).body.did).toEqual(['Sent the help text.']);
  expect((await act(body.id, { act: 'reply', text: 'y' })).body.published).toEqual(['sms.sent']);
  await act(body.id, { act: 'reply', text: 'STOP' });
  expect((await act(body.id, { act: 'reply', text: 'START' })).body.published).toEqual(['sms.subscribed', 'sms.sent']);
  await act(body.id, { act: 'reply', text: 'Do you have size M?' });
  const events = await heard();
  expect(types(events)).toEqual(['sms.inbound_message', 'sms.subscribed']);
  expect(events.find(({ type }) => type === 'sms.inbound_message')).toMatchObject({
    message: { text: 'Do you have size M?', to_phone: '+15555550199' },
  });
});

test('acts that make no sense are refused with a sentence, and change nothing', async () => {
  const { body } = await compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: 'Hello' });
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  for (const [json, says] of [
    [{ act: 'open' }, 'Only an email can be opened'],
    [{ act: 'click' }, 'has no link'],
    [{ act: 'unsubscribe' }, 'reply STOP'],
    [{ act: 'reply', text: ' ' }, 'needs a text'],
    [{ act: 'reply' }, 'needs a text'],
    [{ act: 'burn' }, 'must be one of'],
  ] as const) {
    expect(await act(body.id, json)).toMatchObject({ status: 400, body: { message: expect.stringContaining(says) } });
  }
  expect((await act('nobody', { act: 'open' })).status).toBe(404);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test('no message is composed to a person who is not subscribed, unless it is forced', async () => {
  const mary = { subscriber: { phone: '+15555550104' }, channel: 'TEXT', text: 'Hello' };
  expect(await compose(mary)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('not subscribed') },
  });
  expect((await compose({ ...mary, force: true })).status).toBe(201);
  expect(await compose({ ...mary, subscriber: { phone: '+15555559999' } })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('No person has') },
  });
  expect(await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', text: 'x' })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('subject') },
  });
});

test('URLs of 1,024 characters or fewer in the values of a custom event are shortened; a longer one is noted', async () => {
  const url = (length: number) => `https://shop.example.com/${'x'.repeat(length - 'https://shop.example.com/'.length)}`;
  const answer = await sandbox.call('POST', '/events/custom', {
    json: {
      type: 'Order Shipped',
      user: { phone: ada.phone },
      properties: {
        status: url(1024),
        nested: { link: url(30) },
        long: url(1025),
        text: 'see https://shop.example.com/',
      },
    },
  });
  expect(answer.status).toBe(200);
  const said = (await answer.exchange()).notes.filter((note) => note.includes('1,024'));
  expect(said).toEqual([expect.stringContaining('"long"')]);
  const { store } = sandbox.emulator.deps;
  const links = [...store.shortLinks.all()];
  expect([...store.events.all()].at(-1)?.body['shortened']).toEqual({
    [url(1024)]: `${sandbox.emulator.authUrl}/l/${links[0]?.id}`,
    [url(30)]: `${sandbox.emulator.authUrl}/l/${links[1]?.id}`,
  });
  expect(links.map(({ url: one }) => one.length)).toEqual([1024, 30]);
  const followed = await fetch(`${sandbox.emulator.authUrl}/l/${links[1]?.id}`, { redirect: 'manual' });
  expect(followed.headers.get('location')).toBe(url(30));
  expect(sandbox.emulator.deps.store.shortLinks.get(links[1]?.id ?? '')?.clicks).toBe(1);
});

test('a refused request sends no message and no event', async () => {
  const heard = await hear();
  await subscribe({ phone: 'not a phone' });
  await subscribe({ phone: '+15555550177' }, { signUpSourceId: '999999' });
  await sandbox.call('POST', '/attributes/custom', {
    json: { user: { phone: ada.phone }, properties: { size: 'M', bad: ['x'] } },
  });
  expect(await heard()).toEqual([]);
  expect(await messages()).toEqual([]);
});

test('an event about a stored message can be fired on demand', async () => {
  const receiver = await startReceiver();
  const { body } = await compose({
    subscriber: { email: ada.email },
    channel: 'EMAIL',
    subject: 'Sale',
    text: 'Hello',
  });
  const fired = await sandbox.control('POST', '/control/trigger', {
    type: 'email.opened',
    subscriber: { email: ada.email },
    messageId: body.id,
    to: receiver.url,
  });
  expect(fired.status).toBe(200);
  expect(JSON.parse(receiver.got[0]?.body ?? '')).toMatchObject({
    message: { id: body.id, subject: 'Sale' },
    subscriber: { email: ada.email },
  });
});

test.each([
  ['a'.repeat(160), 'GSM-7', 1],
  ['a'.repeat(161), 'GSM-7', 2],
  ['a'.repeat(306), 'GSM-7', 2],
  ['a'.repeat(307), 'GSM-7', 3],
  ['€'.repeat(80), 'GSM-7', 1],
  ['€'.repeat(81), 'GSM-7', 2],
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 3],
  ['ç', 'UCS-2', 1],
  ['я'.repeat(70), 'UCS-2', 1],
  ['я'.repeat(71), 'UCS-2', 2],
  ['я'.repeat(135), 'UCS-2', 3],
  ['😀'.repeat(35), 'UCS-2', 1],
  ['😀'.repeat(67), 'UCS-2', 3],
])('a text says its encoding and its parts as SMS (%#)', async (text, encoding, parts) => {
  const json = { channel: 'TEXT', text, subscriber: { phone: '+15555550100' }, force: true };
  const { body: sent } = await sandbox.control('POST', '/control/messages', json);
  expect(sent).toMatchObject({ sms: { encoding, parts } });
  const { id } = sent as { readonly id: string };
  expect((await sandbox.control('GET', `/control/messages/${id}`)).body).toEqual(sent);
});

test('an email has no size in parts', async () => {
  const json = { channel: 'EMAIL', text: 'Hi', subject: 'Hi', subscriber: { email: 'ada@example.com' }, force: true };
  expect((await sandbox.control('POST', '/control/messages', json)).body).toMatchObject({ sms: null });
});
