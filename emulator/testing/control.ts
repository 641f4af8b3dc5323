import type { AnyRequest, Call } from '../control/call.ts';
import { calls, type CallName } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import type { Kind } from '../control/contract/records.ts';
import type { SandboxControl } from './api.ts';
import { checkFields, checkValue, filled, type Expected } from './checks.ts';

const anyPath: Expected = {
  takes: 'a path such as /control/clock',
  fits: (value) => typeof value === 'string' && value.startsWith('/'),
};

const anything: Expected = { takes: 'anything', fits: () => true };
const nothing: Expected = { takes: 'nothing', fits: () => false };

/** How many records are read at once. */
const page = 1_000;

/** How many items of a list are read if the filter has no limit: the most that the control API returns. */
const limit = 99_999;

/**
 * Runs work that needs the running sandbox.
 * @throws UserError if the sandbox is closed, before or meanwhile
 */
export type WhileOpen = <T>(work: () => Promise<T>) => Promise<T>;

/** The calls of the control API as functions. */
export function createSandboxControl(client: ControlClient, whileOpen: WhileOpen): SandboxControl {
  const { url, token } = client;
  // Untyped: the types of all calls at once are too much for the compiler.
  const checked =
    (make: (name: never, request: never) => Promise<unknown>) =>
    (name: string, request?: AnyRequest): Promise<unknown> =>
      whileOpen(async () => {
        checkCall(name, request);
        return make(name as never, request as never);
      });
  const call = checked(client.call) as ControlClient['call'];
  const answer = checked(client.answer) as ControlClient['answer'];
  const send = (method: string, path: string, body?: unknown): Promise<unknown> =>
    whileOpen(async () => {
      checkValue(`path of control.${method.toLowerCase()}`, path, anyPath);
      return client.send(method, path, body);
    });
  return {
    url,
    token,
    call,
    answer,
    get: (path) => send('GET', path) as Promise<never>,
    post: (path, body = {}) => send('POST', path, body) as Promise<never>,
    async delete(path) {
      await send('DELETE', path);
    },
    async records(kind: Kind) {
      const found: unknown[] = [];
      for (;;) {
        const query = { limit: page, offset: found.length };
        const { records, total } = await call('GET /control/records/{kind}', { params: { kind }, query });
        found.push(...records);
        if (records.length === 0 || found.length >= total) return found as never;
      }
    },
    record: (kind, id) => call('GET /control/records/{kind}/{id}', { params: { kind, id } }) as Promise<never>,
    move: (kind, id, event) =>
      call('POST /control/records/{kind}/{id}/moves', { params: { kind, id }, body: { event } }) as Promise<never>,
    webhooks: async () => (await call('GET /control/webhooks')).webhooks,
    createWebhook: (body) => call('POST /control/webhooks', { body }),
    deliveries: async (query) => (await call('GET /control/deliveries', { query: { limit, ...query } })).deliveries,
    redeliver: (id) => call('POST /control/deliveries/{id}/redeliver', { params: { id } }),
    rotate: (id, overlap) => call('POST /control/webhooks/{id}/rotate', { params: { id }, body: { overlap } }),
    gym: (body) => call('POST /control/gym', { body }),
    messages: async (query) => (await call('GET /control/messages', { query: { limit, ...query } })).messages,
    compose: (body) => call('POST /control/messages', { body }),
    act: (id, body) => call('POST /control/messages/{id}/acts', { params: { id }, body }),
    createKey: (body) => call('POST /control/credentials', { body }),
    clock: () => call('GET /control/clock'),
    setPace: (pace) => call('POST /control/pace', { body: { pace } }),
    limits: () => call('GET /control/limits'),
    setLimits: (mode) => call('POST /control/limits', { body: { mode } }),
    async clearFaults() {
      await call('DELETE /control/faults');
    },
    undoList: () => call('GET /control/undo'),
    undo: (id, options) => call('POST /control/undo', { body: { id, ...options } }),
    redo: () => call('POST /control/redo'),
  };
}

/** @throws UserError for a call that does not exist, or for a path, query or body that the call does not take */
function checkCall(name: string, request: AnyRequest = {}): void {
  checkValue('the name of a call', name, Object.keys(calls));
  const { query, body }: Call = calls[name as CallName];
  const params = [...name.matchAll(/\{([^}]+)\}/g)].map(([, param = '']) => param);
  const taken = { params: params.length > 0, query: query !== undefined, body: body !== undefined };
  checkFields(
    name,
    request,
    Object.fromEntries(Object.entries(taken).map(([part, takes]) => [part, takes ? anything : nothing])),
  );
  for (const param of params) checkValue(`${param} of ${name}`, request.params?.[param], filled);
}
