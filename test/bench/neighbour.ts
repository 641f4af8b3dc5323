import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The work that the other process repeats until it is stopped. */
export type Neighbour = 'parse a file' | 'save a state';

/**
 * Measures a server while another process works: the effect of the machine's cores and disk alone on its p99. Work of
 * the server itself beside its answers can hardly have less effect than that.
 * @param path the file to parse, or the data folder to save, which nothing else may use
 */
export async function beside<R>(work: Neighbour, path: string, measure: () => Promise<R>): Promise<R> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/bench/neighbour-main.ts', work, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    await Promise.race([
      once(child.stdout, 'data'),
      ended.then(() => {
        throw new Error(`The process that was to ${work} ended early.`);
      }),
    ]);
    return await measure();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
