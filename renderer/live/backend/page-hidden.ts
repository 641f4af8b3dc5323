/** Milliseconds for which a page is hidden before it closes its stream: a short look at another tab changes nothing. */
const longestHiddenMs = 5_000;

/**
 * A signal that aborts with `signal`, when the page has been hidden for five seconds, and when the back button restores
 * the page as it was. A browser may suspend a hidden page, which must not hold the stream of all windows then
 * (shared-stream.ts). The desktop window is an exception: it has one page, and notifies while it is hidden.
 */
export function untilHidden(signal: AbortSignal): {
  readonly signal: AbortSignal;
  /** Ends the watch. The signal then follows only the given one. */
  stop(): void;
} {
  if (window.host) return { signal, stop: () => {} };
  const hidden = new AbortController();
  let timer = 0;
  const follow = (): void => {
    window.clearTimeout(timer);
    if (document.hidden) timer = window.setTimeout(() => hidden.abort(), longestHiddenMs);
  };
  // By then, WebKit has silently dropped the page's request for the lock.
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

/** Resolves when the page is shown, which may be now, or when `signal` aborts. */
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
