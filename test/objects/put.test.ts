import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';

import { element, head, key, openSocket, send, startObjectStore } from './object-store.ts';

const file = '{"id":"1"}\n{"id":"2"}\n';
const md5 = createHash('md5').update(file).digest();

test('a plain PUT is stored byte for byte and answered 200 with an ETag and no body', async () => {
  const store = await startObjectStore();
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 256));
  const answer = await send(store.url, bytes);
  expect(answer).toMatchObject({ status: 200, body: '' });
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  expect(answer.headers, 'the ETag is the MD5 of the file').toMatchObject({ etag, 'content-length': '0' });
  expect(answer.headers).not.toHaveProperty('x-sandbox-rule');
  const [object] = store.stored;
  expect(object).toMatchObject({ key, id: 'UPLOAD1', bytes: 300_000, etag: answer.headers.etag?.replaceAll('"', '') });
  expect((await readFile(object?.path ?? '')).equals(bytes)).toBe(true);
  expect(await store.files()).toEqual(['UPLOAD1']);
});

test('the stored file is readable only by its owner', async () => {
  const store = await startObjectStore();
  await send(store.url, file);
  expect((await stat(store.stored[0]?.path ?? '')).mode & 0o077).toBe(0);
});

test('a chunked body is accepted like one with a length', async () => {
  const store = await startObjectStore();
  expect(await send(store.url, file, { chunked: true })).toMatchObject({ status: 200 });
  expect(await readFile(store.stored[0]?.path ?? '', 'utf8')).toBe(file);
});

test.each(['application/x-ndjson', 'text/plain', 'application/x-www-form-urlencoded', 'application/json', ''])(
  'the content type %j is accepted',
  async (type) => {
    const store = await startObjectStore();
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    expect(await send(store.url, file, { headers })).toMatchObject({ status: 200 });
    expect(store.stored[0]?.bytes).toBe(file.length);
  },
);

test('an empty file is a file', async () => {
  const store = await startObjectStore();
  expect(await send(store.url, '')).toMatchObject({ status: 200 });
  expect(store.stored[0]?.bytes).toBe(0);
});

test.each([false, true])('maxBytes are accepted and one more is refused (chunked: %s)', async (chunked) => {
  const store = await startObjectStore({ maxBytes: 1000 });
  const refused = await send(store.url, 'x'.repeat(1001), { chunked });
  expect(refused).toMatchObject({ status: 400, headers: { 'x-sandbox-rule': 'objects.too-large' } });
  expect(element(refused.body, 'Code')).toBe('EntityTooLarge');
  expect(element(refused.body, 'MaxSizeAllowed')).toBe('1000');
  expect(element(refused.body, 'ProposedSize')).toBe(chunked ? undefined : '1001');
  await store.idle();
  expect([store.stored, await store.files()]).toEqual([[], []]);
  expect(await send(store.url, 'x'.repeat(1000), { chunked })).toMatchObject({ status: 200 });
  expect(store.stored[0]?.bytes).toBe(1000);
});

test('the limit is 2 GB by default', async () => {
  const store = await startObjectStore();
  const { socket, until } = openSocket(store.port);
  socket.write(head(store.url, `Content-Length: ${2 * 1024 ** 3 + 1}`));
  const refused = await until('</Error>');
  socket.destroy();
  expect(element(refused, 'ProposedSize')).toBe('2147483649');
  expect(element(refused, 'MaxSizeAllowed')).toBe('2147483648');
});

test('with Content-MD5 the file is checked', async () => {
  const store = await startObjectStore();
  const answer = await send(store.url, file, { headers: { 'content-md5': md5.toString('base64') } });
  expect(answer).toMatchObject({ status: 200, headers: { etag: `"${md5.toString('hex')}"` } });
});

test('a file that does not match its Content-MD5 is refused, with both digests', async () => {
  const store = await startObjectStore();
  const answer = await send(store.url, `${file}x`, { headers: { 'content-md5': md5.toString('base64') } });
  expect(answer).toMatchObject({ status: 400, headers: { 'x-sandbox-rule': 'objects.digest' } });
  expect(element(answer.body, 'Code')).toBe('BadDigest');
  expect(element(answer.body, 'ExpectedDigest')).toBe(md5.toString('hex'));
  expect(element(answer.body, 'CalculatedDigest')).toMatch(/^[0-9a-f]{32}$/);
  expect([store.stored, await store.files()]).toEqual([[], []]);
});

test.for([
  ['in hexadecimal', md5.toString('hex')],
  ['without its padding', md5.toString('base64').replace(/=+$/, '')],
] as const)('a Content-MD5 %s is refused with the command that makes the right one', async ([, sent]) => {
  const store = await startObjectStore();
  const answer = await send(store.url, file, { headers: { 'content-md5': sent } });
  expect(element(answer.body, 'Code')).toBe('InvalidDigest');
  expect(element(answer.body, 'Message')).toContain('openssl md5 -binary');
});

test('an upload accepts one file: the second PUT is refused', async () => {
  const store = await startObjectStore();
  await send(store.url, file);
  const second = await send(store.url, 'other');
  expect(second).toMatchObject({ status: 409, headers: { 'x-sandbox-rule': 'objects.stored' } });
  expect(element(second.body, 'Code')).toBe('KeyAlreadyStored');
  expect(store.temps).toHaveLength(1);
  expect(await readFile(store.stored[0]?.path ?? '', 'utf8')).toBe(file);
});

test('if the upload cannot accept the stored file, the client gets a 500 and the file is removed', async () => {
  const failure = new Error('the journal is <closed>');
  const store = await startObjectStore({
    onStored() {
      throw failure;
    },
  });
  const answer = await send(store.url, file);
  expect(answer.status).toBe(500);
  expect(element(answer.body, 'Code')).toBe('InternalError');
  expect(element(answer.body, 'Message')).toBe('Internal Server Error');
  expect(store.failures).toEqual([failure]);
  expect(await store.files()).toEqual([]);
});

test('an upload that moved on while its file arrived does not get the file', async () => {
  let asked = 0;
  const store = await startObjectStore({
    accepts: () =>
      asked++ === 0 ? { ok: true, kind: 'uploads', id: 'UPLOAD1' } : { ok: false, why: 'expired', id: 'UPLOAD1' },
  });
  const answer = await send(store.url, file);
  expect(answer.status).toBe(409);
  expect(element(answer.body, 'Code')).toBe('InvalidObjectState');
  expect([store.stored, await store.files()]).toEqual([[], []]);
});

test('a file whose upload is deleted while the file is put in its place is refused, and removed', async () => {
  let asked = 0;
  const store = await startObjectStore({
    // When the request begins, when its file is here, and when that is in its place.
    accepts: () => ((asked += 1) < 3 ? { ok: true, kind: 'uploads', id: 'UPLOAD1' } : { ok: false, why: 'unknown' }),
    onStored() {
      throw new Error('the upload was deleted');
    },
  });
  const answer = await send(store.url, 'abc');
  expect(answer).toMatchObject({ status: 409, headers: { 'x-sandbox-rule': 'objects.gone' } });
  expect([store.failures, await store.files()]).toEqual([[], []]);
});
