/** A large body that has something unusual in it is read in slices: other requests get their turn meanwhile. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { longestShare } from '../support/turns.ts';

const sandbox = useSandbox();

const path = '/coupons/coupon-pool/54100/create';
const numbers = ',1'.repeat(3 * 1024 * 1024);

async function post(raw: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<string | null> {
  const { apiUrl } = sandbox.emulator;
  const answer = await fetch(apiUrl + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json', ...headers },
    body: raw as Uint8Array<ArrayBuffer>,
  });
  await answer.text();
  return answer.headers.get('x-sandbox-rule');
}

test.each([
  ['an escape', `{"codes":["\\u0041"${numbers}]}`, null],
  ['a word that may be a name', `{"codes":["constructor"${numbers}]}`, null],
  ['a number that is too large', `{"codes":[1${numbers},1e999]}`, 'body.number'],
])('a list of millions of numbers with %s leaves turns for others', async (_what, text, rule) => {
  const body = Buffer.from(text);
  let refusedBy: string | null = null;
  expect(await longestShare(0.3, async () => void (refusedBy = await post(body)))).toBeLessThan(0.3);
  if (rule !== null) expect(refusedBy).toBe(rule);
});

test('a large body that is not UTF-8 at its end leaves turns for others, and the byte is found', async () => {
  const text = Buffer.from(`{"codes":["${'aé'.repeat(10 * 1024 * 1024)}`);
  const body = Buffer.concat([text, Buffer.from([0xe9]), Buffer.from('"]}')]);
  const call = () => sandbox.call('POST', path, { raw: body, headers: { 'content-type': 'application/json' } });
  // A third is the longest step of the client, which is in this process, too; the whole body in one step is two thirds.
  expect(await longestShare(0.5, call)).toBeLessThan(0.5);
  const refused = await call();
  expect(refused.rule).toBe('body.utf-8');
  expect(refused.text).toContain(`the byte at position ${text.length} `);
});

test('a character of UTF-8 that is cut at the end of a large body is found at its first byte', async () => {
  const text = Buffer.from(`{"codes":["${'é'.repeat(400 * 1024)}`);
  const body = Buffer.concat([text, Buffer.from('€').subarray(0, 2)]);
  const refused = await sandbox.call('POST', path, { raw: body, headers: { 'content-type': 'application/json' } });
  expect(refused.text).toContain(`the byte at position ${text.length} `);
});

test('a large text that says it is compressed, and is not, is sent without that header', async () => {
  const json = JSON.stringify({ codes: Array.from({ length: 100_000 }, (_one, n) => `CODE-${n}`) });
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const refused = await sandbox.call('POST', path, { raw: json, headers });
  expect(refused.rule).toBe('body.content-encoding');
  const { refusal } = await refused.exchange();
  expect(refusal?.fix.edits).toEqual([{ op: 'remove', place: { in: 'header', at: 'content-encoding' } }]);
  expect((await post(gzipSync(json), headers)) ?? '').not.toContain('body.');
});
