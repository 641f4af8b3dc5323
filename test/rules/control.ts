import type { EmulatorOptions } from '../../emulator/options.ts';
import type { SnapshotFiles } from '../../emulator/store/store.ts';
import type { Sandbox } from '../support/sandbox.ts';

/** A request to the control API that breaks one rule. */
export interface ControlViolation {
  readonly rule: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly json?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Runs before the request; may return values that only it can know. */
  readonly before?: (sandbox: Sandbox) => Promise<Partial<ControlViolation['request']> | void>;
  /** Options that the rule needs. */
  readonly options?: Partial<EmulatorOptions>;
  /** Why the rule has no edit that a program could apply; then only its sentence is checked. */
  readonly noEdit?: string;
}

const chosen = 'Which one was meant is for the person to say.';
const elsewhere = 'The message says what to do; no change of this request does it.';

const firstOf = (sandbox: Sandbox, kind: 'companies' | 'offers' | 'attributeDefinitions' | 'uploads'): string =>
  [...sandbox.emulator.deps.store[kind].all()][0]?.id ?? '';
const appOf = (sandbox: Sandbox, kind: 'private' | 'public'): string =>
  [...sandbox.emulator.deps.store.apps.all()].find((one) => one.kind === kind)?.id ?? '';

/** The request with the first company's id in its body. */
const ofCompany = (json: object) => async (sandbox: Sandbox) => ({
  json: { companyId: firstOf(sandbox, 'companies'), ...json },
});
const post = (path: string, json: unknown = {}): ControlViolation['request'] => ({ method: 'POST', path, json });
const toApp = (kind: 'private' | 'public', rest: string) => async (sandbox: Sandbox) => ({
  path: `/control/apps/${appOf(sandbox, kind)}${rest}`,
});
const app = { kind: 'private', name: 'My app', scopes: [] };
const attribute = (json: object) => ({
  request: post('/control/attributes'),
  before: ofCompany({ name: 'shoe width', type: 'number', ...json }),
});
const unit = (json: object) => ({
  request: post('/control/sign-up-units'),
  before: ofCompany({ language: 'en', country: 'US', type: 'MARKETING', ...json }),
});

export const controlViolations: readonly ControlViolation[] = [
  {
    rule: 'control.no-such-field',
    request: { method: 'POST', path: '/control/companies', json: { name: 'Q', domian: 'q.example' } },
  },
  {
    rule: 'control.no-such-field',
    request: { method: 'POST', path: '/control/pace', json: { pce: 'instant' } },
  },
  {
    rule: 'control.no-such-field',
    request: { method: 'GET', path: '/control/requests', query: { limt: '1' } },
  },
  { rule: 'accounts.name', request: post('/control/companies', { name: '  ' }) },
  ...[
    post('/control/companies/none', { name: 'x' }),
    post('/control/apps/none', { name: 'x' }),
    { method: 'GET', path: '/control/credentials/none/secret' } as const,
    post('/control/offers/1', { name: 'x' }),
    post('/control/sign-up-units/1', { country: 'US' }),
    post('/control/attributes/none', { type: 'string' }),
  ].map((request) => ({ rule: 'control.not-found', request, noEdit: chosen })),
  ...[
    post('/control/credentials', { companyId: 'none' }),
    post('/control/offers', { companyId: 'none', name: 'x', window: 'never-expire' }),
    post('/control/sign-up-units', { companyId: 'none', language: 'en', country: 'US', type: 'MARKETING' }),
    post('/control/attributes', { companyId: 'none', name: 'x', type: 'string' }),
  ].map((request) => ({ rule: 'control.unknown-id', request, noEdit: chosen })),
  {
    rule: 'control.unknown-id',
    request: post('/control/apps/none/scopes', { scope: 'subscriptions:write', held: true, credentialId: 'none' }),
    noEdit: chosen,
    before: toApp('private', '/scopes'),
  },
  {
    rule: 'control.public-host',
    request: post('/control/allowed-hosts', { host: 'attacker.example.com' }),
    noEdit: 'Only a start can allow it.',
  },
  {
    rule: 'accounts.last-company',
    request: { method: 'DELETE', path: '/control/companies/none' },
    noEdit: elsewhere,
    async before(sandbox) {
      await sandbox.control('POST', '/control/reset', { world: 'empty' });
      await sandbox.control('POST', '/control/companies', { name: 'Only one' });
      return { path: `/control/companies/${firstOf(sandbox, 'companies')}` };
    },
  },
  {
    rule: 'accounts.busy-company',
    request: { method: 'DELETE', path: '/control/companies/none' },
    noEdit: elsewhere,
    async before(sandbox) {
      const { store, clock } = sandbox.emulator.deps;
      clock.freeze(true);
      await sandbox.call('POST', '/product-catalog/uploads');
      const [upload] = [...store.uploads.all()];
      if (upload) store.transact(() => store.uploads.put({ ...upload, state: 'validating' }));
      return { path: `/control/companies/${upload?.companyId}` };
    },
  },
  {
    rule: 'accounts.key-taken',
    request: post('/control/apps'),
    before: ofCompany({ ...app, secret: 'sandpiper-demo-key' }),
  },
  {
    rule: 'accounts.private-key',
    request: post('/control/apps'),
    before: toApp('public', '/keys'),
    noEdit: elsewhere,
  },
  {
    rule: 'accounts.public-secret',
    request: post('/control/apps'),
    before: toApp('private', '/secret'),
    noEdit: elsewhere,
  },
  { rule: 'accounts.redirect-needed', request: post('/control/apps'), before: ofCompany({ ...app, kind: 'public' }) },
  {
    rule: 'accounts.redirect-uri',
    request: post('/control/apps'),
    before: ofCompany({ ...app, kind: 'public', redirectUris: ['http://localhost:3000/a', '/callback#here'] }),
  },
  {
    rule: 'accounts.redirect-private',
    request: post('/control/apps'),
    before: ofCompany({ ...app, redirectUris: ['http://localhost:3000/callback'] }),
  },
  {
    rule: 'offers.name',
    request: post('/control/offers'),
    before: ofCompany({ name: ' ', window: 'never-expire' }),
  },
  { rule: 'units.language', ...unit({ language: 'english' }) },
  { rule: 'units.country', ...unit({ country: 'us' }) },
  { rule: 'attributes.ui-name', ...attribute({ name: ' ' }) },
  { rule: 'attributes.ui-name-length', ...attribute({ name: 'x'.repeat(201) }) },
  { rule: 'attributes.ui-taken', ...attribute({ name: 'favorite color' }), noEdit: chosen },
  { rule: 'attributes.ui-no-values', ...attribute({ values: [] }) },
  { rule: 'attributes.ui-empty-value', ...attribute({ type: 'string', values: ['wide', ''] }) },
  { rule: 'attributes.ui-value-type', ...attribute({ values: ['wide'] }) },
  {
    rule: 'attributes.ui-held-type',
    request: post('/control/attributes/none', { type: 'number' }),
    async before(sandbox) {
      const json = { properties: { mood: 'merry' }, user: { email: 'ada@example.com' } };
      await sandbox.call('POST', '/attributes/custom', { json });
      const { store } = sandbox.emulator.deps;
      const mood = [...store.attributeDefinitions.all()].find(({ name }) => name === 'mood');
      return { path: `/control/attributes/${encodeURIComponent(mood?.id ?? '')}` };
    },
  },
  {
    rule: 'attributes.ui-held-type',
    request: post('/control/undo', {}),
    noEdit: elsewhere,
    async before(sandbox) {
      const [company] = sandbox.emulator.deps.store.companies.all();
      const json = { companyId: company?.id, name: 'waist', type: 'number', values: null };
      const { body } = await sandbox.control('POST', '/control/attributes', json);
      const { id } = body as { id: string };
      await sandbox.control('POST', `/control/attributes/${encodeURIComponent(id)}`, { type: 'string' });
      const set = { properties: { waist: 'wide' }, user: { email: 'ada@example.com' } };
      await sandbox.call('POST', '/attributes/custom', { json: set });
      return {};
    },
  },
  { rule: 'control.not-found', request: { method: 'GET', path: '/control/people/none' }, noEdit: chosen },
  {
    rule: 'delivery.several-webhooks',
    request: post('/control/trigger', { type: 'sms.sent', to: 'http://127.0.0.1:9/twice' }),
    noEdit: chosen,
    async before(sandbox) {
      const json = { url: 'http://127.0.0.1:9/twice', events: ['sms.sent'] };
      for (let n = 0; n < 2; n += 1) await sandbox.call('POST', '/webhooks', { json });
    },
  },
  {
    rule: 'uploads.refused',
    request: post('/control/uploads'),
    noEdit: elsewhere,
    async before(sandbox) {
      await sandbox.control('POST', '/control/faults', { operation: 'POST /product-catalog/uploads', status: 503 });
      return { json: { companyId: firstOf(sandbox, 'companies') } };
    },
  },
  {
    rule: 'control.move',
    request: post('/control/records/uploads/none/moves', { event: 'save' }),
    noEdit: elsewhere,
    async before(sandbox) {
      await sandbox.call('POST', '/product-catalog/uploads');
      return { path: `/control/records/uploads/${firstOf(sandbox, 'uploads')}/moves` };
    },
  },
  {
    rule: 'control.store',
    request: post('/control/snapshots', { name: 'no-room' }),
    noEdit: elsewhere,
    async before({ emulator }) {
      // The first write fails as on a full disk; later ones work.
      const { snapshots } = emulator.deps.store as { snapshots: { write: SnapshotFiles['write'] } };
      const { write } = snapshots;
      snapshots.write = () => {
        snapshots.write = write;
        return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
      };
    },
  },
  { rule: 'control.unknown-path', request: { method: 'GET', path: '/control/nothing' }, noEdit: chosen },
  {
    rule: 'control.origin',
    request: { method: 'GET', path: '/control/health', headers: { origin: 'https://example.com' } },
    noEdit: elsewhere,
  },
  {
    rule: 'control.token',
    request: { method: 'GET', path: '/control/health', headers: { authorization: 'Bearer guess' } },
    noEdit: elsewhere,
  },
];
