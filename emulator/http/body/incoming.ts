import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { discardedBytes, discardIdleMs } from '../../net/conversation.ts';
import { createSlices } from '../../time/slices.ts';

/** Follows a body while it arrives. */
export interface BodyWatcher {
  /** @param size bytes so far */
  onBytes(size: number): void;
  onEnd(): void;
  /** The rest of it cannot be parsed. */
  onBroken(problem: Error): void;
}

/** Bytes that may arrive before the body is wanted; then the client has to wait. */
const unwantedBytes = 64 * 1024;

/** More bytes than these are copied in slices; fewer take a few milliseconds. */
export const largeBytes = 4 * 1024 * 1024;

/**
 * A request whose body is collected as Node's parser delivers it: the events of a stream cost more than most operations
 * (docs/performance.md). After `toStream()` it is an ordinary stream.
 * For `createServer({ IncomingMessage: Incoming })`.
 */
export class Incoming extends IncomingMessage {
  /** Null if the body is not collected: it is a stream, or it is discarded. */
  #chunks: Buffer[] | null = [];
  #isStream = false;
  #size = 0;
  #watcher: BodyWatcher | null = null;
  #hasEnded = false;
  #broken: Error | null = null;
  /** Closes the connection, which waits for the end of the body. */
  #close: (() => void) | null = null;

  constructor(socket: Socket) {
    super(socket);
    newest.set(socket, this);
  }

  /** The request whose body is arriving on a connection; undefined if there is none. */
  static arrivingOn(socket: Socket): Incoming | undefined {
    const request = newest.get(socket);
    return request?.complete === false ? request : undefined;
  }

  /** Why the rest of the body cannot be parsed; null if it can. */
  get broken(): Error | null {
    return this.#broken;
  }

  /** Tells the reader of the body, now or later, that its rest cannot be parsed. False if it is read as a stream. */
  breakOff(problem: Error): boolean {
    if (this.#isStream) return false;
    // Tell it only once: the later parts of the body cannot be parsed either.
    if (this.#broken === null) {
      this.#broken = problem;
      this.#watcher?.onBroken(problem);
    }
    return true;
  }

  /** Bytes of the body so far. */
  get size(): number {
    return this.#size;
  }

  /** Whether the whole body has arrived. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The body so far. */
  get collected(): Buffer {
    const [only, ...others] = this.#chunks ?? [];
    return only && others.length === 0 ? only : Buffer.concat(this.#chunks ?? []);
  }

  /** Like `collected`, for a large body: its parts are copied in slices, between which other requests are answered. */
  async collectLarge(): Promise<Buffer> {
    const chunks = this.#chunks ?? [];
    const whole = Buffer.allocUnsafeSlow(this.#size);
    const slice = createSlices(largeBytes);
    let at = 0;
    for (const chunk of chunks) {
      at += chunk.copy(whole, at);
      const turn = slice(chunk.length);
      if (turn) await turn;
    }
    this.#chunks = [whole];
    return whole;
  }

  /** Called by Node's parser with each part of the body, and with null at its end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) this.#close?.();
    if (this.#isStream) return super.push(chunk, encoding);
    if (chunk === null) {
      this.#hasEnded = true;
      this.#goOn();
      this.#watcher?.onEnd();
      return false;
    }
    this.#size += chunk.length;
    this.#chunks?.push(chunk);
    this.#watcher?.onBytes(this.#size);
    if (this.#chunks === null && this.#size > discardedBytes) this.socket.destroy();
    return this.#chunks === null || this.#watcher !== null || this.#size < unwantedBytes;
  }

  /**
   * Lets Node close the connection after the answer only when the body has arrived, or when it has paused for a while.
   */
  closeAfterBody(response: ServerResponse): void {
    // Node's own listener closes the connection just after this one. The end of the server, which closes it later, is
    // not delayed.
    response.prependOnceListener('finish', () => {
      if (this.complete) return;
      const { socket } = this;
      const close = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        socket.destroySoon = close;
        socket.end();
        socket.setTimeout(discardIdleMs);
        this.#close = close;
      };
    });
  }

  /** Calls the watcher for everything that arrives from now on. */
  watch(watcher: BodyWatcher): void {
    this.#watcher = watcher;
    if (this.#size >= unwantedBytes) this.#goOn();
  }

  unwatch(): void {
    this.#watcher = null;
  }

  /** Forgets the collected bytes. The rest is read and ignored, up to a limit; then the connection is closed. */
  discard(): void {
    this.#chunks = null;
    this.#watcher = null;
    this.#goOn();
  }

  /**
   * Reads the connection again. The request also counts as read; otherwise Node would read the rest of it as a stream.
   */
  #goOn(): void {
    // oxlint-disable-next-line no-underscore-dangle -- Node's name for it
    this._read(0);
  }

  /** Makes it a stream from now on, which starts with the collected bytes. */
  toStream(): void {
    const chunks = this.#chunks ?? [];
    this.#isStream = true;
    this.#chunks = null;
    for (const chunk of chunks) super.push(chunk);
    if (this.#hasEnded) super.push(null);
  }
}

const newest = new WeakMap<Socket, Incoming>();

/** @throws TypeError if its server was not created with `Incoming` */
export function toIncoming(request: IncomingMessage): Incoming {
  if (request instanceof Incoming) return request;
  throw new TypeError('The server has to be created with { IncomingMessage: Incoming }.');
}

/**
 * Wraps a listener so that connections stay open until the body has arrived, even if the client asks to close them
 * (Python's urllib, HTTP/1.0). Node would close them with the answer: a client that is still sending its body would get
 * a broken connection instead of the reason for a refusal. Node also closes them if a client expected 100 Continue and
 * was refused without it, and such a client may send its body nevertheless.
 */
export function closingAfterBodies(listener: RequestListener): RequestListener {
  return (request, response) => {
    const mayClose = !response.shouldKeepAlive || request.headers.expect !== undefined;
    if (mayClose) toIncoming(request).closeAfterBody(response);
    listener(request, response);
  };
}
