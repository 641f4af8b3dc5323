import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UserError } from '../../emulator/errors.ts';
import { Refusal } from '../../emulator/rules.ts';
import { effectNames, effects, toSentence } from '../../emulator/http/faults/effects.ts';
import { parseFaultHeader, sayFault, toFaultSpec, type FaultSpec } from '../../emulator/http/faults/spec.ts';

const operations = ['GET /me', 'POST /subscriptions', 'PUT /object-storage/{key}'];
const none: Omit<FaultSpec, 'operation' | 'times'> = {
  status: null,
  retryAfter: null,
  delay: null,
  cut: null,
  reset: false,
  after: false,
  every: null,
};
const toSpec = (input: { readonly [field: string]: unknown }) => toFaultSpec(input, operations);

test.for([
  [
    { operation: 'POST /subscriptions', status: 429, retryAfter: 2, times: 3 },
    { operation: 'POST /subscriptions', status: 429, retryAfter: 2, times: 3 },
  ],
  [
    { operation: '*', delay: '2s', every: 5 },
    { operation: '*', delay: 2_000, every: 5, times: null },
  ],
  [
    { operation: 'GET /me', reset: true, after: true },
    { operation: 'GET /me', reset: true, after: true, times: 1 },
  ],
  [
    { operation: 'GET /me', cut: 10, delay: 250 },
    { operation: 'GET /me', cut: 10, delay: 250, times: 1 },
  ],
  [
    { operation: 'GET /me', cut: true },
    { operation: 'GET /me', cut: true, times: 1 },
  ],
  [
    { operation: 'PUT /object-storage/{key}', status: 503, every: 2, times: 3 },
    { operation: 'PUT /object-storage/{key}', status: 503, every: 2, times: 3 },
  ],
] as const)('the fault %j is read', ([input, expected]) => {
  expect(toSpec(input)).toEqual({ ...none, ...expected });
});

test.for([
  [{ operation: 'GET /mee', status: 500 }, 'Did you mean "GET /me"'],
  [{ operation: 'get /me', status: 500 }, 'Did you mean "GET /me"'],
  [{ status: 500 }, 'operation'],
  [{ operation: 'GET /me' }, 'does nothing'],
  [{ operation: 'GET /me', cut: false }, 'does nothing'],
  [{ operation: 'GET /me', status: 200 }, 'from 400 to 599, not 200'],
  [{ operation: 'GET /me', status: 600 }, 'from 400 to 599, not 600'],
  [{ operation: 'GET /me', status: '5e2' }, 'from 400 to 599, not "5e2"'],
  [{ operation: 'GET /me', delay: '2x' }, 'such as 2s'],
  [{ operation: 'GET /me', delay: '2h' }, 'at most 1h'],
  [{ operation: 'GET /me', delay: '1M' }, 'M may be minutes or months.'],
  [{ operation: 'GET /me', reset: true, status: 500 }, 'has no status'],
  [{ operation: 'GET /me', reset: true, cut: true }, 'cannot be cut and its connection reset'],
  [{ operation: 'GET /me', retryAfter: 2, delay: '1s' }, 'Add a status such as 429, or leave Retry-After out.'],
  [{ operation: 'GET /me', retryAfter: 2, reset: true }, 'Leave out either the reset or Retry-After.'],
  [{ operation: 'GET /me', status: 500, times: 0 }, 'times must be a whole number from 1'],
  [{ operation: 'GET /me', status: 500, every: 0 }, 'every must be a whole number from 1'],
  [{ operation: 'GET /me', reset: 1 }, 'reset must be true or false, not 1'],
] as const)('the fault %j is refused with what to do', ([input, said]) => {
  expect(() => toSpec(input)).toThrow(UserError);
  expect(() => toSpec(input)).toThrow(said);
});

test.for([
  ['status=500, status=501', 'is there twice'],
  ['stauts=500', 'Did you mean "status"'],
  ['status', 'needs a value'],
  ['delay=2x', 'such as 2s'],
  ['cut=false', 'does nothing'],
  ['delay=0', 'does nothing'],
  ['retry-after=2', 'Add a status such as 429, or leave Retry-After out.'],
  ['status=5e2', 'from 400 to 599, not "5e2"'],
  ['status=503; delay=1s', 'Commas separate them: write status=503, delay=1s.'],
  ['cut & status=503', 'Commas separate them: write cut, status=503.'],
] as const)('the request header %j is refused with what to do', ([text, said]) => {
  expect(() => parseFaultHeader(text)).toThrow(UserError);
  expect(() => parseFaultHeader(text)).toThrow(said);
});

test('a name that is near to none is refused without one that was meant', () => {
  for (const refused of [
    () => toFaultSpec({ operation: 'GET /me', colour: 'red' }, operations),
    () => toFaultSpec({ operation: 'tomorrow', status: 500 }, operations),
    () => parseFaultHeader('colour=red'),
  ]) {
    expect(refused).toThrow(/colour|tomorrow/);
    expect(refused).not.toThrow('Did you mean');
  }
});

test('a field that no fault has is refused, never ignored', () => {
  expect(() => toFaultSpec({ operation: 'GET /me', statuss: 500 }, operations)).toThrow('Did you mean "status"');
});

test('a very long operation, field or item of the header is compared in no time, and not repeated in the message', () => {
  const long = 'x'.repeat(900_000);
  const began = process.cpuUsage();
  for (const read of [
    () => toSpec({ operation: long, status: 503 }),
    () => toSpec({ operation: 'GET /me', [long]: 1 }),
    () => parseFaultHeader(long),
  ]) {
    const refusal = (() => {
      try {
        read();
      } catch (error) {
        return error as Refusal;
      }
    })();
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal?.message.length).toBeLessThan(300);
    expect(JSON.stringify(refusal?.facts).length).toBeLessThan(500);
  }
  // Without a limit it took more than a second.
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(0.2);
});

test('the request header takes several effects, joined by commas', () => {
  expect(parseFaultHeader('status=503,retry-after=1 , delay=2s')).toMatchObject({
    status: 503,
    retryAfter: 1,
    delay: 2_000,
    times: 1,
  });
  expect(() => parseFaultHeader('status=503, times=3')).toThrow('for faults that stay');
  expect(() => parseFaultHeader('')).toThrow('The fault does nothing');
});

test('a fault says what it does', () => {
  expect(sayFault(parseFaultHeader('delay=2s, status=429, retry-after=2, cut, after'))).toBe(
    'delay 2 s, status 429, Retry-After 2 s, cut half-way, after the request was handled',
  );
  expect(sayFault(parseFaultHeader('reset'))).toBe('connection reset');
});

test('every effect has words, in the order in which it happens, also in a sentence', () => {
  for (const name of effectNames) {
    const status = name === 'retryAfter' || name === 'after' ? 'status=503, ' : '';
    expect(sayFault(parseFaultHeader(`${status}${effects[name].example}`)), name).not.toBe(status && 'status 503');
  }
  const told = { operation: '*', status: 503, retryAfter: 2, delay: '2 s', cut: 100, after: true };
  expect(toSentence({ ...told, times: 3 })).toBe(
    'Each of the next 3 requests of any operation is handled, so its changes stay, then waits 2 s, then is answered with 503 and Retry-After 2 s, cut after 100 bytes.',
  );
  expect(toSentence({ operation: 'GET /me', delay: '2 s' })).toBe(
    'The next GET /me waits 2 s, then gets its usual answer.',
  );
  expect(toSentence({ operation: 'GET /me', reset: true, every: 2, times: 4 })).toBe(
    'Every 2nd GET /me, 4 times in all, has its connection reset.',
  );
});

test('every effect has a row in the table of docs/faults-and-limits.md, with its item of the header', () => {
  const page = readFileSync(new URL('../../docs/faults-and-limits.md', import.meta.url), 'utf8');
  const missing = effectNames
    .map((name) => `| \`${name}\` | \`${effects[name].example}\``)
    .filter((row) => !page.includes(`\n${row}`));
  expect(missing, 'The table lacks rows that begin so').toEqual([]);
});
