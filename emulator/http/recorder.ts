import type { IncomingMessage } from 'node:http';
import type { Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import type { Refusal } from '../rules.ts';
import type { Change } from '../store/store.ts';
import type { EarlyReturn } from './rate-limit.ts';

/** One request that reached the API port and its answer. Filled in while it is under way, left alone after. */
export interface Exchange {
  readonly id: string;
  /** Position in the record: later ones are larger. */
  readonly sequence: number;
  /** When it came, on the virtual clock and on the wall clock, epoch milliseconds. */
  readonly at: number;
  readonly wallAt: number;
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly remoteAddress: string;
  /** Name, value, name, value … as they came over the wire. */
  readonly requestHeaders: readonly string[];
  requestBody: Buffer | null;
  /** Bytes that came, of which `requestBody` holds the first. */
  requestBytes: number;
  operation: string | null;
  companyId: string | null;
  credentialId: string | null;
  status: number | null;
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: Buffer | string | null;
  refusal: Refusal | null;
  notes: readonly string[];
  /** The fault that was asked for and struck it. */
  fault: { readonly id: string; readonly says: string } | null;
  /** Set where it came before the `Retry-After` of an earlier answer had passed. */
  early: EarlyReturn | null;
  changes: readonly Change[];
  /** Why there is no answer, or one that is not the platform's: the client went away, broken HTTP, a fault of ours. */
  failure: string | null;
  /** From the arrival of the head to the answer being ready, in milliseconds. */
  durationMs: number | null;
  readonly startedAt: number;
}

/** The record of what came in, newest last, bounded in number and in bytes. */
export interface Recorder {
  open(request: IncomingMessage): Exchange;
  close(exchange: Exchange): void;
  /** Records bytes that Node's HTTP parser could not read. */
  broken(bytes: Buffer, remoteAddress: string, problem: string): Exchange;
  get(id: string): Exchange | undefined;
  /** Oldest first, from `after` (a sequence) on; without `after` all of them. */
  all(after?: number): readonly Exchange[];
  clear(): void;
  /** Puts exchanges that were cleared before those that came since. */
  putBack(exchanges: readonly Exchange[]): void;
  readonly size: number;
  readonly dropped: number;
}

/** Bytes of one body that are kept; larger ones are cut, and `requestBytes` tells. */
export const keptBodyBytes = 16 * 1024 * 1024;

/** Keeps the bytes of a request's body in its exchange, bounded. */
export function keepRequestBody(exchange: Exchange, raw: Buffer): void {
  exchange.requestBytes = raw.length;
  exchange.requestBody = raw.length > keptBodyBytes ? raw.subarray(0, keptBodyBytes) : raw;
}

/** Creates the recorder. `exchanges` and `bytes` bound what it keeps; the oldest go first. */
export function createRecorder({
  clock,
  feed,
  exchanges,
  bytes,
}: {
  clock: Clock;
  feed: Feed;
  exchanges: number;
  bytes: number;
}): Recorder {
  const kept = new Map<string, Exchange>();
  const prefix = `req_${clock.wall().toString(36)}`;
  let sequence = 0;
  let size = 0;
  let dropped = 0;

  const weigh = (exchange: Exchange): number =>
    600 + (exchange.requestBody?.length ?? 0) + (exchange.responseBody?.length ?? 0);

  const keep = (exchange: Exchange): void => {
    kept.set(exchange.id, exchange);
    size += weigh(exchange);
    while (kept.size > exchanges || (size > bytes && kept.size > 1)) {
      const oldest = kept.values().next().value;
      if (!oldest) break;
      kept.delete(oldest.id);
      size -= weigh(oldest);
      dropped += 1;
    }
    feed.publish({ type: 'request', id: exchange.id });
  };

  const begin = (
    head: Pick<Exchange, 'method' | 'url' | 'httpVersion' | 'remoteAddress' | 'requestHeaders'>,
  ): Exchange => {
    sequence += 1;
    return {
      id: `${prefix}${sequence.toString(36).padStart(5, '0')}`,
      sequence,
      at: clock.now(),
      wallAt: clock.wall(),
      ...head,
      requestBody: null,
      requestBytes: 0,
      operation: null,
      companyId: null,
      credentialId: null,
      status: null,
      responseHeaders: {},
      responseBody: null,
      refusal: null,
      notes: [],
      fault: null,
      early: null,
      changes: [],
      failure: null,
      durationMs: null,
      startedAt: clock.monotonic(),
    };
  };

  return {
    open: (request) =>
      begin({
        method: request.method ?? '',
        url: request.url ?? '',
        httpVersion: request.httpVersion,
        remoteAddress: request.socket.remoteAddress ?? '',
        requestHeaders: request.rawHeaders,
      }),
    close(exchange) {
      exchange.durationMs = clock.monotonic() - exchange.startedAt;
      keep(exchange);
    },
    broken(raw, remoteAddress, problem) {
      const [line = ''] = raw.subarray(0, 2048).toString('latin1').split('\r\n');
      const [method = '', url = ''] = line.split(' ');
      const exchange = begin({ method, url, httpVersion: '', remoteAddress, requestHeaders: [] });
      exchange.requestBody = raw.subarray(0, keptBodyBytes);
      exchange.requestBytes = raw.length;
      exchange.status = 400;
      exchange.failure = problem;
      exchange.durationMs = 0;
      keep(exchange);
      return exchange;
    },
    get: (id) => kept.get(id),
    all: (after = 0) => {
      const later: Exchange[] = [];
      for (const exchange of kept.values()) if (exchange.sequence > after) later.push(exchange);
      return later;
    },
    clear() {
      kept.clear();
      size = 0;
      feed.publish({ type: 'reset' });
    },
    putBack(exchanges) {
      const later = [...kept.values()];
      kept.clear();
      size = 0;
      for (const exchange of [...exchanges, ...later]) {
        if (kept.has(exchange.id)) continue;
        kept.set(exchange.id, exchange);
        size += weigh(exchange);
      }
      feed.publish({ type: 'reset' });
    },
    get size() {
      return kept.size;
    },
    get dropped() {
      return dropped;
    },
  };
}
