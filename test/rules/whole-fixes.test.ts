import { beforeEach, expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';
import { applyFix } from './apply-fix.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

/** The status after the fix of a refusal was applied once, and what was sent then. */
async function sendFixed(path: string, json: unknown) {
  const request = { method: 'POST', path, json };
  const refused = await sandbox.call('POST', path, request);
  expect(refused.status).toBe(400);
  const fixed = applyFix(request, (await refused.exchange()).refusal?.fix.edits ?? []);
  return { ...(await sandbox.call('POST', path, fixed)), sent: fixed.json };
}

const user = { email: 'ada@example.com' };
const setAttributes = (properties: object) =>
  sandbox.call('POST', '/attributes/custom', { json: { properties, user } });
const defineHue = () =>
  sandbox.control('POST', '/control/attributes', {
    companyId: demoCompany,
    name: 'hue',
    type: 'string',
    values: ['red', 'blue'],
  });

test.for([
  [{ num: null, other: 1 }, { other: 1 }],
  [{ 'favorite color': null, other: 1 }, { other: 1 }],
  [
    { num: ['a', 7], other: 1 },
    { num: 7, other: 1 },
  ],
  [{ num: ['a'], other: 1 }, { other: 1 }],
  [{ num: { a: 1 }, other: { a: 1 } }, { other: '{"a":1}' }],
  [
    { num: 'a', num2: 'b' },
    { num: 24, num2: 24 },
  ],
  [
    { 'favorite color': 'Bleu', hue: 'bleu' },
    { 'favorite color': 'blue', hue: 'blue' },
  ],
])('one fix of the attributes %j is enough', async ([properties, expected]) => {
  await setAttributes({ num: 1, num2: 2 });
  await defineHue();
  const { status, sent } = await sendFixed('/attributes/custom', { properties, user });
  expect([status, sent]).toEqual([200, { properties: expected, user }]);
});
