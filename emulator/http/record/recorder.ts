import type { IncomingMessage } from 'node:http';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../time/clock.ts';
import type { Feed } from '../../feed.ts';
import type { Refusal } from '../../rules.ts';
import { keptBodyBytes, type Exchange } from './exchange.ts';
import { createPack, type RecordedExchange } from './recorded-exchange.ts';
import { openRecordFiles } from './files.ts';
import type { RecordLimits } from '../shapes.ts';

/** The recorded requests in the order of their arrival, newest last, limited in number and in bytes. */
export interface Recorder {
  /** Resolves when the requests recorded by earlier processes on this data folder are loaded. */
  readonly loaded: Promise<void>;
  open(request: IncomingMessage): Exchange;
  close(exchange: Exchange): void;
  /**
   * Records bytes that Node's HTTP parser could not parse.
   * @param unanswered why they got no answer, if they got none
   */
  broken(bytes: Buffer, remoteAddress: string, refusal: Refusal, unanswered?: string): Exchange;
  get(id: string): RecordedExchange | undefined;
  /** The requests, oldest first; with `after`, an earlier `upTo`, only those that ended since then. */
  all(after?: number): readonly RecordedExchange[];
  /** The number of the request that ended last, up to which `all()` reads the record. */
  readonly upTo: number;
  /** The number of the request that arrived last; 0 before the first. */
  readonly newest: number;
  /**
   * The requests whose changes may contain one of these ids or names, and maybe some others; oldest first. For code
   * that would otherwise read the changes of all requests.
   */
  changing(...texts: readonly string[]): readonly RecordedExchange[];
  clear(): void;
  /** Puts exchanges that were removed back into the record, in the order of their arrival. */
  putBack(exchanges: readonly RecordedExchange[]): void;
  /** Removes these exchanges. */
  takeOut(exchanges: readonly RecordedExchange[]): void;
  /** Resolves when the effects of `clear`, `putBack` and `takeOut` are on the disk, too. */
  written(): Promise<void>;
  readonly size: number;
  readonly dropped: number;
  /** Writes the requests that are not yet on the disk. */
  end(): Promise<void>;
}

/**
 * Creates the recorder. `limits` says how much it keeps; the oldest requests are removed first.
 * @param store with a data folder, requests are stored there, too. It is checked before each write, as it may belong to
 *   another server by then
 * @param mark names requests of earlier processes that are removed, as a kill interrupted their removal
 * @param onProblem called if they cannot be written
 */
export function createRecorder({
  store: { dataDir, checkFolder },
  clock,
  feed,
  limits,
  mark: { unfinished },
  onProblem,
}: {
  store: Pick<Store, 'dataDir' | 'checkFolder'>;
  clock: Clock;
  feed: Feed;
  limits: RecordLimits;
  /** `request`: the sequence of the newest of them. */
  mark: { readonly unfinished: { readonly request: number } | null };
  onProblem: (text: string) => void;
}): Recorder {
  const files = openRecordFiles({ dataDir, checkFolder, clock, limits, onProblem });
  const pack = createPack();
  /** Oldest first, from `head` on. A Map would be slow as a queue: each removal skips the earlier holes. */
  let queue: RecordedExchange[] = [];
  let head = 0;
  let size = 0;
  let sequence = files?.lastSequence ?? 0;
  /** The first number of this process. */
  const first = sequence + 1;
  let upTo = sequence;
  let dropped = 0;
  const prefix = `req_${clock.wall().toString(36)}`;

  const count = (): number => queue.length - head;

  /** Finds a request by the sequence at the end of the id, by which the queue is sorted. An index would cost more. */
  const find = (id: string): RecordedExchange | undefined => {
    const wanted = Number.parseInt(id.slice(prefix.length), 36);
    let [low, high] = [head, queue.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((queue[middle]?.sequence ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    // Earlier versions could give a number to requests of two processes.
    while (queue[low]?.sequence === wanted && queue[low]?.id !== id) low += 1;
    const found = queue[low];
    return found?.id === id ? found : undefined;
  };

  /** Inserts a request in the order of arrival: one that took longer than a later one is placed before it. */
  const insert = (exchange: RecordedExchange): void => {
    let at = queue.length;
    while (at > head && (queue[at - 1]?.sequence ?? 0) > exchange.sequence) at--;
    if (at === queue.length) queue.push(exchange);
    else queue.splice(at, 0, exchange);
    size += exchange.weight;
  };

  const dropOldest = (): void => {
    const oldest = queue[head];
    if (!oldest) return;
    size -= oldest.weight;
    oldest.letGo();
    head += 1;
    dropped += 1;
    // Requests before `head` still use memory, so they must stay few.
    if (head > 1024 && head * 16 > queue.length) {
      queue = queue.slice(head);
      head = 0;
    }
  };

  const trim = (): void => {
    while (count() > limits.exchanges || (size > limits.bytes && count() > 1)) dropOldest();
  };

  const keep = (exchange: Exchange): void => {
    const kept = pack(exchange);
    kept.ended = upTo += 1;
    insert(kept);
    trim();
    files?.append(kept);
    feed.publish({ type: 'request', exchange });
  };

  const all = (): readonly RecordedExchange[] => (head === 0 ? queue : queue.slice(head));

  /** Replaces everything by these exchanges, each once, in this order. */
  const fill = (exchanges: readonly RecordedExchange[]): void => {
    queue = [];
    head = 0;
    size = 0;
    const ids = new Set<string>();
    for (const exchange of exchanges) {
      if (ids.has(exchange.id)) continue;
      ids.add(exchange.id);
      // A permanent hold: the exchange may come back after it was dropped.
      exchange.hold();
      insert(exchange);
    }
    trim();
    feed.publish({ type: 'reset' });
  };

  const takeInEarlier = async (): Promise<void> => {
    const found = (await files?.load()) ?? [];
    const earlier = found.filter(({ sequence: one }) => one > (unfinished?.request ?? 0));
    // In the files, requests are in the order in which they ended.
    for (const [at, exchange] of earlier.entries()) exchange.ended = first - earlier.length + at;
    if (earlier.length > 0) fill([...earlier, ...all()]);
    if (earlier.length < found.length) files?.replace(all());
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
      requestBrokeOff: false,
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

  const loaded = takeInEarlier();

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
      exchange.durationMs = Math.round((clock.monotonic() - exchange.startedAt) * 1000) / 1000;
      keep(exchange);
    },
    broken(raw, remoteAddress, refusal, unanswered) {
      const [line = ''] = raw.subarray(0, 2048).toString('latin1').split('\r\n');
      const [method = '', url = ''] = /^[\x20-\x7e]*$/.test(line) ? line.split(' ') : [];
      const exchange = begin({ method, url, httpVersion: '', remoteAddress, requestHeaders: [] });
      exchange.requestBody = raw.subarray(0, keptBodyBytes);
      exchange.requestBytes = raw.length;
      exchange.status = unanswered === undefined ? refusal.rule.status : null;
      exchange.failure = unanswered ?? null;
      exchange.refusal = refusal;
      exchange.durationMs = 0;
      keep(exchange);
      return exchange;
    },
    loaded,
    get: find,
    all: (after = 0) => (after === 0 ? queue.slice(head) : all().filter(({ ended }) => ended > after)),
    get upTo() {
      return upTo;
    },
    get newest() {
      return sequence;
    },
    changing(...texts) {
      const wanted = texts.map((text) => Buffer.from(JSON.stringify(text).slice(1, -1)));
      return all().filter((exchange) => wanted.some((json) => exchange.mayChange(json)));
    },
    clear() {
      fill([]);
      files?.replace([]);
    },
    putBack(exchanges) {
      fill([...exchanges, ...all()].toSorted((one, other) => one.sequence - other.sequence));
      files?.replace(all());
    },
    takeOut(exchanges) {
      const ids = new Set(exchanges.map(({ id }) => id));
      fill(all().filter(({ id }) => !ids.has(id)));
      files?.replace(all());
    },
    written: () => files?.written() ?? Promise.resolve(),
    get size() {
      return count();
    },
    get dropped() {
      return dropped;
    },
    async end() {
      // Otherwise loading would read files of a folder that may be gone.
      await loaded;
      await files?.close();
    },
  };
}
