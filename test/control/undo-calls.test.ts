/** Each call of the control API that changes something: it can be undone, or the table says why not. */
import { beforeEach, expect, test } from 'vitest';
import { toUrlPath, type AnyRequest } from '../../emulator/control/call.ts';
import { calls, type CallName } from '../../emulator/control/calls.ts';
import type { LimitsView, UndoneView } from '../../emulator/control/calls.ts';
import { undoCodes } from '../../emulator/world/edits.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

/** The requests that make a call do something, and the code of what can then be undone. */
interface Undoable {
  readonly code: string;
  request(): AnyRequest | Promise<AnyRequest>;
}

const [first, second] = ['http://localhost:3000/first', 'http://localhost:3000/second'];
const never = 'never-expire';
const companyId = demoCompany;

async function made(name: CallName, body: object): Promise<string> {
  const answer = await sandbox.control('POST', toUrlPath(name, {}), body);
  return (answer.body as { readonly id: string }).id;
}
const ofNew = (name: CallName, body: object, change?: object) => async (): Promise<AnyRequest> => ({
  params: { id: await made(name, body) },
  ...(change && { body: change }),
});
const plain = (body?: object) => () => ({ ...(body && { body }) });

const app = { companyId, kind: 'private', name: 'Reader', scopes: [] };
const shop = { ...app, kind: 'public', redirectUris: ['http://localhost:3000/callback'] };
const attribute = { companyId, name: 'size of shoe', type: 'string', values: null };
const offer = { companyId, name: 'Winter', window: never };
const unit = { companyId, language: 'de', country: 'DE', type: 'MARKETING' };
const fault = { operation: 'GET /me', status: 503 };
const webhook = { url: first, events: ['sms.sent'] };

const undoable: { readonly [Name in CallName]?: Undoable } = {
  'POST /control/companies': { code: 'company.created', request: plain({ name: 'Curlew' }) },
  'POST /control/companies/{id}': {
    code: 'company.changed',
    request: ofNew('POST /control/companies', { name: 'Curlew' }, { name: 'Plover' }),
  },
  'DELETE /control/companies/{id}': {
    code: 'company.deleted',
    request: ofNew('POST /control/companies', { name: 'Curlew' }),
  },
  'POST /control/apps': { code: 'app.created', request: plain(app) },
  'POST /control/apps/{id}': { code: 'app.changed', request: ofNew('POST /control/apps', app, { name: 'Writer' }) },
  'POST /control/apps/{id}/scopes': {
    code: 'scope.granted',
    request: ofNew('POST /control/apps', app, { scope: 'offers:write', held: true }),
  },
  'DELETE /control/apps/{id}': { code: 'app.deleted', request: ofNew('POST /control/apps', app) },
  'POST /control/apps/{id}/keys': { code: 'credential.created', request: ofNew('POST /control/apps', app, {}) },
  'POST /control/apps/{id}/secret': { code: 'app.secret-renewed', request: ofNew('POST /control/apps', shop) },
  'POST /control/credentials': { code: 'app.created', request: plain({ companyId }) },
  'DELETE /control/credentials/{id}': {
    code: 'credential.revoked',
    request: ofNew('POST /control/credentials', { companyId }),
  },
  'POST /control/attributes': { code: 'attribute.created', request: plain(attribute) },
  'POST /control/attributes/{id}': {
    code: 'attribute.changed',
    request: ofNew('POST /control/attributes', attribute, { values: ['40', '41'] }),
  },
  'DELETE /control/attributes/{id}': {
    code: 'attribute.deleted',
    request: ofNew('POST /control/attributes', attribute),
  },
  'POST /control/offers': { code: 'offer.created', request: plain(offer) },
  'POST /control/offers/{id}': {
    code: 'offer.changed',
    request: ofNew('POST /control/offers', offer, { name: 'May' }),
  },
  'DELETE /control/offers/{id}': { code: 'offer.deleted', request: ofNew('POST /control/offers', offer) },
  'POST /control/sign-up-units': { code: 'sign-up-unit.created', request: plain(unit) },
  'POST /control/sign-up-units/{id}': {
    code: 'sign-up-unit.changed',
    request: ofNew('POST /control/sign-up-units', unit, { country: 'AT' }),
  },
  'DELETE /control/sign-up-units/{id}': {
    code: 'sign-up-unit.deleted',
    request: ofNew('POST /control/sign-up-units', unit),
  },
  'POST /control/allowed-hosts': { code: 'host.allowed', request: plain({ host: 'shop.test' }) },
  'DELETE /control/allowed-hosts/{host}': {
    code: 'host.refused',
    async request() {
      await sandbox.control('POST', '/control/allowed-hosts', { host: 'api' });
      return { params: { host: 'api' } };
    },
  },
  'POST /control/webhooks': { code: 'webhook.created', request: plain(webhook) },
  'POST /control/webhooks/{id}': {
    code: 'webhook.changed',
    request: ofNew('POST /control/webhooks', webhook, { url: second }),
  },
  'DELETE /control/webhooks/{id}': { code: 'webhook.deleted', request: ofNew('POST /control/webhooks', webhook) },
  'POST /control/webhooks/{id}/rotate': {
    code: 'webhook.key-rotated',
    request: ofNew('POST /control/webhooks', webhook, {}),
  },
  'POST /control/clock': { code: 'clock.advanced', request: plain({ advance: '1h' }) },
  'POST /control/pace': { code: 'pace.changed', request: plain({ pace: 'manual' }) },
  'POST /control/faults': { code: 'fault.added', request: plain(fault) },
  'DELETE /control/faults/{id}': { code: 'fault.removed', request: ofNew('POST /control/faults', fault) },
  'DELETE /control/faults': {
    code: 'faults.cleared',
    async request() {
      await made('POST /control/faults', fault);
      return {};
    },
  },
  'POST /control/limits': {
    code: 'limits.changed',
    async request() {
      const { mode } = (await sandbox.control('GET', '/control/limits')).body as LimitsView;
      return { body: { mode: mode === 'off' ? 'real' : 'off' } };
    },
  },
  'POST /control/receiver': {
    code: 'receiver.started',
    async request() {
      await sandbox.control('DELETE', '/control/receiver');
      return { body: {} };
    },
  },
  'DELETE /control/receiver': {
    code: 'receiver.stopped',
    async request() {
      await sandbox.control('POST', '/control/receiver', {});
      return {};
    },
  },
  'POST /control/webhook-time': { code: 'webhook-time.changed', request: plain({ time: 'virtual' }) },
  'POST /control/timeline/back': {
    code: 'clock.went-back',
    request: () => ({ body: { at: new Date(sandbox.emulator.deps.clock.now()).toISOString() } }),
  },
  'POST /control/reset': { code: 'world.reset', request: plain({ world: 'demo' }) },
  'POST /control/import': {
    code: 'world.imported',
    request: async () => ({ body: (await sandbox.control('GET', '/control/export')).body }),
  },
  'POST /control/snapshots/{name}/restore': {
    code: 'world.restored',
    async request() {
      await sandbox.control('POST', '/control/snapshots', { name: 'early', overwrite: true });
      return { params: { name: 'early' } };
    },
  },
  'POST /control/records/{kind}/{id}/moves': {
    code: 'record.moved',
    async request() {
      const id = await made('POST /control/uploads', { companyId, validateOnly: true });
      return { params: { kind: 'uploads', id }, body: { event: 'expire' } };
    },
  },
  'DELETE /control/requests': { code: 'requests.cleared', request: plain() },
  'POST /control/requests/delete': {
    code: 'requests.deleted',
    async request() {
      const { id } = await (await sandbox.call('GET', '/me')).exchange();
      return { body: { ids: [id] } };
    },
  },
};

const sends =
  'Another program or another record may have used what it sent or made; a snapshot before it brings all back.';

const notUndoable: { readonly [Name in CallName]?: string } = {
  'POST /control/undo': 'It is the undo; POST /control/redo does again what it took back.',
  'POST /control/deliveries/{id}/redeliver': sends,
  'POST /control/deliveries/redeliver-failed': sends,
  'POST /control/trigger': sends,
  'POST /control/gym': sends,
  'POST /control/messages': sends,
  'POST /control/messages/{id}/acts': sends,
  'POST /control/send': sends,
  'POST /control/uploads': sends,
  'POST /control/uploads/{id}/again': sends,
  'POST /control/uploads/{id}/cancel': 'It ends work; POST /control/uploads/{id}/again sends the file once more.',
  'POST /control/timeline/fork': 'It changes nothing of the world; DELETE /control/snapshots/{name} takes it away.',
  'POST /control/snapshots': 'It changes nothing of the world; DELETE /control/snapshots/{name} takes it away.',
  'DELETE /control/snapshots/{name}': 'The file goes from the disk at once; its summary says so.',
  'POST /control/save': 'It writes what is there already.',
  'DELETE /control/own-errors': 'They are notices that were read; the log on the terminal still has them.',
};

const changing = Object.entries(calls).flatMap(([name, call]) => ('changes' in call ? [name as CallName] : []));

test('every call that changes something can be undone, or the table says why not', () => {
  const decided = [...Object.keys(undoable), ...Object.keys(notUndoable), 'POST /control/redo'];
  expect(changing.toSorted()).toEqual(decided.toSorted());
});

test('the control document describes the headers of undo for each call that changes something', async () => {
  const { paths } = (await sandbox.control('GET', '/control/control-openapi.json')).body as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { headers?: Record<string, { schema: object }> }> }>
    >;
  };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) => {
      const schemas = Object.values(responses).flatMap(({ headers }) => (headers ? [headers] : []));
      for (const headers of schemas) {
        expect(headers['x-sandbox-undo']?.schema).toEqual({ type: 'string' });
        expect(headers['x-sandbox-undo-code']?.schema).toEqual({ type: 'string', enum: undoCodes });
      }
      return schemas.length === 1 ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );
  expect(described.toSorted()).toEqual(changing.toSorted());
});

/** Sends a call as another program does, and returns the undo id in its reply. */
async function named(name: CallName, request: AnyRequest): Promise<readonly (string | null)[]> {
  const { inspectorUrl, token } = sandbox.emulator;
  const answer = await fetch(inspectorUrl + toUrlPath(name, request), {
    method: name.split(' ')[0] ?? '',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  await answer.arrayBuffer();
  return [answer.headers.get('x-sandbox-undo'), answer.headers.get('x-sandbox-undo-code')];
}

/** The records as text, without the clock, which goes on. */
function recordsNow(): string {
  const { settings: _clock, ...collections } = sandbox.emulator.deps.store.toDocument().collections;
  return JSON.stringify(collections);
}

test.each(Object.entries(undoable) as [CallName, Undoable][])(
  '%s names what it did, and it is undone and redone',
  async (name, { code, request }) => {
    const sent = await request();
    const before = recordsNow();
    const [id, named_] = await named(name, sent);
    const after = recordsNow();
    expect(named_).toBe(code);
    expect((await sandbox.control('POST', '/control/undo', { id })).body as UndoneView).toMatchObject({ id, code });
    expect(recordsNow()).toBe(before);
    // A redo also names its act: it can be undone again.
    expect(await named('POST /control/redo', { body: { id } })).toEqual([id, code]);
    expect(recordsNow()).toBe(after);
    await sandbox.control('POST', '/control/undo', { id });
  },
);

test('each change of the clock has a code; a rewind is an undo itself', async () => {
  const clock = (body: object) => named('POST /control/clock', { body });
  expect((await clock({ set: '2031-01-31T12:00:00Z' }))[1]).toBe('clock.set');
  expect((await clock({ real: true }))[1]).toBe('clock.made-real');
  expect((await clock({ freeze: true }))[1]).toBe('clock.frozen');
  expect((await clock({ freeze: false }))[1]).toBe('clock.unfrozen');
  expect((await clock({ rate: 60 }))[1]).toBe('clock.rate-changed');
  expect(await clock({ rewind: true })).toEqual([null, null]);
});
