import type { ControlClient } from '../control/client.ts';
import type { SandboxControl } from './api.ts';

/** The control API's client with its common paths by name. */
export function createSandboxControl({ url, token, get, post, delete: remove }: ControlClient): SandboxControl {
  const at = (...parts: readonly string[]): string => `/control/${parts.map(encodeURIComponent).join('/')}`;
  return {
    url,
    token,
    get,
    post,
    delete: remove,
    records: async (kind) => (await get<{ records: never }>(`${at('records', kind)}?limit=1000`)).records,
    record: (kind, id) => get(at('records', kind, id)),
    move: (kind, id, event) => post(at('records', kind, id, 'moves'), { event }),
    webhooks: async () => (await get<{ webhooks: never }>('/control/webhooks')).webhooks,
    createWebhook: (input) => post('/control/webhooks', input),
    deliveries: async (filter) =>
      (await get<{ deliveries: never }>(`/control/deliveries${toQuery({ ...filter, limit: '1000' })}`)).deliveries,
    rotate: (id, overlap) => post(at('webhooks', id, 'rotate'), overlap === undefined ? {} : { overlap }),
    gym: (input) => post('/control/gym', input),
    redeliver: (id) => post(at('deliveries', id, 'redeliver')),
    messages: async (filter) =>
      (await get<{ messages: never }>(`/control/messages${toQuery({ ...filter, limit: '1000' })}`)).messages,
    compose: (input) => post('/control/messages', input),
    act: (id, act) => post(at('messages', id, 'acts'), act),
    createKey: (input) => post('/control/credentials', input),
    clock: () => get('/control/clock'),
    setPace: (pace) => post('/control/pace', { pace }),
    limits: () => get('/control/limits'),
    setLimits: (mode) => post('/control/limits', { mode }),
    clearFaults: () => remove('/control/faults'),
    undoList: () => get('/control/undo'),
    undo: (id, options) => post('/control/undo', id === undefined ? {} : { id, ...options }),
    redo: () => post('/control/redo'),
  };
}

function toQuery(values: { readonly [name: string]: string | undefined }): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `?${new URLSearchParams(given)}`;
}
