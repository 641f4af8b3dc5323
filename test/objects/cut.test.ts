import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { element, head, openSocket, send, startObjectStore } from './object-store.ts';

/** A store, and a promise that resolves when the server opens the file of a PUT. */
async function startWatched(options: Parameters<typeof startObjectStore>[0] = {}) {
  const events = new EventEmitter();
  const opened = once(events, 'opened');
  const createTemp = (folder: string): string => {
    events.emit('opened');
    return join(folder, 'temp', '0');
  };
  return { store: await startObjectStore({ ...options, createTemp }), opened };
}

const expecting = 'Expect: 100-continue';

test('an upload that waits for 100 Continue is told to go on, then stored', async () => {
  const store = await startObjectStore();
  const { socket, until } = openSocket(store.port);
  socket.write(head(store.url, expecting, 'Content-Length: 5'));
  expect(await until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  expect(store.stored).toEqual([]);
  socket.write('hello');
  expect(await until('ETag')).toMatch(/100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  expect(await until('keep-alive')).toContain('Connection: keep-alive');
  expect(store.stored).toMatchObject([{ bytes: 5 }]);
  socket.destroy();
});

test.each([
  ['a wrong signature', (url: string) => url.slice(0, -1), '5', '403', {}],
  ['too long a file', (url: string) => url, '1001', '400', { maxBytes: 1000 }],
  ['too full a disk', (url: string) => url, '11', '507', { freeBytes: () => 10 }],
])(
  '%s is refused before the body is asked for, and the connection is closed',
  async (_name, change, length, status, options) => {
    const store = await startObjectStore(options);
    const { socket, closed } = openSocket(store.port);
    socket.write(head(change(store.url), expecting, `Content-Length: ${length}`));
    const answer = await closed();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('</Error>');
    socket.destroy();
  },
);

test.each([
  ['with a length', 'Content-Length: 100000', 'x'.repeat(500)],
  ['chunked', 'Transfer-Encoding: chunked', `1f4\r\n${'x'.repeat(500)}\r\n`],
])('a client that disconnects in the middle leaves nothing behind (%s)', async (_name, framing, part) => {
  const { store, opened } = await startWatched();
  const { socket } = openSocket(store.port);
  socket.write(head(store.url, framing) + part);
  await opened;
  socket.resetAndDestroy();
  await store.idle();
  expect([store.stored, await store.files()]).toEqual([[], []]);
  expect(store.rules).toEqual(['objects.length']);
  // The URL is as good as before.
  expect(await send(store.url, 'again')).toMatchObject({ status: 200 });
});

test.each([
  ['with a length', 'Content-Length: 1000', 'x'.repeat(999), '1000'],
  ['chunked', 'Transfer-Encoding: chunked', `3e7\r\n${'x'.repeat(999)}\r\n`, undefined],
])('a body that ends early is refused, and nothing is kept (%s)', async (_name, framing, part, announced) => {
  const store = await startObjectStore();
  const { socket, closed } = openSocket(store.port);
  socket.write(head(store.url, expecting, framing));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.end(part);
  const answer = await closed();
  expect(answer).toContain('HTTP/1.1 400 Bad Request');
  expect(element(answer, 'Code')).toBe('IncompleteBody');
  expect(element(answer, 'AnnouncedBytes')).toBe(announced);
  expect(element(answer, 'ReceivedBytes')).toBe('999');
  await store.idle();
  expect([store.stored, store.rules, await store.files()]).toEqual([[], ['objects.length'], []]);
});

test('a client that is told to send the whole file again may do so at once', async () => {
  const store = await startObjectStore();
  const { socket, until } = openSocket(store.port);
  socket.write(head(store.url, expecting, 'Content-Length: 1000'));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.end('x'.repeat(999));
  expect(await until('</Error>')).toContain('send the whole file again');
  expect(await send(store.url, 'again')).toMatchObject({ status: 200 });
  await store.idle();
  expect(store.rules).toEqual(['objects.length', null]);
});

test('a stalled upload is cancelled', async () => {
  const store = await startObjectStore({ idleMs: 50 });
  const { socket, closed } = openSocket(store.port);
  socket.write(head(store.url, 'Content-Length: 10'));
  await closed();
  await store.idle();
  expect([store.stored, await store.files()]).toEqual([[], []]);
  socket.destroy();
});

test('of two simultaneous PUTs only one is stored, and the other is refused while the first still runs', async () => {
  const { store, opened } = await startWatched();
  const first = openSocket(store.port);
  first.socket.write(head(store.url, 'Content-Length: 10') + 'first');
  await opened;
  const second = await send(store.url, 'second');
  expect(second).toMatchObject({ status: 409, headers: { 'x-sandbox-rule': 'objects.busy' } });
  expect(element(second.body, 'Code')).toBe('OperationAborted');
  first.socket.write('first');
  expect(await first.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  expect(store.stored).toMatchObject([{ bytes: 10 }]);
  first.socket.destroy();
});

test('after a refusal the rest of a small body is read, and the connection serves the next request', async () => {
  const store = await startObjectStore();
  const { socket, until } = openSocket(store.port);
  socket.write(head(store.url.slice(0, -1), 'Content-Length: 6'));
  await until('</Error>');
  socket.write(`rest..${head(store.url, 'Content-Length: 5')}hello`);
  expect(await until('ETag')).toContain('HTTP/1.1 200 OK');
  socket.destroy();
});

test('an endless body over the limit is cut, after the client got its reply', async () => {
  const store = await startObjectStore({ maxBytes: 1000 });
  const { socket, until, closed } = openSocket(store.port);
  socket.write(head(store.url, 'Transfer-Encoding: chunked'));
  const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 'x'), Buffer.from('\r\n')]);
  socket.write(megabyte);
  expect(element(await until('</Error>'), 'Code')).toBe('EntityTooLarge');
  const over = closed();
  let sent = 0;
  const pump = async (): Promise<void> => {
    while (!socket.destroyed && sent < 1000) {
      sent += 1;
      if (!socket.write(megabyte)) await Promise.race([once(socket, 'drain').catch(() => null), over]);
    }
  };
  await pump();
  await over;
  expect(sent).toBeLessThan(100);
  await store.idle();
  expect([store.stored, await store.files()]).toEqual([[], []]);
});
