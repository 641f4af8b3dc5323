import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sender, startReceiver } from './support.ts';

const problem = 'TypeError: signature is undefined\n    at verify (hooks.js:12)';

test.each([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a compressed answer is kept as its text: %s', async (encoding, compress) => {
  const receiver = await startReceiver((response) =>
    response.writeHead(500, { 'content-encoding': encoding }).end(compress(problem)),
  );
  expect((await sender()(receiver.url)).response).toMatchObject({
    body: problem,
    headers: { 'content-encoding': encoding },
  });
});

test('of a large compressed answer the beginning of its text is kept', async () => {
  const receiver = await startReceiver((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000, 'x'))),
  );
  expect((await sender()(receiver.url)).response?.body).toBe('x'.repeat(16 * 1024));
  const shorter = sender({ settings: { readBytes: 1_000, keptBytes: 1_000 } });
  const random = Array.from({ length: 2_000 }, (_, n) => ((n * 7919) % 10_007).toString(36)).join(' ');
  const long = await startReceiver((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(random)),
  );
  const { error, response } = await shorter(long.url);
  expect(error).toBe(null);
  expect(random.startsWith(response?.body ?? 'nothing')).toBe(true);
});

test('an answer that is not compressed as it says is kept as it is', async () => {
  for (const encoding of ['gzip', 'br', 'unheard-of']) {
    const receiver = await startReceiver((response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(problem),
    );
    expect((await sender()(receiver.url)).response?.body).toBe(problem);
  }
});

test('an answer is read in the characters that its type names', async () => {
  const answering = (type: string) =>
    startReceiver((response) => response.writeHead(200, { 'content-type': type }).end(Buffer.from([0x43, 0xe9])));
  expect((await sender()((await answering('text/plain; charset=ISO-8859-1')).url)).response?.body).toBe('Cé');
  expect((await sender()((await answering('text/plain; charset="unheard-of"')).url)).response?.body).toBe('C\uFFFD');
});

test('of an answer that is not text the first bytes are kept in hex, and how many there were', async () => {
  const image = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(40_000, 0xfe)]);
  const receiver = await startReceiver((response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(image),
  );
  expect((await sender()(receiver.url)).response).toMatchObject({
    body: `Not text. It begins with the bytes 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52${' fe'.repeat(16)}`,
    binaryBytes: 40_016,
  });
  const short = await startReceiver((response) => response.end(Buffer.from([0, 1])));
  expect((await sender()(short.url)).response).toMatchObject({
    body: 'Not text. It is the bytes 00 01',
    binaryBytes: 2,
  });
});

test('a text in characters that no header names, and of which little can be read, is said to be none in UTF-8', async () => {
  const shiftJis = Buffer.from('83658358836782c582b7', 'hex');
  const receiver = await startReceiver((response, { url }) =>
    response
      .writeHead(200, { 'content-type': url === '/named' ? 'text/plain; charset=Shift_JIS' : 'text/plain' })
      .end(shiftJis),
  );
  expect((await sender()(receiver.url)).response).toMatchObject({
    body: 'Not text in UTF-8. It is the bytes 83 65 83 58 83 67 82 c5 82 b7',
    binaryBytes: 10,
  });
  expect((await sender()(new URL('/named', receiver.url).href)).response?.body).toBe('テストです');
});

test('a European text of which no header names the characters stays a text', async () => {
  const latin = Buffer.from('La clé est refusée: elle a été changée.', 'latin1');
  const receiver = await startReceiver((response) => response.end(latin));
  const { response } = await sender()(receiver.url);
  expect(response?.body).toContain('est refus\uFFFDe: elle a');
  expect(response).not.toHaveProperty('binaryBytes');
});
