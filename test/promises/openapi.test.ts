/** What docs/promises.md promises of OpenAPI: a walk for each row, under its name. */
import { expect, test } from 'vitest';
import { eventTypes } from '../../emulator/contract/event-schemas.ts';
import { runCollection, type ApiDocument } from '../clients/collection.ts';
import { compileClients } from '../clients/generated.ts';
import { useSandbox } from '../support/sandbox.ts';
import { act } from '../support/world.ts';

const sandbox = useSandbox();

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

test('Generated clients compile and work without a change.', async () => {
  const { apiUrl } = sandbox.emulator;
  const clients = await compileClients(await act(sandbox, 'GET', '/control/openapi.json'), {
    'with-openapi-fetch': withOpenapiFetch,
    'with-hey-api': withHeyApi,
  });
  expect(await clients['with-openapi-fetch'](apiUrl, 'sandpiper-demo-key')).toEqual({
    company: 'Sandpiper Supply Co.',
    event: 200,
    status: 'NEWLY_CREATED',
    codes: 202,
    message: expect.stringContaining('E.164') as string,
  });
  expect(await clients['with-hey-api'](apiUrl, 'sandpiper-demo-key')).toEqual({
    company: 'Sandpiper Supply Co.',
    event: 200,
    status: 'NEWLY_CREATED',
    disabledAt: 'string',
    deleted: 204,
  });
});

test('The document, imported as a collection, runs.', async () => {
  await sandbox.reset();
  const document = await act<ApiDocument>(sandbox, 'GET', '/control/openapi.json');
  const answers = await runCollection(sandbox, document);
  expect(answers).toHaveLength(Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length);
  // A code requires the consent of a person, so the example of the exchange has no valid one.
  expect(answers.filter((line) => !/ 20[0-4]$/.test(line))).toEqual([
    expect.stringMatching(/^POST \/authorization-codes\/tokens 400 /),
  ]);
});

interface Described {
  readonly paths: {
    readonly [path: string]: {
      readonly post?: {
        readonly security: readonly object[];
        readonly requestBody?: { readonly content: { readonly [type: string]: object } };
      };
    };
  };
  readonly webhooks: object;
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: object } } };
}

test('Bodies have names and examples, open maps say so, scopes are a security scheme, webhooks are described, and no input is named that is always refused.', async () => {
  const { paths, webhooks, components } = await act<Described>(sandbox, 'GET', '/control/openapi.json');
  const event = paths['/events/custom']?.post;
  expect(event?.requestBody?.content['application/json']).toEqual({
    schema: { $ref: '#/components/schemas/PostCustomEventsRequest' },
    example: expect.objectContaining({ type: expect.any(String) as string }) as object,
  });
  expect(event?.security).toContainEqual({ oauth: ['events:write'] });
  expect(Object.keys(webhooks)).toEqual(eventTypes);
  // Text is always refused there, and generators make an object that does not say that it is open a map of nothing.
  expect(components.schemas['PostCustomEventsRequest']?.properties).toMatchObject({
    properties: { type: ['object', 'null'], additionalProperties: true },
  });
});
