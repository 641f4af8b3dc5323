import { expect, test } from 'vitest';
import { eventSchemas } from '../../emulator/contract/event-schemas.ts';
import { errorBodies } from '../../emulator/http/error-text.ts';
import { operationName } from '../../emulator/http/endpoint.ts';
import specifiedNames from './specified-names.json' with { type: 'json' };
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

type Tagged = { readonly [key: string]: unknown };

/** Every property of a schema without provenance, by pointer. */
function untagged(schema: unknown, pointer: string): readonly string[] {
  if (schema === null || typeof schema !== 'object') return [];
  if (Array.isArray(schema)) return schema.flatMap((one, at) => untagged(one, `${pointer}/${at}`));
  return Object.entries(schema as Tagged).flatMap(([key, inner]) => {
    if (key !== 'properties')
      return ['examples', 'default', 'enum', 'const'].includes(key) ? [] : untagged(inner, `${pointer}/${key}`);
    return Object.entries(inner as Tagged).flatMap(([name, property]) => {
      const { 'x-provenance': provenance, 'x-reason': reason } = property as Tagged;
      const known =
        provenance === 'documented' ||
        provenance === 'observed' ||
        (provenance === 'assumed' && typeof reason === 'string');
      return [...(known ? [] : [`${pointer}/${name}`]), ...untagged(property, `${pointer}/${name}`)];
    });
  });
}

test('every property of every shape says whether it is documented, observed or assumed, and why it was assumed', () => {
  const shapes = sandbox.emulator.operations.flatMap((operation) => {
    const { params, query, body, replies } = operation;
    const name = operationName(operation);
    return [params, query, body?.schema, ...Object.values(replies)].flatMap((schema) => untagged(schema, name));
  });
  expect([...shapes, ...untagged(errorBodies, 'errors')]).toEqual([]);
});

/** Every property that is tagged documented, by pointer and name. */
function documented(schema: unknown, pointer: string): readonly { readonly at: string; readonly name: string }[] {
  if (schema === null || typeof schema !== 'object') return [];
  if (Array.isArray(schema)) return schema.flatMap((one, at) => documented(one, `${pointer}/${at}`));
  return Object.entries(schema as Tagged).flatMap(([key, inner]) => {
    if (['examples', 'default', 'enum', 'const'].includes(key)) return [];
    if (key !== 'properties') return documented(inner, `${pointer}/${key}`);
    return Object.entries(inner as Tagged).flatMap(([name, property]) => [
      ...((property as Tagged)['x-provenance'] === 'documented' ? [{ at: `${pointer}/${name}`, name }] : []),
      ...documented(property, `${pointer}/${name}`),
    ]);
  });
}

const toPurchase = (more: object) => ({
  user: { phone: '+15555550100' },
  items: [{ productId: 'P1', productVariantId: 'V1', price: [{ value: 1 }], ...more }],
});
const receiver = 'http://localhost:3000/';

test.each([
  ['a price below zero', '/events/ecommerce/purchase', toPurchase({ price: [{ value: -1 }] }), 'assumed'],
  ['a product with an empty id', '/events/ecommerce/purchase', toPurchase({ productId: '' }), 'assumed'],
  ['a product without a price', '/events/ecommerce/purchase', toPurchase({ price: [] }), 'observed'],
  ['an empty type', '/events/custom', { type: '', user: { phone: '+15555550100' } }, 'assumed'],
  ['a webhook without event types', '/webhooks', { url: receiver, events: [] }, 'assumed'],
  ['a long address', '/webhooks', { url: receiver + 'a'.repeat(2_048), events: ['sms.sent'] }, 'assumed'],
  ['a long identifier', '/identity-resolution/user-identifiers', { clientUserId: 'a'.repeat(101) }, 'observed'],
] as const)('the refusal of %s says where the limit comes from', async (_case, path, json, provenance) => {
  const answer = await sandbox.call('POST', path, { json });
  const { refusal } = await answer.exchange();
  expect(refusal).toMatchObject({ rule: 'input.size', provenance });
  expect(refusal?.reason !== '').toBe(provenance === 'assumed');
});

test('a property tagged documented is one that the specification names for that operation', () => {
  const names: Readonly<Record<string, readonly string[]>> = specifiedNames;
  const wrong = sandbox.emulator.operations.flatMap((operation) => {
    const { params, query, body, replies } = operation;
    const operationNames = names[operationName(operation)] ?? [];
    return [params, query, body?.schema, ...Object.values(replies)]
      .flatMap((schema) => documented(schema, operationName(operation)))
      .filter(({ name }) => !operationNames.includes(name));
  });
  // The specification shows no payload of a delivery.
  const payloads = documented(eventSchemas, 'payload');
  expect([...wrong, ...payloads].map(({ at }) => at)).toEqual([]);
});
