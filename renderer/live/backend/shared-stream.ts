import type { StreamEvent } from './sse.ts';

/** The name of the lock that the window with the stream holds, and of the channel on which it passes on events. */
const name = 'sandpiper.stream';

export interface SharedStream {
  /** Whether this window opens the stream. */
  readonly isOurs: boolean;
  /** The events that the window with the stream passes on. Ends when this window must open it, or the signal aborts. */
  passedOn(): AsyncGenerator<StreamEvent>;
  /** Passes an event on to the other windows. */
  pass(event: StreamEvent): void;
  /** Lets another window open the stream. */
  leave(): void;
}

/**
 * Joins the windows of this browser that show this server. One of them has the stream and passes on its events. A
 * browser opens only six connections to a host over HTTP/1.1: with a stream in each of six windows, none could make a
 * call. When that window is closed, hidden or leaves, the next one opens the stream. A page without locks, as on an
 * address that is neither this machine nor https, opens its own stream.
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
    // This resolves after the lock is granted, if it is free.
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

/**
 * Shares with the other windows that the server announced its end. It has a channel of its own, open as long as the
 * page: the lock of the stream may reach the next window before the last events do.
 * @param hear called when another window tells the end, with the time at which it came, in real epoch milliseconds
 */
export function shareEnd(hear: (at: number) => void): { readonly tell: (at: number) => void } {
  const channel = new BroadcastChannel('sandpiper.end');
  channel.addEventListener('message', ({ data }: MessageEvent<number>) => hear(data));
  return { tell: (at) => channel.postMessage(at) };
}
