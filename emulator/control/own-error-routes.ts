import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { OwnErrors } from './own-errors.ts';

const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** Faults of Sandpiper's own, for whoever reports them. */
export function createOwnErrorRoutes({ ownErrors }: { readonly ownErrors: OwnErrors }): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/own-errors',
      summary: 'Faults of Sandpiper itself since it was started, newest last',
      replies: { 200: { type: 'object' } },
      handle: () => ({ status: 200, body: { errors: ownErrors.all() } }),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/own-errors',
      summary: 'Forget them',
      replies: { 204: null },
      handle() {
        ownErrors.clear();
        return { status: 204, body: null };
      },
    }),
  ];
}
