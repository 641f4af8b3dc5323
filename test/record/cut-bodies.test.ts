/** A body of which only a part was read is recorded as a part, so that it is not sent again as if it were whole. */
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
