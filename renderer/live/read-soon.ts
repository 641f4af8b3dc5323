/**
 * Reads again what may have changed: at once, then at most once in `pause` milliseconds, the last change always read. One
 * reading waits for the one before: where the answers take long, each further question would only make them take longer.
 */
export function createReadSoon(read: () => Promise<void>, pause: number): () => Promise<void> {
  let [isBusy, again] = [false, false];
  function end(): void {
    const wanted = again;
    [isBusy, again] = [false, false];
    if (wanted) void readSoon();
  }
  async function readSoon(): Promise<void> {
    if (isBusy) return void (again = true);
    isBusy = true;
    try {
      await read();
    } finally {
      window.setTimeout(end, pause);
    }
  }
  return readSoon;
}
