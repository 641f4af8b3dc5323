import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createSecureServer as createTlsHttp2Server, createServer as createHttp2Server } from 'node:http2';
import { createServer as createTlsServer, request } from 'node:https';
import type { Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { toSentence } from '../../emulator/delivery/failure-words.ts';
import { createAuthority } from '../../emulator/production/authority.ts';
import { sender, startRaw, startReceiver } from './support.ts';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each([
  [401, '“Check the signature” in the inspector shows where they differ'],
  [403, '“Check the signature” in the inspector shows where they differ'],
  [403, 'Or it asks for a CSRF token, which no webhook carries'],
  [419, 'because it asks for a CSRF token, which no webhook carries'],
  [404, 'correct the path of the address'],
  [405, 'add a route for POST'],
  [415, 'let it take that type'],
  [505, 'Events are sent with HTTP/1.1'],
])('an answer %s says what its cause nearly always is', async (status, cause) => {
  const receiver = await startReceiver((response) => response.writeHead(status).end());
  const { error } = await sender()(receiver.url);
  expect(error).toMatch(new RegExp(`^The receiver answered ${status}; only 2xx counts as accepted\\. `));
  expect(error).toContain(cause);
});

test.each([
  ['/hooks/', '/hooks/'],
  ['../v2?x=1', '/v2?x=1'],
])('a redirect to %s names the whole address to register', async (location, path) => {
  const receiver = await startReceiver((response) => response.writeHead(308, { location }).end());
  expect((await sender()(receiver.url)).error).toBe(
    `The receiver answered 308 to ${new URL(path, receiver.url).href}; redirects are not followed. Register the address it points to.`,
  );
});

test('304 is not a redirect, whatever location it names', async () => {
  const receiver = await startReceiver((response) => response.writeHead(304, { location: '/hooks' }).end());
  expect((await sender()(receiver.url)).error).toBe('The receiver answered 304; only 2xx counts as accepted.');
});

test('an answer that is reset after its status is said to be one', async () => {
  const url = await startRaw((socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () =>
        setImmediate(() => socket.resetAndDestroy()),
      ),
    );
  });
  const { error, reason } = await sender()(url);
  expect(error).toBe('The receiver answered 200, but closed the connection before the end of its answer (ECONNRESET).');
  expect(reason).toEqual({ connectionFailure: 'reset' });
});

test('an http address of a receiver that speaks https is explained', async () => {
  const authority = await createAuthority(Date.now());
  const server = createTlsServer(await authority.issue(['localhost'])).on('tlsClientError', () => {});
  const { error } = await sender()(`http://127.0.0.1:${await listening(server)}/`);
  expect(error).toBe(
    'The receiver closed the connection without an answer (ECONNRESET). Its own log may say why; if it speaks https, register an address with https://.',
  );
  const alert = await startRaw((socket) => socket.once('data', () => socket.end(Buffer.from('15030300020246', 'hex'))));
  expect((await sender()(alert)).error).toMatch(/^The answer is not valid HTTP \(HPE_\w+\), but TLS\. .*https:\/\/\.$/);
});

test('a receiver that closes the connection before TLS begins may speak http', async () => {
  const url = (await startRaw((socket) => socket.end())).replace('http:', 'https:');
  expect((await sender()(url)).error).toMatch(/^No TLS connection to https:.* If the receiver speaks http, register/);
});

test('a receiver that speaks only HTTP/2, and a port of something else, are named', async () => {
  const port = await listening(createHttp2Server((_request, response) => response.end()));
  expect((await sender()(`http://127.0.0.1:${port}/`)).error).toMatch(
    /^The answer is not valid HTTP \(HPE_\w+\) 1\.1, but HTTP\/2\. Let the receiver take HTTP\/1\.1, too\.$/,
  );
  const mail = await startRaw((socket) => socket.write('220 mail.example ESMTP\r\n'));
  expect((await sender()(mail)).error).toContain('Correct the port: something other than a web server listens there.');
  const chunk = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n';
  expect((await sender()(await startRaw((socket) => socket.once('data', () => socket.end(chunk))))).error).toBe(
    'The answer is not valid HTTP (HPE_INVALID_CHUNK_SIZE): Invalid character in chunk size.',
  );
});

test('a receiver with TLS that takes only HTTP/2 is named, with its own words, and not taken for a wrong signature', async () => {
  const authority = await createAuthority(Date.now());
  const port = await listening(createTlsHttp2Server(await authority.issue(['localhost'])));
  const asked = request({ port, rejectUnauthorized: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const words = (await answer.setEncoding('utf8').toArray()).join('');
  const receiver = await startReceiver((response) => response.writeHead(answer.statusCode ?? 0).end(words));
  expect((await sender()(receiver.url)).error).toMatch(
    /^The receiver answered 403; only 2xx counts as accepted\. It takes only HTTP\/2 \(“Missing ALPN Protocol, expected `h2` .*”\), and events are sent with HTTP\/1\.1: let it take that, too \(allowHTTP1 in Node\)\.$/,
  );
});

test('an answer that stops being HTTP in its middle is not taken for that of another service', () => {
  const reason = 'Invalid character in chunk size';
  const parsed = {
    code: 'HPE_INVALID_CHUNK_SIZE',
    reason,
    rawPacket: Buffer.from('zz\r\n'),
    phase: 'answering',
    answered: 200,
  };
  expect(toSentence(Object.assign(new Error(reason), parsed), 'http://localhost:3000/')).toBe(
    `The answer is not valid HTTP (HPE_INVALID_CHUNK_SIZE): ${reason}.`,
  );
});

test('an attempt that takes too long says how far it came', async () => {
  const send = sender({ settings: { timeoutMs: 1_000 } });
  const silent = await startRaw(() => {});
  const open = await startReceiver((response) => response.write('a part'));
  const sent = [silent, silent.replace('http:', 'https:'), open.url].map((url) => send(url));
  expect((await Promise.all(sent)).map(({ error }) => error)).toEqual([
    'No whole answer within 1 s. Answer first, then do the work.',
    expect.stringMatching(
      /^No TLS connection to https:\S+ within 1 s: something listens, but does not answer in TLS\./,
    ),
    'No whole answer within 1 s: the receiver answered 200, but did not end its answer. Let it end.',
  ]);
});

/** What the client of Node says of a TLS receiver whose authority it trusts. */
async function clientError(port: number, servername: string, ca: string): Promise<Error> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, servername, ca, method: 'POST' }, () =>
      reject(new Error('accepted')),
    );
    asked.on('error', resolve);
    asked.end();
  });
}

test('a certificate that has expired, or that is for other names, is explained', async () => {
  const old = await createAuthority(Date.parse('2020-01-01T00:00:00Z'));
  const expired = await listening(createTlsServer(await old.issue(['localhost'])));
  expect(toSentence(await clientError(expired, 'localhost', old.certificate), 'https://localhost/')).toMatch(
    /^The certificate of https:\/\/localhost\/ has expired \(CERT_HAS_EXPIRED\)\. Make a new one, or register/,
  );
  const authority = await createAuthority(Date.now());
  const other = await listening(createTlsServer(await authority.issue(['other.example'])));
  expect(toSentence(await clientError(other, 'localhost', authority.certificate), 'https://localhost/')).toBe(
    'The certificate of https://localhost/ is for other names, DNS:other.example (ERR_TLS_CERT_ALTNAME_INVALID). Register the address with one of them, or make a certificate for localhost.',
  );
});

test('a receiver that takes only an old TLS, or asks for a certificate of the sender, is explained', async () => {
  const authority = await createAuthority(Date.now());
  const issued = await authority.issue(['localhost']);
  const oldTls = createTlsServer({
    ...issued,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const port = await listening(oldTls.on('tlsClientError', () => {}));
  expect(toSentence(await clientError(port, 'localhost', authority.certificate), 'https://localhost/')).toMatch(
    /^No TLS connection to https:\/\/localhost\/ could be made \(EPROTO, protocol version\)\. Let the receiver take TLS 1\.2 or 1\.3/,
  );
  const asking = createTlsServer({ ...issued, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.3' });
  const askingPort = await listening(asking.on('tlsClientError', () => {}));
  expect(toSentence(await clientError(askingPort, 'localhost', authority.certificate), 'https://localhost/')).toMatch(
    /asks for a certificate of the sender \(\w+\); Sandpiper has none\./,
  );
});

test('a network that is not there, and a name that nothing knows, are explained', () => {
  const failed = (code: string) =>
    toSentence(Object.assign(new Error(`connect ${code}`), { code }), 'http://shop.example/');
  expect(failed('EHOSTUNREACH')).toMatch(/^This machine has no route to http:\/\/shop\.example\/ \(EHOSTUNREACH\)\./);
  expect(failed('ENOTFOUND')).toContain('give it an address in the hosts file of this machine');
  expect(failed('EAI_AGAIN')).toContain('the DNS server of this machine did not answer (EAI_AGAIN)');
  for (const code of ['EPIPE', 'ECONNABORTED'])
    expect(failed(code)).toContain(`The receiver closed the connection without an answer (${code})`);
});

test('the address that servers listen on is refused with the one to write instead', async () => {
  for (const host of ['0.0.0.0', '[::]'])
    expect((await sender()(`http://${host}:3000/`)).error).toMatch(/all addresses of their machine; .*Write localhost/);
});
