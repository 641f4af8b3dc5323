import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';

import { element, send, startObjectStore } from './object-store.ts';

const file = '123456789';
const hash = (name: string) => createHash(name).update(file).digest('base64');
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

/** The check values of the CRCs are those of their catalogues, for this text. */
const checksums = [
  ['crc32', base64('cbf43926')],
  ['crc32c', base64('e3069283')],
  ['crc64nvme', base64('ae8b14860a799888')],
  ['md5', hash('md5')],
  ['sha1', hash('sha1')],
  ['sha256', hash('sha256')],
  ['sha512', hash('sha512')],
] as const;

test.for(checksums)('a file with its own %s is stored', async ([name, value]) => {
  const store = await startObjectStore();
  const headers = { [`x-amz-checksum-${name}`]: value, 'x-amz-sdk-checksum-algorithm': name.toUpperCase() };
  expect(await send(store.url, file, { headers })).toMatchObject({ status: 200 });
  expect(store.stored).toHaveLength(1);
});

test.for(checksums)('a file with the %s of another file is refused, and not stored', async ([name, value]) => {
  const store = await startObjectStore();
  const answer = await send(store.url, `${file}0`, { headers: { [`x-amz-checksum-${name}`]: value } });
  expect(answer).toMatchObject({ status: 400, headers: { 'x-sandbox-rule': 'objects.digest' } });
  expect(element(answer.body, 'Code')).toBe('BadDigest');
  expect(element(answer.body, 'Message')).toContain(`The ${name.toUpperCase()} of the received bytes`);
  expect(element(answer.body, 'ExpectedDigest')).toBe(Buffer.from(value, 'base64').toString('hex'));
  expect([store.stored, await store.files()]).toEqual([[], []]);
});

test('a checksum of a file that arrives in many chunks is that of the whole file', async () => {
  const store = await startObjectStore();
  const bytes = Buffer.alloc(1_000_000, file);
  const wrong = await send(store.url, bytes, { headers: { 'x-amz-checksum-crc32c': 'AAAAAA==' } });
  const calculated = Buffer.from(element(wrong.body, 'CalculatedDigest') ?? '', 'hex').toString('base64');
  expect(await send(store.url, bytes, { headers: { 'x-amz-checksum-crc32c': calculated } })).toMatchObject({
    status: 200,
  });
});

test.for([
  ['a payload that was not signed', 'UNSIGNED-PAYLOAD', 200, undefined],
  ['the SHA-256 of the file', createHash('sha256').update(file).digest('hex'), 200, undefined],
  ['another SHA-256', '0'.repeat(64), 400, 'XAmzContentSHA256Mismatch'],
  ['something else', 'UNSIGNED', 400, 'InvalidArgument'],
] as const)('x-amz-content-sha256 with %s', async ([, value, status, code]) => {
  const store = await startObjectStore();
  const answer = await send(store.url, file, { headers: { 'x-amz-content-sha256': value } });
  expect([answer.status, element(answer.body, 'Code')]).toEqual([status, code]);
  expect(store.stored).toHaveLength(status === 200 ? 1 : 0);
});

test('of two checksums the fix keeps the one that x-amz-sdk-checksum-algorithm names', async () => {
  const store = await startObjectStore();
  const headers = {
    'x-amz-checksum-crc32': 'AAAAAA==',
    'x-amz-checksum-sha1': hash('sha1'),
    'x-amz-sdk-checksum-algorithm': 'SHA1',
  };
  const answer = await send(store.url, file, { headers });
  expect(answer).toMatchObject({ status: 400, headers: { 'x-sandbox-rule': 'objects.one-checksum' } });
  expect(element(answer.body, 'Message')).toContain('x-amz-checksum-crc32 and x-amz-checksum-sha1');
});

test('a checksum by an algorithm that Sandpiper does not know refuses nothing', async () => {
  const store = await startObjectStore();
  const headers = { 'x-amz-checksum-xxhash64': 'AAAAAAAAAAA=', 'x-amz-sdk-checksum-algorithm': 'XXHASH64' };
  expect(await send(store.url, file, { headers })).toMatchObject({ status: 200 });
});
