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

/** Bytes of one body that are kept; larger ones are cut, and `requestBytes` tells. */
export const keptBodyBytes = 16 * 1024 * 1024;

/** Keeps the bytes of a request's body in its exchange, bounded. */
export function keepRequestBody(exchange: Exchange, raw: Buffer): void {
  exchange.requestBytes = raw.length;
  exchange.requestBody = raw.length > keptBodyBytes ? raw.subarray(0, keptBodyBytes) : raw;
}
