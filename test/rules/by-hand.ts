import type { Delivery } from '../../emulator/records.ts';
import type { ControlViolation } from './control.ts';
import type { Sandbox } from '../support/sandbox.ts';

const chosen = 'Which one was meant is for the person to say.';
const state = 'Something else has to be done first; no change of this request does it.';

const post = (path: string, json: unknown = {}): ControlViolation['request'] => ({ method: 'POST', path, json });
const get = (path: string): ControlViolation['request'] => ({ method: 'GET', path });
const ada = { email: 'ada@example.com' };
const firstOf = (sandbox: Sandbox, kind: 'companies' | 'uploads' | 'webhooks' | 'messages' | 'deliveries'): string =>
  [...sandbox.emulator.deps.store[kind].all()][0]?.id ?? '';

async function compose(sandbox: Sandbox, channel: 'TEXT' | 'EMAIL', text = 'Hello'): Promise<string> {
  const subject = channel === 'EMAIL' ? { subject: 'Hello' } : {};
  const json = { channel, text, ...subject, subscriber: ada, force: true };
  const { body } = await sandbox.control('POST', '/control/messages', json);
  return (body as { id: string }).id;
}

/** What a person does with a new message of a channel. */
const tap = (channel: 'TEXT' | 'EMAIL', json: object, text?: string) => ({
  request: post('/control/messages/none/acts', json),
  before: async (sandbox: Sandbox) => ({
    path: `/control/messages/${await compose(sandbox, channel, text)}/acts`,
  }),
});

/** A request about a new upload. */
const ofUpload = (rest: string) => async (sandbox: Sandbox) => {
  await sandbox.call('POST', '/product-catalog/uploads');
  return { path: `/control/uploads/${firstOf(sandbox, 'uploads')}${rest}` };
};

/** A webhook of a company, disabled. */
async function disabledWebhook(sandbox: Sandbox): Promise<string> {
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/off', events: ['sms.sent'] } });
  const { store } = sandbox.emulator.deps;
  const webhook = [...store.webhooks.all()].at(-1);
  if (!webhook) throw new Error('No webhook was made.');
  store.transact(() =>
    store.webhooks.put({ ...webhook, disabledAt: '2026-01-01T00:00:00.000Z', disabledReason: 'by hand' }),
  );
  return webhook.id;
}

const fault = (json: object) => ({ request: post('/control/faults', { operation: 'GET /me', ...json }) });
const trigger = (json: object) => ({ request: post('/control/trigger', { type: 'sms.sent', ...json }) });
const snapshot = (json: object) => ({
  request: post('/control/import', { sandpiper: 'snapshot', format: 1, ...json }),
});

/** Rules about what is asked for by hand: faults, time, events, messages, snapshots, uploads, undo. */
export const byHandViolations: readonly ControlViolation[] = [
  {
    rule: 'control.unknown-id',
    request: post('/control/trigger', { type: 'sms.sent', companyId: 'none' }),
    noEdit: chosen,
  },

  { rule: 'faults.field', ...fault({ status: 503, tmies: 2 }) },
  { rule: 'faults.field', ...fault({ status: 503, 'GET /me': 2 }) },
  { rule: 'faults.nothing', ...fault({}), noEdit: chosen },
  { rule: 'faults.reset-status', ...fault({ reset: true, status: 503 }) },
  { rule: 'faults.reset-cut', ...fault({ reset: true, cut: true }) },
  { rule: 'faults.retry-after', ...fault({ delay: '1s', retryAfter: 2 }), noEdit: chosen },
  { rule: 'faults.retry-after', ...fault({ reset: true, retryAfter: 2 }) },
  { rule: 'faults.operation', ...fault({ operation: 'GET /mee', status: 503 }) },
  { rule: 'faults.operation', ...fault({ operation: ' ', status: 503 }), noEdit: chosen },
  { rule: 'faults.number', ...fault({ status: 503, times: 0 }) },
  { rule: 'faults.delay', ...fault({ delay: '2 parsecs' }), noEdit: chosen },
  {
    rule: 'faults.most',
    ...fault({ status: 503 }),
    noEdit: state,
    options: {
      world: {
        companies: [{ name: 'Shop' }],
        faults: Array.from({ length: 1_000 }, () => ({ operation: 'GET /me', status: 503 })),
      },
    },
  },

  { rule: 'time.duration', request: post('/control/clock', { advance: 'a while' }) },
  { rule: 'time.iso', request: post('/control/clock', { set: 'tomorrow' }) },
  { rule: 'time.iso', request: post('/control/clock', { set: '2026-02-28 09:30:15 UTC' }) },
  { rule: 'time.rate', request: post('/control/clock', { rate: 0 }) },
  { rule: 'time.range', request: post('/control/clock', { advance: '99999999d' }), noEdit: chosen },
  { rule: 'time.future', request: post('/control/timeline/back', { at: '2200-01-01T00:00:00Z' }) },
  { rule: 'time.forgotten', request: post('/control/timeline/back', { at: '2001-01-01T00:00:00Z' }) },
  { rule: 'clock.one', request: post('/control/clock') },
  { rule: 'clock.still', request: post('/control/clock', { stop: true }), noEdit: state },
  { rule: 'clock.no-rewind', request: post('/control/clock', { rewind: true }), noEdit: state },
  { rule: 'timeline.kind', request: get('/control/timeline?kind=clock,requests') },
  { rule: 'timeline.kind', request: get('/control/timeline?kind=foo') },
  { rule: 'timeline.cursor', request: get('/control/timeline?before=here') },
  { rule: 'timeline.cursor', request: get('/control/timeline?after=here') },
  { rule: 'control.no-such-field', request: get('/control/timeline?a%2Fb=c') },
  {
    rule: 'timeline.read-only',
    request: {
      ...post('/control/faults', { operation: '*', reset: true }),
      headers: { 'x-sandbox-at': new Date().toISOString() },
    },
  },

  { rule: 'delivery.target', ...trigger({ to: 'nowhere' }) },
  { rule: 'delivery.target', ...trigger({ to: 'localhost:9/hooks' }) },
  {
    rule: 'delivery.webhook-disabled',
    ...trigger({}),
    noEdit: state,
    before: async (sandbox) => ({ json: { type: 'sms.sent', to: await disabledWebhook(sandbox) } }),
  },
  ...(['/control/trigger', '/control/gym'] as const).map((path): ControlViolation => ({
    rule: 'delivery.own-reach',
    request: post(path),
    async before(sandbox) {
      const url = 'http://127.0.0.1:9/near';
      await sandbox.call('POST', '/webhooks', { json: { url, events: ['sms.sent'] } });
      return {
        json: { to: url, reach: 'private', ...(path === '/control/gym' ? { count: 1 } : { type: 'sms.sent' }) },
      };
    },
  })),
  ...(['reorder', 'concurrent'] as const).map((act): ControlViolation => ({
    rule: 'delivery.gym-events',
    request: post('/control/gym', { to: 'http://127.0.0.1:9/', count: 1, acts: [act] }),
  })),
  {
    rule: 'delivery.no-company',
    ...trigger({}),
    noEdit: state,
    before: async (sandbox) => void (await sandbox.control('POST', '/control/reset', { world: 'empty' })),
  },
  {
    rule: 'delivery.other-company',
    ...trigger({}),
    async before(sandbox) {
      await sandbox.control('POST', '/control/companies', { name: 'Another one' });
      await sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/a', events: ['sms.sent'] } });
      const companies = [...sandbox.emulator.deps.store.companies.all()];
      const webhook = [...sandbox.emulator.deps.store.webhooks.all()].at(-1);
      const other = companies.find(({ id }) => id !== webhook?.companyId);
      return { json: { type: 'sms.sent', to: webhook?.id, companyId: other?.id } };
    },
  },
  { rule: 'delivery.subscriber-address', ...trigger({ subscriber: {} }) },
  { rule: 'delivery.subscriber', ...trigger({ subscriber: { phone: '(555) 555-0100' } }) },
  { rule: 'delivery.subscriber', ...trigger({ subscriber: { email: 'nobody@example.com' } }) },
  {
    rule: 'delivery.no-message',
    request: post('/control/trigger'),
    before: async (sandbox) => ({
      json: { type: 'email.subscribed', messageId: await compose(sandbox, 'EMAIL') },
    }),
  },
  { rule: 'delivery.payload', ...trigger({ payload: { timestamp: 'now' } }) },
  { rule: 'delivery.payload', ...trigger({ whole: true }) },
  {
    rule: 'delivery.not-tried',
    request: post('/control/signature/check'),
    noEdit: state,
    async before(sandbox) {
      await sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/a', events: ['sms.sent'] } });
      await sandbox.control('POST', '/control/trigger', { type: 'sms.sent' });
      const { store } = sandbox.emulator.deps;
      store.transact(() => store.deliveries.put({ ...(store.deliveries.records()[0] as Delivery), attempts: [] }));
      return { json: { signature: 'sha256=00', deliveryId: firstOf(sandbox, 'deliveries') } };
    },
  },
  {
    rule: 'delivery.no-such-attempt',
    request: post('/control/signature/check'),
    async before(sandbox) {
      await sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/a', events: ['sms.sent'] } });
      await sandbox.control('POST', '/control/trigger', { type: 'sms.sent' });
      return { json: { signature: 'sha256=00', deliveryId: firstOf(sandbox, 'deliveries'), attempt: 29 } };
    },
  },
  {
    rule: 'control.unknown-id',
    request: post('/control/signature/check', { signature: 'sha256=00', webhookId: 'none', sent: { body: '{}' } }),
    noEdit: chosen,
  },
  { rule: 'control.contradicts', request: get('/control/timeline?before=1.1.a&after=1.1.b') },
  { rule: 'control.contradicts', request: get('/control/records/users?last=5&offset=5') },
  { rule: 'records.not-searched', request: get('/control/records/credentials?search=ada') },
  { rule: 'control.not-found', request: get('/control/companies/none/search?q=ada'), noEdit: chosen },
  { rule: 'delivery.nothing-sent', request: post('/control/signature/check', { signature: 'sha256=00' }) },
  {
    rule: 'webhooks.app',
    request: post('/control/webhooks', { appId: 'none', url: 'http://127.0.0.1:9/a', events: ['sms.sent'] }),
    noEdit: chosen,
  },

  {
    rule: 'messages.unnamed',
    request: post('/control/messages', { channel: 'TEXT', text: 'Hi', subscriber: {} }),
    noEdit: chosen,
  },
  {
    rule: 'messages.unknown-person',
    request: post('/control/messages', { channel: 'TEXT', text: 'Hi', subscriber: { email: 'nobody@example.com' } }),
    noEdit: chosen,
  },
  {
    rule: 'messages.no-company',
    request: post('/control/messages', { channel: 'TEXT', text: 'Hi', subscriber: ada }),
    noEdit: state,
    before: async (sandbox) => void (await sandbox.control('POST', '/control/reset', { world: 'empty' })),
  },
  {
    rule: 'messages.not-subscribed',
    request: post('/control/messages', { channel: 'EMAIL', text: 'Hi', subject: 'Hi', subscriber: ada }),
    before: async (sandbox) => void (await sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user: ada } })),
  },
  {
    rule: 'messages.subject-line',
    request: post('/control/messages', {
      channel: 'EMAIL',
      text: 'Hi',
      subject: 'Line one\r\ntwo',
      subscriber: ada,
      force: true,
    }),
  },
  {
    rule: 'messages.subject',
    request: post('/control/messages', { channel: 'EMAIL', text: 'Hi', subscriber: ada, force: true }),
  },
  {
    rule: 'messages.no-address',
    request: post('/control/messages', { channel: 'TEXT', text: 'Hi', subject: 'Hi', force: true }),
    async before(sandbox) {
      const email = 'only-email@example.com';
      await sandbox.call('POST', '/attributes/custom', { json: { properties: { a: 'b' }, user: { email } } });
      return { json: { channel: 'TEXT', text: 'Hi', subject: 'Hi', force: true, subscriber: { email } } };
    },
  },
  {
    rule: 'messages.text-only',
    request: post('/control/messages', {
      channel: 'TEXT',
      text: 'Hi',
      html: '<p>Hi</p>',
      subscriber: { phone: '+15555550100' },
      force: true,
    }),
  },
  { rule: 'messages.channel', ...tap('TEXT', { act: 'open' }), noEdit: chosen },
  {
    rule: 'messages.inbound',
    request: post('/control/messages/none/acts', { act: 'reply', text: 'Again' }),
    noEdit: chosen,
    async before(sandbox) {
      const id = await compose(sandbox, 'TEXT');
      const { body } = await sandbox.control('POST', `/control/messages/${id}/acts`, { act: 'reply', text: 'HELP' });
      return { path: `/control/messages/${(body as { message: { id: string } }).message.id}/acts` };
    },
  },
  { rule: 'messages.link', ...tap('TEXT', { act: 'click', link: 9 }, 'See https://example.com/sale') },
  { rule: 'messages.empty-reply', ...tap('TEXT', { act: 'reply', text: ' ' }) },
  {
    rule: 'messages.person-gone',
    request: post('/control/messages/none/acts', { act: 'open' }),
    noEdit: chosen,
    async before(sandbox) {
      const id = await compose(sandbox, 'EMAIL');
      const { store } = sandbox.emulator.deps;
      store.transact(() => store.users.delete(store.messages.get(id)?.userId ?? ''));
      return { path: `/control/messages/${id}/acts` };
    },
  },

  { rule: 'snapshots.name', request: post('/control/snapshots', { name: '../up' }) },
  { rule: 'snapshots.name', request: post('/control/snapshots', { name: 'aux' }) },
  {
    rule: 'snapshots.taken',
    request: post('/control/snapshots', { name: 'twice' }),
    before: async (sandbox) => void (await sandbox.control('POST', '/control/snapshots', { name: 'twice' })),
  },
  {
    rule: 'snapshots.spelling',
    request: post('/control/snapshots', { name: 'before' }),
    before: async (sandbox) => void (await sandbox.control('POST', '/control/snapshots', { name: 'Before' })),
  },
  { rule: 'snapshots.format', ...snapshot({ format: 999 }), noEdit: chosen },
  { rule: 'snapshots.misfit', ...snapshot({ version: 1 }), noEdit: chosen },

  {
    rule: 'snapshots.overtaken',
    ...snapshot({}),
    noEdit: state,
    async before(sandbox) {
      const { body } = await sandbox.control('GET', '/control/export');
      const { store } = sandbox.emulator.deps;
      const [company] = store.companies.records();
      const blobs = store.blobs as { copy: typeof store.blobs.copy };
      const { copy } = blobs;
      // Someone else writes each time after the merge began.
      blobs.copy = () => {
        if (company) store.transact(() => store.companies.put(company));
        return copy();
      };
      return { path: '/control/import?mode=merge', json: body };
    },
  },

  { rule: 'uploads.not-kept', request: post('/control/uploads/none/again'), noEdit: state, before: ofUpload('/again') },
  { rule: 'uploads.not-checked', request: get('/control/uploads/none/xray'), noEdit: state, before: ofUpload('/xray') },
  {
    rule: 'uploads.not-checking',
    request: post('/control/uploads/none/cancel'),
    noEdit: state,
    before: ofUpload('/cancel'),
  },
  {
    rule: 'uploads.no-key',
    request: post('/control/uploads'),
    noEdit: state,
    async before(sandbox) {
      const { body } = await sandbox.control('POST', '/control/companies', { name: 'Without keys' });
      const { id, appId } = body as { id: string; appId: string };
      const json = { scope: 'product_catalogs:write', held: false };
      await sandbox.control('POST', `/control/apps/${appId}/scopes`, json);
      return { json: { companyId: id } };
    },
  },
  {
    rule: 'uploads.no-answer',
    request: post('/control/uploads'),
    noEdit: state,
    async before(sandbox) {
      await sandbox.control('POST', '/control/faults', { operation: 'POST /product-catalog/uploads', reset: true });
      return { json: { companyId: firstOf(sandbox, 'companies') } };
    },
  },

  { rule: 'undo.nothing', request: post('/control/undo'), noEdit: state },
  { rule: 'undo.nothing-to-redo', request: post('/control/redo'), noEdit: state },
  { rule: 'undo.gone', request: post('/control/undo', { id: 'none' }), noEdit: chosen },
  {
    rule: 'undo.newer',
    request: post('/control/undo'),
    async before(sandbox) {
      await sandbox.control('POST', '/control/companies', { name: 'First' });
      await sandbox.control('POST', '/control/companies', { name: 'Second' });
      const { body } = await sandbox.control('GET', '/control/undo');
      return { json: { id: (body as { undo: { id: string }[] }).undo[1]?.id } };
    },
  },
  {
    rule: 'undo.redo-order',
    request: post('/control/redo'),
    async before(sandbox) {
      await sandbox.control('POST', '/control/companies', { name: 'First' });
      await sandbox.control('POST', '/control/companies', { name: 'Second' });
      const { body } = await sandbox.control('GET', '/control/undo');
      const [second] = (body as { undo: { id: string }[] }).undo;
      await sandbox.control('POST', '/control/undo');
      await sandbox.control('POST', '/control/undo');
      return { json: { id: second?.id } };
    },
  },

  { rule: 'requests.unknown', request: get('/control/requests/req_none'), noEdit: chosen },
  {
    rule: 'requests.headers',
    request: post('/control/send', { method: 'GET', path: '/v1/me', headers: [['bad name', '1']] }),
  },
  {
    rule: 'requests.headers',
    request: post('/control/send', { method: 'GET', path: '/v1/me', headers: [['x-note', 'one\ntwo']] }),
  },
  { rule: 'records.kind', request: get('/control/records/nothings'), noEdit: chosen },
  { rule: 'records.unknown', request: get('/control/records/users/none'), noEdit: chosen },
  {
    rule: 'records.stateless',
    request: post('/control/records/companies/none/moves', { event: 'go' }),
    noEdit: chosen,
    before: async (sandbox) => ({ path: `/control/records/companies/${firstOf(sandbox, 'companies')}/moves` }),
  },
  {
    rule: 'records.event',
    request: post('/control/records/uploads/none/moves', { event: 'fly' }),
    noEdit: chosen,
    async before(sandbox) {
      await sandbox.call('POST', '/product-catalog/uploads');
      return { path: `/control/records/uploads/${firstOf(sandbox, 'uploads')}/moves` };
    },
  },
  {
    rule: 'search.empty',
    request: get('/control/companies/none/search?q=%20'),
    noEdit: chosen,
    before: async (sandbox) => ({ path: `/control/companies/${firstOf(sandbox, 'companies')}/search?q=%20` }),
  },
  {
    rule: 'hosts.allowed',
    request: post('/control/allowed-hosts', { host: 'shop.test' }),
    noEdit: state,
    before: async (sandbox) => void (await sandbox.control('POST', '/control/allowed-hosts', { host: 'shop.test' })),
  },
  { rule: 'hosts.unknown', request: { method: 'DELETE', path: '/control/allowed-hosts/shop.test' }, noEdit: chosen },
];
