/**
 * Runs work once the pointer is up again, at once if it is not down. What moves the page under a press makes the click
 * miss: the button is no longer where the pointer is let go.
 */
export function afterPress(work: () => void): void {
  if (!document.documentElement.matches(':active')) return work();
  const ending = new AbortController();
  const end = (): void => {
    ending.abort();
    setTimeout(work);
  };
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { signal: ending.signal });
}
