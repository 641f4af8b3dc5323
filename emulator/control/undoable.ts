import { operationName, type Endpoint } from '../http/endpoint.ts';
import type { CollectionName, StoredRecord, Webhook } from '../records.ts';
import type { Collection, Store } from '../store/store.ts';
import type { Undo } from '../world/undo.ts';
import type { UndoCode } from '../world/undo-codes.ts';

interface Act {
  readonly collection: CollectionName;
  readonly code: UndoCode;
  says(id: string, before: StoredRecord): string;
}

/** The operations of the control API that take one record away or change it for good. */
const acts: { readonly [operation: string]: Act } = {
  'DELETE /control/credentials/{id}': {
    collection: 'credentials',
    code: 'credential.revoked',
    says: (id) => `The credential ${id} was revoked.`,
  },
  'DELETE /control/webhooks/{id}': {
    collection: 'webhooks',
    code: 'webhook.deleted',
    says: (_id, before) =>
      `The webhook to ${(before as Webhook).url} was deleted. What waited for it stays given up until it is redelivered.`,
  },
  'POST /control/webhooks/{id}': {
    collection: 'webhooks',
    code: 'webhook.changed',
    says: (_id, before) => `The webhook to ${(before as Webhook).url} was changed.`,
  },
  'POST /control/webhooks/{id}/rotate': {
    collection: 'webhooks',
    code: 'webhook.key-rotated',
    says: (_id, before) => `The webhook to ${(before as Webhook).url} got a new signing key.`,
  },
};

/** The same operations, with those that take something away remembered in `undo`. */
export function withUndo(
  routes: readonly Endpoint[],
  { store, undo }: { store: Store; undo: Undo },
): readonly Endpoint[] {
  return routes.map((route): Endpoint => {
    const name = operationName(route);
    const act = acts[name];
    if (name === 'DELETE /control/requests') return { ...route, handle: (...input) => remembered(route, input) };
    if (!act) return route;
    return {
      ...route,
      handle(input, deps) {
        const { id } = input.params as { readonly id: string };
        const before = (store[act.collection] as unknown as Collection<StoredRecord>).get(id);
        const reply = route.handle(input, deps);
        if (before) undo.keepRecords({ code: act.code, says: act.says(id, before) }, act.collection, [before]);
        return reply;
      },
    };
  });

  function remembered(route: Endpoint, input: Parameters<Endpoint['handle']>): ReturnType<Endpoint['handle']> {
    undo.keepRequests({ code: 'requests.cleared', says: 'The recorded requests were cleared.' });
    return route.handle(...input);
  }
}
