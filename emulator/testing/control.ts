import type { ControlClient } from '../control/client.ts';
import type { Kind } from '../control/contract/records.ts';
import type { SandboxControl } from './api.ts';

/** How many records are read at once. */
const page = 1_000;

/** How many of a list are read if the filter does not say: as many as the control API gives. */
const limit = 99_999;

/** The calls of the control API, named. */
export function createSandboxControl({ url, token, call, answer, send }: ControlClient): SandboxControl {
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
    rotate: (id, overlap) =>
      call('POST /control/webhooks/{id}/rotate', { params: { id }, body: overlap === undefined ? {} : { overlap } }),
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
    undo: (id, options) => call('POST /control/undo', { body: id === undefined ? {} : { id, ...options } }),
    redo: () => call('POST /control/redo'),
  };
}
