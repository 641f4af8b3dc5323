import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders, toStandardSecret } from '../../emulator/delivery/signature/signature.ts';
import { createBench, startReceiver, type Got } from './support.ts';

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');

function verifyStandard(key: string, { body, headers }: Got): unknown {
  return new StandardWebhook(toStandardSecret(key)).verify(body, headers as Record<string, string>);
}

test('the public library of Standard Webhooks verifies a delivery', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, deliveries } = await createBench();
  const { signingKey } = webhook(receiver.url);
  const { eventId } = publish();
  await deliveries.settled();
  const got = receiver.got[0] as Got;
  expect(verifyStandard(signingKey, got)).toEqual(JSON.parse(got.body));
  expect(got.headers['webhook-id']).toBe(eventId);
  expect(() => verifyStandard('another key', got)).toThrow('No matching signature found');
});

test('a receiver that hashes JSON.stringify of the parsed body verifies a delivery, whatever the person is called', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, deliveries, ada } = await createBench();
  const { signingKey } = webhook(receiver.url);
  const customIdentifiers = [
    { name: 'b', value: 'Zoë 💌 \u2028 \ud800' },
    { name: '7', value: 'seven' },
    { name: '__proto__', value: 'x' },
  ];
  publish({ user: { ...ada, customIdentifiers } });
  await deliveries.settled();
  const got = receiver.got[0] as Got;
  expect(got.headers['x-attentive-hmac-sha256']).toBe(hmac(signingKey, JSON.stringify(JSON.parse(got.body))));
  expect(verifyStandard(signingKey, got)).toBeTruthy();
});

test('after a rotation both keys verify, until the overlap is over', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, deliveries, clock } = await createBench();
  const { id, signingKey: old } = webhook(receiver.url);
  const { signingKey: fresh } = deliveries.rotateKey(id);
  publish();
  await deliveries.settled();
  const during = receiver.got[0] as Got;
  expect(fresh).not.toBe(old);
  for (const key of [old, fresh]) expect(verifyStandard(key, during)).toBeTruthy();
  expect(during.headers['x-attentive-hmac-sha256']).toBe(hmac(fresh, during.body));
  expect(during.headers['x-attentive-hmac-sha256-previous']).toBe(hmac(old, during.body));

  await clock.advance(25 * 3_600_000);
  publish();
  await deliveries.settled();
  const after = receiver.got[1] as Got;
  expect(() => verifyStandard(old, after)).toThrow('No matching signature found');
  expect(verifyStandard(fresh, after)).toBeTruthy();
  expect(after.headers['x-attentive-hmac-sha256-previous']).toBeUndefined();
});

test('with a virtual time far away signatures stay valid, unless virtual time is chosen', async () => {
  const receiver = await startReceiver();
  const { webhook, publish, deliveries, clock, store } = await createBench();
  const { signingKey } = webhook(receiver.url);
  await clock.advance(30 * 86_400_000);
  publish();
  await deliveries.settled();
  const wall = receiver.got[0] as Got;
  expect(verifyStandard(signingKey, wall)).toBeTruthy();
  expect(Math.abs((JSON.parse(wall.body) as { timestamp: number }).timestamp - Date.now())).toBeLessThan(5000);

  store.transact(() => store.settings.put({ id: 'webhooks.time', value: 'virtual' }));
  publish();
  await deliveries.settled();
  const virtual = receiver.got[1] as Got;
  expect(() => verifyStandard(signingKey, virtual)).toThrow(/timestamp/i);
  expect(Math.abs((JSON.parse(virtual.body) as { timestamp: number }).timestamp - clock.now())).toBeLessThan(5000);
});

test('the signature is exactly the one that receivers of the platform check', () => {
  const headers = signatureHeaders({ body: '{"a":1}', eventId: 'evt_1', timestamp: 1_700_000_000 }, ['key']);
  expect(headers).toEqual({
    'x-attentive-hmac-sha256': hmac('key', '{"a":1}'),
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${createHmac('sha256', 'key').update('evt_1.1700000000.{"a":1}').digest('base64')}`,
  });
  expect(toStandardSecret('key')).toBe('whsec_a2V5');
});
