import { beforeEach, expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

test('a message shows the beginning of a long value, and never half of a character', async () => {
  // In quotation marks, the 78th unit is the first half of the last character that would fit.
  const sent = `${'a'.repeat(76)}😀 and more`;
  const answer = await sandbox.call('POST', '/subscriptions', { json: { user: { email: sent }, signUpSourceId: 'x' } });
  const { refusal } = await answer.exchange();
  expect(refusal?.message).toContain(`"${'a'.repeat(76)}"…`);
  expect(() => encodeURIComponent(refusal?.message ?? '')).not.toThrow();
});
