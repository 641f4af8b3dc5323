import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

/** Sends the head of a request that waits for 100 Continue, and its body if that came. Returns all that was answered. */
async function exchange(
  path: string,
  { body, length = body.length, key = 'sandpiper-demo-key' }: { body: string; length?: number; key?: string },
): Promise<string> {
  const isControl = path.startsWith('/control/');
  const { host, port } = new URL(isControl ? sandbox.emulator.inspectorUrl : sandbox.emulator.apiUrl);
  const token = isControl ? sandbox.emulator.token : key;
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const heads = [`Host: ${host}`, `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  socket.write(
    `POST ${path} HTTP/1.1\r\n${heads.join('\r\n')}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
  );
  let answered = '';
  let isSent = false;
  for await (const part of socket) {
    answered += String(part);
    if (/HTTP\/1\.1 [2-5]/.test(answered)) return answered;
    if (answered.includes('100 Continue') && !isSent) socket.write(body);
    isSent ||= answered.includes('100 Continue');
  }
  return answered;
}

const statusesOf = (answered: string) => [...answered.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);

const view = '{"items":[{"productId":"1","productVariantId":"1","price":[{"value":1}]}],"user":{"email":"a@b.co"}}';

test.each([
  ['/v1/events/ecommerce/product-view', view, ['100', '200']],
  ['/control/clock', '{"freeze":true}', ['100', '200']],
])('a client of %s that waits for 100 Continue gets it, then the answer', async (path, body, statuses) => {
  expect(statusesOf(await exchange(path, { body }))).toEqual(statuses);
});

test.each(['/v1/webhooks', '/control/clock'])(
  'a body for %s that is announced as too large is refused without 100 Continue, and not waited for',
  async (path) => {
    const answered = await exchange(path, { body: '', length: 1024 * 1024 * 1024 });
    expect(statusesOf(answered)).toEqual(['413']);
    expect(answered).toMatch(/^connection: close/im);
  },
);

test('a large body for an unknown key is refused without 100 Continue', async () => {
  const answered = await exchange('/v1/events/custom', { body: '', length: 500_000, key: 'nobody' });
  expect(statusesOf(answered)).toEqual(['401']);
});

test('a small body of a refused request is still asked for, so that the request can be sent again', async () => {
  const answered = await exchange('/v1/webhooks', { body: '{}', key: 'nobody' });
  expect(statusesOf(answered)).toEqual(['100', '401']);
  const last = sandbox.emulator.recorder.all().at(-1);
  expect(await sandbox.control('GET', `/control/requests/${last?.id}`)).toMatchObject({
    body: { request: { body: { data: '{}' } } },
  });
});
