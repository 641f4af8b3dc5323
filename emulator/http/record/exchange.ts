import type { Refusal } from '../../rules.ts';
import type { Change } from '../../store/store.ts';
import type { TooEarly } from '../shapes.ts';

/** One request to the API port and its reply. Filled in while it is handled, not changed afterwards. */
export interface Exchange {
  readonly id: string;
  /** Position in the record: later ones are larger. */
  readonly sequence: number;
  /** When it arrived, on the virtual clock and on the wall clock, epoch milliseconds. */
  readonly at: number;
  readonly wallAt: number;
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly remoteAddress: string;
  /** Name, value, name, value … as they were sent. */
  readonly requestHeaders: readonly string[];
  requestBody: Buffer | null;
  /** The size of the body, announced or counted; `requestBody` has the first bytes of it that arrived. */
  requestBytes: number;
  /** Whether the body was incomplete when the request was finished. Its length need not have been announced. */
  requestBrokeOff: boolean;
  operation: string | null;
  companyId: string | null;
  credentialId: string | null;
  status: number | null;
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: Buffer | string | null;
  refusal: Refusal | null;
  notes: readonly string[];
  /** The fault that was applied to it. */
  fault: { readonly id: string; readonly says: string } | null;
  /** Set if it arrived before the `Retry-After` of an earlier reply had passed. */
  early: TooEarly | null;
  changes: readonly Change[];
  /**
   * Why there is no reply, or not the platform's: the client disconnected, the HTTP was broken, or the emulator has a
   * bug.
   */
  failure: string | null;
  /** From the arrival of the headers until the reply was ready, in milliseconds. */
  durationMs: number | null;
  readonly startedAt: number;
}

/** Bytes of one body that are kept; larger ones are cut, and `requestBytes` has their size. */
export const keptBodyBytes = 16 * 1024 * 1024;

/** Keeps the bytes of a request's body in its exchange, up to the limit, and the size of the whole body. */
export function keepRequestBody(exchange: Exchange, raw: Buffer, size: number): void {
  exchange.requestBytes = size;
  exchange.requestBody = raw.length > keptBodyBytes ? raw.subarray(0, keptBodyBytes) : raw;
}

/** More notes than a person reads. */
const mostNotes = 100;

/** Adds a note to the record of a request, each text once. Notes beyond the limit are left out. */
export function addNote(exchange: Exchange, remark: string): void {
  const { notes } = exchange;
  if (notes.length > mostNotes || notes.includes(remark)) return;
  const isLast = notes.length === mostNotes;
  exchange.notes = [...notes, isLast ? `Further notes are left out: these are the first ${mostNotes}.` : remark];
}
