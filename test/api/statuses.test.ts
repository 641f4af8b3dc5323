import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { toOpenApi } from '../../emulator/contract/openapi.ts';
import { errorBodies } from '../../emulator/http/error-text.ts';
import type { Dialect } from '../../emulator/http/error-text.ts';
import { operationName } from '../../emulator/http/endpoint.ts';
import { consent, decide, demoApp, openConsent } from '../support/oauth.ts';
import { useSandbox, type CallOptions, type Sandbox } from '../support/sandbox.ts';

/**
 * The table of every operation (specification section 4, and the install page of section 5) × every status that its
 * document names. A cell says what causes the status: the good request `works`, a changed one, or, if no input causes
 * it, a `fault` requested by header.
 */

type Request = CallOptions & { readonly path: string };
type Good = Request | ((sandbox: Sandbox) => Promise<Request>);
type Cell = 'works' | 'fault' | ((good: Request, sandbox: Sandbox) => Request | Promise<Request>);

interface Row {
  readonly dialect: Dialect;
  readonly good: Good;
  readonly statuses: { readonly [status: number]: Cell };
}

const noKey: Cell = (good) => ({ ...good, key: null });

/** The key of an app without these scopes. */
const noScope: Cell = async (good, sandbox) => {
  const [company] = [...sandbox.emulator.deps.store.companies.all()];
  const { body } = await sandbox.control('POST', '/control/credentials', {
    companyId: company?.id,
    scopes: ['segments:read'],
  });
  return { ...good, key: (body as { secret: string }).secret };
};

const withJson =
  (json: unknown): Cell =>
  (good) => ({ ...good, json });
const at =
  (path: string, query?: Readonly<Record<string, string>>): Cell =>
  (good) => ({ ...good, path, ...(query && { query }) });

const withRaw = ({ json: _json, form: _form, ...rest }: Request, raw: string | Buffer, type: string, more = {}) => ({
  ...rest,
  raw,
  headers: { ...rest.headers, 'content-type': type, ...more },
});

/** One byte over the limit; compressed, so that little is sent. */
const tooLarge =
  (limit: number, type = 'application/json'): Cell =>
  (good) =>
    withRaw(good, gzipSync(Buffer.alloc(limit + 1, ' ')), type, { 'content-encoding': 'gzip' });
const megabyte = 1024 * 1024;
const plainText: Cell = (good) => withRaw(good, 'hello', 'text/plain');

const reads = { 400: 'fault', 401: noKey, 403: noScope, 404: 'fault', 500: 'fault' } as const;
const writes = { ...reads, 400: withJson([]), 413: tooLarge(megabyte), 415: plainText } as const;

const phone = '+15555550100';
const webhook = { url: 'http://localhost:3000/webhooks', events: ['sms.sent'] };
const items = [{ productId: 'AB12345', productVariantId: 'CD12345', price: [{ value: 19.99 }] }];
const event = { items, user: { phone } };
const range = { distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2026-12-10T00:00:00Z' };
const install = '/integrations/oauth-install';
const { client_id, redirect_uri } = demoApp;

const aWebhook = async (sandbox: Sandbox): Promise<Request> => {
  const { id } = (await sandbox.call('POST', '/webhooks', { json: webhook })).body as { id: string };
  return { path: `/webhooks/${id}` };
};
const aPrivacyRequest = async (sandbox: Sandbox): Promise<Request> => {
  const json = { subjectEmail: 'nobody@example.com' };
  const { id } = (await sandbox.call('POST', '/privacy/delete-request', { json })).body as { id: string };
  return { path: `/privacy/delete-request/${id}` };
};
const anUpload = async (sandbox: Sandbox): Promise<Request> => {
  const { uploadId } = (await sandbox.call('POST', '/product-catalog/uploads')).body as { uploadId: string };
  return { path: `/product-catalog/uploads/${uploadId}` };
};
const aCode = async (sandbox: Sandbox): Promise<Request> => {
  const form = { grant_type: 'authorization_code', code: await consent(sandbox), ...demoApp };
  return { path: '/authorization-codes/tokens', key: null, form };
};
const aDecision = async (sandbox: Sandbox): Promise<Request> => {
  const { fields, companies, cookie } = await openConsent(sandbox);
  const form = { ...fields, decision: 'approve', company_id: Object.values(companies)[0] ?? '' };
  return { path: install, key: null, form, headers: { cookie } };
};
const aShortLink = async (sandbox: Sandbox): Promise<Request> => {
  const json = {
    type: 'Order Shipped',
    user: { phone: '+15555550100' },
    properties: { status: 'https://shop.example.com/' },
  };
  await sandbox.call('POST', '/events/custom', { json });
  return { path: `/l/${[...sandbox.emulator.deps.store.shortLinks.all()][0]?.id}`, key: null };
};
const withForm =
  (change: Readonly<Record<string, string>>): Cell =>
  (good) => ({ ...good, form: { ...good.form, ...change } });

const table: { readonly [operation: string]: Row } = {
  'GET /me': {
    dialect: 'message',
    good: { path: '/me' },
    statuses: { ...reads, 200: 'works', 403: 'fault', 429: 'fault' },
  },
  'GET /webhooks': { dialect: 'message', good: { path: '/webhooks' }, statuses: { ...reads, 200: 'works' } },
  'POST /webhooks': {
    dialect: 'message',
    good: { path: '/webhooks', json: webhook },
    statuses: { ...writes, 201: 'works' },
  },
  'PUT /webhooks/{webhookId}': {
    dialect: 'message',
    good: async (sandbox) => ({ ...(await aWebhook(sandbox)), json: webhook }),
    statuses: { ...writes, 200: 'works', 404: at('/webhooks/nothing') },
  },
  'DELETE /webhooks/{webhookId}': {
    dialect: 'message',
    good: aWebhook,
    statuses: { ...reads, 204: 'works', 404: at('/webhooks/nothing') },
  },
  'POST /authorization-codes/tokens': {
    dialect: 'oauth',
    good: aCode,
    statuses: {
      200: 'works',
      400: withForm({ code: 'guessed' }),
      401: withForm({ client_secret: 'guessed' }),
      413: tooLarge(64 * 1024, 'application/x-www-form-urlencoded'),
      415: plainText,
      500: 'fault',
    },
  },
  'POST /events/ecommerce/product-view': {
    dialect: 'message',
    good: { path: '/events/ecommerce/product-view', json: event },
    statuses: { ...writes, 200: 'works', 429: 'fault' },
  },
  'POST /events/ecommerce/add-to-cart': {
    dialect: 'message',
    good: { path: '/events/ecommerce/add-to-cart', json: event },
    statuses: { ...writes, 200: 'works', 429: 'fault' },
  },
  'POST /events/ecommerce/purchase': {
    dialect: 'message',
    good: { path: '/events/ecommerce/purchase', json: event },
    statuses: { ...writes, 200: 'works', 429: 'fault' },
  },
  'POST /coupons/coupon-pool/{coupon-pool-id}/create': {
    dialect: 'offers',
    good: { path: '/coupons/coupon-pool/54100/create', json: { codes: ['A'], ...range } },
    statuses: {
      ...writes,
      202: 'works',
      404: at('/coupons/coupon-pool/54199/create'),
      413: tooLarge(200_000 * 272),
    },
  },
  'POST /events/custom': {
    dialect: 'message',
    good: { path: '/events/custom', json: { type: 'Order Shipped', user: { phone } } },
    statuses: { ...writes, 200: 'works', 429: 'fault' },
  },
  'POST /attributes/custom': {
    dialect: 'message',
    good: { path: '/attributes/custom', json: { properties: { age: '24' }, user: { phone } } },
    statuses: {
      ...writes,
      200: 'works',
      400: withJson({ properties: { sizes: ['M'] }, user: { phone } }),
      429: 'fault',
    },
  },
  'GET /attributes/custom': {
    dialect: 'message',
    good: { path: '/attributes/custom', query: { phone } },
    statuses: {
      ...reads,
      200: 'works',
      400: at('/attributes/custom', { phone, email: 'ada@example.com' }),
      404: at('/attributes/custom', { phone: '+15555559999' }),
      429: 'fault',
    },
  },
  'POST /subscriptions': {
    dialect: 'message',
    good: { path: '/subscriptions', json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' } },
    statuses: { ...writes, 202: 'works', 400: withJson({ user: { phone: '+15555550177' } }), 429: 'fault' },
  },
  'GET /subscriptions': {
    dialect: 'message',
    good: { path: '/subscriptions', query: { phone } },
    statuses: {
      ...reads,
      200: 'works',
      400: at('/subscriptions', {}),
      404: at('/subscriptions', { phone: '+15555559999' }),
      429: 'fault',
    },
  },
  'POST /subscriptions/unsubscribe': {
    dialect: 'message',
    good: { path: '/subscriptions/unsubscribe', json: { user: { phone } } },
    statuses: { ...writes, 202: 'works', 404: withJson({ user: { phone: '+15555559999' } }), 429: 'fault' },
  },
  'POST /product-catalog/uploads': {
    dialect: 'message',
    good: { path: '/product-catalog/uploads' },
    statuses: { ...writes, 200: 'works', 400: withJson({ validateOnly: 'yes' }), 429: 'fault' },
  },
  'GET /product-catalog/uploads': {
    dialect: 'message',
    good: { path: '/product-catalog/uploads' },
    statuses: { ...reads, 200: 'works', 429: 'fault' },
  },
  'GET /product-catalog/uploads/{uploadId}': {
    dialect: 'message',
    good: anUpload,
    statuses: { ...reads, 200: 'works', 404: at('/product-catalog/uploads/nothing'), 429: 'fault' },
  },
  'POST /privacy/delete-request': {
    dialect: 'privacy',
    good: { path: '/privacy/delete-request', json: { subjectEmail: 'ada@example.com' } },
    statuses: { ...writes, 200: 'works', 400: withJson({}), 429: 'fault' },
  },
  'GET /privacy/delete-request/{id}': {
    dialect: 'message',
    good: aPrivacyRequest,
    statuses: { ...reads, 200: 'works', 404: at('/privacy/delete-request/0nobody0made'), 429: 'fault' },
  },
  'POST /identity-resolution/user-identifiers': {
    dialect: 'message',
    good: { path: '/identity-resolution/user-identifiers', json: { phone, clientUserId: 'c-1' } },
    statuses: {
      202: 'works',
      400: withJson({ clientUserId: 'c-1' }),
      401: noKey,
      403: noScope,
      413: tooLarge(megabyte),
      415: plainText,
      429: 'fault',
    },
  },
  'POST /graphql': {
    dialect: 'graphql',
    good: { path: '/graphql', json: { query: '{ viewer { installedApplication { id } } }' } },
    statuses: {
      200: 'works',
      400: withJson({}),
      401: noKey,
      403: 'fault',
      413: tooLarge(megabyte),
      415: plainText,
      500: 'fault',
    },
  },
  'GET /graphql': {
    dialect: 'graphql',
    good: { path: '/graphql', key: null, headers: { accept: 'text/html' } },
    statuses: { 302: 'works', 405: ({ headers: _headers, ...good }) => good },
  },
  'GET /integrations/oauth-install': {
    dialect: 'message',
    good: { path: install, key: null, query: { client_id, redirect_uri } },
    statuses: {
      200: 'works',
      303: at(install, { client_id, redirect_uri, scope: 'segments:admin' }),
      400: at(install, { client_id: 'nobody', redirect_uri }),
      500: 'fault',
    },
  },
  'POST /integrations/oauth-install': {
    dialect: 'message',
    good: aDecision,
    statuses: {
      303: 'works',
      400: withForm({ company_id: 'nobody' }),
      403: ({ headers: _headers, ...good }) => good,
      413: tooLarge(megabyte, 'application/x-www-form-urlencoded'),
      415: plainText,
      500: 'fault',
    },
  },
  'GET /l/{id}': {
    dialect: 'message',
    good: aShortLink,
    statuses: { 302: 'works', 404: at('/l/nobody-made-this') },
  },
};

const said = { message: expect.stringMatching(/./) };

/** The form of error bodies (docs/platform.md, Error bodies), as the table names them. */
function bodyOf(dialect: Dialect, status: number): unknown {
  if (dialect === 'privacy') return status === 400 ? { error: said.message } : said;
  if (dialect === 'offers') return { error: { id: expect.any(Number), ...said } };
  if (dialect === 'oauth') return { error: expect.stringMatching(/^[a-z_]+$/), error_description: said.message };
  if (dialect === 'graphql') return { errors: [expect.objectContaining(said)], extensions: { traceId: said.message } };
  return said;
}

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const cells = Object.entries(table).flatMap(([operation, row]) =>
  Object.entries(row.statuses).map(([status, cell]) => [operation, Number(status), { ...row, cell }] as const),
);

test.for(cells)('%s answers %i', async ([operation, status, { dialect, good, cell }]) => {
  const [method = ''] = operation.split(' ');
  const plain = typeof good === 'function' ? await good(sandbox) : good;
  const fault = { headers: { ...plain.headers, 'x-sandbox-fault': `status=${status}` } };
  const { path, ...request } =
    cell === 'works' ? plain : cell === 'fault' ? { ...plain, ...fault } : await cell(plain, sandbox);
  // The harness checks every reply against the OpenAPI document.
  const answer = await sandbox.call(method, path, request);
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('x-sandbox-fault') !== null).toBe(cell === 'fault');
  expect((await answer.exchange()).operation).toBe(operation);
  if (status < 400) return;
  expect(answer.rule === null, 'a refusal names its rule').toBe(cell === 'fault');
  const page = answer.headers.get('content-type')?.includes('text/html') ?? false;
  const isForPerson =
    cell === 'fault' ? operation.endsWith('/oauth-install') : /^(?:install|links)\./.test(answer.rule ?? '');
  expect(page, 'only a person gets a page').toBe(isForPerson);
  if (!page) expect(answer.body).toEqual(bodyOf(dialect, status));
});

test('a denied consent also redirects', async () => {
  expect((await decide(sandbox, await openConsent(sandbox), 'deny')).status).toBe(303);
});

test('the table covers every operation, and every status that the document names for it', () => {
  const { operations } = sandbox.emulator;
  const { paths } = toOpenApi({
    title: '',
    description: '',
    version: '',
    server: '',
    operations,
    errorBodies,
    bearer: '',
  }) as { paths: Record<string, Record<string, { responses: object }>> };
  const documented = operations.map((operation) => [
    operationName(operation),
    Object.keys(paths[operation.path]?.[operation.method.toLowerCase()]?.responses ?? {}),
  ]);
  const covered = Object.entries(table).map(([operation, { statuses }]) => [operation, Object.keys(statuses)]);
  expect(
    Object.fromEntries(covered),
    'Add to the table of test/api/statuses.test.ts the row of the operation, or the cell of the status, that is missing',
  ).toEqual(Object.fromEntries(documented));
});
