import type { Violation } from './violation.ts';

const noEdit = 'Nothing would be left to set.';
const user = { email: 'ada@example.com' };
const post = (properties: unknown): Violation['request'] => ({
  method: 'POST',
  path: '/attributes/custom',
  json: { properties, user },
});
const get = (query: Record<string, string>): Violation['request'] => ({
  method: 'GET',
  path: '/attributes/custom',
  query,
});

export const attributeViolations: readonly Violation[] = [
  { rule: 'attributes.array-value', request: post({ sizes: [null, 'M', 'L'], colors: [] }) },
  { rule: 'attributes.object-value', request: post({ size: { top: 'M' } }) },
  { rule: 'attributes.array-value', request: post({ sizes: [] }), noEdit },
  { rule: 'attributes.null-value', request: post({ size: null, age: 24 }) },
  { rule: 'attributes.null-value', request: post({ size: null }), noEdit },
  { rule: 'attributes.name-length', request: post({ ['é'.repeat(201)]: 'x', [`${'é'.repeat(201)}b`]: 'y' }) },
  { rule: 'attributes.name-empty', request: post({ '': 'x' }) },
  { rule: 'attributes.none', request: post({}), noEdit: 'Only the sender knows the attribute.' },
  { rule: 'attributes.fixed-values', request: post({ 'favorite color': 'Bleu' }) },
  {
    rule: 'attributes.type-clash',
    request: post({ age: '12,50' }),
    before: async (sandbox) =>
      void (await sandbox.call('POST', '/attributes/custom', { json: { properties: { age: 24 }, user } })),
  },
  { rule: 'attributes.one-identifier', request: get({ phone: '+15555550100', email: 'ada@example.com' }) },
  { rule: 'attributes.no-identifier', request: get({}), noEdit },
  { rule: 'attributes.unknown-user', request: get({ phone: '+15555559999' }), noEdit },
];
