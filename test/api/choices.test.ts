import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultChoices } from '../../emulator/http/choices.ts';
import { useSandbox, type Sandbox } from '../support/sandbox.ts';

type Paths = {
  readonly [path: string]: {
    readonly [method: string]: { readonly responses: { readonly [status: string]: { readonly content?: object } } };
  };
};

const user = { email: 'ada@example.com' };

describe('unknown fields', () => {
  const sandbox = useSandbox();
  const notesOf = async (method: string, path: string, json: unknown) => {
    const answer = await sandbox.call(method, path, { json });
    return { status: answer.status, notes: (await answer.exchange()).notes };
  };

  test('a misspelt field is accepted, and noted with the name that was probably meant', async () => {
    const json = { user: { phone: '+15555550177', emial: 'x' }, signUpSourceId: '100001', singleOptin: true, foo: 1 };
    const { status, notes } = await notesOf('POST', '/subscriptions', json);
    expect(status).toBe(202);
    expect(notes).toEqual([
      'user.emial is not a field of this operation and was ignored. Did you mean user.email?',
      'singleOptin is not a field of this operation and was ignored. Did you mean singleOptIn?',
      'foo is not a field of this operation and was ignored.',
    ]);
  });

  const ada = { phone: '+15555550100', email: 'ada@example.com' };
  const identifiers = { clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] };
  const item = { productId: 'p', productVariantId: 'v', name: 'Shirt', quantity: 1 };
  const product = { ...item, price: [{ value: 19.99, currency: 'USD' }], productUrl: 'https://shop.example.com/shirt' };
  test.for([
    ['POST', '/webhooks', { url: 'http://localhost:3000/webhooks', events: ['sms.sent', 'email.opened'] }],
    ['POST', '/events/ecommerce/product-view', { items: [product], user: ada }],
    ['POST', '/events/ecommerce/purchase', { items: [product], user: ada, salesChannel: { channelType: 'WEB' } }],
    [
      'POST',
      '/coupons/coupon-pool/54100/create',
      { codes: ['A', 'B'], distributionStart: '2031-01-01T00:00:00Z', distributionStop: '2031-02-01T00:00:00Z' },
    ],
    [
      'POST',
      '/events/custom',
      {
        type: 'Order Shipped',
        user: { ...ada, externalIdentifiers: identifiers },
        properties: { total: 5, link: 'https://shop.example.com/orders/1', sent: true },
        externalEventId: '37fb97a9-6cfd-4983-bd65-68d104d53b70',
      },
    ],
    ['POST', '/attributes/custom', { user: ada, properties: { age: '24', 'favorite color': 'blue' } }],
    ['GET', '/attributes/custom?phone=%2B15555550100'],
    [
      'POST',
      '/subscriptions',
      { user: ada, signUpSourceId: '100001', subscriptionType: 'MARKETING', externalIdentifiers: identifiers },
    ],
    [
      'POST',
      '/subscriptions',
      { user: ada, locale: { language: 'en', country: 'US' }, subscriptionType: 'TRANSACTIONAL', singleOptIn: true },
    ],
    ['GET', '/subscriptions?phone=%2B15555550100&email=ada%40example.com'],
    [
      'POST',
      '/subscriptions/unsubscribe',
      {
        user: ada,
        subscriptions: [
          { type: 'MARKETING', channel: 'TEXT' },
          { type: 'MARKETING', channel: 'EMAIL' },
        ],
        notification: { language: 'en-US', disabled: false },
      },
    ],
    ['POST', '/product-catalog/uploads', { validateOnly: false }],
    [
      'POST',
      '/privacy/delete-request',
      { subscriberPhone: '+15555550177', subscriberEmail: 'joan@example.com', requestMsg: 'Asked by mail.' },
    ],
    ['POST', '/identity-resolution/user-identifiers', { ...ada, ...identifiers, shopifyId: 's-1', klaviyoId: 'k-1' }],
  ] as const)('%s %s as the specification has it is accepted without a note', async ([method, path, json]) => {
    onTestFinished(() => sandbox.reset());
    const { status, notes } = await notesOf(method, path, json);
    expect([Math.floor(status / 100), notes]).toEqual([2, []]);
  });

  test('custom names are not unknown fields', async () => {
    const properties = { anything: 1, at: 'all' };
    expect((await notesOf('POST', '/attributes/custom', { properties, user })).notes).toEqual([]);
    const identifiers = { customIdentifiers: { loyaltyId: 'L-1' } };
    const event = { type: 'Order Shipped', properties, user: { ...user, externalIdentifiers: identifiers } };
    expect((await notesOf('POST', '/events/custom', event)).notes.join()).not.toContain('not a field');
  });

  test.each([
    ['GET', '/me?debug=1', 'debug is not a field of this operation and was ignored.'],
    ['GET', '/webhooks?limit=3', 'limit is not a field of this operation and was ignored.'],
    ['GET', '/product-catalog/uploads?limit=3', 'limit is not a field of this operation and was ignored.'],
    [
      'GET',
      '/subscriptions?phone=%2B15555550100&emial=x',
      'emial is not a field of this operation and was ignored. Did you mean email?',
    ],
    [
      'POST',
      '/events/custom?type=Visit',
      'type was sent in the query, where it is not read: it is a field of the body.',
    ],
    ['POST', '/events/custom?typ=Visit', 'typ is not a field of this operation and was ignored.'],
  ])('a parameter of %s %s is noted, whether or not its operation takes any', async (method, path, said) => {
    const { status, notes } = await notesOf(method, path, method === 'GET' ? undefined : { type: 'Visit', user });
    expect([status, notes]).toEqual([200, [said]]);
  });

  test.for([
    ['/authorization-codes/tokens?code=abc', { form: {} }, 'oauth.invalid-request.missing', 'code'],
    ['/webhooks?url=http%3A%2F%2Flocalhost%3A3000', { json: { events: ['sms.sent'] } }, 'input.required', 'url'],
    ['/subscriptions?user=ada', {}, 'body.missing', 'user'],
  ] as const)(
    'POST %s, which lacks a field in its body, is told that it is in the query',
    async ([path, sent, rule, name]) => {
      const answer = await sandbox.call('POST', path, sent);
      expect([answer.status, answer.rule]).toEqual([400, rule]);
      expect((await answer.exchange()).notes).toEqual([
        `${name} was sent in the query, where it is not read: it is a field of the body.`,
      ]);
    },
  );

  test.for([
    ['/subscriptions?signUpSourceId=100003', { user: { phone: '+15555550177' } }, 'signUpSourceId', '100003'],
    ['/events/custom?type=Visit', { user: { phone: '+15555550177' } }, 'type', 'Visit'],
    ['/privacy/delete-request?subscriberPhone=%2B15555550177', {}, 'subscriberPhone', '+15555550177'],
  ] as const)('POST %s: the fix moves to the body what was sent in the query', async ([path, json, name, value]) => {
    const refused = await sandbox.call('POST', path, { json });
    const edits = (await refused.exchange()).refusal?.fix.edits;
    const [inQuery, inBody] = [{ in: 'query', at: name } as const, { in: 'body', at: `/${name}` } as const];
    expect(edits).toEqual([
      { op: 'remove', place: inQuery },
      { op: 'set', place: inBody, value },
    ]);
    const [plain = ''] = path.split('?');
    expect((await sandbox.call('POST', plain, { json: { ...json, [name]: value } })).status).toBeLessThan(300);
  });

  test('a form in the query is to be sent in the body, and the fix does not repeat its secret', async () => {
    const path = '/authorization-codes/tokens?client_id=a&client_secret=b&code=c';
    const { refusal } = await (await sandbox.call('POST', path, { form: {} })).exchange();
    expect(refusal?.fix).toEqual({
      say: 'Send code, client_id, client_secret in the body, not in the query.',
      edits: [],
    });
  });

  test('a text in the query for an object of the body is not moved there', async () => {
    const { refusal } = await (await sandbox.call('POST', '/subscriptions?user=ada', { json: {} })).exchange();
    expect(refusal?.fix.edits).not.toContainEqual(expect.objectContaining({ value: 'ada' }));
  });

  test('where a field is missing, a field beside it that is not read is noted', async () => {
    const json = {
      user: { phone: '+15555550177' },
      items: [{ productId: 'p', price: [{ value: 1 }], variantId: 'v' }],
    };
    const refused = await sandbox.call('POST', '/events/ecommerce/product-view', { json });
    expect([refused.status, refused.rule]).toEqual([400, 'input.required']);
    expect((await refused.exchange()).notes).toEqual([
      'items.0.variantId is not a field of this operation and was ignored. Did you mean items.0.productVariantId?',
    ]);
  });

  test('what a list has twice is noted', async () => {
    const events = ['sms.sent', 'email.opened', 'sms.sent'];
    const webhook = await notesOf('POST', '/webhooks', { url: 'http://localhost:3000/hooks', events });
    expect(webhook).toEqual({ status: 201, notes: ['events has a type more than once; it was kept once.'] });
    const wanted = { type: 'MARKETING', channel: 'EMAIL' };
    const json = { user: { email: 'grace@example.com' }, subscriptions: [wanted, wanted] };
    const unsubscribed = await notesOf('POST', '/subscriptions/unsubscribe', json);
    expect(unsubscribed.notes).toEqual(['subscriptions has a combination more than once; it was ended once.']);
  });

  test('a name that an object has twice is noted, because only its last value is read', async () => {
    const headers = { 'content-type': 'application/json' };
    const notes = async (raw: string) =>
      (await (await sandbox.call('POST', '/events/custom', { raw, headers })).exchange()).notes;
    const said = (name: string) => `The name "${name}" is in one object more than once: only its last value was read.`;
    const twice = String.raw`{"type":"Visit","t\u0079pe":"Sale","user":{"email":"a@example.com","email":"ada@example.com"}}`;
    expect(await notes(twice)).toEqual([said('type'), said('email')]);
    const large = `{"type":"Visit","properties":{"note":"${'x'.repeat(500_000)}"},"user":{"email":"a@example.com","email":"ada@example.com"}}`;
    expect(await notes(large)).toContain(said('email'));
    const once =
      '{"type":"Visit","user":{"email":"ada@example.com"},"properties":{"type":"}{","items":[{"a":1},{"a":2}]}}';
    expect((await notes(once)).join()).not.toContain('more than once');
  });

  test('a field whose value does not fit is not proposed', async () => {
    const json = { user, signUpSourceId: '100001', externalEventId: 'e-1' };
    expect((await notesOf('POST', '/subscriptions', json)).notes).toEqual([
      'externalEventId is not a field of this operation and was ignored.',
    ]);
  });

  test.for([
    ['1e-400', '0'],
    ['0.12345678901234567891', '0.12345678901234568'],
    ['-9007199254740993', '-9007199254740992'],
    ['0.30000000000000004', null],
    ['0.10000000000000001', null],
    ['1.50000000000000000000', null],
    ['0e-400', null],
  ] as const)('that the number %s is read as %s is noted', async ([sent, read]) => {
    const raw = `{"type":"Visit","user":{"email":"ada@example.com"},"properties":{"n":${sent}}}`;
    const headers = { 'content-type': 'application/json' };
    const { notes } = await (await sandbox.call('POST', '/events/custom', { raw, headers })).exchange();
    const told = `The number ${sent} was read as ${read}: a number keeps about 16 digits. Where any value is taken, a text keeps all of them.`;
    expect(notes).toEqual(read === null ? [] : [told]);
  });

  test('a query that is not UTF-8 is noted, and such a path refused', async () => {
    const query = await sandbox.call('GET', '/subscriptions?email=jos%E9@example.com');
    expect((await query.exchange()).notes.join()).toContain('not UTF-8');
    const path = await sandbox.call('DELETE', '/webhooks/%E9');
    expect([path.status, path.rule]).toEqual([400, 'request.path-encoding']);
  });

  test('a variable that the operation does not declare is noted', async () => {
    const query = 'query Q($phone: ID = "x") { nodes(ids: [$phone]) { id } }';
    const variables = { phnoe: '+15555550100' };
    const { notes } = await notesOf('POST', '/graphql', { query, variables });
    const note = 'The variable phnoe is not one of the operation and was ignored. Did you mean phone?';
    expect(notes).toContain(note);
    expect((await notesOf('POST', '/graphql', { query, variables: { ...variables, phone: null } })).notes).toContain(
      note,
    );
  });

  test('a field that was sent empty counts as the one that was meant by a misspelt one beside it', async () => {
    const { notes } = await notesOf('POST', '/events/custom', {
      type: 'Visit',
      user: { ...user, email: '', e_mail: 'a@b.example' },
    });
    expect(notes).toContain('user.e_mail is not a field of this operation and was ignored. Did you mean user.email?');
  });

  test('a body that an operation does not take is noted', async () => {
    const { status, notes } = await notesOf('DELETE', '/webhooks/unknown', { reason: 'x' });
    expect([status, notes]).toEqual([
      404,
      ['DELETE /webhooks/{webhookId} takes no body: the one that was sent was not read.'],
    ]);
    expect((await notesOf('DELETE', '/webhooks/unknown', undefined)).notes).toEqual([]);
  });

  test('items of a list are checked, too', async () => {
    const item = { productId: 'a', productVariantId: 'b', price: [{ value: 1, curency: 'USD' }] };
    const { notes } = await notesOf('POST', '/events/ecommerce/purchase', { items: [item], user });
    expect(notes).toEqual([
      'items.0.price.0.curency is not a field of this operation and was ignored. Did you mean items.0.price.0.currency?',
    ]);
  });
});

describe('unknown fields that are refused', () => {
  const sandbox = useSandbox({ choices: { ...defaultChoices, unknownFields: 'refuse' } });
  const headers = { 'content-type': 'application/json' };

  test('a field of the body that is sent in the query is refused, and the fix removes it there', async () => {
    const json = { type: 'Visit', user };
    const answer = await sandbox.call('POST', '/events/custom?type=Sale', { json });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        message:
          'type was sent in the query, where it is not read: it is a field of the body. It is refused because --unknown-fields is refuse.',
      },
    ]);
    expect((await answer.exchange()).refusal?.fix).toEqual({
      say: 'Send type in the body, not in the query.',
      edits: [{ op: 'remove', place: { in: 'query', at: 'type' } }],
    });
  });

  test('a variable that the operation does not declare is refused, and renamed by the fix', async () => {
    const query = 'query Q($phone: ID = "x") { nodes(ids: [$phone]) { id } }';
    const answer = await sandbox.call('POST', '/graphql', { json: { query, variables: { phnoe: '+15555550100' } } });
    const { refusal } = await answer.exchange();
    expect(refusal).toMatchObject({ rule: 'graphql.unknown-variable', place: { in: 'body', at: '/variables/phnoe' } });
    expect(refusal?.fix.edits).toContainEqual({
      op: 'set',
      place: { in: 'body', at: '/variables/phone' },
      value: '+15555550100',
    });
  });

  test('a query by GET is refused for its method, and an install page takes response_type', async () => {
    const get = await sandbox.call('GET', '/graphql?query={__typename}');
    expect([get.status, get.rule]).toEqual([405, 'graphql.get']);
    const installed =
      '/integrations/oauth-install?response_type=code&client_id=sandpiper-demo-client&redirect_uri=http://localhost:3000/callback';
    expect((await sandbox.call('GET', installed)).status).toBe(200);
  });

  test('a GraphQL request takes the extensions that clients send with each', async () => {
    const extensions = { clientLibrary: { name: '@apollo/client', version: '4.3.8' } };
    const answer = await sandbox.call('POST', '/graphql', { json: { query: '{ __typename }', extensions } });
    expect([answer.status, (await answer.exchange()).notes]).toEqual([200, []]);
    const json = { query: '{ __typename }', extensions: null };
    expect((await sandbox.call('POST', '/graphql', { json })).status).toBe(200);
  });

  const send = async (path: string, raw: string) => {
    const answer = await sandbox.call('POST', path, { raw, headers });
    return { answer, refusal: (await answer.exchange()).refusal };
  };

  test('a name that an object has twice is refused, with its place and the body without the value that is not read', async () => {
    const raw = String.raw`{ "items": [{"productId": "a"}, {"price": [{"value": 1, "v\u0061lue": {"x": [1]}, "value": 2}]}] }`;
    const { answer, refusal } = await send('/events/ecommerce/purchase', raw);
    expect([answer.status, answer.rule]).toEqual([400, 'body.repeated-name']);
    expect(answer.text).toContain('items.1.price.0.value is in the body more than once');
    expect(refusal).toMatchObject({
      place: { in: 'body', at: '/items/1/price/0/value' },
      value: 2,
      fix: {
        edits: [{ op: 'replace-body', text: '{ "items": [{"productId": "a"}, {"price": [{"value": 2}]}] }' }],
      },
    });
  });

  test('the same name in different objects, and in texts, is not a repetition', async () => {
    const properties = '{"type":"\\"type\\":{","items":[{"type":1},{"type":2}],"type ":"}"}';
    const raw = `{"type":"Visit","user":{"email":"ada@example.com"},"properties":${properties}}`;
    expect((await send('/events/custom', raw)).answer.status).toBe(200);
  });

  test('in a body of many megabytes it is refused, too', async () => {
    const codes = Array.from({ length: 15_000 }, (_, at) => `"CODE-${at}"`).join(',');
    const path = '/coupons/coupon-pool/54102/create';
    const twice = await send(path, `{"codes":["${'x'.repeat(4_000_000)}"],"codes":[${codes}]}`);
    expect([twice.answer.rule, twice.refusal?.fix.edits]).toEqual(['body.repeated-name', []]);
    expect((await send(path, `{"codes":[${codes}]}`)).answer.status).toBe(202);
  });

  test('GraphQL refuses it in its variables, and in the JSON text of properties', async () => {
    const query = 'mutation ($input: CreateCustomEventInput!) { createCustomEvent(input: $input) { type } }';
    const event = (rest: string) =>
      `{"query":"${query}","variables":{"input":{"type":"Visit","user":{"email":"ada@example.com"},${rest}}}}`;
    const variables = await send('/graphql', event('"properties":"{}","type":"Sale"'));
    expect([variables.answer.rule, variables.refusal?.place.at]).toEqual([
      'body.repeated-name',
      '/variables/input/type',
    ]);
    const text = await send('/graphql', event(String.raw`"properties":"{\"a\":{\"b\":1,\"b\":2}}"`));
    expect([text.answer.rule, text.answer.text]).toEqual([
      'graphql.properties-json',
      expect.stringContaining('more than once'),
    ]);
    expect(text.refusal?.fix.edits).toMatchObject([{ value: '{"a":{"b":2}}' }]);
  });
});

describe('unsubscribing an unknown person', () => {
  const helpful = useSandbox();
  const lenient = useSandbox({ choices: { ...defaultChoices, unknownUnsubscribe: 'accept' } });
  const json = { user: { phone: '+15555559999' } };

  test('is a 404 that names the option', async () => {
    const answer = await helpful.call('POST', '/subscriptions/unsubscribe', { json });
    expect([answer.status, answer.rule]).toEqual([404, 'subscriptions.unknown-user']);
    expect(answer.text).toContain('--unknown-unsubscribe accept');
  });

  test('is a 202 if that was chosen, with a note and no change', async () => {
    const before = JSON.stringify(lenient.emulator.deps.store.toDocument());
    const answer = await lenient.call('POST', '/subscriptions/unsubscribe', { json });
    expect([answer.status, (answer.body as { subscriptionResponses: unknown }).subscriptionResponses]).toEqual([
      202,
      [],
    ]);
    expect((await answer.exchange()).notes.join()).toContain('--unknown-unsubscribe');
    expect(JSON.stringify(lenient.emulator.deps.store.toDocument())).toBe(before);
  });
});

describe('exact answers', () => {
  const sandbox = useSandbox({ choices: { ...defaultChoices, answers: 'exact' } });
  const helpful = useSandbox();
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(sandbox.emulator.apiUrl + path, { headers });
  const ownHeaders = (answer: Response) => [...answer.headers.keys()].filter((name) => name.startsWith('x-sandbox'));

  test('the OpenAPI document says that a 401 is empty, except that of the token exchange', async () => {
    const withBody = async ({ control }: Sandbox) => {
      const { paths } = (await control('GET', '/control/openapi.json')).body as { readonly paths: Paths };
      const operations = Object.entries(paths).flatMap(([path, item]) =>
        Object.values(item).map(({ responses }) => ({ path, has401: responses['401']?.content !== undefined })),
      );
      return operations.filter(({ has401 }) => has401).map(({ path }) => path);
    };
    expect(await withBody(sandbox)).toEqual(['/authorization-codes/tokens']);
    expect(await withBody(helpful)).toContain('/me');
  });

  test('a request without a valid credential gets an empty 401', async () => {
    for (const headers of [{}, { authorization: 'Bearer unknown' }]) {
      const answer = await get('/me', headers);
      expect([answer.status, await answer.text()]).toEqual([401, '']);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expect(answer.headers.get('content-type')).toBeNull();
      expect(ownHeaders(answer)).toEqual([]);
    }
  });

  test('a fault with 401 is as empty, except at the token exchange, whose body is that of RFC 6749', async () => {
    const strike = (method: string, path: string) =>
      fetch(sandbox.emulator.apiUrl + path, { method, headers: { 'x-sandbox-fault': 'status=401' } });
    for (const answer of [await strike('GET', '/me'), await strike('POST', '/graphql')]) {
      expect([answer.status, await answer.text()]).toEqual([401, '']);
      expect(answer.headers.get('content-type')).toBeNull();
    }
    const exchange = await strike('POST', '/authorization-codes/tokens');
    expect([exchange.status, await exchange.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  test('an unknown path gets the body that was observed', async () => {
    const answer = await get('/nothing');
    expect(answer.status).toBe(404);
    expect(Object.keys((await answer.json()) as object)).toEqual([
      'timestamp',
      'path',
      'status',
      'error',
      'requestId',
      'message',
    ]);
    expect(ownHeaders(answer)).toEqual([]);
  });

  test('the recorded request still says why', async () => {
    await get('/nothing');
    expect(sandbox.emulator.recorder.all().at(-1)?.refusal?.rule.id).toBe('request.unknown-path');
  });

  test('an error of GraphQL has no addition of ours, and the recorded request still says why', async () => {
    const answer = await fetch(`${sandbox.emulator.apiUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewr { __typename } }' }),
    });
    expect([answer.status, ownHeaders(answer)]).toEqual([200, []]);
    const { errors } = (await answer.json()) as { readonly errors: readonly object[] };
    expect(errors).toEqual([
      {
        message: expect.stringContaining('Did you mean "viewer"?'),
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
    expect(sandbox.emulator.recorder.all().at(-1)?.refusal?.rule.id).toBe('graphql.validation');
  });

  test('no other reply has a header of ours, refused or not', async () => {
    const key = { authorization: 'Bearer sandpiper-demo-key' };
    expect(ownHeaders(await get('/me', key))).toEqual([]);
    const refused = await get('/subscriptions', key);
    expect([refused.status, ownHeaders(refused)]).toEqual([400, []]);
    expect(await refused.json()).toMatchObject({ message: expect.any(String) });
  });
});

describe('paths that are not an operation', () => {
  const sandbox = useSandbox();
  test.each([
    ['GET', '/coupons/54102/create', 'POST /v1/coupons/coupon-pool/{coupon-pool-id}/create'],
    ['POST', '/events', '/v1/events/custom'],
    ['POST', '/subscriptions/unsubscrib', 'POST /v1/subscriptions/unsubscribe'],
    ['GET', '/webhook', 'GET /v1/webhooks'],
    ['POST', '/identity', 'POST /v1/identity-resolution/user-identifiers'],
    ['POST', '/custom-attributes', 'POST /v1/attributes/custom'],
  ])('%s %s: the nearest is %s', async (method, path, nearest) => {
    const answer = await sandbox.call(method, path);
    expect([answer.status, answer.rule]).toEqual([404, 'request.unknown-path']);
    expect(answer.text).toContain(nearest);
  });

  test.each([
    ['DELETE', '/webhooks/', 'DELETE /v1/webhooks/{webhookId}', 'webhookId'],
    ['PUT', '/webhooks/', 'PUT /v1/webhooks/{webhookId}', 'webhookId'],
    ['GET', '/privacy/delete-request/', 'GET /v1/privacy/delete-request/{id}', 'id'],
    ['POST', '/coupons/coupon-pool//create', 'POST /v1/coupons/coupon-pool/{coupon-pool-id}/create', 'coupon-pool-id'],
  ])(
    '%s %s is told that %s has an empty %s, and no other operation is proposed',
    async (method, path, nearest, name) => {
      const answer = await sandbox.call(method, path);
      expect(answer.body).toEqual({
        message: `There is no operation ${method} /v1${path}. The nearest one is ${nearest}, and its ${name} is empty.`,
      });
      const { refusal } = sandbox.emulator.recorder.all().at(-1) ?? {};
      expect(refusal?.fix).toEqual({ say: `Call ${nearest}, with a value for ${name}.`, edits: [] });
    },
  );

  test.each([
    ['GET', '/me/', 'GET /v1/me'],
    ['GET', '/product-catalog/uploads/', 'GET /v1/product-catalog/uploads'],
    ['POST', '/product-catalog/uploads/', 'POST /v1/product-catalog/uploads'],
  ])('%s %s is told of %s, which has no slash at its end', async (method, path, nearest) => {
    const answer = await sandbox.call(method, path);
    expect(answer.body).toEqual({
      message: `There is no operation ${method} /v1${path}. The nearest one is ${nearest}.`,
    });
    expect(sandbox.emulator.recorder.all().at(-1)?.refusal?.fix.edits).toEqual([
      { op: 'set', place: { in: 'path', at: '' }, value: nearest.split(' ')[1] },
    ]);
  });

  test.each([
    ['POST', '/oauth/token', 'POST /v1/authorization-codes/tokens'],
    ['POST', '/v1/oauth/token', 'POST /v1/authorization-codes/tokens'],
    ['POST', '/oauth/access_token', 'POST /v1/authorization-codes/tokens'],
    ['GET', '/oauth/authorize', 'GET /integrations/oauth-install'],
    ['GET', '/authorize', 'GET /integrations/oauth-install'],
  ])('%s %s, where OAuth libraries call by default, is told of %s', async (method, path, nearest) => {
    const answer = await fetch(sandbox.emulator.authUrl + path, { method });
    expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([404, 'request.unknown-path']);
    expect(await answer.json()).toEqual({
      message: `There is no operation ${method} ${path}. The nearest one is ${nearest}.`,
    });
    expect(sandbox.emulator.recorder.all().at(-1)?.refusal?.fix.edits).toEqual([
      { op: 'set', place: { in: 'path', at: '' }, value: nearest.split(' ')[1] },
    ]);
  });

  test.each([
    ['GET', '/events/custom', 'POST'],
    ['OPTIONS', '/events/custom', 'POST'],
    ['OPTIONS', '/subscriptions', 'GET'],
    ['OPTIONS', '/webhooks', 'GET'],
    ['PUT', '/subscriptions', 'POST'],
    ['POST', '/webhooks/unknown', 'PUT'],
  ])('the fix for %s %s is %s: a preflight becomes no change if something can be read', async (method, path, meant) => {
    const answer = await sandbox.call(method, path);
    expect([answer.status, answer.rule]).toEqual([405, 'request.method']);
    expect(sandbox.emulator.recorder.all().at(-1)?.refusal?.fix).toEqual({
      say: `Send ${meant}.`,
      edits: [{ op: 'set', place: { in: 'method', at: '' }, value: meant }],
    });
  });

  test.each([
    ['GET', '/favicon.ico'],
    ['POST', '/v1/nope'],
    ['GET', '/v1/users/5'],
    ['POST', '/v1/oauth/revoke'],
  ])('%s %s has no similar path, and none is named', async (method, path) => {
    const answer = await fetch(sandbox.emulator.authUrl + path, { method });
    expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([404, 'request.unknown-path']);
    expect(await answer.json()).toEqual({
      message: `There is no operation ${method} ${path}. None has a similar path.`,
    });
  });

  test.each(['/openapi.json', '/v1/openapi.yaml', '/swagger.json', '/v3/api-docs', '/docs'])(
    'GET %s, where tools look for the description of an API, is told where it is',
    async (path) => {
      const answer = await fetch(sandbox.emulator.authUrl + path);
      expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([404, 'request.unknown-path']);
      const { inspectorUrl } = sandbox.emulator;
      const { message } = (await answer.json()) as { readonly message: string };
      expect(message).toBe(
        `There is no operation GET ${path}. The OpenAPI document is ${inspectorUrl}/control/openapi.json.`,
      );
      expect((await sandbox.control('GET', '/control/openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
    },
  );

  test.each(['/', '/v1', '/v1/'])('a person who opens %s in a browser is told of the inspector', async (path) => {
    const { authUrl, inspectorUrl } = sandbox.emulator;
    const answer = await fetch(authUrl + path);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      {
        message: `There is no operation GET ${path}. Paths begin with /v1, as in GET /v1/me. The inspector is at ${inspectorUrl}.`,
      },
    ]);
  });

  test.each([
    ['GET', '/v1/text/send', 'POST /v1/text/send'],
    ['GET', '/v2/user/attributes', 'POST /v2/user/attributes'],
  ])('%s %s is told of the operation that the platform has there, %s', async (method, path, known) => {
    const answer = await fetch(sandbox.emulator.authUrl + path, { method });
    expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([404, 'request.not-emulated']);
    expect(await answer.text()).toContain(`There is no operation ${method} ${path}. ${known} is an operation`);
  });

  test.each([
    ['GET', '/v2/me'],
    ['POST', '/v2/user/attributes'],
    ['POST', '/v2/bulk/subscribers'],
    ['GET', '/v1/segments'],
    ['POST', '/v1/text/send'],
    ['DELETE', '/v1/subscriptions?phone=%2B15555550100'],
  ])('%s %s is named as an operation of the platform that is not emulated', async (method, path) => {
    const answer = await fetch(sandbox.emulator.authUrl + path, { method });
    expect([answer.status, answer.headers.get('x-sandbox-rule')]).toEqual([404, 'request.not-emulated']);
    expect(await answer.text()).toContain('not emulated');
  });

  test('OPTIONS is a 405 that says why a page cannot call the platform', async () => {
    const answer = await sandbox.call('OPTIONS', '/subscriptions');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, GET']);
    expect(answer.text).toContain('no CORS');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
