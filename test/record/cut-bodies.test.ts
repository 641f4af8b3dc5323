/** A body of which only a part was read is recorded as a part, so that it is not sent again as if it were whole. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { RequestView } from '../../emulator/control/calls.ts';
import { bodyProblem } from '../../renderer/http-text/apply-fix.ts';
import { postChunked } from '../support/chunked.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

const large = JSON.stringify({
  type: 'Large',
  user: { email: 'ada@example.com' },
  properties: { text: 'x'.repeat(3_000_000) },
});

async function expectCut(): Promise<RequestView> {
  const id = sandbox.emulator.recorder.all().at(-1)?.id ?? '';
  const view = (await sandbox.control('GET', `/control/requests/${id}`)).body as RequestView;
  expect(view).toMatchObject({ status: 413, request: { body: { truncated: true } } });
  expect(bodyProblem(view)).toContain('cannot be sent again');
  const { body } = await sandbox.control('POST', '/control/requests/har', { ids: [id] });
  expect(JSON.stringify(body)).toContain(`of ${view.request.body?.bytes} bytes were recorded.`);
  return view;
}

test('a body that is refused for its announced length is recorded with that length, as cut', async () => {
  const json = { raw: large, headers: { 'content-type': 'application/json' } };
  expect((await sandbox.call('POST', '/events/custom', json)).rule).toBe('body.too-large');
  expect((await expectCut()).request.body?.bytes).toBe(large.length);
});

test('a body that turns out to be too large while it arrives is recorded as cut', async () => {
  expect((await postChunked(sandbox, '/events/custom', 'sandpiper-demo-key', large)).status).toBe(413);
  await expectCut();
});

/** Sends the beginning of a request, closes the connection, and answers what was recorded. */
async function breakOff(method: string, path: string, length: string, sent: string): Promise<RequestView> {
  const { apiUrl, recorder } = sandbox.emulator;
  const { host, port } = new URL(apiUrl);
  const before = recorder.upTo;
  const head = [`host: ${host}`, 'authorization: Bearer sandpiper-demo-key', 'content-type: application/json', length];
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${sent}`, () => socket.destroy());
  });
  await expect.poll(() => recorder.upTo).toBeGreaterThan(before);
  return (await sandbox.control('GET', `/control/requests/${recorder.all().at(-1)?.id}`)).body as RequestView;
}

test.for([
  ['transfer-encoding: chunked', '7\r\n{"type"\r\n', 'Only the first 7 bytes arrived.'],
  ['content-length: 100', '{"type"', 'Only the first 7 of 100 bytes were recorded.'],
] as const)('a body with %s that breaks off is recorded as a part', async ([length, sent, told]) => {
  const view = await breakOff('POST', '/v1/events/custom', length, sent);
  expect(view).toMatchObject({ failure: expect.any(String), request: { body: { data: '{"type"', truncated: true } } });
  expect(bodyProblem(view)).toContain('cannot be sent again');
  const { body } = await sandbox.control('POST', '/control/requests/har', { ids: [view.id] });
  expect(JSON.stringify(body)).toContain(told);
});

test('a catalog file that breaks off is recorded as a part', async () => {
  const { uploadUrl } = (await sandbox.call('POST', '/product-catalog/uploads')).body as { readonly uploadUrl: string };
  const { pathname, search } = new URL(uploadUrl);
  const view = await breakOff('PUT', pathname + search, 'transfer-encoding: chunked', '3\r\n{}\n\r\n');
  expect(view.request.body).toMatchObject({ data: '{}\n', truncated: true });
});
