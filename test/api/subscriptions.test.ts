import { beforeEach, expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
const phone = '+15555550177';
const email = 'joan@example.com';
const enUs = { language: 'en', country: 'US' };

beforeEach(() => sandbox.reset());

const subscribe = (json: unknown, key = 'sandpiper-demo-key') => sandbox.call('POST', '/subscriptions', { json, key });
const unsubscribe = (json: unknown, key = 'sandpiper-demo-key') =>
  sandbox.call('POST', '/subscriptions/unsubscribe', { json, key });
const read = (query: Readonly<Record<string, string>>, key = 'sandpiper-demo-key') =>
  sandbox.call('GET', '/subscriptions', { query, key });
const stored = (by: { phone?: string; email?: string }) => {
  const { users, store } = sandbox.emulator.deps;
  const ids = users.find(demoCompany, by).map(({ id }) => id);
  return [...store.subscriptions.all()].filter(({ userId }) => ids.includes(userId));
};
const eligible = (type: string, channel: string, isEligible = true) => ({
  subscription: { type, channel },
  eligibility: { isEligible },
});
const created = (type: string, channel: string, subscriptionCreationStatus = 'NEWLY_CREATED') => ({
  subscription: { type, channel },
  subscriptionCreationStatus,
});
const ended = (type: string, channel: string, subscriptionUnsubscribeStatus = 'NEWLY_UNSUBSCRIBED') => ({
  subscription: { type, channel },
  subscriptionUnsubscribeStatus,
});

test('a sign-up unit by its id subscribes each channel that the request identifies', async () => {
  const answer = await subscribe({ user: { phone, email }, signUpSourceId: '100002' });
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    user: { phone, email },
    subscriptionResponses: [created('TRANSACTIONAL', 'TEXT'), created('TRANSACTIONAL', 'EMAIL')],
  });
  const known = await read({ phone });
  expect(known.status).toBe(200);
  expect(known.body).toEqual({
    subscriptionEligibilities: [eligible('TRANSACTIONAL', 'TEXT'), eligible('TRANSACTIONAL', 'EMAIL')],
  });
});

test('locale and type choose the one unit that matches', async () => {
  const answer = await subscribe({ user: { email }, locale: enUs, subscriptionType: 'MARKETING', singleOptIn: true });
  expect(answer.body).toEqual({ user: { email }, subscriptionResponses: [created('MARKETING', 'EMAIL')] });
  expect(stored({ email })).toMatchObject([{ signUpUnitId: '100001', status: 'subscribed' }]);
});

test.for([
  ['several units', { language: 'fr', country: 'CA' }, ['100003', '100004']],
  ['no unit', { language: 'de', country: 'DE' }, ['100001', 'en-US']],
  ['no unit of that language', { language: 'de', country: 'US' }, ['100001', 'en-US']],
  ['no unit of that country', { language: 'en', country: 'CA' }, ['100001', 'en-US']],
  ['no unit, because case counts', { language: 'EN', country: 'us' }, ['100001', 'en-US']],
] as const)('%s for locale and type: 400, and nothing is subscribed', async ([, locale, named]) => {
  const answer = await subscribe({ user: { phone }, locale, subscriptionType: 'MARKETING' });
  expect(answer.status).toBe(400);
  expect(answer.rule).toBe('subscriptions.one-unit');
  for (const word of named) expect((answer.body as { message: string }).message).toContain(word);
  expect(sandbox.emulator.deps.users.find(demoCompany, { phone })).toEqual([]);
  expect((await read({ phone })).status).toBe(404);
});

test('the fix for a locale of which only the case is wrong is that locale', async () => {
  const answer = await subscribe({
    user: { phone },
    locale: { language: 'EN', country: 'us' },
    subscriptionType: 'MARKETING',
  });
  expect((await answer.exchange()).refusal?.fix.edits).toEqual([
    { op: 'set', place: { in: 'body', at: '/locale' }, value: enUs },
  ]);
});

test.for([
  [{ signUpSourceId: '100001' }, 'This company has no API sign-up unit "100001". Create an API sign-up unit first.'],
  [
    { locale: enUs, subscriptionType: 'MARKETING' },
    'No API sign-up unit of this company is for locale {"language":"en","country":"US"} and subscriptionType MARKETING (case counts), so nothing was subscribed. It has none yet: create one first.',
  ],
  [{}, 'The request must contain either signUpSourceId, or both locale and subscriptionType; all three are missing.'],
] as const)('a company without units is told of %j to create one, and none is proposed', async ([fields, message]) => {
  const { key } = (await sandbox.control('POST', '/control/companies', { name: 'Curlew' })).body as {
    readonly key: string;
  };
  const answer = await subscribe({ user: { phone }, ...fields }, key);
  expect([answer.status, answer.body]).toEqual([400, { message }]);
  const { refusal } = await answer.exchange();
  expect(refusal?.fix).toMatchObject({
    say: expect.stringMatching(/create an API sign-up unit|create one/i),
    edits: [],
  });
});

test('of many units a refusal names twenty, and says how many more there are', async () => {
  const wanted = { user: { phone }, locale: { language: 'de', country: 'DE' }, subscriptionType: 'MARKETING' };
  const messageOf = async () => ((await subscribe(wanted)).body as { readonly message: string }).message;
  const add = () =>
    sandbox.control('POST', '/control/sign-up-units', {
      companyId: demoCompany,
      language: 'en',
      country: 'GB',
      type: 'MARKETING',
    });
  for (let count = 4; count < 20; count += 1) await add();
  expect((await messageOf()).match(/\d+ \(/g)).toHaveLength(20);
  expect(await messageOf()).toMatch(/\d+ \(en-GB MARKETING\)\.$/);
  for (const count of [1, 2]) {
    await add();
    expect((await messageOf()).match(/\d+ \(/g)).toHaveLength(20);
    expect(await messageOf()).toMatch(new RegExp(`\\) and ${count} more\\.$`));
  }
});

test('a subscriptionType other than that of the unit is noted, and the unit counts', async () => {
  const notesOf = async (subscriptionType: string) => {
    const answer = await subscribe({ user: { phone }, signUpSourceId: '100001', subscriptionType });
    expect(answer.body).toMatchObject({ subscriptionResponses: [{ subscription: { type: 'MARKETING' } }] });
    return (await answer.exchange()).notes;
  };
  const note =
    'subscriptionType TRANSACTIONAL contradicts sign-up unit 100001, which is for MARKETING; the unit counts (assumed).';
  expect(await notesOf('TRANSACTIONAL')).toContain(note);
  expect((await notesOf('MARKETING')).join()).not.toContain('contradicts');
});

test.for([
  [{}, 'all three are missing'],
  [{ locale: enUs }, 'locale was sent without subscriptionType'],
  [{ subscriptionType: 'MARKETING' }, 'subscriptionType was sent without locale'],
] as const)('a request that names no unit with %j is told what it lacks', async ([fields, lack]) => {
  expect((await subscribe({ user: { phone }, ...fields })).body).toEqual({
    message: `The request must contain either signUpSourceId, or both locale and subscriptionType; ${lack}.`,
  });
});

test('locale and signUpSourceId together are refused in the words of the platform', async () => {
  const answer = await subscribe({ user: { phone }, locale: enUs, signUpSourceId: '100001' });
  expect(answer.status).toBe(400);
  // Exactly: clients compare it, so advice is in the fix.
  expect(answer.body).toEqual({
    message: 'Found both a locale and a sign up source id. Requests must have exclusively one of the two.',
  });
  expect((await answer.exchange()).refusal?.fix.say).toContain('Leave out locale');
  expect(stored({ phone })).toEqual([]);
});

test.for([
  [{ user: { phone } }, 'subscriptions.unit-named'],
  [{ user: { phone }, locale: enUs }, 'subscriptions.unit-named'],
  [{ user: { phone }, subscriptionType: 'MARKETING' }, 'subscriptions.unit-named'],
  [{ user: { phone }, signUpSourceId: '1' }, 'subscriptions.unknown-unit'],
  [{ user: { phone }, locale: 'en-US', subscriptionType: 'MARKETING' }, 'subscriptions.locale-object'],
  [{ user: { phone }, locale: { language: 'en' }, subscriptionType: 'MARKETING' }, 'input.required'],
  [{ user: { phone }, locale: enUs, subscriptionType: 'marketing' }, 'input.choice'],
  [{ user: { phone: '555-555-0177' }, signUpSourceId: '100001' }, 'subscriptions.phone-e164'],
  [{ user: { phone, email: 'joan' }, signUpSourceId: '100001' }, 'subscriptions.email'],
  [{ user: {}, signUpSourceId: '100001' }, 'subscriptions.contact'],
  [{ signUpSourceId: '100001' }, 'input.required'],
] as const)('%j is refused by %s and leaves nothing behind', async ([json, rule]) => {
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument().collections);
  const answer = await subscribe(json);
  expect([answer.status, answer.rule]).toEqual([400, rule]);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument().collections)).toBe(before);
});

test('the fix for a text locale is the intended object', async () => {
  const answer = await subscribe({ user: { phone }, locale: 'fr_ca', subscriptionType: 'MARKETING' });
  expect((await answer.exchange()).refusal?.fix.edits).toEqual([
    { op: 'set', place: { in: 'body', at: '/locale' }, value: { language: 'fr', country: 'CA' } },
  ]);
});

test('a sign-up unit of another company is unknown', async () => {
  const answer = await subscribe({ user: { phone }, signUpSourceId: '100001' }, 'sandpiper-other-key');
  expect([answer.status, answer.rule]).toEqual([400, 'subscriptions.unknown-unit']);
  expect(answer.text).not.toContain('100002');
});

test('a type that contradicts the unit is noted, and the unit is used', async () => {
  const answer = await subscribe({ user: { phone }, signUpSourceId: '100001', subscriptionType: 'TRANSACTIONAL' });
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({ subscriptionResponses: [created('MARKETING', 'TEXT')] });
  expect((await answer.exchange()).notes.join()).toContain('contradicts');
});

test('subscribing again returns previously created, and the attempt is recorded', async () => {
  await subscribe({ user: { phone }, signUpSourceId: '100001' });
  const again = await subscribe({ user: { phone, email }, signUpSourceId: '100001' });
  expect(again.body).toMatchObject({
    subscriptionResponses: [created('MARKETING', 'TEXT', 'PREVIOUSLY_CREATED'), created('MARKETING', 'EMAIL')],
  });
  expect(stored({ phone }).map(({ channel, attempts }) => [channel, attempts.length])).toEqual([
    ['TEXT', 2],
    ['EMAIL', 1],
  ]);
});

test('subscribing again keeps the unit and the time of the first, and a renewed subscription has the new unit', async () => {
  const begin = (signUpSourceId: string) => subscribe({ user: { phone }, signUpSourceId });
  await begin('100001');
  const [first] = stored({ phone });
  await sandbox.control('POST', '/control/clock', { advance: '1h' });
  await begin('100003');
  const [again] = stored({ phone });
  expect(again).toMatchObject({ signUpUnitId: '100001', createdAt: first?.createdAt });
  expect(Date.parse(again?.updatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.updatedAt ?? '') + 3_600_000);
  await unsubscribe({ user: { phone } });
  await begin('100003');
  expect(stored({ phone })).toMatchObject([{ signUpUnitId: '100003', createdAt: first?.createdAt }]);
});

test('a subscription keeps its latest hundred attempts', async () => {
  for (let attempt = 1; attempt <= 102; attempt++) await subscribe({ user: { phone }, signUpSourceId: '100001' });
  expect(stored({ phone })[0]?.attempts).toHaveLength(100);
});

test('a person who unsubscribed and subscribes again is newly created', async () => {
  await subscribe({ user: { phone }, signUpSourceId: '100001' });
  await unsubscribe({ user: { phone } });
  const again = await subscribe({ user: { phone }, signUpSourceId: '100001' });
  expect(again.body).toMatchObject({ subscriptionResponses: [created('MARKETING', 'TEXT')] });
  expect((await read({ phone })).body).toEqual({ subscriptionEligibilities: [eligible('MARKETING', 'TEXT')] });
});

test('a unit for abandoned checkouts creates subscriptions of that type', async () => {
  const { store } = sandbox.emulator.deps;
  store.transact(() =>
    store.signUpUnits.put({
      id: '100009',
      companyId: demoCompany,
      name: 'Checkout',
      ...enUs,
      type: 'CHECKOUT_ABANDONED',
    }),
  );
  const answer = await subscribe({ user: { phone }, locale: enUs, subscriptionType: 'CHECKOUT_ABANDONED' });
  expect(answer.body).toMatchObject({ subscriptionResponses: [created('CHECKOUT_ABANDONED', 'TEXT')] });
});

test.for([
  [
    'at the top, as documented',
    { externalIdentifiers: { clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] } },
    {},
  ],
  [
    'inside user and as a map, as clients send them',
    {},
    { externalIdentifiers: { clientUserId: 'c-1', shopifyId: null, customIdentifiers: { loyaltyId: 'L-1' } } },
  ],
] as const)('external identifiers %s are attached to the user', async ([, top, inner]) => {
  const answer = await subscribe({ user: { phone, ...inner }, signUpSourceId: '100001', ...top });
  expect(answer.body).toMatchObject({
    user: { phone },
    externalIdentifiers: { clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] },
  });
  expect(sandbox.emulator.deps.users.find(demoCompany, { clientUserId: 'c-1' })).toMatchObject([
    { addresses: [{ channel: 'TEXT', value: phone }], customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] },
  ]);
});

test('of external identifiers what is ignored is noted', async () => {
  const answer = await subscribe({
    user: { phone, externalIdentifiers: { clientUserId: 'c-2', klaviyoId: 'k-1', shopifyId: null } },
    externalIdentifiers: { clientUserId: 'c-1', klaviyoId: ' ', customIdentifiers: { loyaltyId: '', posId: 'P-1' } },
    signUpSourceId: '100001',
  });
  expect(answer.body).toMatchObject({
    externalIdentifiers: {
      clientUserId: 'c-1',
      klaviyoId: 'k-1',
      customIdentifiers: [{ name: 'posId', value: 'P-1' }],
    },
  });
  const { notes } = await answer.exchange();
  expect(notes.join('\n')).toContain('user.externalIdentifiers.clientUserId was ignored');
  expect(notes.join('\n')).toContain('externalIdentifiers.klaviyoId was sent as " "');
  expect(notes.join('\n')).toContain('user.externalIdentifiers.shopifyId was sent as null');
  expect(notes.join('\n')).toContain('Custom identifiers without a name or a value were left out.');
});

test('a null email or empty phone counts as left out, and unknown fields are ignored', async () => {
  const answer = await subscribe({
    user: { phone, email: null },
    signUpSourceId: '100001',
    occurredAt: 'now',
    externalEventId: 1,
  });
  expect(answer.body).toEqual({ user: { phone }, subscriptionResponses: [created('MARKETING', 'TEXT')] });
  expect((await answer.exchange()).notes.join()).toContain('email was sent as null');
});

test.each(['', ' '])('a signUpSourceId of %j counts as left out, with a note', async (signUpSourceId) => {
  const locale = { language: 'en', country: 'US' };
  const answer = await subscribe({ user: { phone }, signUpSourceId, locale, subscriptionType: 'MARKETING' });
  expect(answer.status).toBe(202);
  expect((await answer.exchange()).notes.join()).toContain(`signUpSourceId was sent as "${signUpSourceId}"`);
});

test('a read-only key may not subscribe', async () => {
  const answer = await subscribe({ user: { phone }, signUpSourceId: '100001' }, 'sandpiper-readonly-key');
  expect(answer.status).toBe(403);
  expect(stored({ phone })).toEqual([]);
});

test('phone and email together read the subscriptions of both, in one order', async () => {
  const both = [eligible('MARKETING', 'TEXT'), eligible('MARKETING', 'EMAIL'), eligible('TRANSACTIONAL', 'TEXT')];
  const answer = await read({ phone: '+15555550101', email: 'grace@example.com' }, 'sandpiper-readonly-key');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ subscriptionEligibilities: both });
});

test('a plus sign sent raw is read as one', async () => {
  const answer = await sandbox.call('GET', '/subscriptions?phone=+15555550101');
  expect(answer.status).toBe(200);
});

test('reading without phone and email is 400, with a malformed phone too', async () => {
  expect([(await read({})).rule, (await read({ phone: '', email: '' })).rule]).toEqual(
    Array(2).fill('subscriptions.query-contact'),
  );
  expect((await read({ phone: '5555550101' })).rule).toBe('subscriptions.phone-e164');
});

test.for([
  ['is unknown', { phone }],
  ['has no subscriptions', { email: 'mary@example.com' }],
] as const)('reading about one whom %s is 404', async ([, query]) => {
  const answer = await read(query);
  expect(answer.status).toBe(404);
  expect((answer.body as { message: string }).message).toMatch(/^Subscriptions not found/);
});

test.for([
  [{ phone }, `phone ${phone}`, 'phone'],
  [{ email }, `email ${email}`, 'email'],
  [{ phone, email }, `phone ${phone} or email ${email}`, 'phone'],
] as const)('a read of %o that finds no one names what was looked for, and its place', async ([query, words, name]) => {
  const answer = await read(query);
  expect(answer.body).toEqual({
    message: `Subscriptions not found: this company has none on file for ${words}. Subscribe the person with POST /subscriptions first.`,
  });
  expect((await answer.exchange()).refusal).toMatchObject({ place: { in: 'query', at: name } });
});

test.for([0, 1])(
  'a person is eligible for texts while one of two numbers is subscribed, the first or the second (%i)',
  async (ended) => {
    const phones = [phone, '+15555550178'];
    for (const one of phones) await subscribe({ user: { phone: one, email }, signUpSourceId: '100001' });
    await unsubscribe({ user: { phone: phones[ended] } });
    expect((await read({ email })).body).toEqual({
      subscriptionEligibilities: [eligible('MARKETING', 'TEXT'), eligible('MARKETING', 'EMAIL')],
    });
    await unsubscribe({ user: { phone: phones[1 - ended] } });
    expect((await read({ email })).body).toEqual({
      subscriptionEligibilities: [eligible('MARKETING', 'TEXT', false), eligible('MARKETING', 'EMAIL')],
    });
  },
);

test('a read lists types in one order, and texts before emails, whatever came first', async () => {
  const answers = [];
  for (const unit of ['100002', '100001'])
    for (const user of [{ email }, { phone, email }]) answers.push(await subscribe({ user, signUpSourceId: unit }));
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(202));
  expect((await read({ email })).body).toEqual({
    subscriptionEligibilities: [
      eligible('MARKETING', 'TEXT'),
      eligible('MARKETING', 'EMAIL'),
      eligible('TRANSACTIONAL', 'TEXT'),
      eligible('TRANSACTIONAL', 'EMAIL'),
    ],
  });
});

test.for([null, ''])('an email sent as %j is read as left out, and a note says so', async (sent) => {
  const answer = await subscribe({ user: { phone, email: sent }, signUpSourceId: '100001' });
  expect(answer.body).toMatchObject({ user: { phone }, subscriptionResponses: [created('MARKETING', 'TEXT')] });
  expect((await answer.exchange()).notes).toContain(
    `email was sent as ${JSON.stringify(sent)} and was read as left out.`,
  );
});

test('another company cannot read or end our subscriptions', async () => {
  expect((await read({ email: 'ada@example.com' }, 'sandpiper-other-key')).status).toBe(404);
  expect((await unsubscribe({ user: { email: 'ada@example.com' } }, 'sandpiper-other-key')).status).toBe(404);
  expect(stored({ email: 'ada@example.com' }).every(({ status }) => status === 'subscribed')).toBe(true);
});

test('with no subscriptions in the request, the user is unsubscribed from all', async () => {
  await subscribe({ user: { phone, email }, signUpSourceId: '100001' });
  await subscribe({ user: { phone, email }, signUpSourceId: '100002' });
  const answer = await unsubscribe({ user: { phone, email }, notification: { language: 'fr-CA' } });
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    user: { phone, email },
    subscriptionResponses: [
      ended('MARKETING', 'TEXT'),
      ended('MARKETING', 'EMAIL'),
      ended('TRANSACTIONAL', 'TEXT'),
      ended('TRANSACTIONAL', 'EMAIL'),
    ],
  });
  expect(stored({ phone }).map(({ status }) => status)).toEqual(Array(4).fill('unsubscribed'));
});

test('unsubscribing an address of a known person that has no subscription is noted', async () => {
  await subscribe({ user: { email }, signUpSourceId: '100001' });
  await sandbox.call('POST', '/identity-resolution/user-identifiers', { json: { phone, email, clientUserId: 'c-1' } });
  const answer = await unsubscribe({ user: { phone } });
  expect(answer.body).toEqual({ user: { phone }, subscriptionResponses: [] });
  expect((await answer.exchange()).notes).toEqual([
    `Nothing was on file for phone ${phone}, so nothing ended, and no text was sent.`,
  ]);
  expect(stored({ email }).map(({ status }) => status)).toEqual(['subscribed']);
});

test('with subscriptions listed, only those end', async () => {
  const person = { phone: '+15555550101' };
  const answer = await unsubscribe({ user: person, subscriptions: [{ type: 'TRANSACTIONAL', channel: 'TEXT' }] });
  expect(answer.body).toEqual({ user: person, subscriptionResponses: [ended('TRANSACTIONAL', 'TEXT')] });
  expect((await read(person)).body).toEqual({
    subscriptionEligibilities: [eligible('MARKETING', 'TEXT'), eligible('TRANSACTIONAL', 'TEXT', false)],
  });
});

test.for(['TEXT', 'EMAIL'] as const)('of a phone and an email, %s that is listed ends alone', async (channel) => {
  const person = { phone: '+15555550100', email: 'ada@example.com' };
  const answer = await unsubscribe({ user: person, subscriptions: [{ type: 'MARKETING', channel }] });
  expect(answer.body).toEqual({ user: person, subscriptionResponses: [ended('MARKETING', channel)] });
  const left = stored({ email: person.email }).filter(({ status }) => status === 'subscribed');
  expect(left.map((one) => one.channel)).toEqual(channel === 'TEXT' ? ['EMAIL'] : ['TEXT']);
});

test('unsubscribing again returns previously unsubscribed, and the attempt is recorded', async () => {
  await unsubscribe({ user: { email: 'grace@example.com' } });
  const again = await unsubscribe({ user: { email: 'grace@example.com' } });
  expect(again.body).toMatchObject({ subscriptionResponses: [ended('MARKETING', 'EMAIL', 'PREVIOUSLY_UNSUBSCRIBED')] });
  expect(stored({ email: 'grace@example.com' })[0]?.attempts.map(({ act }) => act)).toEqual([
    'subscribe',
    'unsubscribe',
    'unsubscribe',
  ]);
});

test('an email ends only email subscriptions, a phone only text subscriptions', async () => {
  const status = () => Object.fromEntries(stored({ email: 'ada@example.com' }).map((one) => [one.channel, one.status]));
  expect((await unsubscribe({ user: { email: 'ADA@example.com' } })).body).toMatchObject({
    subscriptionResponses: [ended('MARKETING', 'EMAIL')],
  });
  expect(status()).toEqual({ TEXT: 'subscribed', EMAIL: 'unsubscribed' });
  await subscribe({ user: { email: 'ada@example.com' }, signUpSourceId: '100001' });
  expect((await unsubscribe({ user: { phone: '+15555550100' } })).body).toMatchObject({
    subscriptionResponses: [ended('MARKETING', 'TEXT')],
  });
  expect(status()).toEqual({ TEXT: 'unsubscribed', EMAIL: 'subscribed' });
});

test('a listed subscription on a channel without an address in the request is not changed', async () => {
  const answer = await unsubscribe({
    user: { email: 'ada@example.com' },
    subscriptions: [{ type: 'MARKETING', channel: 'TEXT' }],
  });
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({ user: { email: 'ada@example.com' }, subscriptionResponses: [] });
  expect((await answer.exchange()).notes.join()).toContain('user.phone');
  expect(stored({ email: 'ada@example.com' }).every((one) => one.status === 'subscribed')).toBe(true);
});

test('a phone and an email of two people end the texts of one and the emails of the other, and merge no one', async () => {
  const two = { phone: '+15555550101', email: 'katherine@example.com' };
  const answer = await unsubscribe({ user: two, subscriptions: [] });
  expect(answer.body).toMatchObject({
    subscriptionResponses: [ended('MARKETING', 'TEXT'), ended('MARKETING', 'EMAIL'), ended('TRANSACTIONAL', 'TEXT')],
  });
  expect(stored({ email: two.email }).find(({ channel }) => channel === 'TEXT')?.status).toBe('subscribed');
  expect(sandbox.emulator.deps.users.find(demoCompany, two)).toHaveLength(2);
});

test('a listed combination that was never on file returns previously unsubscribed, creates no record and sends no text', async () => {
  const { messages } = sandbox.emulator.deps.store;
  const sent = messages.size;
  const texts = await unsubscribe({
    user: { phone: '+15555550101' },
    subscriptions: [{ type: 'CHECKOUT_ABANDONED', channel: 'TEXT' }],
  });
  expect(texts.body).toMatchObject({
    subscriptionResponses: [ended('CHECKOUT_ABANDONED', 'TEXT', 'PREVIOUSLY_UNSUBSCRIBED')],
  });
  expect((await texts.exchange()).notes.join()).toContain('was never on file for +15555550101;');
  expect(stored({ phone: '+15555550101' }).map(({ type }) => type)).not.toContain('CHECKOUT_ABANDONED');
  expect(messages.size).toBe(sent);
  const answer = await unsubscribe({
    user: { email: 'mary@example.com' },
    subscriptions: [{ type: 'MARKETING', channel: 'EMAIL' }],
  });
  expect(answer.body).toMatchObject({
    subscriptionResponses: [ended('MARKETING', 'EMAIL', 'PREVIOUSLY_UNSUBSCRIBED')],
  });
  expect(stored({ email: 'mary@example.com' })).toEqual([]);
});

test.for([
  [{ user: { phone } }, 404, 'subscriptions.unknown-user'],
  [{ user: {} }, 400, 'subscriptions.contact'],
  [{ user: { phone: '+15555550101' }, notification: { language: 'en-us' } }, 400, 'input.choice'],
  [{ user: { phone: '+15555550101' }, subscriptions: [{ type: 'MARKETING', channel: 'SMS' }] }, 400, 'input.choice'],
] as const)('unsubscribing with %j is %i and ends nothing', async ([json, status, rule]) => {
  const answer = await unsubscribe(json);
  expect([answer.status, answer.rule]).toEqual([status, rule]);
  expect(stored({ phone: '+15555550101' }).every((one) => one.status === 'subscribed')).toBe(true);
});

test.for([
  ['several units match', { locale: { language: 'fr', country: 'CA' }, subscriptionType: 'MARKETING' }],
  ['none is named, and several are for the language', { locale: { language: 'fr', country: 'CA' } }],
] as const)('where %s, the fix names each that would do, and sends the first', async ([, wanted]) => {
  const refused = await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550123' }, ...wanted },
  });
  const { refusal } = await refused.exchange();
  expect(refusal?.fix.say).toContain('Send signUpSourceId "100003" or "100004"');
  expect(refusal?.fix.edits).toContainEqual({
    op: 'set',
    place: { in: 'body', at: '/signUpSourceId' },
    value: '100003',
  });
});
