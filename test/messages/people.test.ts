import { beforeEach, expect, test } from 'vitest';
import type { Message } from '../../emulator/records.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const ada = { phone: '+15555550100', email: 'ada@example.com' };
const store = () => sandbox.emulator.deps.store;
const messages = async (query = '') =>
  ((await sandbox.control('GET', `/control/messages?${query}`)).body as { messages: Message[] }).messages;
const compose = async (json: object) => (await sandbox.control('POST', '/control/messages', json)).body as Message;
const act = async (id: string, json: object) =>
  (await sandbox.control('POST', `/control/messages/${id}/acts`, json)).body;

test('a person who unsubscribes from several texts at once gets one text, at the given phone', async () => {
  const bridged = { phone: '+15555550188', email: ada.email };
  for (const signUpSourceId of ['100001', '100002'])
    await sandbox.call('POST', '/subscriptions', { json: { user: bridged, signUpSourceId } });
  const before = (await messages()).length;
  const { body } = await sandbox.call('POST', '/subscriptions/unsubscribe', {
    json: { user: { phone: bridged.phone } },
  });
  expect((body as { subscriptionResponses: object[] }).subscriptionResponses).toHaveLength(2);
  expect((await messages()).slice(before)).toMatchObject([{ type: 'OPT_OUT', to: bridged.phone }]);
});

test('a reply STOP is answered at the phone that sent it, in the language of its sign-up', async () => {
  const first = await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15145550177' }, signUpSourceId: '100003' },
  });
  expect(first.status).toBe(202);
  const json = { user: { phone: '+15145550178', email: 'fr@example.com' }, signUpSourceId: '100003' };
  await sandbox.call('POST', '/subscriptions', { json });
  await sandbox.call('POST', '/identity-resolution/user-identifiers', {
    json: { phone: '+15145550177', email: 'fr@example.com', clientUserId: 'c-fr' },
  });
  const to = '+15145550178';
  const [message] = await messages(`phone=${encodeURIComponent(to)}`);
  await act(message?.id ?? '', { act: 'reply', text: 'STOP' });
  expect((await messages()).at(-1)).toMatchObject({ type: 'OPT_OUT', to, text: expect.stringContaining('désabonné') });
});

test('merged people keep their messages and links, which still work and are removed by a deletion request', async () => {
  await sandbox.call('POST', '/subscriptions', {
    json: { user: { email: 'two@example.com' }, signUpSourceId: '100001' },
  });
  const mail = { subscriber: { email: 'two@example.com' }, channel: 'EMAIL', subject: 'Hi' };
  const { id, links } = await compose({ ...mail, text: 'https://shop.example.com/' });
  await sandbox.call('POST', '/identity-resolution/user-identifiers', {
    json: { phone: ada.phone, email: 'two@example.com', clientUserId: 'c-2' },
  });
  const followed = await fetch(links[0]?.shortUrl ?? '', { redirect: 'manual' });
  expect(followed.status).toBe(302);
  expect(await act(id, { act: 'open' })).toMatchObject({ published: ['email.opened'] });
  const [owner] = sandbox.emulator.deps.users.find(store().messages.get(id)?.companyId ?? '', { phone: ada.phone });
  expect(store().messages.get(id)?.userId).toBe(owner?.id);

  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: ada.phone } });
  await expect.poll(() => [store().messages.size, store().shortLinks.size]).toEqual([0, 0]);
  expect((await fetch(links[0]?.shortUrl ?? '')).status).toBe(404);
});

test('an act returns what it changed', async () => {
  const { id } = await compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Hi', text: 'Hello' });
  expect(await act(id, { act: 'unsubscribe' })).toMatchObject({
    did: ['Ended the MARKETING subscription by EMAIL at ada@example.com.'],
    changes: [{ kind: 'subscriptions', before: { status: 'subscribed' }, after: { status: 'unsubscribed' } }],
    impliedBy: 'specification',
  });
  expect(await act(id, { act: 'unsubscribe' })).toMatchObject({
    did: ['ada@example.com was no longer subscribed; nothing changed.'],
    published: [],
    changes: [],
  });
});

test('a reply Y confirms nothing without a subscription', async () => {
  const subscriber = { phone: '+15555550104' };
  const { id } = await compose({ subscriber, channel: 'TEXT', text: 'Hello', force: true });
  expect(await act(id, { act: 'reply', text: 'Y' })).toMatchObject({ published: [], impliedBy: 'assumed' });
  expect((await messages()).map(({ direction }) => direction)).toEqual(['out', 'in']);
});

test('a message for an unknown company or person is refused with an explanation', async () => {
  const draft = { channel: 'TEXT', text: 'Hello' };
  expect(await compose({ ...draft, subscriber: { phone: ada.phone }, companyId: 'nowhere' })).toMatchObject({
    message: expect.stringContaining('There is no company nowhere'),
  });
  expect(await compose({ ...draft, subscriber: {} })).toMatchObject({
    message: expect.stringContaining('neither was sent'),
  });
});
