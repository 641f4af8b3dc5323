import { expect, test } from 'vitest';
import { UserError } from '../../emulator/errors.ts';
import { parseFaultHeader, parseFaultText, sayFault, toFaultSpec } from '../../emulator/http/fault-spec.ts';

const operations = ['GET /me', 'POST /subscriptions', 'PUT /object-storage/{key}'];
const none = { status: null, retryAfter: null, delayMs: null, cut: null, reset: false, after: false, every: null };
const toSpec = (text: string) => toFaultSpec(parseFaultText(text), operations);

test.for([
  [
    'POST /subscriptions status=429 retry-after=2 times=3',
    { operation: 'POST /subscriptions', status: 429, retryAfter: 2, times: 3 },
  ],
  ['* delay=2s every=5', { operation: '*', delayMs: 2_000, every: 5, times: null }],
  ['GET /me reset after', { operation: 'GET /me', reset: true, after: true, times: 1 }],
  ['GET /me cut=10 delay=250', { operation: 'GET /me', cut: 10, delayMs: 250, times: 1 }],
  ['  GET   /me  cut ', { operation: 'GET /me', cut: true, times: 1 }],
  [
    'PUT /object-storage/{key} status=503 every=2 times=3',
    { operation: 'PUT /object-storage/{key}', status: 503, every: 2, times: 3 },
  ],
] as const)('the line %j is read', ([text, expected]) => {
  expect(toSpec(text)).toEqual({ ...none, ...expected });
});

test.for([
  ['GET /mee status=500', 'Did you mean "GET /me"'],
  ['get /me status=500', 'starts with an operation'],
  ['status=500', 'starts with an operation'],
  ['GET /me', 'does nothing'],
  ['GET /me cut=false', 'does nothing'],
  ['GET /me status=200', 'from 400 to 599, not 200'],
  ['GET /me status=600', 'from 400 to 599, not 600'],
  ['GET /me status=5e2', 'from 400 to 599, not "5e2"'],
  ['GET /me status=500 status=501', 'is there twice'],
  ['GET /me stauts=500', 'Did you mean "status"'],
  ['GET /me status', 'needs a value'],
  ['GET /me delay=2x', 'such as 2s'],
  ['GET /me delay=2h', 'at most 1h'],
  ['GET /me reset status=500', 'has no status'],
  ['GET /me reset cut', 'cannot be cut and its connection reset'],
  ['GET /me retry-after=2 delay=1s', 'goes with a status'],
  ['GET /me status=500 times=0', 'times must be a whole number from 1'],
  ['GET /me status=500 every=0', 'every must be a whole number from 1'],
  ['GET /me reset=1', 'reset must be true or false, not 1'],
] as const)('the line %j is refused with what to do', ([text, said]) => {
  expect(() => toSpec(text)).toThrow(UserError);
  expect(() => toSpec(text)).toThrow(said);
});

test('a field that no fault has is refused, never ignored', () => {
  expect(() => toFaultSpec({ operation: 'GET /me', statuss: 500 }, operations)).toThrow('Did you mean "status"');
});

test('the request header takes several effects, joined by commas', () => {
  expect(parseFaultHeader('status=503,retry-after=1 , delay=2s')).toMatchObject({
    status: 503,
    retryAfter: 1,
    delayMs: 2_000,
    times: 1,
  });
  expect(() => parseFaultHeader('status=503, times=3')).toThrow('for faults that stay');
  expect(() => parseFaultHeader('')).toThrow('is not part of a fault');
});

test('a fault says what it does', () => {
  expect(sayFault(toSpec('GET /me delay=2s status=429 retry-after=2 cut after'))).toBe(
    'delay 2s, status 429, Retry-After 2 s, cut half-way, after the request was handled',
  );
  expect(sayFault(toSpec('GET /me reset'))).toBe('connection reset');
});
