import type { Violation } from './violation.ts';

const noEdit = 'Only the sender knows whom they mean.';
const phone = '+15555550177';
const post = { method: 'POST', path: '/subscriptions' };
const enUs = { language: 'en', country: 'US' };

export const subscriptionViolations: readonly Violation[] = [
  {
    rule: 'subscriptions.phone-e164',
    request: { ...post, json: { user: { phone: '(555) 555-0177' }, signUpSourceId: '100001' } },
  },
  {
    rule: 'subscriptions.phone-e164',
    request: { method: 'GET', path: '/subscriptions', query: { phone: '15555550100' } },
  },
  {
    rule: 'subscriptions.phone-e164',
    request: { method: 'POST', path: '/subscriptions/unsubscribe', json: { user: { phone: '+1 555 555 0100' } } },
  },
  {
    rule: 'subscriptions.email',
    request: { ...post, json: { user: { email: 'Ada <ada@example.com>' }, signUpSourceId: '100001' } },
  },
  {
    rule: 'subscriptions.email',
    request: { ...post, json: { user: { email: 'ada' }, signUpSourceId: '100001' } },
    noEdit,
  },
  { rule: 'subscriptions.contact', request: { ...post, json: { user: {}, signUpSourceId: '100001' } }, noEdit },
  {
    rule: 'subscriptions.contact',
    request: { method: 'POST', path: '/subscriptions/unsubscribe', json: { user: { phone: '', email: null } } },
    noEdit,
  },
  { rule: 'subscriptions.query-contact', request: { method: 'GET', path: '/subscriptions' }, noEdit },
  {
    rule: 'subscriptions.locale-or-source',
    request: { ...post, json: { user: { phone }, signUpSourceId: '100001', locale: enUs } },
  },
  { rule: 'subscriptions.unit-named', request: { ...post, json: { user: { phone } } } },
  { rule: 'subscriptions.unit-named', request: { ...post, json: { user: { phone }, locale: enUs } } },
  { rule: 'subscriptions.unit-named', request: { ...post, json: { user: { phone }, subscriptionType: 'MARKETING' } } },
  {
    rule: 'subscriptions.unit-named',
    request: { ...post, key: 'sandpiper-other-key', json: { user: { phone } } },
    noEdit: 'The second company has no sign-up unit at all.',
  },
  {
    rule: 'subscriptions.locale-object',
    request: { ...post, json: { user: { phone }, locale: 'en_us', subscriptionType: 'MARKETING' } },
  },
  { rule: 'subscriptions.unknown-unit', request: { ...post, json: { user: { phone }, signUpSourceId: '999999' } } },
  {
    rule: 'subscriptions.unknown-unit',
    request: { ...post, key: 'sandpiper-other-key', json: { user: { phone }, signUpSourceId: '100001' } },
    noEdit: 'The second company has no sign-up unit at all.',
  },
  {
    rule: 'subscriptions.one-unit',
    request: {
      ...post,
      json: { user: { phone }, locale: { language: 'fr', country: 'CA' }, subscriptionType: 'MARKETING' },
    },
  },
  {
    rule: 'subscriptions.one-unit',
    request: { ...post, json: { user: { phone }, locale: enUs, subscriptionType: 'CHECKOUT_ABANDONED' } },
    noEdit: 'No sign-up unit is for this type.',
  },
  {
    rule: 'subscriptions.one-unit',
    request: {
      ...post,
      json: { user: { phone }, locale: { language: 'de', country: 'DE' }, subscriptionType: 'TRANSACTIONAL' },
    },
  },
  { rule: 'subscriptions.not-found', request: { method: 'GET', path: '/subscriptions', query: { phone } }, noEdit },
  {
    rule: 'subscriptions.unknown-user',
    request: { method: 'POST', path: '/subscriptions/unsubscribe', json: { user: { phone } } },
    noEdit,
  },
];
