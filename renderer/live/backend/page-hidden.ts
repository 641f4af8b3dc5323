/** How long a page is hidden, in milliseconds, before it closes its stream: a short look at another tab changes nothing. */
const longestHiddenMs = 5_000;

/**
 * A signal that ends with `signal`, when the page has been hidden for five seconds, and when the back button shows it again
 * as it was. A browser may suspend a hidden page, which then must not have the stream of all windows (shared-stream.ts).
 * The desktop window has one page, and notifies while it is hidden.
 */
export function untilHidden(signal: AbortSignal): {
  readonly signal: AbortSignal;
  /** Ends the watch; the signal then ends with the other one only. */
  stop(): void;
} {
  if (window.host) return { signal, stop: () => {} };
  const hidden = new AbortController();
  let timer = 0;
  const follow = (): void => {
    window.clearTimeout(timer);
    if (document.hidden) timer = window.setTimeout(() => hidden.abort(), longestHiddenMs);
  };
  // By then WebKit has dropped the page's request for the lock, without telling it.
  const begin = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) hidden.abort();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  window.addEventListener('pageshow', begin);
  return {
    signal: AbortSignal.any([signal, hidden.signal]),
    stop() {
      document.removeEventListener('visibilitychange', follow);
      window.removeEventListener('pageshow', begin);
      window.clearTimeout(timer);
    },
  };
}

/** When the page is shown, which may be now, or `signal` ends. */
export function whenShown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!document.hidden || signal.aborted) resolve();
    };
    look();
    document.addEventListener('visibilitychange', look, { signal });
    signal.addEventListener('abort', look);
  });
}
