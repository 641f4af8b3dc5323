import type { Violation } from './violation.ts';

const me = { method: 'GET', path: '/me' };

export const authViolations: readonly Violation[] = [
  { rule: 'auth.missing', request: { ...me, key: null } },
  { rule: 'auth.malformed', request: { ...me, key: null, headers: { authorization: 'Basic c2FuZHBpcGVy' } } },
  { rule: 'auth.unknown', request: { ...me, key: 'sandpiper-demo-kex' } },
  {
    rule: 'auth.revoked',
    request: { ...me, key: 'sandpiper-readonly-key' },
    before: async (sandbox) => {
      const { records } = (await sandbox.control('GET', '/control/records/credentials')).body as {
        records: { id: string; secret: string }[];
      };
      const id = sandbox.emulator.deps.store.credentials
        .index('bySecret', (one) => [one.secret])
        .get('sandpiper-readonly-key')[0]?.id;
      if (!records.some((one) => one.id === id)) throw new Error('The control API does not list the credential.');
      await sandbox.control('DELETE', `/control/credentials/${id}`);
    },
  },
  {
    rule: 'auth.expired',
    request: { ...me, key: 'a-token-with-an-end' },
    before: async ({ emulator: { deps } }) => {
      const like = deps.store.credentials.index('bySecret', (one) => [one.secret]).get('sandpiper-demo-key')[0];
      if (!like) throw new Error('The demo world has no demo key.');
      deps.store.transact(() =>
        deps.store.credentials.put({
          ...like,
          id: 'ends',
          secret: 'a-token-with-an-end',
          expiresAt: '2020-01-01T00:00:00.000Z',
        }),
      );
    },
  },
  {
    rule: 'auth.scope',
    request: { method: 'GET', path: '/webhooks', key: 'sandpiper-readonly-key' },
    noEdit: 'The request is right; the app lacks the scope.',
  },
];
