import { setTimeout as wait } from 'node:timers/promises';
import type { Route } from 'playwright-core';

/** Delays the code of a view, too: a press that is too early meets the previous view. */
export async function loadLate(route: Route): Promise<void> {
  await wait(300);
  await route.continue();
}

/**
 * Delays frames, scroll events and sizes in a page of the tests, as on a machine that is busy with other work, and
 * replies, some of them until after later ones. A test that looks too early then fails each time.
 * `SANDPIPER_TEST_LATE=1` turns it on (browser.ts). With `SANDPIPER_TEST_LATE=frames`, only frames, scroll events and
 * sizes are late, and everything else comes before them; with `SANDPIPER_TEST_LATE=stream`, only what the server reports
 * by itself.
 */
export function comeLate(only: string): void {
  // A frame with the text of an email runs no scripts.
  if (window !== window.top) return;
  // The delays work even if a test stops the clock of the page.
  const setTimeout = window.setTimeout.bind(window);
  const late = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  if (only !== 'stream') delayFrames(only === 'frames' ? 400 : 80);
  if (only !== 'frames') delayStream(only === 'stream' ? 500 : 150);
  if (only === '1') delayReplies();

  function delayFrames(frame: number): void {
    const nextFrame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (work) => nextFrame(() => setTimeout(() => work(performance.now()), frame));

    const laterListeners = new WeakMap<object, EventListener>();
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (type !== 'scroll' || typeof listener !== 'function')
        return addEventListener.call(this, type, listener, options);
      const later =
        laterListeners.get(listener) ??
        function (this: EventTarget, event: Event): void {
          // Within a frame, a browser reports scrolling first.
          setTimeout(() => listener.call(this, event), frame / 2);
        };
      laterListeners.set(listener, later);
      return addEventListener.call(this, type, later, options);
    };
    EventTarget.prototype.removeEventListener = function (type, listener, options) {
      const later = type === 'scroll' && listener ? laterListeners.get(listener) : undefined;
      return removeEventListener.call(this, type, later ?? listener, options);
    };

    const Observer = window.ResizeObserver;
    window.ResizeObserver = class extends Observer {
      constructor(work: ResizeObserverCallback) {
        super((...seen) => setTimeout(() => work(...seen), frame));
      }
    };
  }

  function delayReplies(): void {
    const send = window.fetch.bind(window);
    let turn = 0;
    window.fetch = async (...request) => {
      const own = (turn += 1);
      await late(own % 2 === 0 ? 5 : 90);
      const reply = await send(...request);
      // Some replies come after those to later requests.
      await late(own % 3 === 1 ? 600 : 60);
      return reply;
    };
  }

  function delayStream(ms: number): void {
    const { read } = ReadableStreamDefaultReader.prototype;
    ReadableStreamDefaultReader.prototype.read = async function () {
      const piece = await read.call(this);
      await late(ms);
      return piece;
    };
    // What another window passes on comes late, too, and not after this window has left.
    const { addEventListener } = EventTarget.prototype;
    const { close } = BroadcastChannel.prototype;
    const closed = new WeakSet<EventTarget>();
    BroadcastChannel.prototype.close = function () {
      closed.add(this);
      close.call(this);
    };
    BroadcastChannel.prototype.addEventListener = function (this: EventTarget, type: string, listener: EventListener) {
      const later = (event: Event): void =>
        void setTimeout(() => {
          if (!closed.has(this)) listener.call(this, event);
        }, ms);
      addEventListener.call(this, type, later);
    };
  }
}
