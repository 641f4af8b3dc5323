import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { Product } from '../../emulator/features/catalog/check/product-schema.ts';
import { eventTypes } from '../../emulator/contract/event-schemas.ts';
import { scopes } from '../../emulator/http/scopes.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

type Document = {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly 'x-scope'?: string;
            readonly 'x-provenance': string;
            readonly responses: Readonly<Record<string, unknown>>;
          }
        >
      >
    >
  >;
};

const read = async (path: string) => (await sandbox.control('GET', path)).body as Document;

test('the schema of a product in an upload is a JSON Schema', () => {
  const ajv = new Ajv({ strict: false });
  expect(ajv.validateSchema(Product), ajv.errorsText(ajv.errors)).toBe(true);
  expect(ajv.validateSchema({ ...Product, required: 'id' })).toBe(false);
});

test.for(['/control/openapi.json', '/control/control-openapi.json'])('%s passes a public linter', async (path) => {
  const document = await read(path);
  const config = await createConfig({
    extends: ['recommended'],
    // The server is this machine by design; GET /graphql only redirects a browser to the inspector.
    rules: {
      'no-server-example.com': 'off',
      'operation-4xx-response': 'off',
      'operation-2xx-response': 'off',
      'no-unused-components': 'off',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${JSON.stringify(location[0]?.pointer)}`),
  ).toEqual([]);
});

test.for(['/control/openapi.json', '/control/control-openapi.json'])(
  '%s declares each tag once, with a description, and no other',
  async (path) => {
    const {
      tags,
      paths,
      webhooks = {},
    } = (await read(path)) as unknown as {
      readonly tags: readonly { readonly name: string; readonly description: string }[];
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>;
      readonly webhooks?: typeof paths;
    };
    const operations = [paths, webhooks].flatMap((items) =>
      Object.values(items).flatMap((item) => Object.values(item)),
    );
    const used = new Set(operations.flatMap((operation) => operation.tags));
    expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
    expect(tags.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([]);
  },
);

test('the document names every operation of section 4, its scope and its statuses', async () => {
  const { openapi, servers, paths } = await read('/control/openapi.json');
  expect(openapi).toBe('3.1.0');
  expect(servers).toEqual([{ url: sandbox.emulator.apiUrl }]);
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { 'x-scope': scope, responses }]) =>
        `${method.toUpperCase()} ${path} ${scope ?? '-'} ${Object.keys(responses).find((status) => Number(status) < 400) ?? '-'}`,
    ),
  );
  expect(named).toEqual(
    expect.arrayContaining([
      'GET /me - 200',
      'GET /webhooks webhooks:write 200',
      'POST /webhooks webhooks:write 201',
      'PUT /webhooks/{webhookId} webhooks:write 200',
      'DELETE /webhooks/{webhookId} webhooks:write 204',
      'POST /authorization-codes/tokens - 200',
      'POST /events/ecommerce/product-view ecommerce:write 200',
      'POST /events/ecommerce/add-to-cart ecommerce:write 200',
      'POST /events/ecommerce/purchase ecommerce:write 200',
      'POST /coupons/coupon-pool/{coupon-pool-id}/create offers:write 202',
      'POST /events/custom events:write 200',
      'POST /attributes/custom attributes:write 200',
      'GET /attributes/custom attributes:write 200',
      'POST /subscriptions subscriptions:write 202',
      'GET /subscriptions subscriptions:read 200',
      'POST /subscriptions/unsubscribe subscriptions:write 202',
      'POST /product-catalog/uploads product_catalogs:write 200',
      'GET /product-catalog/uploads product_catalogs:read 200',
      'GET /product-catalog/uploads/{uploadId} product_catalogs:read 200',
      'POST /privacy/delete-request privacy_requests:write 200',
      'GET /privacy/delete-request/{id} privacy_requests:read 200',
      'POST /identity-resolution/user-identifiers identity:write 202',
      'POST /graphql - 200',
    ]),
  );
});

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: object;
    readonly example?: unknown;
  }[];
  readonly requestBody?: {
    readonly content: { readonly [type: string]: { readonly schema: object; readonly example?: unknown } };
  };
}

test('every body has a name and an example, and a generator needs nothing that is not in the document', async () => {
  const document = (await read('/control/openapi.json')) as unknown as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: Described } };
    readonly webhooks: object;
    readonly components: { readonly securitySchemes: object; readonly schemas: { readonly [name: string]: object } };
  };
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, requestBody } of operations)
    for (const { schema, ...media } of Object.values(requestBody?.content ?? {})) {
      expect(schema, operationId).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/[A-Z]/) as string });
      expect(Object.keys(media).join(), operationId).toMatch(/example/);
    }
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  // The names that the platform's own clients have.
  expect(operations.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(
      'getMe getWebhooks createWebhook updateWebhook deleteWebhook addSubscriptions unsubscribeSubscriptions'.split(
        ' ',
      ),
    ),
  );
  expect(Object.keys(document.webhooks).toSorted()).toEqual(eventTypes.toSorted());
  expect(document.components.securitySchemes).toMatchObject({
    bearer: { type: 'http', scheme: 'bearer' },
    oauth: {
      flows: { authorizationCode: { scopes: Object.fromEntries(scopes.map((one) => [one, expect.any(String)])) } },
    },
  });
  const codes = document.paths['/coupons/coupon-pool/{coupon-pool-id}/create']?.['post'];
  expect(codes?.security).toContainEqual({ oauth: ['offers:write'] });
  expect(codes?.parameters).toMatchObject([{ schema: { type: 'integer', format: 'int64' } }]);

  // An open map says so, else generators make it a map of nothing.
  const closed = openObjects(document, '');
  expect(closed).toEqual([]);
});

test('every parameter has an example, which tools that make requests fill in, except one that excludes another', async () => {
  const { paths } = (await read('/control/openapi.json')) as unknown as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: Described } };
  };
  const parameters = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters = [] }) => parameters.map((one) => ({ operationId, ...one })));
  expect(parameters.map(({ name }) => name)).toContain('webhookId');
  const without = parameters.filter(({ example }) => example === undefined);
  expect(without.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual(['getCustomAttributes email']);
});

test('a query with every example of its operation is accepted, as a page of the document sends it', async () => {
  const { paths } = (await read('/control/openapi.json')) as unknown as {
    readonly paths: { readonly [path: string]: { readonly get?: Described } };
  };
  const answers: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    const filled = (get?.parameters ?? []).filter((one) => one.in === 'query' && one.example !== undefined);
    if (filled.length === 0) continue;
    const query = Object.fromEntries(filled.map(({ name, example }) => [name, String(example)]));
    answers.push(`${path} ${(await sandbox.call('GET', path, { query })).status}`);
  }
  expect(answers).toEqual(['/attributes/custom 200', '/subscriptions 200']);
});

test('every text and number of a reply has an example, which mocks and pages of the document show', async () => {
  const { components } = (await read('/control/openapi.json')) as unknown as {
    readonly components: { readonly schemas: { readonly [name: string]: Shape } };
  };
  const replies = Object.entries(components.schemas).filter(([name]) => name.endsWith('Response'));
  expect(replies.length).toBeGreaterThan(10);
  expect(replies.flatMap(([name, schema]) => withoutExample(schema, name))).toEqual([]);
});

interface Shape {
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: Shape };
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Where a text or a number has neither an example nor a list of values. */
function withoutExample(
  { type = [], examples, enum: values, properties = {}, items, anyOf = [] }: Shape,
  at: string,
): readonly string[] {
  if (examples ?? values) return [];
  return [
    ...(/string|integer|number/.test(String(type)) ? [at] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => withoutExample(inner, `${at}.${name}`)),
    ...[...(items ? [items] : []), ...anyOf].flatMap((inner) => withoutExample(inner, at)),
  ];
}

test('the document has no input that is always refused', async () => {
  const { components, paths } = (await read('/control/openapi.json')) as unknown as {
    readonly components: {
      readonly schemas: {
        readonly [name: string]: { readonly properties: { readonly [name: string]: { readonly type: unknown } } };
      };
    };
    readonly paths: { readonly [path: string]: object };
  };
  const typeOf = (schema: string, field: string): unknown => components.schemas[schema]?.properties[field]?.type;
  expect(typeOf('PostCustomEventsRequest', 'properties')).toEqual(['object', 'null']);
  expect(typeOf('PostCustomAttributesRequest', 'properties')).toBe('object');
  expect(typeOf('AddSubscriptionsRequest', 'locale')).toBe('object');
  expect(typeOf('CreateTokenViaAuthorizationCodeRequest', 'grant_type')).toBe('string');
  expect(Object.keys(paths['/graphql'] ?? {})).toEqual(['post']);
});

test.for(['/control/openapi.json', '/control/control-openapi.json'])(
  'no schema of %s has two types besides null, null alone or a schema for each item, which generators and converters to OpenAPI 3.0 misread',
  async (path) => {
    const document = await read(path);
    expect(misreadSchemas(document, '')).toEqual([]);
  },
);

/** Where a schema has several types in one list, not as alternatives, only null, or a schema for each item of a list. */
function misreadSchemas(value: unknown, at: string): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  const { type } = value as { readonly type?: unknown };
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  return [
    ...(types.length > 1 || type === 'null' || 'prefixItems' in value ? [at] : []),
    ...Object.entries(value).flatMap(([key, inner]) => misreadSchemas(inner, `${at}/${key}`)),
  ];
}

/** Objects that name no property and do not say whether they have others. */
function openObjects(value: unknown, at: string): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  const { type, properties, additionalProperties } = value as { [key: string]: unknown };
  const isOpen = [type].flat().includes('object') && properties === undefined && additionalProperties === undefined;
  return [
    ...(isOpen ? [at] : []),
    ...Object.entries(value)
      .filter(([key]) => !['example', 'examples', 'default'].includes(key))
      .flatMap(([key, inner]) => openObjects(inner, `${at}/${key}`)),
  ];
}
