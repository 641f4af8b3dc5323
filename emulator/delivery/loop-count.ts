/** Stops loops in which an event causes an API call that causes an event (docs/security.md, Outgoing webhooks). */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';

/** Sent with every delivery; if a receiver passes it on to the API, loops can be counted. */
export const hopsHeader = 'x-sandbox-hops';

/**
 * How many deliveries led to this API request, according to its header: null if that is absent or not a small number.
 */
export function hopsOf(headers: IncomingHttpHeaders): number | null {
  const sent = headers[hopsHeader];
  return typeof sent === 'string' && /^\d{1,4}$/.test(sent) ? Number(sent) : null;
}

export interface Hops {
  /** Runs the work of a request that this many deliveries led to. */
  run<T>(hops: number, work: () => T): T;
  /** Null: the request did not say. */
  current(): number | null;
}

// One for all emulators of a process, because each further one slows down every promise of the process (see
// async-context.ts). This one cannot be switched off, because work that a request leaves behind still counts, such as
// the check of a file.
const storage = new AsyncLocalStorage<number>();

/** The hop count during everything that a request does. Costs nothing until a request has the header. */
export const hops: Hops = {
  run: (count, work) => storage.run(count, work),
  current: () => storage.getStore() ?? null,
};
