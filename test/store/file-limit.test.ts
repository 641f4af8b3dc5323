import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { refusedStart, serve } from './serve.ts';
import { newFolder } from './support.ts';

const headers = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };

test.skipIf(process.platform !== 'linux')(
  'codes and a catalog file that are larger than the system allows say so, and what to do, and are not an internal error',
  async () => {
    const { apiUrl, child, ended } = await serve(newFolder(), { blocks: 400 });
    const send = (path: string, json: object): Promise<Response> =>
      fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(json) });
    const codes = Array.from({ length: 20_000 }, (_code, at) => `LARGE-CODE-${at}`);
    const added = await send('/coupons/coupon-pool/54102/create', { codes });
    const { uploadUrl } = (await (await send('/product-catalog/uploads', {})).json()) as { readonly uploadUrl: string };
    const stored = await fetch(uploadUrl, { method: 'PUT', body: Buffer.alloc(400_000, 'x') });
    const answers = [await added.text(), await stored.text()];
    child.kill();
    await ended;
    expect([added.status, stored.status]).toEqual([500, 500]);
    for (const text of answers)
      expect(text).toMatch(/A file is larger than the system allows \(EFBIG.*\)\. Raise the limit.*ulimit -f/);
    expect(added.headers.get('x-sandbox-rule')).toBe('store.unsaved');
  },
);

test.skipIf(process.platform !== 'linux')(
  'a start on a disk that takes no byte says what the disk refused, and what to do about that, and leaves no folder',
  async () => {
    const folder = newFolder();
    const said = await refusedStart(folder, undefined, { blocks: 0 });
    expect(said).toContain(`The data folder ${folder} cannot be written (EFBIG`);
    expect(said).toContain(
      '. Raise the limit of the size of a file (ulimit -f), choose another one with --data, or use --memory.',
    );
    expect(existsSync(folder)).toBe(false);
  },
);

interface Line {
  /** Sends a request on the connection, and returns the answer as it came. */
  send(method: string, path: string, more: Readonly<Record<string, string>>, body: string): Promise<string>;
}

/** Connections to servers that have no more for others: one to each of these, and as many as the system allows. */
async function crowd(...urls: readonly string[]): Promise<{ readonly lines: readonly Line[]; leave(): void }> {
  const sockets: Socket[] = [];
  const open = (url: string): Socket => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  // What is opened first is accepted first.
  const lines = urls.map((url): Line => {
    const own = open(url);
    return {
      async send(method, path, more, body) {
        const head = { host: new URL(url).host, ...more, 'content-length': String(Buffer.byteLength(body)) };
        const texts = Object.entries(head).map((line) => line.join(': '));
        own.write([`${method} ${path} HTTP/1.1`, ...texts, '', body].join('\r\n'));
        let answer = '';
        // Some of success have no body.
        while (!/^HTTP\/1\.1 2.*\r\n\r\n|\r\n\r\n.*\}$/s.test(answer))
          answer += String((await once(own, 'data')) as [Buffer]);
        return answer;
      },
    };
  });
  const [first = ''] = urls;
  const others = Array.from({ length: 80 }, () => open(first));
  // The server closes those that are too many.
  await Promise.race(others.map((socket) => once(socket, 'close')));
  return { lines, leave: () => others.forEach((socket) => socket.destroy()) };
}

test.skipIf(process.platform !== 'linux')(
  'with as many connections as the system allows a change says so, and what to do, and is not an internal error',
  async () => {
    const { apiUrl, child, ended } = await serve(newFolder(), { files: 60 });
    const path = '/coupons/coupon-pool/54102/create';
    // Code that such a request needs is loaded with the first one.
    await fetch(apiUrl + path, { method: 'POST', headers, body: '{"codes":["FIRST"]}' });
    const { lines, leave } = await crowd(apiUrl);
    const send = async () => lines[0]?.send('POST', `/v1${path}`, headers, '{"codes":["MORE"]}');
    const refused = await send();
    expect(refused).toMatch(/^HTTP\/1\.1 500 .*x-sandbox-rule: store\.unsaved/s);
    expect(refused).toMatch(/EMFILE.*\)\. Close connections that are not needed, or raise the limit.*ulimit -n/);

    leave();
    await expect.poll(send).toMatch(/^HTTP\/1\.1 2/);
    child.kill();
    await ended;
  },
);

test.skipIf(process.platform !== 'linux')(
  'with as many connections as the system allows a reset, and the notice that requests are not stored, say what to do about that',
  async () => {
    const { apiUrl, inspectorUrl, token, child, ended } = await serve(newFolder(), { files: 60 });
    const demo = '{"world":"demo"}';
    const ofControl = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${inspectorUrl}/control/reset`, { method: 'POST', headers: ofControl, body: demo });
    let said = '';
    child.stderr?.on('data', (text: Buffer) => (said += String(text)));
    const { lines } = await crowd(apiUrl, inspectorUrl);
    const refused = await lines[1]?.send('POST', '/control/reset', ofControl, demo);
    expect(refused).toMatch(/^HTTP\/1\.1 507 .*EMFILE.*Close connections that are not needed, or raise the limit/s);
    expect(refused).not.toContain('TMPDIR');
    await lines[0]?.send('GET', '/v1/me', headers, '');
    await expect.poll(() => said).toMatch(/EMFILE.*kept in memory only\. Close connections that are not needed/);
    child.kill();
    await ended;
  },
);
