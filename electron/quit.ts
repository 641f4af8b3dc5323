import type { App } from 'electron';

/** How long the emulator may take to write the rest; acknowledged changes are already on disk. */
const longestMs = 10_000;

/**
 * Quits in order: every step is done before the app exits, whatever the reason (the menu, Ctrl+C, the end of a
 * session). Windows reports that end to the window only, and may end the app before the last step.
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
        say(`Sandpiper could not stop cleanly: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    state = 'ended';
    app.quit();
  }
}
