import { beforeEach, expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { applyFix } from './apply-fix.ts';
import type { Violation } from './violation.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const stored = () => sandbox.emulator.deps.store;
const urls = () => [...stored().webhooks.all()].map(({ url }) => url);
const graphqlId = async (url: string): Promise<string> => {
  const query = '{ viewer { installedApplication { webhooks { id url } } } }';
  const { body } = await sandbox.call('POST', '/graphql', { json: { query } });
  const { data } = body as {
    data: { viewer: { installedApplication: { webhooks: { id: string; url: string }[] } } };
  };
  return data.viewer.installedApplication.webhooks.find((one) => one.url === url)?.id ?? '';
};

beforeEach(async () => {
  for (const name of ['one', 'two'])
    await sandbox.call('POST', '/webhooks', { json: { url: `http://localhost:3000/${name}`, events: ['sms.sent'] } });
});

/** Sends a request, and what its fix makes of it: the edits of that fix. */
async function sendTwice(request: Violation['request']) {
  const refused = await sandbox.call(request.method, request.path, request);
  const edits = (await refused.exchange()).refusal?.fix.edits ?? [];
  const fixed = applyFix(request, edits);
  await sandbox.call(fixed.method, fixed.path, fixed);
  return edits;
}

test('a webhook that is deleted by its id of GraphQL is deleted after the fix, and no other one', async () => {
  await sendTwice({ method: 'DELETE', path: `/webhooks/${await graphqlId('http://localhost:3000/two')}` });
  expect(urls()).toEqual(['http://localhost:3000/one']);
});

test('no fix deletes a webhook that was not named', async () => {
  const query = 'mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { deleted } }';
  for (const request of [
    { method: 'DELETE', path: '/webhooks/zzz' },
    { method: 'POST', path: '/graphql', json: { query, variables: { id: 'zzz' } } },
  ])
    expect(await sendTwice(request)).toEqual([]);
  expect(urls()).toHaveLength(2);
});

test('no fix unsubscribes a person who was not named', async () => {
  for (const user of [{ phone: '+15555559999' }, {}])
    expect(await sendTwice({ method: 'POST', path: '/subscriptions/unsubscribe', json: { user } })).toEqual([]);
  expect([...stored().subscriptions.all()].filter(({ status }) => status !== 'subscribed')).toEqual([]);
});

test('no fix adds codes to an offer that was not named', async () => {
  const json = { codes: ['A'], distributionStart: '2027-01-01T00:00:00Z', distributionStop: '2027-02-01T00:00:00Z' };
  for (const offer of ['54199', 'WINTER', '54103'])
    expect(await sendTwice({ method: 'POST', path: `/coupons/coupon-pool/${offer}/create`, json })).toEqual([]);
  expect([...stored().offerUploads.all()]).toEqual([]);
});
