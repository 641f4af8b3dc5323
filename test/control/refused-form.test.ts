/** What the form of a control call has to be is said by Sandpiper itself, not by the specification. */
import { expect, test } from 'vitest';
import type { RefusalView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

const refusalOf = async (method: string, path: string, json?: unknown): Promise<RefusalView> =>
  ((await sandbox.control(method, path, json)).body as { readonly refusal: RefusalView }).refusal;

test.for([
  ['input.required', 'POST', '/control/offers', {}],
  ['input.type', 'POST', '/control/pace', 'manual'],
  ['input.format', 'GET', '/control/requests?status=x', undefined],
  ['input.choice', 'POST', '/control/pace', { pace: 'slow' }],
  ['input.size', 'POST', '/control/clock', { advance: 'x'.repeat(101) }],
] as const)('%s refuses a control call in the name of Sandpiper itself', async ([rule, method, path, json]) => {
  expect(await refusalOf(method, path, json)).toMatchObject({
    rule,
    section: 'control API',
    source: 'Sandpiper itself',
    provenance: 'assumed',
  });
});

test('a body of a control call that is not JSON is refused in the name of Sandpiper itself', async () => {
  const answer = await fetch(`${sandbox.emulator.inspectorUrl}/control/pace`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.emulator.token}`, 'content-type': 'application/json' },
    body: '{pace}',
  });
  expect(await answer.json()).toMatchObject({ refusal: { rule: 'body.json', source: 'Sandpiper itself' } });
});

test('a control call that breaks a rule of the platform is refused in the name of the specification', async () => {
  const unit = { companyId: demoCompany, language: 'EN', country: 'US', type: 'MARKETING' };
  expect(await refusalOf('POST', '/control/sign-up-units', unit)).toMatchObject({
    rule: 'units.language',
    source: 'specification section 4, Subscribe, 4',
  });
});

test('a time of another form is refused with an example of the right one', async () => {
  const { message } = await refusalOf('GET', '/control/requests?since=1h');
  expect(message).toBe(
    'The query parameter since must be an ISO 8601 timestamp such as 2026-12-01T00:00:00Z, not "1h".',
  );
});

test('a number of a query is refused with its range, as a number or as another text', async () => {
  const messages = ['101', '-1', 'x'].map(
    async (limit) => (await refusalOf('GET', `/control/catalog/${demoCompany}/products?limit=${limit}`)).message,
  );
  expect(await Promise.all(messages)).toEqual([
    'The query parameter limit must be a whole number from 0 to 100, not 101.',
    'The query parameter limit must be a whole number from 0 to 100, not -1.',
    'The query parameter limit must be a whole number from 0 to 100, not "x".',
  ]);
});

test('the same rule refuses a request of the API in the name of the specification', async () => {
  const answer = await sandbox.call('POST', '/events/custom', { json: { type: 'Looked' } });
  expect((await answer.exchange()).refusal).toMatchObject({
    rule: 'input.required',
    source: 'specification section 4',
  });
});
