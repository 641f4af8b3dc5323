import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { Store } from '../store/store.ts';
import { answer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { toOperate, type OperationOptions, type Params } from './operation.ts';

/**
 * A router that matches the exact spelling of a path: case counts, and a trailing slash makes another path (an
 * assumption, see the rule `request.unknown-path`). So all code that looks at a path agrees.
 */
export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}

/** Converts an operation's path to the syntax of the router. */
export function toRoutePath(path: string): string {
  return path.replaceAll(/\{([^}]+)\}/g, ':"$1"');
}

/** Sends no answer, not even a refusal, before the data it used is in the journal. */
export function waitForJournal(store: Pick<Store, 'written'>): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } finally {
      await store.written();
    }
  };
}

/** Adds operations to a router whose requests are not recorded. */
export function mount({
  router,
  endpoints,
  ...options
}: OperationOptions & { readonly router: Router; readonly endpoints: readonly Endpoint[] }): void {
  for (const operation of endpoints) {
    const operate = toOperate(operation, options);
    router.register(toRoutePath(operation.path), [operation.method], async (ctx) =>
      answer(ctx, await operate(ctx, ctx['params'] as Params, null)),
    );
  }
}
