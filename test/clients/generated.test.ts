/** Clients generated from the served document compile without a change, and work against a running sandbox. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

/** Inside node_modules of this project, so that generated code finds its packages as in a user's project. */
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/sandpiper');
let folder = '';

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'clients-'));
  const { body: document } = await sandbox.control('GET', '/control/openapi.json');
  writeFileSync(join(folder, 'paths.ts'), astToString(await openapiTS(document as OpenAPI3)));
  await createClient({
    input: document,
    output: { path: join(folder, 'hey'), importFileExtension: '.js' },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  writeFileSync(join(folder, 'with-openapi-fetch.ts'), withOpenapiFetch);
  writeFileSync(join(folder, 'with-hey-api.ts'), withHeyApi);
  await compile();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function compile(): Promise<void> {
  const config = {
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      outDir: 'out',
    },
    include: ['*.ts', 'hey/**/*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript-native/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error: { stdout?: string }) => {
    throw new Error(`What was generated does not compile:\n${error.stdout}`);
  });
}

type Run = (baseUrl: string, key: string) => Promise<unknown>;

const run = async (name: string): Promise<unknown> => {
  const { run: runs } = (await import(pathToFileURL(join(folder, 'out', `${name}.js`)).href)) as { run: Run };
  return runs(sandbox.emulator.apiUrl, 'sandpiper-demo-key');
};

/** What a user of openapi-fetch writes: every member below is checked against the generated types. */
const withOpenapiFetch = `
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './paths.js';

type Opened = webhooks['email.opened']['post']['requestBody']['content']['application/json'];
export const subjectOf = (event: Opened): string => event.message.subject;
export type Purchase = components['schemas']['PostPurchaseEventsRequest'];

export async function run(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
  const me = await client.GET('/me');
  const event = await client.POST('/events/custom', {
    body: {
      type: 'Order Shipped',
      user: { email: 'ada@example.com' },
      properties: { 'Order Id': '54321', items: ['a', 'b'], shipment: { carrier: 'fedex' } },
    },
    parseAs: 'text',
  });
  const subscribed = await client.POST('/subscriptions', {
    body: {
      user: { phone: '+15555550181' },
      locale: { language: 'en', country: 'US' },
      subscriptionType: 'MARKETING',
    },
  });
  const codes = await client.POST('/coupons/coupon-pool/{coupon-pool-id}/create', {
    params: { path: { 'coupon-pool-id': 54102 } },
    body: { codes: ['A', 'B'] },
    parseAs: 'text',
  });
  const refused = await client.GET('/attributes/custom', { params: { query: { phone: '555' } } });
  return {
    company: me.data?.companyName,
    event: event.response.status,
    status: subscribed.data?.subscriptionResponses[0]?.subscriptionCreationStatus,
    codes: codes.response.status,
    message: refused.error?.message,
  };
}
`;

const withHeyApi = `
import { client } from './hey/client.gen.js';
import { addSubscriptions, createWebhook, deleteWebhook, getMe, postCustomEvents, updateWebhook } from './hey/sdk.gen.js';
import type { SmsSubscribedEvent } from './hey/types.gen.js';

export const phoneOf = (event: SmsSubscribedEvent): string | undefined => event.subscriber.phone;

export async function run(baseUrl: string, key: string) {
  client.setConfig({ baseUrl, auth: key });
  const me = await getMe();
  const event = await postCustomEvents({
    body: { type: 'Order Shipped', user: { email: 'ada@example.com' }, properties: { carrier: 'fedex', boxes: 2 } },
  });
  const subscribed = await addSubscriptions({
    body: { user: { email: 'new@example.com' }, signUpSourceId: '100001' },
  });
  const body = { url: 'http://localhost:3000/hooks', events: ['sms.sent'] };
  const webhook = await createWebhook({ body });
  const path = { webhookId: webhook.data?.id ?? '' };
  const updated = await updateWebhook({ path, body: { ...body, disabled: true } });
  const deleted = await deleteWebhook({ path });
  return {
    company: me.data?.companyName,
    event: event.response?.status,
    status: subscribed.data?.subscriptionResponses[0]?.subscriptionCreationStatus,
    disabledAt: typeof updated.data?.disabledAt,
    deleted: deleted.response?.status,
  };
}
`;

test('a client of openapi-typescript and openapi-fetch compiles and works', async () => {
  expect(await run('with-openapi-fetch')).toEqual({
    company: 'Sandpiper Supply Co.',
    event: 200,
    status: 'NEWLY_CREATED',
    codes: 202,
    message: expect.stringContaining('E.164') as string,
  });
});

test('a client of hey-api compiles and works, with the names that the platform’s clients know', async () => {
  expect(await run('with-hey-api')).toEqual({
    company: 'Sandpiper Supply Co.',
    event: 200,
    status: 'NEWLY_CREATED',
    disabledAt: 'string',
    deleted: 204,
  });
});
