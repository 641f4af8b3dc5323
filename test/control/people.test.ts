import { beforeEach, expect, test } from 'vitest';
import type { PeopleView, PersonHistoryView, PersonView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';
import { act } from '../support/world.ts';
import { knownAt } from '../support/people.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const people = (search = '', more = '') =>
  act<PeopleView>(
    sandbox,
    'GET',
    `/control/people?companyId=${demoCompany}&search=${encodeURIComponent(search)}${more}`,
  );
const idOf = async (search: string): Promise<string> => (await people(search)).people[0]?.id ?? '';
const person = (id: string) => act<PersonView>(sandbox, 'GET', `/control/people/${id}`);
const history = (id: string, query = '') =>
  act<PersonHistoryView>(sandbox, 'GET', `/control/people/${id}/history?${query}`);
const compose = (json: object) => act<{ id: string }>(sandbox, 'POST', '/control/messages', json);

async function identified(): Promise<void> {
  const answer = await sandbox.call('POST', '/identity-resolution/user-identifiers', {
    json: {
      phone: '+15555550150',
      email: 'Ines@Example.com',
      clientUserId: 'c-10042',
      shopifyId: 'shop-7',
      klaviyoId: 'klav-8',
      customIdentifiers: [{ name: 'loyaltyId', value: 'L-1122' }],
    },
  });
  expect(answer.status).toBe(202);
}

test.each([
  ['the phone', '+15555550150'],
  ['a phone as people write it', '+1 (555) 555-0150'],
  ['the email in any case', 'ines@example'],
  ['the client user id', '10042'],
  ['the Shopify id', 'SHOP-7'],
  ['the Klaviyo id', 'klav-8'],
  ['the value of a custom identifier', 'l-1122'],
  ['the name of a custom identifier', 'loyaltyid'],
])('a person is found by %s', async (_what, search) => {
  await identified();
  const found = await people(search);
  expect(found.total).toBe(1);
  expect(found.people[0]?.names).toEqual(['+15555550150', 'Ines@Example.com']);
});

test('the match of a search is named if the line does not show it', async () => {
  await identified();
  expect((await people('L-1122')).people[0]?.found).toEqual({ by: 'loyaltyId', value: 'L-1122' });
  expect((await people('ines')).people[0]?.found).toBeNull();
});

test('people come newest first and page by page, of one company only', async () => {
  await identified();
  const all = await people();
  expect(all.total).toBe(6);
  expect(all.people[0]?.names[0]).toBe('+15555550150');
  const page = await people('', '&offset=1&limit=2');
  expect(page).toEqual({ total: 6, at: null, people: all.people.slice(1, 3) });
  const fourth = all.people[3]?.id ?? '';
  expect((await people('', `&limit=1&person=${encodeURIComponent(fourth)}`)).at).toBe(3);
  const other = await act<PeopleView>(sandbox, 'GET', '/control/people?companyId=nobody').catch(() => null);
  expect(other).toBeNull();
});

test('a line says on which channels the person is subscribed', async () => {
  expect((await people('ada')).people[0]?.subscribed).toEqual(['TEXT', 'EMAIL']);
  expect((await people('mary')).people[0]?.subscribed).toEqual([]);
  const ended = { user: { phone: '+15555550100' } };
  expect((await sandbox.call('POST', '/subscriptions/unsubscribe', { json: ended })).status).toBe(202);
  expect((await people('ada')).people[0]?.subscribed).toEqual(['EMAIL']);
});

test('a subscription and an attribute name the requests that caused them', async () => {
  const made = await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' },
  });
  const madeBy = (await made.exchange()).id;
  const set = await sandbox.call('POST', '/attributes/custom', {
    json: { user: { phone: '+15555550177' }, properties: { 'favorite color': 'blue' } },
  });
  const view = await person(await idOf('5550177'));
  const cause = { requestId: madeBy, operation: 'POST /subscriptions' };
  expect(view.cause).toEqual(cause);
  expect(view.subscriptions).toMatchObject([
    { type: 'MARKETING', channel: 'TEXT', status: 'subscribed', unit: { id: '100001' }, cause },
  ]);
  expect(view.attributes).toMatchObject([
    {
      name: 'favorite color',
      value: 'blue',
      values: ['blue', 'green', 'red'],
      cause: { requestId: (await set.exchange()).id },
    },
  ]);
});

test('a subscription that a reply ended says so', async () => {
  const { id } = await compose({ subscriber: { phone: '+15555550100' }, channel: 'TEXT', text: 'Sale' });
  await act(sandbox, 'POST', `/control/messages/${id}/acts`, { act: 'reply', text: 'STOP' });
  const view = await person(await idOf('ada'));
  expect(view.subscriptions.find(({ channel }) => channel === 'TEXT')).toMatchObject({
    status: 'unsubscribed',
    cause: null,
    by: 'reply “STOP”',
  });
});

test('what a reply and an unsubscribe did is said of the person', async () => {
  await sandbox.control('POST', '/control/webhooks', {
    url: 'http://127.0.0.1:9/none',
    events: ['email.unsubscribed'],
  });
  const text = await compose({ subscriber: { phone: '+15555550100' }, channel: 'TEXT', text: 'Sale' });
  const mail = await compose({
    subscriber: { email: 'ada@example.com' },
    channel: 'EMAIL',
    subject: 'Low tide',
    text: 'Sale',
  });
  const { message: reply } = await act<{ message: { id: string } }>(
    sandbox,
    'POST',
    `/control/messages/${text.id}/acts`,
    { act: 'reply', text: 'HELP' },
  );
  await act(sandbox, 'POST', `/control/messages/${mail.id}/acts`, { act: 'unsubscribe' });
  const view = await person(await idOf('ada'));
  expect(view.taps).toMatchObject([
    {
      messageId: reply.id,
      did: ['Sent the help text.'],
      published: ['sms.sent'],
      impliedBy: 'assumed',
      deliveries: [],
    },
    {
      messageId: mail.id,
      did: ['Ended the MARKETING subscription by EMAIL at ada@example.com.'],
      published: ['email.unsubscribed'],
      impliedBy: 'specification',
      deliveries: [{ type: 'email.unsubscribed' }],
    },
  ]);
  expect(view.subscriptions.find(({ channel }) => channel === 'EMAIL')).toMatchObject({
    status: 'unsubscribed',
    cause: null,
    by: 'the unsubscribe link of “Low tide”',
  });
});

test('of a long message the history has the beginning between quotation marks, and the mark of the cut after them', async () => {
  await compose({ subscriber: { phone: '+15555550100' }, channel: 'TEXT', text: 'Sale '.repeat(40) });
  const { entries } = await history(await idOf('ada'));
  expect(entries.map(({ says }) => says)).toContainEqual(expect.stringMatching(/“Sale [^…”]+”… sent$/));
});

test('the history shows in order what happened, and which request caused it', async () => {
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/none', events: ['sms.sent'] });
  const made = await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' },
  });
  const madeBy = (await made.exchange()).id;
  await sandbox.call('POST', '/events/custom', {
    json: { type: 'Order Shipped', properties: { a: '1' }, user: { phone: '+15555550177' } },
  });
  const id = await idOf('5550177');
  const message = await compose({
    subscriber: { phone: '+15555550177' },
    channel: 'TEXT',
    text: 'Sale https://shop.example/x',
  });
  await act(sandbox, 'POST', `/control/messages/${message.id}/acts`, { act: 'click' });
  const { entries, counts, total } = await history(id);
  const says = entries.map((entry) => entry.says);
  expect(says[0]).toContain('Link tapped in “Sale');
  expect(says.at(-1)).toBe('Known for the first time');
  expect(says).toContain('Event Order Shipped');
  expect(says).toContain('Subscribed to MARKETING by TEXT');
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
  const cause = { requestId: madeBy, operation: 'POST /subscriptions' };
  for (const what of ['known', 'subscribed', 'sent', 'delivery'])
    expect(entries.findLast((entry) => entry.what === what)?.cause).toEqual(cause);
  expect(counts).toEqual({ events: 1, messages: 3, deliveries: 2, changes: 2 });
  expect(total).toBe(8);
});

test('the history comes page by page, for one group if requested', async () => {
  const id = await idOf('ada');
  for (const type of ['One', 'Two', 'Three'])
    await sandbox.call('POST', '/events/custom', { json: { type, user: { email: 'ada@example.com' } } });
  const events = await history(id, 'group=events&offset=1&limit=1');
  expect(events).toMatchObject({ total: 3, entries: [{ says: 'Event Two', group: 'events' }] });
});

test('what happens after the year 9999 is newer in the history than what happened before', async () => {
  const { clock } = sandbox.emulator.deps;
  clock.freeze(true);
  await clock.set(Date.parse('9999-12-31T23:59:00.000Z'));
  const user = { phone: '+15555550191' };
  await sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await clock.advance(60_000);
  await compose({ subscriber: user, channel: 'TEXT', text: 'Happy new year' });
  const { entries } = await history(await idOf('5550191'));
  const years = entries.map(({ at }) => new Date(at).getUTCFullYear());
  expect(new Set(years)).toEqual(new Set([10_000, 9999]));
  expect(years).toEqual(years.toSorted((one, other) => other - one));
});

test('the history shows earlier values of an attribute, and merged people', async () => {
  const set = (color: string) =>
    sandbox.call('POST', '/attributes/custom', {
      json: { user: { phone: '+15555550100' }, properties: { 'favorite color': color } },
    });
  await set('red');
  await set('blue');
  await sandbox.call('POST', '/identity-resolution/user-identifiers', {
    json: { phone: '+15555550100', clientUserId: 'c-1', email: 'grace@example.com' },
  });
  const { entries } = await history(await idOf('ada'), 'group=changes');
  const told = entries.map(({ says, detail }) => [says, detail]);
  expect(told).toContainEqual(['favorite color set to blue', 'was red']);
  expect(told).toContainEqual(['Became one with grace@example.com', null]);
  expect(told).toContainEqual(['Identified by clientUserId c-1', null]);
});

test('a deletion request is among the facts of its person, and in their history', async () => {
  await sandbox.control('POST', '/control/pace', { pace: 'manual' });
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectEmail: 'ADA@example.com' } });
  const id = await idOf('ada');
  expect((await person(id)).privacyRequests).toMatchObject([{ id: (body as { id: string }).id, state: 'received' }]);
  expect((await history(id, 'group=changes')).entries[0]).toMatchObject({
    says: 'Deletion request received',
    cause: { operation: 'POST /privacy/delete-request' },
  });
  await sandbox.control('POST', '/control/pace', { pace: 'instant' });
});

test('a delivery names its message, and only the person it is about', async () => {
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/none', events: ['email.opened'] });
  const { id } = await compose({
    subscriber: { email: 'ada@example.com' },
    channel: 'EMAIL',
    subject: 'Low tide',
    text: 'Hello',
  });
  await act(sandbox, 'POST', `/control/messages/${id}/acts`, { act: 'open' });
  expect((await person(await idOf('ada'))).deliveries).toMatchObject([{ type: 'email.opened', messageId: id }]);
  expect((await person(await idOf('grace'))).deliveries).toEqual([]);
});

test('five thousand people are searched and paged', async () => {
  const { store, users } = sandbox.emulator.deps;
  store.transact(() => {
    for (let n = 0; n < 5_000; n += 1) users.findOrMake(demoCompany, { email: `p${n}@example.com` }, knownAt());
  });
  expect((await people('p4999@')).total).toBe(1);
  expect((await people('', '&offset=4900&limit=100')).people).toHaveLength(100);
});

test('an unknown person is a 404', async () => {
  expect((await sandbox.control('GET', '/control/people/nobody')).status).toBe(404);
  expect((await sandbox.control('GET', '/control/people/nobody/history')).status).toBe(404);
});

test('a delivery about someone who was merged is told with the request that made it', async () => {
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/x', events: ['sms.subscribed'] });
  const ids: string[] = [];
  for (const phone of ['+15555550123', '+15555550124']) {
    const answer = await sandbox.call('POST', '/subscriptions', {
      json: { user: { phone }, signUpSourceId: '100001' },
    });
    ids.unshift((await answer.exchange()).id);
  }
  for (const phone of ['+15555550123', '+15555550124'])
    await sandbox.call('POST', '/identity-resolution/user-identifiers', { json: { phone, clientUserId: 'c1' } });
  const one = [...sandbox.emulator.deps.store.users.all()].find(({ clientUserIds }) => clientUserIds.includes('c1'));
  const { body } = await sandbox.control('GET', `/control/people/${one?.id}/history`);
  const deliveries = (body as PersonHistoryView).entries.filter(({ group }) => group === 'deliveries');
  expect(deliveries.map(({ cause }) => cause?.requestId)).toEqual(ids);
});
