import type { Refusal } from '../../rules.ts';
import type { Change } from '../../store/store.ts';
import type { Exchange } from './exchange.ts';
import {
  createBufferPool,
  letGoOf,
  noBytes,
  sharedBufferBytes,
  toSharedBuffer,
  type SharedBuffer,
} from './buffer-pool.ts';
import {
  countBytes,
  fromStored,
  mostBytes,
  readFacts,
  toDraft,
  writeEntry,
  type Bodies,
  type EntryPlace,
  type StoredFacts,
} from './entry.ts';

/** Keeps finished requests as bytes. */
export type Pack = (exchange: Exchange) => RecordedExchange;

/** The largest entry in a shared buffer. A larger one has memory of its own. */
const mostShared = sharedBufferBytes / 4;

/**
 * Creates the function that packs requests, one after the other, so that they can be written to disk as they are. Each
 * has one hold on its buffer.
 */
export function createPack(): Pack {
  const takeBuffer = createBufferPool();
  let shared = toSharedBuffer(noBytes);
  let used = 0;

  return (exchange) => {
    const draft = toDraft(exchange);
    let most = mostBytes(draft);
    if (most > mostShared) most = countBytes(draft);
    if (most > mostShared) {
      const own = Buffer.allocUnsafeSlow(most);
      return new RecordedExchange(toSharedBuffer(own), writeEntry(own, 0, draft), exchange, draft.bodies);
    }
    if (used + most > shared.bytes.length) {
      letGoOf(shared);
      shared = takeBuffer();
      used = 0;
    }
    const place = writeEntry(shared.bytes, used, draft);
    used = place.end + 1;
    shared.holds += 1;
    return new RecordedExchange(shared, place, exchange, draft.bodies);
  };
}

/**
 * Creates the function that makes recorded requests from the entries in these bytes. They share the memory of the
 * bytes. The function returns null if the facts of an entry cannot be read.
 */
export function createUnpack(bytes: Buffer): (place: EntryPlace) => RecordedExchange | null {
  const shared = toSharedBuffer(bytes);
  return (place) => unpack(shared, place);
}

function unpack(shared: SharedBuffer, place: EntryPlace): RecordedExchange | null {
  try {
    const facts = readFacts(shared.bytes, place);
    return new RecordedExchange(shared, place, facts, facts.bodies);
  } catch {
    return null;
  }
}

/** The facts from which a recorded request is made: the exchange that was handled, or its entry. */
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
  | 'changes'
> & { readonly refusal: { readonly rule: { readonly id: string } } | null; readonly fault: unknown };

/** A collection that a request changed, and whether it put new records into it. */
export interface Touched {
  readonly collection: Change['collection'];
  readonly isNew: boolean;
}

/** An estimate of the memory of the facts outside of the bytes, without texts of any length. */
const keptFactsBytes = 300;

/**
 * A finished request as it is kept: as bytes, outside the reach of the garbage collector, and with the few facts by
 * which lists are filtered. All other facts are read from the bytes on demand, and may be empty once the request is no
 * longer recorded. It is a class because thousands of them share these getters.
 */
export class RecordedExchange implements Exchange {
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
  /** The id of the rule by which it was refused. */
  readonly refusedBy: string | null;
  /** The collections that its changes touched, each once. They are known without decoding the changes. */
  readonly touched: readonly Touched[];
  readonly #shared: SharedBuffer;
  /** The start of its entry in `bytes`. The entry goes up to the byte before `end`. */
  readonly start: number;
  readonly #json: number;
  readonly #request: number;
  readonly #response: number;
  readonly end: number;
  readonly #bodies: Bodies;
  /** Whether its entry has a fault to read. */
  readonly #hasFault: boolean;
  #laterNotes: readonly string[] | null = null;
  /**
   * Its number in the order in which requests ended. A request that took long has a larger number than later, faster
   * ones.
   */
  ended = 0;

  constructor(shared: SharedBuffer, place: EntryPlace, facts: Facts, bodies: Bodies) {
    this.id = facts.id;
    this.sequence = facts.sequence;
    this.at = facts.at;
    this.wallAt = facts.wallAt;
    this.method = facts.method;
    this.url = share(facts.url);
    this.operation = facts.operation;
    this.companyId = facts.companyId;
    this.credentialId = facts.credentialId;
    this.status = facts.status;
    this.requestBytes = facts.requestBytes;
    this.durationMs = facts.durationMs;
    this.failure = facts.failure;
    this.refusedBy = facts.refusal && share(facts.refusal.rule.id);
    this.#shared = shared;
    this.start = place.start;
    this.#json = place.json;
    this.#request = place.request;
    this.#response = place.response;
    this.end = place.end + 1;
    this.#bodies = bodies;
    this.#hasFault = facts.fault !== null;
    this.touched = toTouched(facts.changes);
  }

  /** The buffer with its entry, and with those of other requests. */
  get bytes(): Buffer {
    return this.#shared.bytes;
  }

  /** Keeps its bytes until `letGo` was called as often as `hold`, and once more by the recorder. */
  hold(): void {
    this.#shared.holds += 1;
  }
  letGo(): void {
    letGoOf(this.#shared);
  }

  /** An estimate of its memory, in bytes. */
  get weight(): number {
    return this.end - this.start + keptFactsBytes + (this.failure?.length ?? 0);
  }

  get startedAt(): number {
    return 0;
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
  get requestBrokeOff(): boolean {
    return this.#facts().requestBrokeOff;
  }
  get notes(): readonly string[] {
    return this.#laterNotes ?? this.#facts().notes;
  }
  /** Later notes are in memory only. */
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
    return this.touched.length > 0 ? this.#facts().changes : [];
  }
  get refusal(): Refusal | null {
    const { refusal } = this.refusedBy === null ? noRefusal : this.#facts();
    return refusal && fromStored(refusal);
  }
  get requestBody(): Buffer | null {
    return this.#bodies[0] ? this.bytes.subarray(this.#request, this.#response) : null;
  }
  get responseBody(): Buffer | string | null {
    const [, type] = this.#bodies;
    const answer = this.bytes.subarray(this.#response, this.end - 1);
    return type === null ? null : type === 'string' ? answer.toString('utf8') : answer;
  }

  /** Whether its changes may contain a JSON text. This saves decoding them. */
  mayChange(text: Buffer): boolean {
    return this.touched.length > 0 && this.bytes.subarray(this.#json, this.#request).includes(text);
  }

  /**
   * Whether one of its headers may contain an ASCII text in lower case, without characters that JSON escapes. This
   * saves decoding them.
   */
  maySend(text: string): boolean {
    return this.bytes.toString('latin1', this.#json, this.#request).toLowerCase().includes(text);
  }

  /**
   * Whether its facts, or the body that was sent, may contain one of these texts in lower case. This saves decoding
   * them.
   */
  mayName(texts: readonly string[]): boolean {
    // Escaped texts would not be found. The facts contain texts as they are.
    const isEscaped = /[%+]/.test(this.url) || this.bytes.subarray(this.#request, this.#response).includes('\\');
    if (isEscaped) return true;
    const own = this.bytes.toString('utf8', this.#json, this.#response).toLowerCase();
    return texts.some((text) => own.includes(text));
  }

  /** The facts of the last request are cached, because several of them are mostly read in a row. */
  #facts(): StoredFacts | typeof nothing {
    if (this.bytes.length === 0) return nothing;
    if (lastRead?.exchange !== this)
      lastRead = { exchange: this, facts: readFacts(this.bytes, { json: this.#json, request: this.#request }) };
    return lastRead.facts;
  }
}

const noRefusal = { refusal: null };

/** The facts of a request whose bytes were taken away. */
const nothing = {
  requestBrokeOff: false,
  httpVersion: '',
  remoteAddress: '',
  requestHeaders: [],
  responseHeaders: {},
  notes: [],
  fault: null,
  early: null,
  refusal: null,
  changes: [],
};

/** Most requests touch the same collections: they share these lists. */
const touchedLists = new Map<string, readonly Touched[]>();

function toTouched(changes: Exchange['changes']): readonly Touched[] {
  const names = changes.map(({ collection, before }) => (before === null ? `${collection} new` : collection));
  // Many names are listed once each; otherwise the keys could become long and numerous.
  const key = (names.length > 8 ? [...new Set(names)] : names).join();
  const known = touchedLists.get(key);
  if (known) return known;
  const touched = [...new Map(names.map((name, at) => [name, changes[at] as Change])).values()].map(
    ({ collection, before }) => ({ collection, isNew: before === null }),
  );
  touchedLists.set(key, touched);
  return touched;
}

let lastRead: { readonly exchange: RecordedExchange; readonly facts: StoredFacts } | null = null;

/** Paths repeat: recorded requests share their texts. */
const texts = new Map<string, string>();
const mostTexts = 1_000;

function share(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= mostTexts) texts.clear();
  texts.set(text, text);
  return text;
}
