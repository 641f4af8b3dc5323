import { beforeEach, expect, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import { fromGlobalId, toGlobalId } from '../../emulator/ids.ts';
import { consent, demoApp } from '../support/oauth.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const ask = async (query: string, variables: object, key: string) =>
  (await sandbox.call('POST', '/graphql', { json: { query, variables }, key })).body as {
    readonly data: unknown;
    readonly errors?: readonly object[];
  };
const user = () => sandbox.emulator.deps.users.find(demoCompany, { email: 'ada@example.com' })[0]?.id ?? '';

const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }';
interface Own {
  readonly id: string;
  readonly application: { readonly id: string };
}
const readonlyKey = 'sandpiper-readonly-key';

test('one id of nodes that the app may not read is null with an error of its own, and the others are answered', async () => {
  const ids = [demoCompany, toGlobalId('Webhook', 7), user(), toGlobalId('Webhook', 8)];
  const { data, errors } = await ask(nodes, { ids }, readonlyKey);
  expect(data).toEqual({ nodes: [{ __typename: 'Company' }, null, { __typename: 'User' }, null] });
  expect(errors).toMatchObject([
    { path: ['nodes', 1], extensions: { code: 'FORBIDDEN', rule: 'auth.scope' } },
    { path: ['nodes', 3], extensions: { code: 'FORBIDDEN', rule: 'auth.scope' } },
  ]);
});

test('node finds what is of the app and its company, a webhook by both of its ids, and nothing of others', async () => {
  const asked = '{ viewer { installedApplication { id application { id } } } }';
  const { data } = await ask(asked, {}, 'sandpiper-demo-key');
  const { installedApplication: own } = (data as { viewer: { installedApplication: Own } }).viewer;
  const url = 'http://127.0.0.1:9/hooks';
  const made = await sandbox.call('POST', '/webhooks', { json: { url, events: ['sms.sent'] } });
  const { id } = made.body as { readonly id: string };
  const graphqlId = toGlobalId('Webhook', fromGlobalId(id)?.number ?? 0);

  const ids = [own.id, own.application.id, demoCompany, user(), id, graphqlId];
  const all = { ids: [...ids, otherCompany, 'no-id'] };
  const types = ['InstalledApplication', 'Application', 'Company', 'User', 'Webhook', 'Webhook'];
  const found = types.map((__typename) => ({ __typename }));
  expect((await ask(nodes, all, 'sandpiper-demo-key')).data).toEqual({ nodes: [...found, null, null] });
  expect((await ask(nodes, all, 'sandpiper-other-key')).data).toEqual({
    nodes: [...ids.map(() => null), { __typename: 'Company' }, null],
  });
});

test('without its scope, a user or webhook that exists is refused like one that does not', async () => {
  const app = { companyId: demoCompany, kind: 'private', name: 'Without scopes', scopes: [] };
  const { key } = (await sandbox.control('POST', '/control/apps', app)).body as { readonly key: string };
  for (const id of [user(), toGlobalId('User', 999_999), toGlobalId('Webhook', 999_999)])
    expect(await ask('query ($id: ID!) { node(id: $id) { id } }', { id }, key)).toMatchObject({
      data: { node: null },
      errors: [{ path: ['node'], extensions: { code: 'FORBIDDEN' } }],
    });
});

test('an app that two companies installed has an id for each installation, which a new token keeps', async () => {
  const install = async (company: string) => {
    const code = await consent(sandbox, {}, company);
    const form = { grant_type: 'authorization_code', ...demoApp, code };
    const { body } = await sandbox.call('POST', '/authorization-codes/tokens', { key: null, form });
    return (body as { readonly access_token: string }).access_token;
  };
  const idOf = async (key: string) => {
    const { data } = await ask('{ viewer { installedApplication { id } } }', {}, key);
    return (data as { viewer: { installedApplication: { id: string } } }).viewer.installedApplication.id;
  };
  const [own, other] = [await install('Sandpiper Supply Co.'), await install('Dunlin Outfitters')];
  const id = await idOf(own);
  expect([await idOf(own), await idOf(await install('Sandpiper Supply Co.'))]).toEqual([id, id]);
  const node = 'query ($id: ID!) { node(id: $id) { ... on InstalledApplication { installerCompany { name } } } }';
  expect([await ask(node, { id }, own), await ask(node, { id }, other)]).toMatchObject([
    { data: { node: { installerCompany: { name: 'Sandpiper Supply Co.' } } } },
    { data: { node: null } },
  ]);
});
