import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkSignature } from '../../emulator/delivery/signature/check.ts';
import type { SentSignature } from '../../emulator/delivery/signature/search.ts';
import { signatureHeaders, toStandardSecret } from '../../emulator/delivery/signature/signature.ts';

const sent: SentSignature = {
  body: '{"type":"sms.sent","subscriber":{"phone":"+15555550100","external_id":7},"text":"café https://x.example/a"}',
  eventId: 'evt_1',
  timestamp: '1796047343',
  key: 'the-signing-key',
  sentAt: 1_796_047_343_500,
  previous: 'the-key-before',
  test: 'the-test-key',
  others: [{ key: 'another-key', name: 'the key of the webhook to http://localhost:9/other' }],
  older: [{ key: 'an-old-key', name: 'the key of the webhook to http://localhost:9/old' }],
  untried: 0,
};
const headers = signatureHeaders({ ...sent, timestamp: Number(sent.timestamp) }, [sent.key]);
const hex = (key: string | Buffer, text: string | Buffer, algorithm = 'sha256'): string =>
  createHmac(algorithm, key).update(text).digest('hex');
const standard = (key: string | Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64');
const signed = `${sent.eventId}.${sent.timestamp}.${sent.body}`;
/** What differs, as `Step: sentence`. */
const differing = (signature: string, got: object = {}, about: SentSignature = sent): readonly string[] =>
  checkSignature(about, { signature, ...got }).steps.flatMap(({ step, state, says }) =>
    state === 'differs' ? [`${step}: ${says}`] : [],
  );

test.each([
  ['x-attentive-hmac-sha256', headers['x-attentive-hmac-sha256'] ?? ''],
  ['webhook-signature', headers['webhook-signature'] ?? ''],
  ['webhook-signature', ` ${standard(sent.key, signed)}\n`],
  ['webhook-signature', `v1,AAAA v1,${standard(sent.key, signed)}`],
] as const)('the right signature of %s matches: %s', (scheme, signature) => {
  expect(checkSignature(sent, { signature })).toMatchObject({ scheme, matches: true });
  expect(differing(signature)).toEqual([]);
});

test.each([
  ['Body', 'indented by 2', hex(sent.key, JSON.stringify(JSON.parse(sent.body), null, 2))],
  [
    'Body',
    'as json.dumps does',
    hex(sent.key, sent.body.replaceAll(':', ': ').replaceAll(': //', '://').replaceAll(',', ', ')),
  ],
  ['Body', '\\u escapes', hex(sent.key, sent.body.replace('é', '\\u00e9'))],
  ['Body', 'as json_encode does', hex(sent.key, sent.body.replaceAll('/', '\\/'))],
  ['Body', 'a line break after the body', hex(sent.key, `${sent.body}\n`)],
  ['Body', 'Latin-1', hex(sent.key, Buffer.from(sent.body, 'latin1'))],
  ['Body', '[object Object]', hex(sent.key, '[object Object]')],
  ['Body', 'was not awaited', hex(sent.key, `${Promise.resolve()}`)],
  ['Body', 'the stream, and not what it brings', hex(sent.key, `${new Response(sent.body).body}`)],
  ['Body', 'bytes that were made a text', hex(sent.key, `${new ArrayBuffer(1)}`)],
  ['Body', 'the JSON of a Buffer', hex(sent.key, JSON.stringify(Buffer.from(sent.body)))],
  ['Body', 'a list of numbers', hex(sent.key, String(new Uint8Array(Buffer.from(sent.body))))],
  ['Body', '"undefined"', hex(sent.key, 'undefined')],
  ['Body', "str() makes of Python's bytes", hex(sent.key, `b'${sent.body.replace('é', '\\xc3\\xa9')}'`)],
  ['Body', 'no body at all', hex(sent.key, '')],
  ['Key', 'the whsec_ form as text', hex(toStandardSecret(sent.key), sent.body)],
  ['Key', 'the whsec_ form as text', `v1,${standard(toStandardSecret(sent.key), signed)}`],
  ['Key', 'the base64 of the key', hex(Buffer.from(sent.key).toString('base64'), sent.body)],
  ['Key', 'a line break at its end', hex(`${sent.key}\n`, sent.body)],
  ['Key', 'before the rotation', hex('the-key-before', sent.body)],
  ['Key', 'the webhook to http://localhost:9/other', hex('another-key', sent.body)],
  ['Key', 'the test key', hex('the-test-key', sent.body)],
  ['Signed text', 'id, timestamp and body', hex(sent.key, signed)],
  ['Signed text', 'the body alone', `v1,${standard(sent.key, sent.body)}`],
  ['Signed text', 'without the id', standard(sent.key, `${sent.timestamp}.${sent.body}`)],
  ['Signed text', 'in milliseconds', standard(sent.key, `${sent.eventId}.${sent.timestamp}000.${sent.body}`)],
  ['Encoding', 'as base64', standard(sent.key, sent.body)],
  ['Encoding', 'in capitals', hex(sent.key, sent.body).toUpperCase()],
  ['Encoding', 'base64url', `v1,${createHmac('sha256', sent.key).update(`${signed}`).digest('base64url')}`],
  ['Algorithm', 'HMAC-SHA1', hex(sent.key, sent.body, 'sha1')],
  ['Algorithm', 'HMAC-SHA512', hex(sent.key, sent.body, 'sha512')],
  ['Algorithm', 'SHA-256 without a key', createHash('sha256').update(sent.body).digest('hex')],
  ['Algorithm', 'took the text for the key', hex(sent.body, sent.key)],
] as const)('the step that differs is named: %s, %s', (step, says, signature) => {
  const found = checkSignature(sent, { signature });
  expect(found.matches).toBe(false);
  const [only, ...others] = found.steps.filter(({ state }) => state === 'differs');
  // The body alone as base64 is one mistake in either way of signing.
  expect(['Encoding', 'Signed text', step]).toContain(only?.step);
  expect(others).toEqual([]);
  if (only?.step === step) expect(only.says).toContain(says);
  expect(only?.fix).toBeTruthy();
});

test.each([
  ['\\/ for / and \\u escapes, as json_encode does', String.raw`{"b":"\u00e9 <x> & https:\/\/x.example","a":1}`],
  ['indented by 4, as json_encode does', `{\n    "b": "\\u00e9 <x> & https:\\/\\/x.example",\n    "a": 1\n}`],
  ['for <, > and &, as Go and Rails do', String.raw`{"b":"é \u003cx\u003e \u0026 https://x.example","a":1}`],
  ['as Go does with a map', String.raw`{"a":1,"b":"é \u003cx\u003e \u0026 https://x.example"}`],
  ['names sorted and \\u escapes.', String.raw`{"a":1,"b":"\u00e9 <x> & https://x.example"}`],
])('a body that was parsed and written again by another language is named: %s', (says, written) => {
  const about = { ...sent, body: '{"b":"é <x> & https://x.example","a":1}' };
  expect(differing(hex(sent.key, written), {}, about)).toEqual([expect.stringContaining(says)]);
});

test('two mistakes at once are both named', () => {
  const signature = hex(`${sent.key}\n`, JSON.stringify(JSON.parse(sent.body), null, 2));
  expect(differing(signature)).toEqual([
    expect.stringMatching(/^Key: .*line break/),
    expect.stringMatching(/^Body: .*indented by 2/),
  ]);
});

test('of many keys the older ones are tried with nothing else that differs, and those that are not are counted', () => {
  const taken = ['Key: The receiver used the key of the webhook to http://localhost:9/old.'];
  expect(differing(hex('an-old-key', sent.body))).toEqual(taken);
  expect(differing(standard('an-old-key', signed))).toEqual(taken);
  const says = (untried: number, signature: string) => checkSignature({ ...sent, untried }, { signature }).says;
  const unknown = hex('an-unknown-key', sent.body);
  expect(says(2, unknown)).toMatch(/ The key of another webhook or app .*: 2 of the older ones were not tried\.$/);
  expect(says(0, unknown)).not.toContain('not tried');
  expect(says(2, hex(sent.key, sent.body))).not.toContain('not tried');
});

test('an unknown value is compared with what the receiver says it had', () => {
  const signature = hex('who knows', 'what');
  expect(checkSignature(sent, { signature }).says).toContain('Enter the body and the key');
  expect(differing(signature, { key: 'who knows', body: sent.body })).toEqual([
    expect.stringMatching(/^Key: It is not the key/),
  ]);
  expect(differing(signature, { key: sent.key, body: sent.body.replace('7', '8') })).toEqual([
    expect.stringMatching(/^Body: .* from byte 70 on/),
  ]);
  expect(differing(signature, { timestamp: '1796047300' })).toEqual([
    'Headers: webhook-timestamp was 1796047343, not 1796047300.',
  ]);
  expect(differing('not a signature')).toEqual(['Encoding: This is neither hex nor base64.']);
});

test('with the body and key of the receiver, the exact difference is named', () => {
  const body = sent.body.replace('+1555', '1555');
  expect(differing(hex(sent.key, body), { body })).toEqual([
    expect.stringMatching(/^Body: .*differs from byte \d+ on/),
  ]);
  expect(differing(hex('my own', sent.body), { key: 'my own' })).toEqual(['Key: The receiver used another key.']);
  const retried = standard(sent.key, `evt_1.1796047000.${sent.body}`);
  expect(differing(retried, { timestamp: '1796047000' })).toEqual([
    expect.stringMatching(/^Signed text: .*not sent/),
    expect.stringMatching(/^Age/),
  ]);
});

test('a timestamp far from real time is named as the reason, although the signature is right', () => {
  const late = { ...sent, sentAt: (sent.sentAt ?? 0) + 9 * 86_400_000 };
  expect(differing(headers['webhook-signature'] ?? '', {}, late)).toEqual([
    expect.stringMatching(/^Age: webhook-timestamp is 12,960 minutes away/),
  ]);
});

test('a timestamp that is not a number has no age', () => {
  const about = `evt_1.soon.${sent.body}`;
  expect(differing(standard(sent.key, about), { timestamp: 'soon' }).at(-1)).toBe(
    'Age: webhook-timestamp is not a number of seconds, so it has no age.',
  );
});

test('a hostile body is compared safely', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  for (const body of [deep, '\ud800', '{"__proto__":1}'])
    expect(checkSignature({ ...sent, body }, { signature: 'ab'.repeat(32) }).matches).toBe(false);
});
