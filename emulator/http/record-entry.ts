import { Refusal, type Edit, type FactsOfRefusal, type Place } from '../rules.ts';
import type { Exchange } from './exchange.ts';

/** Keeps finished requests as bytes. */
export type Pack = (exchange: Exchange) => Kept;

/** Entries share pieces of memory of this size: thousands of buffers of their own would slow the collector. */
const pieceBytes = 256 * 1024;

/**
 * Packs each request: the facts as JSON, then the two bodies as they are. Bodies are not part of the JSON, so that their
 * bytes are neither escaped nor repaired. The changes stay as they are: their records are those of the store.
 */
export function createPack(): Pack {
  let piece = Buffer.alloc(0);
  let used = 0;
  const allocate = (size: number): { readonly bytes: Buffer; readonly json: number } => {
    if (size > pieceBytes / 4) return { bytes: Buffer.allocUnsafeSlow(size), json: 0 };
    if (used + size > piece.length) {
      piece = Buffer.allocUnsafeSlow(pieceBytes);
      used = 0;
    }
    used += size;
    return { bytes: piece, json: used - size };
  };

  return (exchange) => {
    const { requestBody, responseBody, changes } = exchange;
    const bodies = bodiesOf(exchange);
    const facts = JSON.stringify(toFacts(exchange, bodies));
    const length = Buffer.byteLength(facts);
    const requestLength = requestBody?.length ?? 0;
    const responseLength = responseBody === null ? 0 : Buffer.byteLength(responseBody);
    const { bytes, json } = allocate(length + requestLength + responseLength);
    const request = json + length;
    const response = request + requestLength;
    bytes.write(facts, json);
    requestBody?.copy(bytes, request);
    if (typeof responseBody === 'string') bytes.write(responseBody, response);
    else responseBody?.copy(bytes, response);
    return new Kept(bytes, { json, request, response, end: response + responseLength }, exchange, bodies, changes);
  };
}

function toFacts(exchange: Exchange, bodies: Bodies): Omit<StoredExchange, 'changes'> {
  const { refusal } = exchange;
  return {
    id: exchange.id,
    sequence: exchange.sequence,
    at: exchange.at,
    wallAt: exchange.wallAt,
    method: exchange.method,
    url: exchange.url,
    httpVersion: exchange.httpVersion,
    remoteAddress: exchange.remoteAddress,
    requestHeaders: exchange.requestHeaders,
    requestBytes: exchange.requestBytes,
    operation: exchange.operation,
    companyId: exchange.companyId,
    credentialId: exchange.credentialId,
    status: exchange.status,
    responseHeaders: exchange.responseHeaders,
    notes: exchange.notes,
    fault: exchange.fault,
    early: exchange.early,
    failure: exchange.failure,
    durationMs: exchange.durationMs,
    refusal: refusal && toStored(refusal),
    bodies,
  };
}

/** Which of the two bodies is missing or empty, and whether the reply was text. */
type Bodies = readonly [boolean, null | 'string' | 'object'];

function bodiesOf({ requestBody, responseBody }: Exchange): Bodies {
  const type = typeof responseBody === 'string' ? 'string' : 'object';
  return [requestBody !== null, responseBody === null ? null : type];
}

/** Where the parts of a request are: its facts, its body, and the body of the answer. */
export interface EntryPlace {
  readonly json: number;
  readonly request: number;
  readonly response: number;
  /** The first byte after them. In a file a line break follows, then the next entry. */
  readonly end: number;
}

/**
 * The entry of a file that starts at `at`; null if it is incomplete or not an entry. It is a line with three lengths,
 * the facts with the changes as JSON, then the two bodies:
 *
 *     1203 64 17\n{"id":"req_…",…}<64 bytes of the request's body><17 bytes of the answer's body>\n
 */
export function findEntry(bytes: Buffer, at: number): EntryPlace | null {
  const lineEnd = bytes.indexOf(0x0a, at);
  if (lineEnd === -1 || lineEnd - at > longestHead) return null;
  const match = /^(\d+) (\d+) (\d+)$/.exec(bytes.toString('latin1', at, lineEnd));
  if (!match) return null;
  const json = lineEnd + 1;
  const request = json + Number(match[1]);
  const response = request + Number(match[2]);
  const end = response + Number(match[3]);
  return bytes[end] === 0x0a ? { json, request, response, end } : null;
}

/** Three lengths of at most ten digits. */
const longestHead = 32;

/** The recorded request of an entry; null if its facts cannot be read. It shares the memory of `bytes`. */
export function fromEntry(bytes: Buffer, place: EntryPlace): Kept | null {
  try {
    const facts = readFacts(bytes, place);
    return new Kept(bytes, place, facts, facts.bodies, null);
  } catch {
    return null;
  }
}

/**
 * A finished request as it is kept: as bytes, outside the reach of the garbage collector, and with the few facts by
 * which lists are filtered. All other facts are read from the bytes when they are asked for. It is a class because
 * thousands of them share these getters.
 */
export class Kept implements Exchange {
  readonly id: string;
  readonly sequence: number;
  readonly at: number;
  readonly wallAt: number;
  readonly method: string;
  readonly url: string;
  readonly operation: string | null;
  readonly companyId: string | null;
  readonly credentialId: string | null;
  readonly status: number | null;
  readonly requestBytes: number;
  readonly durationMs: number | null;
  readonly failure: string | null;
  readonly startedAt = 0;
  readonly #bytes: Buffer;
  readonly #json: number;
  readonly #request: number;
  readonly #response: number;
  readonly #end: number;
  /** Whether there is something to read. */
  readonly #isRefused: boolean;
  readonly #hasFault: boolean;
  readonly #bodies: Bodies;
  /** Null if they are among the facts. */
  readonly #changes: Exchange['changes'] | null;
  #laterNotes: readonly string[] | null = null;

  constructor(
    bytes: Buffer,
    { json, request, response, end }: EntryPlace,
    facts: Facts,
    bodies: Bodies,
    changes: Exchange['changes'] | null,
  ) {
    this.id = facts.id;
    this.sequence = facts.sequence;
    this.at = facts.at;
    this.wallAt = facts.wallAt;
    this.method = facts.method;
    this.url = facts.url;
    this.operation = facts.operation;
    this.companyId = facts.companyId;
    this.credentialId = facts.credentialId;
    this.status = facts.status;
    this.requestBytes = facts.requestBytes;
    this.durationMs = facts.durationMs;
    this.failure = facts.failure;
    this.#bytes = bytes;
    this.#json = json;
    this.#request = request;
    this.#response = response;
    this.#end = end;
    this.#isRefused = facts.refusal !== null;
    this.#hasFault = facts.fault !== null;
    this.#bodies = bodies;
    this.#changes = changes;
  }

  /** Its entry for the files, in pieces. */
  get entry(): readonly Buffer[] {
    const changes = this.#changes && Buffer.from(`,"changes":${JSON.stringify(this.#changes)}}`);
    // Without the bracket that closes the facts, where the changes follow.
    const facts = this.#bytes.subarray(this.#json, this.#request - (changes ? 1 : 0));
    const lengths = [facts.length + (changes?.length ?? 0), this.#response - this.#request, this.#end - this.#response];
    const bodies = this.#bytes.subarray(this.#request, this.#end);
    return [Buffer.from(`${lengths.join(' ')}\n`), facts, ...(changes ? [changes] : []), bodies, lineBreak];
  }

  /** An estimate of its memory, in bytes. */
  get weight(): number {
    const held = (this.failure?.length ?? 0) + (this.#changes?.length ?? 0) * changeBytes;
    return this.#end - this.#json + keptFactsBytes + this.url.length + held;
  }

  get httpVersion(): string {
    return this.#facts().httpVersion;
  }
  get remoteAddress(): string {
    return this.#facts().remoteAddress;
  }
  get requestHeaders(): readonly string[] {
    return this.#facts().requestHeaders;
  }
  get responseHeaders(): Exchange['responseHeaders'] {
    return this.#facts().responseHeaders;
  }
  get notes(): readonly string[] {
    return this.#laterNotes ?? this.#facts().notes;
  }
  /** What is noted later is in memory only. */
  set notes(notes) {
    this.#laterNotes = notes;
  }
  get fault(): Exchange['fault'] {
    return this.#hasFault ? this.#facts().fault : null;
  }
  get early(): Exchange['early'] {
    return this.#facts().early;
  }
  get changes(): Exchange['changes'] {
    return this.#changes ?? this.#facts().changes;
  }
  get refusal(): Refusal | null {
    const { refusal } = this.#isRefused ? this.#facts() : noRefusal;
    return refusal && fromStored(refusal);
  }
  get requestBody(): Buffer | null {
    return this.#bodies[0] ? this.#bytes.subarray(this.#request, this.#response) : null;
  }
  get responseBody(): Buffer | string | null {
    const [, type] = this.#bodies;
    const answer = this.#bytes.subarray(this.#response, this.#end);
    return type === null ? null : type === 'string' ? answer.toString('utf8') : answer;
  }

  /** Whether its changes may contain a text of JSON. It saves reading them where they are bytes, too. */
  mayChange(json: Buffer): boolean {
    return this.#changes ? this.#changes.length > 0 : this.#bytes.subarray(this.#json, this.#request).includes(json);
  }

  /** Those of one request are kept until those of another are read: mostly several are read in a row. */
  #facts(): StoredExchange {
    if (lastRead?.kept !== this)
      lastRead = { kept: this, facts: readFacts(this.#bytes, { json: this.#json, request: this.#request }) };
    return lastRead.facts;
  }
}

/** The memory of the facts that are not among the bytes, without texts of any length; and that of a change. */
const keptFactsBytes = 400;
const changeBytes = 400;
const lineBreak = Buffer.from('\n');
const noRefusal = { refusal: null };

let lastRead: { readonly kept: Kept; readonly facts: StoredExchange } | null = null;

function readFacts(bytes: Buffer, { json, request }: Pick<EntryPlace, 'json' | 'request'>): StoredExchange {
  return JSON.parse(bytes.toString('utf8', json, request)) as StoredExchange;
}

/** What a kept request is made from: itself while it was handled, or its entry. */
type Facts = Pick<
  Exchange,
  | 'id'
  | 'sequence'
  | 'at'
  | 'wallAt'
  | 'method'
  | 'url'
  | 'operation'
  | 'companyId'
  | 'credentialId'
  | 'status'
  | 'requestBytes'
  | 'durationMs'
  | 'failure'
  | 'fault'
> & { readonly refusal: unknown };

type StoredExchange = Omit<Exchange, 'refusal' | 'requestBody' | 'responseBody' | 'startedAt'> & {
  readonly refusal: StoredRefusal | null;
  readonly bodies: Bodies;
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
