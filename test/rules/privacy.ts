import type { Violation } from './violation.ts';

const noEdit = 'Only the sender knows whom they mean.';
const post = { method: 'POST', path: '/privacy/delete-request' };

export const privacyViolations: readonly Violation[] = [
  {
    rule: 'privacy.subject',
    request: { ...post, json: { subjectPhone: '', subjectEmail: null, requestMsg: 'please' } },
    noEdit,
  },
  {
    rule: 'privacy.one-subject',
    request: { ...post, json: { subjectEmail: 'ada@example.com', subscriberEmail: 'grace@example.com' } },
    noEdit,
  },
  { rule: 'privacy.phone-e164', request: { ...post, json: { subscriberPhone: '1 (555) 555-0100' } } },
  { rule: 'privacy.email', request: { ...post, json: { subjectEmail: ' grace@example.com' } } },
  { rule: 'privacy.email', request: { ...post, json: { subjectEmail: 'ada' } }, noEdit },
  {
    rule: 'privacy.unknown-request',
    request: { method: 'GET', path: '/privacy/delete-request/0nobody0made' },
    noEdit: 'Another request is about another person.',
  },
];
