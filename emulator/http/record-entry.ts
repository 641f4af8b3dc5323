import { Refusal, type Edit, type FactsOfRefusal, type Place } from '../rules.ts';
import type { Exchange } from './exchange.ts';

/**
 * One recorded request as bytes, for the files of the record: a line with three lengths, the facts as JSON, then the
 * two bodies as they are. Bodies are not part of the JSON, so that their bytes are neither escaped nor repaired.
 *
 *     1203 64 17\n{"id":"req_…",…}<64 bytes of the request's body><17 bytes of the answer's body>\n
 */
export function toEntry(exchange: Exchange): Buffer {
  const { refusal, requestBody, responseBody, startedAt: _, ...facts } = exchange;
  const json = JSON.stringify({
    ...facts,
    refusal: refusal && toStored(refusal),
    // Which of the two bodies is missing or empty, and whether the reply was text.
    bodies: [requestBody !== null, responseBody === null ? null : typeof responseBody],
  });
  const request = requestBody?.length ?? 0;
  const response = responseBody === null ? 0 : Buffer.byteLength(responseBody);
  const head = `${Buffer.byteLength(json)} ${request} ${response}\n`;
  // One buffer, filled in place: there is one for every request.
  const entry = Buffer.allocUnsafe(head.length + Buffer.byteLength(json) + request + response + 1);
  let at = entry.write(head, 'latin1');
  at += entry.write(json, at);
  at += requestBody?.copy(entry, at) ?? 0;
  if (typeof responseBody === 'string') entry.write(responseBody, at);
  else responseBody?.copy(entry, at);
  entry[entry.length - 1] = 0x0a;
  return entry;
}

/** The position of an entry in a file. */
export interface EntryPlace {
  readonly json: number;
  readonly request: number;
  readonly response: number;
  /** The first byte after the entry. */
  readonly end: number;
}

/** The entry that starts at `at`; null if it is incomplete or not an entry. */
export function findEntry(bytes: Buffer, at: number): EntryPlace | null {
  const lineEnd = bytes.indexOf(0x0a, at);
  if (lineEnd === -1 || lineEnd - at > longestHead) return null;
  const match = /^(\d+) (\d+) (\d+)$/.exec(bytes.toString('latin1', at, lineEnd));
  if (!match) return null;
  const json = lineEnd + 1;
  const request = json + Number(match[1]);
  const response = request + Number(match[2]);
  const last = response + Number(match[3]);
  return bytes[last] === 0x0a ? { json, request, response, end: last + 1 } : null;
}

/** Three lengths of at most ten digits. */
const longestHead = 32;

/** The recorded request of an entry; null if its facts cannot be read. Its bodies share the memory of `bytes`. */
export function fromEntry(bytes: Buffer, { json, request, response, end }: EntryPlace): Exchange | null {
  try {
    const {
      refusal,
      bodies: [hasRequest, responseType],
      ...facts
    } = JSON.parse(bytes.toString('utf8', json, request)) as StoredExchange;
    const answer = bytes.subarray(response, end - 1);
    return {
      ...facts,
      requestBody: hasRequest ? bytes.subarray(request, response) : null,
      responseBody: responseType === null ? null : responseType === 'string' ? answer.toString('utf8') : answer,
      refusal: refusal && fromStored(refusal),
      startedAt: 0,
    };
  } catch {
    return null;
  }
}

type StoredExchange = Omit<Exchange, 'refusal' | 'requestBody' | 'responseBody' | 'startedAt'> & {
  readonly refusal: StoredRefusal | null;
  readonly bodies: readonly [boolean, null | 'string' | 'object'];
};

/**
 * A refusal without its class: the rule as it was when it refused, so that later versions do not change old requests.
 */
interface StoredRefusal {
  readonly rule: Refusal['rule'];
  readonly place: Place;
  readonly value?: unknown;
  readonly message: string;
  readonly fix: { readonly say: string; readonly edits: readonly Edit[] };
  /** Left out by versions that did not record them. */
  readonly facts?: FactsOfRefusal;
  readonly headers: Refusal['headers'];
}

function toStored({ rule, place, value, message, fix, facts, headers }: Refusal): StoredRefusal {
  const { id, status, section, provenance, says } = rule;
  return { rule: { id, status, section, provenance, says }, place, value, message, fix, facts, headers };
}

function fromStored({ value, facts = {}, ...rest }: StoredRefusal): Refusal {
  // The reply was already sent; its body has the details.
  return new Refusal({ ...rest, value, facts, details: {} });
}
