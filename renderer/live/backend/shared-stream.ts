import type { StreamEvent } from './sse.ts';

/** The lock of the window that has the stream, and the channel on which it passes on what comes. */
const name = 'sandpiper.stream';

export interface SharedStream {
  /** Whether this window is the one that opens the stream. */
  readonly isOurs: boolean;
  /** What the window that has the stream passes on; ends when this window is the one to open it, or the signal ends. */
  passedOn(): AsyncGenerator<StreamEvent>;
  /** Gives an event to the other windows. */
  pass(event: StreamEvent): void;
  /** Lets another window open the stream. */
  leave(): void;
}

/**
 * Joins the windows of this browser that show this server. One of them has the stream, and passes on what comes: a browser
 * opens six connections to a host over HTTP/1.1, and with a stream in each of six windows, none could ask for anything. Once
 * that one is closed, hidden or leaves, the next one opens the stream. Where the browser gives a page no locks, as on an
 * address that is neither of this machine nor https, each window opens its own.
 */
export async function joinStream(signal: AbortSignal): Promise<SharedStream> {
  const left = new AbortController();
  const channel = new BroadcastChannel(name);
  let isOurs = !('locks' in navigator);
  const heard: StreamEvent[] = [];
  let wake = (): void => {};

  channel.addEventListener('message', ({ data }: MessageEvent<StreamEvent>) => {
    if (isOurs) return;
    heard.push(data);
    wake();
  });
  signal.addEventListener('abort', () => wake(), { signal: left.signal });
  if (!isOurs) {
    const untilLeft = new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve()));
    navigator.locks
      .request(name, { signal: left.signal }, () => {
        isOurs = true;
        wake();
        return untilLeft;
      })
      .catch((error: unknown) => {
        if (!left.signal.aborted) throw error;
      });
    // Answered after the lock is given, if it is free.
    await navigator.locks.query();
  }

  return {
    get isOurs() {
      return isOurs;
    },
    async *passedOn() {
      for (;;) {
        if (isOurs || signal.aborted) return;
        const event = heard.shift();
        if (event) yield event;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    pass: (event) => channel.postMessage(event),
    leave() {
      left.abort();
      channel.close();
    },
  };
}
