import { expect, test } from 'vitest';
import { nearestOf } from '../../emulator/contract/unknown-fields.ts';

test.for([
  ['srve', 'serve'],
  ['fxi', 'fix'],
  ['paec', 'pace'],
  ['--prot', '--port'],
  ['Emial', 'email'],
  ['phone_number', 'phoneNumber'],
  ['get /me', 'GET /me'],
  ['emial.opend', 'email.opened'],
  ['phone', 'subscriberPhone'],
  ['email_address', 'email'],
] as const)('%s is near to %s', ([sent, meant]) => {
  expect(nearestOf(sent, ['clock', meant, 'subscriptions'])).toBe(meant);
});

test.for([
  ['bogus', 'logs'],
  ['mail', 'me'],
  ['note', 'notices'],
  ['id', 'productId'],
] as const)('%s is not near to %s', ([sent, known]) => {
  expect(nearestOf(sent, [known, 'subscriptions'])).toBe(null);
});

test('a word that two names share says nothing about which is meant', () => {
  expect(nearestOf('phone', ['subscriberPhone', 'subjectPhone'])).toBe(null);
});
