/** What a query or a body names by its id exists: a list of what no one has would seem to be an empty one. */
import { expect, onTestFinished, test } from 'vitest';
import type { CallTable } from '../../emulator/control/call.ts';
import { calls } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';
import { act } from '../support/world.ts';

const sandbox = useSandbox();

/** The calls whose query takes a company, as paths. */
const ofCompany = Object.entries(calls as CallTable).flatMap(([name, { query }]) => {
  const { properties = {} } = (query ?? {}) as { readonly properties?: object };
  return 'companyId' in properties ? name.replace('GET ', '').replace('{kind}', 'offers') : [];
});

const refused = (rule: string, place: object, message: string) => ({ refusal: { rule, place }, message });

test.for(ofCompany)('an unknown company in the query of %s is refused', async (path) => {
  const { status, body } = await sandbox.control('GET', `${path}?companyId=unknown`);
  const message = 'There is no company unknown. "sandpiper records companies" lists them.';
  expect(body).toMatchObject(refused('control.unknown-id', { in: 'query', at: 'companyId' }, message));
  expect(status).toBe(400);
});

test.for([
  ['/control/deliveries', 'webhookId', 'There is no webhook unknown. "sandpiper records webhooks" lists them.'],
  ['/control/messages', 'userId', 'There is no person unknown. "sandpiper records users" lists them.'],
] as const)('in the query of %s an unknown %s is refused', async ([path, name, message]) => {
  const { body } = await sandbox.control('GET', `${path}?${name}=unknown`);
  expect(body).toMatchObject(refused('control.unknown-id', { in: 'query', at: name }, message));
});

test('the requests that changed a record of an unknown kind are refused', async () => {
  const { status, body } = await sandbox.control('GET', '/control/records/offer/54100/requests');
  const message = expect.stringContaining('There are no records of kind "offer". Did you mean "offers"?');
  expect(body).toMatchObject(refused('records.kind', { in: 'path', at: 'kind' }, message as string));
  expect(status).toBe(404);
});

test.for([
  ['companyId', 'control.unknown-id'],
  ['webhookId', 'control.unknown-id'],
  ['type', 'input.choice'],
] as const)('what failed is not sent again to an unknown %s', async ([name, rule]) => {
  const { status, body } = await sandbox.control('POST', '/control/deliveries/redeliver-failed', { [name]: 'unknown' });
  expect(body).toMatchObject({ refusal: { rule, place: { in: 'body', at: `/${name}` } } });
  expect(status).toBe(400);
});

test('the deliveries of a webhook that was deleted are still listed by its id', async () => {
  onTestFinished(() => sandbox.reset());
  const url = 'http://127.0.0.1:9/hooks';
  const webhook = await act<{ readonly id: string }>(sandbox, 'POST', '/control/webhooks', {
    url,
    events: ['sms.subscribed'],
  });
  const path = `/control/deliveries?webhookId=${encodeURIComponent(webhook.id)}`;
  expect(await act(sandbox, 'GET', path)).toMatchObject({ total: 0 });
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' } });
  await act(sandbox, 'DELETE', `/control/webhooks/${encodeURIComponent(webhook.id)}`);
  expect(await act(sandbox, 'GET', path)).toMatchObject({ total: 1 });
});
