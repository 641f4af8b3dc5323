/** What `POST /control/send` sends ends also where the answer hands the connection over. */
import { expect, test } from 'vitest';
import type { Reply } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

test.each(['CONNECT', 'connect'])('%s is sent, and answered as soon as it is recorded', async (method) => {
  const { status, body } = await sandbox.control('POST', '/control/send', { method, path: '/v1/me' });
  const sent = body as Reply<'POST /control/send'>;
  expect([status, sent.status]).toEqual([200, 405]);
  expect(sandbox.emulator.recorder.get(sent.requestId ?? '')?.method).toBe('CONNECT');
});
