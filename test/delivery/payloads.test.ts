import { expect, onTestFinished, test } from 'vitest';
import { toValidator } from '../../emulator/contract/validate.ts';
import { eventSchemas, eventTypes } from '../../emulator/contract/event-schemas.ts';
import { examplePayload, overlay, toBody, toPayload, toSubscriber } from '../../emulator/delivery/payloads.ts';
import { createBench, startReceiver } from './support.ts';
import { toAddress } from '../support/people.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

test.each(eventTypes)('the example of %s fits its schema, and additional members do not', async (type) => {
  const validate = await toValidator(eventSchemas[type]);
  const example = examplePayload(type, 1_632_945_178_104);
  expect(validate(example)).toEqual([]);
  expect(validate({ ...example, more: 1 })[0]?.pointer).toBe('/more');
  expect(validate({ ...example, subscriber: { ...example.subscriber, phone: null } })[0]?.pointer).toBe(
    '/subscriber/phone',
  );
});

test('every field of every payload has its provenance', () => {
  const untagged: string[] = [];
  const walk = (schema: { properties?: Record<string, object> }, at: string): void => {
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
      if (!('x-provenance' in part)) untagged.push(`${at}.${name}`);
      walk(part, `${at}.${name}`);
    }
  };
  for (const type of eventTypes) walk(eventSchemas[type] as never, type);
  expect(untagged).toEqual([]);
});

test('the documented examples are what the platform sends, byte for byte', async () => {
  const { ada } = await createBench();
  const user = {
    ...ada,
    addresses: [toAddress('TEXT', '+15555555555'), toAddress('EMAIL', 'test@gmail.com')],
    merged: [],
    externalId: 16467358,
    clientUserIds: ['c-1'],
    customIdentifiers: [{ name: 'loyaltyId', value: '1122334455' }],
  };
  const payload = toPayload(
    {
      type: 'sms.subscribed',
      user,
      about: {},
      details: {
        creative: { name: 'Text to Join', type: 'TEXT_TO_JOIN', subtype: 'CODE' },
        subscription: { type: 'MARKETING' },
      },
    },
    { id: 'MDc6Q29tcGFueTU', name: 'Hudson & Ivy' },
    1632945178104,
  );
  expect(toBody(payload)).toBe(
    '{"type":"sms.subscribed","timestamp":1632945178104,"company":{"display_name":"Hudson & Ivy","company_id":"MDc6Q29tcGFueTU"},"subscriber":{"email":"test@gmail.com","phone":"+15555555555","external_id":16467358,"external_identifiers":{"client_user_id":["c-1"],"custom_identifiers":{"loyaltyId":["1122334455"]}}},"creative":{"name":"Text to Join","type":"TEXT_TO_JOIN","subtype":"CODE"},"subscription":{"type":"MARKETING"}}',
  );
});

test('all custom identifiers of a person are in the payload, those of one name as a list', async () => {
  const { ada } = await createBench();
  const customIdentifiers = [
    { name: 'loyaltyId', value: 'L1' },
    { name: 'crmId', value: 'C1' },
    { name: 'loyaltyId', value: 'L2' },
  ];
  expect(toSubscriber({ ...ada, customIdentifiers }, {})['external_identifiers']).toMatchObject({
    custom_identifiers: { loyaltyId: ['L1', 'L2'], crmId: ['C1'] },
  });
});

test('an event has the identifiers that a person was given, of each platform as a list, and none of others', async () => {
  onTestFinished(() => sandbox.reset());
  const receiver = await startReceiver();
  const bodyOf = async (identifiers: object, sent: number) => {
    const json = { phone: `+1555555017${sent}`, clientUserId: `c-${sent}`, ...identifiers };
    await sandbox.call('POST', '/identity-resolution/user-identifiers', { json });
    const subscribed = { user: { phone: json.phone }, signUpSourceId: '100001' };
    await sandbox.call('POST', '/subscriptions', { json: subscribed });
    await receiver.count(sent);
    return JSON.parse(receiver.got[sent - 1]?.body ?? '') as { readonly subscriber: object };
  };
  await sandbox.call('POST', '/webhooks', { json: { url: receiver.url, events: ['sms.subscribed'] } });
  expect((await bodyOf({ klaviyoId: 'k-1', shopifyId: 's-1' }, 1)).subscriber).toMatchObject({
    phone: '+15555550171',
    external_identifiers: {
      klaviyo_id: ['k-1'],
      shopify_id: ['s-1'],
      client_user_id: ['c-1'],
      custom_identifiers: {},
    },
  });
  const { subscriber } = await bodyOf({ customIdentifiers: [{ name: 'loyaltyId', value: 'L1' }] }, 2);
  expect((subscriber as { readonly external_identifiers: object }).external_identifiers).toEqual({
    client_user_id: ['c-2'],
    custom_identifiers: { loyaltyId: ['L1'] },
  });
});

test('unknown data of a person is left out of the payload', async () => {
  const { ada } = await createBench();
  const bare = { ...ada, addresses: [], clientUserIds: [], customIdentifiers: [] };
  expect(toSubscriber(bare, {})).toEqual({ external_id: ada.externalId });
});

test('an event goes to the enabled webhooks of its company that list it, and to no other', async () => {
  const { webhook, publish, store, deliveries } = await createBench();
  const { url } = await startReceiver();
  const first = webhook(url);
  const second = webhook(url, { events: ['email.opened', 'sms.subscribed'] });
  webhook(url, { events: ['email.opened'] });
  webhook(url, { companyId: 'another' });
  webhook(url, { disabledAt: '2026-01-01T00:00:00.000Z' });
  publish();
  await deliveries.settled();
  const made = [...store.deliveries.all()];
  expect(made.map(({ webhookId }) => webhookId)).toEqual([first.id, second.id]);
  expect(new Set(made.map(({ eventId }) => eventId)).size).toBe(1);
});

test('an override is laid over member by member; lists and values replace', () => {
  expect(overlay({ a: { b: 1, c: [1, 2] }, d: 2 }, { a: { c: [3] }, e: null })).toEqual({
    a: { b: 1, c: [3] },
    d: 2,
    e: null,
  });
  const polluted = overlay({ a: 1 }, JSON.parse('{"__proto__":{"x":1}}')) as { x?: number };
  expect(polluted.x).toBeUndefined();
  expect(Object.keys(polluted)).toEqual(['a', '__proto__']);
});
