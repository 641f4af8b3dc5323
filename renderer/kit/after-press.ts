/**
 * Runs work once the pointer is up, or at once if it is not down. Moving the page during a press makes the click miss:
 * the button is no longer under the pointer.
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
