/**
 * Reads data again after changes: at once, then at most once per `pause` milliseconds, and always after the last
 * change. A read waits for the previous one: if answers take long, more questions would only make them slower.
 */
export function createReadSoon(read: () => Promise<unknown>, pause: number): () => Promise<void> {
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
