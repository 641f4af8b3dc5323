import type { App } from 'electron';

/** So long may the emulator take to write what is left; all that it acknowledged is on disk before that. */
const longestMs = 10_000;

/**
 * Ends in order: every step is done before the app goes, whoever asked it to (the menu, Ctrl+C, the end of a session).
 * @param steps in the order in which they are done
 */
export function quitInOrder(
  app: App,
  steps: readonly (() => unknown)[],
  say: (line: string) => void,
  limitMs = longestMs,
): void {
  let state: 'running' | 'ending' | 'ended' = 'running';
  app.on('before-quit', (event) => {
    if (state === 'ended') return;
    event.preventDefault();
    if (state === 'ending') return;
    state = 'ending';
    void end();
  });

  async function end(): Promise<void> {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs).unref());
    for (const step of steps) {
      try {
        await Promise.race([step(), limit]);
      } catch (error) {
        say(`Could not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    state = 'ended';
    app.quit();
  }
}
