import type { Violation } from './violation.ts';

const noEdit = 'Only the sender knows whom they mean.';
const post = { method: 'POST', path: '/identity-resolution/user-identifiers' };

export const identityViolations: readonly Violation[] = [
  {
    rule: 'identity.no-blanks',
    request: {
      ...post,
      json: {
        phone: null,
        email: '',
        clientUserId: 'c-1',
        customIdentifiers: [
          { name: 'loyaltyId', value: '' },
          { name: 'posId', value: 'P-1' },
          { name: null, value: 'x' },
        ],
      },
    },
  },
  { rule: 'identity.phone-e164', request: { ...post, json: { clientUserId: 'c-1', phone: '1 555 555 0177' } } },
  { rule: 'identity.email', request: { ...post, json: { clientUserId: 'c-1', email: 'ada@@example.com' } } },
  { rule: 'identity.email', request: { ...post, json: { clientUserId: 'c-1', email: 'ada@' } }, noEdit },
  { rule: 'identity.own-identifier', request: { ...post }, noEdit },
  {
    rule: 'identity.own-identifier',
    request: { ...post, json: { phone: '+15555550100', email: 'ada@example.com' } },
    noEdit,
  },
  {
    rule: 'identity.own-identifier',
    request: { ...post, json: { phone: '+15555550100', externalIdentifiers: { clientUserId: 'c-1' } } },
  },
  { rule: 'identity.accompanied', request: { ...post, json: { clientUserId: 'c-1' } }, noEdit },
  {
    rule: 'identity.accompanied',
    request: { ...post, json: { customIdentifiers: { loyaltyId: 'L-1' } } },
    noEdit,
  },
];
