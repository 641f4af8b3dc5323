/** What a record declares as a secret is in no reply of a call that only reads, whatever makes the reply. */
import { expect, test } from 'vitest';
import type { CallTable } from '../../emulator/control/call.ts';
import { calls } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { CollectionName, StoredRecord } from '../../emulator/records.ts';
import type { Definition } from '../../emulator/records/definition.ts';
import { definitions } from '../../emulator/records/definitions.ts';
import { toKind } from '../../emulator/records/kind.ts';
import { mapSecrets } from '../../emulator/records/secrets.ts';
import { consent } from '../support/oauth.ts';
import { useSandbox } from '../support/sandbox.ts';
import { act, upload } from '../support/world.ts';

const sandbox = useSandbox({ pace: 'manual' });
const names = Object.keys(definitions) as readonly CollectionName[];
const recordsOf = (name: CollectionName): readonly StoredRecord[] =>
  sandbox.emulator.deps.store.collection(name).records();

/** The calls that show secrets on purpose, and why. */
const shows: { readonly [call: string]: string } = {
  'GET /control/apps/{id}/secret': 'It reveals the secret of one app, when a person asks for it.',
  'GET /control/credentials/{id}/secret': 'It reveals one key, when a person asks for it.',
  'GET /control/client-keys': 'A client is set up with its key and its secret.',
  'GET /control/webhooks': 'A receiver is set up with the signing key; the window masks it.',
  'GET /control/world': 'A world file has the keys, so that clients go on with them after a start from it.',
};

/** What fills the parameters of a path that are not named as a kind of record: its first part → ids. */
const idsOf: { readonly [part: string]: () => Promise<readonly string[]> | readonly string[] } = {
  people: () => recordsOf('users').map(({ id }) => id),
  attributes: () => recordsOf('attributeDefinitions').map(({ id }) => id),
  catalog: () => [demoCompany],
  snapshots: () => ['kept'],
  async requests() {
    const { requests } = await act<{ requests: readonly { id: string }[] }>(sandbox, 'GET', '/control/requests');
    return requests.map(({ id }) => id);
  },
};

/** The required parameters of a query. */
const queryOf: { readonly [parameter: string]: () => string } = {
  companyId: () => demoCompany,
  q: () => 'planted',
  text: () => 'planted',
  at: () => new Date(sandbox.emulator.deps.clock.now()).toISOString(),
};

/** Every path with which a call is made here. */
async function pathsOf(call: string): Promise<readonly string[]> {
  const path = call.replace('GET ', '').replace('{line}', '1');
  const required = ((calls as CallTable)[call]?.query as { readonly required?: readonly string[] } | undefined)
    ?.required;
  const query = (required ?? []).map((name) => `${name}=${encodeURIComponent(queryOf[name]?.() ?? '')}`).join('&');
  const whole = (filled: string): string => (query === '' ? filled : `${filled}?${query}`);
  if (path.includes('{kind}'))
    return names.flatMap((name) => {
      const ofKind = path.replace('{kind}', toKind(name));
      const ids = path.includes('{id}') ? recordsOf(name).map(({ id }) => id) : [''];
      return ids.map((id) => whole(ofKind.replace('{id}', encodeURIComponent(id))));
    });
  if (!path.includes('{')) return [whole(path)];
  const part = path.split('/')[2] ?? '';
  const name = names.find((one) => toKind(one) === part);
  const ids = name ? recordsOf(name).map(({ id }) => id) : await idsOf[part]?.();
  return (ids ?? []).map((id) => whole(path.replace(/\{\w+\}/, encodeURIComponent(id))));
}

/** Puts a text of its own in the place of each secret in the store: text → place. */
function plantSecrets(): ReadonlyMap<string, string> {
  const planted = new Map<string, string>();
  const { store } = sandbox.emulator.deps;
  store.transact(() => {
    for (const name of names)
      for (const record of recordsOf(name))
        store.collection(name).put(
          mapSecrets(definitions[name], record, () => {
            const secret = `planted-${planted.size}-in-a-record`;
            planted.set(secret, `a secret of ${toKind(name)}`);
            return secret;
          }),
        );
  });
  return planted;
}

test('no declared secret of a record is in the reply of a call that only reads, except of those that reveal one', async () => {
  const make = (path: string, json: object = {}) =>
    act<{ readonly id: string }>(sandbox, 'POST', `/control/${path}`, json);
  const webhook = await make('webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['sms.subscribed', 'sms.sent'] });
  await make(`webhooks/${webhook.id}/rotate`);
  await consent(sandbox);
  await upload(sandbox, ['shirt']);
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' } });
  await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550177' } });

  const planted = plantSecrets();
  // What a definition declares without a record here would not be looked for.
  const example = { id: 'secret' } as StoredRecord;
  for (const name of names)
    if ((definitions[name] as Definition).secretsOf(example).length > 0)
      expect([...planted.values()], `Let this test make a record of ${name}`).toContain(`a secret of ${toKind(name)}`);

  // Changes of these records are in the record of requests, in the timeline and in what can be undone.
  const key = [...planted].find(([, place]) => place === 'a secret of credentials')?.[0] ?? '';
  expect((await sandbox.call('GET', '/me', { key })).status).toBe(200);
  await make(`webhooks/${webhook.id}/rotate`);
  const [app] = recordsOf('apps');
  await make(`apps/${app?.id}`, { name: 'Renamed' });
  await make('snapshots', { name: 'kept' });

  const found: string[] = [];
  for (const call of Object.keys(calls).filter((one) => one.startsWith('GET ') && !(one in shows))) {
    const paths = await pathsOf(call);
    expect(paths.length, `${call}: say in idsOf which ids there are, or let this test make such a record`).not.toBe(0);
    for (const path of paths) {
      const answer = await fetch(sandbox.emulator.inspectorUrl + path, {
        headers: { authorization: `Bearer ${sandbox.emulator.token}` },
      });
      const text = await answer.text();
      for (const [secret, place] of planted) if (text.includes(secret)) found.push(`${call} shows ${place}`);
      if (answer.status !== 200) found.push(`${path} was answered with ${answer.status}: ${text}`);
    }
  }
  const advice = 'Mask it in the reply with maskRecord of control/views.ts, or add the call to "shows" with the reason';
  expect([...new Set(found)], advice).toEqual([]);
});
