import { expect, test } from 'vitest';

import { presign, verify } from '../../emulator/objects/presign.ts';
import { Refusal } from '../../emulator/rules.ts';

const secret = 's3cret';
const expiresAt = Date.UTC(2025, 0, 1, 1);
const now = expiresAt - 1;
const made = {
  baseUrl: 'http://localhost:4747',
  key: 'catalog/UPLOAD1.ndjson',
  method: 'PUT',
  expiresAt,
  secret,
} as const;

function check(url: string, change: Partial<Parameters<typeof verify>[0]> = {}) {
  const { pathname, searchParams } = new URL(url);
  try {
    return { ok: true, key: verify({ method: 'PUT', path: pathname, query: searchParams, now, secret, ...change }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { rule, message, details, fix } = error;
    return { ok: false, code: rule.code, rule: rule.id, message, details, fix };
  }
}

test('a signed URL is accepted, and contains its key', () => {
  expect(check(presign(made))).toEqual({ ok: true, key: made.key });
});

test('the URL is on the root, with the expiry in milliseconds and a signature in hexadecimal', () => {
  expect(presign({ ...made, baseUrl: 'http://localhost:4747/' })).toMatch(
    new RegExp(
      `^http://localhost:4747/object-storage/catalog/UPLOAD1\\.ndjson\\?X-Sandbox-Expires=${expiresAt}&X-Sandbox-Signature=[0-9a-f]{64}$`,
    ),
  );
});

test.each(['VXBsb2FkOjE=', 'a+b&c?d#e%f', 'Zoë/ü', 'a..b'])('the key %s survives encoding in a URL', (key) => {
  expect(check(presign({ ...made, key }))).toEqual({ ok: true, key });
});

test.each(['', '/a', 'a//b', '../secret', 'a/./b', 'a\\b', 'a b', 'a\u0000', 'x'.repeat(1025)])(
  'the key %j is not signed',
  (key) => {
    expect(() => presign({ ...made, key })).toThrow(RangeError);
  },
);

test('the last millisecond before the expiry is in time, the expiry itself is too late', () => {
  expect(check(presign(made), { now: expiresAt - 1 }).ok).toBe(true);
  expect(check(presign(made), { now: expiresAt })).toMatchObject({
    code: 'AccessDenied',
    rule: 'objects.expired',
    message: expect.stringMatching(/^Request has expired.*initiate a new upload/),
    details: { Expires: '2025-01-01T01:00:00.000Z', ServerTime: '2025-01-01T01:00:00.000Z' },
  });
});

const url = presign(made);
const later = `X-Sandbox-Expires=${expiresAt + 1}`;
test.each([
  ['another key', url.replace('UPLOAD1', 'UPLOAD2'), {}, /is not the one for PUT, key catalog\/UPLOAD2\.ndjson/],
  ['another method', url, { method: 'POST' }, /signed for PUT, not for POST/],
  ['another secret', url, { secret: 'other' }, /created before the sandbox was reset/],
  [
    'a later expiry',
    url.replace(/X-Sandbox-Expires=\d+/, later),
    { issued: () => expiresAt },
    /it was changed, or the URL was created before the sandbox was reset/,
  ],
  [
    'another digit in the signature',
    url.replace(/.$/, (d) => (d === '0' ? '1' : '0')),
    { issued: () => expiresAt },
    /signature was changed/,
  ],
  ['a signature cut by one', url.slice(0, -1), {}, /has 63 characters; it must be 64/],
  ['a parameter more', `${url}&x=1`, {}, /has the parameter "x", which was not signed/],
  ['an upper-case signature', url.replace(/[0-9a-f]{64}$/, (s) => `A${s.slice(1)}`), {}, /lower-case/],
])('%s does not match, and the refusal says so', (_name, changed, change, message) => {
  expect(check(changed, change)).toMatchObject({
    ok: false,
    code: 'SignatureDoesNotMatch',
    rule: 'objects.signature',
    message: expect.stringMatching(message),
  });
});

test.each([
  ['no query', url.replace(/\?.*/, ''), 'AccessDenied', /no X-Sandbox-Expires.*bearer token is ignored/],
  ['a URL cut at & by a shell', url.replace(/&.*/, ''), 'AccessDenied', /cut at the & sign.*quotes/],
  ['a URL copied out of HTML', url.replace('&', '&amp;'), 'AccessDenied', /replace &amp; by &/],
  ['a parameter twice', `${url}&X-Sandbox-Expires=9`, 'InvalidArgument', /is 2 times in the URL/],
  [
    'an expiry that is not a number',
    url.replace(/Expires=\d+/, 'Expires=soon'),
    'InvalidArgument',
    /"soon", not a number/,
  ],
  [
    'an expiry with a zero before it',
    url.replace('Expires=', 'Expires=0'),
    'InvalidArgument',
    /not a number of epoch milliseconds/,
  ],
  ['no key', url.replace('catalog/UPLOAD1.ndjson', ''), 'NoSuchKey', /does not name an object/],
  ['a broken escape', url.replace('UPLOAD1', '%E0%A4'), 'NoSuchKey', /does not name an object/],
  ['an escaped way upwards', url.replace('catalog', '%2e%2e%2f'), 'NoSuchKey', /does not name an object/],
])('%s is refused with its cause', (_name, changed, code, message) => {
  expect(check(changed)).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
});

test('if an upload waits, the fix is its URL', () => {
  const { pathname, search } = new URL(url);
  const right = [{ op: 'set', place: { in: 'path', at: '' }, value: pathname + search }];
  const issued = () => expiresAt;
  expect(check(url.slice(0, -1), { issued })).toMatchObject({ fix: { edits: right } });
  expect(check(url.replace(/&.*/, ''), { issued })).toMatchObject({ fix: { edits: right } });
  expect(check(presign({ ...made, secret: 'another' }), { issued })).toMatchObject({
    message: expect.stringContaining('Key and expiry belong to an upload'),
    fix: { edits: right },
  });
});

test.each([
  ['an expired upload', url.slice(0, -1), { issued: () => expiresAt, now: expiresAt }],
  ['an upload from before a reset', url.slice(0, -1), {}],
  ['no upload', url.replace('catalog/UPLOAD1.ndjson', ''), {}],
])('for the URL of %s the fix names the new upload that works', (_what, sent, at) => {
  const say = expect.stringMatching(
    /^Send .* exactly as the API returned it; if no upload waits for it, initiate a new one/,
  );
  expect(check(sent, at)).toMatchObject({ fix: { say, edits: [] } });
});

test('an expired URL whose signature is wrong is refused for the signature', () => {
  expect(check(url.slice(0, -1), { now: expiresAt + 1 })).toMatchObject({ code: 'SignatureDoesNotMatch' });
});

test('an expiry beyond all dates is refused, not thrown', () => {
  const far = presign({ ...made, expiresAt: 999_999_999_999_999 });
  expect(check(far).ok).toBe(true);
  expect(check(far, { now: 1e16 })).toMatchObject({ code: 'AccessDenied' });
});
