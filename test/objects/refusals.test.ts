import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { escapeXml, toErrorText } from '../../emulator/http/error-text.ts';
import { presign } from '../../emulator/objects/presign.ts';
import {
  element,
  expiresAt,
  head,
  key,
  openSocket,
  secret,
  send,
  start as startTime,
  startObjectStore,
} from './object-store.ts';

test('a refusal is XML with code, message, the received values and its rule', async () => {
  const store = await startObjectStore();
  const answer = await send(store.url.replace('UPLOAD1', '%3CUPLOAD%3E'), 'x');
  expect(answer.status).toBe(403);
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/xml/),
    'x-sandbox-rule': 'objects.signature',
    'x-sandbox-explain': expect.stringMatching(/\/#\/requests\/req_/),
  });
  expect(answer.body).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Error><Code>SignatureDoesNotMatch<\/Code><Message>/,
  );
  expect(element(answer.body, 'StringToSign')).toBe(`PUT\ncatalog/&lt;UPLOAD&gt;.ndjson\n${expiresAt}`);
  expect(store.rules).toEqual(['objects.signature']);
  expect([store.stored, store.temps]).toEqual([[], []]);
});

test('no text in an XML error can end its element or break its encoding', () => {
  expect(escapeXml(`<a b="c" d='e'>&\r\u0000\u001b\ud800\uffff😀`)).toBe(
    '&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;&#13;\ufffd\ufffd\ufffd\ufffd😀',
  );
  expect(toErrorText('s3', { status: 404, reference: 1, message: '</Message>' }).text).toContain(
    '<Message>&lt;/Message&gt;</Message>',
  );
});

test('an expired URL is refused with both times, read on the clock of the sandbox', async () => {
  const store = await startObjectStore();
  store.clock.time = expiresAt;
  const answer = await send(store.url, 'x');
  expect(answer).toMatchObject({ status: 403, headers: { 'x-sandbox-rule': 'objects.expired' } });
  expect(element(answer.body, 'Code')).toBe('AccessDenied');
  expect(element(answer.body, 'Message')).toMatch(/^Request has expired/);
  expect(element(answer.body, 'Expires')).toBe(new Date(expiresAt).toISOString());
  expect(element(answer.body, 'ServerTime')).toBe(new Date(expiresAt).toISOString());
  store.clock.time = startTime;
  expect(await send(store.url, 'x')).toMatchObject({ status: 200 });
});

test.each(['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])('%s is not allowed on an object', async (method) => {
  const store = await startObjectStore();
  const answer = await send(store.url, method === 'POST' ? 'x' : null, { method });
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'PUT', 'x-sandbox-rule': 'objects.method' } });
  expect(element(answer.body, 'Code')).toBe(method === 'HEAD' ? undefined : 'MethodNotAllowed');
  expect(store.stored).toEqual([]);
});

test('a key that no upload has is a 404', async () => {
  const store = await startObjectStore({ accepts: () => ({ ok: false, why: 'unknown' }) });
  const answer = await send(store.url, 'x');
  expect(answer).toMatchObject({ status: 404, headers: { 'x-sandbox-rule': 'objects.key' } });
  expect(element(answer.body, 'Key')).toBe(key);
});

test('a path without a key is a 404 in XML', async () => {
  const store = await startObjectStore();
  const answer = await send(`${store.baseUrl}/object-storage/`, 'x');
  expect(answer.status).toBe(404);
  expect(element(answer.body, 'Code')).toBe('NoSuchKey');
});

test.each([
  ['content-type', 'multipart/form-data; boundary=x', /boundaries of the form/],
  ['content-encoding', 'gzip', /bytes that arrive are not those of the file/],
  ['content-encoding', 'aws-chunked', /bytes that arrive are not those of the file/],
  ['transfer-encoding', 'gzip, chunked', /bytes that arrive are not those of the file/],
  ['x-amz-content-sha256', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', /headers of its chunks/],
  ['x-amz-content-sha256', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', /headers of its chunks/],
  ['x-amz-trailer', 'x-amz-checksum-crc32', /checksum after it/],
  ['content-range', 'bytes 10-20/30', /only a part/],
])('a body that is not the plain file is refused: %s %s', async (name, value, message) => {
  const store = await startObjectStore();
  const chunked = name === 'transfer-encoding';
  const answer = await send(store.url, 'x', { headers: { [name]: value }, chunked });
  expect(answer).toMatchObject({ status: 400, headers: { 'x-sandbox-rule': 'objects.plain-file' } });
  expect(element(answer.body, 'Code')).toBe('InvalidArgument');
  expect(element(answer.body, 'ArgumentName')?.toLowerCase()).toBe(name);
  expect(element(answer.body, 'Message')).toMatch(message);
  expect([store.stored, store.temps]).toEqual([[], []]);
});

test('a PUT without a body is refused, because a forgotten file would be an empty catalog', async () => {
  const store = await startObjectStore();
  const { socket, until } = openSocket(store.port);
  socket.write(head(store.url));
  const answer = await until('</Error>');
  socket.destroy();
  expect(answer).toMatch(/^HTTP\/1\.1 411 /);
  expect(answer).toContain('x-sandbox-rule: objects.no-body');
  expect(element(answer, 'Code')).toBe('MissingContentLength');
  expect(store.stored).toEqual([]);
});

test('a file as large as the free space is accepted, one byte more is refused before it is read', async () => {
  const store = await startObjectStore({ freeBytes: () => 10 });
  const answer = await send(store.url, 'x'.repeat(11));
  expect(answer).toMatchObject({ status: 507, headers: { 'x-sandbox-rule': 'objects.space' } });
  expect(element(answer.body, 'Code')).toBe('InsufficientStorage');
  expect([store.stored, store.temps]).toEqual([[], []]);
  expect(await send(store.url, 'x'.repeat(10))).toMatchObject({ status: 200 });
});

test.runIf(existsSync('/dev/full')).each([
  ['small', 5],
  ['larger than all buffers', 20_000_000],
])('a disk that is full in the middle of a %s file is a 507, and nothing is left', async (_name, size) => {
  const createTemp = async (folder: string): Promise<string> => {
    const path = join(folder, 'temp', 'full');
    // A link, because the router removes the temporary file.
    await symlink('/dev/full', path);
    return path;
  };
  const store = await startObjectStore({ createTemp });
  const answer = await send(store.url, Buffer.alloc(size, 'x'));
  expect(answer.status).toBe(507);
  expect(element(answer.body, 'Message')).toMatch(/ENOSPC.*send the file again/);
  await store.idle();
  expect([store.stored, store.failures, await store.files()]).toEqual([[], [], []]);
});

test('a folder that cannot be written is a 500 and is reported', async () => {
  const store = await startObjectStore({ createTemp: (folder) => join(folder, 'missing', 'file') });
  const answer = await send(store.url, 'x');
  expect(answer.status).toBe(500);
  expect(store.failures).toMatchObject([{ code: 'ENOENT' }]);
});

test('the refusal of a changed expiry names the signed expiry', async () => {
  const store = await startObjectStore({ issued: (asked) => (asked === key ? expiresAt : undefined) });
  const forged = presign({
    baseUrl: store.baseUrl,
    key,
    method: 'PUT',
    expiresAt: expiresAt + 1,
    secret: `${secret}?`,
  });
  const answer = await send(forged, 'x');
  expect(element(answer.body, 'Message')).toContain(`signed for ${expiresAt}`);
});
