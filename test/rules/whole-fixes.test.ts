import { beforeEach, expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';
import { applyFix } from './apply-fix.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

/** The status after the fix of a refusal was applied once, and what was sent then. */
async function sendFixed(path: string, json: unknown) {
  const request = { method: 'POST', path, json };
  const refused = await sandbox.call('POST', path, request);
  expect(refused.status).toBe(400);
  const fixed = applyFix(request, (await refused.exchange()).refusal?.fix.edits ?? []);
  return { ...(await sandbox.call('POST', path, fixed)), sent: fixed.json };
}

const user = { email: 'ada@example.com' };
const setAttributes = (properties: object) =>
  sandbox.call('POST', '/attributes/custom', { json: { properties, user } });
const defineHue = () =>
  sandbox.control('POST', '/control/attributes', {
    companyId: demoCompany,
    name: 'hue',
    type: 'string',
    values: ['red', 'blue'],
  });

test.for([
  [{ num: null, other: 1 }, { other: 1 }],
  [{ 'favorite color': null, other: 1 }, { other: 1 }],
  [
    { num: ['a', 7], other: 1 },
    { num: 7, other: 1 },
  ],
  [{ num: ['a'], other: 1 }, { other: 1 }],
  [{ num: { a: 1 }, other: { a: 1 } }, { other: '{"a":1}' }],
  [
    { num: '7,5', num2: '12,50' },
    { num: 7.5, num2: 12.5 },
  ],
  [
    { 'favorite color': 'Bleu', hue: 'bleu' },
    { 'favorite color': 'blue', hue: 'blue' },
  ],
])('one fix of the attributes %j is enough', async ([properties, expected]) => {
  await setAttributes({ num: 1, num2: 2 });
  await defineHue();
  const { status, sent } = await sendFixed('/attributes/custom', { properties, user });
  expect([status, sent]).toEqual([200, { properties: expected, user }]);
});

test('one fix of several unknown event types is enough', async () => {
  const webhook = { url: 'http://localhost:3000/h', events: ['SMS.Sent', 'email.opened', 'sms.sent_', 'email_opened'] };
  const { status, sent } = await sendFixed('/webhooks', webhook);
  expect([status, sent]).toEqual([201, { ...webhook, events: ['sms.sent', 'email.opened'] }]);
  // Also those that the message does not name.
  const events = [...Array.from({ length: 8 }, (_, at) => `sms.sent${'abcdefgh'[at]}`), 'email.opened_'];
  const many = await sendFixed('/webhooks', { ...webhook, events });
  expect(many.sent).toEqual({ ...webhook, events: ['sms.sent', 'email.opened'] });
});

const codes = '/coupons/coupon-pool/54100/create';
const march = (from: number, to: number) => ({
  distributionStart: `2027-03-${from}T00:00:00.000Z`,
  distributionStop: `2027-03-${to}T00:00:00.000Z`,
});

test('one fix of several codes that are not codes is enough, however many they are', async () => {
  for (const wrong of [2, 101]) {
    const many = Array.from({ length: wrong }, () => '');
    const { status, sent } = await sendFixed(codes, { codes: ['A', ...many, 'B', 'x'.repeat(257)], ...march(10, 20) });
    expect([status, sent]).toEqual([202, { codes: ['A', 'B'], ...march(10, 20) }]);
  }
});

test.for([
  [march(25, 12), march(20, 25)],
  [march(15, 12), march(10, 20)],
  [march(25, 21), march(21, 25)],
])('the dates %j, in the wrong order, are fixed to %j, which an earlier upload leaves free', async ([dates, free]) => {
  await sandbox.call('POST', codes, { json: { codes: ['A'], ...march(10, 20) } });
  const { status, sent } = await sendFixed(codes, { codes: ['B'], ...dates });
  expect([status, sent]).toEqual([202, { codes: ['B'], ...free }]);
});

/** The webhook after a request, whose fixes are applied until it is accepted. */
async function webhookAfter(known: { url: string; events: string[] }, method: string, json?: unknown) {
  const made = await sandbox.call('POST', '/webhooks', { json: known });
  const { id } = made.body as { id: string };
  let request: Parameters<typeof applyFix>[0] = { method, path: `/webhooks/${id}`, json };
  const rules: (string | null)[] = [];
  for (let times = 0; times < 5; times += 1) {
    const answer = await sandbox.call(request.method, request.path, request);
    rules.push(answer.rule);
    if (answer.rule === null) break;
    request = applyFix(request, (await answer.exchange()).refusal?.fix.edits ?? []);
  }
  const { body } = await sandbox.call('GET', '/webhooks');
  const webhooks = (body as { webhooks: { id: string; url: string; events: string[]; disabledAt: unknown }[] })
    .webhooks;
  const { url, events, disabledAt } = webhooks.find((one) => one.id === id) ?? {};
  return { rules, url, events, isDisabled: disabledAt !== null };
}

const shop = { url: 'https://shop.example.com/hooks', events: ['custom_attribute.set'] };
test.for([
  ['PUT', { disabled: true }, { ...shop, isDisabled: true }],
  ['PUT', { url: 'https://shop.example.com/new' }, { ...shop, url: 'https://shop.example.com/new' }],
  ['PUT', { ...shop, url: 5 }, shop],
  ['PUT', { ...shop, url: 'shop.example.com/new' }, { ...shop, url: 'https://shop.example.com/new' }],
  ['PUT', { ...shop, url: 'localhost:3000/new' }, { ...shop, url: 'http://localhost:3000/new' }],
  ['PUT', { ...shop, events: 'sms.sent' }, { ...shop, events: ['sms.sent'] }],
  ['PUT', [], shop],
  ['PUT', undefined, shop],
  ['GET', undefined, shop],
] as const)('the fixes of %s webhook %j leave what was not sent as it is', async ([method, json, expected]) => {
  const { rules, ...webhook } = await webhookAfter(shop, method, json);
  expect([rules.at(-1), webhook]).toEqual([null, { isDisabled: false, ...expected }]);
});
